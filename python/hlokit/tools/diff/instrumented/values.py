"""Compares all intermediate values of a program on both sides, place by place.

The other side runs the program with its intermediate values as additional results. Then hlokit runs the
program once more and continues with the other side's values. In this way, hlokit evaluates each operation on
the other side's operands, and a difference is the error of that operation alone. The distance of the values
from hlokit's own run shows the growth of errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.operations.lookup import having
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing.findings import Progress, silent
from hlokit.tools.diff.comparing.verdicts import DIFFERING
from hlokit.tools.diff.flow.dataflow import Dataflow
from hlokit.tools.diff.flow.disturbed import far_places
from hlokit.tools.diff.flow.following import Known, Own, follow
from hlokit.tools.diff.flow.trip_counts import follow_counted
from hlokit.tools.diff.instrumented.applied_regions import Regions
from hlokit.tools.diff.instrumented.continuing import Following
from hlokit.tools.diff.instrumented.extras import Values
from hlokit.tools.diff.instrumented.instrumentation import instrument, watchable
from hlokit.tools.recording.places import Operations, Place

# The largest number of operations that are watched at a time, and of bytes of their results.
MOST_WATCHED = 10_000
MOST_BYTES = 1 << 30
# Operations with the same result for some different operands: such a result may hide a fault of an operand.
_HIDING = having(lambda traits: traits.even or traits.projection or traits.extremum)
# The accepted multiple of the effect of one unit in the last place of each operation.
SLACK = 32.0


def compare_values(
    program: Program,
    values: Sequence[Value],
    function: str,
    side: Side,
    operations: Operations,
    progress: Progress = silent,
    most_watched: int = MOST_WATCHED,
    *,
    is_thorough: bool = True,
) -> Following:
    """Compare all values of a function with those of another side.

    If the other side cannot run the program that also returns the values in regions of reductions, it runs a
    program without these values. Of programs with many operations, the comparison first watches an evenly
    spread selection, and the operands of operations whose results may hide a fault; then the operations
    before each value that differs by more than the effect of rounding from the value that hlokit computes
    from earlier ones.

    Args:
      most_watched: the number of operations that are watched at a time; the first time, as many operands in
        addition.
      is_thorough: whether to watch all operations, some at a time, if the selection shows no fault.

    Raises:
      SideFailed: the other side did not run the instrumented program.
    """
    own = Own(operations, watchable(operations.all))
    follow(program, values, function, own)
    reached = list(dict.fromkeys([place[-1] for place, _ in own.values]))  # in the order of the run
    flow = Dataflow(operations, function)
    # Without the decisions of control flow, hlokit would take other branches than the other side.
    deciding, predicates = sorted(flow.deciding().intersection(reached)), flow.predicates()
    regions = Regions(program, operations, frozenset(reached))
    size = sum(value.nbytes * regions.weight(place[-1]) for (place, _), value in own.values.items())
    if size > MOST_BYTES:
        most_watched = max(1, min(most_watched, len(reached) * MOST_BYTES // size))

    def run(window: frozenset[int]) -> Values:
        if regions.numbers.keys() & window:
            try:
                return _run(program, values, function, side, window, own.iterations, regions, predicates)
            except SideFailed as failure:
                regions.close(f"without the values in regions of reductions and sorts: {failure}")
        return _run(program, values, function, side, window, own.iterations, regions, predicates)

    def look(window: Sequence[int]) -> tuple[Following, Known]:
        """Compare the values of some operations."""
        progress("values", len(window), len(reached))
        window = list(dict.fromkeys([*window, *deciding]))
        others = run(frozenset(window))
        is_whole = len(window) == len(reached)
        judged = None if is_whole else flow.with_known_operands(window)
        unrequested = frozenset(reached).difference(window)
        following = Following(operations, others, own, judged, regions, unrequested, predicates)
        following.results = follow_counted(program, values, function, following, following)
        return following, others

    def search() -> Following:
        chosen = _evenly_spread(reached, most_watched)
        if len(chosen) < len(reached) and size <= MOST_BYTES:
            hidden = flow.sources(_HIDING) & set(reached).difference(chosen)
            chosen = _in_order([*chosen, *_evenly_spread(sorted(hidden), most_watched)], reached)
        first, others = look(chosen)
        if len(chosen) == len(reached) or _has_fault(first):
            return first
        places = far_places(program, values, function, operations, others)
        parts = _before(places, chosen, reached, flow, most_watched)
        for window in (*parts, *(_parts(reached, most_watched) if is_thorough else ())):
            following, _ = look(flow.with_operands(window, set(reached)))
            if _has_fault(following):
                return following
        return first

    try:
        following = search()
    finally:
        reason = regions.reason
        regions.close()
    following.reason = reason
    return following


def _has_fault(following: Following) -> bool:
    return any(difference.comparison.verdict in DIFFERING for difference in following.findings)


def _before(
    places: Sequence[Place], chosen: Sequence[int], reached: Sequence[int], flow: Dataflow, most: int
) -> Iterator[Sequence[int]]:
    """The operations that compute the values at these places from chosen values."""
    others = set(reached).difference(chosen)
    for number in dict.fromkeys([place[-1] for place in places]):
        needed = {number}
        waiting = [number]
        while waiting:
            new = flow.operands(waiting.pop()) & others - needed
            needed |= new
            waiting += new
        yield from _parts(_in_order(needed, reached), most)


def _in_order(numbers: Iterable[int], reached: Sequence[int]) -> list[int]:
    wanted = set(numbers)
    return [number for number in reached if number in wanted]


def _parts(numbers: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), most):
        yield numbers[start : start + most]


def _evenly_spread(numbers: Sequence[int], most: int) -> list[int]:
    if len(numbers) <= most:
        return list(numbers)
    chosen = np.linspace(0, len(numbers) - 1, most).astype(int)
    return [numbers[position] for position in sorted(set(chosen.tolist()))]


def _run(
    program: Program,
    values: Sequence[Value],
    function: str,
    side: Side,
    watched: frozenset[int],
    iterations: Mapping[int, int],
    regions: Regions,
    predicates: Mapping[int, int],
) -> Values:
    instrumented = instrument(program.module, function, watched, iterations, regions.numbers)
    count = len(program.signature(function).outputs)
    results = side.run(instrumented.module, [np.asarray(value) for value in values], function)
    return Values(instrumented.extras, results[count:], predicates)
