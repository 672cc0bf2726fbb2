"""Observers of a run: what happens at each step, for people and for tests.

`observers.py` has `Trace` (a record of every operation), `StopOnNan`, and several observers as one.
`summaries.py` puts type and range of a value into a few numbers. `probes.py` stores the values that
interpreter.probe takes. The numerics room has observers of its own.
"""
