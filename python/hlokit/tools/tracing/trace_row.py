"""`TraceRow`: one evaluated operation of a run, as an object, as columns and as cells of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.display.html import Cell, escape, facts, fragment, number, short_seconds, table
from hlokit.display.locations import source_of
from hlokit.engine.observe.observers import Record
from hlokit.engine.observe.summaries import Summary
from hlokit.errors import ArgumentError
from hlokit.tools.tracing.collector import Collected


@dataclass(frozen=True, slots=True, repr=False)
class TraceRow:
    """One evaluated operation.

    Attributes:
      index: the position in the run, from 0.
      label: the names of the results in the program's text, `%5` or `%0:2`; "" if the operation is not
        printed.
      record: time, depth, and summaries of the results.
      number: the number of the operation in the listing; -1 if it is not printed.
      self_seconds: the time of the operation without nested operations.
      operands: summaries of the operands, only where an operation computed a NaN for the first time.
    """

    index: int
    label: str
    record: Record
    number: int
    self_seconds: float
    collected: Collected

    @property
    def op(self) -> str:
        """The name of the operation."""
        return self.record.op

    @property
    def function(self) -> str:
        """The function that contains the operation."""
        return self.record.function

    @property
    def seconds(self) -> float:
        """The time of the operation, including nested operations."""
        return self.record.seconds

    @property
    def source(self) -> str:
        """The user's source line, `model.py:4` or `In [7] line 2`."""
        return source_of(self.record.location).text

    @property
    def stack(self) -> str:
        """All frames of the location, from the innermost outward, one per line."""
        return source_of(self.record.location).stack

    @property
    def operands(self) -> tuple[Summary, ...]:
        """Summaries of the operands; () except where an operation computed a NaN for the first time."""
        return self.collected.operands

    @property
    def results(self) -> tuple[Summary, ...]:
        """Type, range, mean and counts of NaN of each result."""
        return self.record.results

    @property
    def values(self) -> tuple[Any, ...]:
        """The results.

        Raises:
          ArgumentError: the values were not stored.
        """
        if self.collected.values is None:
            why = "the operation failed" if self.record.failed else "the limit `keep` was reached"
            raise ArgumentError(f"the values of {self.label or self.op} were not stored: {why}")
        return self.collected.values

    @property
    def value(self) -> Any:
        """The result, or a tuple of several results."""
        return self.values[0] if len(self.values) == 1 else self.values

    @property
    def live(self) -> int:
        """The bytes of all live values of the process at the end of the operation."""
        return self.collected.live

    @property
    def nan(self) -> int:
        """The number of NaN elements in the results."""
        return sum(map(_nan, self.results))

    def __str__(self) -> str:
        results = "failed" if self.record.failed else ", ".join(map(str, self.results))
        lead = f"{'  ' * self.record.depth}{self.label + ' = ' if self.label else ''}{self.op}"
        return (
            f"{short_seconds(self.seconds):>8}  {lead}  {results}{f'  {self.source}' if self.source else ''}"
        )

    def __repr__(self) -> str:
        return f"<{' '.join(str(self).split())}>"

    def _repr_html_(self) -> str:
        rows = [(f"operand {number}", str(summary)) for number, summary in enumerate(self.operands)]
        rows += [(f"result {number}", str(summary)) for number, summary in enumerate(self.results)]
        head = facts(
            (self.label, f'<b class="mono">{escape(self.op)}</b>'),
            ("in", f"@{escape(self.function)}"),
            ("at", escape(self.source)),
            ("took", short_seconds(self.seconds)),
        )
        stack = f'<details><summary class="dim">call stack</summary><pre>{escape(self.stack)}</pre></details>'
        return fragment(f"{head}{table(('', 'value'), rows, filters=False)}{stack if self.stack else ''}")


COLUMNS = (
    "label",
    "op",
    "function",
    "source",
    "seconds",
    "self_seconds",
    "depth",
    "type",
    "minimum",
    "maximum",
    "mean",
    "nan",
    "infinite",
    "bytes",
    "live",
    "failed",
)


def as_dict(row: TraceRow) -> dict[str, Any]:
    """A row's columns; the range is that of the first result."""
    first = row.results[0] if row.results else Summary("")
    return {
        "label": row.label,
        "op": row.op,
        "function": row.function,
        "source": row.source,
        "seconds": row.seconds,
        "self_seconds": row.self_seconds,
        "depth": row.record.depth,
        "type": ", ".join(result.type for result in row.results),
        "minimum": first.minimum,
        "maximum": first.maximum,
        "mean": first.mean,
        "nan": row.nan,
        "infinite": sum(result.infinite for result in row.results),
        "bytes": row.collected.bytes,
        "live": row.live,
        "failed": row.record.failed,
    }


def cells(row: TraceRow) -> Sequence[str]:
    """The cells of a row in the table of a notebook."""
    first = row.results[0] if row.results else Summary("")
    nan, infinite = row.nan, sum(result.infinite for result in row.results)
    indent = "&nbsp;" * (2 * row.record.depth)
    return (
        number(row.index),
        row.label,
        Cell(f"{indent}{escape(row.op)}"),
        "failed" if row.record.failed else ", ".join(result.type for result in row.results),
        number(first.minimum),
        number(first.maximum),
        number(first.mean),
        Cell(f'<span class="bad">{nan:,}</span>' if nan else "0", float(nan), is_number=True),
        number(infinite),
        number(row.seconds, short_seconds(row.seconds)),
        Cell(f'<span title="{escape(row.stack)}">{escape(row.source)}</span>'),
    )


def _nan(summary: Summary) -> int:
    return summary.nan + sum(map(_nan, summary.items))
