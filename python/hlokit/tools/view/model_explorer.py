"""Programs and their runs in the formats of Model Explorer: graphs, and data of nodes."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.view.grouping.paths import scope
from hlokit.tools.view.page import result_types

_ATTRIBUTES = re.compile(r"(<?\{.*\}>?) : ")
# Measures of a run for node data, with the key in `run_overlay`.
_MEASURES = (("time (us)", "self", 1e6), ("bytes", "bytes", 1.0), ("NaN", "nan", 1.0), ("runs", "runs", 1.0))
_GRADIENT = [{"stop": 0, "bgColor": "#fff8d6"}, {"stop": 1, "bgColor": "#f4694c"}]
_LONGEST = 500


def graphs(listing: ProgramListing) -> list[dict[str, Any]]:
    """One graph per function. Source scopes and regions are namespaces; a call links to its function's
    graph."""
    functions = {op.function: op for op in listing.functions}
    by_function: dict[str, dict[str, Any]] = {name: {"id": name, "nodes": []} for name in functions}
    spaces: dict[int, str] = {}
    for number, op in enumerate(listing.ops):
        if op.function not in by_function or op is functions[op.function]:
            continue
        space = "/".join(_clean(part) for part in scope(listing.source(op).name))
        outer = spaces.get(op.parent, "")
        space = "/".join(filter(None, (outer, space if not outer else "")))
        if op.end > op.line:
            spaces[number] = "/".join(filter(None, (space, _clean(f"{op.name} {op.label}".strip()))))
        by_function[op.function]["nodes"].append(_node(listing, number, spaces.get(number, space), functions))
    return list(by_function.values())


def _node(listing: ProgramListing, number: int, space: str, functions: Container[str]) -> dict[str, Any]:
    op = listing.ops[number]
    line = listing.lines[op.line]
    attributes = [{"key": "text", "value": line.strip()[:_LONGEST]}]
    source = listing.source(op)
    if source.text:
        attributes.append({"key": "source", "value": source.text})
    written = _ATTRIBUTES.search(line)
    if written is not None:
        attributes.append({"key": "attributes", "value": written[1][:_LONGEST]})
    edges = [
        {
            "sourceNodeId": str(listing.values[value].op),
            "sourceNodeOutputId": str(listing.values[value].number),
            "targetNodeInputId": str(operand_number),
        }
        for operand_number, value in enumerate(op.operands)
        if listing.values[value].op >= 0 and listing.ops[listing.values[value].op].function == op.function
    ]
    types = result_types(listing.lines[op.end])
    outputs = [
        {
            "id": str(result_number),
            "attrs": [
                {"key": "__tensor_tag", "value": listing.values[value].name},
                {"key": "types", "value": types},
            ],
        }
        for result_number, value in enumerate(op.results)
    ]
    called = re.search(r"@([\w$.-]+)", line) if op.name == "func.call" else None
    subgraphs = [called[1]] if called is not None and called[1] in functions else []
    return {
        "id": str(number),
        "label": op.name,
        "namespace": space,
        "attrs": attributes,
        "incomingEdges": edges,
        "outputsMetadata": outputs,
        "subgraphIds": subgraphs,
    }


def node_data(listing: ProgramListing, run: Mapping[int, Any], measure: str) -> dict[str, Any]:
    """One measure of a run: for each graph the values of its nodes.

    Args:
      run: the result of `run_overlay`.
      measure: `time (us)`, `bytes`, `NaN` or `runs`.
    """
    key, factor = next((key, factor) for name, key, factor in _MEASURES if name == measure)
    by_function: dict[str, Any] = {}
    for number, measures in run.items():
        function = listing.ops[number].function
        graph = by_function.setdefault(function, {"name": measure, "results": {}, "gradient": _GRADIENT})
        graph["results"][str(number)] = {"value": measures[key] * factor}
    return by_function


def _clean(part: str) -> str:
    """A part of a namespace without slashes, which separate the parts."""
    return part.replace("/", "|")
