"""Instrumented programs, which also return their intermediate values, and the comparison of these values."""
