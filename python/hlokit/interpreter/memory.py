"""Memory that arrays have freed stays with the process, for the next arrays.

By default the C library gives large blocks back to the system at once. Each array then begins as pages that
the system must find and clear when they are first touched, which takes several times as long as most
operations do. So the library (glibc; others are left alone) is told to keep some memory. Settings that the
environment makes (MALLOC_..., GLIBC_TUNABLES) have precedence.
"""

from __future__ import annotations

import os
from functools import cache

from hlokit.interpreter.switches import is_on

# From malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3

# Free memory at the end of the heap that is kept, and the size of blocks that have none of it.
_KEPT = 512 << 20
_LARGEST = 256 << 20

_SETTINGS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")


def keep_memory() -> None:
    """Keep what arrays free from now on, if that is switched on. Holds for the process."""
    if is_on("kept-memory"):
        _keep()


@cache
def _keep() -> None:
    if any(name in os.environ for name in _SETTINGS):
        return
    try:
        import ctypes

        library = ctypes.CDLL(None)
        _ = library.gnu_get_libc_version  # the numbers are glibc's
        mallopt = library.mallopt
    except (ImportError, OSError, AttributeError, TypeError):
        return
    mallopt(_M_TRIM_THRESHOLD, _KEPT)
    mallopt(_M_MMAP_THRESHOLD, _LARGEST)
