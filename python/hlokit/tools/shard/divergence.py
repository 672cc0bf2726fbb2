"""Which values differ between which processes: a data flow from ids of processes and their own data.

A process has its own data from a piece of a tensor in an `sdy.manual_computation`, from other processes, and
from the arguments of a program that each process runs. Arguments may be the same everywhere, so they only may
differ; integers of rank 0 count as the same, since front ends pass steps and sizes in this way. A sum is the
same in all processes of its group.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import has_body, operations_within, used_values
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.cost_model.traffic import groups_of, traffic_of
from hlokit.tools.shard.id_values import IdValues
from hlokit.tools.shard.spreads import Groups, Reason, Spread, numbered, of_collective, of_permutation

Grid = tuple[int, int]


class Divergence:
    """The values of a program that differ between processes, and why."""

    def __init__(
        self, functions: dict[str, ir.Operation], own: Iterable[str], grid: Grid, grids: dict[str, Grid]
    ) -> None:
        """Follow the values.

        Args:
          functions: the functions of the program, by name.
          own: the functions that each process runs.
          grid: replicas and partitions.
          grids: those of functions with other ones.
        """
        self._functions = functions
        self._grid, self._grids = grid, grids
        self._spreads: dict[ir.Value, Spread] = {}
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
        self._id_values = IdValues(functions, self._calls, self.grid_of)
        # The operations whose operands, or values in regions, have changed, each once.
        self._pending = deque(operations)
        self._is_pending = set(operations)
        for name in own:
            for argument in self._arguments(name):
                if not _is_number(argument.type):
                    self._mark(argument, _everywhere(Reason.ARGUMENT, grids.get(name, grid)))
        while self._pending:
            operation = self._pending.popleft()
            self._is_pending.remove(operation)
            self._follow(operation)

    def spread(self, value: ir.Value) -> Spread | None:
        """Between which processes a value differs; None if it is equal in all."""
        return self._spreads.get(value)

    def grid_of(self, operation: ir.Operation) -> Grid:
        """Replicas and partitions of the processes that run an operation."""
        outer: ir.Operation | ir.OpView | None = operation
        while outer is not None and outer.name != "func.func":
            outer = outer.parent
            grid = mesh_grid(outer.operation) if outer is not None else None
            if grid is not None:
                return grid
        name = "" if outer is None else outer.attributes["sym_name"].value
        return self._grids.get(name, self._grid)

    def _mark(self, value: ir.Value, spread: Spread | None) -> None:
        if spread is None:
            return
        before = self._spreads.get(value)
        after = spread if before is None else before.joined(spread)
        if after != before:
            self._spreads[value] = after
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

    def _common(self, values: Iterable[ir.Value]) -> Spread | None:
        """The spread of a value that depends on all these values."""
        common: Spread | None = None
        for value in values:
            spread = self._spreads.get(value)
            if spread is not None:
                common = spread if common is None else common.joined(spread)
        return common

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
        elif traits.collective:
            self._collective(operation)
        elif traits.receives:
            self._mark_all(operation.results, _everywhere(Reason.DATA, self.grid_of(operation)))
        elif name != "interpreter.run_parallel":
            self._computed(operation, is_id=traits.process_id)

    def _computed(self, operation: ir.Operation, *, is_id: bool) -> None:
        spread = self._common(used_values(operation))
        if spread is None and not is_id:
            return
        for result in operation.results:
            arrays = None
            if spread is None or spread.reason is Reason.ID:
                arrays = self._id_values.of_value(result)
            if arrays is None:
                self._mark(result, spread)
                continue
            labels = numbered([array.tobytes() for array in arrays])
            if max(labels, default=0) > 0:
                self._mark(result, Spread(Reason.ID, labels))

    def _collective(self, operation: ir.Operation) -> None:
        grid = self.grid_of(operation)
        is_equal = traffic_of(operation.name.partition(".")[2]).gives_equal_results
        spread = self._common(operation.operands)
        if spread is None and is_equal:
            return
        spread = spread or Spread(Reason.DATA, (0,) * (grid[0] * grid[1]))
        groups = processes_of(operation, grid)
        if groups is None or len(spread.labels) != grid[0] * grid[1]:
            labels = tuple(range(grid[0] * grid[1]))
        elif operation.name == "stablehlo.collective_permute":
            labels = of_permutation(groups, spread.labels)
        else:
            labels = of_collective(groups, spread.labels, is_equal=is_equal)
        if max(labels, default=0) > 0:
            self._mark_all(operation.results, Spread(spread.reason, labels))

    def _mark_all(self, values: Iterable[ir.Value], spread: Spread | None) -> None:
        for value in values:
            self._mark(value, spread)

    def _call(self, call: ir.Operation) -> None:
        callee: Any = call.attributes["callee"]
        arguments = self._arguments(callee.value)
        for argument, operand in zip(arguments, call.operands, strict=False):
            self._mark(argument, self._spreads.get(operand))
        if callee.value in self._functions:
            for block in self._functions[callee.value].regions[0].blocks:
                self._join(call, self._ends[block].operands)

    def _loop(self, loop: ir.Operation) -> None:
        condition, body = (region.blocks[0] for region in loop.regions)
        decided = self._common(self._ends[condition].operands)
        for index, carried in enumerate(zip(loop.operands, self._ends[body].operands, strict=True)):
            spread = self._common(carried)
            for value in (condition.arguments[index], body.arguments[index], loop.results[index]):
                self._mark(value, spread)
            self._mark(loop.results[index], decided)

    def _branches(self, branch: ir.Operation) -> None:
        self._mark_all(branch.results, self._spreads.get(branch.operands[0]))
        for region in branch.regions:
            for block in region.blocks:
                self._join(branch, self._ends[block].operands)

    def _join(self, operation: ir.Operation, returned: Iterable[ir.Value]) -> None:
        for result, value in zip(operation.results, returned, strict=False):
            self._mark(result, self._spreads.get(value))

    def _pieces(self, operation: ir.Operation) -> None:
        try:
            computation = Attributes(operation).manual_computation()
        except UnsupportedError:  # a run that needs the mesh fails
            return
        arguments = operation.regions[0].blocks[0].arguments
        for argument, split in zip(arguments, computation.operands, strict=True):
            if prod(split.counts) > 1:
                pieces = dict(zip(computation.devices, split.pieces, strict=True))
                self._mark(argument, Spread(Reason.DATA, numbered(pieces[id_] for id_ in sorted(pieces))))


def mesh_grid(operation: ir.Operation) -> Grid | None:
    """The grid that an `sdy.manual_computation` makes."""
    if operation.name != "sdy.manual_computation":
        return None
    try:
        return 1, len(Attributes(operation).manual_computation().devices)
    except UnsupportedError:
        return None


def processes_of(operation: ir.Operation, grid: Grid) -> Groups | None:
    """The processes of each group of a collective, by number; None if the grid does not have them."""
    try:
        groups = groups_of(operation).processes(*grid)
    except (EvaluationError, UnsupportedError):
        return None
    return tuple([tuple([replica * grid[1] + partition for replica, partition in group]) for group in groups])


def _everywhere(reason: Reason, grid: Grid) -> Spread:
    """The spread of a value that each process has for itself."""
    return Spread(reason, tuple(range(grid[0] * grid[1])))


def _is_number(type_: ir.Type) -> bool:
    tensor = ir.RankedTensorType(type_) if isinstance(type_, ir.RankedTensorType) else None
    return tensor is not None and tensor.rank == 0 and isinstance(tensor.element_type, ir.IntegerType)
