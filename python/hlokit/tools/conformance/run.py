"""A run of other projects' tests: `hlokit conformance --suite=NAME --upstream=CHECKOUT`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hlokit.cli.frame.shared_flags import version_text
from hlokit.errors import ArgumentError
from hlokit.files.reading import reason
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
from hlokit.tools.conformance.suites import PROJECTS, SUITES, TestFile, chunks_of, find_files, find_project
from hlokit.tools.conformance.workers import Died, run_all

TIME_LIMIT = 120
Write = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What to run.

    Attributes:
      upstream: a checkout.
      suites: names of suites, or first parts of names such as `shardy`; `upstream` for all of the checkout.
      word: only files whose names contain it.
      by_chunk: whether to count the programs of a file that `--split-input-file` splits.
      jobs: the number of parallel processes.
      time_limit: seconds for a file.
      expected_failures: the path of another list of expected failures.
    """

    upstream: str
    suites: Sequence[str] = ()
    word: str = ""
    by_chunk: bool = False
    jobs: int = 1
    time_limit: float = TIME_LIMIT
    expected_failures: str | None = None


def run_suites(run: SuiteRun, write: Write) -> tuple[int, str]:
    """Run suites, and write what fails, then tables; the exit status, and all results as JSON.

    Raises:
      ArgumentError: there is no such checkout, suite or list, or no file is chosen.
    """
    files = _files(run)
    expectations = _expectations(run.expected_failures)
    start = time.monotonic()
    entries: list[Entry] = []
    for result in _results(files, run):
        name = result.file.path_name
        # If a file is expected to fail, single programs in the file may pass.
        is_expected = not (run.by_chunk and result.verdict == "passed")
        entry = Entry(result, reason_for(name, expectations) if is_expected else None)
        entries.append(entry)
        if entry.standing in BAD:
            write(_told(entry))
    entries.sort(key=lambda entry: (SUITES.index(entry.result.file.suite), entry.result.file.name))
    write(f"{operations_table(entries)}\n{suites_table(entries)}\n{reasons_not_run(entries)}")
    write(f"{version_text('hlokit').strip()}\n{time.monotonic() - start:.0f} s with {run.jobs} processes\n")
    status = int(any(entry.standing in BAD for entry in entries))
    return status, json.dumps(as_json(entries), indent=1) + "\n"


def suites_of(names: Sequence[str]) -> list[str]:
    """The suites that names mean; `shardy` means all suites of that project; none for `upstream`.

    Raises:
      ArgumentError: there is no such suite.
    """
    chosen: list[str] = []
    for name in names:
        fitting = [suite for suite in SUITES if suite == name or suite.startswith(f"{name}/")]
        if not fitting and name != "upstream":
            suites = ", ".join(["upstream", *(suite for project in PROJECTS for suite in project.suites)])
            raise ArgumentError(f"--suite must be one of {suites}, got '{name}'")
        chosen += fitting
    return chosen


def _files(run: SuiteRun) -> list[TestFile]:
    suites = suites_of(run.suites)
    project, root = find_project(Path(run.upstream), suites)
    files = list(find_files(project, root, suites or list(project.suites), run.word))
    if not files:
        raise ArgumentError("no file is chosen: nothing would be tested")
    return files


def _results(files: list[TestFile], run: SuiteRun) -> Iterator[FileResult]:
    """The results of the files, or of the programs in them.

    If a file passes, all its programs have passed. These programs do not run separately, because directives
    may refer to several programs.
    """
    waiting: list[TestFile] = []
    for file, result in run_all(files, run_file, run.jobs, run.time_limit):
        whole = _result(file, result)
        chunks = list(chunks_of(file)) if run.by_chunk else []
        if not chunks:
            yield whole
        elif whole.verdict == "failed":
            waiting += chunks
        else:
            for chunk in chunks:
                yield replace(whole, file=chunk, operations=tuple(chunk.read().operations))
    for file, result in run_all(waiting, run_file, run.jobs, run.time_limit):
        yield _result(file, result)


def _expectations(path: str | None) -> list[ExpectedFailure]:
    if path is None:
        return own_expectations()
    version = parse_version(stablehlo_version())
    assert version is not None
    try:
        return read_expectations(Path(path).read_text(encoding="utf-8"), version)
    except OSError as error:
        raise ArgumentError(f"--expected-failures: cannot read '{path}': {reason(error)}") from None
    except ValueError as error:
        raise ArgumentError(f"--expected-failures: {error}") from None


def _result(file: TestFile, result: FileResult | Died) -> FileResult:
    if isinstance(result, FileResult):
        return result
    text = file.read()
    operations = () if file.kind == "exports" else tuple(text.operations)
    return FileResult(file, "failed", result.reason, operations=operations, seconds=result.seconds)


def _told(entry: Entry) -> str:
    name = entry.result.file.name
    if entry.standing == "unexpected pass":
        return f"UNEXPECTED PASS {name}: expected to fail: {entry.reason}\n\n"
    return f"FAILED {name}\n{entry.result.message}\n\n"
