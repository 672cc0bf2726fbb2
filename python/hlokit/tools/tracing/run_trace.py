"""`RunTrace`: every operation of one run, with values, as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from hlokit.display.html import escape, facts, fragment, short_bytes, short_seconds, table
from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError, HlokitError, for_callers
from hlokit.tools.tracing.collector import Collected, Collector
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.peak import Peak, peak_of
from hlokit.tools.tracing.trace_row import COLUMNS, TraceRow, as_dict, cells

# The number of rows that `str` lists.
_LISTED = 40
_SOURCE_LINE = re.compile(r"(?:(.*?):)?(\d+)$|In \[(\d+)\](?: line (\d+))?$")


class RunTrace(Sequence[TraceRow]):
    """The operations of a run in the order of their ends. `program.trace(...)` returns it.

        t = program.trace(x)
        t                       # in a notebook, a table with a filter
        t["%5"]                 # the value; a list if the operation ran several times
        t["model.py:12"]        # the values that the source line computed
        t["@relu %1"]           # in another function
        t.first_nan             # the operation that computed the first NaN
        t.hottest(5)
        t.peak                  # the peak of the memory of live values, and these values

    Attributes:
      results: the results of the program; None if the program failed.
      error: the error of the program, None if it completed.
      seconds: the time of the run, including observation.
    """

    def __init__(
        self,
        listing: ProgramListing,
        collector: Collector,
        results: Any,
        seconds: float,
        error: HlokitError | None = None,
        rows: Sequence[TraceRow] | None = None,
    ) -> None:
        self.listing = listing
        self.results = results
        self.error = error
        self.seconds = seconds
        self._collector = collector
        self._rows = list(rows) if rows is not None else _rows(listing, collector.evaluations)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[TraceRow]:
        return iter(self._rows)

    @for_callers
    def __getitem__(self, key: int | slice | str) -> Any:
        """A row by its index, rows by a slice, values by `%name`, `@function %name` or source line.

        Raises:
          ArgumentError: the run has no such value, or the value was not stored.
        """
        if isinstance(key, slice):
            return self._with(self._rows[key])
        if not isinstance(key, str):
            return self._rows[int(key)]
        results = self._find(key.strip())
        values: list[Any] = [
            value
            for row, result in results
            for value in (row.values if result < 0 else row.values[result : result + 1])
        ]
        return values[0] if len(values) == 1 else values

    @for_callers
    def rows(self, key: str) -> RunTrace:
        """The rows whose values `t[key]` returns."""
        return self._with([row for row, _ in self._find(key.strip())])

    @for_callers
    def filter(
        self,
        text: str = "",
        *,
        op: str | None = None,
        function: str | None = None,
        where: Callable[[TraceRow], bool] | None = None,
    ) -> RunTrace:
        """The rows whose line contains all words of a text, and that match the other arguments.

        Args:
          op: the name of the operation, with or without its dialect.
          function: the name of the function.
          where: returns whether to include a row.
        """
        words = text.lower().split()
        return self._with(
            [
                row
                for row in self._rows
                if (op is None or op in (row.op, row.op.partition(".")[2]))
                and (function is None or function.removeprefix("@") == row.function)
                and all(word in str(row).lower() for word in words)
                and (where is None or where(row))
            ]
        )

    @property
    def first_nan(self) -> TraceRow | None:
        """The first operation that computed a NaN from operands without NaNs; None if there is none."""
        return next((row for row in self._rows if row.collected.made_nan), None)

    @property
    def peak(self) -> Peak:
        """The operation at whose end the live values took the most bytes, and these values."""
        return peak_of(self._collector, self.listing)

    @for_callers
    def hottest(self, most: int = 10) -> RunTrace:
        """The rows with the most own time, without nested operations."""
        return self._with(sorted(self._rows, key=lambda row: -row.self_seconds)[:most])

    @for_callers
    def to_pandas(self) -> Any:
        """A data frame with one row per operation. Requires pandas.

        Raises:
          ArgumentError: pandas is not installed.
        """
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise ArgumentError("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame([as_dict(row) for row in self._rows], columns=list(COLUMNS))

    def _with(self, rows: Sequence[TraceRow]) -> RunTrace:
        return RunTrace(self.listing, self._collector, self.results, self.seconds, self.error, rows)

    @cached_property
    def _by_label(self) -> dict[str, list[tuple[TraceRow, int]]]:
        """Rows by `%name` and `@function %name`, each with the number of a result, -1 for all."""
        by_label: dict[str, list[tuple[TraceRow, int]]] = {}
        for row in self._rows:
            names = [(row.label.partition(":")[0], -1)] if row.label else []
            if row.number >= 0:
                results = self.listing.ops[row.number].results
                names += [(self.listing.values[value].name, index) for index, value in enumerate(results)]
            for name, result in dict(names).items():
                by_label.setdefault(f"@{row.function} {name}", []).append((row, result))
        return by_label

    def _find(self, key: str) -> list[tuple[TraceRow, int]]:
        if key.startswith("@"):
            results = self._by_label.get(" ".join(key.replace("%", " %").split()))
        elif key.startswith("%"):
            functions = dict.fromkeys(row.function for row in self._rows if row.record.depth == 0)
            functions |= dict.fromkeys(row.function for row in self._rows)
            every = (self._by_label.get(f"@{function} {key}") for function in functions)
            results = next((rows for rows in every if rows), None)
        else:
            results = [(row, -1) for row in self._rows if _is_at(row, key)]
        if not results:
            raise ArgumentError(f"the run has no value {key}{self._suggestion(key)}")
        return results

    def _suggestion(self, key: str) -> str:
        names = [name.partition(" ")[2] if key.startswith("%") else name for name in self._by_label]
        sources = [row.source for row in self._rows if row.source]
        return did_you_mean(key, dict.fromkeys(names if key[:1] in "%@" else sources)) or (
            "; `%name`, `@function %name` and `file:line` name values"
        )

    def __str__(self) -> str:
        lines = [self._summary(), *map(str, self._rows[:_LISTED])]
        if len(self._rows) > _LISTED:
            lines.append(f"and {len(self._rows) - _LISTED:,} more operations")
        if self.error is not None:
            lines.append(f"{type(self.error).__name__}: {self.error}")
        return "\n".join(lines)

    __repr__ = __str__

    def _summary(self) -> str:
        nan = self.first_nan
        count = len(self._rows)
        parts = [f"{count:,} operation{'' if count == 1 else 's'} in {short_seconds(self.seconds)}"]
        if nan is not None:
            parts.append(f"first NaN: {nan.label or nan.op} at {nan.source or f'@{nan.function}'}")
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        nan = self.first_nan
        first = (
            ""
            if nan is None
            else f'{escape(nan.label)} {escape(nan.op)} <span class="dim">{escape(nan.source)}</span>'
        )
        kept = sum(row.collected.bytes for row in self._rows if row.collected.values is not None)
        head = facts(
            ("operations", f"{len(self._rows):,}"),
            ("run", short_seconds(self.seconds)),
            ("stored values", short_bytes(kept)),
            ("peak of live values", short_bytes(max((row.live for row in self._rows), default=0))),
            ("first NaN", f'<span class="bad">{first}</span>' if first else ""),
            ("error", "" if self.error is None else f'<span class="bad">{escape(self.error)}</span>'),
        )
        columns = ("#", "value", "operation", "type", "min", "max", "mean", "NaN", "inf", "time", "source")
        return fragment(f"{head}{table(columns, map(cells, self._rows))}")


def _is_at(row: TraceRow, key: str) -> bool:
    """Whether the user's line of a row matches a key: `model.py:12`, `12`, `In [7]` or `In [7] line 2`."""
    source = row.source
    if source == key or (key.startswith("In [") and source.startswith(f"{key} line ")):
        return True
    return source.endswith((f"/{key}", f"\\{key}")) and _SOURCE_LINE.match(key) is not None


def _rows(listing: ProgramListing, evaluations: Sequence[Collected]) -> list[TraceRow]:
    """The rows of a run: an operation ends after its nested operations."""
    rows: list[TraceRow] = []
    # For each process and depth, the seconds of ended operations whose parent has not ended.
    waiting: dict[tuple[tuple[int, int] | None, int], float] = {}
    for index, evaluation in enumerate(evaluations):
        record = evaluation.record
        inner = waiting.pop((record.process, record.depth + 1), 0.0)
        key = (record.process, record.depth)
        waiting[key] = waiting.get(key, 0.0) + record.seconds
        label = listing.ops[evaluation.number].label if evaluation.number >= 0 else ""
        if evaluation.number >= 0 and listing.ops[evaluation.number].name != record.op:
            label = ""  # within an operation that is printed without its region
        own = max(record.seconds - inner, 0.0)
        rows.append(TraceRow(index, label, record, evaluation.number, own, evaluation))
    return rows
