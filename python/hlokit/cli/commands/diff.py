"""`hlokit diff` and `hlokit record`: compare the values of a program with another side, or store them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.command import as_hlokit_error, described
from hlokit.cli.frame.flags import CommandLine, Flag
from hlokit.cli.frame.standard_streams import write_styled
from hlokit.cli.streams.argument_files import as_arguments, in_order, read_arguments
from hlokit.cli.streams.outputs import open_output
from hlokit.errors import ArgumentError, HlokitError, ParseError, VerificationError, VersionError
from hlokit.loading import load_path
from hlokit.program import Program

if TYPE_CHECKING:
    from hlokit.recording.recording import Recording

AGAINST = Flag("against", "the other side: xla, iree, ..., a file or a recorded run (docs/diff.md)", "SIDE")
MODE = Flag(
    "mode", "whole, isolated, values, or auto (default): the cheapest mode that finds the fault", "MODE"
)
JUNIT = Flag("junit", "also write a file of test cases in JUnit's XML", "FILE")
TIME_LIMIT = Flag(
    "time-limit",
    "diff, view: seconds that the other side may take for one module (default: 300); reduce: seconds for the "
    "whole search",
    "N",
)
MATCH = Flag("match", "store only operations whose name, function or source line matches", "REGEX")
LIMIT = Flag("limit", "bytes of values to store; later values are stored as summaries", "N")
SUMMARIES = Flag("summaries", "store ranges and means instead of values")
DIFF_FLAGS = (AGAINST.of("diff, view"), MODE.of("diff"), JUNIT.of("diff"))
RECORD_FLAGS = tuple(flag.of("record") for flag in (MATCH, LIMIT, SUMMARIES))

# The exit status if no comparison was possible, for any reason.
_NO_COMPARISON = 2


def diff_programs(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `diff`; its exit status: 0, 1 if the sides differ, 2 if they could not be compared."""
    try:
        return _diff(inputs, line)
    except (ParseError, VerificationError, VersionError) as error:
        print(error, file=sys.stderr)
    except HlokitError as error:
        print(f"hlokit: error: {error}", file=sys.stderr)
    except (OSError, MemoryError) as error:  # a missing resource is not a difference
        print(f"hlokit: error: {described(as_hlokit_error(error))}", file=sys.stderr)
    return _NO_COMPARISON


def _diff(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.differences.run import MODES, diff, resolve

    path, *rest = inputs
    against = line.value(AGAINST.name)
    if against is None:
        raise ArgumentError(f"diff: {AGAINST.usage} must be given")
    mode = line.choice(MODE.name, MODES) or "auto"
    time_limit = line.positive(TIME_LIMIT.name) or 300
    other = resolve(against, time_limit)
    progress = Progress(sys.stderr)
    function = line.value(FUNCTION.name)
    try:
        subject = recorded(path, rest)
        if subject is not None:
            report = diff(subject, against=other, mode=mode, function=function, progress=progress)
        else:
            program = load_path(path)
            arguments = arguments_of(program, function, rest)
            report = diff(program, *arguments, against=other, mode=mode, function=function, progress=progress)
    finally:
        progress.finish()
        close = getattr(other, "close", None)
        if close is not None:
            close()
    junit = line.value(JUNIT.name)
    if junit is not None:
        with open_output(junit) as file:
            file.write(report.junit())
    if "json" in line.switches:
        sys.stdout.write(json.dumps(report.as_dict(), indent=2) + "\n")
    else:
        sys.stdout.write(f"{report}\n")
    return report.status


def record_run(inputs: Sequence[str], line: CommandLine) -> int:
    """Run `record`; its exit status."""
    from hlokit.recording.recorder import record

    path, *rest = inputs
    directory = line.value("o")
    if directory is None:
        raise ArgumentError("record: -o RUN must be given: the directory of the recording")
    program, function = load_path(path), line.value(FUNCTION.name)
    recording = record(
        program,
        *arguments_of(program, function, rest),
        to=directory,
        function=function,
        match=line.value(MATCH.name),
        limit=line.natural(LIMIT.name),
        summaries=SUMMARIES.name in line.switches,
    )
    if "json" in line.switches:
        found = {
            "directory": directory,
            "function": recording.function,
            "values": len(recording),
            "summaries": recording.summaries,
        }
        sys.stdout.write(json.dumps(found) + "\n")
        return 0
    of_these = f", {recording.summaries} of them as summaries" if recording.summaries else ""
    sys.stdout.write(f"{len(recording)} values of @{recording.function} recorded to {directory}{of_these}\n")
    return 0


def recorded(path: str, rest: Sequence[str]) -> Recording | None:
    """The recorded run at a path, which contains its arguments; None for other files."""
    from hlokit.recording.container import is_recording
    from hlokit.recording.recording import Recording

    if not is_recording(path):
        return None
    if rest:
        raise ArgumentError(f"a recorded run contains its arguments, got {rest[0]} too")
    return Recording(path)


def subject_of(
    path: str, function: str | None, rest: Sequence[str]
) -> tuple[Program, str | None, Sequence[object]]:
    """A program, the function to evaluate and its arguments: those of a file, or of a recorded run."""
    recording = recorded(path, rest)
    if recording is None:
        program = load_path(path)
        return program, function, arguments_of(program, function, rest)
    if function is not None and function != recording.function:
        raise ArgumentError(f"'{path}' is a run of @{recording.function}, not of @{function}")
    return recording.program(), recording.function, recording.arguments


def arguments_of(program: Program, function: str | None, texts: Sequence[str]) -> list[object]:
    """Arguments of a function: constants, .npy and .npz files."""
    arrays = read_arguments(texts, are_lists=False)
    signature = program.signature(function)
    ordered = in_order(arrays, program.parameter_names(signature.name))
    return as_arguments(ordered, signature.inputs)


class Progress:
    """The current comparison, on an overwritten line of a terminal; no output elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._on_terminal = stream.isatty()
        self._start = time.monotonic()
        self._is_shown = False

    def __call__(self, what: str, done: int, total: int | None) -> None:
        if self._on_terminal:
            seconds = time.monotonic() - self._start
            of = " tried" if total is None else f" of {total:,}"
            write_styled(self._stream, f"\r\x1b[K{what}: {done:,}{of}, {seconds:.1f} s")
            self._stream.flush()
            self._is_shown = True

    def finish(self) -> None:
        """Remove the line."""
        if self._is_shown:
            write_styled(self._stream, "\r\x1b[K")
            self._stream.flush()
