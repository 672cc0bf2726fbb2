"""Observers of a run: records, checks and summaries of each step.

`observers.py` has `Trace` (a record of every operation), `StopOnNan`, and a combination of several observers.
`summaries.py` describes the type and range of a value in a few numbers. `probes.py` stores the operands of
interpreter.probe. The room `tools.numerics` has further observers.
"""
