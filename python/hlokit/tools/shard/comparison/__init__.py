"""Compares a sharded run with the run of the whole program, and finds the operation at fault."""
