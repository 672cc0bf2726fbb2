"""Programs that also return their intermediate values, so that any side can run them.

Functions return their values to each of their callers, and branches to the enclosing operation (zeros from
branches that are not taken). A loop writes the values of each iteration into loop-carried arrays, one row per
iteration.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.copies import use_instead
from hlokit.mlir.queries.module import attributes_of, functions, walk
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.instrumented.applied_regions import give_values
from hlokit.tools.diff.instrumented.building import build, can_be_given, constant, with_rows, zeros
from hlokit.tools.diff.instrumented.extras import ITERATIONS, MOST_ITERATIONS, TAKEN, Extra, Held, deeper
from hlokit.tools.recording.places import CONTROL_FLOW


@dataclass(frozen=True, slots=True)
class Instrumented:
    """An instrumented module, as bytecode, and a description of its additional results."""

    module: bytes
    extras: tuple[Extra, ...]


def instrument(
    module: ir.Module,
    function: str,
    watched: frozenset[int],
    iterations: Mapping[int, int],
    regions: Mapping[int, Sequence[int]] | None = None,
    most: int | None = None,
) -> Instrumented:
    """A module whose function also returns the results of the watched operations.

    Args:
      module: the module, which is not modified.
      watched: numbers of operations, in walk order.
      iterations: the largest number of iterations of each loop, by its number.
      regions: for watched operations that return the values in their regions, the operations in these
        regions.
      most: the number of iterations of each loop whose values are returned; loops with more iterations then
        return their own results, too.
    """
    clone: Any = module.operation.clone(ip=False)
    with module.context, ir.Location.unknown():
        _number_all(clone)
        extras = _Work(clone, watched, iterations, regions or {}, most).function(functions(clone)[function])
        walk(clone.operation, _unnumber)
    buffer = io.BytesIO()
    clone.operation.write_bytecode(buffer)
    return Instrumented(buffer.getvalue(), tuple([held.extra for held in extras]))


# A temporary attribute that identifies operations of the clone, since operations are replaced.
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
    def __init__(
        self,
        module: ir.Module,
        watched: frozenset[int],
        iterations: Mapping[int, int],
        regions: Mapping[int, Sequence[int]],
        most: int | None,
    ) -> None:
        self._most = most
        self._functions = functions(module)
        self._fixed = _used_elsewhere(module)
        self._done: dict[str, list[Held]] = {}
        self._watched = watched
        self._iterations = iterations
        self._regions = regions
        self._answers: dict[ir.Type, bool] = {}

    def function(self, function: ir.Operation) -> list[Held]:
        """Let a function return its watched values; returns these values within the function."""
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
        """Let the terminator of a block return more values."""
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

    def _block(self, block: ir.Block) -> list[Held]:
        extras: list[Held] = []
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
                case name if number in self._watched and not traits_of(name).terminator:
                    count = len(operation.results)
                    if number in self._regions:
                        rewritten = give_values(operation, self._regions[number])
                        operation = rewritten.operation
                        extras += [Held(deeper(held, number), held.value) for held in rewritten.held]
                    for index, result in enumerate(list(operation.results)[:count]):
                        if can_be_given(result, self._answers):
                            extras.append(Held(Extra((number,), (), index), result))
                case _:
                    pass
        return extras

    def _call(self, call: ir.Operation, number: int) -> list[Held]:
        name = call.attributes["callee"].value
        callee = None if name in self._fixed else self._functions.get(name)
        inner = [] if callee is None else self.function(callee)
        return self._replaced(call, number, inner)

    def _branches(self, branching: ir.Operation, number: int) -> list[Held]:
        branches = [self._block(region.blocks[0]) for region in branching.regions]
        inner = [held for extras in branches for held in extras]
        i32 = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
        taken: list[Held] = []
        for position, (region, own) in enumerate(zip(branching.regions, branches, strict=True)):
            block = region.blocks[0]
            mine = {id(held) for held in own}
            terminator = list(block.operations)[-1].operation
            with ir.InsertionPoint(terminator):
                number_of_branch = constant(np.int32(position), i32)
                values = [held.value if id(held) in mine else zeros(held.value.type) for held in inner]
            self._extend(block, [number_of_branch, *values])
            taken = [Held(Extra((), (), TAKEN), number_of_branch)]
        return self._replaced(branching, number, [*taken, *inner])

    def _loop(self, loop: ir.Operation, number: int) -> list[Held]:
        iterations = self._iterations.get(number, 0)
        body = loop.regions[1].blocks[0]
        if not iterations:
            self._block(body)  # its calls get the results that the functions return elsewhere
            return []
        self._repeat_condition(loop.regions[0].blocks[0], body)
        inner = self._block(body)
        rows = min(iterations, self._most or MOST_ITERATIONS)
        i32 = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
        # If there are more iterations than rows, one more row holds the last iteration.
        kept = rows + (iterations > rows)
        with ir.InsertionPoint(loop), loop.location:
            carried = [zeros(i32), *[zeros(with_rows(held.value.type, kept)) for held in inner]]
        location = ir.Location.unknown()
        arguments: list[ir.Value] = []
        for region in loop.regions:
            block = region.blocks[0]
            arguments = [block.add_argument(value.type, location) for value in carried]
        counter, *buffers = arguments  # of the body, the second region
        terminator = list(body.operations)[-1].operation
        with ir.InsertionPoint(terminator):
            zero, one = zeros(i32), constant(np.int32(1), i32)
            values = [build("stablehlo.add", [counter, one], i32)]
            for held, buffer in zip(inner, buffers, strict=True):
                values.append(_stored(buffer, held.value, counter, zero))
        self._extend(body, values)
        deeper = [
            Held(Extra(held.extra.path, ((-1, rows), *held.extra.rows), held.extra.result), held.value)
            for held in inner
        ]
        counted = Held(Extra((), (), ITERATIONS), counter)
        replaced = self._replaced(loop, number, [counted, *deeper], carried)
        if self._most is None or iterations <= rows:
            return replaced
        results = list(ir.OpResult(replaced[0].value).owner.results)[: -len(carried)]
        return [
            *replaced,
            *[
                Held(Extra((number,), (), index), result)
                for index, result in enumerate(results)
                if can_be_given(result, self._answers)
            ],
        ]

    def _repeat_condition(self, condition: ir.Block, body: ir.Block) -> None:
        """Repeat the operations of the condition at the start of the body, which can return their values."""
        *operations, _ = [view.operation for view in condition.operations]
        if not any(_number(operation) in self._watched for operation in operations):
            return
        copies: dict[ir.Value, ir.Value] = dict(zip(condition.arguments, body.arguments, strict=True))
        begin = ir.InsertionPoint.at_block_begin(body)
        for operation in operations:
            copied: Any = operation.clone(ip=begin)

            use_instead(copied.operation, copies)
            copies.update(zip(operation.results, copied.operation.results, strict=True))

    def _replaced(
        self,
        operation: ir.Operation,
        number: int,
        inner: Sequence[Held],
        carried: Sequence[ir.Value] = (),
    ) -> list[Held]:
        """The replacement of an operation that also returns the inner values.

        Args:
          carried: further operands of a loop, one for each further result.
        """
        if not inner:
            return []
        added = [value.type for value in carried] or [held.value.type for held in inner]
        count = len(operation.results)
        with operation.location:
            new = ir.Operation.create(
                operation.name,
                results=[*[result.type for result in operation.results], *added],
                operands=[*operation.operands, *carried],
                attributes={named: operation.attributes[named] for named in operation.attributes.keys()},  # noqa: SIM118 # see `attributes_of`
                regions=len(operation.regions),
                ip=ir.InsertionPoint(operation),
            )
        for old, fresh in zip(list(operation.regions), new.regions, strict=True):
            old.blocks[0].append_to(fresh)
        for index, result in enumerate(list(operation.results)):
            result.replace_all_uses_with(new.results[index])
        operation.erase()
        return [Held(deeper(held, number), new.results[count + index]) for index, held in enumerate(inner)]


def _used_elsewhere(module: Any) -> set[str]:
    """Functions with other uses than instrumented calls: these functions must not change."""
    used: set[str] = set()

    def visit(operation: ir.Operation) -> None:
        if operation.name == "func.call":
            if _is_applied(operation):
                used.add(operation.attributes["callee"].value)
            return
        if operation.name not in ("builtin.module", "func.func", "stablehlo.constant"):
            for attribute in attributes_of(operation).values():
                used.update(one or other for one, other in _NAMES.findall(str(attribute)))

    walk(module.operation, visit)
    return used


# Functions that attributes name: `@name`, or "name" in `interpreter.run_parallel`.
_NAMES = re.compile(r'@([\w.$-]+)|"([\w.$-]+)"')


def _stored(buffer: ir.Value, value: ir.Value, row: ir.Value, zero: ir.Value) -> ir.Value:
    """The buffer with a value in a row; in the last row if the index is out of bounds."""
    one_row = build("stablehlo.reshape", [value], with_rows(value.type, 1))
    rank = len(ir.RankedTensorType(value.type).shape)
    return build("stablehlo.dynamic_update_slice", [buffer, one_row, row, *[zero] * rank], buffer.type)


def watchable(operations: Sequence[ir.Operation]) -> frozenset[int]:
    """Numbers of operations whose results can be returned: static tensors, only in regions of control flow.
    In conditions of loops, these are the values of all iterations but the last evaluation, which has no body.
    """
    numbers: set[int] = set()
    answers: dict[ir.Type, bool] = {}
    for number, operation in enumerate(operations):
        if operation.name in CONTROL_FLOW or operation.name == "stablehlo.constant":
            continue
        if any([can_be_given(result, answers) for result in operation.results]) and not _is_applied(
            operation, conditions=False
        ):
            numbers.add(number)
    return frozenset(numbers)


def _is_applied(operation: ir.Operation, *, conditions: bool = True) -> bool:
    """Whether the operation is in a region that is applied to elements, or, if `conditions`, in a loop's
    condition."""
    region_of = operation
    while (parent := region_of.parent) is not None:
        outer = parent.operation
        if traits_of(outer.name).applies or outer.name.startswith("stablehlo.custom"):
            return True
        if conditions and outer.name == "stablehlo.while" and _in_condition(region_of, outer):
            return True
        if outer.name in ("func.func", "builtin.module"):
            return False
        if not (traits_of(outer.name).control and outer.name.startswith("stablehlo.")):
            return True
        region_of = outer
    return False


def _in_condition(operation: ir.Operation, loop: ir.Operation) -> bool:
    return any(view.operation == operation for view in loop.regions[0].blocks[0].operations)
