"""What an operation of a program does, where it comes from, and what computes its operands.

    python -m hlokit.clients.mcp.explanation FILE WHERE

WHERE is a line of the text, `model.py:12` of the source, or the name of an operation.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hlokit.clients.mcp.pages import meaning
from hlokit.engine.plan.locations import source_position, source_text
from hlokit.errors import ArgumentError, HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import location_of, operations_within
from hlokit.programs.loading import load_path

# Operations of an answer, and lines before and after the line of the source.
_MOST = 5
_AROUND = 2


def explanations(program: ir.Module, where: str, filename: str) -> list[dict[str, Any]]:
    """The operations at a place.

    Raises:
      ArgumentError: there is none.
    """
    operations = [
        op for op in operations_within(program.operation, outer_first=True) if op.name != "builtin.module"
    ]
    matches = [op for op in operations if _is_at(op, where, filename)]
    if not matches:
        raise ArgumentError(
            f"the program has no operation at {where}: a line, FILE:LINE, or an operation's name"
        )
    return [_explained(operation, filename) for operation in matches[:_MOST]]


def _is_at(operation: ir.Operation, where: str, filename: str) -> bool:
    location = location_of(operation, filename)
    position = source_position(location)
    if where.isdecimal():
        return position is not None and position[1] == int(where)
    return operation.name == where or f"{where}:" in source_text(location) + ":"


def _explained(operation: ir.Operation, filename: str) -> dict[str, Any]:
    location = location_of(operation, filename)
    return {
        "operation": _line(operation),
        "meaning": meaning(operation.name),
        "location": source_text(location),
        "source": _source_lines(location),
        "operands": [_producer(value, filename) for value in operation.operands],
        "used_by": [
            f"{use.owner.operation.name} at {source_text(location_of(use.owner.operation, filename))}"
            for result in operation.results
            for use in list(result.uses)[:_MOST]
        ],
    }


def _line(operation: ir.Operation) -> str:
    """The operation as text, without what its regions hold."""
    text = operation.get_asm(large_elements_limit=16, skip_regions=True)
    return " ".join(text.split())[:1000]


def _producer(value: ir.Value, filename: str) -> str:
    owner = value.owner
    if isinstance(owner, ir.Block):
        return f"{value.type}: argument {ir.BlockArgument(value).arg_number}"
    operation = owner.operation
    return f"{value.type}: {operation.name} at {source_text(location_of(operation, filename))}"


def _source_lines(location: str) -> list[str]:
    """The lines around a position of a file that can be read, with their numbers."""
    position = source_position(location)
    if position is None:
        return []
    try:
        lines = Path(position[0]).read_text(errors="replace").splitlines()
    except (OSError, ValueError):
        return []
    first = max(0, position[1] - 1 - _AROUND)
    shown = lines[first : position[1] + _AROUND]
    return [f"{number}: {line[:200]}" for number, line in enumerate(shown, first + 1)]


def main() -> int:
    """Print the answer as JSON."""
    path, where = sys.argv[1:]
    try:
        program = load_path(path)
        sys.stdout.write(json.dumps(explanations(program.module, where, path)) + "\n")
    except (HlokitError, OSError) as error:
        sys.stderr.write(f"hlokit: error: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
