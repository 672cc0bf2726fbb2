"""Divergences from another program or a recorded run: the operation at fault, with its values there.

The result is a program of the operation at fault on its operands in that run; the program compares its
results with the results of the run. `smaller_operands` makes the operands smaller. If the operation has other
operands in the other program, the operands do not change; an elementwise operation keeps the elements around
the largest error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.errors import ArgumentError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.passes.pipeline import parse_pipeline, run_pipeline
from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.tools.backends.names import named_side
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import DIFFERING
from hlokit.tools.diff.flow.digests import known_values
from hlokit.tools.diff.instrumented.continuing import Following
from hlokit.tools.diff.report import DiffReport
from hlokit.tools.diff.run import diff, resolve
from hlokit.tools.excerpts.capture import capture
from hlokit.tools.excerpts.self_checking import checked_graph, graph_of_one
from hlokit.tools.recording.places import Operations, Place
from hlokit.tools.recording.recording import Recording
from hlokit.tools.reduce.one_operation import Evaluation, Judged, evaluation_at, judged
from hlokit.tools.reduce.predicates import Outcome
from hlokit.tools.reduce.smaller_operands import (
    Smallest,
    of_results,
    shared_operands,
    smallest,
    with_counterpart,
    with_recorded,
)
from hlokit.values.types import TensorType

# The number of elements that an elementwise operation keeps.
_KEPT = 8
_CONSTANT = "stablehlo.constant"


class AtFault(NamedTuple):
    """A program of one or more operations that compares its results with those of another run, and the
    difference between these results."""

    program: Program
    outcome: Outcome
    largest: int
    operations: int = 1
    tried: int = 1
    is_finished: bool = True


def other_run(side: str) -> Program | Recording | None:
    """The program or recorded run at a path; None for the name of a side.

    Raises:
      ArgumentError: the file is neither a program nor a recorded run.
    """
    named = named_side(side)
    if named is not None:
        named.close()
        return None
    run = resolve(side)
    assert isinstance(run, Program | Recording), "there is no other path"
    return run


def operation_at_fault(
    program: Program, values: Sequence[Value], function: str, other: Program | Recording
) -> AtFault:
    """The first operation whose values differ from another program's or run's.

    Raises:
      ArgumentError: no operation differs, or the operation cannot run as a program of its own.
    """
    report = diff(program, *values, against=other, mode="auto", function=function)
    first = report.first
    if first is None:
        summary = str(report).partition("\n")[0]
        if isinstance(other, Recording):
            if not any(value.offset is not None and not value.lifted for value in other.values):
                raise ArgumentError(f"the recording has no values of operations ({summary})")
            raise ArgumentError(f"no operation with a recorded value is at fault: {summary}")
        raise ArgumentError(f"no operation is at fault: {summary}")
    operations = Operations.of_program(program)
    place = _outside_of_regions(operations, first.place)
    is_wired = first.comparison.verdict == "wiring"
    if operations.all[place[-1]].name == _CONSTANT and not is_wired:
        return _constant(program, operations, place, other, first)
    there: Evaluation | None = None
    if isinstance(other, Program) and (first.there is None or is_wired):
        for form in (program, _inlined(program)):
            since = _since_known_values(form, values, function, other, report)
            if since is not None:
                return since
    if is_wired:
        raise ArgumentError(f"{_named(first)} reads other values: {first.comparison.note}")
    if isinstance(other, Recording):
        mine = evaluation_at(program, values, function, place, Following(operations, other))
        theirs = [other.get(place, index) for index in range(len(mine.results))]
    else:
        mine = evaluation_at(program, values, function, place)
        there = _there(place, other, values, function, first)
        theirs = there.results
    if all(value is None for value in theirs):
        raise ArgumentError(f"the recording has no values of {operations.all[place[-1]].name}")
    result = judged(mine, theirs)
    if result.first is None:
        raise ArgumentError(
            f"{_named(first)} cannot be isolated: on its operands, the other side returns the same"
        )
    if any(comparison.verdict == "type" for comparison in result.compared):
        raise ArgumentError(f"{_named(first)} has another type on the other side: hlokit diff shows which")
    if there is None:
        graph = with_recorded(mine, program, result.expected)
    else:
        assert isinstance(other, Program), "its operation was found"
        graph = with_counterpart(mine, program, there, other)
    verdict = result.compared[result.first].verdict
    smaller = (
        None if graph is None else smallest(graph, verdict, len(mine.results), is_recorded=there is None)
    )
    if smaller is not None:
        return _at_fault(smaller)
    fault = _elements_around(program, mine, result)
    if there is not None and shared_operands(mine, there) is None:
        what = f"{fault.outcome.what}; the operation has other operands in the other program"
        fault = fault._replace(outcome=replace(fault.outcome, what=what))
    return fault


def _inlined(program: Program) -> Program:
    """The program without calls, which compute values of their own."""
    module: Any = program.module.operation.clone(ip=False)
    with module.context, ir.Location.unknown():
        run_pipeline(module, parse_pipeline("builtin.module(inline)"), verify_each=False)
    return load(write_bytecode(module))


def _at_fault(best: Smallest) -> AtFault:
    return AtFault(load(best.text), best.outcome, best.largest, best.operations, best.tried, best.is_finished)


def _since_known_values(
    program: Program, values: Sequence[Value], function: str, other: Program, report: DiffReport
) -> AtFault | None:
    """The operations from values that both programs compute to the first result that differs.

    This is the program if the first differing value has no counterpart in the other program.
    """
    wrong = [n for n, comparison in enumerate(report.results) if comparison.verdict in DIFFERING]
    if not wrong or report.results[wrong[0]].verdict == "type":
        return None
    graph, failure = capture(program, values, function)
    name = function if function in other.functions else other.signature().name
    digests, results = known_values(other, values, name)
    if failure is not None or len(results) != len(graph.results):
        return None
    part = of_results(graph, wrong[0], digests, np.array(results[wrong[0]]))
    best = None if part is None else smallest(part, report.results[wrong[0]].verdict, 1, is_recorded=True)
    return None if best is None else _at_fault(best)


def _elements_around(program: Program, mine: Evaluation, result: Judged) -> AtFault:
    """The operation on unchanged operands; an elementwise operation keeps some elements around the worst
    one."""
    assert result.first is not None
    comparison, expected = result.compared[result.first], result.expected
    operation, types = operation_of(mine.step), mine.types
    cut = _cut(operation.name, types, comparison.index)
    graph = graph_of_one(
        program,
        operation,
        [TensorType(cut(np.empty(type_.dims, np.bool_)).shape, type_.element_type) for type_ in types],
        [cut(array) for array in mine.operands],
    )
    text = checked_graph(
        graph,
        [cut(np.asarray(array)) for array in expected],
        [cut(_spread(bound.error, array)) for bound, array in zip(result.allowed, expected, strict=True)],
    )
    index = tuple(map(int, np.argwhere(cut(_marked(np.shape(expected[result.first]), comparison.index)))[0]))
    return AtFault(load(text), result.outcome(index), max([np.size(cut(a)) for a in expected], default=0))


def _named(finding: Finding) -> str:
    return f"{finding.op} at {finding.source or finding.location}"


def _outside_of_regions(operations: Operations, place: Place) -> Place:
    """The place of the operation, or of the one around it that applies its region to elements."""
    for depth in range(0, len(place), 2):
        if traits_of(operations.all[place[depth]].name).applies:
            return place[: depth + 1]
    return place


def _there(
    place: Place, other: Program, values: Sequence[Value], function: str, finding: Finding
) -> Evaluation:
    """The evaluation of the operation at the same place of another program."""
    name = function if function in other.functions else other.signature().name
    there = _counterpart(finding)[: len(place)]
    return evaluation_at(other, values, name, there)


def _counterpart(finding: Finding) -> Place:
    """The place of the operation that the comparison found in the other program."""
    if finding.there is None:
        raise ArgumentError(
            f"the other program has no operation in the place of {_named(finding)}: hlokit diff shows the "
            "differences"
        )
    return finding.there


def _constant(
    program: Program, operations: Operations, place: Place, other: Program | Recording, finding: Finding
) -> AtFault:
    """A constant with another value in the other program."""
    assert isinstance(other, Program), "recordings have no constants"
    mine = operations.all[place[-1]]
    theirs = Operations.of_program(other).all[_counterpart(finding)[-1]]
    type_ = value_type(mine.results[0].type)
    assert isinstance(type_, TensorType)
    expected = np.asarray(read_elements(theirs, "value"))
    text = checked_graph(graph_of_one(program, mine, [type_], []), [expected], [0.0])
    result = Judged([expected], [], [finding.comparison])
    return AtFault(load(text), result.outcome(finding.comparison.index), expected.size)


def _spread(error: Any, array: Any) -> Any:
    return np.broadcast_to(np.asarray(error, np.float64), np.shape(array))


def _marked(shape: tuple[int, ...], index: tuple[int, ...]) -> Any:
    marked = np.zeros(shape, np.bool_)
    marked[index] = True
    return marked


def _cut(name: str, types: Sequence[TensorType], index: tuple[int, ...]) -> Callable[[Any], Any]:
    """A function that cuts arrays of an elementwise operation to some elements around an index."""
    shape = types[-1].dims
    size = int(np.prod(shape))
    if not traits_of(name).elementwise or any(type_.dims != shape for type_ in types) or size <= _KEPT:
        return np.asarray
    middle = int(np.ravel_multi_index(index, shape))
    start = min(max(0, middle - _KEPT // 2), size - _KEPT)
    return lambda array: np.asarray(array).reshape(-1)[start : start + _KEPT]
