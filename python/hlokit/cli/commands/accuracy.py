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

from hlokit.cli.frame.flags import CommandLine
from hlokit.cli.frame.standard_streams import write_styled
from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.accuracy.exhaustive import Record

# The file of results for all inputs (`--exhaustive`), in the directory of the plots; the page shows these
# results.
RECORDS = "exhaustive.json"


def print_accuracy(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status: 1 if hlokit misses a target of docs/accuracy.md."""
    from hlokit.accuracy import exhaustive, functions, plot, report, run  # slow to import
    from hlokit.numerics.rules import exact

    if inputs:
        raise ArgumentError(f"accuracy: operations are given with --op, got {' '.join(inputs)}")
    exact.require()
    _require_directory(line.value("output"))
    if "exhaustive" in line.switches:
        return _exhaust(line)
    selection = run.Selection(
        ops=_known(
            line, "op", {name for f in functions.FUNCTIONS for name in (f.name, f.short_name)} | {*run.SUMS}
        ),
        types=_known(line, "type", {type_.name for type_ in run.TYPES}),
        is_full="full" in line.switches,
        with_others="alone" not in line.switches,
    )
    with np.errstate(all="ignore"):
        found = list(run.run(selection, _progress))
    write_styled(sys.stderr, "\r\033[K" if sys.stderr.isatty() else "")
    if (directory := line.value("plots")) is not None:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, text in plot.plots(found):
            (Path(directory) / name).write_text(text)
    records = list(exhaustive.read(None if directory is None else Path(directory, RECORDS)).values())
    if "json" in line.switches:
        text = json.dumps(report.as_json(found, records), indent=1) + "\n"
    else:
        text = report.as_markdown(found, _command(line), _plots_from_page(line), records)
    if (path := line.value("output")) is not None:
        Path(path).write_text(text)
    else:
        sys.stdout.write(text)
    missed = report.missed(found, records)
    for sentence in missed:
        sys.stderr.write(f"missed: {sentence}\n")
    return 1 if missed else 0


def _require_directory(path: str | None) -> None:
    """Fail before minutes of work rather than after."""
    if path is not None and not Path(path).parent.is_dir():
        raise ArgumentError(f"accuracy: --output must be in a directory that exists, got '{path}'")


def _plots_from_page(line: CommandLine) -> str | None:
    directory, page = line.value("plots"), line.value("output")
    if directory is None or page is None:
        return directory
    return os.path.relpath(directory, Path(page).parent)


def _known(line: CommandLine, flag: str, names: set[str]) -> tuple[str, ...]:
    given = [name for value in line.values.get(flag, []) for name in value.split(";")]
    for name in given:
        if name not in names:
            raise ArgumentError(f"accuracy: --{flag} must be one of {', '.join(sorted(names))}, got '{name}'")
    return tuple(given)


def _command(line: CommandLine) -> str:
    values = [f"--{name}={value}" for name, given in line.values.items() for value in given]
    switches = [f"--{name}" for name in sorted(line.switches)]
    return shlex.join(["hlokit", "accuracy", *switches, *values])


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        write_styled(sys.stderr, f"\r\033[K{text}")
        sys.stderr.flush()


def _exhaust(line: CommandLine) -> int:
    from hlokit.accuracy import exhaustive  # slow to import

    keys = list(exhaustive.keys())
    names = {name for op, _ in keys for name in (op, op.partition(".")[2], _without_direction(op))}
    ops = _known(line, "op", names)
    types = _known(line, "type", {type_name for _, type_name in keys})
    chosen = [
        (op, type_name)
        for op, type_name in keys
        if (not types or type_name in types)
        and (not ops or not {op, op.partition(".")[2], _without_direction(op)}.isdisjoint(ops))
    ]
    output = line.value("output")
    is_missed = False
    for record in exhaustive.run(chosen, None if output is None else Path(output), _ExhaustiveProgress()):
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
