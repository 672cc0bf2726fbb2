"""The suites of an openxla/stablehlo checkout, and the RUN lines and operations of a test file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from hlokit.errors import ArgumentError
from hlokit.mlir.text.split import split_input

# Names of the suites, and their files below the checkout's folder `stablehlo`.
SUITES = {
    "interpret": ("tests/interpret/*.mlir",),
    "interpret/chlo": ("tests/interpret/chlo/*.mlir",),
    "math": ("tests/math/*.mlir",),
    "testdata": ("testdata/*.mlir",),
    "testdata/dynamic": ("testdata/dynamic/*.mlir",),
    "testdata/quantized": ("testdata/quantized/*.mlir",),
    "verify": (
        "tests/ops_*.mlir",
        "tests/verify_*.mlir",
        "tests/future_type.mlir",
        "tests/replica_groups_mesh_axes.mlir",
    ),
    "print": ("tests/print_*.mlir",),
    "infer": ("tests/infer_*.mlir",),
    "transforms": (
        "tests/transforms/*.mlir",
        "tests/transform_*.mlir",
        "tests/canonicalize.mlir",
        "tests/stablehlo_complex_math_expander.mlir",
    ),
    "chlo": ("tests/chlo/*.mlir",),
    "linalg": ("conversions/linalg/tests/*.mlir",),
    "tosa": ("conversions/tosa/tests/*.mlir",),
    "vhlo": ("tests/vhlo/*.mlir",),
}

_RUN = re.compile(r"(?<![\w-])RUN:[ \t]*(.*)")
_SPLITS = re.compile(r"(?<![\w-])--?split-input-file\b")
_DISABLED = re.compile(r"RUN-DISABLED\b")
_COMMENT = re.compile(r"//.*")
# The names of operations in generic form stay.
_STRING = re.compile(r'("[\w.]+"(?=\())|"[^"\n]*"')
_OPERATION = re.compile(r"(?<![\w.#!@])(?:stablehlo|chlo)\.\w+")
# These operations are in every file, or only contain other operations.
_NOT_TESTED = {"stablehlo.constant", "stablehlo.custom_call", "stablehlo.return"}


@dataclass(frozen=True, slots=True)
class TestFile:
    """One file of a suite, or one of the programs in it.

    Attributes:
      name: the path below the checkout's folder `stablehlo`, with `:LINE` where the program begins.
      chunk: the number of the program; None for the file as a whole.
    """

    suite: str
    name: str
    path: Path
    chunk: int | None = None

    @property
    def path_name(self) -> str:
        """The path below the checkout's folder `stablehlo`."""
        return self.name if self.chunk is None else self.name.rpartition(":")[0]

    def read(self) -> TestText:
        """The text of the file."""
        text = self.path.read_text(encoding="utf-8")
        if self.chunk is None:
            return TestText(text)
        chunk = next(islice(split_input(text), self.chunk, None))
        return TestText(text, chunk)


@dataclass(frozen=True, slots=True)
class TestText:
    """The text of a test file. `chunk` is the program to run of it, None for the whole file."""

    text: str
    chunk: str | None = None

    @property
    def run_lines(self) -> list[str]:
        """The commands to run, as written; lines that end with a backslash are joined."""
        lines: list[str] = []
        is_continued = False
        for line in _RUN.findall(self.text):
            command = line.strip()
            if is_continued:
                lines[-1] += command.removesuffix("\\")
            else:
                lines.append(command.removesuffix("\\"))
            is_continued = command.endswith("\\")
        return lines

    @property
    def disabled_lines(self) -> int:
        """The number of commands that upstream has disabled."""
        return len(_DISABLED.findall(self.text))

    @property
    def operations(self) -> list[str]:
        """The operations in the file, except constants and custom calls."""
        text = self.text if self.chunk is None else self.chunk
        code = _STRING.sub(r"\1", _COMMENT.sub("", text))
        return sorted(set(_OPERATION.findall(code)) - _NOT_TESTED)


def upstream_root(checkout: Path) -> Path:
    """The folder that holds `tests` and `testdata`: the checkout's folder `stablehlo`, or `checkout` itself.

    Raises:
      ArgumentError: there is no such folder.
    """
    for folder in (checkout / "stablehlo", checkout):
        if (folder / "tests").is_dir() or (folder / "testdata").is_dir():
            return folder
    raise ArgumentError(f"--upstream must be a checkout of openxla/stablehlo, got '{checkout}'")


def find_files(root: Path, suites: list[str], word: str = "") -> Iterator[TestFile]:
    """The files of the suites whose names hold a word."""
    for suite in suites:
        for path in sorted(path for pattern in SUITES[suite] for path in root.glob(pattern)):
            if word in path.name:
                yield TestFile(suite, path.relative_to(root).as_posix(), path)


def chunks_of(file: TestFile) -> Iterator[TestFile]:
    """The programs in a file that `--split-input-file` splits; none if it is one program."""
    text = file.read()
    if not any(map(_SPLITS.search, text.run_lines)):
        return
    for number, chunk in enumerate(split_input(text.text)):
        if _COMMENT.sub("", chunk).strip():
            line = len(chunk) - len(chunk.lstrip("\n")) + 1
            yield TestFile(file.suite, f"{file.name}:{line}", file.path, number)
