"""Finds the operation whose values differ on another side, and the size of the difference."""
