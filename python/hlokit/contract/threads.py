"""How many threads a kernel may use, and processors a command. The only place that decides it.

By default there is one thread for each processor that this process may run on; `HLOKIT_THREADS=n` sets
another number. No result depends on it.
"""

from __future__ import annotations

import os
from functools import cache

from hlokit.errors import ArgumentError

VARIABLE = "HLOKIT_THREADS"


def processor_count() -> int:
    """The number of processors that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@cache
def thread_count() -> int:
    """The number of threads among which kernels divide large arrays; the same during the whole process.

    Raises:
      ArgumentError: HLOKIT_THREADS is not a positive integer.
    """
    value = os.environ.get(VARIABLE)
    if value is None:
        return processor_count()
    if not (value.isascii() and value.isdecimal() and int(value) > 0):
        raise ArgumentError(f"{VARIABLE} must be a positive integer, got '{value}'")
    return int(value)
