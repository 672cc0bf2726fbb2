"""Isolated operations, which the other side evaluates on hlokit's operands."""
