"""The page reference/operations.md: for each operation the function of the reference that defines its meaning.

The code is that of python/hlokit/reference, chapter by chapter. The page shows the function of each operation and, if
that function is an adapter from a `Call`, the functions of the chapter that the adapter calls.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "python" / "hlokit" / "reference"

HEADER = """# Meaning of operations

The definition of each operation as code, from `python/hlokit/reference`. All other tiers of hlokit return the
same bytes ([numerics.md](../numerics.md)).
`hlokit run --reference` and `program(x, tier="reference")` evaluate programs with these functions alone. A `Tensor` has
elements, which hide their type behind `+`, `<`, `abs` and so on; `elementwise` applies a function of elements to tensors
of one shape.
"""


def chapters() -> list[Path]:
    """The files of the chapters, in the order of the table of contents."""
    contents = (FOLDER / "operations.py").read_text()
    names = re.findall(r"^    (\w+)\.TABLE,$", contents, re.MULTILINE)
    files = {path.stem: path for path in FOLDER.glob("*/*.py")}
    return [files[name] for name in names]


def anchor(name: str) -> str:
    """The anchor of an operation's heading."""
    return name.replace(".", "").lower()


class Chapter:
    """One file of the reference: its definitions, and its table of operations."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = path.read_text()
        self._tree = ast.parse(self._text)
        self._definitions = dict(self._named(self._tree))

    @property
    def title(self) -> str:
        summary = (ast.get_docstring(self._tree) or "").split("\n\n")[0]
        return " ".join(summary.split()).rstrip(".")

    @staticmethod
    def _named(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
        for statement in tree.body:
            match statement:
                case ast.FunctionDef(name=name):
                    yield name, statement
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if (
                    name != "TABLE"
                ):
                    yield name, statement
                case _:
                    pass

    def names(self) -> list[str]:
        """All operations of the table."""
        module = ".".join(self.path.relative_to(ROOT / "python").with_suffix("").parts)
        return list(importlib.import_module(module).TABLE)

    def rows(self) -> Iterator[tuple[str, list[str]]]:
        """Each operation that the table names literally, with the source of its functions."""
        table = self._table()
        for key, value in zip(table.keys, table.values, strict=True) if isinstance(table, ast.Dict) else ():
            if isinstance(key, ast.Constant):
                yield (
                    str(key.value),
                    [self._source(name) for name in self._meaning(value)] or [ast.unparse(value)],
                )

    def computed_rows(self) -> list[str]:
        """The source of the rows that the table computes, and of their functions."""
        table = self._table()
        computed = [table]
        if isinstance(table, ast.Dict):
            computed = [value for key, value in zip(table.keys, table.values, strict=True) if key is None]
        functions = [name for node in computed for name in self._meaning(node)]
        rows = [
            ast.get_source_segment(self._text, node) or ""
            for node in computed
            if not isinstance(node, ast.Name)
        ]
        return [self._source(name) for name in dict.fromkeys(functions)] + rows

    def _table(self) -> ast.expr:
        return next(
            node.value
            for node in self._tree.body
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == "TABLE"
            and node.value
        )

    def _meaning(self, node: ast.AST) -> list[str]:
        found: list[str] = []
        for name in self._called(node):
            definition = self._definitions[name]
            found += [] if name in found else [name]
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


def page() -> str:
    """The text of the page."""
    parts = [HEADER]
    for path in chapters():
        chapter = Chapter(path)
        file = path.relative_to(ROOT).as_posix()
        parts.append(f"## {chapter.title}\n\n`{file}`\n")
        rows = dict(chapter.rows())
        parts += [f"### {name}\n\n{_block(sources)}" for name, sources in rows.items()]
        computed = [name for name in chapter.names() if name not in rows]
        if computed:
            parts.append(
                f"The code of this chapter computes the remaining rows:\n\n{_block(chapter.computed_rows())}"
            )
            parts += [f"### {name}\n" for name in computed]
    return "\n".join(parts)


def _block(sources: list[str]) -> str:
    code = "\n\n\n".join(sources)
    return f"```python\n{code}\n```\n"
