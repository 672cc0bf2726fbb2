"""`hlokit view`: a program, and with arguments its run, as a page, for Graphviz or for Model Explorer."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.evaluating.numerics import SHADOW
from hlokit.cli.frame.flags import UsageError, Values, one_of
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import AGAINST, OUTPUT_FILE, TIME_LIMIT
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import open_output
from hlokit.cli.streams.programs import arguments_of, load_input
from hlokit.display.printable import printable_line
from hlokit.files.reading import STANDARD_INPUT
from hlokit.programs.program import Program
from hlokit.tools.tracing.run_trace import RunTrace

Format = Literal["html", "dot", "model-explorer", "node-data"]
FORMATS: tuple[Format, ...] = ("html", "dot", "model-explorer", "node-data")


_FORMATS_OF_NAME: dict[str, tuple[Format, ...]] = {
    ".html": ("html",),
    ".htm": ("html",),
    ".dot": ("dot",),
    ".json": ("model-explorer", "node-data"),
}

_NAMES = "must be the name of a page (.html), of a graph for Graphviz (.dot), which draws pictures, or .json"
_OUTPUT_HELP = "the page (default: FILE's name with .html, here; for the other formats: standard output)"


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    parser.add_flags(
        replace(OUTPUT_FILE, help=_OUTPUT_HELP), FUNCTION, *EXAMPLES, SHADOW, AGAINST, TIME_LIMIT
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=one_of(*FORMATS),
        help="html, dot, model-explorer or node-data (default: by the name of the file, .dot or .json; html)",
    )


def _view(values: Values) -> int:
    suffix = os.path.splitext(values.o or "")[1].lower()
    if suffix and suffix not in _FORMATS_OF_NAME and values.format is None:
        raise UsageError(f"view: -o {_NAMES}, got '{values.o}'")
    formats = _FORMATS_OF_NAME.get(suffix, FORMATS)
    chosen: Format = values.format or formats[0]
    if chosen not in formats:
        raise UsageError(f"view: --format must be {' or '.join(formats)} for '{values.o}', got {chosen}")
    if values.open and chosen != "html":
        raise UsageError(f"view: --open shows a page, got --format={chosen}")
    output = values.o or (_default_name(values.file) if chosen == "html" else None)
    if values.open and output == "-":
        raise UsageError("view: --open needs a file, got -o -")
    program = load_input(values.file)
    missing = Examples.read(values)
    has_run = bool(values.arguments) or missing.filling is not None
    arguments = arguments_of(program, values.function, values.arguments, missing) if has_run else []
    if chosen == "html":
        text = _page(program, arguments, values)
    else:
        text = _graph(program, values.function, arguments, chosen)
    with open_output(output) as file:
        file.write(text)
    if values.o is None and output is not None:
        sys.stdout.write(f"wrote {printable_line(output)}\n")
    if values.open and output is not None and not _shown(output):
        sys.stderr.write(f"note: no browser was found: open {printable_line(output)} in one\n")
    return 0


def _default_name(path: str) -> str:
    """The name of the page of a program, in the current folder.

    Raises:
      UsageError: another file has this name.
    """
    name = (
        "program" if path == STANDARD_INPUT else os.path.splitext(os.path.basename(os.path.normpath(path)))[0]
    )
    page = f"{name}.html"
    if os.path.lexists(page) and not _is_page(page):
        raise UsageError(f"view: '{page}' is no page of hlokit view: -o FILE must name the page")
    return page


def _is_page(path: str) -> bool:
    from hlokit.tools.view.page import MARK

    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return MARK in file.read(1000)
    except OSError:
        return False


def _shown(path: str) -> bool:
    """Whether a browser shows a file."""
    import webbrowser  # takes 20 ms, and few commands open a browser

    return webbrowser.open(Path(path).resolve().as_uri())


def _page(program: Program, arguments: Sequence[object], values: Values) -> str:
    report = None
    if values.against is not None:
        from hlokit.tools.diff.run import diff, resolve

        other = resolve(values.against, values.time_limit or 300)
        report = diff(program, *arguments, against=other, function=values.function)
    return program.view(*arguments, function=values.function, shadow=values.shadow, diff=report).html


def _graph(program: Program, function: str | None, arguments: Sequence[object], chosen: Format) -> str:
    from hlokit.tools.view import model_explorer
    from hlokit.tools.view.dot import dot
    from hlokit.tools.view.overlay import run_overlay

    trace: RunTrace | None = None
    if arguments or not program.signature(function).inputs:
        trace = program.trace(*arguments, function=function, keep=0, raises=False)
    run = None if trace is None else run_overlay(trace)
    if chosen == "dot":
        return dot(program.listing, run)
    if chosen == "model-explorer":
        label = program.filename if program.filename != "-" else "program"
        return json.dumps({"label": label, "graphs": model_explorer.graphs(program.listing)}) + "\n"
    if run is None:
        raise UsageError("view: --format=node-data needs a run: arguments must be given")
    return json.dumps(model_explorer.node_data(program.listing, run, "time (us)")) + "\n"


SUBCOMMAND = Subcommand(
    "view",
    "FILE [ARGUMENT...] [-o PAGE.html] [flags]",
    "write a page of a program and, with arguments, of its run (docs/view.md)",
    _add_arguments,
    _view,
    examples=(
        "hlokit view model.mlirbc --open",
        "hlokit view model.mlirbc --random -o run.html",
    ),
)
