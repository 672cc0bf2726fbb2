"""Programs as terms: what computes each result, through calls.

A value is the number of a term and the number of its result. Terms with the same operation, attributes and
operands have the same number, in all programs that share a numbering. Programs that differ only by inlined
calls, repeated operations, unused values or the order of operations therefore return the same values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of, functions, has_body
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.equivalence.structure import callee_of
from hlokit.tools.diff.flow.digests import CONSTANT, constant_of, digest_of
from hlokit.tools.recording.places import BRANCHING, Operations, branch_taken

# Programs with more operations, counted at each call, have no terms.
_MOST_EVALUATED = 50_000
_DEEPEST = 100

TermValue = tuple[int, int]


class TooLarge(Exception):
    """The program has too many operations, or calls itself."""


class Numbering:
    """The numbers of terms, by what they consist of."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


@dataclass(slots=True)
class Scope:
    """A block that is evaluated: its values, which blocks within it can read.

    Attributes:
      depth: the number of regions around it, through calls.
      calls: the number of calls around it.
      call: the call whose callee the block is; None for other blocks.
    """

    parent: Scope | None
    depth: int
    calls: int
    call: int | None = None
    values: dict[TermValue, ir.Value] = field(default_factory=dict[TermValue, ir.Value])

    def value(self, value: TermValue) -> ir.Value | None:
        """A value of the program that is certainly visible here, if there is one."""
        if value in self.values:
            return self.values[value]
        return None if self.parent is None else self.parent.value(value)


class Read(NamedTuple):
    """An operand of an operation: the operation's number, the operand's position, and the block."""

    number: int
    position: int
    scope: Scope


class Operand(NamedTuple):
    """A value that is read.

    Attributes:
      term: what computes it; None for arguments.
      reads: the read itself, then those that hand the value on before: a `return`, a call.
    """

    value: TermValue
    term: Term | None
    reads: tuple[Read, ...] = ()

    def read(self, read: Read) -> Operand:
        """This value, read once more."""
        return self._replace(reads=(read, *self.reads))


class Term(NamedTuple):
    """An operation on values.

    Attributes:
      number: the number of the operation in its program.
      head: what decides whether two operations are of the same kind: name, attributes, types.
      regions: the values that the regions return.
    """

    number: int
    head: Hashable
    operands: tuple[Operand, ...]
    regions: tuple[tuple[Operand, ...], ...]


class Terms:
    """The terms of a program.

    Attributes:
      numbers: the numbers of all terms, also of unused values.
      results: what the entry function returns.

    Raises:
      TooLarge: see above.
    """

    def __init__(self, operations: Operations, function: str, numbering: Numbering) -> None:
        self.operations = operations
        self.numbers: set[int] = set()
        self._numbering = numbering
        self._functions = functions(operations.module)
        self._heads: dict[int, Hashable] = {}
        self._evaluated = 0
        entry = self._functions[function].regions[0].blocks[0]
        number = numbering.number("arguments of the program")
        self.results = self._block(entry, Scope(None, 0, 0), {}, _arguments(entry, number))

    @property
    def returned(self) -> tuple[TermValue, ...]:
        return tuple([result.value for result in self.results])

    def _block(
        self, block: ir.Block, scope: Scope, values: dict[ir.Value, Operand], arguments: Sequence[Operand]
    ) -> tuple[Operand, ...]:
        """Evaluate a block; returns what its last operation returns."""
        if scope.calls > _DEEPEST:
            raise TooLarge
        for argument, operand in zip(block.arguments, arguments, strict=True):
            values[argument] = operand
            scope.values.setdefault(operand.value, argument)
        operands: tuple[Operand, ...] = ()
        for view in block.operations:
            operation = view.operation
            self._evaluated += 1
            if self._evaluated > _MOST_EVALUATED:
                raise TooLarge
            number = self.operations.number_within(operation)
            operands = tuple(
                [
                    values[value].read(Read(number, position, scope))
                    for position, value in enumerate(operation.operands)
                ]
            )
            results = self._results(operation, number, operands, scope, values)
            for result, operand in zip(operation.results, results, strict=True):
                values[result] = operand
                scope.values.setdefault(operand.value, result)
        return operands

    def _results(
        self,
        operation: ir.Operation,
        number: int,
        operands: tuple[Operand, ...],
        scope: Scope,
        values: dict[ir.Value, Operand],
    ) -> Sequence[Operand]:
        callee = self._functions.get(callee_of(operation))
        if callee is not None and has_body(callee) and operation.name == "func.call":
            # A function reads nothing of its caller.
            inside = Scope(None, scope.depth, scope.calls + 1, number)
            return self._block(callee.regions[0].blocks[0], inside, {}, operands)
        taken = self._taken(operation, operands)
        if taken is not None:
            return self._block(taken, Scope(scope, scope.depth, scope.calls), values, ())
        regions = [
            self._region(region, index, Scope(scope, scope.depth + 1, scope.calls), values)
            for index, region in enumerate(operation.regions)
            if len(region.blocks)
        ]
        if callee is not None and has_body(callee):
            inside = Scope(None, scope.depth + 1, scope.calls + 1)
            regions.append(self._region(callee.regions[0], 0, inside, {}))
        head = self._head(operation, number)
        read = [operand.value for operand in operands]
        if traits_of(operation.name).commutative:
            read.sort()
        inner = tuple([tuple([operand.value for operand in region]) for region in regions])
        own_number = self._numbering.number((head, tuple(read), inner))
        self.numbers.add(own_number)
        term = Term(number, head, operands, tuple(regions))
        return [Operand((own_number, index), term) for index in range(len(operation.results))]

    def _taken(self, operation: ir.Operation, operands: Sequence[Operand]) -> ir.Block | None:
        """The branch that a constant chooses: inlining leaves only this one."""
        if operation.name not in BRANCHING:
            return None
        source = operands[0].term
        chooser = None if source is None else self.operations.all[source.number]
        chosen = constant_of(chooser) if chooser is not None and chooser.name == CONSTANT else None
        if chosen is None:
            return None
        taken = branch_taken(operation.name, int(chosen), len(operation.regions))
        return operation.regions[taken].blocks[0]

    def _region(
        self, region: ir.Region, index: int, scope: Scope, values: dict[ir.Value, Operand]
    ) -> tuple[Operand, ...]:
        block = region.blocks[0]
        types = tuple([str(argument.type) for argument in block.arguments])
        number = self._numbering.number(("arguments", scope.depth, index, types))
        return self._block(block, scope, values, _arguments(block, number))

    def _head(self, operation: ir.Operation, number: int) -> Hashable:
        head = self._heads.get(number)
        if head is None:
            types = tuple([str(result.type) for result in operation.results])
            constant = constant_of(operation) if operation.name == CONSTANT else None
            if constant is not None:
                attributes: Hashable = digest_of(constant)
            else:
                hidden = callee_of(operation)
                texts = {name: str(text) for name, text in attributes_of(operation).items()}
                attributes = tuple(sorted(item for item in texts.items() if item[1] != f"@{hidden}"))
            head = self._heads[number] = (operation.name, attributes, types)
        return head


def _arguments(block: ir.Block, number: int) -> list[Operand]:
    return [Operand((number, position), None) for position in range(len(block.arguments))]
