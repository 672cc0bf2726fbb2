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
from hlokit.engine.observe.summaries import Summary
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view.grouping.groups import constant_operations, groups_of
from hlokit.tools.view.grouping.paths import scope
from hlokit.tools.view.names import SourceNames
from hlokit.tools.view.overlay import (
    FindingLike,
    ShadowRecordLike,
    diff_overlay,
    memory,
    plain,
    run_overlay,
    shadow_overlay,
)
from hlokit.tools.view.overview import Parameter, as_numbers, flops_of, overview
from hlokit.tools.view.times import flame, observed_times, times_overlay
from hlokit.tools.view.timing import Times
from hlokit.values.types import ValueType

_HERE = Path(__file__).parent
_ELIDED = "dense_resource<__elided__>"
# The page cuts longer lines, because attributes may contain whole files.
_LONGEST_LINE = 2000
# In this order, they are one script.
_SCRIPTS = ("data.js", "text.js", "graph.js", "details.js", "panes.js", "overview.js", "frame.js", "start.js")
# The first lines of a page, by which `hlokit view` knows that it may overwrite a file.
MARK = '<meta name="generator" content="hlokit view">'


class Findings(Protocol):
    """The part of a report of `hlokit.diff` that pages need."""

    @property
    def findings(self) -> Sequence[FindingLike]: ...


@dataclass(frozen=True, slots=True)
class Subject:
    """The program of a page.

    Attributes:
      entry: the function that is open initially.
      inputs, outputs: the types of the entry function.
      filename: the program's file name in locations.
      source: the program's text; "" if it was no text.
      names: the names of the inputs, where they have some.
    """

    listing: ProgramListing
    title: str
    entry: str
    inputs: Sequence[ValueType] = ()
    outputs: Sequence[ValueType] = ()
    filename: str = "-"
    source: str = ""
    names: Sequence[str | None] = ()


@dataclass(frozen=True, slots=True)
class RunData:
    """A run of a program.

    Attributes:
      times: the times of runs without an observer; None if there were none.
      inputs, outputs: summaries of the values.
    """

    trace: RunTrace
    times: Times | None = None
    inputs: Sequence[Summary] = ()
    outputs: Sequence[Summary] = ()


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


def page(subject: Subject, run: RunData | None = None, reports: Reports | None = None) -> str:
    """The page as HTML."""
    reports = reports or Reports()
    data = _program(subject)
    flops = flops_of(subject.listing)
    data.update(
        {name: None for name in ("run", "times", "flame", "memory", "shadow", "diff")},
        flops=flops,
        overview=overview(subject.listing, subject.entry, subject.filename, flops, _parameters(subject, run)),
        reports=[list(text) for text in reports.texts],
        entry=subject.entry,
        select=-1,
    )
    colours = ["none"]
    facts = [f"{sum(1 for op in subject.listing.ops if op.label):,} operations", f"@{subject.entry}"]
    if run is not None:
        colours += ["time", "memory", "range", "nan"]
        facts += _add_run(data, subject, run)
    if reports.shadow:
        data["shadow"] = shadow_overlay(subject.listing, reports.shadow, subject.filename)
        colours.append("ulp")
    if reports.findings:
        data["diff"] = diff_overlay(subject.listing, reports.findings)
        colours.append("diff")
    if reports.devices is not None:
        data["devices"] = reports.devices
        colours.append("sent")
    data.update(colours=colours, facts=", ".join(facts))
    return _html(subject.title, data)


def _html(title: str, data: Mapping[str, Any]) -> str:
    scripts = (*_SCRIPTS[:-1], *(("devices.js",) if "devices" in data else ()), _SCRIPTS[-1])
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 6)
    parts = {
        "TITLE": escape(title),
        "MARK": MARK,
        "CSS": _file("page.css"),
        "DAGRE": _file("vendored/dagre/dagre.min.js").partition("//# sourceMappingURL")[0],
        "DATA": base64.b64encode(packed).decode(),
        "JS": "".join(_file(f"scripts/{name}") for name in scripts),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda placeholder: parts[placeholder[1]], _file("page.html"))


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _parameters(subject: Subject, run: RunData | None) -> tuple[list[Parameter], list[Parameter]]:
    """The inputs and outputs of the entry function."""
    inputs = [
        Parameter(
            _at(subject.names, number) or f"input {number}", type_, _at(run.inputs, number) if run else None
        )
        for number, type_ in enumerate(subject.inputs)
    ]
    outputs = [
        Parameter(f"output {number}", type_, _at(run.outputs, number) if run else None)
        for number, type_ in enumerate(subject.outputs)
    ]
    return inputs, outputs


def _at(items: Sequence[Any], number: int) -> Any:
    return items[number] if number < len(items) else None


def _add_run(data: dict[str, Any], subject: Subject, run: RunData) -> list[str]:
    """Add the data of a run, and return facts for the head of the page."""
    trace, times = run.trace, run.times
    data["run"] = run_overlay(trace)
    data["times"] = observed_times(trace)
    if times is not None:
        data["times"] = times_overlay(subject.listing, times, data["run"], data["flops"])
    data["flame"] = flame(subject.listing, data["times"]["own"])
    data["memory"] = memory(trace)
    function = next((op for op in subject.listing.functions if op.function == subject.entry), None)
    if function is not None:
        values = subject.listing.values_of_line[function.line]
        data["arguments"] = {
            value: list(map(plain, as_numbers(summary)))
            for value, summary in zip(values, run.inputs, strict=False)
        }
    if times is None:
        facts = [f"run: {short_seconds(trace.seconds)}, observed"]
    else:
        facts = [f"fastest of {times.runs} runs: {short_seconds(times.plain)}"]
    nan = trace.first_nan
    if nan is not None:
        facts.append(f"first NaN: {data['ops']['label'][nan.number] or nan.op} {nan.source}")
        data["select"] = nan.number
    if trace.error is not None:
        data["reports"].insert(0, [type(trace.error).__name__, str(trace.error)])
    return facts


def _program(subject: Subject) -> dict[str, Any]:
    """Lines, operations, values and groups as arrays."""
    listing = subject.listing
    named = SourceNames(listing, subject.source, subject.filename)
    names, functions, types = _Table(), _Table(), _Table()
    sources: list[dict[str, Any]] = []
    source_numbers: dict[str, int] = {}
    ops: dict[str, list[Any]] = {
        key: [] for key in ("line", "end", "name", "label", "parent", "fn", "src", "res", "opd", "type")
    }
    for position, op in enumerate(listing.ops):
        number = source_numbers.get(op.location)
        if number is None:
            number = source_numbers[op.location] = len(sources)
            source = listing.source(op)
            sources.append({"t": source.text, "s": source.stack, "p": scope(source.name)})
        label = named.labels[position]
        values = (op.line, op.end, names(op.name), label, op.parent, functions(op.function), number)
        for key, value in zip(ops, values, strict=False):
            ops[key].append(value)
        ops["res"].append(op.results)
        ops["opd"].append(op.operands)
        ops["type"].append(types(result_types(listing.lines[op.line if op.end == op.line else op.end])))
    return {
        "lines": _lines(listing, named),
        "lineOp": listing.op_of_line,
        "lineVals": listing.values_of_line,
        "ops": ops,
        "names": names.items,
        "fns": functions.items,
        "types": types.items,
        "sources": sources,
        "values": [(name, value.op) for name, value in zip(named.values, listing.values, strict=True)],
        "groups": {
            parent: [node if isinstance(node, int) else node.as_data() for node in nodes]
            for parent, nodes in groups_of(listing).items()
        },
        "constant": [number for number, is_one in enumerate(constant_operations(listing)) if is_one],
    }


def _lines(listing: ProgramListing, named: SourceNames) -> list[str]:
    lines = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..." for line in named.lines]
    for number, note in listing.notes().items():
        line = listing.ops[number].line
        lines[line] = lines[line].replace(_ELIDED, f"dense<{note}>")
    return lines


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


def result_types(line: str) -> str:
    """The result types after the last arrow or colon of a line; "" if the line has no types."""
    _, arrow, types = line.rpartition(" -> ")
    if not arrow:
        _, arrow, types = line.rpartition(" : ")
    return types.removesuffix(" {").strip("()") if arrow else ""
