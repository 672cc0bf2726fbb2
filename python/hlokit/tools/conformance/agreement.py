"""The functions of a file against XLA: for tests that show what a pass writes, and hold no results.

Each function that hlokit can load runs on example inputs, in hlokit and in XLA:CPU, and `hlokit.diff`
compares the results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import hlokit
from hlokit.errors import HlokitError
from hlokit.mlir.text.split import split_input

# Larger parameters take longer than they tell.
_MOST_BYTES = 1 << 22


class Comparison(NamedTuple):
    """One function, or a part of the file without one.

    Attributes:
      difference: how the results differ; "" if they do not.
      not_run: why nothing was compared; "" if something was.
    """

    name: str
    difference: str = ""
    not_run: str = ""


def compare_functions(text: str) -> Iterator[Comparison]:
    """Compare the functions of each part of a text that `// -----` divides."""
    for number, part in enumerate(split_input(text)):
        try:
            program = hlokit.load(part)
        except HlokitError as error:
            yield Comparison(f"part {number}", not_run=_first_line(error))
            continue
        for name in program.functions:
            yield _compared(program, name)


def _compared(program: hlokit.Program, name: str) -> Comparison:
    signature = program.signature(name)
    if not signature.outputs:
        return Comparison(name, not_run="the function returns nothing")
    if sum(getattr(type_, "nbytes", 0) for type_ in signature.inputs) > _MOST_BYTES:
        return Comparison(name, not_run="the function takes large arrays")
    try:
        inputs = program.example_inputs(function=name)
        report = hlokit.diff(program, *inputs, against="xla", function=name, time_limit=60)
    except HlokitError as error:
        return Comparison(name, not_run=_first_line(error))
    if report.status == 1:
        return Comparison(name, difference=f"@{name}: {report}")
    return Comparison(name, not_run=report.headline if report.status else "")


def _first_line(error: HlokitError) -> str:
    return str(error).partition("\n")[0]
