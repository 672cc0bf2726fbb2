"""Values that follow from the ids of processes and from constants alone, for every process of a grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Constant
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.plan.evaluate import guarded
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import has_body, is_private
from hlokit.operations.lookup import traits_of
from hlokit.passes.folding.constants import constant_of
from hlokit.passes.folding.operations import foldable_operations

Array = npt.NDArray[Any]
# An array for each process.
Arrays = tuple[Array, ...]
# The values of larger tensors, and those behind longer chains of values not yet seen, are not computed.
_MOST_ELEMENTS = 16
_LONGEST_CHAIN = 64


class IdValues:
    """The values of a module; None where a value depends on something else.

    Args:
      calls: the calls of each function.
      grid_of: the replicas and partitions of the processes that run an operation.
    """

    def __init__(
        self,
        functions: dict[str, ir.Operation],
        calls: dict[str, list[ir.Operation]],
        grid_of: Callable[[ir.Operation], tuple[int, int]],
    ) -> None:
        self._functions = functions
        self._calls = calls
        self._grid_of = grid_of
        self._arrays: dict[ir.Value, Arrays | None] = {}
        self._planner: Planner | None = None

    def of_value(self, value: ir.Value, depth: int = 0) -> Arrays | None:
        """The value of each process."""
        if value not in self._arrays and depth <= _LONGEST_CHAIN:
            self._arrays[value] = self._computed(value, depth + 1)
        return self._arrays.get(value)

    def _computed(self, value: ir.Value, depth: int) -> Arrays | None:
        owner = value.owner
        if isinstance(owner, ir.Block):
            return self._of_argument(ir.BlockArgument(value), depth)
        operation, number = owner.operation, ir.OpResult(value).result_number
        traits = traits_of(operation.name)
        if traits.constant:
            constant = constant_of(value)
            replicas, partitions = self._grid_of(operation)
            return None if constant is None else (constant,) * (replicas * partitions)
        if traits.process_id:
            return self._ids(operation)
        if operation.name == "func.call":
            return self._of_call(operation, number, depth)
        if operation.name in foldable_operations() and not len(operation.regions):
            return self._of_operation(operation, number, depth)
        return None

    def _ids(self, operation: ir.Operation) -> Arrays:
        replicas, partitions = self._grid_of(operation)
        is_replica = operation.name == "stablehlo.replica_id"
        processes = range(replicas * partitions)
        ids = [n // partitions if is_replica else n % partitions for n in processes]
        return tuple([np.asarray(id_, np.uint32) for id_ in ids])

    def _of_argument(self, argument: ir.BlockArgument, depth: int) -> Arrays | None:
        """The value of an argument of a function that is called once."""
        function = argument.owner.owner.operation
        if function.name != "func.func" or not is_private(function):
            return None
        calls = self._calls.get(function.attributes["sym_name"].value, [])
        return self.of_value(calls[0].operands[argument.arg_number], depth) if len(calls) == 1 else None

    def _of_call(self, call: ir.Operation, number: int, depth: int) -> Arrays | None:
        name = call.attributes["callee"].value
        function = self._functions.get(name)
        if function is None or not has_body(function) or len(self._calls[name]) != 1:
            return None
        block = function.regions[0].blocks[0]
        end = block.operations[len(block.operations) - 1].operation
        return self.of_value(end.operands[number], depth)

    def _of_operation(self, operation: ir.Operation, number: int, depth: int) -> Arrays | None:
        if not all(map(_is_small, operation.results)):
            return None
        columns: list[Arrays] = []
        for operand in operation.operands:
            column = self.of_value(operand, depth)
            if column is None:
                return None
            columns.append(column)
        if self._planner is None:
            self._planner = Planner(ir.Module.create(ir.Location.unknown(operation.context)))
        bound, _ = self._planner.operation(operation)
        if isinstance(bound, Constant):
            replicas, partitions = self._grid_of(operation)
            return (np.asarray(bound.value),) * (replicas * partitions)
        if len(set(map(len, columns))) != 1:  # no operands, or values of different grids
            return None
        try:
            rows = [guarded(bound.function, *operands) for operands in zip(*columns, strict=True)]
        except HlokitError:  # a run fails
            return None
        return tuple([np.asarray(row if len(operation.results) == 1 else row[number]) for row in rows])


def _is_small(value: ir.Value) -> bool:
    if not isinstance(value.type, ir.RankedTensorType):
        return False
    type_ = ir.RankedTensorType(value.type)
    return type_.has_static_shape and int(np.prod(type_.shape)) <= _MOST_ELEMENTS
