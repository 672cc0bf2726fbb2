"""The report of shadow values: for each operation, the error of its results and the lost bits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hlokit.engine.plan.locations import source_text
from hlokit.errors import for_callers
from hlokit.tools.numerics.deviations import Deviation
from hlokit.values.element_types import ElementType


@dataclass(slots=True, repr=False)
class ShadowRecord:
    """One operation of a program, over all its evaluations.

    Attributes:
      op, function, location: identify the operation; `source` is the innermost source line of its location.
      type: the type of its results.
      runs: the number of results.
      max_ulp: the largest error of an element, in units in the last place of its type. It includes the error
        that earlier operations have accumulated.
      mean_ulp: the mean error of the elements of the worst result.
      relative: the largest relative error of a whole result (by norms).
      bits_before, bits_after: correct leading bits of the least accurate operand, and of the result, in the
        evaluation that has lost most bits.
      bits_lost: the difference of these two, 0 if the result has more correct bits.
      note: the reason why the result has no shadow; such a result counts as exact.
    """

    op: str
    function: str
    location: str
    type: str
    runs: int = 0
    max_ulp: float = 0.0
    mean_ulp: float = 0.0
    relative: float = 0.0
    bits_before: float = 0.0
    bits_after: float = 0.0
    bits_lost: float = 0.0
    note: str = ""

    @property
    def source(self) -> str:
        """`file:line:col (name)` of the innermost source line in the location; "" if there is none."""
        return source_text(self.location)

    def add(
        self, deviation: Deviation, element_type: ElementType, bits_before: float | None, note: str
    ) -> None:
        """Count one result whose operands had `bits_before` correct bits (None: no operand was a float)."""
        after = deviation.bits(element_type)
        before = Deviation().bits(element_type) if bits_before is None else bits_before
        lost = max(before - after, 0.0)
        if not self.runs or lost > self.bits_lost:
            self.bits_before, self.bits_after, self.bits_lost = before, after, lost
        self.runs += 1
        self.max_ulp = max(self.max_ulp, deviation.max_ulp)
        self.mean_ulp = max(self.mean_ulp, deviation.mean_ulp)
        self.relative = max(self.relative, deviation.relative)
        self.note = self.note or note

    def as_dict(self) -> dict[str, Any]:
        """The attributes and `source` as plain values for JSON. Infinities become None: JSON has none."""
        values = {name: getattr(self, name) for name in (*self.__dataclass_fields__, "source")}
        return {name: None if _is_infinite(value) else value for name, value in values.items()}

    def __repr__(self) -> str:
        error = f"{self.bits_lost:.1f} bits lost, {_short(self.max_ulp)} ULP"
        return f"<{self.op} {self.type}, {error} {self.source}>"

    def __str__(self) -> str:
        numbers = f"{self.bits_lost:9.1f} {self.bits_after:9.1f} {_short(self.max_ulp):>9} "
        numbers += f"{_short(self.mean_ulp):>9} {self.relative:9.2g} {self.runs:6}"
        where = self.source or f"@{self.function}"
        note = f"  [no shadow: {self.note}]" if self.note else ""
        return f"{numbers}  {self.op} {self.type}  {where}{note}"


# Records that `repr` lists.
_LISTED = 20

HEADER = (
    f"{'bits lost':>9} {'bits left':>9} {'max ULP':>9} {'mean ULP':>9} {'relative':>9} {'runs':>6}  operation"
)


@dataclass(frozen=True, slots=True, repr=False)
class ShadowReport:
    """Records of all operations with float results, sorted by lost bits, most first.

    `str` is a table.
    """

    records: list[ShadowRecord]

    @property
    def worst(self) -> ShadowRecord | None:
        """The operation that has lost most bits; None if no operation has lost any."""
        return self.records[0] if self.records and self.records[0].bits_lost > 0 else None

    @property
    def without_shadow(self) -> list[ShadowRecord]:
        """Operations whose results count as exact because hlokit cannot evaluate them in wider types."""
        return [record for record in self.records if record.note]

    @for_callers
    def table(self, most: int | None = None) -> str:
        """The first `most` records as lines of text."""
        shown = self.records if most is None else self.records[:most]
        lines = [HEADER, *map(str, shown)]
        if len(shown) < len(self.records):
            lines.append(f"and {len(self.records) - len(shown)} more operations")
        missing = self.without_shadow
        if missing:
            names = ", ".join(sorted({record.op for record in missing}))
            lines.append(f"{len(missing)} operations have no shadow, and count as exact: {names}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return self.table(_LISTED)

    def _repr_html_(self) -> str:
        from hlokit.display.html import Cell, escape, facts, fragment, number, table

        columns = (
            "bits lost",
            "bits left",
            "max ULP",
            "mean ULP",
            "relative",
            "runs",
            "operation",
            "type",
            "source",
        )
        rows = [
            (
                number(record.bits_lost),
                number(record.bits_after),
                number(record.max_ulp),
                number(record.mean_ulp),
                number(record.relative),
                number(record.runs),
                Cell(f'{escape(record.op)} <span class="dim">{escape(record.note)}</span>'),
                record.type,
                source_text(record.location) or f"@{record.function}",
            )
            for record in self.records
        ]
        worst = self.worst
        head = facts(
            ("operations", f"{len(self.records):,}"),
            ("worst", "" if worst is None else f"{escape(worst.op)} {escape(worst.source)}"),
            ("without a shadow", f"{len(self.without_shadow):,}" if self.without_shadow else ""),
        )
        return fragment(head + table(columns, rows))


def _short(number: float) -> str:
    return f"{number:.3g}"


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
