"""Divergences from another program or a recorded run: the operation at fault, with its values there.

Another program or a recorded run has no values of smaller programs, so there is no search. The result is a
program of the operation at fault on its operands in that run, which compares its results with those of the
run. An elementwise operation keeps the elements around the one with the largest error.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.backends.names import named_side
from hlokit.contract.registry import Value
from hlokit.contract.traits import has
from hlokit.differences.bounds import Evaluated, allowance
from hlokit.differences.findings import Finding
from hlokit.differences.following import Follower, follow
from hlokit.differences.run import diff, resolve
from hlokit.differences.values import Following
from hlokit.differences.verdicts import DIFFERING, Allowance, Comparison, compare
from hlokit.errors import ArgumentError
from hlokit.excerpts.self_checking import checked_operation, types_of
from hlokit.interpreter.planner import operation_of
from hlokit.loading import load
from hlokit.mlir.constants import read_elements
from hlokit.mlir.types import value_type
from hlokit.plan.plan import Plan, Step
from hlokit.program import Program
from hlokit.recording.places import Operations, Place, Tracker
from hlokit.recording.recording import Recording
from hlokit.reduction.predicates import Outcome
from hlokit.values.types import TensorType

# So many elements of an operation on elements stay.
_KEPT = 8
_CONSTANT = "stablehlo.constant"


class AtFault(NamedTuple):
    """A program of one operation that compares its results with others, and how these differ."""

    program: Program
    outcome: Outcome
    largest: int


def other_run(side: str) -> Program | Recording | None:
    """The program or recorded run of a path; None for the name of a side.

    Raises:
      ArgumentError: it is neither.
    """
    known = named_side(side)
    if known is not None:
        known.close()
        return None
    found = resolve(side)
    assert isinstance(found, Program | Recording), "there is no other path"
    return found


def operation_at_fault(
    program: Program, values: Sequence[Value], function: str, other: Program | Recording
) -> AtFault:
    """The first operation whose values differ from another program's or run's.

    Raises:
      ArgumentError: there is none, or it cannot stand alone.
    """
    report = diff(program, *values, against=other, mode="auto", function=function)
    first = report.first
    if first is None:
        said = str(report).partition("\n")[0]
        if isinstance(other, Recording):
            if not any(value.offset is not None and not value.lifted for value in other.values):
                raise ArgumentError(f"the recording has no values of operations ({said})")
            raise ArgumentError(f"no operation with a recorded value is at fault: {said}")
        raise ArgumentError(f"no operation is at fault: {said}")
    operations = Operations(program.module, program.filename)
    place = _outside_of_regions(operations, first.place)
    if operations.all[place[-1]].name == _CONSTANT:
        return _constant(program, operations, place, other, first)
    if isinstance(other, Recording):
        mine = _evaluation(program, values, function, place, Following(operations, other))
        theirs = [other.get(place, index) for index in range(len(mine.results))]
    else:
        mine = _evaluation(program, values, function, place)
        theirs = _there(place, other, values, function, first)
    if all(value is None for value in theirs):
        raise ArgumentError(f"the recording has no values of {operations.all[place[-1]].name}")
    operation = operation_of(mine.step)
    evaluated = Evaluated(operation, mine.step.kernel.function, mine.operands, mine.results)
    types = types_of(mine.step, mine.operands, mine.results)
    outputs = types[len(mine.operands) :]
    allowed: list[Allowance] = []
    compared: list[Comparison] = []
    for index, (ours, their, type_) in enumerate(zip(mine.results, theirs, outputs, strict=True)):
        allowed.append(allowance(evaluated, index, type_, in_context=True))
        is_there = their is not None
        compared.append(
            compare(ours, their, type_.element_type, lambda index=index: allowed[index])
            if is_there
            else Comparison("exact")
        )
    wrong = [n for n, found in enumerate(compared) if found.verdict in DIFFERING]
    if not wrong:
        raise ArgumentError(f"{_named(first)} cannot stand alone: on its operands it gives the same there")
    if any(each.verdict == "type" for each in compared):
        raise ArgumentError(f"{_named(first)} gives another type there: hlokit diff tells which")
    found = compared[wrong[0]]
    expected = [ours if their is None else their for ours, their in zip(mine.results, theirs, strict=True)]
    cut = _cut(operation.name, types, found.index)
    text = checked_operation(
        program,
        operation,
        [TensorType(cut(np.empty(type_.dims, np.bool_)).shape, type_.element_type) for type_ in types],
        [cut(array) for array in mine.operands],
        [cut(np.asarray(array)) for array in expected],
        [cut(_spread(each.error, array)) for each, array in zip(allowed, expected, strict=True)],
    )
    index = tuple(map(int, np.argwhere(cut(_marked(np.shape(expected[wrong[0]]), found.index)))[0]))
    return AtFault(load(text), _outcome(found, index), max([np.size(cut(a)) for a in expected], default=0))


def _outcome(found: Comparison, index: tuple[int, ...]) -> Outcome:
    what = found.verdict if not found.note else f"{found.verdict}: {found.note}"
    return Outcome(True, what, found.expected, found.actual, index)


def _named(found: Finding) -> str:
    return f"{found.op} at {found.source or found.location}"


def _outside_of_regions(operations: Operations, place: Place) -> Place:
    """The place of the operation, or of the one around it that applies its region to elements."""
    for depth in range(0, len(place), 2):
        if has(operations.all[place[depth]].name, "applies"):
            return place[: depth + 1]
    return place


class _Evaluation(NamedTuple):
    step: Step
    operands: list[Any]
    results: list[Any]


class _Grab(Tracker):
    """A follower that keeps the evaluation at a place; another one says with which values to go on."""

    def __init__(self, operations: Operations, place: Place, inner: Follower | None) -> None:
        super().__init__(operations)
        self.found: _Evaluation | None = None
        self._place = place
        self._inner = inner

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        super().before(plan, step, operands)
        if self._inner is not None:
            self._inner.before(plan, step, operands)

    def failed(self, plan: Plan, step: Step) -> None:
        super().failed(plan, step)
        if self._inner is not None:
            self._inner.failed(plan, step)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        place, _ = self.leave()
        if place == self._place:
            self.found = _Evaluation(step, list(map(np.array, operands)), list(map(np.array, results)))
        return None if self._inner is None else self._inner.after(plan, step, operands, results)


def _evaluation(
    program: Program, values: Sequence[Value], function: str, place: Place, inner: Follower | None = None
) -> _Evaluation:
    operations = Operations(program.module, program.filename)
    grab = _Grab(operations, place, inner)
    follow(program, values, function, grab)
    arrays = [] if grab.found is None else [*grab.found.operands, *grab.found.results]
    if grab.found is None or any(array.dtype.kind == "O" for array in arrays):
        raise ArgumentError(f"{operations.all[place[-1]].name} cannot stand alone: it takes no tensors")
    return grab.found


def _there(place: Place, other: Program, values: Sequence[Value], function: str, found: Finding) -> list[Any]:
    """The results of the operation in the same place of another program."""
    name = function if function in other.functions else other.signature().name
    there = _counterpart(found)[: len(place)]
    return list(_evaluation(other, values, name, there).results)


def _counterpart(found: Finding) -> Place:
    """The place of the operation that the comparison of the programs found in the other one."""
    if found.there is None:
        raise ArgumentError(
            f"the other program has nothing in the place of {_named(found)}: hlokit diff tells what differs"
        )
    return found.there


def _constant(
    program: Program, operations: Operations, place: Place, other: Program | Recording, found: Finding
) -> AtFault:
    """A constant with another value in the other program."""
    assert isinstance(other, Program), "recordings have no constants"
    mine = operations.all[place[-1]]
    theirs = Operations(other.module, other.filename).all[_counterpart(found)[-1]]
    type_ = value_type(mine.results[0].type)
    assert isinstance(type_, TensorType)
    expected = np.asarray(read_elements(theirs, "value"))
    text = checked_operation(program, mine, [type_], [], [expected], [0.0])
    return AtFault(load(text), _outcome(found.comparison, found.comparison.index), expected.size)


def _spread(error: Any, array: Any) -> Any:
    return np.broadcast_to(np.asarray(error, np.float64), np.shape(array))


def _marked(shape: tuple[int, ...], index: tuple[int, ...]) -> Any:
    marked = np.zeros(shape, np.bool_)
    marked[index] = True
    return marked


def _cut(name: str, types: Sequence[TensorType], index: tuple[int, ...]) -> Callable[[Any], Any]:
    """A function that cuts arrays of an elementwise operation to some elements around an index."""
    shape = types[-1].dims
    size = int(np.prod(shape))
    if not has(name, "elementwise") or any(type_.dims != shape for type_ in types) or size <= _KEPT:
        return np.asarray
    middle = int(np.ravel_multi_index(index, shape))
    start = min(max(0, middle - _KEPT // 2), size - _KEPT)
    return lambda array: np.asarray(array).reshape(-1)[start : start + _KEPT]
