"""Names say what a thing is, and functions take few parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hlokit

PACKAGE = Path(hlokit.__file__).parent
# They say how a value came to be, not what it is.
EMPTY_NAMES = {"each", "found", "given", "known", "made", "of"}
# The flag `--of`, which agents give by its name.
FLAGS = {("clients/mcp/tools.py", "of")}
MOST_PARAMETERS = 6
# Options of users, all by keyword: an object for them would be one more thing to learn.
PUBLIC = {"diff", "equal", "evaluate_parallel", "record", "reduce", "run_parallel", "shard"}
# The parts of a card, and the inputs of an operation in the specification.
CARDS = {
    *("broadcasting", "collective", "combination", "contraction", "elementwise"),
    *("function", "movement", "structure", "whole"),
}
OPERATIONS = {"batch_norm_grad", "batch_norm_inference", "scan"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    """The syntax of all modules, with their names."""
    return tuple(
        (path.relative_to(PACKAGE).as_posix(), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
    )


def names_bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg


def parameters_of(function: Function) -> list[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in every if argument.arg not in ("self", "cls")]


def test_variables_have_names_of_things() -> None:
    bound = [(path, name, node) for path, node in nodes() for name in names_bound_by(node)]
    assert len(bound) > 10_000
    empty = [(path, name, node) for path, name, node in bound if name in EMPTY_NAMES]
    assert [f"{path}:{node.lineno} {name}" for path, name, node in empty if (path, name) not in FLAGS] == []


def test_functions_have_at_most_six_parameters() -> None:
    functions = [(path, node) for path, node in nodes() if isinstance(node, Function)]
    long = {(path, node.name) for path, node in functions if len(parameters_of(node)) > MOST_PARAMETERS}
    cards = {name for path, name in long if path.startswith("operations/cards/")}
    operations = {name for path, name in long if path.startswith("reference/")}
    assert (cards, operations) == (CARDS, OPERATIONS)
    assert {name for _, name in long} - CARDS - OPERATIONS == PUBLIC
