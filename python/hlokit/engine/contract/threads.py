"""The number of threads of a kernel, and the number of processors of a command, determined only here.

By default a kernel uses one thread for each processor on which this process may run; `HLOKIT_THREADS=n` sets
another number. No result depends on this number.
"""

from __future__ import annotations

import os
from functools import cache

from hlokit.errors import ArgumentError

VARIABLE = "HLOKIT_THREADS"
_MOST = 9999


def processor_count() -> int:
    """The number of processors on which this process may run."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@cache
def thread_count() -> int:
    """The number of threads among which kernels divide large arrays; constant during the process.

    Raises:
      ArgumentError: HLOKIT_THREADS is not an integer from 1 to 9999.
    """
    value = os.environ.get(VARIABLE)
    if value is None:
        return processor_count()
    is_short = len(value) <= len(str(_MOST))  # Python converts no text of thousands of digits
    if not (is_short and value.isascii() and value.isdecimal() and int(value) > 0):
        raise ArgumentError(f"{VARIABLE} must be an integer from 1 to {_MOST}, got '{value:.40}'")
    return int(value)
