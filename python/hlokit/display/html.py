"""HTML for notebooks: styles for light and dark, tables that filter and sort, text escaped.

The HTML loads nothing from the network. Without scripts, as in an untrusted notebook, colours, folding and
whole tables still work.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape as _escape
from pathlib import Path

from hlokit.display.printable import printable

_HERE = Path(__file__).parent
# The number of rows of a table that a notebook shows; below them it shows the number of all others.
MOST_ROWS = 1000


def escape(text: object) -> str:
    """Text as HTML, also within quotes."""
    return _escape(printable(str(text)))


def fragment(body: str) -> str:
    """A piece of HTML with styles and script, for `_repr_html_`."""
    name = f"hlokit-{uuid.uuid4().hex[:12]}"
    has_parts = any(part in body for part in ("<table", "data-v=", "data-z="))
    script = f"<script>{asset('notebook.js').replace('ROOT', name)}</script>" if has_parts else ""
    return f'<div class="hlokit" id="{name}"><style>{asset("notebook.css")}</style>{body}{script}</div>'


@cache
def asset(name: str) -> str:
    """A file of this room: styles and scripts."""
    return (_HERE / name).read_text(encoding="utf-8")


class Cell(str):
    """Text of a table's cell that is HTML already.

    Attributes:
      key: the sort key of the column.
    """

    __slots__ = ("is_number", "key")

    def __new__(cls, html: str, key: float | None = None, *, is_number: bool = False) -> Cell:
        cell = super().__new__(cls, html)
        cell.key = key
        cell.is_number = is_number
        return cell


def number(value: float | int | None, spelled: str | None = None) -> Cell:
    """A number of a table: aligned to the right, sorted by value."""
    if value is None:
        return Cell("", is_number=True)
    text = spelled if spelled is not None else (f"{value:,}" if isinstance(value, int) else f"{value:.4g}")
    return Cell(escape(text), float(value), is_number=True)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, filters: bool = True) -> str:
    """A table; words in a box filter the rows, and a click on the head of a column sorts them.

    Args:
      rows: cells, as text or `Cell`; the table shows at most `MOST_ROWS` rows.
    """
    shown: list[str] = []
    numbers: set[int] = set()
    count = 0
    for row in rows:
        count += 1
        if count > MOST_ROWS:
            continue
        cells: list[str] = []
        for column_number, cell in enumerate(row):
            if isinstance(cell, Cell):
                key = "" if cell.key is None else f' data-k="{cell.key:.9g}"'
                kind = ' class="n"' if cell.is_number else ""
                if cell.is_number:
                    numbers.add(column_number)
                cells.append(f"<td{kind}{key}>{cell}</td>")
            else:
                cells.append(f"<td>{escape(cell)}</td>")
        shown.append(f"<tr>{''.join(cells)}</tr>")
    heads = "".join(
        f'<th scope="col"{" class=n" if column_number in numbers else ""}>{escape(column)}</th>'
        for column_number, column in enumerate(columns)
    )
    box = '<input class="filter" type="search" placeholder="filter rows" aria-label="filter rows">'
    left = f'<div class="dim">and {count - MOST_ROWS:,} more rows</div>' if count > MOST_ROWS else ""
    return (
        f"{box if filters and count > 5 else ''}"
        f'<div class="rows" tabindex="0"><table class="mono"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(shown)}</tbody></table></div>{left}"
    )


def facts(*pairs: tuple[str, str]) -> str:
    """A line of facts: each fact has a dim name, and a value in HTML."""
    return (
        '<div class="head">'
        + " &nbsp; ".join(
            f'<span class="dim">{escape(name)}</span> {value}' for name, value in pairs if value
        )
        + "</div>"
    )


def short_seconds(seconds: float) -> str:
    """`12.3 us`, `4.56 ms`, `1.20 s`."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def short_bytes(count: int) -> str:
    """`123 B`, `4.5 kB`, `6.7 MB`."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{count} B" if unit == "B" else f"{size:.3g} {unit}"
        size /= 1000
    raise AssertionError
