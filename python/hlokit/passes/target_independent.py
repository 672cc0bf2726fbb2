"""`stablehlo-target-independent-optimization`: folding and simplification together, to a fixed point."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.passes import folding
from hlokit.passes.framework.registry import Options, Pass
from hlokit.passes.framework.rewriting import apply_patterns
from hlokit.passes.simplification import simplification_patterns


def _run(function: ir.Operation, options: Options) -> None:
    # Folding has precedence, because a constant is simpler than any simplified operation.
    apply_patterns(
        function, [*folding.folder_patterns(options, benefit=10), *simplification_patterns(options)]
    )


PASS = Pass(
    "stablehlo-target-independent-optimization",
    "fold constants and simplify, to a fixed point of both",
    _run,
    anchor="func.func",
    options=folding.OPTIONS,
)
