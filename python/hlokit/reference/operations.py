"""The table of contents: the function that evaluates each operation, chapter by chapter."""

from __future__ import annotations

from hlokit.reference.dialects import (
    checks,
    chlo_broadcast,
    chlo_functions,
    chlo_structured,
    custom_calls,
    shardings,
)
from hlokit.reference.model.calls import Row, Table
from hlokit.reference.stablehlo import (
    batch_norm,
    collectives,
    contractions,
    control_flow,
    conversions,
    convolution,
    elementwise,
    fft,
    functions,
    gather_scatter,
    linalg,
    quantized,
    random_numbers,
    reductions,
    shapes,
    slicing,
    sorting,
    transfers,
    windows,
)

CHAPTERS: tuple[Table, ...] = (
    control_flow.TABLE,
    elementwise.TABLE,
    functions.TABLE,
    conversions.TABLE,
    shapes.TABLE,
    slicing.TABLE,
    gather_scatter.TABLE,
    reductions.TABLE,
    windows.TABLE,
    sorting.TABLE,
    contractions.TABLE,
    convolution.TABLE,
    batch_norm.TABLE,
    random_numbers.TABLE,
    fft.TABLE,
    linalg.TABLE,
    quantized.TABLE,
    collectives.TABLE,
    transfers.TABLE,
    custom_calls.TABLE,
    chlo_functions.TABLE,
    chlo_broadcast.TABLE,
    chlo_structured.TABLE,
    shardings.TABLE,
    checks.TABLE,
)

_OPERATIONS: dict[str, Row] = {name: row for chapter in CHAPTERS for name, row in chapter.items()}


def find(name: str) -> Row | None:
    """The row of an operation; None if the reference does not evaluate the operation."""
    return _OPERATIONS.get(name)


def operations() -> tuple[str, ...]:
    """The names of all operations that the reference evaluates, sorted."""
    return tuple(sorted(_OPERATIONS))
