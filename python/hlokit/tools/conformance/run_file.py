"""Runs one file of a suite: its RUN lines, or the exported programs or functions in it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hlokit.errors import HlokitError, UnsupportedError
from hlokit.tools.conformance.commands import COMMANDS
from hlokit.tools.conformance.shell import (
    Command,
    NotRunError,
    parse_line,
    run_pipeline,
    without_empty_checks,
)
from hlokit.tools.conformance.suites import TestFile

Verdict = Literal["passed", "failed", "not run"]

# The stored characters of the output of a failing command.
_KEPT_CHARACTERS = 4000


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result of a file.

    Attributes:
      verdict: `not run` if none of the file's lines could be run, or if the file has none.
      message: the failure, or the reason why the file was not run.
      lines: the number of lines, exported programs or functions that were run.
      lines_not_run: the reason for each of them that could not be run.
      disabled: the number of lines that upstream has disabled.
      operations: the operations in the file.
    """

    file: TestFile
    verdict: Verdict
    message: str = ""
    lines: int = 0
    lines_not_run: tuple[str, ...] = ()
    disabled: int = 0
    operations: tuple[str, ...] = ()
    seconds: float = 0.0


def run_file(file: TestFile, commands: Mapping[str, Command] = COMMANDS) -> FileResult:
    """Run a file until one of its lines or programs fails."""
    match file.kind:
        case "lines":
            return _run_lines(file, commands)
        case "exports":
            return _run_exports(file)
        case "functions":
            return _run_functions(file)


def _run_functions(file: TestFile) -> FileResult:
    # Only suites of functions need the evaluator and XLA.
    from hlokit.tools.conformance.agreement import compare_functions

    start = time.monotonic()
    text = file.read()
    comparisons = list(compare_functions(text.text))
    not_run = tuple([comparison.not_run for comparison in comparisons if comparison.not_run])
    message = "\n".join([comparison.difference for comparison in comparisons if comparison.difference])
    lines = len(comparisons) - len(not_run)
    verdict: Verdict = "failed" if message else "passed" if lines else "not run"
    return FileResult(
        file,
        verdict,
        message or ("" if lines else not_run[0] if not_run else "the file holds no function"),
        lines,
        not_run,
        operations=tuple(text.operations),
        seconds=time.monotonic() - start,
    )


def _run_exports(file: TestFile) -> FileResult:
    # Only JAX's suites need the evaluator.
    from hlokit.tools.conformance.exports import difference, read_exports

    start = time.monotonic()
    not_run: list[str] = []
    differences: list[str] = []
    exports = read_exports(file.path)
    for name, data in exports.items():
        try:
            differences.append(difference(f"{file.path.stem}.{name}", data) or "")
        except UnsupportedError as error:
            not_run.append(error.args[0].splitlines()[0])
        except HlokitError as error:
            differences.append(f"{file.path.stem}.{name}: {error}")
    message = "\n".join(filter(None, differences))
    verdict: Verdict = "failed" if message else "passed" if differences else "not run"
    return FileResult(
        file,
        verdict,
        message or ("" if differences else not_run[0] if not_run else "the file holds no program"),
        len(differences),
        tuple(not_run),
        seconds=time.monotonic() - start,
    )


def _run_lines(file: TestFile, commands: Mapping[str, Command]) -> FileResult:
    start = time.monotonic()
    text = file.read()
    not_run: list[str] = []
    lines = 0
    failure = ""
    with tempfile.TemporaryDirectory(prefix="hlokit-") as directory:
        temporary = Path(directory) / file.path.name
        source = file.path
        if text.chunk is not None:
            source = temporary
            source.write_text(text.chunk, encoding="utf-8")
        substitutions = {
            "%s": str(source),
            "%S": str(file.path.parent),
            "%t": f"{temporary}.tmp",
            "%T": directory,
        }
        for line in text.run_lines:
            try:
                stages = parse_line(line, substitutions)
                if text.chunk is not None:
                    stages = without_empty_checks(stages, text.chunk)
                outcome = run_pipeline(stages, commands)
            except NotRunError as error:
                not_run.append(str(error))
                continue
            lines += 1
            if outcome.status != 0:
                said = (outcome.errors or outcome.output).decode(errors="replace")[:_KEPT_CHARACTERS]
                failure = f"RUN: {line}\nexit status {outcome.status}\n{said}".rstrip()
                break
    verdict: Verdict = "failed" if failure else "passed" if lines else "not run"
    message = failure or ("" if lines else "; ".join(sorted(set(not_run))) or "no RUN line is enabled")
    return FileResult(
        file,
        verdict,
        message,
        lines,
        tuple(not_run),
        text.disabled_lines,
        tuple(text.operations),
        time.monotonic() - start,
    )
