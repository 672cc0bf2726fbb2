"""Names say what a thing is, and functions take few parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import hlokit

PACKAGE = Path(hlokit.__file__).parent
# They say how a value came to be, not what it is.
EMPTY_NAMES = {"each", "found", "given", "known", "made", "of"}
# The flag `--of`, which agents give by its name.
FLAGS = {("clients/mcp/tools.py", "of")}
MOST_PARAMETERS = 6
# Options of users, all by keyword: an object for them would be one more thing to learn.
PUBLIC = {"diff", "equal", "evaluate_parallel", "record", "reduce", "run_parallel", "shard", "stages"}
# The parts of a card, and the inputs of an operation in the specification.
CARDS = {
    *("broadcasting", "collective", "combination", "contraction", "elementwise"),
    *("function", "movement", "structure", "whole"),
}
OPERATIONS = {"batch_norm_grad", "batch_norm_inference", "scan"}


# Cheap signs of both, since to parse all modules takes seconds.
_MAY_BIND = re.compile(rf"(?<![\w.\"'])(?:{'|'.join(EMPTY_NAMES)})\b(?:: | = |, | in |\)|,\n)")
_MAY_BE_LONG = re.compile(r"def \w+\((?:[^,()]*,){6}")


def sources(sign: re.Pattern[str]) -> dict[str, ast.Module]:
    """The modules in whose text there is a sign."""
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in PACKAGE.rglob("*.py")}
    assert len(texts) > 600
    return {path: ast.parse(text) for path, text in texts.items() if sign.search(text)}


def names_bound_by(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, node.lineno
    elif isinstance(node, ast.arg):
        yield node.arg, node.lineno


def test_variables_have_names_of_things() -> None:
    bound = [
        (path, name, line)
        for path, module in sources(_MAY_BIND).items()
        for node in ast.walk(module)
        for name, line in names_bound_by(node)
    ]
    empty = [(path, name, line) for path, name, line in bound if name in EMPTY_NAMES]
    assert {(path, name) for path, name, _ in empty} >= FLAGS, "or the signs find nothing"
    assert [f"{path}:{line} {name}" for path, name, line in empty if (path, name) not in FLAGS] == []


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in every if argument.arg not in ("self", "cls")]


def test_functions_have_at_most_six_parameters() -> None:
    long = {
        (path, node.name)
        for path, module in sources(_MAY_BE_LONG).items()
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len(parameters_of(node)) > MOST_PARAMETERS
    }
    cards = {name for path, name in long if path.startswith("operations/cards/")}
    operations = {name for path, name in long if path.startswith("reference/")}
    assert (cards, operations) == (CARDS, OPERATIONS)
    assert {name for _, name in long} - CARDS - OPERATIONS == PUBLIC
