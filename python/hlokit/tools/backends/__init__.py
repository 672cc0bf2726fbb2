"""Sides: implementations that run a module on inputs, each in its own process."""
