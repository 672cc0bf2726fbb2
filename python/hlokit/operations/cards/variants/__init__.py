"""Variants of operations, by the chapters of their cards: the shapes and attributes of conformance cases."""
