"""The command `python -m hlokit.tools.conformance`: runs the tests of other projects' checkouts."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from hlokit.cli.frame.command import run_command
from hlokit.cli.frame.flags import Flag, Values, help_text, one_of, positive, read_command_line
from hlokit.cli.frame.shared_flags import HELP, is_answered, version_text
from hlokit.engine.contract.threads import processor_count
from hlokit.errors import ArgumentError
from hlokit.mlir.portable import parse_version
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.tools.conformance.expectations import (
    ExpectedFailure,
    own_expectations,
    read_expectations,
    reason_for,
)
from hlokit.tools.conformance.report import (
    BAD,
    Entry,
    as_json,
    operations_table,
    reasons_not_run,
    suites_table,
)
from hlokit.tools.conformance.run_file import FileResult, run_file
from hlokit.tools.conformance.suites import (
    PROJECTS,
    SUITES,
    TestFile,
    chunks_of,
    find_files,
    find_project,
)
from hlokit.tools.conformance.workers import Died, run_all

NAME = "python -m hlokit.tools.conformance"
USAGE = f"{NAME} --upstream PATH [--suite NAME] [--filter WORD] [--jobs N] [--json FILE]"
_SUITES = "\n".join(f"  {project.name}: {', '.join(project.suites)}" for project in PROJECTS)
DESCRIPTION = f"""Runs the tests of another project's checkout, and prints tables of the results.
The exit status is 1 if a file fails, or passes that is expected to fail.
Projects and their suites, all of them by default:
{_SUITES}"""

FLAGS = (
    Flag("upstream", "the checkout", "PATH"),
    Flag("suite", "run this suite only; repeatable", "NAME", repeatable=True, type=one_of(*SUITES)),
    Flag("filter", "run only files whose names contain this word", "WORD"),
    Flag("chunks", "count the programs that --split-input-file splits a file into, not files"),
    Flag("jobs", "number of parallel processes (default: one per CPU)", "N", type=positive),
    Flag("time-limit", "seconds that a file may take (default: 120)", "N", type=positive),
    Flag("expected-failures", "the list of failures to expect instead of hlokit's own", "FILE"),
    Flag("json", "also store the result of every file", "FILE"),
    HELP,
)
_TIME_LIMIT = 120


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, sys.argv[1:] if arguments is None else arguments, _run)


def _run(arguments: Sequence[str]) -> int:
    line = read_command_line(FLAGS, arguments)
    if is_answered(line, {HELP.name: lambda: help_text(USAGE, DESCRIPTION, FLAGS)}):
        return 0
    if line.inputs:
        raise ArgumentError(f"unexpected '{line.inputs[0]}' (usage: {USAGE})")
    values = line.typed(FLAGS)
    files = _files(values)
    expectations = _expectations(values.expected_failures)
    jobs = values.jobs or processor_count()
    limit = values.time_limit or _TIME_LIMIT
    start = time.monotonic()
    entries: list[Entry] = []
    for result in _results(files, jobs, limit, values.chunks):
        name = result.file.path_name
        # If a file is expected to fail, single programs in the file may pass.
        is_expected = not (values.chunks and result.verdict == "passed")
        entry = Entry(result, reason_for(name, expectations) if is_expected else None)
        entries.append(entry)
        if entry.standing in BAD:
            _tell(entry)
    entries.sort(key=lambda entry: (SUITES.index(entry.result.file.suite), entry.result.file.name))
    print(operations_table(entries))
    print(suites_table(entries))
    sys.stdout.write(reasons_not_run(entries))
    print(f"{version_text('hlokit').strip()}\n{time.monotonic() - start:.0f} s with {jobs} processes")
    _store(values.json, entries)
    return int(any(entry.standing in BAD for entry in entries))


def _files(values: Values) -> list[TestFile]:
    if values.upstream is None:
        raise ArgumentError(f"--upstream must be given (usage: {USAGE})")
    project, root = find_project(Path(values.upstream), values.suite)
    files = list(find_files(project, root, values.suite or list(project.suites), values.filter or ""))
    if not files:
        raise ArgumentError("no file is chosen: nothing would be tested")
    return files


def _results(files: list[TestFile], jobs: int, limit: int, by_chunk: bool) -> Iterator[FileResult]:
    """The results of the files, or of the programs in them.

    If a file passes, all its programs have passed. These programs do not run separately, because directives
    may refer to several programs.
    """
    waiting: list[TestFile] = []
    for file, result in run_all(files, run_file, jobs, limit):
        whole = _result(file, result)
        chunks = list(chunks_of(file)) if by_chunk else []
        if not chunks:
            yield whole
        elif whole.verdict == "failed":
            waiting += chunks
        else:
            for chunk in chunks:
                yield replace(whole, file=chunk, operations=tuple(chunk.read().operations))
    for file, result in run_all(waiting, run_file, jobs, limit):
        yield _result(file, result)


def _expectations(path: str | None) -> list[ExpectedFailure]:
    if path is None:
        return own_expectations()
    version = parse_version(stablehlo_version())
    assert version is not None
    try:
        return read_expectations(Path(path).read_text(encoding="utf-8"), version)
    except (OSError, ValueError) as error:
        raise ArgumentError(f"--expected-failures: {error}") from None


def _result(file: TestFile, result: FileResult | Died) -> FileResult:
    if isinstance(result, FileResult):
        return result
    text = file.read()
    operations = () if file.kind == "exports" else tuple(text.operations)
    return FileResult(file, "failed", result.reason, operations=operations, seconds=result.seconds)


def _tell(entry: Entry) -> None:
    name = entry.result.file.name
    if entry.standing == "unexpected pass":
        print(f"UNEXPECTED PASS {name}: expected to fail: {entry.reason}\n", flush=True)
    else:
        print(f"FAILED {name}\n{entry.result.message}\n", flush=True)


def _store(path: str | None, entries: Sequence[Entry]) -> None:
    if path is None:
        return
    try:
        Path(path).write_text(json.dumps(as_json(entries), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ArgumentError(f"cannot write '{path}': {(error.strerror or '').lower()}") from None


if __name__ == "__main__":
    sys.exit(main())
