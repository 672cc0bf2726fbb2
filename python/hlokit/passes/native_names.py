"""Names of the bindings' passes, for lists and suggestions."""

from __future__ import annotations

NATIVE_PASSES = (
    "bubble-down-memory-space-casts", "canonicalize", "chlo-legalize-to-stablehlo",
    "composite-fixed-point-pass", "control-flow-sink", "cse", "generate-runtime-verification", "inline",
    "loop-invariant-code-motion", "loop-invariant-subset-hoisting", "mem2reg", "print-ir",
    "print-op-stats", "reconcile-unrealized-casts", "remove-dead-values", "sccp",
    "shape-legalize-to-stablehlo", "snapshot-op-locations", "sroa", "stablehlo-canonicalize-dynamism",
    "stablehlo-check-shape-assertions", "stablehlo-compatibility-expander",
    "stablehlo-complex-math-expander", "stablehlo-convert-to-signless",
    "stablehlo-legalize-composite-to-call", "stablehlo-legalize-deprecated-ops",
    "stablehlo-legalize-qdq-to-quantized-op", "stablehlo-legalize-quant-to-math",
    "stablehlo-legalize-quantized-op-to-qdq", "stablehlo-legalize-to-linalg",
    "stablehlo-legalize-to-vhlo", "stablehlo-quant-legalize-to-tosa-rescale",
    "stablehlo-legalize-to-tosa", "stablehlo-refine-arguments", "stablehlo-refine-shapes",
    "stablehlo-wrap-in-composite", "strip-debuginfo", "symbol-dce", "symbol-privatize",
    "topological-sort", "tosa-rescale-legalize-to-stablehlo", "trivial-dce",
    "vhlo-legalize-to-stablehlo", "vhlo-to-version", "view-op-graph", "sdy-basic-propagate",
    "sdy-propagation-pipeline",
)  # fmt: skip
