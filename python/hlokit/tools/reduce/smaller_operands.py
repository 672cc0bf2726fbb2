"""Smaller operands for an operation whose results differ from those of another program or a recorded run.

One program contains both sides, so that both become smaller together. For another program, this program
computes the operation and its counterpart on the same operands: a smaller program is valid if both results
still differ. For a recorded run, it returns the results of the operation, of the original run and of the
recording: a smaller program is valid if the operation has the same bits as in the original run, and the
recording differs.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.interpreter.planner import operation_of
from hlokit.errors import HlokitError
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions
from hlokit.programs.program import Program
from hlokit.tools.diff.comparing.verdicts import Verdict
from hlokit.tools.diff.flow.digests import digest_of
from hlokit.tools.excerpts.build import Excerpt, build
from hlokit.tools.excerpts.graph import Graph, Node
from hlokit.tools.excerpts.self_checking import checked_graph
from hlokit.tools.recording.places import CONTROL_FLOW, Operations
from hlokit.tools.reduce import elements, shapes
from hlokit.tools.reduce.one_operation import Evaluation, Judged, evaluation_at, judged
from hlokit.tools.reduce.predicates import Outcome
from hlokit.tools.reduce.search import InProcess, OutOfTime, Search
from hlokit.tools.reduce.state import State

# The time limit of the search, in seconds.
_LIMIT = 60.0
# Operands of both programs within this relative distance count as equal up to earlier rounding.
_CLOSE = 1e-3


class Smallest(NamedTuple):
    """A program of one or more operations that compares its results with those of another run."""

    text: str
    operations: int
    outcome: Outcome
    largest: int
    tried: int
    is_finished: bool


def shared_operands(mine: Evaluation, there: Evaluation) -> tuple[int, ...] | None:
    """The number of each operand of the other program among the operands of `mine`; None if one is
    missing."""
    positions = [_same(array, mine.operands, position) for position, array in enumerate(there.operands)]
    shared = tuple(number for number in positions if number is not None)
    return shared if len(shared) == len(positions) else None


def with_counterpart(mine: Evaluation, program: Program, there: Evaluation, other: Program) -> Graph | None:
    """A program of an operation and its counterpart in another program, on the same operands.

    None if the operands differ, or if called functions may have the same name.
    """
    shared = shared_operands(mine, there)
    if shared is None or len(there.results) != len(mine.results):
        return None
    names = set(functions(program.module)) & set(functions(other.module))
    copy = _copy(other, operation_of(mine.step).context)
    number = Operations(other.module).number_of(operation_of(there.step))
    if copy is None or number is None:
        return None
    operation = Operations(copy).all[number]
    if len(names) > 1 and "@" in str(operation):
        return None
    count, types = len(mine.operands), mine.types
    ours = range(count, len(types))
    theirs = range(len(types), len(types) + len(ours))
    types_of_both = [*types, *there.types[len(there.operands) :]]
    nodes = (
        Node(operation_of(mine.step), tuple(range(count)), tuple(ours)),
        Node(operation, shared, tuple(theirs)),
    )
    arrays = dict(enumerate([*mine.operands, *mine.results, *there.results]))
    return Graph(nodes, (*ours, *theirs), dict(enumerate(types_of_both)), arrays, (program, copy))


def of_results(graph: Graph, number: int, known_digests: Collection[bytes], recorded: Any) -> Graph | None:
    """A program of the operations from known values to a result, which also returns this result as computed
    and as recorded in the other run.

    None if the program takes values that are not tensors, or ends with a call, a branch or a loop.

    Args:
      known_digests: digests of values that the other side computes too; they become arguments.
    """
    produced = graph.produced
    wanted: set[int] = set()
    waiting = [produced[graph.results[number]]] if graph.results[number] in produced else []
    while waiting:
        position = waiting.pop()
        if position in wanted:
            continue
        wanted.add(position)
        for value in graph.nodes[position].operands:
            is_known = value in graph.arrays and digest_of(graph.arrays[value]) in known_digests
            if value in produced and not is_known:
                waiting.append(produced[value])
    part = graph.only(wanted)
    if part is None:
        return None
    result = graph.results[number]
    part = part.giving([result])
    if len(part.nodes[-1].results) != 1 or part.nodes[-1].name in CONTROL_FLOW:
        return None
    first = max(graph.types) + 1
    types = {**part.types, first: part.types[result], first + 1: part.types[result]}
    arrays = {**part.arrays, first: graph.arrays[result], first + 1: recorded}
    return replace(part, results=(result, first, first + 1), types=types, arrays=arrays)


def with_recorded(mine: Evaluation, program: Program, recorded: Sequence[Any]) -> Graph:
    """A program of an operation that also returns its original and its recorded results."""
    count, types = len(mine.operands), mine.types
    result_types = types[count:]
    kept = range(len(types), len(types) + 2 * len(result_types))
    nodes = (Node(operation_of(mine.step), tuple(range(count)), tuple(range(count, len(types)))),)
    arrays = dict(enumerate([*mine.operands, *mine.results, *mine.results, *recorded]))
    return Graph(
        nodes,
        (*range(count, len(types)), *kept),
        dict(enumerate([*types, *result_types, *result_types])),
        arrays,
        program,
    )


def _same(array: Any, among: Sequence[Any], position: int) -> int | None:
    """The number of the operand with a value, or a close one; the operand at the same position comes
    first."""
    numbers = sorted(range(len(among)), key=lambda number: number != position)
    fitting = [n for n in numbers if among[n].shape == array.shape and among[n].dtype == array.dtype]
    equal = [n for n in fitting if among[n].tobytes() == array.tobytes()]
    return next(iter([*equal, *[n for n in fitting if _is_close(among[n], array)]]), None)


def _is_close(one: Any, other: Any) -> bool:
    if one.dtype.kind in "biu":
        return False
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        one, other = one.astype(wide), other.astype(wide)
        largest = np.abs(one[np.isfinite(one)]).max(initial=0)
        return bool(np.allclose(one, other, rtol=_CLOSE, atol=_CLOSE * largest, equal_nan=True))


def _copy(program: Program, context: ir.Context) -> ir.Module | None:
    """The program in another context; None if that context lacks one of the program's dialects."""
    try:
        return parse_bytecode(context, write_bytecode(program.module), "-", is_trusted=True)
    except HlokitError:
        return None


class _Test:
    """Tells whether a program still shows a difference; see `smallest` for the arguments."""

    def __init__(self, verdict: Verdict, count: int, *, is_recorded: bool) -> None:
        self._verdict = verdict
        self._count = count
        self._is_recorded = is_recorded

    def evaluated(self, candidate: Excerpt) -> tuple[Evaluation, Judged] | None:
        """The evaluation of a program's operation and its judgement; None if its results are not those of
        the recording."""
        program = Program(parse_bytecode(None, candidate.module, "-", is_trusted=True))
        values = program.runs.evaluate(list(candidate.arguments), "main")
        block = functions(program.module)["main"].regions[0].blocks[0]
        operations = [view.operation for view in block.operations]
        # The counterpart comes after the operation; operations that compute its operands may precede it.
        operation = operations[-2 if self._is_recorded else 0]
        number = Operations(program.module).number_within(operation)
        here = evaluation_at(program, candidate.arguments, "main", (number,))
        count = self._count
        if self._is_recorded and any(
            _bits(ours) != _bits(kept)
            for ours, kept in zip(values[:count], values[count : 2 * count], strict=True)
        ):
            return None
        return here, judged(here, [np.array(value) for value in values[-count:]])

    def outcome(self, candidate: Excerpt) -> Outcome:
        """Whether a program shows the difference."""
        try:
            evaluated = self.evaluated(candidate)
        except HlokitError as error:
            return Outcome(False, str(error))
        if evaluated is None:
            return Outcome(False)
        _, judgement = evaluated
        if judgement.first is None:
            return Outcome(False)
        compared = judgement.compared[judgement.first]
        return judgement.outcome(compared.index) if compared.verdict == self._verdict else Outcome(False)


def smallest(graph: Graph, verdict: Verdict, count: int, *, is_recorded: bool) -> Smallest | None:
    """The operation on the fewest and simplest elements that show the difference; None if no program shows
    it.

    Args:
      graph: a graph from `with_counterpart`, or with `is_recorded` from one of the other functions.
      verdict: the difference.
      count: the number of results that are compared.
    """

    test = _Test(verdict, count, is_recorded=is_recorded)
    is_finished = True
    search = Search(InProcess(test.outcome), time.monotonic() + _LIMIT, _show_nothing)
    try:
        excerpt = build(graph)
        state = State(graph, excerpt, test.outcome(excerpt), [], search.left)
        if not state.outcome.holds:
            return None
        try:
            if is_recorded:
                shapes.smaller_windows(state, search, count)
            else:
                shapes.smaller_shapes(state, search)
                shapes.lower_ranks(state, search)
                elements.simpler_values(state, search)
        except (KeyboardInterrupt, OutOfTime):
            is_finished = False
        evaluations = test.evaluated(state.excerpt)
    finally:
        search.close()
    assert evaluations is not None
    here, last = evaluations
    kept = replace(state.graph, results=state.graph.results[:count])
    if not is_recorded:
        kept = replace(kept, nodes=kept.nodes[:1])
    text = checked_graph(kept, last.expected, [allowance.error for allowance in last.allowed])
    sizes = [np.size(array) for array in (*here.operands, *here.results)]
    count = sum(node.name != "stablehlo.constant" for node in kept.nodes)
    return Smallest(text, max(1, count), state.outcome, max(sizes, default=0), search.tried, is_finished)


def _show_nothing(what: str, size: int, tried: int) -> None:
    del what, size, tried


def _bits(value: Any) -> tuple[tuple[int, ...], bytes]:
    array = np.asarray(value)
    return array.shape, array.tobytes()
