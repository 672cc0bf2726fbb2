"""Errors of operations in ULP, as a page, as JSON, as plots: docs/accuracy.md.

    python -m tools.accuracy [--op=NAME]... [flags]

The exit status is 1 if hlokit misses a target of the page.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hlokit.errors import ArgumentError, HlokitError
from hlokit.tools.numerics.rules import exact
from tools.accuracy import exhaustive, functions, plot, report, run
from tools.accuracy.exhaustive import Record

# The file of results for all inputs (`--exhaustive`), in the directory of the plots; the page shows these
# results.
RECORDS = "exhaustive.json"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tools.accuracy",
        description="Measure errors of all functions in ULP.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--full", action="store_true", help="take a million samples of f32")
    add("--op", metavar="NAME", action="append", default=[], help="measure this operation only (sine)")
    add("--type", metavar="TYPE", action="append", default=[], help="measure this element type only")
    add("--output", metavar="FILE", help="write the page to this file")
    add("--plots", metavar="DIR", help="write plots of errors over inputs (SVG) to a directory")
    add(
        "--alone", action="store_true", help="do not compare with XLA:CPU and the interpreter of the bindings"
    )
    add(
        "--exhaustive",
        action="store_true",
        help="measure all 2**32 inputs of functions of one f32 and of two numbers of 16 bits; an interrupted "
        "run continues from the results in the file of --output",
    )
    add(
        "--inputs",
        metavar="N",
        type=int,
        default=exhaustive.INPUTS,
        help="with --exhaustive: end after N inputs of each function, which are spread over all",
    )
    add("--json", action="store_true", help="print JSON instead of text")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    try:
        return _print_accuracy(_parser().parse_args(arguments))
    except HlokitError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _print_accuracy(options: argparse.Namespace) -> int:
    exact.require()
    _require_directory(options.output)
    if options.exhaustive:
        return _exhaust(options)
    selection = run.Selection(
        ops=_known(
            options.op,
            "op",
            {name for f in functions.FUNCTIONS for name in (f.name, f.short_name)} | {*run.SUMS},
        ),
        types=_known(options.type, "type", {type_.name for type_ in run.TYPES}),
        is_full=options.full,
        with_others=not options.alone,
    )
    with np.errstate(all="ignore"):
        measurements = list(run.run(selection, _progress))
    sys.stderr.write("\r\033[K" if sys.stderr.isatty() else "")
    directory: str | None = options.plots
    if directory is not None:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, text in plot.plots(measurements):
            (Path(directory) / name).write_text(text)
    records = list(exhaustive.read(None if directory is None else Path(directory, RECORDS)).values())
    if options.json:
        text = json.dumps(report.as_json(measurements, records), indent=1) + "\n"
    else:
        text = report.as_markdown(measurements, _command(options), _plots_from_page(options), records)
    if options.output is not None:
        Path(options.output).write_text(text)
    else:
        sys.stdout.write(text)
    missed = report.missed(measurements, records)
    for sentence in missed:
        sys.stderr.write(f"missed: {sentence}\n")
    return 1 if missed else 0


def _require_directory(path: str | None) -> None:
    """Fail before minutes of work rather than after."""
    if path is not None and not Path(path).parent.is_dir():
        raise ArgumentError(f"--output must be in a directory that exists, got '{path}'")


def _plots_from_page(options: argparse.Namespace) -> str | None:
    if options.plots is None or options.output is None:
        return options.plots
    return os.path.relpath(options.plots, Path(options.output).parent)


def _known(texts: Sequence[str], flag: str, names: set[str]) -> tuple[str, ...]:
    """The names in the values of a flag."""
    chosen = [name for text in texts for name in text.split(";")]
    for name in chosen:
        if name not in names:
            raise ArgumentError(f"--{flag} must be one of {', '.join(sorted(names))}, got '{name}'")
    return tuple(chosen)


def _command(options: argparse.Namespace) -> str:
    """The command line that makes the page."""
    switches = [f"--{name}" for name in ("alone", "full", "json") if getattr(options, name)]
    lists = [f"--{name}={value}" for name in ("op", "type") for value in getattr(options, name)]
    files = [f"--{name}={getattr(options, name)}" for name in ("output", "plots") if getattr(options, name)]
    return shlex.join(["python", "-m", "tools.accuracy", *switches, *lists, *files])


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def _exhaust(options: argparse.Namespace) -> int:
    keys = list(exhaustive.keys())
    names = {name for op, _ in keys for name in (op, op.partition(".")[2], _without_direction(op))}
    ops = _known(options.op, "op", names)
    types = _known(options.type, "type", {type_name for _, type_name in keys})
    chosen = [
        (op, type_name)
        for op, type_name in keys
        if (not types or type_name in types)
        and (not ops or not {op, op.partition(".")[2], _without_direction(op)}.isdisjoint(ops))
    ]
    records = None if options.output is None else Path(options.output)
    is_missed = False
    for record in exhaustive.run(chosen, records, _ExhaustiveProgress(), inputs=options.inputs):
        _progress("")
        _write_line(sys.stdout, str(record))
        is_missed |= record.is_missed
    return 1 if is_missed else 0


class _ExhaustiveProgress:
    """Writes one line on a terminal, elsewhere a line for every tenth of the work."""

    def __init__(self) -> None:
        self._written = ("", 0)

    def __call__(self, record: Record) -> None:
        now = (record.key, 10 * record.done >> 32)
        if sys.stderr.isatty():
            _progress(str(record))
        elif now != self._written:
            _write_line(sys.stderr, str(record))
            self._written = now


def _without_direction(op: str) -> str:
    return op.partition(".")[2].partition(" ")[0]


def _write_line(stream: object, text: str) -> None:
    print(text, file=stream, flush=True)  # pyright: ignore[reportArgumentType, reportCallIssue] # a text stream


if __name__ == "__main__":
    sys.exit(main())
