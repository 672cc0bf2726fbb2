"""Finds, without a run, collectives that deadlock or do not match on a process grid.

Rules, by name:

    spmd-group-ids       groups name a process that the grid does not have, or name a process twice
    spmd-group-cover     groups omit a process, although the operation requires all processes
    spmd-group-size      groups have another number of processes than the types of the operation require
    spmd-pairs           source_target_pairs name a source or a target twice
    spmd-channel         a collective and a transfer use one channel id (many collectives may: JAX gives all
                         of them one id)
    spmd-branches        a branch of an `if` or `case` contains a collective, and the predicate differs
                         between processes of a group: they do not meet, even if each branch has a collective
                         of the same form; a warning if it depends on arguments, which may be the same
    spmd-loop            a loop contains a collective, and processes of a group leave it at different times; a
                         warning as above
    spmd-transfer        a send whose value no process receives, or a recv without a send
    spmd-order           in programs that `interpreter.run_parallel` starts together, processes of one group
                         reach collectives of the same channels in different orders
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.display.shown import Shown
from hlokit.engine.plan.locations import source_text
from hlokit.errors import EvaluationError, Severity, UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import (
    callee_names,
    functions,
    location_of,
    makes_grids,
    operations_within,
    walk,
)
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.shard.cost_model.traffic import channel_of, groups_of, traffic_of
from hlokit.tools.shard.divergence import Divergence, mesh_grid, processes_of
from hlokit.tools.shard.spreads import Reason


@dataclass(frozen=True, slots=True, repr=False)
class Problem(Shown):
    """A problem of a collective.

    Attributes:
      rule: one of the rules of this module.
      message: describes the requirement.
      location: location in MLIR's syntax.
      function: the function that contains the collective.
      severity: `error`, or `warning` for programs that run in hlokit but may fail elsewhere.
    """

    rule: str
    message: str
    location: str
    function: str
    severity: Severity = "error"

    def __str__(self) -> str:
        return f"{self.message} [{self.rule}] (in @{self.function})"


def lint_spmd(program: Program, grid: tuple[int, int] | None = None) -> list[Problem]:
    """The problems of a program's collectives.

    Args:
      grid: replicas and partitions; by default as the program states.
    """
    grid = grid or program.stated_grid or _smallest_grid(program)
    return list(_Linter(program.module, grid, program.filename).problems())


def _smallest_grid(program: Program) -> tuple[int, int]:
    """The smallest grid with every process in groups, for programs that state no grid."""
    collectives = [op for op in operations_within(program.module.operation) if traits_of(op.name).collective]
    groups = [group for collective in collectives for group in groups_of(collective).groups or ()]
    return (max([0, *(process for group in groups for process in group)]) + 1, 1)


class _Linter:
    def __init__(self, module: ir.Module, grid: tuple[int, int], filename: str) -> None:
        self._functions = functions(module)
        self._filename = filename
        self._grid = grid
        self._channels: dict[int, tuple[str, str]] = {}  # what first uses one, and its line
        self._mixed: set[int] = set()
        self._grids = self._grids_of_programs()
        self._divergence = Divergence(self._functions, self._own_functions(module), grid, self._grids)

    def problems(self) -> Iterator[Problem]:
        for name, function in self._functions.items():
            for block in function.regions[0].blocks:
                yield from self._block(block, name, self._grids.get(name, self._grid))
        yield from self._transfers()
        yield from self._orders()

    def _own_functions(self, module: ir.Module) -> list[str]:
        """The functions that each process runs: those that no other calls, unless the program makes grids."""
        if self._grid == (1, 1) or makes_grids(module):
            return list(self._grids)
        called = {name for function in self._functions.values() for name in callee_names(function)}
        return [name for name in self._functions if name not in called]

    def _block(self, block: ir.Block, function: str, grid: tuple[int, int]) -> Iterator[Problem]:
        for view in block.operations:
            operation = view.operation
            if traits_of(operation.name).collective:
                yield from self._collective(operation, function, grid)
            elif traits_of(operation.name).channel:
                yield from self._channel(operation, operation.name, function)
            if operation.name in ("stablehlo.if", "stablehlo.case"):
                yield from self._branches(operation, function)
            elif operation.name == "stablehlo.while":
                yield from self._loop(operation, function)
            inner_grid = mesh_grid(operation) or grid
            for region in operation.regions:
                for inner in region.blocks:
                    yield from self._block(inner, function, inner_grid)

    # One collective ------------------------------------------------------------------------------------

    def _collective(self, operation: ir.Operation, function: str, grid: tuple[int, int]) -> Iterator[Problem]:
        try:
            groups = groups_of(operation)
            processes = groups.processes(*grid)
        except (EvaluationError, UnsupportedError) as error:
            yield self._problem("spmd-group-ids", error.message, operation, function)
            return
        yield from self._channel(operation, operation.name, function)
        if operation.name.partition(".")[2] == "collective_permute":
            problems = _problems_of_pairs(groups.groups or ())
        else:
            problems = _problems_of_groups(operation, groups.name, processes, grid)
        for rule, message in problems:
            yield self._problem(rule, message, operation, function)

    def _problem(
        self, rule: str, message: str, operation: ir.Operation, function: str, severity: Severity = "error"
    ) -> Problem:
        location = location_of(operation, self._filename)
        return Problem(rule, f"{operation.name}: {message}", location, function, severity)

    def _channel(self, operation: ir.Operation, kind: str, function: str) -> Iterator[Problem]:
        channel = channel_of(operation)
        if channel == 0:
            return
        kind = "a transfer" if traits_of(kind).channel else kind
        line = source_text(location_of(operation, self._filename)) or "an unknown line"
        first, where = self._channels.setdefault(channel, (kind, line))
        if first != kind and "a transfer" in (first, kind) and channel not in self._mixed:
            self._mixed.add(channel)
            message = (
                f"channel {channel} must serve collectives or a transfer, but {first} uses it at {where}"
            )
            yield self._problem("spmd-channel", message, operation, function)

    # Divergent processes -------------------------------------------------------------------------------

    def _branches(self, operation: ir.Operation, function: str) -> Iterator[Problem]:
        inside = [collective for region in operation.regions for collective in self._within(region)]
        yield from self._divided(operation, operation.operands[0], inside, function)

    def _loop(self, operation: ir.Operation, function: str) -> Iterator[Problem]:
        condition = operation.regions[0].blocks[0]
        end = condition.operations[len(condition.operations) - 1].operation
        inside = [collective for region in operation.regions for collective in self._within(region)]
        yield from self._divided(operation, end.operands[0], inside, function)

    def _divided(
        self, operation: ir.Operation, decision: ir.Value, inside: Sequence[ir.Operation], function: str
    ) -> Iterator[Problem]:
        """The first collective of a branch or loop whose processes go different ways."""
        spread = self._divergence.spread(decision)
        if spread is None:
            return
        grid = self._divergence.grid_of(operation)
        for collective in inside:
            groups = processes_of(collective, grid) or ()
            divided = next((group for group in groups if spread.separates(group)), None)
            if divided is None:
                continue
            processes = [divmod(process, grid[1]) for process in divided]
            named = ", ".join(map(str, processes[:4])) + ", ..." * (len(processes) > 4)
            rule, what, where = (
                ("spmd-loop", "condition", "the loop")
                if operation.name == "stablehlo.while"
                else ("spmd-branches", "predicate", "its branches")
            )
            message = (
                f"the {what} {_differs(spread.reason)}, so {where} must have no collective of processes that "
                f"it divides, got {collective.name} of {named}"
            )
            yield self._problem(rule, message, operation, function, _severity(spread.reason))
            return

    def _within(self, region: ir.Region, callers: tuple[str, ...] = ()) -> Iterator[ir.Operation]:
        """The collectives that a region reaches, in order."""
        for block in region.blocks:
            for view in block.operations:
                operation = view.operation
                if traits_of(operation.name).collective:
                    yield operation
                    continue
                if operation.name == "func.call":
                    callee = operation.attributes["callee"].value
                    if callee in self._functions and callee not in callers:
                        yield from self._within(self._functions[callee].regions[0], (*callers, callee))
                for inner in operation.regions:
                    yield from self._within(inner, callers)

    def _grids_of_programs(self) -> dict[str, tuple[int, int]]:
        """The grid of each function that `interpreter.run_parallel` starts."""
        grids: dict[str, tuple[int, int]] = {}
        for function in self._functions.values():
            for operation in _all(function, "interpreter.run_parallel"):
                rows = _programs(operation)
                grids |= {name: (len(rows), len(rows[0])) for row in rows for name in row}
        return grids

    # Transfers -----------------------------------------------------------------------------------------

    def _transfers(self) -> Iterator[Problem]:
        """Transfers between processes whose other half no process has."""
        halves: dict[tuple[int, bool], tuple[ir.Operation, str]] = {}
        for name, function in self._functions.items():
            for operation in operations_within(function):
                traits = traits_of(operation.name)
                if traits.channel and not Attributes(operation).bool_("is_host_transfer", False):
                    halves.setdefault((channel_of(operation), traits.receives), (operation, name))
        for (channel, receives), (operation, name) in halves.items():
            if (channel, not receives) not in halves:
                other = "send" if receives else "recv"
                message = f"channel {channel} must have a stablehlo.{other} as well, got none"
                yield self._problem("spmd-transfer", message, operation, name)

    # Parallel programs ---------------------------------------------------------------------------------

    def _orders(self) -> Iterator[Problem]:
        for name, function in self._functions.items():
            for view in _all(function, "interpreter.run_parallel"):
                yield from self._grid_of_programs(view, name)

    def _grid_of_programs(self, operation: ir.Operation, function: str) -> Iterator[Problem]:
        rows = _programs(operation)
        grid = (len(rows), len(rows[0]) if rows else 0)
        reached: dict[tuple[int, int], list[ir.Operation]] = {
            (replica, partition): list(self._within(self._functions[name].regions[0]))
            for replica, row in enumerate(rows)
            for partition, name in enumerate(row)
            if name in self._functions
        }
        for process, own in reached.items():
            for later, others in reached.items():
                if later <= process:
                    continue
                shared = [
                    [_shape(operation) for operation in mine if _meets(operation, process, later, grid)]
                    for mine in (own, others)
                ]
                if shared[0] != shared[1]:
                    message = (
                        f"processes {process} and {later} must reach the collectives of their common groups "
                        f"in one order, got {_listed(shared[0])} and {_listed(shared[1])}"
                    )
                    yield self._problem("spmd-order", message, operation, function)
                    return


def _problems_of_pairs(pairs: Sequence[Sequence[int]]) -> Iterator[tuple[str, str]]:
    """Rules that the pairs of a permutation break, and messages."""
    for end, which in ((0, "source"), (1, "target")):
        twice = _named_twice(Counter(pair[end] for pair in pairs))
        if twice:
            yield "spmd-pairs", f"source_target_pairs must name each {which} once, got {twice[0]} again"


def _problems_of_groups(
    operation: ir.Operation, name: str, groups: Sequence[Sequence[Any]], grid: tuple[int, int]
) -> Iterator[tuple[str, str]]:
    """Rules that the groups of a collective break, and messages; `name` is that of the groups."""
    kind = operation.name.partition(".")[2]
    counts = Counter(id_ for group in groups for id_ in group)
    twice = _named_twice(counts)
    if twice:
        yield "spmd-group-ids", f"{name} must name each process once, got {twice[0]} again"
    all_ids = [(replica, partition) for replica in range(grid[0]) for partition in range(grid[1])]
    missing = [id_ for id_ in all_ids if id_ not in counts]
    if missing and traffic_of(kind).covers_all:
        yield (
            "spmd-group-cover",
            f"{name} must cover each of {grid[0]} x {grid[1]} processes, got none with {missing[0]}",
        )
    required = _required_size(operation, kind)
    wrong = [len(group) for group in groups if required is not None and len(group) != required]
    if wrong:
        yield (
            "spmd-group-size",
            f"{name} must form groups of {required} processes, as the types require, got {wrong[0]}",
        )


def _named_twice(counts: Counter[Any]) -> list[Any]:
    return [id_ for id_, count in counts.items() if count > 1]


def _differs(reason: Reason) -> str:
    return f"{'differs' if reason.is_sure else 'may differ'} between processes (it depends on {reason})"


def _severity(reason: Reason) -> Severity:
    return "error" if reason.is_sure else "warning"


def _programs(operation: ir.Operation) -> list[list[str]]:
    """The names of the functions of each process of an `interpreter.run_parallel`."""
    rows: Any = operation.attributes["programs"]
    return [[str(symbol.value) for symbol in row] for row in rows]


def _all(operation: ir.Operation, name: str) -> list[ir.Operation]:
    operations: list[ir.Operation] = []

    def visit(inner: ir.Operation) -> None:
        if inner.name == name:
            operations.append(inner)

    walk(operation, visit)
    return operations


def _meets(
    operation: ir.Operation, first: tuple[int, int], second: tuple[int, int], grid: tuple[int, int]
) -> bool:
    try:
        return any(first in group and second in group for group in groups_of(operation).processes(*grid))
    except (EvaluationError, UnsupportedError):
        return False


def _shape(operation: ir.Operation) -> tuple[Any, ...]:
    """The properties of a collective that must be the same in all processes that meet at it."""
    types = tuple(str(operand.type) for operand in operation.operands)
    try:
        groups = groups_of(operation).groups
    except UnsupportedError:
        groups = None
    body = tuple(inner.name for inner in operations_within(operation) if inner != operation)
    return operation.name, channel_of(operation), groups, types, body


def _listed(shapes: list[tuple[Any, ...]]) -> str:
    texts = [
        f"{name} on channel {channel}{f' by {body[0]}' if body else ''}"
        for name, channel, *_, body in shapes[:4]
    ]
    return ", ".join(texts) or "none"


def _required_size(operation: ir.Operation, kind: str) -> int | None:
    """The number of processes of a group that the types require; None if they do not determine it."""
    attributes = Attributes(operation)
    if kind == "all_to_all":
        return attributes.int_("split_count")
    if kind not in ("all_gather", "reduce_scatter"):
        return None
    name = "all_gather_dim" if kind == "all_gather" else "scatter_dimension"
    dimension = attributes.int_(name)
    sizes = [
        ir.RankedTensorType(value.type).shape[dimension]
        for value in (operation.operands[0], operation.results[0])
    ]
    small, large = sorted(sizes)
    return large // small if small > 0 else None
