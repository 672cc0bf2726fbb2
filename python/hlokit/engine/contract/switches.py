"""Switches of fast paths: HLOKIT_DISABLE=name,name disables some of them, HLOKIT_DISABLE=all disables all.

Each fast path has a plain counterpart with the same results. hlokit reads a switch when it binds an
operation, so a run spends no time on switches, and a program keeps the switches with which it was planned.

HLOKIT_CPU=baseline, avx2, avx512 or amx lowers the level of vector instructions that compiled kernels use;
the extension reads the variable once (lib/support/cpu.h). All levels give the same bits.
"""

from __future__ import annotations

import os
from functools import cache

from hlokit.errors import ArgumentError

VARIABLE = "HLOKIT_DISABLE"
CPU_VARIABLE = "HLOKIT_CPU"
CPU_LEVELS = ("baseline", "avx2", "avx512", "amx")

# Name -> the evaluation without the fast path.
SWITCHES = {
    "artifact-reader": "a child process reads every artifact first, even if the native reader validates it",
    "fusion": "operations on large arrays run one after the other, not fused; padded arrays are added, "
    "index vectors concatenated",
    "generated-code": "blocks are interpreted step by step, not compiled to Python when they run again",
    "in-place": "loops copy an array in every iteration that updates a part of it",
    "native": "NumPy computes wherever it gives the same bits: no native loops, straight-line code or fusion",
    "native-loops": "`while` calls its regions in every iteration, and is not compiled to a native program",
    "straight-line": "each operation on small tensors is a call of its kernel; there is no native program",
}


def is_on(name: str) -> bool:
    """Whether a fast path is enabled.

    Raises:
      ArgumentError: HLOKIT_DISABLE names an unknown switch.
    """
    return name not in _disabled(os.environ.get(VARIABLE, ""))


def check() -> None:
    """Check the values of both variables.

    Raises:
      ArgumentError: HLOKIT_DISABLE names an unknown switch, or HLOKIT_CPU an unknown level.
    """
    _disabled(os.environ.get(VARIABLE, ""))
    if (level := os.environ.get(CPU_VARIABLE, "")) not in ("", *CPU_LEVELS):
        raise ArgumentError(
            f"{CPU_VARIABLE} must be {', '.join(CPU_LEVELS[:-1])} or {CPU_LEVELS[-1]}, got '{level}'"
        )


@cache
def _disabled(value: str) -> frozenset[str]:
    names = frozenset(name.strip() for name in value.split(",") if name.strip())
    if "all" in names:
        names |= frozenset(SWITCHES)
    for name in sorted(names - {"all"} - frozenset(SWITCHES)):
        raise ArgumentError(
            f"{VARIABLE} names no fast path '{name}'; there are {', '.join(SWITCHES)}, and all"
        )
    return names
