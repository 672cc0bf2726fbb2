"""A listing in colours, with regions that fold, values that are highlighted at their uses, and source lines
on hover."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Mapping

from hlokit.display.html import escape
from hlokit.display.listing import Listing

# The number of lines that are HTML from the start; later lines are compressed, and a click unpacks them.
_SHOWN_LINES = 400
# The number of compressed lines that a notebook keeps; `Program.view` shows longer programs.
_MOST_LINES = 40_000
_TOKENS = re.compile(
    r'("(?:[^"\\]|\\.)*")|(%[\w$.-]+(?:#\d+)?)|(@[\w$.-]+)|((?:tensor|tuple|memref|vector)<[^>]*>(?:>)?)'
    r"|\b((?:stablehlo|chlo|vhlo|func|sdy|check|interpreter|shape|arith|mhlo)\.[\w.]+)|([&<>])"
)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ELIDED = "dense_resource<__elided__>"


def listing_html(listing: Listing, notes: Mapping[int, str]) -> str:
    """The lines of a listing.

    Args:
      notes: a description of the elements, for operations with elided constants.
    """
    lines = len(listing.lines)
    html = "".join(_lines(listing, notes, 0, min(lines, _SHOWN_LINES)))
    shown = f'<pre class="ir" tabindex="0" role="region" aria-label="program">{html}</pre>'
    if lines <= _SHOWN_LINES:
        return shown
    packed = base64.b64encode(
        zlib.compress("".join(_lines(listing, notes, 0, min(lines, _MOST_LINES))).encode(), 2)
    ).decode()
    left = f'<div class="dim">{lines - _SHOWN_LINES:,} more lines</div>'
    return f'{shown}<button class="more" data-z="{packed}">show all {lines:,} lines</button>{left}'


def _lines(listing: Listing, notes: Mapping[int, str], start: int, end: int) -> list[str]:
    parts: list[str] = []
    closing: list[int] = []
    for number in range(start, end):
        text = listing.lines[number]
        op_number = listing.op_of_line[number]
        op = listing.ops[op_number] if op_number >= 0 else None
        if op is not None and _ELIDED in text:
            text = text.replace(_ELIDED, f"dense<{notes.get(op_number, '...')}>")
        coloured = _coloured(text, listing.values_of_line[number])
        is_first = op is not None and op.line == number
        source = listing.source(op).text if op is not None and is_first else ""
        title = f' title="{escape(source)}"' if source else ""
        if op is not None and is_first and op.end > number:
            parts.append(f"<details open><summary{title}>{coloured}</summary>")
            closing.append(op.end)
        else:
            parts.append(f"<div{title}>{coloured}</div>")
        while closing and closing[-1] == number:
            parts.append("</details>")
            closing.pop()
    parts += ["</details>"] * len(closing)
    return parts


def _coloured(text: str, values: tuple[int, ...]) -> str:
    ids = iter(values)

    def colour(match: re.Match[str]) -> str:
        kind, whole = match.lastindex, match[0]
        if kind == 2:
            value = next(ids, -1)
            return f"<b data-v={value}>{whole}</b>" if value >= 0 else f"<b>{whole}</b>"
        if kind == 6:
            return _ENTITIES[whole]
        if kind == 4:
            return (
                f"<i>{escape(whole) if '#' in whole else whole.replace('<', '&lt;').replace('>', '&gt;')}</i>"
            )
        if kind == 5:
            return f"<u>{whole}</u>"
        return f"<s>{escape(whole)}</s>"

    return _TOKENS.sub(colour, text)
