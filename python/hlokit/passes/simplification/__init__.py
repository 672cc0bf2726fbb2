"""`stablehlo-aggressive-simplification`: the same results from fewer and simpler operations.

One file per family of operations; each pattern's docstring says what becomes of what.
"""

from __future__ import annotations

from hlokit.mlir.bindings import ir, passmanager
from hlokit.mlir.module import walk
from hlokit.passes.registry import Option, Options, Pass
from hlokit.passes.rewriting import apply_patterns
from hlokit.passes.simplification import (
    arithmetic,
    comparison,
    control,
    dynamism,
    reductions,
    shapes,
    slicing,
    structure,
)
from hlokit.passes.simplification.support import Entry

OPTIONS = (
    Option(
        "fold-op-element-limit",
        "how many elements the result of an operation may have that is folded into a constant",
        "65536",
    ),
)


def simplification_patterns(options: Options) -> list[Entry]:
    """The patterns: name of the operation at the root, pattern, benefit."""
    return [
        *arithmetic.PATTERNS,
        *comparison.patterns(options.number(OPTIONS[0].name)),
        *shapes.PATTERNS,
        *slicing.PATTERNS,
        *dynamism.PATTERNS,
        *reductions.PATTERNS,
        *control.PATTERNS,
        *structure.PATTERNS,
    ]


def _run(function: ir.Operation, options: Options) -> None:
    patterns = simplification_patterns(options)
    apply_patterns(function, patterns)
    # Without duplicates, more operations have equal operands.
    while _drop_duplicates(function):
        apply_patterns(function, patterns)


def _drop_duplicates(function: ir.Operation) -> bool:
    """Common subexpression elimination; whether it found any.

    Programs hide duplicates behind barriers on purpose, to compute a value again rather than keep it.
    """
    before = _names(function)
    if "stablehlo.optimization_barrier" in before:
        return False
    with function.context:
        passmanager.PassManager.parse("func.func(cse)").run(function)
    return len(_names(function)) != len(before)


def _names(function: ir.Operation) -> list[str]:
    names: list[str] = []
    walk(function, lambda operation: names.append(operation.name))
    return names


PASS = Pass(
    "stablehlo-aggressive-simplification",
    "replace operations by fewer and simpler ones with the same results",
    _run,
    anchor="func.func",
    options=OPTIONS,
)
