"""`stablehlo-aggressive-simplification`: the same results from fewer and simpler operations.

One file per family of operations; each pattern's docstring says what becomes of what.
"""

from __future__ import annotations

from hlokit.mlir.bindings import ir
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
    apply_patterns(function, simplification_patterns(options))


PASS = Pass(
    "stablehlo-aggressive-simplification",
    "replaces operations by fewer and simpler ones with the same results",
    _run,
    anchor="func.func",
    options=OPTIONS,
)
