"""Keeps freed memory in the process, for the next arrays.

By default the C library returns large blocks to the system immediately. A new array then consists of pages
that the system must find and clear at the first access, which takes several times as long as most operations.
Therefore hlokit tells glibc to keep some memory; it changes no other C library. Settings in the environment
(MALLOC_..., GLIBC_TUNABLES) take precedence.
"""

from __future__ import annotations

import os
from functools import cache

# From malloc.h.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3

# The number of bytes of free memory to keep at the end of the heap; larger blocks than `_LARGEST` are mapped
# separately.
_KEPT = 512 << 20
_LARGEST = 256 << 20

_SETTINGS = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES")


@cache
def keep_memory() -> None:
    """From now on, keep the memory that arrays free in the process."""
    if any(name in os.environ for name in _SETTINGS):
        return
    try:
        import ctypes

        library = ctypes.CDLL(None)
        _ = library.gnu_get_libc_version  # only glibc has this function; the numbers are glibc's
        mallopt = library.mallopt
    except (ImportError, OSError, AttributeError, TypeError):
        return
    mallopt(_M_TRIM_THRESHOLD, _KEPT)
    mallopt(_M_MMAP_THRESHOLD, _LARGEST)
