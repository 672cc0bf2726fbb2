"""Sides: what can run a module on inputs, each in a process of its own."""
