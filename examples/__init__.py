"""Euchre in other people's frameworks: one runnable program each; docs/plugins.md has what each can and cannot do.

They run from the checkout: `python -m examples.sb3_maskable_ppo`.
"""
