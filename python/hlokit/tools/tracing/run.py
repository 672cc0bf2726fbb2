"""Runs a program with a collector, and makes a trace of the run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError, HlokitError
from hlokit.tools.tracing.collector import Collector
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace


def trace(
    listing: ProgramListing,
    call: Callable[[Observer], Any],
    *,
    keep: int,
    histograms: bool = False,
    raises: bool = True,
) -> RunTrace:
    """The trace of one call; see `Program.trace`."""
    if keep < 0:
        raise ArgumentError(f"keep must be a number of bytes, got {keep}")
    collector = Collector(listing, keep, histograms=bool(histograms))
    results, failure = None, None
    began = time.perf_counter()
    try:
        results = call(collector)
    except ArgumentError:
        raise
    except HlokitError as error:
        if raises:
            raise
        failure = error
    return RunTrace(listing, collector, results, time.perf_counter() - began, failure)
