"""Evaluates programs for commands: the flags of an evaluation, and their effects."""
