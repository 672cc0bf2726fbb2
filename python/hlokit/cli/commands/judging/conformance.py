"""`hlokit conformance`: how right a backend is, operation by operation; or the tests of other projects."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from hlokit.cli.frame.flags import Flag, Values, positive
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import OUTPUT_FILE, TIME_LIMIT
from hlokit.cli.streams.outputs import open_output, write_json
from hlokit.cli.streams.progress import SearchProgress
from hlokit.errors import ArgumentError
from hlokit.files.reading import read_bytes, reason

if TYPE_CHECKING:
    from hlokit.tools.backends.side import Side
    from hlokit.tools.kit.report import Baseline, KitReport
    from hlokit.tools.kit.run import Selection

# Of one case; compilers take longer for the first one.
_TIME_LIMIT = 60
# Sides whose opinions stand in reports of failures, as they come with jaxlib.
_WITNESSES = ("eval-module", "xla")
_MODES = "--backend=SIDE, --write=DIR, --read=DIR or --upstream=PATH must be given"
_FLAGS = (
    Flag(
        "backend",
        "run the kit's cases on this side: xla, iree, eval-module, pjrt:LIBRARY, 'cmd:PROGRAM --serve', ... "
        "(docs/kit.md)",
        "SIDE",
    ),
    Flag("operation", "only cases of this operation; repeatable", "NAME", repeatable=True),
    Flag(
        "type",
        "only cases of this type: f32, complex-f32, quant-i8, ...; repeatable",
        "TYPE",
        repeatable=True,
    ),
    replace(
        OUTPUT_FILE,
        help="also write a report: .json, .md, .html, .xml (JUnit), .sarif, .svg (badge); repeatable",
        repeatable=True,
    ),
    Flag(
        "suite",
        "a suite of another project's checkout: upstream, shardy, jax, ...; repeatable",
        "NAME",
        repeatable=True,
    ),
    Flag("profile", "what the backend claims: a TOML file, or the name of a profile (docs/kit.md)", "FILE"),
    Flag("baseline", "an earlier report as JSON: what became worse since is a failure", "FILE"),
    Flag("history", "add a row with the counts of this run to a table in a file of Markdown", "FILE"),
    Flag(
        "budget", "the sample of the kit for so many seconds, such as 60s: always the same cases", "SECONDS"
    ),
    Flag(
        "reports",
        "write a report for each operation and type that fails, to send to those who make the backend, with "
        "what eval-module and xla make of the program",
        "DIR",
    ),
    Flag("write", "write the cases as files, for runners elsewhere", "DIR"),
    Flag("read", "judge the results that a runner wrote into such a folder", "DIR"),
    Flag(
        "upstream", "the checkout of another project, whose tests hlokit runs (docs/conformance.md)", "PATH"
    ),
    Flag("filter", "of a checkout, only files whose names contain this word", "WORD"),
    Flag("expected-failures", "of a checkout, the failures to expect instead of hlokit's own list", "FILE"),
    Flag("stages", "name the stage at fault, for backends that show stages: xla"),
    Flag("chunks", "of a checkout, count programs, not files"),
    Flag("jobs", "of a checkout: parallel processes (default: one per processor)", "N", type=positive),
    replace(
        TIME_LIMIT,
        help=f"seconds that a case may take (default: {_TIME_LIMIT}), or a file of a checkout (120)",
    ),
)


def _add_arguments(parser: Parser) -> None:
    parser.add_flags(*_FLAGS)
    parser.add_json()


def _conformance(values: Values) -> int:
    modes = [
        mode for mode in (values.backend, values.write, values.read, values.upstream) if mode is not None
    ]
    if values.upstream is not None and len(modes) == 1:
        return _suites(values)
    if values.suite or values.upstream is not None:
        raise ArgumentError("conformance: --suite goes with --upstream=PATH, and with no other mode")
    if len(modes) != 1:
        raise ArgumentError(f"conformance: {'one of ' * bool(modes)}{_MODES}")
    selection = _selection(values)
    if values.write is not None:
        from hlokit.tools.kit.run import export

        count = export(Path(values.write), selection)
        sys.stdout.write(f"{count} cases in {values.write}\n")
        return 0
    for path in (*values.o, values.history):
        _require_place(path)
    if values.reports is not None:
        from hlokit.tools.kit.letters import make_folder

        make_folder(Path(values.reports))
    baseline = None if values.baseline is None else _baseline(values.baseline)
    if values.history is not None:
        _history(values.history)
    start = sum(os.times()[:4])
    report = _report(values, selection)
    report.processor_seconds = sum(os.times()[:4]) - start
    if baseline is not None:
        report.compare_with(baseline)
    if values.history is not None:
        add_row(values.history, report, selection)
    return _told(values, report)


def _selection(values: Values) -> Selection:
    # Without them, functions would have no cases, and a sample would have others.
    if any(find_spec(name) is None for name in ("gmpy2", "mpmath")):
        raise ArgumentError(
            "conformance: expected values need gmpy2 and mpmath: pip install 'hlokit[reference]'"
        )
    from hlokit.tools.kit.profiles import read_profile
    from hlokit.tools.kit.run import Selection
    from hlokit.tools.kit.sample import seconds_of

    selection = Selection(
        tuple(values.operation),
        tuple(values.type),
        None if values.budget is None else seconds_of(values.budget),
        None if values.profile is None else read_profile(values.profile),
    )
    selection.check()
    return selection


def _report(values: Values, selection: Selection) -> KitReport:
    from hlokit.tools.kit.run import read_kit, run_kit

    progress = SearchProgress(sys.stderr)

    def told(count: int) -> None:
        progress("cases", count, None)

    try:
        if values.read is not None:
            return read_kit(Path(values.read), selection, told)
        with ExitStack() as stack:
            sides = [_side(values.backend, values.time_limit)]
            if values.reports is not None:
                sides += [_side(name, values.time_limit) for name in _WITNESSES if name != values.backend]
            for side in sides:
                stack.callback(side.close)
            return run_kit(sides[0], selection, told, sides[1:], names_stages=values.stages)
    finally:
        progress.finish()


def _side(name: str, time_limit: int | None) -> Side:
    from hlokit.tools.backends.names import NAMES, named_side

    side = named_side(name, time_limit or _TIME_LIMIT)
    if side is None:
        raise ArgumentError(f"--backend: a side must be one of {', '.join(NAMES)}, got '{name}'")
    return side


def _baseline(path: str) -> Baseline:
    from hlokit.tools.kit.report import baseline_of

    try:
        return baseline_of(read_bytes(path).decode())
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"--baseline: cannot read '{path}': {reason(error)}") from None


def _require_place(path: str | None) -> None:
    """Refuse a report that cannot be written before a run of minutes."""
    if path is None or path == "-":
        return
    if os.path.isdir(path):
        raise ArgumentError(f"cannot open output file '{path}': it is a folder")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise ArgumentError(f"cannot open output file '{path}': its folder does not exist")


def _history(path: str) -> str:
    """The text of a file that may not exist yet."""
    try:
        return Path(path).read_text(encoding="utf-8") if os.path.exists(path) else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"--history: cannot read '{path}': {reason(error)}") from None


def add_row(path: str, report: KitReport, selection: Selection) -> None:
    """Add a row to what the file holds now: other runs may have added rows, and may be about to."""
    from hlokit.children.folders import locked
    from hlokit.tools.kit.history import row, with_row

    added = row(report, selection.words, time.strftime("%Y-%m-%d"))
    with locked(os.path.dirname(os.path.realpath(path))):
        text = with_row(_history(path), added)
        with open_output(path) as file:
            file.write(text)


def _told(values: Values, report: KitReport) -> int:
    from hlokit.tools.kit.outputs import text_of

    for path in values.o:
        with open_output(path) as file:
            file.write(text_of(report, path))
    if values.reports is not None:
        from hlokit.tools.kit.letters import write_letters

        write_letters(Path(values.reports), report)
    if values.json:
        write_json(report.as_dict())
    else:
        sys.stdout.write(text_of(report, ""))
    return report.status


def _suites(values: Values) -> int:
    from hlokit.engine.contract.threads import processor_count
    from hlokit.tools.conformance.run import TIME_LIMIT as LIMIT_OF_FILES
    from hlokit.tools.conformance.run import SuiteRun, run_suites

    run = SuiteRun(
        values.upstream,
        values.suite,
        values.filter or "",
        values.chunks,
        values.jobs or processor_count(),
        values.time_limit or LIMIT_OF_FILES,
        values.expected_failures,
    )
    parts: list[str] = []
    status, document = run_suites(run, parts.append if values.json else sys.stdout.write)
    for path in values.o:
        with open_output(path) as file:
            file.write(document)
    if values.json:
        write_json({"files": json.loads(document)})
    return status


SUBCOMMAND = Subcommand(
    "conformance",
    "--backend=SIDE [flags] | --upstream=PATH [flags]",
    "measure how right a backend is: cases for every operation and type, with expected values and bounds "
    "(docs/kit.md); or run the tests of other projects with hlokit (docs/conformance.md); the exit status is "
    "1 for failures, 2 if nothing could be compared",
    _add_arguments,
    _conformance,
    failed=2,
)
