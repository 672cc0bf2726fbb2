"""Queries on parsed modules: functions, types, names, uses and definitions."""
