"""Compares all intermediate values of a program on both sides, place by place.

The other side runs the program with its intermediate values as additional results. Then hlokit runs the
program once more and continues with the other side's values. In this way, hlokit evaluates each operation on
the other side's operands, and a difference is the error of that operation alone. The distance of the values
from hlokit's own run shows the growth of errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.operations.lookup import having
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing.findings import Progress, silent
from hlokit.tools.diff.comparing.verdicts import DIFFERING
from hlokit.tools.diff.flow.dataflow import Dataflow
from hlokit.tools.diff.flow.disturbed import far_places
from hlokit.tools.diff.flow.first_iterations import FirstIterations
from hlokit.tools.diff.flow.following import Known, Own
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.applied_regions import Regions
from hlokit.tools.diff.instrumented.continuing import Following, Window
from hlokit.tools.diff.instrumented.extras import Values
from hlokit.tools.diff.instrumented.instrumentation import instrument, watchable
from hlokit.tools.recording.places import Place

# The largest number of operations that are watched at a time, and of bytes of their results.
MOST_WATCHED = 10_000
MOST_BYTES = 1 << 30
# Operations with the same result for some different operands: such a result may hide a fault of an operand.
_HIDING = having(lambda traits: traits.even or traits.projection or traits.extremum)
# The accepted multiple of the effect of one unit in the last place of each operation.
SLACK = 32.0


class Search(NamedTuple):
    """How operations are watched.

    Attributes:
      progress: called with the numbers of watched and of all operations.
      most_watched: the number of operations that are watched at a time; the first time, as many operands in
        addition.
      is_thorough: whether to watch all operations, some at a time, if the selection shows no fault.
      runs: runs of the function that follow some iterations of each loop, in a search that ends with the
        selection: native code runs loops many times as fast as a run that follows each of their operations.
        None to follow all that can be compared.
    """

    progress: Progress = silent
    most_watched: int = MOST_WATCHED
    is_thorough: bool = True
    runs: FirstIterations | None = None

    @property
    def most_iterations(self) -> int | None:
        """The number of iterations of each loop that are compared; None for all that can be."""
        return None if self.runs is None else self.runs.most


PLAIN = Search()


def compare_values(trip_counts: TripCounts, side: Side, search: Search = PLAIN) -> Following:
    """Compare all values of a run, whose loops were counted, with those of another side.

    If the other side cannot run the program that also returns the values in regions of reductions, it runs a
    program without these values. Of programs with many operations, the comparison first watches an evenly
    spread selection, and the operands of operations whose results may hide a fault; then the operations
    before each value that differs by more than the effect of rounding from the value that hlokit computes
    from earlier ones.

    Raises:
      SideFailed: the other side did not run the instrumented program.
    """
    comparison = _Comparison(trip_counts, side, search)
    try:
        following = comparison.searched()
    finally:
        reason = comparison.regions.reason
        comparison.regions.close()
    following.reason = reason
    return following


class Hidden(NamedTuple):
    """A fault that only shows if the value of an operation is no result.

    Attributes:
      number: the operation.
      following: the comparison of all other values.
    """

    number: int
    following: Following


def compare_hidden(
    trip_counts: TripCounts, side: Side, search: Search, is_off: Callable[[Sequence[Value]], bool]
) -> Hidden | None:
    """Find a fault that does not show if all values are results: of an operation that is fused with another.

    The other side returns more and fewer values, until one makes the difference; None if none does.

    Raises:
      SideFailed: the other side did not run an instrumented program.
    """
    comparison = _Comparison(trip_counts, side, search)
    try:
        return comparison.hidden(is_off)
    finally:
        comparison.regions.close()


class _Comparison:
    """The comparison of a function's values; hlokit's own run happens when the object is made."""

    def __init__(self, trip_counts: TripCounts, side: Side, search: Search) -> None:
        self._trip_counts = trip_counts
        self._operations = operations = trip_counts.operations
        self._side = side
        self._search = search
        self._own = Own(operations, watchable(operations.all))
        (search.runs or trip_counts.runs).follow(self._own)
        # In the order of the run.
        self._reached = list(dict.fromkeys([place[-1] for place, _ in self._own.values]))
        self._flow = Dataflow(operations, trip_counts.function)
        # Without the decisions of control flow, hlokit would take other branches than the other side.
        self._deciding = sorted(self._flow.deciding().intersection(self._reached))
        self._predicates = self._flow.predicates()
        self.regions = Regions(trip_counts.program, operations, frozenset(self._reached))
        self._results: Sequence[Value] = ()  # of the other side's latest run

    def searched(self) -> Following:
        """The comparison that shows a fault; the first one if none does."""
        reached, flow, search = self._reached, self._flow, self._search
        sizes = [
            value.nbytes * self.regions.weight(place[-1]) for (place, _), value in self._own.values.items()
        ]
        size, most = sum(sizes), search.most_watched
        if size > MOST_BYTES:
            most = max(1, min(most, len(reached) * MOST_BYTES // size))
        chosen = _evenly_spread(reached, most)
        if len(chosen) < len(reached) and size <= MOST_BYTES:
            hidden = flow.sources(_HIDING) & set(reached).difference(chosen)
            chosen = _in_order([*chosen, *_evenly_spread(sorted(hidden), most)], reached)
        first, others = self._compared(chosen)
        if len(chosen) == len(reached) or _has_fault(first) or search.most_iterations is not None:
            return first
        places = far_places(self._trip_counts, others)
        parts = _before(places, chosen, reached, flow, most)
        for window in (*parts, *(_parts(reached, most) if search.is_thorough else ())):
            following, _ = self._compared(flow.with_operands(window, set(reached)))
            if _has_fault(following):
                return following
        return first

    def hidden(self, is_off: Callable[[Sequence[Value]], bool]) -> Hidden | None:
        """The fault that does not show if all values are results."""
        order = self._reached
        if len(order) > self._search.most_watched:
            return None

        def shows(numbers: Sequence[int]) -> bool:
            self._run(frozenset(numbers))
            return is_off(self._results)

        if shows(order):
            return None
        shown, cured = 0, len(order)  # it shows if the first ones are results, and does not if more are
        while cured - shown > 1:
            middle = (shown + cured) // 2
            shown, cured = (middle, cured) if shows(order[:middle]) else (shown, middle)
        others = [number for number in order if number != order[shown]]
        if not shows(others):
            return None
        following, _ = self._compared(others, is_without_one=True)
        return Hidden(order[shown], following)

    def _compared(self, numbers: Sequence[int], *, is_without_one: bool = False) -> tuple[Following, Known]:
        """Compare the values of some operations; of all but one, whose value hlokit computes."""
        self._search.progress("values", len(numbers), len(self._reached))
        watched = list(numbers) if is_without_one else list(dict.fromkeys([*numbers, *self._deciding]))
        others = self._others(frozenset(watched))
        is_all = is_without_one or len(watched) == len(self._reached)
        window = Window(
            None if is_all else self._flow.with_known_operands(watched),
            self.regions,
            frozenset(self._reached).difference(watched),
            self._predicates,
            self._search.most_iterations,
        )
        following = Following(self._operations, others, self._own, window)
        following.follow(self._trip_counts.runs)
        return following, others

    def _others(self, watched: frozenset[int]) -> Values:
        """The other side's values of some operations."""
        if self.regions.numbers.keys() & watched:
            try:
                return self._run(watched)
            except SideFailed as failure:
                self.regions.close(f"without the values in regions of reductions and sorts: {failure}")
        return self._run(watched)

    def _run(self, watched: frozenset[int]) -> Values:
        counts, function = self._trip_counts, self._trip_counts.function
        instrumented = instrument(
            counts.program.module,
            function,
            watched,
            counts.most_iterations(),
            self.regions.numbers,
            self._search.most_iterations,
        )
        count = len(counts.program.signature(function).outputs)
        arrays = [np.asarray(value) for value in counts.values]
        results = self._side.run(instrumented.module, arrays, function)
        self._results = results[:count]
        return Values(instrumented.extras, results[count:], self._predicates)


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
