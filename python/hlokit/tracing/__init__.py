"""Runs that are kept to be looked at: `program.trace(...)`.

`listings.py` ties the printed program to its operations, `collector.py` observes a run, `run_trace.py` is
what users look at. `chrome_trace.py` writes the trace format of Chrome, which Perfetto opens.
"""
