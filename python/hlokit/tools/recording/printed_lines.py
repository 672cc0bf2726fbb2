"""Lines of operations in the text of a program in bytecode, which a person can print and read."""

from __future__ import annotations

import os

from hlokit.engine.plan.locations import source_position
from hlokit.errors import HlokitError
from hlokit.files.formats import find_bytecode
from hlokit.files.reading import read_file
from hlokit.mlir.parse import parse_text
from hlokit.mlir.portable import stated_version
from hlokit.mlir.printing import Style, print_module
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import context_of_text
from hlokit.mlir.queries.module import walk

# Longer constants are left out of the text; a constant stays on its line.
_MOST_ELEMENTS = 16


def text_command(filename: str) -> str:
    """What prints the text of a program from a file."""
    if not os.path.isfile(filename):
        return "Program.text()"
    data = read_file(filename)
    bytecode = find_bytecode(data)
    is_portable = bytecode is not None and stated_version(data[bytecode]) is not None
    return f"stablehlo-translate --deserialize {filename}" if is_portable else f"stablehlo-opt {filename}"


def printed_lines(module: ir.Module) -> list[int]:
    """The line of each operation, in the order of a walk; empty if the text cannot be read again."""
    text = print_module(module, Style(largest_elements=_MOST_ELEMENTS, largest_resource=4 * _MOST_ELEMENTS))
    try:
        parsed = parse_text(context_of_text(text), text)
    except HlokitError:
        return []
    lines: list[int] = []

    def visit(operation: ir.Operation) -> None:
        position = source_position(str(operation.location))
        lines.append(0 if position is None else position[1])

    walk(parsed.operation, visit)
    return lines
