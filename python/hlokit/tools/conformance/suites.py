"""The suites of checkouts of other projects, and the RUN lines and operations of a test file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from hlokit.errors import ArgumentError
from hlokit.mlir.text.split import split_input

Kind = Literal["lines", "exports", "functions"]


@dataclass(frozen=True, slots=True)
class Project:
    """A project whose tests are run.

    Attributes:
      name: the repository.
      folder: the part of a checkout below which names of files begin.
      marks: files or folders below `folder`, of which one tells that a checkout is of this project.
      suites: names of suites, and their files below `folder`.
      kind: what a file holds: RUN `lines`, `exports` with their results (exports.py), or `functions` that are
        compared with XLA (agreement.py).
    """

    name: str
    folder: str
    marks: tuple[str, ...]
    suites: Mapping[str, tuple[str, ...]]
    kind: Kind = "lines"


_STABLEHLO = Project(
    "openxla/stablehlo",
    "stablehlo",
    ("tests", "testdata"),
    {
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
    },
)
_SHARDY = Project(
    "openxla/shardy",
    "shardy/dialect/sdy/transforms",
    ("export/test",),
    {
        "shardy/partition": ("export/test/executable_partitioner_pipeline/*.mlir",),
        "shardy/local": ("export/test/executable_convert_global_to_local/*.mlir",),
        "shardy/batching": ("import/test/executable_explicit_gather_scatter_batching/*.mlir",),
    },
)
_JAX = Project(
    "jax-ml/jax",
    "jax/_src/internal_test_util/export_back_compat_test_data",
    ("stablehlo_dynamic_top_k.py", "tpu_Sharding.py"),
    {"jax/exports": ("*.py",), "jax/pallas": ("pallas/*.py",)},
    "exports",
)
_ENZYME_JAX = Project(
    "EnzymeAD/Enzyme-JAX",
    "test/lit_tests",
    ("abspositive.mlir", "autobatching"),
    {"enzyme-jax": ("**/*.mlir",)},
    "functions",
)
_FUNCTIONS = "functions"
_ANY_FOLDER = Project("any folder", "", (), {_FUNCTIONS: ("**/*.mlir",)}, "functions")
PROJECTS = (_STABLEHLO, _SHARDY, _JAX, _ENZYME_JAX, _ANY_FOLDER)
# In the order of tables.
SUITES = tuple(suite for project in PROJECTS for suite in project.suites)

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
      name: the path below the project's folder, with `:LINE` where the program begins.
      chunk: the number of the program; None for the file as a whole.
    """

    suite: str
    name: str
    path: Path
    chunk: int | None = None
    kind: Kind = "lines"

    @property
    def path_name(self) -> str:
        """The path below the project's folder."""
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


def find_project(checkout: Path, suites: Sequence[str] = ()) -> tuple[Project, Path]:
    """The project of a checkout, and the folder below which names of files begin.

    `checkout` may be this folder; for the suite `functions`, any folder.

    Raises:
      ArgumentError: the folder is no checkout of a project that has suites.
    """
    if _FUNCTIONS in suites and checkout.is_dir():
        return _ANY_FOLDER, checkout
    for project in PROJECTS:
        for folder in (checkout / project.folder, checkout):
            if any((folder / mark).exists() for mark in project.marks):
                return project, folder
    names = ", ".join(project.name for project in PROJECTS if project is not _ANY_FOLDER)
    raise ArgumentError(f"--upstream must be a checkout of one of {names}, got '{checkout}'")


def find_files(project: Project, root: Path, suites: list[str], word: str = "") -> Iterator[TestFile]:
    """The files of a project's suites whose names hold a word."""
    for suite in suites:
        patterns = project.suites.get(suite, ())
        for path in sorted(path for pattern in patterns for path in root.glob(pattern)):
            if word in path.name and path.name != "__init__.py":
                yield TestFile(suite, path.relative_to(root).as_posix(), path, kind=project.kind)


def chunks_of(file: TestFile) -> Iterator[TestFile]:
    """The programs in a file that `--split-input-file` splits; none if it is one program."""
    if file.kind != "lines":
        return
    text = file.read()
    if not any(map(_SPLITS.search, text.run_lines)):
        return
    for number, chunk in enumerate(split_input(text.text)):
        if _COMMENT.sub("", chunk).strip():
            line = len(chunk) - len(chunk.lstrip("\n")) + 1
            yield TestFile(file.suite, f"{file.name}:{line}", file.path, number)
