"""Recorded runs: positions of values in a program, recordings on disk."""
