"""Data flow through calls, branches and loops: the operations that compute a value."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions
from hlokit.mlir.queries.structure import captured_values
from hlokit.tools.recording.places import BRANCHING, Operations, defining_operation


class Dataflow:
    """The operations that compute the operands of each operation, traced through calls, branches and loops.

    Args:
      function: the entry function, whose arguments are known.
    """

    def __init__(self, operations: Operations, function: str) -> None:
        self._operations = operations
        self._functions = functions(operations.module)
        self._entry = self._functions[function].regions[0].blocks[0]
        self._calls: dict[str, list[ir.Operation]] = {}
        for operation in operations.all:
            if operation.name == "func.call":
                callee = operation.attributes["callee"].value
                self._calls.setdefault(callee, []).append(operation)
        self._operand_producers: dict[int, frozenset[int]] = {}

    def operands(self, number: int) -> frozenset[int]:
        """The numbers of the operations that compute an operation's operands; -1 for unknown values."""
        producers = self._operand_producers.get(number)
        if producers is None:
            operation = self._operations.all[number]
            values = (*operation.operands, *captured_values(operation.regions))
            producers = self._operand_producers[number] = self._producers(values)
        return producers

    def sources(self, names: Container[str]) -> frozenset[int]:
        """The operations that compute the operands of the operations with these names."""
        sources: set[int] = set()
        for number, operation in enumerate(self._operations.all):
            if operation.name in names:
                sources |= self.operands(number)
        return frozenset(sources)

    def deciding(self) -> frozenset[int]:
        """The operations that compute predicates of loops and of branches."""
        decisive: list[ir.Value] = []
        for operation in self._operations.all:
            if operation.name in BRANCHING:
                decisive.append(operation.operands[0])
            elif operation.name == "stablehlo.while":
                decisive += _returned(operation.regions[0])
        return self._producers(decisive)

    def predicates(self) -> dict[int, int]:
        """The operations in conditions of loops that compute their predicates, by the number of the loop."""
        predicates: dict[int, int] = {}
        for number, operation in enumerate(self._operations.all):
            if operation.name == "stablehlo.while":
                (predicate,) = _returned(operation.regions[0])
                source = defining_operation(predicate)
                if source is not None and source.block == operation.regions[0].blocks[0]:
                    predicates[number] = self._operations.number_within(source)
        return predicates

    def with_operands(self, chosen: Sequence[int], reached: set[int]) -> list[int]:
        """Operations, preceded by the reached operations that compute their operands."""
        before = [source for number in chosen for source in sorted(self.operands(number) & reached)]
        return list(dict.fromkeys([*before, *chosen]))

    def with_known_operands(self, window: Iterable[int]) -> frozenset[int]:
        """The operations whose operands are all computed by other operations of the set."""
        members = set(window)
        return frozenset(number for number in members if self.operands(number) <= members)

    def _producers(self, values: Iterable[ir.Value]) -> frozenset[int]:
        producers: set[int] = set()
        seen: set[ir.Value] = set()
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if value in seen:
                continue
            seen.add(value)
            operation = defining_operation(value)
            if operation is None:
                waiting += self._of_argument(ir.BlockArgument(value), producers)
            elif not _is_source(operation):
                further = self._of_result(operation, ir.OpResult(value).result_number)
                if further is None:
                    number = self._operations.number_of(operation)
                    producers.add(-1 if number is None else number)
                else:
                    waiting += further
        return frozenset(producers)

    def _of_result(self, operation: ir.Operation, index: int) -> list[ir.Value] | None:
        """The values that a result of control flow may have; None for other operations."""
        match operation.name:
            case "func.call":
                callee = self._functions.get(operation.attributes["callee"].value)
                return None if callee is None else [_returned(callee.regions[0])[index]]
            case "stablehlo.if" | "stablehlo.case":
                return [operation.operands[0], *[_returned(region)[index] for region in operation.regions]]
            case "stablehlo.while":
                return [operation.operands[index], _returned(operation.regions[1])[index]]
            case _:
                return None

    def _of_argument(self, argument: ir.BlockArgument, producers: set[int]) -> Iterator[ir.Value]:
        """The values that a block argument may have."""
        block = argument.owner
        index = argument.arg_number
        if block == self._entry:
            return
        operation = block.owner.operation
        match operation.name:
            case "func.func":
                for call in self._calls.get(operation.attributes["sym_name"].value, ()):
                    yield call.operands[index]
            case "stablehlo.while":
                yield operation.operands[index]
                yield _returned(operation.regions[1])[index]
            case _:
                producers.add(-1)


def _returned(region: ir.Region) -> list[ir.Value]:
    """The operands of a region's terminator."""
    return list(list(region.blocks[0].operations)[-1].operands)


def _is_source(operation: ir.Operation) -> bool:
    """Whether an operation depends on nothing, as constants and `iota` do: its value is known."""
    return not len(operation.operands) and not len(operation.regions)
