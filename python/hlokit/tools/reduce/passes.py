"""Reductions of the number of operations: each turns a graph with the fault into a smaller one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.tools.excerpts.build import Excerpt
from hlokit.tools.excerpts.capture import EXPANDABLE, expansions
from hlokit.tools.reduce.search import Search, shrink
from hlokit.tools.reduce.state import State, refresh, take_first, try_made
from hlokit.values.types import TensorType

# Operations and results -------------------------------------------------------------------------------


def fewer_operations(state: State, search: Search) -> bool:
    """Remove operations, whose results become arguments with the values of the run."""
    base = state.graph
    if len(base.nodes) < 2:
        return False
    kept = shrink(search, "operations", len(base.nodes), lambda part: try_made(base.only(part)))
    graph = base.only(kept)
    if graph is None or len(graph.nodes) == len(base.nodes):
        return False
    return take_first(state, search, "operations", [graph])


def fewer_results(state: State, search: Search) -> bool:
    """Remove results, and operations that only these results need."""
    base = state.graph
    if len(base.results) < 2:
        return False
    kept = shrink(
        search,
        "results",
        len(base.results),
        lambda part: try_made(base.giving([base.results[position] for position in part])),
    )
    if len(kept) == len(base.results):
        return False
    return take_first(state, search, "results", [base.giving([base.results[position] for position in kept])])


def earlier_results(state: State, search: Search) -> bool:
    """Return an operand of the last operation instead of its result, and remove the operation."""
    graph = state.graph
    produced = graph.produced
    values = [
        value
        for node in reversed(graph.nodes)
        for value in node.operands
        if value in produced and isinstance(graph.types[value], TensorType)
    ]
    smaller = [graph.giving([value]) for value in dict.fromkeys(values)]
    return take_first(
        state,
        search,
        "results",
        [candidate for candidate in smaller if len(candidate.nodes) < len(graph.nodes)],
    )


def expanded(state: State, search: Search) -> bool:
    """Replace calls, branches and loops by their contents."""
    for position, node in enumerate(state.graph.nodes):
        if node.name in EXPANDABLE and take_first(
            state, search, "calls, branches, loops", expansions(state.graph, position)
        ):
            return True
    return False


# Regions ----------------------------------------------------------------------------------------------


def simpler_regions(state: State, search: Search) -> bool:
    """In regions and called functions, replace a result by an operand."""
    changed = False
    start = 0
    while True:
        base = state.excerpt
        hit = search.first("regions", len(state.graph.nodes), _bypasses(base, start))
        if hit is None:
            return changed
        (position, excerpt), outcome = hit
        before = replace(state, steps=list(state.steps))
        state.excerpt, state.outcome = excerpt, outcome
        if refresh(state, before):
            changed, start = True, position
            state.steps.append("regions")
        else:
            start = position + 1


def _bypasses(base: Excerpt, start: int) -> Iterator[tuple[tuple[int, Excerpt], Excerpt]]:
    position = start
    while True:
        choice = 0
        while True:
            module = parse_bytecode(None, base.module, "-", is_trusted=True)
            inner = _inner_operations(module)
            if position >= len(inner):
                return
            operation = inner[position]
            others = _substitutes(operation)
            if choice >= len(others):
                break
            operation.results[0].replace_all_uses_with(others[choice])
            operation.erase()
            excerpt = Excerpt(write_bytecode(module), base.arguments)
            yield (position, excerpt), excerpt
            choice += 1
        position += 1


def _inner_operations(module: ir.Module) -> list[ir.Operation]:
    """Operations in regions, and in functions other than main, from the last to the first."""
    operations: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        parent = operation.parent
        if parent is None or len(operation.results) != 1 or operation.name == "stablehlo.constant":
            return
        outer = parent.operation
        if outer.name == "func.func" and outer.attributes["sym_name"].value == "main":
            return
        if outer.name != "builtin.module":
            operations.append(operation)

    walk(module.operation, visit)
    return list(reversed(operations))


def _substitutes(operation: ir.Operation) -> list[ir.Value]:
    """Replacements of a result: operands, then arguments of the block."""
    type_ = operation.results[0].type
    values = [value for value in operation.operands if value.type == type_]
    values += [value for value in operation.block.arguments if value.type == type_]
    return list(dict.fromkeys(values))
