"""Results whose text says all: shells print it, and notebooks show it, instead of the attributes."""

from __future__ import annotations

# A notebook shows this much of a text.
_MOST_LINES = 200
_LONGEST_LINE = 300


class Shown:
    """Base of results that `str` describes; dataclasses among them need `repr=False`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return text_html(str(self))


def text_html(text: str) -> str:
    """A text for a notebook, whose first line stands out; indentation survives where styles are lost."""
    from hlokit.display.html import escape, fragment  # programs start without it

    lines = text.splitlines()
    shown = [
        line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..." for line in lines[:_MOST_LINES]
    ]
    more = len(lines) - len(shown)
    left = f'<div class="dim">{more:,} more lines</div>' if more else ""
    first, rest = "".join(shown[:1]), "\n".join(shown[1:])
    body = f'<pre class="text">{escape(rest)}</pre>' if rest else ""
    return fragment(f'<div class="mono head">{escape(first)}</div>{body}{left}')
