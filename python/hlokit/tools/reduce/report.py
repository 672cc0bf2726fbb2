"""The result of a reduction: the program, and a bug report."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from shlex import quote
from typing import Any, NamedTuple

import numpy as np

from hlokit.display.printable import printable_line
from hlokit.display.shown import Shown
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.mlir.queries.module import walk
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import having
from hlokit.programs.program import Program
from hlokit.tools.excerpts.build import Form, build
from hlokit.tools.reduce.predicates import Outcome, Spec
from hlokit.tools.reduce.state import State
from hlokit.values.element_types import element_type_of
from hlokit.values.text import format_dense
from hlokit.values.types import TensorType

_STRUCTURE = having(lambda traits: traits.terminator) | {"builtin.module", "func.func", "stablehlo.constant"}
# A position in the text of a reduced program, which has no name yet.
_LOCATION = re.compile(r'loc\("-":(\d+:\d+)\)|(?<![\w.-])-:(\d+:\d+)')
# Arguments of more characters are in a file of their own, if the program is in a file.
_LONGEST_ARGUMENTS = 500
_PACKAGES = ("jaxlib", "numpy", "ml_dtypes", "iree-base-compiler", "iree-base-runtime")


class Origin(NamedTuple):
    """What is reduced.

    Attributes:
      program: the original program.
      function: the function that shows the fault.
      keep: the predicate; `spec` has its parts, None if it is a function.
    """

    program: Program
    function: str
    keep: str
    spec: Spec | None = None

    def __str__(self) -> str:
        file = self.program.filename
        return f"@{self.function} of {file}" if file != "-" else f"@{self.function}"


class Effort(NamedTuple):
    """The search: see `Reduction`."""

    tried: int
    seconds: float
    is_finished: bool


@dataclass(frozen=True, slots=True, repr=False)
class Reduction(Shown):
    """A reduced program.

    Attributes:
      program: the small program.
      arguments: the arguments of `program`; () if they became constants, which requires that the fault
        stays.
      keep: the predicate that the program still satisfies.
      outcome: the details of the fault, with an element of hlokit and of the other side.
      steps: the reductions, in order.
      before, after: the number of operations before and after the reduction, without constants.
      largest: number of elements of the largest value.
      tried: the number of candidates.
      seconds: the time of the reduction.
      is_finished: whether the search ended by itself, without an interrupt or the time limit.
      source: the name of the original program.
      checks_itself: whether the program is self-checking: it compares its results with the results of another
        run.
      spec: the parts of `keep`; None if it is a function.
    """

    program: Program
    arguments: tuple[Any, ...]
    keep: str
    outcome: Outcome
    steps: tuple[str, ...]
    before: int
    after: int
    largest: int
    tried: int
    seconds: float
    is_finished: bool
    source: str
    checks_itself: bool = False
    spec: Spec | None = None

    @classmethod
    def of_one(
        cls,
        program: Program,
        outcome: Outcome,
        origin: Origin,
        effort: Effort,
        *,
        largest: int,
        operations: int,
    ) -> Reduction:
        """A self-checking program of one or more operations, as a reduction."""
        return cls(
            program=program,
            arguments=(),
            keep=origin.keep,
            outcome=outcome,
            steps=("the operation at fault",) if operations == 1 else ("operations since known values",),
            before=len(operation_names(origin.program)),
            after=operations,
            largest=largest,
            tried=effort.tried,
            seconds=effort.seconds,
            is_finished=effort.is_finished,
            source=str(origin),
            checks_itself=True,
        )

    @classmethod
    def of(cls, state: State, form: Form | None, origin: Origin, effort: Effort) -> Reduction:
        """The program of a state.

        Args:
          form: the form of the values as constants; None for arguments.
        """
        excerpt = state.excerpt if form is None else build(state.graph, form)
        program = Program(parse_bytecode(None, excerpt.module, "-", is_trusted=True))
        nodes = [node for node in state.graph.nodes if node.name not in _STRUCTURE]
        types = [state.graph.types[value] for node in nodes for value in (*node.operands, *node.results)]
        if not nodes:  # the search ended before it had a graph
            walk(
                program.module.operation,
                lambda op: types.extend(value_type(value.type) for value in op.results),
            )
        sizes = [type_.size for type_ in types if isinstance(type_, TensorType) and type_.is_static]
        return cls(
            program=program,
            arguments=excerpt.arguments,
            keep=origin.keep,
            outcome=state.outcome,
            steps=tuple(state.steps),
            before=len(operation_names(origin.program)),
            after=len(nodes) or len(operation_names(program)),
            largest=max(sizes, default=0),
            tried=effort.tried,
            seconds=effort.seconds,
            is_finished=effort.is_finished,
            source=str(origin),
            spec=origin.spec,
        )

    @property
    def text(self) -> str:
        """The program as MLIR text, with a comment that describes the program."""
        return "".join(f"// {_line(line)}\n" for line in self._comment()) + "\n" + self.program.text()

    def command(self, path: str = "small.mlir") -> str:
        """The shell command that shows the fault.

        Args:
          path: the program's file name in the command; this method does not write the file.
        """
        values = "".join(f" '{text}'" for text in self._literals())
        if len(values) > _LONGEST_ARGUMENTS:
            values = f" {quote(arguments_file(path))}"
        path, inputs = quote(path), quote(arguments_file(path))
        if self.checks_itself:
            return f"hlokit run {path}"
        match self.spec:
            case Spec(kind="diverges", side=side):
                return f"hlokit diff {path}{values} {quote(f'--against={side}')}"
            case Spec(kind="crashes" | "fails", side=side):
                return f"hlokit diff {path}{values} {quote(f'--against={side}')} --mode=whole"
            case Spec(kind="pass", side=compiler):
                return f"hlokit passes {path}{values} {quote(f'--of={compiler}')}"
            case Spec(kind="error" | "nan"):
                return f"hlokit run {path}{values}"
            case _:
                return self.keep.replace("{module}", path).replace("{inputs}", inputs)

    @property
    def needs_arguments(self) -> bool:
        """Whether the command reads the arguments from `arguments_file`: there are too many for a command
        line, or they are for a command that reads files."""
        if "{inputs}" in self.keep:
            return True
        return sum(len(text) + 3 for text in self._literals()) > _LONGEST_ARGUMENTS

    def _literals(self) -> list[str]:
        """The arguments on a command line, where tokens are not."""
        return [literal(array) for array in map(np.asarray, self.arguments) if array.dtype.kind != "O"]

    def _comment(self) -> list[str]:
        lines = [f"Reduced by hlokit from {self.source}: {self.keep}", f"  {self.command('FILE')}"]
        if self.outcome.expected:
            lines.append(f"element {list(self.outcome.index)}: {self._values()}")
        elif self.outcome.what:
            lines.append(self.outcome.what.partition("\n")[0])
        return lines

    def _values(self) -> str:
        return f"{self.outcome.expected} expected, {self.outcome.actual} there"

    def report(self, path: str = "small.mlir") -> str:
        """A bug report in Markdown: versions, program, command, expected and actual values."""
        versions = ", ".join(f"{name} {number}" for name, number in _versions())
        lines = [
            f"## {_line(self._title())}",
            "",
            "### Program",
            "",
            "```mlir",
            self.text.rstrip(),
            "```",
            "",
        ]
        lines += ["### Command", "", f"    {_line(self.command(path))}", ""]
        if self.outcome.expected:
            lines += ["### Expected", "", f"`{self.outcome.expected}` at {list(self.outcome.index)}", ""]
            lines += ["### Actual", "", f"`{self.outcome.actual}` ({_line(self.outcome.what)})", ""]
        elif self.outcome.what:
            what = _LOCATION.sub(lambda match: f"{path}:{match[1] or match[2]}", self.outcome.what)
            lines += ["### What happens", "", *map(_line, what.split("\n")), ""]
        lines += ["### Versions", "", versions, ""]
        lines += [
            f"Reduced from {_line(self.source)}: {self.before} operations to {self.after}, of at most "
            f"{self.largest} elements, in {self.seconds:.0f} s and {self.tried} tries.",
        ]
        return "\n".join(lines) + "\n"

    def _title(self) -> str:
        names = list(dict.fromkeys(operation_names(self.program)))
        return f"{', '.join(names[:3])}: {self.keep}"

    def __str__(self) -> str:
        ended = "" if self.is_finished else ", ended early"
        head = (
            f"{self.before} operations to {self.after}, of at most {self.largest} elements "
            f"({self.tried} programs tried in {self.seconds:.1f} s{ended})"
        )
        return f"{head}\n\n{self.text}"


def _line(text: str) -> str:
    """One line of UTF-8 without control characters, which names of files and messages may contain."""
    return printable_line(text).encode(errors="backslashreplace").decode()


def operation_names(program: Program) -> Sequence[str]:
    """The operations of a program, also in regions; without constants, terminators and functions."""
    names: list[str] = []
    walk(program.module.operation, lambda operation: names.append(operation.name))
    skipped = _STRUCTURE | {"stablehlo.optimization_barrier"}
    return [name.removeprefix("stablehlo.") for name in names if name not in skipped]


def _versions() -> list[tuple[str, str]]:
    versions = [("hlokit", _version("hlokit") or "0"), ("StableHLO", stablehlo_version())]
    versions += [(name, _version(name)) for name in _PACKAGES]
    installed = [(name, number) for name, number in versions if number]
    return [*installed, ("Python", platform.python_version()), (platform.system(), platform.machine())]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def arguments_file(path: str) -> str:
    """The `.npz` file with the arguments of the program in a file."""
    return f"{os.path.splitext(path)[0]}.npz"


def literal(array: Any) -> str:
    """An array as a constant on a command line."""
    values = np.asarray(array)
    return format_dense(values, TensorType(values.shape, element_type_of(values.dtype)))
