"""Compares two programs that should be equivalent."""
