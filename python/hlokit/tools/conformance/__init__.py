"""Runs upstream's tests with hlokit: `python -m hlokit.tools.conformance --upstream PATH`.

`suites.py` finds the test files of an openxla/stablehlo checkout and reads them; `run_file.py` runs the RUN
lines of a file with `shell.py` and the commands of `commands.py`; `workers.py` runs files in child processes,
which may crash. `expectations.py` reads the expected failures, and `report.py` prints tables.
"""
