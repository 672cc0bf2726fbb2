"""`stablehlo-aggressive-simplification`: the same results from fewer and simpler operations.

One file per family of operations; the docstring of each pattern is its rewrite. `support` has shared helpers,
`regions` and `effects` have helpers for regions and side effects.
"""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir, passmanager
from hlokit.mlir.queries.module import walk
from hlokit.passes.framework.registry import Option, Options, Pass
from hlokit.passes.framework.rewriting import apply_patterns
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
        "the largest number of elements in a result that is folded into a constant",
        "65536",
    ),
)


def simplification_patterns(options: Options) -> list[Entry]:
    """The patterns: name of the root operation, pattern, benefit."""
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
    # After duplicates are removed, more operations have equal operands.
    while _drop_duplicates(function):
        apply_patterns(function, patterns)


def _drop_duplicates(function: ir.Operation) -> bool:
    """Eliminate common subexpressions; returns whether there were any.

    Duplicates after barriers stay, because programs use barriers to recompute a value instead of keeping it.
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
