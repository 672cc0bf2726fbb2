"""Fused code: several operations on large arrays, computed together piece by piece."""
