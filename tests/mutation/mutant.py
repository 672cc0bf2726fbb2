"""What a mutant is: hlokit with one small mistake in one file."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python"


class StaleMutantError(Exception):
    """The code has changed, so that a mutant no longer names a place in it."""


class Mutant(NamedTuple):
    """A mistake.

    Attributes:
      name: what is wrong.
      place: a function, class or variable of a Python module as `module:qualified.name`, or a file of lib/.
      right: text that occurs once there.
      wrong: the text that stands there instead.
      tests: what catches it, the first being enough: names of pytest, or lit files.
    """

    name: str
    place: str
    right: str
    wrong: str
    tests: tuple[str, ...]

    @property
    def is_native(self) -> bool:
        return self.place.startswith("lib/")

    @property
    def module(self) -> str:
        return self.place.partition(":")[0]

    @property
    def path(self) -> Path:
        """The file that has the place."""
        if self.is_native:
            return ROOT / self.place
        return PACKAGE / f"{self.module.replace('.', '/')}.py"

    @property
    def test_names(self) -> list[str]:
        """The tests as pytest names them."""
        return [
            f"tests/test_lit.py::test_lit[{test.removeprefix('tests/')}]"
            if test.endswith((".mlir", ".test"))
            else test
            for test in self.tests
        ]

    def mutated(self) -> str:
        """The text of the file with the mistake."""
        try:
            text = self.path.read_text()
        except FileNotFoundError as error:
            raise StaleMutantError(f"{self.name}: {self.place} must be code of hlokit") from error
        start, end = (0, len(text)) if self.is_native else self._extent(text)
        count = text.count(self.right, start, end)
        if count != 1:
            raise StaleMutantError(
                f"{self.name}: {self.right!r} must occur once in {self.place}, got {count} times"
            )
        position = text.index(self.right, start)
        changed = text[:position] + self.wrong + text[position + len(self.right) :]
        if not self.is_native and _code(changed[start : end + len(changed) - len(text)]) == _code(
            text[start:end]
        ):
            raise StaleMutantError(f"{self.name}: the mistake must change the code of {self.place}")
        return changed

    def _extent(self, text: str) -> tuple[int, int]:
        """Where the definition at `place` begins and ends in the text of its module."""
        node: ast.AST = _parsed(text)
        for name in self.place.partition(":")[2].split("."):
            definition = next((child for child in ast.walk(node) if name in _defined_names(child)), None)
            if definition is None:
                raise StaleMutantError(f"{self.name}: {self.module} must define {name}")
            node = definition
        assert isinstance(node, ast.stmt) and node.end_lineno is not None
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        lines = text.splitlines(keepends=True)
        return len("".join(lines[: first - 1])), len("".join(lines[: node.end_lineno]))


@lru_cache(16)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _code(definition: str) -> str:
    """What a definition does, without its comments and spaces."""
    return ast.dump(ast.parse(dedent(definition)))


def _defined_names(node: ast.AST) -> set[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign():
            return {target.id for target in node.targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case _:
            return set()


def mutant(name: str, place: str, right: str, wrong: str, *tests: str) -> Mutant:
    """A mutant as a row of a table."""
    return Mutant(name, place, right, wrong, tests)
