"""Mistakes in reading: what the text of a program says, and what the backend reads instead."""

from __future__ import annotations

_DIRECTIONS = (("LT", "LE"), ("LE", "LT"), ("GT", "GE"), ("GE", "GT"), ("EQ", "NE"), ("NE", "EQ"))
# The operation, the mistake, what the text says, what the backend reads.
MISREADINGS: tuple[tuple[str, str, str, str], ...] = (
    *(
        ("compare", f"{old} as {new}", f"comparison_direction {old}>", f"comparison_direction {new}>")
        for old, new in _DIRECTIONS
    ),
    (
        "compare",
        "no total order",
        "compare_type = #stablehlo<comparison_type TOTALORDER>",
        "compare_type = #stablehlo<comparison_type FLOAT>",
    ),
    *(
        (f"chlo.broadcast_{name}", "another operation", f"chlo.broadcast_{name}", f"chlo.broadcast_{other}")
        for name, other in (
            ("add", "subtract"),
            ("maximum", "minimum"),
            ("multiply", "add"),
            ("divide", "multiply"),
            ("power", "atan2"),
            ("and", "or"),
            ("shift_left", "shift_right_logical"),
        )
    ),
    ("sort", "comparator exchanged", "compare LT", "compare GT"),
    ("sort", "not stable", "compare GT, %a, %b", "compare GE, %a, %b"),
    ("reduce", "another body", "stablehlo.maximum", "stablehlo.minimum"),
    ("reduce", "or as xor", "stablehlo.or", "stablehlo.xor"),
    ("reduce", "and as or", "stablehlo.and", "stablehlo.or"),
    (
        "reduce_window",
        "base dilation ignored",
        "base_dilations = array<i64: 2>",
        "base_dilations = array<i64: 1>",
    ),
    ("reduce_window", "another body", "stablehlo.maximum", "stablehlo.minimum"),
    *((name, "padding exchanged", "[[1, 2]]", "[[2, 1]]") for name in ("reduce_window", "convolution")),
    (
        "convolution",
        "reversal ignored",
        "window_reversal = array<i1: true>",
        "window_reversal = array<i1: false>",
    ),
    ("convolution", "kernel layout", "x[o, i, 0, 1]", "x[o, i, 1, 0]"),
    ("triangular_solve", "unit diagonal ignored", "unit_diagonal = true", "unit_diagonal = false"),
    *((name, "always lower", "lower = false", "lower = true") for name in ("triangular_solve", "cholesky")),
    ("triangular_solve", "transpose ignored", "transpose TRANSPOSE", "transpose NO_TRANSPOSE"),
    ("triangular_solve", "adjoint is not conjugated", "transpose ADJOINT", "transpose TRANSPOSE"),
    ("fft", "forward for inverse", "fft_type IFFT", "fft_type FFT"),
    *(
        (f"batch_norm_{what}", "epsilon dropped", "epsilon = 0.125", "epsilon = 0.0")
        for what in ("training", "inference", "grad")
    ),
    ("reduce_precision", "other mantissa", "mantissa_bits = 7", "mantissa_bits = 8"),
    ("reduce_precision", "exponent ignored", "exponent_bits = 5", "exponent_bits = 8"),
    ("gather", "indices along another dimension", "start_index_map = [1, 0]", "start_index_map = [0, 1]"),
    ("scatter", "sum as maximum", "stablehlo.add", "stablehlo.maximum"),
    ("scatter", "maximum as sum", "stablehlo.maximum", "stablehlo.add"),
    ("scatter", "keeps the old value", "stablehlo.return %b", "stablehlo.return %a"),
    ("select_and_scatter", "the last of ties", "compare GE", "compare GT"),
    ("select_and_scatter", "the smallest", "compare GE", "compare LE"),
    ("reverse", "other dimensions", "dimensions = array<i64: 0, 2>", "dimensions = array<i64: 0>"),
    (
        "transpose",
        "inverse permutation",
        "permutation = array<i64: 5, 3, 0, 1, 4, 2>",
        "permutation = array<i64: 2, 3, 5, 1, 4, 0>",
    ),
    ("dot_general", "another contraction", "[2, 1], rhs_contracting", "[1, 2], rhs_contracting"),
    ("map", "another body", "stablehlo.multiply", "stablehlo.add"),
    ("map", "maximum as minimum", "stablehlo.maximum", "stablehlo.minimum"),
    ("iota", "another dimension", "iota_dimension = 2", "iota_dimension = 0"),
)
