"""Debian's MPICH, an MPI library that mpi4py's wheels do not find.

The wheels require MPICH as `libmpi.so.12`, the common name of all libraries of its ABI. Debian provides MPICH
as `libmpich.so.12`. `provide` loads a library of the first name that only depends on the second.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import platform
import struct
import sys
import tempfile

_COMMON_NAME, _DEBIANS_NAME = "libmpi.so.12", "libmpich.so.12"
# The numbers of processors in ELF files of 64 bits, little-endian.
_MACHINES = {"x86_64": 62, "aarch64": 183}
_PAGE = 0x10000


def provide() -> None:
    """Make `from mpi4py import MPI` find an MPI library, if Debian's MPICH is the only one."""
    machine = _MACHINES.get(platform.machine())
    if not sys.platform.startswith("linux") or machine is None:
        return
    try:
        importlib.import_module("mpi4py.MPI")
    except ModuleNotFoundError:
        return
    except (ImportError, RuntimeError):
        with contextlib.suppress(OSError):  # there is no such MPICH, or no directory for the file
            ctypes.CDLL(_DEBIANS_NAME)
            _load(alias(_COMMON_NAME, _DEBIANS_NAME, machine))


def _load(library: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(library)
        file.flush()
        ctypes.CDLL(file.name, ctypes.RTLD_GLOBAL)


def alias(name: str, other: str, machine: int) -> bytes:
    """An ELF library called `name` that has no symbols and depends on the library `other`.

    Args:
      machine: the number of the processor.
    """
    strings = b"\0" + name.encode() + b"\0" + other.encode() + b"\0"
    header_size, program_size, symbol_size = 64, 56, 24
    dynamic_at = header_size + 3 * program_size
    entries = 8
    symbols_at = dynamic_at + 16 * entries
    hash_at = symbols_at + symbol_size
    strings_at = hash_at + 16
    end = strings_at + len(strings)
    header = struct.pack(
        "<16sHHIQQQIHHHHHH",
        b"\x7fELF\x02\x01\x01",  # 64 bits, little-endian
        *(3, machine, 1, 0),  # a shared object without an entry point
        *(header_size, 0, 0, header_size, program_size, 3, 64, 0, 0),
    )
    readable_and_writable = 6
    segments = (
        (1, 0, end, _PAGE),  # LOAD: everything
        (2, dynamic_at, 16 * entries, 8),  # DYNAMIC
        (0x6474E551, 0, 0, 16),  # GNU_STACK: not executable
    )
    programs = b"".join(
        struct.pack("<IIQQQQQQ", kind, readable_and_writable, start, start, start, size, size, alignment)
        for kind, start, size, alignment in segments
    )
    dynamic = (
        (1, 2 + len(name)),  # NEEDED
        (14, 1),  # SONAME
        (4, hash_at),
        (5, strings_at),
        (6, symbols_at),
        (10, len(strings)),
        (11, symbol_size),
        (0, 0),
    )
    table = b"".join(struct.pack("<qQ", *entry) for entry in dynamic)
    # One symbol, the undefined symbol, in one bucket, which is empty.
    return header + programs + table + bytes(symbol_size) + struct.pack("<IIII", 1, 1, 0, 0) + strings


def path() -> str:
    """The file of the MPI library that this process has loaded, or "" if the file is unknown."""
    try:
        with open("/proc/self/maps") as maps:
            files = (line.split(maxsplit=5)[-1].strip() for line in maps)
            names = (_COMMON_NAME[:-2], _DEBIANS_NAME[:-2])
            return next((file for file in files if os.path.basename(file).startswith(names)), "")
    except OSError:
        return ""
