"""The source of the functions of the reference that define each operation.

The code is that of python/hlokit/reference. It is the functions that the card of each operation names and, if such a
function is an adapter from a `Call`, the functions of the chapter that the adapter calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "python" / "hlokit" / "reference"
CARDS = ROOT / "python" / "hlokit" / "operations" / "cards"

# The functions of cards that apply another function than that of their part `reference`.
ADAPTERS = {"broadcasting": ("chlo_broadcast", "broadcast")}


def chapters() -> list[Path]:
    """The files of the chapters."""
    return sorted(FOLDER.glob("*/*.py"))


@cache
def meanings() -> dict[str, tuple[str, list[str]]]:
    """For each operation the chapter and the functions that its card names."""
    named: dict[str, tuple[str, list[str]]] = {}
    for path in sorted(CARDS.glob("*.py")):
        tree = ast.parse(path.read_text())
        modules = {
            alias.asname: alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hlokit.reference.")
            for alias in node.names
            if alias.asname is not None
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                functions = list(_functions_of(node, modules))
                if functions and isinstance(node.args[0], ast.Constant):
                    chapter = functions[0][0]
                    names = [function for module, function in functions if module == chapter]
                    named[str(node.args[0].value)] = chapter, list(dict.fromkeys(names))
    return named


def _functions_of(card: ast.Call, modules: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The functions of the reference that a card names, each with its chapter."""
    if isinstance(card.func, ast.Name) and card.func.id in ADAPTERS:
        yield ADAPTERS[card.func.id]
    for part in card.keywords:
        if part.arg == "reference":
            for node in ast.walk(part.value):
                if (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.value, ast.Name)
                    and node.value.id in modules
                ):
                    yield modules[node.value.id], node.attr


def anchor(name: str) -> str:
    """The anchor of an operation's heading."""
    return name.replace(".", "").lower()


class Chapter:
    """One file of the reference, and its definitions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = path.read_text()
        self._tree = ast.parse(self._text)
        self._definitions = dict(self._named(self._tree))

    @staticmethod
    def _named(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
        for statement in tree.body:
            match statement:
                case ast.FunctionDef(name=name):
                    yield name, statement
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    yield name, statement
                case _:
                    pass

    def rows(self) -> Iterator[tuple[str, list[str]]]:
        """Each operation of the chapter, with the source of its functions."""
        for name, (chapter, functions) in sorted(meanings().items()):
            if chapter == self.path.stem:
                yield name, [self._source(function) for function in self._meaning(functions)]

    def _meaning(self, names: list[str]) -> list[str]:
        """Functions, and those of the chapter that adapters among them call."""
        found: list[str] = []
        for name in names:
            definition = self._definitions.get(name)
            found += [] if name in found or definition is None else [name]
            if isinstance(definition, ast.FunctionDef) and self._takes_call(definition):
                found += [other for other in self._called(definition) if other not in found]
        return found

    def _called(self, node: ast.AST) -> list[str]:
        names = [child.id for child in ast.walk(node) if isinstance(child, ast.Name)]
        return [
            name
            for name in dict.fromkeys(names)
            if name in self._definitions and name != getattr(node, "name", "")
        ]

    @staticmethod
    def _takes_call(function: ast.FunctionDef) -> bool:
        return any(
            isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Call"
            for argument in function.args.args
        )

    def _source(self, name: str) -> str:
        return ast.get_source_segment(self._text, self._definitions[name]) or ""


@cache
def sources() -> dict[str, tuple[str, list[str]]]:
    """For each operation a file of the reference, and the source of the functions that define the operation."""
    found: dict[str, tuple[str, list[str]]] = {}
    for path in chapters():
        file = path.relative_to(ROOT).as_posix()
        found |= {name: (file, functions) for name, functions in Chapter(path).rows()}
    return found
