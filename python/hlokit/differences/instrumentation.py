"""A program that also gives its intermediate values: what any side can run, to tell what it computes inside.

Functions give the values in them as results to each of their callers, branches to what has them (zeros from
those that are not taken), and a loop writes those of each turn into arrays that it carries, a row a turn.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportCallIssue=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false
# (the bindings are partly untyped)

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.contract.traits import has
from hlokit.mlir.bindings import ir
from hlokit.mlir.module import attributes_of, functions, walk
from hlokit.mlir.types import value_type
from hlokit.recording.places import CONTROL_FLOW, Place
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Rows of turns that a loop keeps; the last one has the last turn if there are more.
MOST_TURNS = 64
# In place of the number of a result: how many turns the loop took.
TURNS = -1


@dataclass(frozen=True, slots=True)
class Extra:
    """A value that an instrumented program gives.

    Attributes:
      path: numbers of the operations around, from the outermost on, and of its own.
      rows: of each loop around: its place in `path`, and how many rows there are.
      result: which result of the operation, or `TURNS`.
    """

    path: tuple[int, ...]
    rows: tuple[tuple[int, int], ...]
    result: int


@dataclass(frozen=True, slots=True)
class _Held:
    """An extra value, and the value of the program that holds it."""

    extra: Extra
    value: ir.Value


@dataclass(frozen=True, slots=True)
class Instrumented:
    """An instrumented module, as bytecode, and what its results after the program's own are."""

    module: bytes
    extras: tuple[Extra, ...]


class Values:
    """The values that a side gave for an instrumented program."""

    def __init__(self, extras: Sequence[Extra], arrays: Sequence[Any]) -> None:
        self._found = {
            (extra.path, extra.result): (extra, array) for extra, array in zip(extras, arrays, strict=True)
        }

    def get(self, place: Place, result: int) -> Any | None:
        """The value of a result at a place; None if it is not known."""
        found = self._found.get((place[::2], result))
        if found is None:
            return None
        extra, array = found
        turns, index = place[1::2], []
        for depth, rows in extra.rows:
            if turns[depth] >= rows:
                return None
            index.append(turns[depth])
        return array[tuple(index)] if index else array


def instrument(
    module: ir.Module, function: str, watched: frozenset[int], turns: Mapping[int, int]
) -> Instrumented:
    """A module whose function also gives the results of the watched operations.

    Args:
      module: stays as it is.
      watched: numbers of operations, in the order of a walk.
      turns: how many turns each loop takes at most, by its number.
    """
    clone: Any = module.operation.clone(ip=False)
    with module.context, ir.Location.unknown():
        _number_all(clone)
        extras = _Work(clone, watched, turns).function(functions(clone)[function])
        walk(clone.operation, _unnumber)
    buffer = io.BytesIO()
    clone.operation.write_bytecode(buffer)
    return Instrumented(buffer.getvalue(), tuple([held.extra for held in extras]))


# Stands on the operations of the clone meanwhile: they come and go, so that nothing else tells them apart.
_NUMBER = "hlokit.number"


def _number_all(module: Any) -> None:
    operations: list[ir.Operation] = []
    walk(module.operation, operations.append)
    i64 = ir.IntegerType.get_signless(64)
    for number, operation in enumerate(operations):
        operation.attributes[_NUMBER] = ir.IntegerAttr.get(i64, number)


def _number(operation: ir.Operation) -> int:
    attributes = operation.attributes
    return attributes[_NUMBER].value if _NUMBER in attributes else -1


def _unnumber(operation: ir.Operation) -> None:
    if _NUMBER in operation.attributes:
        del operation.attributes[_NUMBER]


class _Work:
    def __init__(self, module: ir.Module, watched: frozenset[int], turns: Mapping[int, int]) -> None:
        self._functions = functions(module)
        self._fixed = _used_elsewhere(module)
        self._done: dict[str, list[_Held]] = {}
        self._watched = watched
        self._turns = turns

    def function(self, function: ir.Operation) -> list[_Held]:
        """Let a function give what is watched in it; the values of what it gives are those in it."""
        name = function.attributes["sym_name"].value
        if name in self._done:
            return self._done[name]
        block = function.regions[0].blocks[0]
        extras = self._block(block)
        self._extend(block, [held.value for held in extras])
        type_ = ir.FunctionType(function.attributes["function_type"].value)
        results = [*type_.results, *[held.value.type for held in extras]]
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(type_.inputs, results))
        if "res_attrs" in function.attributes:
            del function.attributes["res_attrs"]
        self._done[name] = extras
        return extras

    def _extend(self, block: ir.Block, values: Sequence[ir.Value]) -> None:
        """Let the terminator of a block give more values."""
        if not values:
            return
        terminator = list(block.operations)[-1].operation
        with terminator.location:
            ir.Operation.create(
                terminator.name,
                operands=[*terminator.operands, *values],
                ip=ir.InsertionPoint(terminator),
            )
        terminator.erase()

    def _block(self, block: ir.Block) -> list[_Held]:
        extras: list[_Held] = []
        for view in list(block.operations):
            operation = view.operation
            number = _number(operation)
            match operation.name:
                case "func.call":
                    extras += self._call(operation, number)
                case "stablehlo.if" | "stablehlo.case":
                    extras += self._branches(operation, number)
                case "stablehlo.while":
                    extras += self._loop(operation, number)
                case name if number in self._watched and not has(name, "terminator"):
                    for index, result in enumerate(operation.results):
                        if _is_given(result):
                            extras.append(_Held(Extra((number,), (), index), result))
                case _:
                    pass
        return extras

    def _call(self, call: ir.Operation, number: int) -> list[_Held]:
        name = call.attributes["callee"].value
        callee = None if name in self._fixed else self._functions.get(name)
        inner = [] if callee is None else self.function(callee)
        return self._replaced(call, number, inner, call.operands, call.regions, False)

    def _branches(self, branching: ir.Operation, number: int) -> list[_Held]:
        each = [self._block(region.blocks[0]) for region in branching.regions]
        inner = [held for extras in each for held in extras]
        if not inner:
            return []
        for region, own in zip(branching.regions, each, strict=True):
            block = region.blocks[0]
            mine = {id(held) for held in own}
            terminator = list(block.operations)[-1].operation
            with ir.InsertionPoint(terminator):
                values = [held.value if id(held) in mine else _zeros(held.value.type) for held in inner]
            self._extend(block, values)
        return self._replaced(branching, number, inner, branching.operands, branching.regions, True)

    def _loop(self, loop: ir.Operation, number: int) -> list[_Held]:
        turns = self._turns.get(number, 0)
        if not turns:
            return []
        body = loop.regions[1].blocks[0]
        self._repeat_condition(loop.regions[0].blocks[0], body)
        inner = self._block(body)
        rows = min(turns, MOST_TURNS)
        i32 = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
        # With more turns than rows there is one more, for all that come last.
        kept = rows + (turns > rows)
        with ir.InsertionPoint(loop), loop.location:
            carried = [_zeros(i32), *[_zeros(_with_rows(held.value.type, kept)) for held in inner]]
        location = ir.Location.unknown()
        arguments: list[ir.Value] = []
        for region in loop.regions:
            block = region.blocks[0]
            arguments = [block.add_argument(value.type, location) for value in carried]
        counter, *buffers = arguments  # of the body, the second region
        terminator = list(body.operations)[-1].operation
        with ir.InsertionPoint(terminator):
            zero, one = _zeros(i32), _constant(np.int32(1), i32)
            values = [_build("stablehlo.add", [counter, one], i32)]
            for held, buffer in zip(inner, buffers, strict=True):
                values.append(_stored(buffer, held.value, counter, zero))
        self._extend(body, values)
        deeper = [
            _Held(Extra(held.extra.path, ((-1, rows), *held.extra.rows), held.extra.result), held.value)
            for held in inner
        ]
        counted = _Held(Extra((), (), TURNS), counter)
        return self._replaced(
            loop, number, [counted, *deeper], [*loop.operands, *carried], loop.regions, True, carried
        )

    def _repeat_condition(self, condition: ir.Block, body: ir.Block) -> None:
        """Let the body begin with what the condition computes, on the same values: only a body gives some."""
        *operations, _ = [view.operation for view in condition.operations]
        if not any(_number(operation) in self._watched for operation in operations):
            return
        known = dict(zip(condition.arguments, body.arguments, strict=True))
        begin = ir.InsertionPoint.at_block_begin(body)
        for operation in operations:
            copied: Any = operation.clone(ip=begin)

            def rename(inner: ir.Operation) -> None:
                for index, value in enumerate(list(inner.operands)):
                    if value in known:
                        inner.operands[index] = known[value]

            walk(copied.operation, rename)
            known.update(zip(operation.results, copied.operation.results, strict=True))

    def _replaced(
        self,
        operation: ir.Operation,
        number: int,
        inner: Sequence[_Held],
        operands: Sequence[ir.Value],
        regions: Any,
        has_regions: bool,
        carried: Sequence[ir.Value] = (),
    ) -> list[_Held]:
        """An operation in the place of another one that gives the inner values, too."""
        if not inner:
            return []
        added = [value.type for value in carried] or [held.value.type for held in inner]
        count = len(operation.results)
        with operation.location:
            new = ir.Operation.create(
                operation.name,
                results=[*[result.type for result in operation.results], *added],
                operands=list(operands),
                attributes={named: operation.attributes[named] for named in operation.attributes.keys()},  # noqa: SIM118 # see `attributes_of`
                regions=len(regions) if has_regions else 0,
                ip=ir.InsertionPoint(operation),
            )
        if has_regions:
            for old, fresh in zip(list(regions), new.regions, strict=True):
                old.blocks[0].append_to(fresh)
        for index, result in enumerate(list(operation.results)):
            result.replace_all_uses_with(new.results[index])
        operation.erase()
        return [
            _Held(_deeper(held.extra, number), new.results[count + index]) for index, held in enumerate(inner)
        ]


def _used_elsewhere(module: Any) -> set[str]:
    """Functions that something else than a call that is followed uses: they must stay as they are."""
    found: set[str] = set()

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.call":
            if _is_applied(operation):
                found.add(operation.attributes["callee"].value)
            return
        if operation.name not in ("builtin.module", "func.func", "stablehlo.constant"):
            for attribute in attributes_of(operation).values():
                found.update(one or other for one, other in _NAMES.findall(str(attribute)))

    walk(module.operation, visit)
    return found


# Functions that attributes name: `@name`, or as `interpreter.run_parallel` has it, "name".
_NAMES = re.compile(r'@([\w.$-]+)|"([\w.$-]+)"')


def _deeper(extra: Extra, number: int) -> Extra:
    """An extra value as it is seen from around the operation with this number."""
    rows = tuple([(depth + 1, size) for depth, size in extra.rows])
    return Extra((number, *extra.path), rows, extra.result)


def _is_given(value: ir.Value) -> bool:
    type_ = value_type(value.type)
    return isinstance(type_, TensorType) and type_.is_static and type_.element_type.kind is not Kind.QUANTIZED


def _build(name: str, operands: Sequence[ir.Value], result: ir.Type, **attributes: ir.Attribute) -> ir.Value:
    return ir.Operation.create(name, [result], list(operands), attributes).results[0]


def _constant(value: Any, type_: ir.Type) -> ir.Value:
    return _build(
        "stablehlo.constant", [], type_, value=ir.DenseElementsAttr.get(np.asarray(value), type=type_)
    )


def _zeros(type_: ir.Type) -> ir.Value:
    ranked = ir.RankedTensorType(type_)
    element = str(ranked.element_type)
    zero = "false" if element == "i1" else "0" if element.lstrip("u").startswith("i") else "0.0"
    if element.startswith("complex"):
        zero = "(0.0, 0.0)"
    if element == "f8E8M0FNU":
        zero = "1.0"  # which has no zero
    return _build("stablehlo.constant", [], type_, value=ir.Attribute.parse(f"dense<{zero}> : {type_}"))


def _with_rows(type_: ir.Type, rows: int) -> ir.Type:
    ranked = ir.RankedTensorType(type_)
    return ir.RankedTensorType.get([rows, *ranked.shape], ranked.element_type)


def _stored(buffer: ir.Value, value: ir.Value, row: ir.Value, zero: ir.Value) -> ir.Value:
    """The buffer with a value in a row; in the last one if there is no such row."""
    one_row = _build("stablehlo.reshape", [value], _with_rows(value.type, 1))
    rank = len(ir.RankedTensorType(value.type).shape)
    return _build("stablehlo.dynamic_update_slice", [buffer, one_row, row, *[zero] * rank], buffer.type)


def watchable(operations: Sequence[ir.Operation]) -> frozenset[int]:
    """Numbers of operations whose results can be given: static tensors, not in regions of others than
    control flow. In conditions of loops, those of all turns but the last, which has no body.
    """
    found: set[int] = set()
    for number, operation in enumerate(operations):
        if operation.name in CONTROL_FLOW or operation.name == "stablehlo.constant":
            continue
        if any(map(_is_given, operation.results)) and not _is_applied(operation, conditions=False):
            found.add(number)
    return frozenset(found)


def _is_applied(operation: ir.Operation, *, conditions: bool = True) -> bool:
    """It stands in a region that is applied to elements, or in a loop's condition if these count, too."""
    region_of = operation
    while (parent := region_of.parent) is not None:
        outer = parent.operation
        if has(outer.name, "applies") or outer.name.startswith("stablehlo.custom"):
            return True
        if conditions and outer.name == "stablehlo.while" and _in_condition(region_of, outer):
            return True
        if outer.name in ("func.func", "builtin.module"):
            return False
        if not (has(outer.name, "control") and outer.name.startswith("stablehlo.")):
            return True
        region_of = outer
    return False


def _in_condition(operation: ir.Operation, loop: ir.Operation) -> bool:
    return any(view.operation == operation for view in loop.regions[0].blocks[0].operations)
