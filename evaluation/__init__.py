"""Measuring players against each other on duplicate deals: the arena, its statistics, its reports."""
