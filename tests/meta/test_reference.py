"""The reference has every operation of StableHLO, CHLO and the check dialect, and each once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from hlokit.contract.registry import registered_operations
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


FUNCTIONS = [
    pytest.param(node, id=f"{path.stem}.{node.name}")
    for path in sorted(ROOT.rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text()))
    if isinstance(node, ast.FunctionDef)
]


@pytest.mark.parametrize("node", FUNCTIONS)
def test_functions_are_short(node: ast.FunctionDef) -> None:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    assert not body or (body[-1].end_lineno or 0) - body[0].lineno < MOST_LINES


PUBLIC = [
    pytest.param(node, id=f"{path.stem}.{node.name}")
    for path in sorted(ROOT.rglob("*.py"))
    for node in ast.parse(path.read_text()).body
    if isinstance(node, ast.FunctionDef)
    and not node.name.startswith("_")
    and path.parent.name in ("stablehlo", "dialects")
    and not any(argument.arg == "call" for argument in node.args.args)
]


@pytest.mark.parametrize("node", PUBLIC)
def test_operations_have_docstrings(node: ast.FunctionDef) -> None:
    assert ast.get_docstring(node)
