"""Whether other forms of a program have the same bytes: split over devices, or as compiled for training.

A form runs on floats and on exact numbers. An exact number that both forms compute should have one float: the
first operation of a form whose numbers the program has with other floats, adds or rounds in another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.display.shown import Shown
from hlokit.errors import ArgumentError
from hlokit.tools.backends.side import Side as Runner
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.rules import field
from hlokit.tools.equal.rules.meanings import NO_ASSUMPTIONS
from hlokit.tools.equal.rules.numbers import exact_type, is_exact_array, number_of
from hlokit.tools.equal.runs import exact_arguments
from hlokit.tools.equal.sides import Pairing, Side, WholeProgram
from hlokit.tools.equal.verdict import Verdict
from hlokit.tools.invariance.evaluations import Evaluation, Evaluations, shown
from hlokit.tools.invariance.sizes import Batch
from hlokit.tools.shard.sharded import shard
from hlokit.values.bits import are_same


@dataclass(frozen=True, slots=True, repr=False)
class FormCompared(Shown):
    """Another form of a program.

    Attributes:
      name: of the form.
      changed: the results that have other bytes.
      largest: the largest difference of an element of these.
      verdict: whether the form means the same in exact arithmetic.
      operation: the first operation that changes bytes although its exact numbers are the program's; "" if
        no operation does, or if the form means something else.
    """

    name: str
    changed: tuple[str, ...]
    largest: float
    verdict: Verdict
    operation: str = ""

    @property
    def is_kept(self) -> bool:
        return not self.changed

    def __str__(self) -> str:
        if self.is_kept:
            return f"as {self.name}: the same bytes"
        head = f"as {self.name}: {', '.join(self.changed)}"
        if not self.verdict.is_equal:
            why = "means something else" if self.verdict.status == "differs" else "inconclusive"
            return "\n  ".join([f"{head}: {why}", *str(self.verdict).split("\n")])
        text = f"{head}: equal, exactly, but other bytes, by up to {self.largest:.3g}"
        return f"{text}\n  first at {self.operation}" if self.operation else text

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, for JSON."""
        return {
            "name": self.name,
            "kept": self.is_kept,
            "changed": list(self.changed),
            "largest": self.largest,
            "meaning": self.verdict.status,
            "operation": self.operation,
        }


def split_over(batch: Batch, count: int) -> Side:
    """The program with the rows of its arguments split over devices.

    Raises:
      ArgumentError: the devices do not divide the rows.
      PartitionerFailed: Shardy does not partition the program.
    """
    spec = f"P({'None, ' * batch.axis}'rows')"
    return shard(batch.program, {"rows": count}, dict.fromkeys(batch.batched, spec)).exact_side()


def compared_form(
    name: str, side: WholeProgram, form: Side, values: Sequence[Any], runner: Runner
) -> FormCompared:
    """A form compared with a program, on the same arguments; further results of the form are left out.

    Args:
      runner: what runs both. hlokit runs both if the form is for several devices.

    Raises:
      ArgumentError: the form has other arguments, or fewer results.
      EvaluationError, UnsupportedError, SideFailed: one of both does not run.
    """
    count, other_count = len(side.types[0]), len(form.types[0])
    results, other_results = len(side.types[1]), len(form.types[1])
    if count != other_count or results > other_results:
        raise ArgumentError(
            f"{name} must have {count} arguments and at least {results} results, as the program has, "
            f"got {other_count} and {other_results}"
        )
    if runner.name != "hlokit" and not isinstance(form, WholeProgram):
        name = f"{name}, on hlokit"
    pairs = list(zip(*[_floats(one, values, runner, form) for one in (side, form)], strict=False))
    changed = [n for n, (one, two) in enumerate(pairs) if not are_same(np.asarray(one), np.asarray(two))]
    largest = max([_distance(*pairs[n]) for n in changed], default=0.0)
    pairing = Pairing(tuple(range(count)), tuple(range(results)))
    verdict = decide(Question(side, form, pairing, values, runs=1))
    operation = _first_operation(side, form, values) if changed and verdict.is_equal else ""
    return FormCompared(name, tuple([f"result {n}" for n in changed]), largest, verdict, operation)


def _floats(side: Side, values: Sequence[Any], runner: Runner, form: Side) -> Sequence[Any]:
    """The results of a program or of its form."""
    if runner.name == "hlokit" or not isinstance(side, WholeProgram) or not isinstance(form, WholeProgram):
        return side.floats(values)
    batch = Batch(side.program, side.function, tuple(values), (), 0)
    return runner.run(batch.module_of(values), batch.flat(values), side.function)


def _distance(one: Any, two: Any) -> float:
    here, there = (np.asarray(value) for value in (one, two))
    if here.shape != there.shape:
        return float("inf")
    wide = np.complex128 if here.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        return float(np.nanmax(np.abs(here.astype(wide) - there.astype(wide)), initial=0.0))


# The first operation ---------------------------------------------------------------------------------


def _first_operation(side: Side, form: Side, values: Sequence[Any]) -> str:
    marks = [_marks(*pair) for pair in _pairs(side, values)]
    numbers, floats = (np.unique(np.concatenate(part)) for part in zip(*marks, strict=True))
    for exact, own in _pairs(form, values):
        its_numbers, its_floats = _marks(exact, own)
        is_known = np.isin(its_numbers, numbers)
        if (is_known & ~np.isin(its_floats, floats)).any():
            return shown(own.step)
    return ""


def _pairs(side: Side, values: Sequence[Any]) -> list[tuple[Evaluation, Evaluation]]:
    """Each operation of a side on exact numbers and on floats, in an order in which operands come first."""
    on_floats, on_numbers = Evaluations(), Evaluations()
    side.floats(values, on_floats)
    types = [exact_type(type_) for type_ in side.types[0]]
    with np.errstate(all="ignore"):
        side.planned(NO_ASSUMPTIONS, (on_numbers,))(exact_arguments(values, types, 0))
    return list(zip(on_numbers.in_order(), on_floats.in_order(), strict=True))


def _marks(exact: Evaluation, own: Evaluation) -> tuple[Any, Any]:
    """Hashes of the exact numbers of results with their type, and of their floats, too."""
    marks: list[list[Any]] = [[np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]]
    for number, value in zip(exact.results, own.results, strict=True):
        if not is_exact_array(number) or np.shape(number) != np.shape(value):
            continue
        floats = np.ascontiguousarray(value).reshape(-1)
        wide = floats.astype(np.complex128 if floats.dtype.kind == "c" else np.float64).view(np.float64)
        parts = [part.reshape(-1) for part in number_of(number).parts]
        for part, bits in zip(parts, wide.view(np.uint64).reshape(-1, len(parts)).T, strict=True):
            mark = field.hashed(field.salt_of(str(floats.dtype)), np.ascontiguousarray(part))
            marks[0].append(mark)
            marks[1].append(field.hashed(1, mark, np.ascontiguousarray(bits)))
    return np.concatenate(marks[0]), np.concatenate(marks[1])
