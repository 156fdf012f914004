"""Advantages, losses and updates."""
