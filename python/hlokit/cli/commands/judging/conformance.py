"""`hlokit conformance`: how right a backend is, operation by operation; or the tests of other projects."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hlokit.cli.frame.flags import Values, positive
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import TIME_LIMIT
from hlokit.cli.streams.outputs import open_output, write_json
from hlokit.cli.streams.progress import SearchProgress
from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.tools.kit.report import KitReport
    from hlokit.tools.kit.run import Selection

# Of one case; compilers take longer for the first one.
_TIME_LIMIT = 60
_MODES = "--backend=SIDE, --write=DIR, --read=DIR or --upstream=PATH must be given"


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--backend",
        metavar="SIDE",
        help="run the kit's cases on this side: xla, iree, eval-module, pjrt:LIBRARY, "
        "'cmd:PROGRAM --serve', ... (docs/kit.md)",
    )
    for name, metavar, text in (
        ("operation", "NAME", "only cases of this operation; repeatable"),
        ("type", "TYPE", "only cases of this type: f32, complex-f32, quant-i8, ...; repeatable"),
        (
            "o",
            "FILE",
            "also write a report: .json, .md, .html, .xml (JUnit), .sarif, .svg (badge); repeatable",
        ),
        ("suite", "NAME", "a suite of another project's checkout: upstream, shardy, jax, ...; repeatable"),
    ):
        flag = f"-{name}" if len(name) == 1 else f"--{name}"
        parser.add_argument(flag, action="append", default=[], metavar=metavar, help=text)
    for name, metavar, text in (
        ("profile", "FILE", "what the backend claims: a TOML file, or the name of a profile (docs/kit.md)"),
        ("baseline", "FILE", "an earlier report as JSON: what became worse since is a failure"),
        (
            "budget",
            "SECONDS",
            "the sample of the kit for so many seconds, such as 60s: always the same cases",
        ),
        ("write", "DIR", "write the cases as files, for runners elsewhere"),
        ("read", "DIR", "judge the results that a runner wrote into such a folder"),
        (
            "upstream",
            "PATH",
            "the checkout of another project, whose tests hlokit runs (docs/conformance.md)",
        ),
        ("filter", "WORD", "of a checkout, only files whose names contain this word"),
        ("expected-failures", "FILE", "of a checkout, the failures to expect instead of hlokit's own list"),
    ):
        parser.add_argument(f"--{name}", metavar=metavar, help=text)
    parser.add_argument(
        "--stages", action="store_true", help="name the stage at fault, for backends that show stages: xla"
    )
    parser.add_argument("--chunks", action="store_true", help="of a checkout, count programs, not files")
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        help="of a checkout: parallel processes (default: one per processor)",
    )
    parser.add_flags(TIME_LIMIT)
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
    report = _report(values, selection)
    if values.baseline is not None:
        report.compare_with(_read(values.baseline))
    return _told(values, report)


def _selection(values: Values) -> Selection:
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
    from hlokit.tools.backends.names import NAMES, named_side
    from hlokit.tools.kit.run import read_kit, run_kit

    progress = SearchProgress(sys.stderr)

    def told(count: int) -> None:
        progress("cases", count, None)

    try:
        if values.read is not None:
            return read_kit(Path(values.read), selection, told)
        side = named_side(values.backend, values.time_limit or _TIME_LIMIT)
        if side is None:
            raise ArgumentError(
                f"--backend: a side must be one of {', '.join(NAMES)}, got '{values.backend}'"
            )
        try:
            return run_kit(side, selection, told, names_stages=values.stages)
        finally:
            side.close()
    finally:
        progress.finish()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"--baseline: cannot read '{path}': {str(error).lower()}") from None


def _told(values: Values, report: KitReport) -> int:
    from hlokit.tools.kit.outputs import text_of

    for path in values.o:
        with open_output(path) as file:
            file.write(text_of(report, path))
    if values.json:
        write_json(json.loads(text_of(report, ".json")))
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
)
