"""Traces of runs for inspection: `program.trace(...)`.

`listings.py` connects the printed program with its operations, `collector.py` observes a run, `run_trace.py`
has the object for users. `chrome_trace.py` writes the trace format of Chrome, which Perfetto opens.
"""
