"""One self-contained page: a program as text and as a graph, with the data of its run."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from hlokit.display.html import escape, short_seconds
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view.overlay import (
    FindingLike,
    ShadowRecordLike,
    diff_overlay,
    flame,
    memory,
    run_overlay,
    shadow_overlay,
)

_HERE = Path(__file__).parent
_ELIDED = "dense_resource<__elided__>"
# The page cuts longer lines, because attributes may contain whole files.
_LONGEST_LINE = 2000


class Findings(Protocol):
    """The part of a report of `hlokit.diff` that pages need."""

    @property
    def findings(self) -> Sequence[FindingLike]: ...


@dataclass(frozen=True, slots=True)
class Reports:
    """Further data about a run.

    Attributes:
      shadow: records of a `Shadow`.
      findings: the report of `hlokit.diff`.
      texts: titles and texts of reports.
      devices: the mesh, pieces and collectives of a sharded program, as `devices.js` reads them.
    """

    shadow: Sequence[ShadowRecordLike] = ()
    findings: Sequence[FindingLike] = ()
    texts: Sequence[tuple[str, str]] = ()
    devices: Mapping[str, Any] | None = None


def page(
    listing: ProgramListing,
    title: str,
    *,
    entry: str = "main",
    filename: str = "-",
    trace: RunTrace | None = None,
    reports: Reports | None = None,
) -> str:
    """The page as HTML.

    Args:
      entry: the function that is open initially.
      filename: the program's file name in locations.
      trace, reports: the data to show with the program.
    """
    reports = reports or Reports()
    data = _program(listing)
    colours = ["none"]
    data.update(
        run=None,
        flame=None,
        memory=None,
        shadow=None,
        diff=None,
        reports=[list(text) for text in reports.texts],
    )
    facts = [f"{sum(1 for op in listing.ops if op.label):,} operations", f"@{entry}"]
    first = -1
    if trace is not None:
        data.update(run=run_overlay(trace), flame=flame(trace), memory=memory(trace))
        colours += ["time", "memory", "range", "nan"]
        facts.append(f"run: {short_seconds(trace.seconds)}, observed")
        nan = trace.first_nan
        if nan is not None:
            facts.append(f"first NaN: {nan.label or nan.op} {nan.source}")
            first = nan.number
        if trace.error is not None:
            data["reports"].insert(0, [type(trace.error).__name__, str(trace.error)])
    if reports.shadow:
        data["shadow"] = shadow_overlay(listing, reports.shadow, filename)
        colours.append("ulp")
    if reports.findings:
        data["diff"] = diff_overlay(listing, reports.findings)
        colours.append("diff")
    if reports.devices is not None:
        data["devices"] = reports.devices
        colours.append("sent")
    data.update(colours=colours, facts=", ".join(facts), entry=entry, select=first)
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 6)
    parts = {
        "TITLE": escape(title),
        "CSS": _file("page.css"),
        "DAGRE": _file("vendored/dagre/dagre.min.js").partition("//# sourceMappingURL")[0],
        "DATA": base64.b64encode(packed).decode(),
        "DEVICES": "" if reports.devices is None else f"<script>{_file('devices.js')}</script>\n",
        "JS": _file("page.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda placeholder: parts[placeholder[1]], _file("page.html"))


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _program(listing: ProgramListing) -> dict[str, Any]:
    """Lines, operations and values as arrays."""
    names, functions, types = _Table(), _Table(), _Table()
    sources: list[dict[str, Any]] = []
    source_numbers: dict[str, int] = {}
    notes = listing.notes()
    ops: dict[str, list[Any]] = {
        key: [] for key in ("line", "end", "name", "label", "parent", "fn", "src", "res", "opd", "type")
    }
    for op in listing.ops:
        number = source_numbers.get(op.location)
        if number is None:
            number = source_numbers[op.location] = len(sources)
            source = listing.source(op)
            sources.append({"t": source.text, "s": source.stack, "p": scope(source.name)})
        values = (op.line, op.end, names(op.name), op.label, op.parent, functions(op.function), number)
        for key, value in zip(ops, values, strict=False):
            ops[key].append(value)
        ops["res"].append(op.results)
        ops["opd"].append(op.operands)
        ops["type"].append(types(result_types(listing.lines[op.line if op.end == op.line else op.end])))
    lines = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..." for line in listing.lines]
    for number, note in notes.items():
        line = listing.ops[number].line
        lines[line] = lines[line].replace(_ELIDED, f"dense<{note}>")
    return {
        "lines": lines,
        "lineOp": listing.op_of_line,
        "lineVals": listing.values_of_line,
        "ops": ops,
        "names": names.items,
        "fns": functions.items,
        "types": types.items,
        "sources": sources,
        "values": [(value.name, value.op) for value in listing.values],
    }


class _Table:
    """Strings by number, each stored once."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self._numbers: dict[str, int] = {}

    def __call__(self, item: str) -> int:
        number = self._numbers.get(item)
        if number is None:
            number = self._numbers[item] = len(self.items)
            self.items.append(item)
        return number


def scope(name: str) -> list[str]:
    """The scopes in the name of a location: `jit(f)/layer/dot_general` is in `jit(f)` and `layer`."""
    if "/" not in name or name.startswith("/"):
        return []
    return name.split("/")[:-1]


def result_types(line: str) -> str:
    """The result types after the last arrow or colon of a line; "" if the line has no types."""
    _, arrow, types = line.rpartition(" -> ")
    if not arrow:
        _, arrow, types = line.rpartition(" : ")
    return types.removesuffix(" {").strip("()") if arrow else ""
