"""Which values differ between the processes of a grid: a data flow from ids of processes and their own data.

A process has its own data from a piece of a tensor in an `sdy.manual_computation`, from other processes, and
from the arguments of a program that each process runs. Arguments may be the same everywhere, so they only may
differ; integers of rank 0 count as the same, since front ends pass steps and sizes in this way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from enum import IntEnum
from math import prod
from typing import Any

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import has_body, operations_within, used_values
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.cost_model.traffic import traffic_of


class Reason(IntEnum):
    """Why a value differs between processes; the greater reason counts."""

    ARGUMENT = 1
    DATA = 2
    ID = 3

    def __str__(self) -> str:
        return _REASONS[self]

    @property
    def is_sure(self) -> bool:
        """Whether the value does differ; a process's arguments may be those of all others."""
        return self is not Reason.ARGUMENT


_REASONS = {
    Reason.ARGUMENT: "an argument of the process",
    Reason.DATA: "the process's own data",
    Reason.ID: "the id of the process",
}


class Divergence:
    """The values of a program that differ between processes, and why."""

    def __init__(self, functions: dict[str, ir.Operation], own: Iterable[str]) -> None:
        """Follow the values.

        Args:
          functions: the functions of the program, by name.
          own: the functions that each process runs.
        """
        self._functions = functions
        self._reasons: dict[ir.Value, Reason] = {}
        operations = [
            op for function in functions.values() for op in operations_within(function, outer_first=True)
        ]
        self._calls: dict[str, list[ir.Operation]] = {}
        self._ends: dict[ir.Block, ir.Operation] = {}
        for operation in operations:
            if traits_of(operation.name).terminator:
                self._ends[operation.block] = operation
            if operation.name == "func.call":
                self._calls.setdefault(operation.attributes["callee"].value, []).append(operation)
        # The operations whose operands, or values in regions, have changed, each once.
        self._pending = deque(operations)
        self._is_pending = set(operations)
        for name in own:
            for argument in self._arguments(name):
                if not _is_number(argument.type):
                    self._mark(argument, Reason.ARGUMENT)
        while self._pending:
            operation = self._pending.popleft()
            self._is_pending.remove(operation)
            self._follow(operation)

    def reason(self, value: ir.Value) -> Reason | None:
        """Why a value differs; None if it is equal in all processes."""
        return self._reasons.get(value)

    def _mark(self, value: ir.Value, reason: Reason | None) -> None:
        if reason is not None and reason > self._reasons.get(value, 0):
            self._reasons[value] = reason
            for use in value.uses:
                for dependent in self._dependents(use.owner.operation):
                    if dependent not in self._is_pending:
                        self._is_pending.add(dependent)
                        self._pending.append(dependent)

    def _dependents(self, user: ir.Operation) -> Iterator[ir.Operation]:
        """A user of a value, the operations around it, and the calls that return the value."""
        operation: ir.Operation | None = user
        while operation is not None and operation.name != "func.func":
            yield operation
            operation = operation.parent
        if operation is not None and user.name == "func.return":
            yield from self._calls.get(operation.attributes["sym_name"].value, ())

    def _common(self, values: Iterable[ir.Value]) -> Reason | None:
        """The reason why one of the values differs."""
        return max((self._reasons[value] for value in values if value in self._reasons), default=None)

    def _arguments(self, name: str) -> list[ir.BlockArgument]:
        function = self._functions.get(name)
        if function is None or not has_body(function):
            return []
        return list(function.regions[0].blocks[0].arguments)

    def _follow(self, operation: ir.Operation) -> None:
        traits, name = traits_of(operation.name), operation.name
        if name == "func.call":
            self._call(operation)
        elif name == "stablehlo.while":
            self._loop(operation)
        elif name in ("stablehlo.if", "stablehlo.case"):
            self._branches(operation)
        elif name == "sdy.manual_computation":
            self._pieces(operation)
        elif traits.process_id:
            self._mark_all(operation.results, Reason.ID)
        elif traits.collective:
            if not traffic_of(name.partition(".")[2]).gives_equal_results:
                self._mark_all(operation.results, self._common(operation.operands) or Reason.DATA)
        elif traits.receives:
            self._mark_all(operation.results, Reason.DATA)
        elif name != "interpreter.run_parallel":
            self._mark_all(operation.results, self._common(used_values(operation)))

    def _mark_all(self, values: Iterable[ir.Value], reason: Reason | None) -> None:
        for value in values:
            self._mark(value, reason)

    def _call(self, call: ir.Operation) -> None:
        callee: Any = call.attributes["callee"]
        arguments = self._arguments(callee.value)
        for argument, operand in zip(arguments, call.operands, strict=False):
            self._mark(argument, self._reasons.get(operand))
        if callee.value in self._functions:
            for block in self._functions[callee.value].regions[0].blocks:
                self._join(call, self._ends[block].operands)

    def _loop(self, loop: ir.Operation) -> None:
        condition, body = (region.blocks[0] for region in loop.regions)
        decided = self._common(self._ends[condition].operands)
        for index, carried in enumerate(zip(loop.operands, self._ends[body].operands, strict=True)):
            reason = decided or self._common(carried)
            self._mark(condition.arguments[index], self._common(carried))
            self._mark(body.arguments[index], self._common(carried))
            self._mark(loop.results[index], reason)

    def _branches(self, branch: ir.Operation) -> None:
        self._mark_all(branch.results, self._reasons.get(branch.operands[0]))
        for region in branch.regions:
            for block in region.blocks:
                self._join(branch, self._ends[block].operands)

    def _join(self, operation: ir.Operation, returned: Iterable[ir.Value]) -> None:
        for result, value in zip(operation.results, returned, strict=False):
            self._mark(result, self._reasons.get(value))

    def _pieces(self, operation: ir.Operation) -> None:
        try:
            splits = Attributes(operation).manual_computation().operands
        except UnsupportedError:  # a run that needs the mesh fails
            return
        for argument, split in zip(operation.regions[0].blocks[0].arguments, splits, strict=True):
            if prod(split.counts) > 1:
                self._mark(argument, Reason.DATA)


def _is_number(type_: ir.Type) -> bool:
    tensor = ir.RankedTensorType(type_) if isinstance(type_, ir.RankedTensorType) else None
    return tensor is not None and tensor.rank == 0 and isinstance(tensor.element_type, ir.IntegerType)
