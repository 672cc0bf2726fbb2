"""`hlokit view`: a program, and with arguments its run, as a page, for Graphviz or for Model Explorer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from hlokit.cli.commands.diff import AGAINST, TIME_LIMIT, arguments_of
from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.evaluating.numerics import SHADOW
from hlokit.cli.frame.flags import CommandLine
from hlokit.cli.streams.outputs import open_output
from hlokit.errors import ArgumentError
from hlokit.loading import load_path
from hlokit.program import Program
from hlokit.tracing.run_trace import RunTrace

Format = Literal["html", "dot", "model-explorer", "node-data"]
FORMATS: tuple[Format, ...] = ("html", "dot", "model-explorer", "node-data")


def view_program(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `view`; its exit status."""
    path, *rest = inputs
    output = line.value("o")
    chosen = line.choice("format", FORMATS) or "html"
    if output is None and chosen == "html":
        raise ArgumentError("view: -o FILE must be given: the page")
    program, function = load_path(path), line.value(FUNCTION.name)
    arguments = arguments_of(program, function, rest) if rest else []
    text = (
        _page(program, function, arguments, line)
        if chosen == "html"
        else _graph(program, function, arguments, chosen)
    )
    with open_output(output) as file:
        file.write(text)
    return 0


def _page(program: Program, function: str | None, arguments: Sequence[object], line: CommandLine) -> str:
    against = line.value(AGAINST.name)
    report = None
    if against is not None:
        from hlokit.differences.run import diff, resolve

        other = resolve(against, line.positive(TIME_LIMIT.name) or 300)
        report = diff(program, *arguments, against=other, function=function)
    shadow = SHADOW.name in line.switches
    return program.view(*arguments, function=function, shadow=shadow, diff=report).html


def _graph(program: Program, function: str | None, arguments: Sequence[object], chosen: Format) -> str:
    from hlokit.view import model_explorer
    from hlokit.view.dot import dot
    from hlokit.view.overlay import run_overlay

    trace: RunTrace | None = None
    if arguments or not program.signature(function).inputs:
        trace = program.trace(*arguments, function=function, keep=0, raises=False)
    run = None if trace is None else run_overlay(trace)
    if chosen == "dot":
        return dot(program.listing, run)
    if chosen == "model-explorer":
        label = program.filename if program.filename != "-" else "program"
        return json.dumps([{"label": label, "graphs": model_explorer.graphs(program.listing)}]) + "\n"
    if run is None:
        raise ArgumentError("view: --format=node-data needs a run: arguments must be given")
    return json.dumps(model_explorer.node_data(program.listing, run, "time (us)")) + "\n"
