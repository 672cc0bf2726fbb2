"""Keeps freed memory in the process, for the next arrays.

By default the C library returns large blocks to the system at once. A new array then consists of pages that
the system must find and clear when they are first touched, which takes several times as long as most
operations. So hlokit tells glibc to keep some memory, and changes no other C library. Settings in the
environment (MALLOC_..., GLIBC_TUNABLES) have precedence.
"""

from __future__ import annotations

import os
from functools import cache

# From malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3

# Bytes of free memory at the end of the heap that are kept; blocks above `_LARGEST` are mapped on their own.
_KEPT = 512 << 20
_LARGEST = 256 << 20

_SETTINGS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")


@cache
def keep_memory() -> None:
    """From now on keep the memory that arrays free, for the rest of the process."""
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
