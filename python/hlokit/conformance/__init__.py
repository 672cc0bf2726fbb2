"""Upstream's tests, run by hlokit: `python -m hlokit.conformance --upstream PATH`."""
