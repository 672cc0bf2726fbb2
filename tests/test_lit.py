"""Every lit test as a pytest test.

Most are lines of hlokit's commands, `FileCheck` and a few others; these run in a process that has imported all of
them already, which is ten times faster. lit itself runs the others, in processes as users start them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FOLDERS_WITHOUT = {"Inputs", "bin", "meta", "unit"}
FILES = sorted(
    path
    for pattern in ("*.mlir", "*.test")
    for path in TESTS.rglob(pattern)
    if not FOLDERS_WITHOUT & set(path.relative_to(TESTS).parts)
)

_RUN = re.compile(r"RUN: *(.*)")
_KEYWORD = re.compile(r"\b(?:REQUIRES|UNSUPPORTED|XFAIL|ALLOW_RETRIES|DEFINE|REDEFINE): ")
# Quoted text, and the syntax that the worker's shell implements: pipes, and output into a file or a pipe.
_PLAIN = re.compile(r"""'[^']*'|"[^"$`\\]*"|2>&1|\||(?<!\d)>>?(?!>)|%[sSt]\b""")
# The prefix of a line that FileCheck reads, and the prefixes that its command names.
_CHECK = re.compile(
    r"^ *(?://|#) *(?!RUN|REQUIRES)([A-Z][A-Z-]*?)(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY))?: ", re.MULTILINE
)
_PREFIXES = re.compile(r"--check-prefix(?:es)?[= ]([\w,-]+)")
_SHELL = re.compile(r"[|&;<>`$*?~\\()\[\]{}%]")
_COMMANDS = re.compile(
    r" *(?:not +)?(?:stablehlo-opt|stablehlo-translate|hlokit|FileCheck|diff|cat|echo|head)\b"
)


@dataclass(frozen=True)
class LitFile:
    """A test file with its RUN lines."""

    path: Path
    runs: tuple[str, ...]
    has_keywords: bool

    @classmethod
    def read(cls, path: Path) -> LitFile:
        text = path.read_text()
        return cls(path, tuple(_RUN.findall(text)), bool(_KEYWORD.search(text)))

    @property
    def suits_worker(self) -> bool:
        """Whether the worker has the commands of all RUN lines."""
        if not self.runs or self.has_keywords or any(line.endswith("\\") for line in self.runs):
            return False
        return all(
            not _SHELL.search(_PLAIN.sub("", line)) and all(map(_COMMANDS.match, line.split("|")))
            for line in self.runs
        )


class Worker:
    """The process of tests/lit_worker.py."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(TESTS / "lit_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, line: str, path: Path, directory: Path) -> tuple[int, str]:
        """Exit status and output of a RUN line of a file."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        substitutions = {
            "%s": str(path),
            "%S": str(path.parent),
            "%t": str(directory / f"{path.name}.tmp"),
        }
        request = {"line": line, "substitutions": substitutions}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        return answer["status"], answer["output"]

    def stop(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


def run_lit(path: Path, directory: Path) -> tuple[str, str]:
    """lit's verdict on one file (PASS, FAIL, UNRESOLVED, ...) and its output."""
    report = directory / "report.json"
    start = "from lit.main import main; main()"
    command = [sys.executable, "-c", start, "--workers=1", "--output", str(report), str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TESTS)
    if not report.exists():
        return "NO REPORT", result.stdout + result.stderr
    (test,) = json.loads(report.read_text())["tests"]
    return test["code"], test["output"]


# The versions of VHLO are alike, and test_fixtures.py converts to all of them.
@pytest.mark.sample(
    "[!v]*",
    "ver*",
    "vhlo/vhlo_text*",
    "vhlo/*.0_9_0.mlir",
    "vhlo/*.1_0_0.mlir",
    "vhlo/*.1_9_0.mlir",
    "vhlo/*.1_17_0.mlir",
)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_lit(path: Path, worker: Worker, tmp_path: Path) -> None:
    file = LitFile.read(path)
    if not file.suits_worker:
        code, output = run_lit(path, tmp_path)
        if code == "UNSUPPORTED":
            pytest.skip(output)
        # UNRESOLVED is a file without RUN lines.
        assert code == "PASS", output
        return
    for line in file.runs:
        status, output = worker.run(line, path, tmp_path)
        assert status == 0, f"{line}: exit status {status}\n{output}"


def files_in(folder: str) -> list[LitFile]:
    return [LitFile.read(path) for path in FILES if path.relative_to(TESTS).parts[0] == folder]


def test_interpret_files_check_themselves() -> None:
    """A program without checks would pass with any results."""
    files = files_in("interpret")
    lines = [(file.path.name, line) for file in files for line in file.runs]
    assert len(lines) >= len(files) > 100
    assert [pair for pair in lines if "--require-checks" not in pair[1] and "FileCheck" not in pair[1]] == []


def test_verify_files_check_themselves() -> None:
    """Parsing alone shows little: a file must announce errors, or check the output."""
    texts = {file.path.name: " ".join(file.runs) for file in files_in("verify")}
    assert len(texts) > 30
    assert [
        n for n, text in texts.items() if "--verify-diagnostics" not in text and "FileCheck" not in text
    ] == []


def prefixes_read(path: Path) -> set[str]:
    """The prefixes of lines that FileCheck reads for the RUN lines of a file."""
    commands = [command for line in LitFile.read(path).runs for command in line.split("|")]
    named = [_PREFIXES.search(command) for command in commands if "FileCheck" in command]
    return {prefix for match in named for prefix in (match[1].split(",") if match else ["CHECK"])}


def test_checks_are_read() -> None:
    """A line such as `// CHECK-SMAE:` checks nothing: its prefix must be one that a RUN line names."""
    prefixes = {path.name: set(_CHECK.findall(path.read_text())) - prefixes_read(path) for path in FILES}
    assert {name: unread for name, unread in prefixes.items() if unread} == {}
    assert _CHECK.findall("// CHECK-SMAE: x\n// RUN: y\n# JSON-NEXT: z") == ["CHECK-SMAE", "JSON"]


def test_lit_runs_a_file_like_the_worker(worker: Worker, tmp_path: Path) -> None:
    path = TESTS / "interpret" / "check.mlir"
    file = LitFile.read(path)
    assert file.suits_worker
    assert worker.run(file.runs[0], path, tmp_path)[0] == 0
    assert run_lit(path, tmp_path)[0] == "PASS"


def test_a_file_without_run_lines_fails(tmp_path: Path) -> None:
    (tmp_path / "lit.cfg.py").write_text((TESTS.parent / "lit.cfg.py").read_text())
    test = tmp_path / "tests" / "empty.mlir"
    test.parent.mkdir()
    test.write_text("// nothing to run\n")
    assert not LitFile.read(test).suits_worker
    assert run_lit(test, tmp_path)[0] == "UNRESOLVED"


def test_a_failing_check_fails(worker: Worker, tmp_path: Path) -> None:
    test = tmp_path / "fails.mlir"
    test.write_text(
        "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
        "  check.expect_eq_const %0, dense<2> : tensor<i32>\n  return\n}\n"
    )
    status, output = worker.run("stablehlo-translate --interpret %s", test, tmp_path)
    assert status == 1
    assert f"{test}:3:3: error: check.expect_eq_const" in output
