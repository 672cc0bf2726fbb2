"""`hlokit accuracy`: errors of operations in ULP, as a page, as JSON, as plots."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.standard_streams import write_styled
from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.accuracy.exhaustive import Record

# The file of results for all inputs (`--exhaustive`), in the directory of the plots; the page shows these
# results.
RECORDS = "exhaustive.json"


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("--full", action="store_true", help="take a million samples of f32")
    parser.add_argument(
        "--op",
        metavar="NAME",
        action="append",
        default=[],
        help="measure this operation only (sine, stablehlo.sine)",
    )
    parser.add_argument(
        "--type", metavar="TYPE", action="append", default=[], help="measure this element type only"
    )
    parser.add_argument("--output", metavar="FILE", help="write the page to this file")
    parser.add_argument(
        "--plots", metavar="DIR", help="write plots of errors over inputs (SVG) to a directory"
    )
    parser.add_argument(
        "--alone",
        action="store_true",
        help="do not compare with XLA:CPU and the interpreter of the bindings",
    )
    parser.add_argument(
        "--exhaustive",
        action="store_true",
        help="measure all 2**32 inputs of functions of one f32 and of two numbers of 16 bits; an interrupted "
        "run continues from the results in the file of --output",
    )
    parser.add_json()


def _print_accuracy(values: Values) -> int:
    from hlokit.accuracy import exhaustive, functions, plot, report, run  # slow to import
    from hlokit.numerics.rules import exact

    exact.require()
    _require_directory(values.output)
    if values.exhaustive:
        return _exhaust(values)
    selection = run.Selection(
        ops=_known(
            values.op,
            "op",
            {name for f in functions.FUNCTIONS for name in (f.name, f.short_name)} | {*run.SUMS},
        ),
        types=_known(values.type, "type", {type_.name for type_ in run.TYPES}),
        is_full=values.full,
        with_others=not values.alone,
    )
    with np.errstate(all="ignore"):
        measurements = list(run.run(selection, _progress))
    write_styled(sys.stderr, "\r\033[K" if sys.stderr.isatty() else "")
    directory: str | None = values.plots
    if directory is not None:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, text in plot.plots(measurements):
            (Path(directory) / name).write_text(text)
    records = list(exhaustive.read(None if directory is None else Path(directory, RECORDS)).values())
    if values.json:
        text = json.dumps(report.as_json(measurements, records), indent=1) + "\n"
    else:
        text = report.as_markdown(measurements, _command(values), _plots_from_page(values), records)
    if values.output is not None:
        Path(values.output).write_text(text)
    else:
        sys.stdout.write(text)
    missed = report.missed(measurements, records)
    for sentence in missed:
        sys.stderr.write(f"missed: {sentence}\n")
    return 1 if missed else 0


def _require_directory(path: str | None) -> None:
    """Fail before minutes of work rather than after."""
    if path is not None and not Path(path).parent.is_dir():
        raise ArgumentError(f"accuracy: --output must be in a directory that exists, got '{path}'")


def _plots_from_page(values: Values) -> str | None:
    if values.plots is None or values.output is None:
        return values.plots
    return os.path.relpath(values.plots, Path(values.output).parent)


def _known(texts: Sequence[str], flag: str, names: set[str]) -> tuple[str, ...]:
    """The names in the values of a flag."""
    chosen = [name for text in texts for name in text.split(";")]
    for name in chosen:
        if name not in names:
            raise ArgumentError(f"accuracy: --{flag} must be one of {', '.join(sorted(names))}, got '{name}'")
    return tuple(chosen)


def _command(values: Values) -> str:
    """The command line that makes the page."""
    switches = [f"--{name}" for name in ("alone", "full", "json") if getattr(values, name)]
    lists = [f"--{name}={value}" for name in ("op", "type") for value in getattr(values, name)]
    files = [f"--{name}={getattr(values, name)}" for name in ("output", "plots") if getattr(values, name)]
    return shlex.join(["hlokit", "accuracy", *switches, *lists, *files])


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        write_styled(sys.stderr, f"\r\033[K{text}")
        sys.stderr.flush()


def _exhaust(values: Values) -> int:
    from hlokit.accuracy import exhaustive  # slow to import

    keys = list(exhaustive.keys())
    names = {name for op, _ in keys for name in (op, op.partition(".")[2], _without_direction(op))}
    ops = _known(values.op, "op", names)
    types = _known(values.type, "type", {type_name for _, type_name in keys})
    chosen = [
        (op, type_name)
        for op, type_name in keys
        if (not types or type_name in types)
        and (not ops or not {op, op.partition(".")[2], _without_direction(op)}.isdisjoint(ops))
    ]
    records = None if values.output is None else Path(values.output)
    is_missed = False
    for record in exhaustive.run(chosen, records, _ExhaustiveProgress()):
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


SUBCOMMAND = Subcommand(
    "accuracy",
    "[--op=NAME]... [flags]",
    "measure errors of all functions in ULP (docs/accuracy.md); the exit status is 1 if hlokit misses a "
    "target",
    _add_arguments,
    _print_accuracy,
)
