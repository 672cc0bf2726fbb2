"""The graph of a program for Graphviz: functions and regions are clusters, values are edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hlokit.display.html import short_seconds
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.view.page import result_types

_HEAD = """digraph program {
  compound=true; rankdir=TB; fontname="Helvetica";
  node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", fontsize=10];
  edge [fontname="Helvetica", fontsize=8, arrowsize=0.6];"""

# From this number of operations on, Graphviz would take minutes for its best layout; _QUICK requests a layout
# that takes seconds.
_LARGE = 300
_QUICK = "\n  nslimit=2; nslimit1=2; mclimit=0.2; splines=line;"


def dot(listing: ProgramListing, run: Mapping[int, Any] | None = None) -> str:
    """The program as a digraph; with a run, boxes show times, and boxes of results with NaN are red.

    Args:
      run: the result of `run_overlay`.
    """
    head = _HEAD + _QUICK if len(listing.ops) > _LARGE else _HEAD
    return "\n".join([head, *_lines(listing, run or {}), "}", ""])


def _lines(listing: ProgramListing, run: Mapping[int, Any]) -> Iterator[str]:
    children: dict[int, list[int]] = {}
    for number, op in enumerate(listing.ops):
        children.setdefault(op.parent, []).append(number)
    roots = children.get(-1, [])
    tops = (
        children.get(roots[0], [])
        if len(roots) == 1 and listing.ops[roots[0]].name == "builtin.module"
        else roots
    )
    # Depth first without recursion: regions may be nested deeply.
    waiting: list[tuple[int, int] | str] = [(top, 1) for top in reversed(tops)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        number, depth = item
        indent, op = "  " * depth, listing.ops[number]
        inner = children.get(number, [])
        if op.end > op.line:
            yield f"{indent}subgraph cluster_{number} {{"
            title = f"@{op.function}" if op.parent in (-1, 0) else " ".join(filter(None, (op.name, op.label)))
            yield f"{indent}  label={_quoted(title)}; style=rounded; color=gray60;"
            if op.results:
                yield f"{indent}  n{number} [{_attributes(listing, run, number)}, shape=ellipse];"
            waiting.append(f"{indent}}}")
            waiting += [(child, depth + 1) for child in reversed(inner)]
        else:
            yield f"{indent}n{number} [{_attributes(listing, run, number)}];"
    yield from _edges(listing)


def _attributes(listing: ProgramListing, run: Mapping[int, Any], number: int) -> str:
    op = listing.ops[number]
    types = result_types(listing.lines[op.end])
    lines = [" = ".join(filter(None, (op.label, op.name))), types]
    measures = run.get(number)
    colour = ""
    if measures is not None:
        lines.append(
            short_seconds(measures["self"]) + (f", {measures['nan']} NaN" if measures["nan"] else "")
        )
        colour = ', fillcolor="#ffb4a9"' if measures["nan"] else ""
    source = listing.source(op).text
    tip = f", tooltip={_quoted(source)}" if source else ""
    return f"label={_quoted(chr(10).join(filter(None, lines)))}{colour}{tip}"


def _edges(listing: ProgramListing) -> Iterator[str]:
    for number, op in enumerate(listing.ops):
        if op.end > op.line and not op.results:  # functions have no operands
            continue
        for value in dict.fromkeys(op.operands):
            producer = listing.values[value].op
            if producer >= 0:
                yield f"  n{producer} -> n{number} [tooltip={_quoted(listing.values[value].name)}];"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
