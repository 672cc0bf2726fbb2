"""`pytest --hlokit`: `.mlir` files are tests.

A file with `// RUN:` lines passes if the command of each line succeeds (`%s` is the file, `%t` a temporary
file; FileCheck is LLVM's, or that of the package `filecheck`). Where bash is installed, a pipeline fails if
any of its commands fails. `not` is LLVM's, or a function of bash. A file with `XFAIL: *` must fail, one with
`UNSUPPORTED: *` is skipped, and so is one that REQUIRES a feature, since a run of pytest has none. Any other
file passes if its programs contain checks and all of them succeed, with the flags `--interpret
--split-input-file --require-checks` of stablehlo-translate.
"""

# pyright: reportUnknownMemberType=false
# (pytest's constructors are partly untyped)

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_SECONDS = 300
_CHECK = "stablehlo-translate --interpret --split-input-file --require-checks"
_KEYWORD = re.compile(r"\b(XFAIL|REQUIRES|UNSUPPORTED):[ \t]*(.*)")
# LLVM's `not`: a command that ends by a signal has not failed as expected.
_NOT = 'not() { "$@"; local status=$?; [ $status -ne 0 ] && [ $status -lt 128 ]; }; '


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the flag."""
    parser.getgroup("hlokit").addoption(
        "--hlokit", action="store_true", help="collect .mlir files: with RUN lines, or that check themselves"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file of MLIR, if the flag is set."""
    if file_path.suffix == ".mlir" and parent.config.getoption("--hlokit"):
        return MlirFile.from_parent(parent, path=file_path)
    return None


class MlirFile(pytest.File):
    """A file of MLIR."""

    def collect(self) -> Iterator[pytest.Item]:
        """The only test of the file."""
        from hlokit.tools.conformance.suites import TestText  # pytest loads this plugin in every run

        text = self.path.read_text(errors="replace")
        commands = TestText(text).run_lines
        test = MlirTest.from_parent(self, name="run" if commands else "check", commands=commands)
        for keyword, words in _KEYWORD.findall(text):
            reason = f"{keyword}: {words.strip()}"
            if keyword == "XFAIL" and words.strip() == "*":
                test.add_marker(pytest.mark.xfail(strict=True, reason=reason))
            elif keyword == "REQUIRES" or (keyword == "UNSUPPORTED" and words.strip() == "*"):
                test.add_marker(pytest.mark.skip(reason=reason))
        yield test


class Failed(Exception):
    """A command of a test failed."""


class MlirTest(pytest.Item):
    """The commands of a file, or the evaluation of its programs."""

    def __init__(self, *, commands: list[str], **more: object) -> None:
        super().__init__(**more)  # pyright: ignore[reportArgumentType] # the arguments of from_parent
        self._commands = commands

    def runtest(self) -> None:
        """Run the commands; PATH begins with the commands of this hlokit."""
        path = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ.get('PATH', '')}"
        bash = shutil.which("bash", path=path)
        with TemporaryDirectory() as folder:
            for line in self._commands or [f"{_CHECK} {shlex.quote(str(self.path))}"]:
                text = line
                if self._commands:
                    text = _substituted(_with_file_check(line, path), str(self.path), f"{folder}/t")
                prefix = "" if shutil.which("not", path=path) else _NOT
                run = subprocess.run(
                    text if bash is None else [bash, "-o", "pipefail", "-c", prefix + text],
                    shell=bash is None,
                    capture_output=True,
                    text=True,
                    timeout=_SECONDS,
                    check=False,
                    cwd=folder,
                    env={**os.environ, "PATH": path},
                )
                if run.returncode:
                    # The first line of the output is the line of the test in pytest's summary.
                    output = f"{run.stderr}{run.stdout}".replace(str(self.path), self._shown_path).strip("\n")
                    raise Failed(f"{output}\nexit status {run.returncode} of: {text}".lstrip("\n"))

    @property
    def _shown_path(self) -> str:
        """The file, as short as a path from the directory of pytest can be."""
        directory = self.config.invocation_params.dir
        return str(self.path.relative_to(directory) if self.path.is_relative_to(directory) else self.path)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The output of the command, without a traceback."""
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """The location of the test."""
        return self.path, 0, f"{self.path.name}: {self.name}"


def _with_file_check(line: str, path: str) -> str:
    """The line with the command of the package `filecheck` if LLVM's FileCheck is not on the path."""
    has_other = (
        shutil.which("FileCheck", path=path) is None and shutil.which("filecheck", path=path) is not None
    )
    return re.sub(r"(^|\|)(\s*)FileCheck\b", r"\1\2filecheck", line) if has_other else line


def _substituted(line: str, source: str, temporary: str) -> str:
    values = {"%s": source, "%t": temporary, "%S": os.path.dirname(source), "%%": "%"}
    return re.sub(r"%[sStT%]", lambda match: values.get(match[0], match[0]), line)
