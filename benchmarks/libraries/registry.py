"""The programs to export: each is a function that returns the function to trace, and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

# A function that JAX can trace, and its arguments, which may be pytrees.
Traced = tuple[Callable[..., Any], Sequence[Any]]


@dataclass(frozen=True)
class Export:
    """A program to export.

    Attributes:
      file: its path below `artifacts`, without a suffix.
      library: the main distribution whose code the program runs.
      title: a description of the computation.
      make: returns the function and its arguments.
      tolerance: the allowed difference from XLA's results, relative to the largest element of each result.
    """

    file: str
    library: str
    title: str
    make: Callable[[], Traced]
    tolerance: float


EXPORTS: list[Export] = []


def export(
    file: str, library: str, title: str, tolerance: float = 1e-3
) -> Callable[[Callable[[], Traced]], Callable[[], Traced]]:
    """Register a program to export."""

    def register(make: Callable[[], Traced]) -> Callable[[], Traced]:
        EXPORTS.append(Export(file, library, title, make, tolerance))
        return make

    return register
