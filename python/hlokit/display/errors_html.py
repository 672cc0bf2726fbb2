"""Errors and diagnostics in a notebook: the operation and the source line first, without frames of hlokit."""

from __future__ import annotations

import traceback
from collections.abc import Sequence

from hlokit.display.html import Cell, escape, fragment, table
from hlokit.display.locations import SourceFrame
from hlokit.display.tracebacks import is_own


def error_html(name: str, text: str) -> str:
    """An error: its first line, and the other lines in a folded part."""
    first, _, rest = text.partition("\n")
    more = (
        f'<details open><summary class="dim">more</summary><pre class="mono">{escape(rest)}</pre></details>'
    )
    return fragment(
        f'<div><span class="bad">{escape(name)}</span> <span class="mono">{escape(first)}</span></div>'
        f"{more if rest else ''}"
    )


def diagnostics_html(rows: Sequence[tuple[str, str, str]]) -> str:
    """Diagnostics as a table: severity, place, message."""
    if not rows:
        return fragment('<div class="dim">no diagnostics</div>')
    shown = [
        (
            Cell(f'<span class="{"bad" if severity == "error" else "dim"}">{escape(severity)}</span>'),
            position,
            message,
        )
        for severity, position, message in rows
    ]
    return fragment(table(("", "place", "message"), shown))


def traceback_lines(error: Exception) -> list[str]:
    """An error as IPython prints it: the message, and the lines of the caller that led to it."""
    lines = [f"{type(error).__name__}: {error}"]
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        frame
        for frame in frames
        if not is_own(frame.filename) and SourceFrame("", frame.filename, frame.lineno or 0, 0).is_user
    ]
    for frame in own:
        position = SourceFrame("", frame.filename, frame.lineno or 0, 0).text
        lines.append(f"  {position}: {frame.line}" if frame.line else f"  {position}")
    return lines
