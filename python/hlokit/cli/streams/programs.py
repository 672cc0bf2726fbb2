"""The program and the arguments of a subcommand: from files and texts, or from a recorded run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hlokit.cli.streams.argument_files import as_arguments, read_arguments
from hlokit.cli.streams.example_arguments import Examples
from hlokit.errors import ArgumentError
from hlokit.files.reading import STANDARD_INPUT, read
from hlokit.programs.loading import load_bytes, load_path
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.tools.recording.recording import Recording


def load_input(path: str) -> Program:
    """The program in a file or folder, or in the standard input."""
    if path != STANDARD_INPUT:
        return load_path(path)
    name, data = read(path)
    return load_bytes(data, name)


def recorded(path: str, rest: Sequence[str]) -> Recording | None:
    """The recorded run at a path, which contains its arguments; None for other files."""
    from hlokit.tools.recording.container import is_recording
    from hlokit.tools.recording.recording import Recording

    if not is_recording(path):
        return None
    if rest:
        raise ArgumentError(f"a recorded run contains its arguments, got {rest[0]} too")
    return Recording(path)


def subject_of(
    path: str, function: str | None, rest: Sequence[str], missing: Examples | None = None
) -> tuple[Program, str | None, Sequence[object]]:
    """A program, the function to evaluate and its arguments: those of a file, or of a recorded run."""
    recording = recorded(path, rest)
    if recording is None:
        program = load_input(path)
        return program, function, arguments_of(program, function, rest, missing)
    if function is not None and function != recording.function:
        raise ArgumentError(f"'{path}' is a run of @{recording.function}, not of @{function}")
    return recording.program(), recording.function, recording.arguments


def arguments_of(
    program: Program, function: str | None, texts: Sequence[str], missing: Examples | None = None
) -> list[object]:
    """Arguments of a function: constants, .npy and .npz files, and examples for those that are missing."""
    signature = program.signature(function)
    arrays = (missing or Examples()).complete(read_arguments(texts, are_lists=False), program, signature)
    return as_arguments(arrays, signature.inputs)
