"""Snapshots: the program after each stage of a compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hlokit.tools.backends.side import Array, SideFailed

CONVERSION = "conversion"
OPTIMIZED = "optimized"
CODE_GENERATION = "code generation"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The program after a stage.

    Attributes:
      stage: the stage: a pass, or `conversion`.
      pipeline: the pipeline that the pass belongs to; "" if there is none.
      source: where the snapshot comes from: the name of a file, or a line of a text.
      read: returns the snapshot, as `hlokit.load` takes it.
    """

    stage: str
    pipeline: str
    source: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Compilation:
    """What a compiler did with a program.

    Attributes:
      compiler: the name of the compiler.
      snapshots: the program after each stage, in order.
      results: what the compiled program returns; None if it was not run.
      failure: why there are no results; None if the compiler was not asked for any.
    """

    compiler: str
    snapshots: Sequence[Snapshot]
    results: Sequence[Array] | None = None
    failure: SideFailed | None = None
