"""Examples of operations: programs of `tests/interpret`, whose checks become results, and what they print."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from typing import Any, NamedTuple

import make_ops
import numpy as np

from hlokit.engine.plan.locations import source_position
from hlokit.errors import ParseError, VerificationError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context
from hlokit.programs.program import Program
from hlokit.values.text import format_value

# Types of examples, if a file has some: the usual ones.
_USUAL = re.compile(r"tensor<(?:\d+x)*(?:f32|i32|i64|i1|complex<f32>|!quant\.uniform<i8:f32[^>]*>)>")
_MOST_LINES = 60


class Example(NamedTuple):
    """A program without arguments, and the results that it prints."""

    file: str
    program: str
    output: str


def of(name: str) -> Example | None:
    """An example of an operation; None if no test has one."""
    path = make_ops.test_path(name)
    # Checks have no results that an example could show.
    if path is None or not name.startswith(("stablehlo.", "interpreter.", "chlo.")):
        return None
    chunks = [chunk.strip("\n") for chunk in path.read_text().split("// -----")]
    used = re.compile(rf"\b{re.escape(name)}\b(?!_)")
    candidates = [chunk for chunk in chunks if used.search(chunk) and len(chunk.splitlines()) <= _MOST_LINES]
    # Those of this project come first, then those of the usual types, then short ones.
    candidates.sort(
        key=lambda chunk: ("spec" in _head(chunk), not _USUAL.search(chunk), len(chunk.splitlines()) > 16)
    )
    for chunk in candidates:
        try:
            program = _with_results(re.sub(r"^// RUN:.*\n+", "", chunk, flags=re.MULTILINE))
            if program is not None and used.search(program):
                return Example(f"{path.stem}.mlir", program, _output(program))
        except (ParseError, VerificationError):
            continue  # a test of this error, or an operation of newer bindings
    return None


def _head(chunk: str) -> str:
    """The comment and the name in front of a program's operations."""
    return chunk.partition(")")[0].lower()


@cache
def _context() -> Any:
    return make_context()


def _with_results(text: str) -> str | None:
    """A self-checking program as one that returns what it checked; None if it checks nothing."""
    module = parse_text(_context(), text)
    functions = [op for op in module.body.operations if str(op.attributes["sym_name"]) == '"main"']
    function = (functions or list(module.body.operations))[0]
    operations = list(function.regions[0].blocks[0].operations)
    starts = [_line(operation) for operation in operations]
    lines = text.splitlines()
    names: list[str] = []
    types: list[str] = []
    for operation, start, end in reversed(list(zip(operations, starts, [*starts[1:], None], strict=True))):
        if operation.operation.name.startswith("check."):
            checked = re.search(r"%[\w#]+", "\n".join(lines[start - 1 : end]))
            if checked is None or "token" in str(operation.operands[0].type):
                return None
            if checked[0] not in names:
                names.insert(0, checked[0])
                types.insert(0, str(operation.operands[0].type))
            del lines[start - 1 : (end - 1 if end else start)]
    if not names:
        return None
    return _returning("\n".join(lines), names, types)


def _line(operation: Any) -> int:
    position = source_position(str(operation.location))
    assert position is not None, operation
    return position[1]


def _returning(text: str, names: list[str], types: list[str]) -> str:
    text = re.sub(
        r"\n( +)(?:func\.)?return(?=\n)", rf"\n\1return {', '.join(names)} : {', '.join(types)}", text
    )
    results = types[0] if len(types) == 1 else f"({', '.join(types)})"
    # The function with the checks has neither arguments nor results.
    return re.sub(r"(func\.func @)\w+\(\) \{", rf"\1main() -> {results} {{", textwrap.dedent(text), count=1)


def _output(text: str) -> str:
    program = Program(parse_text(_context(), text))
    with np.errstate(all="ignore"):
        values = program.runs.evaluate([], "main")
    types = program.signature("main").outputs
    return "\n".join(format_value(value, type_) for value, type_ in zip(values, types, strict=True))
