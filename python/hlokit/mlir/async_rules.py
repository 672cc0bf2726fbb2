"""Rules of asynchronous collectives: each ends once on every way, and nothing uses it before.

The value that a collective begins is *unfinished* until it ends. It may pass through calls, branches and
loops; on each way it goes on, or ends, exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hlokit.errors import Diagnostic, Severity
from hlokit.mlir.conversion.dimension_numbers import OutputOperandAlias
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import operations_within
from hlokit.mlir.round_trip import target_of
from hlokit.operations.lookup import traits_of


class Pair(NamedTuple):
    """The targets of the custom calls that begin and end a collective."""

    start: str
    done: str


class Unfinished(NamedTuple):
    """What an unfinished value stands for: the call that began it, and its pair."""

    start: ir.Operation
    pair: Pair


class _Step(NamedTuple):
    """An operation that ends an unfinished value or hands it on, and the regions around it from outside."""

    operation: ir.Operation
    regions: tuple[tuple[ir.Operation, int], ...]

    @property
    def outermost(self) -> ir.Operation:
        return self.regions[0][0] if self.regions else self.operation


class Rules:
    """The rules, for the starts of one module."""

    def __init__(
        self, starts: Sequence[Unfinished], functions: dict[str, ir.Operation], filename: str
    ) -> None:
        self._filename = filename
        self._flow = _Flow(functions)
        self._unfinished: dict[ir.Value, Unfinished] = {}
        # The position of each operation, of blocks in which an operand's buffer may be reused.
        self._positions: dict[ir.Block, dict[ir.Operation, int]] = {}
        pending = [(begun.start.results[0], begun) for begun in starts]
        while pending:
            value, begun = pending.pop()
            if value not in self._unfinished:
                self._unfinished[value] = begun
                pending += [(target, begun) for use in value.uses for target in self._flow.targets(use)]

    def problems(self) -> Iterator[Diagnostic]:
        """What is wrong about the unfinished values."""
        for value, begun in self._unfinished.items():
            yield from self._of_value(value, begun)
            yield from self._of_sources(value, begun)

    def problems_of_end(self, done: ir.Operation, pair: Pair) -> Iterator[Diagnostic]:
        """What is wrong about a call that ends a collective."""
        begun = self._unfinished.get(done.operands[0])
        if begun is None or begun.pair != pair:
            note = self._told("note", _origin(done.operands[0]), "its operand comes from here")
            yield self._told("error", done, f"@{pair.done} must finish a @{pair.start}", note)

    # One value ------------------------------------------------------------------------------------

    def _of_value(self, value: ir.Value, begun: Unfinished) -> Iterator[Diagnostic]:
        """What is wrong about an unfinished value: nothing takes it on, too much does, or it is used."""
        note = self._told("note", begun.start, "the collective starts here")
        users = [(use.owner.operation, self._flow.targets(use)) for use in value.uses][::-1]  # last first
        takers = [
            user
            for user, targets in users
            if (targets or target_of(user) == begun.pair.done) and not _is_loop_condition(value)
        ]
        others = [user for user, _ in users if user not in takers]
        if not takers and all(user.name == "func.return" for user in others):
            if not _is_loop_condition(value):
                yield self._never_finished(value, begun, others)
            others = []
        for user in others:
            message = f"{_name(user)} must not use the result of @{begun.pair.start}, which is not finished"
            yield self._told("error", user, message, note)
        yield from self._steps([_step_within(user, _block_of(value)) for user in takers], begun, note)
        for user in self._reusing(begun) if value == begun.start.results[0] else ():
            message = (
                f"{_name(user)} must not reuse the buffer of an operand of @{begun.pair.start}, "
                "which is not finished"
            )
            yield self._told("error", user, message, note)

    def _never_finished(
        self, value: ir.Value, begun: Unfinished, returned: Sequence[ir.Operation]
    ) -> Diagnostic:
        """An unfinished value that nothing takes on, and where it was last."""
        notes = [self._told("note", user, "it is returned here") for user in returned]
        last = _origin(value)
        if not returned and last != begun.start:
            notes.append(self._told("note", last, f"{_name(last)} gets its result, and does not hand it on"))
        message = f"@{begun.pair.start} must be finished by @{begun.pair.done}, but no operation does"
        return self._told("error", begun.start, message, *notes)

    def _of_sources(self, value: ir.Value, begun: Unfinished) -> Iterator[Diagnostic]:
        """Ways on which a finished value comes where an unfinished one comes on others."""
        for source, user in self._flow.sources(value):
            if source not in self._unfinished:
                message = f"{_name(user)} must hand on a result of @{begun.pair.start} here, as other ways do"
                yield self._told(
                    "error", user, message, self._told("note", begun.start, "the collective starts here")
                )

    # Ways -----------------------------------------------------------------------------------------

    def _steps(self, steps: Sequence[_Step], begun: Unfinished, note: Diagnostic) -> Iterator[Diagnostic]:
        """What is wrong about the steps of an unfinished value in its block, or in one branch."""
        pair = begun.pair
        here: list[ir.Operation] = []
        by_operation: dict[ir.Operation, list[_Step]] = {}
        for step in steps:
            if step.regions:
                by_operation.setdefault(step.regions[0][0], []).append(step)
            else:
                here.append(step.operation)
        for operation, inner in by_operation.items():
            user = inner[0].operation
            if not _has_branches(operation):
                message = f"{_name(user)} must finish a collective once, but {operation.name} repeats it"
                yield self._told("error", user, message, note)
                continue
            branches: dict[int, list[_Step]] = {}
            for step in inner:
                branches.setdefault(step.regions[0][1], []).append(_Step(step.operation, step.regions[1:]))
            for branch in branches.values():
                yield from self._steps(branch, begun, note)
            if len(branches) < len(operation.regions):
                message = f"{operation.name} must finish @{pair.start} in every branch, or in none"
                told = self._told("note", user, f"{_name(user)} is here")
                yield self._told("error", operation, message, note, told)
            else:
                here.append(user)
        if len(here) > 1:
            first = self._told("note", here[0], "it is finished or handed on here already")
            message = f"{_name(here[1])} must finish a collective once"
            yield self._told("error", here[1], message, note, first)

    # Buffers --------------------------------------------------------------------------------------

    def _reusing(self, begun: Unfinished) -> Iterator[ir.Operation]:
        """The custom calls between a start and its end that write results into an operand of the start."""
        start, block = begun.start, begun.start.block
        reusing = [
            use.owner.operation
            for operand in start.operands
            for use in operand.uses
            if use.owner.operation.block == block and _reuses(use.owner.operation, operand)
        ]
        if reusing:
            positions = self._positions_in(block)
            last = max(
                (
                    positions[_step_within(use.owner.operation, block).outermost]
                    for value, other in self._unfinished.items()
                    if other == begun and _block_of(value) == block
                    for use in value.uses
                ),
                default=0,
            )
            yield from (user for user in reusing if positions[start] < positions[user] < last)

    def _positions_in(self, block: ir.Block) -> dict[ir.Operation, int]:
        if block not in self._positions:
            self._positions[block] = {view.operation: index for index, view in enumerate(block.operations)}
        return self._positions[block]

    def _told(
        self, severity: Severity, operation: ir.Operation, message: str, *notes: Diagnostic
    ) -> Diagnostic:
        return diagnostic(severity, message, str(operation.location), self._filename, notes)


class _Flow:
    """How values go through calls, branches and loops."""

    def __init__(self, functions: dict[str, ir.Operation]) -> None:
        self._functions = functions
        self._calls: dict[str, list[ir.Operation]] = {}
        for function in functions.values():
            for operation in operations_within(function):
                if operation.name == "func.call":
                    self._calls.setdefault(operation.attributes["callee"].value, []).append(operation)

    def targets(self, use: ir.OpOperand) -> list[ir.Value]:
        """The values that have an operand's value elsewhere; none if the operation does not hand it on."""
        user, number = use.owner.operation, use.operand_number
        if user.name == "func.call":
            return [block.arguments[number] for block in self._blocks_of_callee(user)]
        if user.name == "stablehlo.while":
            return _carried(user, number)
        if not traits_of(user.name).terminator:
            return []
        parent = _outer(user)
        if parent.name == "func.func":
            return [call.results[number] for call in self._calls.get(_symbol(parent), ())]
        if parent.name == "stablehlo.while" and user.block == parent.regions[1].blocks[0]:
            return _carried(parent, number)
        return [parent.results[number]] if _has_branches(parent) else []

    def sources(self, value: ir.Value) -> Iterator[tuple[ir.Value, ir.Operation]]:
        """The values that another one may have, each with the operation that hands it on."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            if owner.owner.operation.name == "func.func":
                number = ir.BlockArgument(value).arg_number
                calls = self._calls.get(_symbol(owner.owner.operation), ())
                yield from ((call.operands[number], call) for call in calls)
            return
        operation, number = owner.operation, ir.OpResult(value).result_number
        if operation.name == "stablehlo.while":
            yield operation.operands[number], operation
            yield from _returned(operation.regions[1].blocks[0], number)
        elif operation.name == "func.call":
            for block in self._blocks_of_callee(operation):
                yield from _returned(block, number)
        elif _has_branches(operation):
            for region in operation.regions:
                yield from _returned(region.blocks[0], number)

    def _blocks_of_callee(self, call: ir.Operation) -> list[ir.Block]:
        callee = self._functions.get(call.attributes["callee"].value)
        return list(callee.regions[0].blocks)[:1] if callee is not None else []


def _carried(loop: ir.Operation, number: int) -> list[ir.Value]:
    """The values of a loop that a value carried by it has."""
    return [*(region.blocks[0].arguments[number] for region in loop.regions), loop.results[number]]


def _returned(block: ir.Block, number: int) -> Iterator[tuple[ir.Value, ir.Operation]]:
    end = block.operations[len(block.operations) - 1].operation
    yield end.operands[number], end


def _is_loop_condition(value: ir.Value) -> bool:
    """Whether a value is that of a condition, which the body has as well."""
    block = value.owner
    if not isinstance(block, ir.Block) or block.owner.operation.name != "stablehlo.while":
        return False
    return block == block.owner.operation.regions[0].blocks[0]


def _block_of(value: ir.Value) -> ir.Block:
    owner = value.owner
    return owner if isinstance(owner, ir.Block) else owner.operation.block


def _origin(value: ir.Value) -> ir.Operation:
    owner = value.owner
    return owner.owner.operation if isinstance(owner, ir.Block) else owner.operation


def _step_within(user: ir.Operation, block: ir.Block) -> _Step:
    regions: list[tuple[ir.Operation, int]] = []
    operation = user
    while operation.block != block:
        outer = _outer(operation)
        number = next(i for i, region in enumerate(outer.regions) if operation.block in list(region.blocks))
        regions.insert(0, (outer, number))
        operation = outer
    return _Step(user, tuple(regions))


def _outer(operation: ir.Operation) -> ir.Operation:
    parent = operation.parent
    assert parent is not None, "an operation in a region has a parent"
    return parent.operation


def _has_branches(operation: ir.Operation) -> bool:
    """Whether one region of an operation runs, once: the others are loops, whose blocks have arguments."""
    is_control = traits_of(operation.name).control and len(operation.regions) > 0
    return is_control and not any(block.arguments for region in operation.regions for block in region.blocks)


def _symbol(function: ir.Operation) -> str:
    return str(ir.StringAttr(function.attributes["sym_name"]).value)


def _name(operation: ir.Operation) -> str:
    if operation.name == "func.func":
        return f"@{_symbol(operation)}"
    return f"@{target_of(operation)}" if target_of(operation) else operation.name


def _reuses(user: ir.Operation, operand: ir.Value) -> bool:
    """Whether a custom call writes a result into its operand."""
    if "output_operand_aliases" not in user.attributes:
        return False
    aliases = ir.ArrayAttr(user.attributes["output_operand_aliases"])
    return any(user.operands[OutputOperandAlias.read(alias).operand_index] == operand for alias in aliases)
