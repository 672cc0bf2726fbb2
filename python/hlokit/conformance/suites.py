"""The suites of an openxla/stablehlo checkout, and what a test file says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hlokit.errors import ArgumentError

# Names of the suites, and their folders below the checkout's folder `stablehlo`.
SUITES = {
    "interpret": "tests/interpret",
    "interpret/chlo": "tests/interpret/chlo",
    "math": "tests/math",
    "testdata": "testdata",
    "testdata/dynamic": "testdata/dynamic",
    "testdata/quantized": "testdata/quantized",
}

_RUN = re.compile(r"(?<![\w-])RUN:[ \t]*(.*)")
_DISABLED = re.compile(r"RUN-DISABLED\b")
_COMMENT = re.compile(r"//.*")
# The names of operations in generic form stay.
_STRING = re.compile(r'("[\w.]+"(?=\())|"[^"\n]*"')
_OPERATION = re.compile(r"(?<![\w.#!@])(?:stablehlo|chlo)\.\w+")
# They are in every file, or only hold others together.
_NOT_TESTED = {"stablehlo.constant", "stablehlo.custom_call", "stablehlo.return"}


@dataclass(frozen=True, slots=True)
class TestFile:
    """One file of a suite. `name` is its path below the checkout's folder `stablehlo`."""

    suite: str
    name: str
    path: Path

    def read(self) -> TestText:
        """What the file says."""
        return TestText(self.path.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class TestText:
    """The text of a test file."""

    text: str

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
        """How many commands upstream has switched off."""
        return len(_DISABLED.findall(self.text))

    @property
    def operations(self) -> list[str]:
        """The operations that the file holds, but for constants and custom calls."""
        code = _STRING.sub(r"\1", _COMMENT.sub("", self.text))
        return sorted(set(_OPERATION.findall(code)) - _NOT_TESTED)


def upstream_root(checkout: Path) -> Path:
    """The folder that holds `tests` and `testdata`: the checkout's folder `stablehlo`, or `checkout` itself.

    Raises:
      ArgumentError: there is none.
    """
    for folder in (checkout / "stablehlo", checkout):
        if any((folder / below).is_dir() for below in SUITES.values()):
            return folder
    raise ArgumentError(f"--upstream must be a checkout of openxla/stablehlo, got '{checkout}'")


def find_files(root: Path, suites: list[str], word: str = "") -> Iterator[TestFile]:
    """The files of the suites whose names hold a word."""
    for suite in suites:
        for path in sorted((root / SUITES[suite]).glob("*.mlir")):
            if word in path.name:
                yield TestFile(suite, path.relative_to(root).as_posix(), path)
