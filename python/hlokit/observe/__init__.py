"""Observers of a run: records, checks and summaries of each step.

`observers.py` has `Trace` (a record of every operation), `StopOnNan`, and several observers as one.
`summaries.py` describes the type and range of a value in a few numbers. `probes.py` stores the values that
interpreter.probe takes. The room `numerics` has further observers.
"""
