"""Upstream's tests, run by hlokit: `python -m hlokit.conformance --upstream PATH`.

`suites.py` finds the test files of an openxla/stablehlo checkout and reads them; `run_file.py` runs the RUN
lines of a file by `shell.py`, whose commands are those of `commands.py`; `workers.py` does so in processes
that may die. `expectations.py` knows the failures that are expected, and `report.py` prints tables.
"""
