"""`hlokit reduce` and `hlokit make-test`: shrink a program that fails, make a self-checking program."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from hlokit.cli.commands.diff import TIME_LIMIT, Progress, subject_of
from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import CommandLine, Flag
from hlokit.cli.streams.outputs import open_output
from hlokit.errors import ArgumentError

KEEP = Flag(
    "keep",
    "the fault that the program must keep: diverges:SIDE (also a file or a recorded run), crashes:SIDE, "
    "error:REGEX, error@SIDE:REGEX, nan, or a command with {module} in it whose exit status is 0",
    "PREDICATE",
)
JOBS = Flag("jobs", "processes that try programs (default: one per processor)", "N")
REPORT = Flag("report", "print a bug report: versions, program, command, expected and actual values")
PER_OPERATION = Flag("per-operation", "make a program for each distinct operation")
REDUCE_FLAGS = tuple(flag.of("reduce") for flag in (KEEP, JOBS, REPORT))
TEST_FLAGS = (PER_OPERATION.of("make-test"),)


def reduce_program(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `reduce`; its exit status."""
    from hlokit.reduction.run import reduce

    path, *rest = inputs
    keep = line.value(KEEP.name)
    if keep is None:
        raise ArgumentError(f"reduce: {KEEP.usage} must be given")
    program, function, arguments = subject_of(path, line.value(FUNCTION.name), rest)
    output = line.value("o")
    progress = Progress(sys.stderr)
    try:
        made = reduce(
            program,
            *arguments,
            keep=keep,
            function=function,
            time_limit=line.positive(TIME_LIMIT.name),
            jobs=line.positive(JOBS.name),
            progress=lambda what, size, tried: progress(f"{what}: {size:,} operations", tried, None),
        )
    finally:
        progress.finish()
    if output is not None:
        with open_output(output) as file:
            file.write(made.text)
    if "json" in line.switches:
        found: dict[str, object] = {
            name: getattr(made, name)
            for name in ("before", "after", "largest", "tried", "seconds", "is_finished")
        }
        found |= {"text": made.text, "report": made.report(output or "small.mlir")}
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    elif REPORT.name in line.switches:
        sys.stdout.write(made.report(output or "small.mlir"))
    elif output is None:
        sys.stdout.write(made.text)
    ended = "" if made.is_finished else ", ended early"
    sys.stderr.write(
        f"{made.before} operations to {made.after}, of at most {made.largest} elements, in "
        f"{made.seconds:.1f} s{ended}\n"
    )
    return 0


def make_self_checking(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `make-test`; its exit status."""
    from hlokit.excerpts.self_checking import make_test

    path, *rest = inputs
    program, function, arguments = subject_of(path, line.value(FUNCTION.name), rest)
    made = make_test(
        program,
        *arguments,
        per_operation=PER_OPERATION.name in line.switches,
        function=function,
    )
    output = line.value("o")
    if output is not None:
        with open_output(output) as file:
            file.write(made.text)
    if "json" in line.switches:
        found = {"text": made.text, "left_out": made.left_out}
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
        return 0
    if output is None:
        sys.stdout.write(made.text)
    for why, count in made.left_out.items():
        sys.stderr.write(f"left out {count} x {why}\n")
    return 0
