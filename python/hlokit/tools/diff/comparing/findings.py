"""The finding about one result of one operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from hlokit.display.shown import Shown
from hlokit.engine.contract.registry import Value
from hlokit.engine.observe.summaries import summarize
from hlokit.tools.diff.comparing.verdicts import Comparison
from hlokit.tools.recording.places import Operations, Place
from hlokit.values.types import ValueType

# Called with the current step, its completed part, and its total.
Progress = Callable[[str, int, int], None]


def silent(what: str, done: int, total: int) -> None:
    """Show no progress."""
    del what, done, total


@dataclass(frozen=True, slots=True, repr=False)
class Finding(Shown):
    """The comparison of one result.

    Attributes:
      order: the number of the operation's evaluation, from 0.
      op: the operation's name.
      number: number of the operation in its module, in walk order.
      function: the function that contains the operation.
      location: location in MLIR's syntax; `source` is the form for display.
      path: the enclosing operations, with iterations of loops.
      result: the number of the result.
      type: type of the result.
      comparison: verdict and numbers.
      operands: type, range and mean of each operand.
      inherited: the relative distance of the result from hlokit's own, errors of operands included; None if
        the operands were the same.
      place: as in recordings: number and iteration of each enclosing operation, then the number of the
        operation itself.
      there: the place of the compared operation in another program; None if there is none.
    """

    order: int
    op: str
    number: int
    function: str
    location: str
    source: str
    path: str
    result: int
    type: str
    comparison: Comparison
    operands: tuple[str, ...] = ()
    inherited: float | None = None
    place: Place = ()
    there: Place | None = None

    def as_dict(self) -> dict[str, Any]:
        """The attributes as plain Python values, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        head = " ".join(filter(None, (self.op, self.type)))
        return "\n  ".join([head, *details(self)])


def details(finding: Finding) -> Iterator[str]:
    """A finding in words, line by line."""
    comparison = finding.comparison
    is_called = f"@{finding.function}" in finding.path.split(" > ")  # then the path names the function
    function = f"@{finding.function}" if finding.function and not is_called else ""
    path = ", ".join(filter(None, (function, finding.path)))
    if finding.source:
        yield finding.source
    if path:
        yield f"in {path}"
    yield str(comparison)
    if comparison.expected and comparison.verdict not in ("type", "wiring"):
        where = f"element {list(comparison.index)}: " if comparison.index else ""
        allowed = f"; allowed: {comparison.allowed}" if comparison.allowed else ""
        yield f"{where}{comparison.expected} here, {comparison.actual} there{allowed}"
    if comparison.explanation:
        yield f"explanation: {comparison.explanation}"
    for number, operand in enumerate(finding.operands):
        yield f"operand {number}: {operand}"


class ResultAt(NamedTuple):
    """A result of an operation that a run evaluated: see `Finding`."""

    operations: Operations
    place: Place
    order: int
    result: int
    type: str


def finding(
    at: ResultAt,
    comparison: Comparison,
    operands: Sequence[tuple[Value, ValueType]] = (),
    inherited: float | None = None,
    there: Place | None = None,
) -> Finding:
    """A finding about a result."""
    operations, number = at.operations, at.place[-1]
    return Finding(
        at.order,
        operations.all[number].name,
        number,
        operations.function(number),
        operations.location(number),
        operations.source(number),
        operations.describe(at.place),
        at.result,
        at.type,
        comparison,
        tuple([str(summarize(value, type_)) for value, type_ in operands]),
        inherited,
        at.place,
        there,
    )
