"""The reference has every operation of StableHLO, CHLO and the check dialect, and each once."""

from __future__ import annotations

import ast
from pathlib import Path

from hlokit.engine.contract.registry import registered_operations
from hlokit.reference.operations import operations

from .dialects import NEWER, bindings_operations

ROOT = Path(__file__).parents[2] / "python" / "hlokit" / "reference"
DIALECTS = ("stablehlo.", "chlo.", "check.", "interpreter.", "sdy.")
# Lines of a function, without its signature and docstring.
MOST_LINES = 30


def test_every_operation_of_the_bindings_is_there() -> None:
    own = {name for name in operations() if name.startswith(("stablehlo.", "chlo."))}
    assert own - NEWER == bindings_operations() - NEWER


def test_the_faster_tiers_know_the_same_operations() -> None:
    theirs = {name for name in registered_operations() if name.startswith(DIALECTS)}
    assert {name for name in operations() if name.startswith(DIALECTS)} == theirs


MODULES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))
}


def lines_of(function: ast.FunctionDef) -> int:
    """The number of lines of a function without its signature and docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_functions_are_short() -> None:
    lines = {
        f"{module}: {node.name}": lines_of(node)
        for module, tree in MODULES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    assert len(lines) > 400
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_operations_have_docstrings() -> None:
    public = [
        (f"{module}: {node.name}", ast.get_docstring(node))
        for module, tree in MODULES.items()
        if module.startswith(("stablehlo/", "dialects/"))
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and not any(argument.arg == "call" for argument in node.args.args)
    ]
    assert len(public) > 100
    assert [name for name, docstring in public if not docstring] == []
