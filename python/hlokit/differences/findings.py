"""What was found out about one result of one operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hlokit.contract.registry import Value
from hlokit.differences.verdicts import Comparison
from hlokit.observe.summaries import summarize
from hlokit.recording.places import Operations, Place
from hlokit.values.types import ValueType

# Is told what is being done, how much of it is done, and how much there is.
Progress = Callable[[str, int, int], None]


def silent(what: str, done: int, total: int) -> None:
    """No progress is shown."""
    del what, done, total


@dataclass(frozen=True, slots=True)
class Finding:
    """The comparison of one result.

    Attributes:
      order: when the operation was evaluated, counted from 0.
      op: its name.
      number: of the operation in its module, in the order of a walk.
      function: that it stands in.
      location: as MLIR spells it; `source` is that for people.
      path: what it is nested in, with turns of loops.
      result: the number of the result.
      type: of the result.
      comparison: verdict and numbers.
      operands: type, range and mean of each operand.
      inherited: how far the result was from hlokit's own, errors of operands included; None where operands
        were the same.
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
    inherited: Comparison | None = None

    def as_dict(self) -> dict[str, Any]:
        """The attributes as plain Python values, for JSON."""
        return asdict(self)


def finding(
    operations: Operations,
    place: Place,
    order: int,
    result: int,
    result_type: str,
    comparison: Comparison,
    operands: Sequence[tuple[Value, ValueType]] = (),
    inherited: Comparison | None = None,
) -> Finding:
    """A finding about a result of the operation at a place."""
    number = place[-1]
    return Finding(
        order,
        operations.all[number].name,
        number,
        operations.function(number),
        operations.location(number),
        operations.source(number),
        operations.describe(place),
        result,
        result_type,
        comparison,
        tuple([str(summarize(value, type_)) for value, type_ in operands]),
        inherited,
    )
