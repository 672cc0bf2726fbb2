"""`hlokit diff`: the operation whose values differ on another side."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import UsageError, Values, one_of
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import AGAINST, FLUSH, JUNIT, TIME_LIMIT
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import open_output, write_json
from hlokit.cli.streams.programs import arguments_of, load_input, recorded
from hlokit.cli.streams.progress import SearchProgress
from hlokit.programs.program import Program

_SECONDS = 300.0
_TIME_LIMIT = replace(
    TIME_LIMIT,
    help="seconds that a run, a module on the other side, and the search of the operation at fault may take "
    f"(default: {_SECONDS:g}); after twice as many, the report has what is known",
)


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_flags(AGAINST, FUNCTION, *EXAMPLES)
    parser.add_argument(
        "--mode",
        metavar="MODE",
        type=_mode,
        default="auto",
        help="whole, isolated, values, or auto (default): the cheapest mode that finds the fault",
    )
    parser.add_flags(FLUSH, JUNIT, _TIME_LIMIT)
    parser.add_json()


def _mode(text: str) -> str:
    from hlokit.tools.diff.run import MODES

    return one_of(*MODES)(text)


def _diff(values: Values) -> int:
    from hlokit.tools.diff.flow.time_limits import LIMITS_OF_COMPARISON
    from hlokit.tools.diff.run import diff, resolve

    if values.against is None:
        raise UsageError(
            f"diff: {AGAINST.usage} must be given: xla, iree, ..., or another program: "
            "hlokit diff FILE [ARGUMENT...] --against=OTHER"
        )
    time_limit = values.time_limit or _SECONDS
    other = resolve(values.against, time_limit)
    progress = SearchProgress(sys.stderr)
    try:
        subject, arguments = recorded(values.file, values.arguments), []
        if subject is None:
            subject = load_input(values.file)
            arguments = arguments_of(subject, values.function, values.arguments, Examples.read(values))
        start = time.monotonic()
        report = diff(
            subject,
            *arguments,
            against=other,
            mode=values.mode,
            function=values.function,
            time_limit=time_limit,
            flush=values.flush or "all",
            progress=progress,
        )
        if isinstance(subject, Program) and values.mode == "auto":
            from hlokit.tools.stages.placing import placed
            from hlokit.tools.stages.settings import Settings

            left = max(0.1, round(start + LIMITS_OF_COMPARISON * time_limit - time.monotonic(), 1))
            settings = Settings(
                values.function, min(time_limit, left), values.flush or "all", progress=progress
            )
            report = placed(report, subject, arguments, settings)
    finally:
        progress.finish()
        close = getattr(other, "close", None)
        if close is not None:
            close()
    if values.junit is not None:
        with open_output(values.junit) as file:
            file.write(report.junit())
    if values.json:
        write_json(report.as_dict())
    else:
        sys.stdout.write(f"{report}\n")
    return report.status


SUBCOMMAND = Subcommand(
    "diff",
    "FILE [ARGUMENT...] --against=SIDE [flags]",
    "find the operation whose values differ on another side: compiled by XLA or IREE, in another program, in "
    "a recorded run (docs/diff.md); the exit status is 1 if values differ, 2 if no comparison was possible",
    _add_arguments,
    _diff,
    failed=2,
    examples=(
        "hlokit diff model.mlirbc --random --against=xla",
        "hlokit diff new.mlirbc x.npy --against=old.mlirbc",
    ),
)
