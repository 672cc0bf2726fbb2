"""`invariance`: the bytes of the rows of a batch while the other rows change."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from hlokit.display.shown import Shown
from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, for_callers
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.loading import as_program
from hlokit.programs.program import Program
from hlokit.tools.backends.names import named_side
from hlokit.tools.backends.side import Side
from hlokit.tools.equal.sides import WholeProgram, side_of
from hlokit.tools.invariance.coupling import coupled_results, scaled
from hlokit.tools.invariance.forms import FormCompared, compared_form, split_over
from hlokit.tools.invariance.naming import changed_on_hlokit, first_operation
from hlokit.tools.invariance.sizes import Batch, Trial
from hlokit.values.types import TensorType

Array = Any


@dataclass(frozen=True, slots=True, repr=False)
class RowsOfResult(Shown):
    """The rows of one result.

    Attributes:
      changed: the names of the trials in which a row has other bytes.
      largest: the largest difference of an element in these trials.
      is_coupled: whether a row depends on other rows or on its place, whatever the order of sums.
      is_rounded: whether not the order of sums changes rows, but the rounding of values that depend on other
        rows, such as quotients by a common scale.
    """

    name: str
    changed: tuple[str, ...]
    largest: float
    is_coupled: bool
    is_rounded: bool = False

    def __str__(self) -> str:
        if self.is_coupled:
            return f"{self.name}: depends on the other rows or on its place"
        if not self.changed:
            return f"{self.name}: keeps its bytes"
        trials = ", ".join(self.changed)
        cause = "rounding of values that depend on the other rows" if self.is_rounded else "the order of sums"
        return f"{self.name}: changes by up to {self.largest:.3g} by {cause}, when {trials}"


@dataclass(frozen=True, slots=True, repr=False)
class Invariance(Shown):
    """What becomes of the rows of a batch.

    Attributes:
      side: what ran the program.
      results: the results that have rows.
      operation: the first operation that does not keep the bytes of rows, although it need not change them;
        "" if there is none, or if no operation alone does it.
      forms: other forms of the program.
    """

    side: str
    results: tuple[RowsOfResult, ...]
    operation: str = ""
    forms: tuple[FormCompared, ...] = ()

    @property
    def are_rows_kept(self) -> bool:
        return not any(result.changed or result.is_coupled for result in self.results)

    @property
    def is_kept(self) -> bool:
        """Whether rows keep their bytes, and all forms have the same bytes."""
        return self.are_rows_kept and all(form.is_kept for form in self.forms)

    def __str__(self) -> str:
        head = "rows keep their bytes" if self.are_rows_kept else "rows change with other rows"
        lines = [f"{head} on {self.side}", *[f"  {result}" for result in self.results]]
        if self.operation:
            lines.append(f"  first at {self.operation}")
        return "\n".join([*lines, *map(str, self.forms)])

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, for JSON."""
        return {
            "side": self.side,
            "kept": self.is_kept,
            "operation": self.operation,
            "forms": [form.as_dict() for form in self.forms],
            "results": [
                {
                    "name": result.name,
                    "coupled": result.is_coupled,
                    "rounded": result.is_rounded,
                    "changed": list(result.changed),
                    "largest": result.largest,
                }
                for result in self.results
            ],
        }


@for_callers
def invariance(
    program: Any,
    *arguments: Any,
    against: str | Side = "hlokit",
    axis: int = 0,
    function: str | None = None,
    forms: Sequence[Any] | Mapping[str, Any] = (),
    devices: Sequence[int] = (),
    **keywords: Any,
) -> Invariance:
    """Whether rows of results keep their bytes when the other rows of a batch change (docs/invariance.md).

        hlokit.invariance(program, x, w, against="xla")

    Args:
      program: a `Program`, or what `hlokit.load` takes.
      arguments, keywords: as in `Program.__call__`. Those with as many rows along
        the axis as the first array are batches.
      against: the side that runs the program: hlokit, xla, iree, ...
      axis: of the rows, in arguments and results.
      forms: other forms of the program, perhaps by names: sharded programs, files or programs such as that
        for training, with the same arguments and the same first results. The side runs them, but hlokit
        those for several devices, and their bytes are compared.
      devices: numbers of devices over which rows are split, as further forms.

    Raises:
      ArgumentError: the arguments or forms do not fit, or the first one or all results have no rows.
      SideFailed: the side does not run the program.
    """
    subject = as_program(program, arguments, keywords)
    batch = _batch(subject, *subject.bound(arguments, keywords, function), axis)
    side = named_side(against) if isinstance(against, str) else against
    if side is None:
        raise ArgumentError(f"a side must be hlokit, xla, iree, ..., got '{against}'")
    named = dict(forms) if isinstance(forms, Mapping) else {_name_of(form): form for form in forms}
    try:
        report = _report(side, batch, _trials(batch.count, axis), _smaller(batch))
        sides = {name: side_of(form, None, arguments, keywords) for name, form in named.items()}
        sides |= {f"split over {count} devices": split_over(batch, count) for count in devices}
        whole = WholeProgram(subject, batch.function)
        compared = [compared_form(name, whole, form, batch.values, side) for name, form in sides.items()]
    finally:
        if side is not against:
            side.close()
    return replace(report, forms=tuple(compared))


def _name_of(form: Any) -> str:
    return os.fspath(form) if isinstance(form, str | os.PathLike) else str(form)  # pyright: ignore[reportUnknownArgumentType] # a path


def _report(side: Side, batch: Batch, trials: Sequence[Trial], smaller: Sequence[Trial]) -> Invariance:
    expected, *outputs = _results(side, batch, trials, smaller)
    rowed = batch.rowed(expected)
    if not rowed:
        raise ArgumentError(
            f"a result must have {batch.count} rows along axis {batch.axis}, as the first array has, got none"
        )
    every = {trial.name: trial for trial in (*trials, *smaller)}
    changed: _Changed = {}
    for trial, output in zip(every.values(), outputs, strict=True):
        changed.update(_compared(batch, trial, expected, output))
    names = {name for name, _ in changed}
    coupled = coupled_results(batch, [trial for name, trial in every.items() if name in names])
    results = [RowsOfResult(f"result {n}", *_summary(changed, n), is_coupled=coupled[n]) for n in rowed]
    uncoupled = {
        n: every[result.changed[0]]
        for n, result in zip(rowed, results, strict=True)
        if result.changed and not result.is_coupled
    }
    if not uncoupled:
        return Invariance(side.name, tuple(results))
    # hlokit adds in one order for all batches.
    rounded = {n for n, trial in uncoupled.items() if n in changed_on_hlokit(batch, trial)}
    results = [replace(result, is_rounded=n in rounded) for n, result in zip(rowed, results, strict=True)]
    by_order = [trial for n, trial in uncoupled.items() if n not in rounded]
    trial = (by_order or list(uncoupled.values()))[0]
    return Invariance(side.name, tuple(results), first_operation(side if by_order else None, batch, trial))


def _batch(program: Program, signature: Signature, values: Sequence[Value], axis: int) -> Batch:
    shapes = [
        np.shape(value) if isinstance(type_, TensorType) else ()
        for value, type_ in zip(values, signature.inputs, strict=True)
    ]
    first = shapes[0] if shapes else ()
    if axis < 0 or len(first) <= axis or first[axis] < 2:
        raise ArgumentError(f"the first argument must have at least 2 rows along axis {axis}, got {first}")
    batched = [n for n, shape in enumerate(shapes) if len(shape) > axis and shape[axis] == first[axis]]
    return Batch(program, signature.name, tuple(values), tuple(batched), axis)


# For each trial and result, the largest difference of rows with other bytes.
_Changed = dict[tuple[str, int], float]


def _summary(changed: _Changed, result: int) -> tuple[tuple[str, ...], float]:
    own = {trial: distance for (trial, number), distance in changed.items() if number == result}
    return tuple(own), max(own.values(), default=0.0)


def _results(
    side: Side, batch: Batch, trials: Sequence[Trial], smaller: Sequence[Trial]
) -> list[list[Array]]:
    """The results for the batch, for trials of its size, and for smaller batches."""
    inputs = [batch.values, *[batch.with_rows(trial.change) for trial in trials]]
    module = batch.module_of(batch.values)
    results = side.run_each(module, [batch.flat(values) for values in inputs], batch.function)
    for trial in smaller:
        part = batch.with_rows(trial.change)
        results.append(side.run(batch.module_of(part), batch.flat(part), batch.function))
    return results


def _compared(batch: Batch, trial: Trial, expected: Sequence[Array], output: Sequence[Array]) -> _Changed:
    return {
        (trial.name, number): _distance(wanted, got)
        for number, (wanted, got) in batch.kept_rows(trial, expected, output).items()
        if wanted.tobytes() != got.tobytes()
    }


def _trials(count: int, axis: int) -> list[Trial]:
    """Trials of the size of the batch."""
    rest = (slice(None),) * axis + (slice(1, None),)

    def zeroed(array: Array) -> Array:
        changed = np.array(array)
        changed[rest] = 0
        return changed

    def larger(array: Array) -> Array:
        changed = np.array(array)
        changed[rest] = scaled(array)[rest]
        return changed

    def repeated(array: Array) -> Array:
        return np.repeat(np.take(array, [0], axis), count, axis)

    def reversed_(array: Array) -> Array:
        return np.flip(array, axis)

    first, all_ = slice(0, 1), slice(None)
    return [
        Trial("run again", np.array, all_),
        Trial("permuted", reversed_, all_),
        Trial("padded with zeros", zeroed, first),
        Trial("other rows are the same", repeated, first),
        Trial("other rows are larger", larger, first),
    ]


def _smaller(batch: Batch) -> list[Trial]:
    return [
        Trial(f"of {size} rows", partial(np.take, indices=range(size), axis=batch.axis), slice(None))
        for size in batch.sizes()
    ]


def _distance(one: Array, two: Array) -> float:
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        return float(np.nanmax(np.abs(one.astype(wide) - two.astype(wide)), initial=0.0))
