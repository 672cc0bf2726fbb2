"""Runs that are kept: places of values in a program, recordings on disk."""
