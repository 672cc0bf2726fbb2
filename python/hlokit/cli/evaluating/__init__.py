"""Evaluates programs for commands: the options of an evaluation, and what the options mean."""
