"""Values in regions that are applied to elements: bodies of reductions and scatters, comparators of sorts.

The order in which such a region is applied is implementation-defined. An instrumented program therefore
returns the values of one application for each element of the result: the arguments of the last application,
and the values computed from these. A reduction carries these values as further results. A sort cannot;
instead, the instrumented program computes the comparator separately, on neighbours in the result. `Regions`
then evaluates the region on these arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.copies import use_instead
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import RegionValues
from hlokit.programs.program import Program
from hlokit.tools.diff.comparing.bounds import Evaluated
from hlokit.tools.diff.flow.following import Known, following_planner, run_unwatched
from hlokit.tools.diff.instrumented.building import build, can_be_given, constant, zeros
from hlokit.tools.diff.instrumented.extras import APPLIED, FIRST_ARGUMENT, Extra, Held
from hlokit.tools.recording.places import Operations, Place

_CONSTANT = "stablehlo.constant"
# The number of extra values of a scatter. Their inputs are equal, and XLA:CPU crashes if three inputs are
# (docs/findings.md).
_CARRIED_BY_SCATTER = 1


def _is_carried(name: str) -> bool:
    return traits_of(name).region_values is RegionValues.CARRIED


def _body(operation: ir.Operation) -> list[ir.Operation]:
    """The operations of a region, without the terminator."""
    return [view.operation for view in operation.regions[0].blocks[0].operations][:-1]


# Instrumentation for the other side
# --------------------------------------------------------------------------


class Given(NamedTuple):
    """An operation that replaces another one, and the values in its region."""

    operation: ir.Operation
    held: list[Held]


def give_values(operation: ir.Operation, numbers: Sequence[int]) -> Given:
    """Let an operation of `Regions.numbers` return the values in its region.

    Args:
      numbers: numbers of the operations in the region, without the terminator.
    """
    if _is_carried(operation.name):
        return _carried(operation, numbers)
    return Given(operation, _beside(operation, numbers))


def _wanted(operation: ir.Operation, numbers: Sequence[int]) -> list[Held]:
    """The values of a region: its arguments, then the results of its operations."""
    arguments = operation.regions[0].blocks[0].arguments
    held = [Held(Extra((), (), FIRST_ARGUMENT - n), value) for n, value in enumerate(arguments)]
    for number, inner in zip(numbers, _body(operation), strict=True):
        if inner.name != _CONSTANT:
            held += [Held(Extra((number,), (), n), value) for n, value in enumerate(inner.results)]
    return held


def _carried(operation: ir.Operation, numbers: Sequence[int]) -> Given:
    """A reduction with further inputs, and as many further results; or several scatters with a few each."""
    wanted = _wanted(operation, numbers)
    own = len(operation.results)
    room = _CARRIED_BY_SCATTER if operation.name == "stablehlo.scatter" else len(wanted)
    first: ir.Operation | None = None
    carried: list[Held] = []
    for start in range(0, len(wanted), room):
        group = wanted[start : start + room]
        new = _with_results(operation, [held.value for held in group])
        results = list(new.results)[own:]
        if first is None:
            first = new
            carried.append(Held(Extra((), (), APPLIED), results[-1]))
        carried += [Held(held.extra, value) for held, value in zip(group, results, strict=False)]
    assert first is not None, "a region has arguments"
    for result, replacement in zip(list(operation.results), list(first.results)[:own], strict=True):
        result.replace_all_uses_with(replacement)
    operation.erase()
    return Given(first, carried)


def _with_results(operation: ir.Operation, wanted: Sequence[ir.Value]) -> ir.Operation:
    """The operation with further results: values of its region, and marks of the elements to which the region
    was applied."""
    i1 = ir.IntegerType.get_signless(1)
    added = [*map(_element, wanted), i1]
    old = operation.regions[0].blocks[0]
    count = len(old.arguments) // 2
    operands = list(operation.operands)
    middle = operands[count:-count]  # the indices of a scatter
    with ir.InsertionPoint(operation):
        inputs = [zeros(_like(operands[0].type, element)) for element in added]
        others = [zeros(_like(operands[-1].type, element)) for element in added]
        # Marks results that combine at least one element, not only the initial value.
        marked = others if operation.name == "stablehlo.scatter" else inputs
        marked[-1] = constant(np.True_, marked[-1].type)
    with operation.location:
        new = ir.Operation.create(
            operation.name,
            results=[
                *[result.type for result in operation.results],
                *[_like(operation.results[0].type, element) for element in added],
            ],
            operands=[*operands[:count], *inputs, *middle, *operands[-count:], *others],
            attributes=_attributes(operation),
            regions=1,
            ip=ir.InsertionPoint(operation),
        )
    scalars = [ir.RankedTensorType.get([], element) for element in added]
    types = [argument.type for argument in old.arguments]
    block = ir.Block.create_at_start(new.regions[0], [*types[:count], *scalars, *types[count:], *scalars])
    arguments = list(block.arguments)
    mine = [*arguments[:count], *arguments[-count - len(added) : -len(added)]]
    copies: dict[ir.Value, ir.Value] = dict(zip(old.arguments, mine, strict=True))
    with ir.InsertionPoint(block):
        for inner in _body(operation):
            copied = inner.clone()
            use_instead(copied.operation, copies)
            copies.update(zip(inner.results, copied.operation.results, strict=True))
        returned = list(list(old.operations)[-1].operation.operands)
        values = [copies.get(value, value) for value in (*returned, *wanted)]
        marks = [arguments[count + len(added) - 1], arguments[-1]]
        ir.Operation.create("stablehlo.return", operands=[*values, build("stablehlo.or", marks, scalars[-1])])
    return new


def _attributes(operation: ir.Operation) -> dict[str, ir.Attribute]:
    return {name: operation.attributes[name] for name in operation.attributes.keys()}  # noqa: SIM118 # see `attributes_of`


def _beside(operation: ir.Operation, numbers: Sequence[int]) -> list[Held]:
    """A copy of the region of an operation on whole arrays: the operands of a map, or neighbours of a
    sort."""
    block = operation.regions[0].blocks[0]
    with ir.InsertionPoint.after(operation):
        arrays = list(operation.operands)
        if operation.name == "stablehlo.sort":
            arrays = [half for result in operation.results for half in _neighbours(operation, result)]
        like = arrays[0].type
        copies: dict[ir.Value, ir.Value] = dict(zip(block.arguments, arrays, strict=True))

        def wide(value: ir.Value) -> ir.Value:
            if value not in copies:  # captured
                copies[value] = _repeated(value, like)
            return copies[value]

        for inner in _body(operation):
            if inner.name == _CONSTANT:
                copies[inner.results[0]] = _repeated(inner.clone().operation.results[0], like)
                continue
            with inner.location:
                copied = ir.Operation.create(
                    inner.name,
                    results=[_like(like, _element(result)) for result in inner.results],
                    operands=list(map(wide, inner.operands)),
                    attributes=_attributes(inner),
                )
            copies.update(zip(inner.results, copied.results, strict=True))
    return [Held(held.extra, copies[held.value]) for held in _wanted(operation, numbers)]


def _neighbours(sort: ir.Operation, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """All elements but the last of the sorted dimension, and all but the first."""
    shape = list(ir.RankedTensorType(value.type).shape)
    axis = _axis(sort)
    shape[axis] -= 1
    type_ = ir.RankedTensorType.get(shape, _element(value))

    def part(start: int) -> ir.Value:
        starts = [start if n == axis else 0 for n in range(len(shape))]
        ends = [first + size for first, size in zip(starts, shape, strict=True)]
        return build(
            "stablehlo.slice",
            [value],
            type_,
            start_indices=ir.DenseI64ArrayAttr.get(starts),
            limit_indices=ir.DenseI64ArrayAttr.get(ends),
            strides=ir.DenseI64ArrayAttr.get([1] * len(shape)),
        )

    return part(0), part(1)


def _axis(sort: ir.Operation) -> int:
    rank = len(ir.RankedTensorType(sort.operands[0].type).shape)
    axis = Attributes(sort).int_("dimension", -1)
    return axis + rank if axis < 0 else axis


def _element(value: ir.Value) -> ir.Type:
    return ir.RankedTensorType(value.type).element_type


def _like(type_: ir.Type, element: ir.Type) -> ir.Type:
    return ir.RankedTensorType.get(ir.RankedTensorType(type_).shape, element)


def _repeated(scalar: ir.Value, like: ir.Type) -> ir.Value:
    return build(
        "stablehlo.broadcast_in_dim",
        [scalar],
        _like(like, _element(scalar)),
        broadcast_dimensions=ir.DenseI64ArrayAttr.get([]),
    )


# Evaluation by hlokit ---------------------------------------------------------------------------


class InRegion(NamedTuple):
    """An operation of a region, evaluated on the other side's operands, and that side's result."""

    place: Place
    step: Step
    evaluated: Evaluated
    theirs: Any


class Regions:
    """The regions of a program whose values can be returned, and their evaluation.

    Attributes:
      numbers: numbers of the operations with such regions, and of the operations in these regions.
      reason: the reason why no more values are returned.
    """

    def __init__(self, program: Program, operations: Operations, wanted: frozenset[int]) -> None:
        self._planner = following_planner(program, run_unwatched)
        self._operations = operations
        self._plans: dict[int, Plan] = {}
        self.reason = ""
        self.numbers: dict[int, list[int]] = {}
        for number in sorted(wanted):
            block = self._block(operations.all[number])
            if block is not None:
                self._plans[number] = block.vectorized.plan
                inside = _body(operations.all[number])
                self.numbers[number] = list(map(operations.number_within, inside))

    def _block(self, operation: ir.Operation) -> Block | None:
        """The region of an operation as a block for whole arrays; None if its values cannot be returned."""
        name = operation.name
        if not traits_of(name).region_values or not len(operation.operands):
            return None
        if not all(map(can_be_given, (*operation.operands, *operation.results))):
            return None
        inside = [inner for inner in _body(operation) if inner.name != _CONSTANT]
        if name == "stablehlo.sort":
            axis = _axis(operation)
            if ir.RankedTensorType(operation.operands[0].type).shape[axis] < 2:
                return None
        elif len(inside) < 2:
            return None  # the only value is the operation's result
        if any(len(inner.regions) or not all(map(can_be_given, inner.results)) for inner in inside):
            return None
        if not _is_carried(name) and any(traits_of(inner.name).ranked for inner in inside):
            return None
        try:
            block, _ = self._planner.region(operation.regions[0])
            return block if block.is_pointwise else None
        except HlokitError:
            return None

    def evaluate(self, place: Place, operands: Sequence[Value], others: Known) -> Iterator[InRegion]:
        """The results of the operations of a region for the other side's operands.

        Args:
          place: place of the operation with the region.
          operands: operands of that operation, captured values last.
        """
        plan = self._plans.get(place[-1])
        if plan is None:
            return
        operation = self._operations.all[place[-1]]
        count = len(operation.regions[0].blocks[0].arguments)
        arguments = [others.get(place, FIRST_ARGUMENT - n) for n in range(count)]
        if any(value is None for value in arguments):
            return
        applied = others.get(place, APPLIED)

        def chosen(value: Any) -> Any:
            array = np.asarray(value)
            return array if applied is None or np.all(applied) else array[np.asarray(applied)]

        slots: list[Any] = [None] * plan.slot_count
        slots[:count] = map(chosen, arguments)
        shape = np.shape(slots[0])
        captured = operands[len(operation.operands) :]
        slots[count : count + len(captured)] = captured
        for slot, value in plan.constants:
            slots[slot] = value
        if 0 in shape:
            return
        for step in plan.steps:
            read = [slots[slot] for slot in step.operands]
            try:
                with np.errstate(all="ignore"):
                    result = np.broadcast_to(step.kernel.function(*read), shape)
            except EvaluationError:
                return
            inner = operation_of(step)
            here = (*place, 0, self._operations.number_within(inner))
            theirs = others.get(here, 0)
            slots[step.results[0]] = result
            if theirs is not None:
                slots[step.results[0]] = chosen(theirs)
                evaluated = Evaluated(inner, step.kernel.function, read, (result,))
                yield InRegion(here, step, evaluated, slots[step.results[0]])

    def weight(self, number: int) -> int:
        """The number of values, each of the size of a result, that an operation returns."""
        inside = self.numbers.get(number)
        if inside is None:
            return 1
        arguments = len(self._operations.all[number].regions[0].blocks[0].arguments)
        return 1 + arguments + len(inside)

    def close(self, reason: str = "") -> None:
        """Stop returning values, for this reason."""
        self.reason = reason
        self.numbers.clear()
        self._plans.clear()
        self._planner.forget()
