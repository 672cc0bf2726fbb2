"""`hlokit accuracy`: errors of operations in ULP, as a page, as JSON, as plots."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hlokit.cli.flags import CommandLine
from hlokit.errors import ArgumentError


def print_accuracy(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status: 1 if hlokit misses what docs/accuracy.md promises."""
    from hlokit.accuracy import exact, functions, plot, report, run  # slow to import

    if inputs:
        raise ArgumentError(f"accuracy: operations are given with --op, got {' '.join(inputs)}")
    exact.require()
    selection = run.Selection(
        ops=_known(
            line, "op", {name for f in functions.FUNCTIONS for name in (f.name, f.short_name)} | {*run.SUMS}
        ),
        types=_known(line, "type", {type_.name for type_ in run.TYPES}),
        is_full="full" in line.switches,
        with_others="alone" not in line.switches,
    )
    if "exhaustive" in line.switches:
        with np.errstate(all="ignore"):
            return _exhaust(selection)
    with np.errstate(all="ignore"):
        found = list(run.run(selection, _progress))
    sys.stderr.write("\r\033[K" if sys.stderr.isatty() else "")
    if (directory := line.value("plots")) is not None:
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, text in plot.plots(found):
            (Path(directory) / name).write_text(text)
    if "json" in line.switches:
        text = json.dumps(report.as_json(found), indent=1) + "\n"
    else:
        text = report.as_markdown(found, _command(line), _plots_from_page(line))
    if (path := line.value("output")) is not None:
        Path(path).write_text(text)
    else:
        sys.stdout.write(text)
    missed = report.missed(found)
    for sentence in missed:
        sys.stderr.write(f"missed: {sentence}\n")
    return 1 if missed else 0


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
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


def _exhaust(selection: object) -> int:
    from hlokit.accuracy import functions, run  # slow to import

    assert isinstance(selection, run.Selection)
    chosen = [
        f for f in functions.FUNCTIONS if f.operands == 1 and f.takes_float and selection.has_op(f.name)
    ]
    is_missed = False
    for function in chosen:
        largest, misrounded, special = 0.0, 0, 0
        for found in run.exhaust(function, lambda text: _write_line(sys.stderr, text)):
            largest = max(largest, found.largest)
            misrounded += found.misrounded or 0
            special += found.special
        is_missed |= largest > 0.501 or special > 0
        _write_line(
            sys.stdout,
            f"{function.name} f32, all inputs: at most {largest:.6f} ULP, "
            f"{misrounded} not nearest, {special} wrong zeros, infinities or NaN",
        )
    return 1 if is_missed else 0


def _write_line(stream: object, text: str) -> None:
    print(text, file=stream, flush=True)  # pyright: ignore[reportArgumentType, reportCallIssue] # a text stream
