"""`hlokit reduce`: shrink a program while it still shows a fault."""

from __future__ import annotations

import sys

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import UsageError, Values, positive, seconds
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import OUTPUT_PROGRAM
from hlokit.cli.frame.verbosity import note
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import save_arguments, save_program, write_json
from hlokit.cli.streams.programs import subject_of
from hlokit.cli.streams.progress import SearchProgress
from hlokit.errors import ArgumentError


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_flags(OUTPUT_PROGRAM, FUNCTION, *EXAMPLES)
    parser.add_argument(
        "--keep",
        metavar="PREDICATE",
        help="the fault that the program must keep: diverges:SIDE (also a file or a recorded run), "
        "crashes:SIDE, error:REGEX, error@SIDE:REGEX, nan, pass:NAME (a stage of XLA changes the meaning), "
        "pass@COMPILER:NAME, or a command with {module} in it whose exit status is 0",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=positive, help="processes that try programs (default: one per processor)"
    )
    parser.add_argument(
        "--report",
        action="store_true",
        help="print a bug report: versions, program, command, expected and actual values",
    )
    parser.add_argument("--time-limit", metavar="N", type=seconds, help="seconds for the whole search")
    parser.add_json()


def _reduce(values: Values) -> int:
    from hlokit.tools.reduce.predicates import parse
    from hlokit.tools.reduce.report import arguments_file
    from hlokit.tools.reduce.run import reduce

    if values.keep is None:
        raise UsageError("reduce: --keep=PREDICATE must be given")
    try:
        parse(values.keep)
    except ArgumentError as error:
        raise UsageError(f"reduce: --keep: {error}") from None
    program, function, arguments = subject_of(
        values.file, values.function, values.arguments, Examples.read(values)
    )
    progress = SearchProgress(sys.stderr)
    try:
        reduced = reduce(
            program,
            *arguments,
            keep=values.keep,
            function=function,
            time_limit=values.time_limit,
            jobs=values.jobs,
            progress=lambda what, size, tried: progress(f"{what}: {size:,} operations", tried, None),
        )
    finally:
        progress.finish()
    if values.o is not None:
        save_program(values.o, reduced.text)
        if reduced.needs_arguments:
            save_arguments(arguments_file(values.o), reduced.arguments)
    name = values.o or "small.mlir"
    if values.json:
        described: dict[str, object] = {
            attribute: getattr(reduced, attribute)
            for attribute in ("before", "after", "largest", "tried", "seconds", "is_finished")
        }
        described |= {"text": reduced.text, "report": reduced.report(name)}
        write_json(described)
    elif values.report:
        sys.stdout.write(reduced.report(name))
    elif values.o is None:
        sys.stdout.write(reduced.text)
    ended = "" if reduced.is_finished else ", ended early"
    is_untested = not reduced.is_finished and not reduced.outcome.holds
    if is_untested:
        ended += ", before the program had shown the fault"
    note(
        f"{reduced.before} operations to {reduced.after}, of at most {reduced.largest} elements, in "
        f"{reduced.seconds:.1f} s{ended}"
    )
    if is_untested:
        raise KeyboardInterrupt
    return 0


SUBCOMMAND = Subcommand(
    "reduce",
    "FILE [ARGUMENT...] --keep=PREDICATE -o FILE [flags]",
    "shrink a program while it still shows a fault (docs/reduce.md)",
    _add_arguments,
    _reduce,
    examples=("hlokit reduce model.mlirbc x.npy --keep=diverges:xla -o small.mlir",),
)
