"""Rules of asynchronous collectives: each ends once on every way, and nothing uses it before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hlokit.errors import Diagnostic, Severity
from hlokit.mlir.conversion.dimension_numbers import OutputOperandAlias
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import is_private
from hlokit.mlir.round_trip import target_of
from hlokit.operations.lookup import traits_of


class Pair(NamedTuple):
    """The targets of the custom calls that begin and end a collective."""

    start: str
    done: str


class _End(NamedTuple):
    """A call that ends a collective, and the regions around it, from the outermost on."""

    call: ir.Operation
    regions: tuple[tuple[ir.Operation, int], ...]


class Rules:
    """The rules, for the calls of one module."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        # The position of each operation, of blocks in which an operand's buffer may be reused.
        self._positions: dict[ir.Block, dict[ir.Operation, int]] = {}

    def problems(self, start: ir.Operation, pair: Pair) -> Iterator[Diagnostic]:
        """What is wrong about the collective that a call begins."""
        begun = self._told("note", start, "the collective starts here")
        users = [use.owner.operation for use in start.results[0].uses][::-1]  # listed from the last one on
        ends = [user for user in users if target_of(user) == pair.done]
        others = [user for user in users if target_of(user) != pair.done]
        if all(_leaves_program(user) for user in others) and not ends:
            returned = [self._told("note", user, "it is returned here") for user in others]
            message = f"@{pair.start} must be finished by @{pair.done}, but no operation does"
            yield self._told("error", start, message, *returned)
        for user in others:
            if not _passes_on(user):
                message = f"{_name(user)} must not use the result of @{pair.start}, which is not finished"
                yield self._told("error", user, message, begun)
        yield from self._ends(start, pair, [_end_within(end, start.block) for end in ends])
        for user in self._reusing(start, ends):
            operand = f"an operand of @{pair.start}, which is not finished"
            message = f"{_name(user)} must not reuse the buffer of {operand}"
            yield self._told("error", user, message, begun)

    def problems_of_end(self, done: ir.Operation, pair: Pair) -> Iterator[Diagnostic]:
        """What is wrong about a call that ends a collective."""
        owner = done.operands[0].owner
        if isinstance(owner, ir.Block):
            is_wrong, origin = _is_public(owner.owner), owner.owner
        else:
            origin = owner.operation
            is_wrong = target_of(origin) != pair.start and not _passes_on(origin)
        if is_wrong:
            note = self._told("note", origin.operation, "its operand comes from here")
            yield self._told("error", done, f"@{pair.done} must finish a @{pair.start}", note)

    # Ends -----------------------------------------------------------------------------------------

    def _ends(self, start: ir.Operation, pair: Pair, ends: Sequence[_End]) -> Iterator[Diagnostic]:
        """What is wrong about the ends of a collective in the block of its start, or in one branch."""
        finished: list[ir.Operation] = []
        by_operation: dict[ir.Operation, list[_End]] = {}
        begun = self._told("note", start, "the collective starts here")
        for end in ends:
            if end.regions:
                by_operation.setdefault(end.regions[0][0], []).append(end)
            else:
                finished.append(end.call)
        for operation, inner in by_operation.items():
            call = inner[0].call
            note = self._told("note", call, f"@{pair.done} is here")
            if not _has_branches(operation):
                message = f"@{pair.done} must finish a collective once, but {operation.name} repeats it"
                yield self._told("error", call, message, begun)
                continue
            branches: dict[int, list[_End]] = {}
            for end in inner:
                branches.setdefault(end.regions[0][1], []).append(_End(end.call, end.regions[1:]))
            for branch in branches.values():
                yield from self._ends(start, pair, branch)
            if len(branches) < len(operation.regions):
                message = f"{operation.name} must finish @{pair.start} in every branch, or in none"
                yield self._told("error", operation, message, begun, note)
            else:
                finished.append(call)
        if len(finished) > 1:
            note = self._told("note", finished[0], "it is finished here already")
            message = f"@{pair.done} must finish a collective once"
            yield self._told("error", finished[1], message, begun, note)

    # Buffers --------------------------------------------------------------------------------------

    def _reusing(self, start: ir.Operation, ends: Sequence[ir.Operation]) -> Iterator[ir.Operation]:
        """The custom calls between start and end that write their results into an operand of the start."""
        reusing = [
            use.owner.operation
            for operand in start.operands
            for use in operand.uses
            if use.owner.operation.block == start.block and _reuses(use.owner.operation, operand)
        ]
        if not reusing or not ends:
            return
        positions = self._positions_in(start.block)
        last = positions[_around(ends[0], start.block)]
        yield from (user for user in reusing if positions[start] < positions[user] < last)

    def _positions_in(self, block: ir.Block) -> dict[ir.Operation, int]:
        if block not in self._positions:
            self._positions[block] = {view.operation: index for index, view in enumerate(block.operations)}
        return self._positions[block]

    def _told(
        self, severity: Severity, operation: ir.Operation, message: str, *notes: Diagnostic
    ) -> Diagnostic:
        return diagnostic(severity, message, str(operation.location), self._filename, notes)


def _end_within(call: ir.Operation, block: ir.Block) -> _End:
    regions: list[tuple[ir.Operation, int]] = []
    operation = call
    while operation.block != block:
        outer = _outer(operation)
        number = next(i for i, region in enumerate(outer.regions) if operation.block in list(region.blocks))
        regions.insert(0, (outer, number))
        operation = outer
    return _End(call, tuple(regions))


def _around(operation: ir.Operation, block: ir.Block) -> ir.Operation:
    """The operation of a block that is or contains another one."""
    while operation.block != block:
        operation = _outer(operation)
    return operation


def _outer(operation: ir.Operation) -> ir.Operation:
    parent = operation.parent
    assert parent is not None, "an operation in a region has a parent"
    return parent.operation


def _has_branches(operation: ir.Operation) -> bool:
    """Whether one region of an operation runs, once: the others are loops, whose blocks have arguments."""
    is_control = traits_of(operation.name).control
    return is_control and not any(block.arguments for region in operation.regions for block in region.blocks)


def _is_public(function: ir.Operation | ir.OpView) -> bool:
    """Whether other programs call a function; false for other operations."""
    return function.operation.name == "func.func" and not is_private(function.operation)


def _leaves_program(user: ir.Operation) -> bool:
    """Whether an operation returns its operands to the caller of the program."""
    parent = user.parent
    return traits_of(user.name).terminator and parent is not None and _is_public(parent)


def _name(operation: ir.Operation) -> str:
    return f"@{target_of(operation)}" if target_of(operation) else operation.name


def _passes_on(user: ir.Operation) -> bool:
    """Whether an operation only hands its operands on: to a region, a function or a caller."""
    traits = traits_of(user.name)
    return len(user.regions) > 0 or traits.control or traits.terminator or traits.tuples or traits.ordering


def _reuses(user: ir.Operation, operand: ir.Value) -> bool:
    """Whether a custom call writes a result into its operand."""
    if "output_operand_aliases" not in user.attributes:
        return False
    aliases = ir.ArrayAttr(user.attributes["output_operand_aliases"])
    return any(user.operands[OutputOperandAlias.read(alias).operand_index] == operand for alias in aliases)
