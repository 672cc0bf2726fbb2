"""Converts constants and attributes to plain Python values, and back."""
