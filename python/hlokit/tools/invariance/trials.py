"""`invariance`: the bytes of the rows of a batch while the other rows change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.program import Program
from hlokit.tools.backends.names import named_side
from hlokit.tools.backends.side import Side
from hlokit.tools.invariance.coupling import coupled_results
from hlokit.tools.invariance.sizes import Batch
from hlokit.values.types import TensorType

Array = Any
Change = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class RowsOfResult:
    """The rows of one result.

    Attributes:
      changed: the names of the trials in which a row has other bytes.
      largest: the largest difference of an element in these trials.
      is_coupled: whether a row depends on other rows, whatever the order of sums.
    """

    name: str
    changed: tuple[str, ...]
    largest: float
    is_coupled: bool

    def __str__(self) -> str:
        if self.is_coupled:
            return f"{self.name}: depends on the other rows"
        if not self.changed:
            return f"{self.name}: keeps its bytes"
        trials = ", ".join(self.changed)
        return f"{self.name}: changes by up to {self.largest:.3g} by the order of sums, when {trials}"


@dataclass(frozen=True, slots=True)
class Invariance:
    """What becomes of the rows of a batch.

    Attributes:
      side: what ran the program.
      results: the results that have rows.
    """

    side: str
    results: tuple[RowsOfResult, ...]

    @property
    def is_kept(self) -> bool:
        return not any(result.changed or result.is_coupled for result in self.results)

    def __str__(self) -> str:
        head = "rows keep their bytes" if self.is_kept else "rows change with other rows"
        return "\n".join([f"{head} on {self.side}", *[f"  {result}" for result in self.results]])

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, for JSON."""
        return {
            "side": self.side,
            "kept": self.is_kept,
            "results": [
                {
                    "name": result.name,
                    "coupled": result.is_coupled,
                    "changed": list(result.changed),
                    "largest": result.largest,
                }
                for result in self.results
            ],
        }


@for_callers
def invariance(
    program: Program,
    *arguments: Any,
    against: str | Side = "hlokit",
    axis: int = 0,
    function: str | None = None,
) -> Invariance:
    """Whether rows of results keep their bytes when the other rows of a batch change (docs/invariance.md).

        hlokit.invariance(program, x, w, against="xla")

    Args:
      arguments: those of the program. Those with as many rows along the axis as the first one are batches.
      against: the side that runs the program: hlokit, xla, iree, ...
      axis: of the rows, in arguments and results.

    Raises:
      ArgumentError: the arguments do not fit, or the first one has no rows.
      SideFailed: the side does not run the program.
    """
    signature = program.signature(function)
    values = signature.values(arguments)
    first = np.asarray(values[0]) if values else np.zeros(())
    if axis < 0 or first.ndim <= axis or first.shape[axis] < 2:
        raise ArgumentError(
            f"the first argument must have at least 2 rows along axis {axis}, got {first.shape}"
        )
    count = first.shape[axis]
    batched = [n for n, value in enumerate(values) if np.ndim(value) > axis and value.shape[axis] == count]
    rowed = [
        number
        for number, type_ in enumerate(signature.outputs)
        if isinstance(type_, TensorType) and len(type_.dims) > axis and type_.dims[axis] in (count, -1)
    ]
    coupled = coupled_results(program, signature.name, values, batched, axis)
    batch = Batch(program, signature.name, tuple(values), tuple(batched), axis)
    side = named_side(against) if isinstance(against, str) else against
    if side is None:
        raise ArgumentError(f"a side must be hlokit, xla, iree, ..., got '{against}'")
    try:
        changed = _changed(side, batch)
        rows = [
            RowsOfResult(f"result {number}", *_summary(changed, number), is_coupled=coupled[number])
            for number in rowed
        ]
        return Invariance(side.name, tuple(rows))
    finally:
        if side is not against:
            side.close()


# For each trial and result, the largest difference of rows with other bytes.
_Changed = dict[tuple[str, int], float]


def _summary(changed: _Changed, result: int) -> tuple[tuple[str, ...], float]:
    own = {trial: distance for (trial, number), distance in changed.items() if number == result}
    return tuple(own), max(own.values(), default=0.0)


def _changed(side: Side, batch: Batch) -> _Changed:
    """Run all trials."""
    changes = _changes(batch.count, batch.axis)
    inputs = [batch.flat(batch.with_rows(change)) for change, _ in changes.values()]
    module = batch.module_of(batch.values)
    expected, *outputs = side.run_each(module, [batch.flat(batch.values), *inputs], batch.function)
    changed: _Changed = {}
    for (trial, (change, kept)), output in zip(changes.items(), outputs, strict=True):
        wanted = [change(array) if np.ndim(array) > batch.axis else array for array in expected]
        changed.update(_compared(trial, wanted, output, kept, batch.axis))
    for size in batch.sizes():
        part = batch.with_rows(partial(np.take, indices=range(size), axis=batch.axis))
        output = side.run(batch.module_of(part), batch.flat(part), batch.function)
        changed.update(_compared(f"of {size} rows", expected, output, slice(0, size), batch.axis))
    return changed


def _compared(
    trial: str, expected: Sequence[Array], output: Sequence[Array], kept: slice, axis: int
) -> _Changed:
    changed: _Changed = {}
    for number, arrays in enumerate(zip(expected, output, strict=True)):
        if any(np.ndim(array) <= axis for array in arrays):
            continue
        wanted, got = (_rows(array, kept, axis) for array in arrays)
        if wanted.tobytes() != got.tobytes():
            changed[trial, number] = _distance(wanted, got)
    return changed


def _changes(count: int, axis: int) -> dict[str, tuple[Change, slice]]:
    """What a trial does to a batch, and the rows that must keep their bytes."""
    rest = (slice(None),) * axis + (slice(1, None),)

    def zeroed(array: Array) -> Array:
        changed = np.array(array)
        changed[rest] = 0
        return changed

    def repeated(array: Array) -> Array:
        return np.repeat(np.take(array, [0], axis), count, axis)

    def reversed_(array: Array) -> Array:
        return np.flip(array, axis)

    first, all_ = slice(0, 1), slice(None)
    return {
        "run again": (np.array, all_),
        "permuted": (reversed_, all_),
        "padded with zeros": (zeroed, first),
        "other rows are the same": (repeated, first),
    }


def _rows(array: Array, kept: slice, axis: int) -> Array:
    return np.ascontiguousarray(np.asarray(array)[(slice(None),) * axis + (kept,)])


def _distance(one: Array, two: Array) -> float:
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        return float(np.nanmax(np.abs(one.astype(wide) - two.astype(wide)), initial=0.0))
