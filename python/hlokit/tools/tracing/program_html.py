"""The display of a program in a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hlokit.display.html import escape, facts, fragment
from hlokit.display.program_html import listing_html
from hlokit.tools.tracing.listings import ProgramListing

_MOST_KINDS = 6


def program_html(listing: ProgramListing, filename: str, signatures: Sequence[str]) -> str:
    """Signature, counts, and the lines of a program."""
    names = Counter(op.name.partition(".")[2] for op in listing.ops if op.label)
    kinds = ", ".join(f"{count:,} {escape(name)}" for name, count in names.most_common(_MOST_KINDS))
    functions = sum(1 for _ in listing.functions)
    head = "".join(f'<div class="mono head">{escape(signature)}</div>' for signature in signatures)
    head += facts(
        ("program", "" if filename == "-" else escape(filename)),
        ("operations", f"{sum(names.values()):,}"),
        ("of them", kinds),
        ("functions", f"{functions:,}"),
    )
    return fragment(head + listing_html(listing, listing.notes()))
