"""The state of a reduction: the best program so far, and the step to the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from hlokit.errors import HlokitError
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.programs.program import Program
from hlokit.tools.excerpts.build import Excerpt, build
from hlokit.tools.excerpts.capture import TookTooLong, capture
from hlokit.tools.excerpts.graph import Graph
from hlokit.tools.reduce.predicates import Outcome
from hlokit.tools.reduce.search import OutOfTime, Search


@dataclass(slots=True)
class State:
    """The best program so far.

    Attributes:
      graph: graph of the program.
      excerpt: the program.
      outcome: behaviour of the program.
      steps: the reductions so far, as text.
      left: the seconds until the time limit of the search; None if there is none.
      run_limit: time limit of a run in seconds, because changes can make a loop endless.
    """

    graph: Graph
    excerpt: Excerpt
    outcome: Outcome
    steps: list[str]
    left: Callable[[], float | None]
    run_limit: float = 10.0

    def accept(self, graph: Graph, excerpt: Excerpt, outcome: Outcome, step: str) -> None:
        """Continue with another program."""
        self.graph, self.excerpt, self.outcome = graph, excerpt, outcome
        if not self.steps or self.steps[-1] != step:
            self.steps.append(step)


def try_made(graph: Graph | None) -> Excerpt | None:
    """The program of a graph; None if there is none."""
    if graph is None or not graph.nodes:
        return None
    try:
        return build(graph)
    except (HlokitError, ValueError, TypeError, IndexError, KeyError, ir.MLIRError):
        return None  # a program that the bindings reject is not a candidate


def candidates(graphs: Iterable[Graph | None]) -> Iterator[tuple[Graph, Excerpt]]:
    """Graphs with their programs."""
    for graph in graphs:
        excerpt = try_made(graph)
        if graph is not None and excerpt is not None:
            yield graph, excerpt


def take_first(state: State, search: Search, what: str, graphs: Iterable[Graph | None]) -> bool:
    """Continue with the first graph that satisfies the predicate; returns whether there is one."""
    programs: dict[int, Excerpt] = {}

    def each() -> Iterator[tuple[Graph, Excerpt]]:
        for graph, excerpt in candidates(graphs):
            programs[id(graph)] = excerpt
            yield graph, excerpt

    hit = search.first(what, len(state.graph.nodes), each())
    if hit is None:
        return False
    graph, outcome = hit
    state.accept(graph, programs[id(graph)], outcome, what)
    return True


def refresh(state: State, before: State | None = None) -> bool:
    """Take the values from a run of the current program; restore `before` if the run does not complete."""
    program = Program(parse_bytecode(None, state.excerpt.module, "-", is_trusted=True))
    left = state.left()
    limit = state.run_limit if left is None else min(left, state.run_limit)
    graph, failure = capture(program, list(state.excerpt.arguments), "main", limit)
    if isinstance(failure, TookTooLong) and limit == left:
        raise OutOfTime
    if before is not None and (not graph.nodes or isinstance(failure, TookTooLong)):
        state.graph, state.excerpt, state.outcome = before.graph, before.excerpt, before.outcome
        return False
    if graph.nodes:
        state.graph = graph
    return True


def take(state: State, search: Search, what: str, graphs: Iterable[Graph | None]) -> bool:
    """As `take_first`, for reductions that change values."""
    before = replace(state, steps=list(state.steps))
    return take_first(state, search, what, graphs) and refresh(state, before)
