"""Variants of the operations of `arrays`."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import PAIRS, Variant, dilated, ints, windows


def _convolved(row: tuple[int, ...]) -> Variant:
    """A convolution in one dimension of 7 elements by a window of 3."""
    stride, lhs, rhs = row[0] + 1, row[1] + 1, row[2] + 1
    low, high = ((0, 0), (1, 2), (2, -1))[row[3]]
    size = windows(dilated(7, lhs) + low + high, dilated(3, rhs), stride)
    is_reversed = "true" if row[0] == row[1] else "false"
    return Variant(
        f"{stride}{lhs}{rhs}-{low}{high}",
        f"2x7x3x$, 3x3x4x$ -> 2x{size}x4x$",
        f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64, window_strides = {ints([stride])}, "
        f"lhs_dilation = {ints([lhs])}, rhs_dilation = {ints([rhs])}, window_reversal = array<i1: {is_reversed}>, "
        f"padding = dense<[[{low}, {high}]]> : tensor<1x2xi64>, "
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}",
    )


def _grouped(name: str, types: str, batch: int, feature: int, numbers: str) -> Variant:
    return Variant(
        name,
        types,
        f"{{batch_group_count = {batch} : i64, feature_group_count = {feature} : i64, "
        f"dimension_numbers = #stablehlo.conv<{numbers}>}}",
    )


CONVOLUTION = (
    *(_convolved(row) for row in PAIRS),
    _grouped("features", "2x5x4x$, 2x2x6x$ -> 2x4x6x$", 1, 2, "[b, 0, f]x[0, i, o]->[b, 0, f]"),
    _grouped("depthwise", "1x5x3x$, 2x1x3x$ -> 1x4x3x$", 1, 3, "[b, 0, f]x[0, i, o]->[b, 0, f]"),
    _grouped("batches", "4x5x3x$, 2x3x2x$ -> 2x4x2x$", 2, 1, "[b, 0, f]x[0, i, o]->[b, 0, f]"),
    _grouped("layout", "3x2x5x4x$, 4x3x2x2x$ -> 2x4x4x3x$", 1, 1, "[f, b, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"),
    _grouped(
        "rank3",
        "1x3x3x3x2x$, 2x2x2x2x3x$ -> 1x2x2x2x3x$",
        1,
        1,
        "[b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f]",
    ),
    _grouped("no-space", "3x4x$, 4x2x$ -> 3x2x$", 1, 1, "[b, f]x[i, o]->[b, f]"),
)
DYNAMIC_CONV = (
    Variant(
        "padded",
        "2x7x3x$, 3x3x4x$, 1x2xi64 -> 2x?x4x$",
        "{batch_group_count = 1 : i64, feature_group_count = 1 : i64, window_strides = array<i64: 2>, "
        "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}",
        ((2, "[[1, 2]]"),),
    ),
)
DOT = (
    Variant("matrices", "3x5x$, 5x4x$ -> 3x4x$"),
    Variant("vector", "5x$, 5x4x$ -> 4x$"),
    Variant("tile", "3x129x$, 129x2x$ -> 3x2x$"),
    Variant("empty", "3x0x$, 0x2x$ -> 3x2x$"),
)


def _product(name: str, types: str, batching: str, contracting: str, more: str = "") -> Variant:
    sides = [f"{side}_{what}_dimensions" for what in ("batching", "contracting") for side in ("lhs", "rhs")]
    lists = [part for half in (batching, contracting) for part in half.split(" x ")]
    text = ", ".join(f"{side} = {list_}" for side, list_ in zip(sides, lists, strict=True))
    return Variant(name, types, f"{{dot_dimension_numbers = #stablehlo.dot<{text}>{more}}}")


_HIGHEST = ", precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"
DOT_GENERAL = (
    _product("matrices", "3x5x$, 5x4x$ -> 3x4x$", "[] x []", "[1] x [0]"),
    _product("highest", "3x5x$, 5x4x$ -> 3x4x$", "[] x []", "[1] x [0]", _HIGHEST),
    _product("transposed", "5x3x$, 4x5x$ -> 3x4x$", "[] x []", "[0] x [1]"),
    _product("batched", "2x3x5x$, 2x5x4x$ -> 2x3x4x$", "[0] x [0]", "[2] x [1]"),
    _product("inner-batch", "3x5x2x$, 5x2x4x$ -> 2x3x4x$", "[2] x [1]", "[1] x [0]"),
    _product("two-sums", "2x3x5x$, 5x3x4x$ -> 2x4x$", "[] x []", "[2, 1] x [0, 1]"),
    _product("outer", "3x$, 4x$ -> 3x4x$", "[] x []", "[] x []"),
    _product("127", "2x127x$, 127x2x$ -> 2x2x$", "[] x []", "[1] x [0]"),
    _product("128", "2x128x$, 128x3x$ -> 2x3x$", "[] x []", "[1] x [0]"),
    _product("129", "129x3x$, 3x2x$ -> 129x2x$", "[] x []", "[1] x [0]"),
    _product("large", "17x33x$, 33x19x$ -> 17x19x$", "[] x []", "[1] x [0]"),
    _product("empty", "3x0x$, 0x2x$ -> 3x2x$", "[] x []", "[1] x [0]"),
)
EINSUM = (
    Variant("transposed", "3x5x$, 4x5x$ -> 3x4x$", '{einsum_config = "ij,kj->ik"}'),
    Variant("batched", "2x3x5x$, 2x5x4x$ -> 2x3x4x$", '{einsum_config = "bij,bjk->bik"}'),
)
UNARY_EINSUM = (
    Variant("transpose", "3x5x$ -> 5x3x$", '{einsum_config = "ij->ji"}'),
    Variant("sum", "3x5x$ -> 3x$", '{einsum_config = "ij->i"}'),
)
RAGGED_DOT = (
    Variant(
        "groups",
        "5x3x$, 2x3x4x$, 2xi64 -> 5x4x$",
        "{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
        "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}",
        ((2, "[2, 3]"),),
    ),
)


def _norms(operands: str, results: str) -> tuple[Variant, ...]:
    """Batch normalisation with features in each place."""
    return tuple(
        Variant(
            f"feature-{axis}",
            ", ".join([shape if word == "x" else "3x$" for word in operands])
            + " -> "
            + ", ".join([shape if word == "x" else "3x$" for word in results]),
            f"{{epsilon = 0.125 : f32, feature_index = {axis} : i64}}",
            styles=("random", "special"),
        )
        for axis, shape in enumerate(("3x4x2x$", "4x3x2x$", "2x4x3x$"))
    )


BATCH_NORM_TRAINING = _norms("xvv", "xvv")
BATCH_NORM_INFERENCE = _norms("xvvvv", "x")
BATCH_NORM_GRAD = _norms("xvvvx", "xvv")


def _transforms(kind: str, operand: str, result: str) -> tuple[Variant, ...]:
    """Fourier transforms of several lengths.

    Args:
      operand, result: element types.
    """
    variants: list[Variant] = []
    for outer, lengths in (
        (2, (1,)),
        (1, (2,)),
        (2, (3,)),
        (1, (8,)),
        (1, (13,)),
        (1, (16,)),
        (1, (127,)),
        (1, (2, 4)),
        (2, (3, 2, 5)),
    ):
        half = (*lengths[:-1], lengths[-1] // 2 + 1)
        first = "x".join(map(str, (outer, *(half if kind == "IRFFT" else lengths))))
        last = "x".join(map(str, (outer, *(half if kind == "RFFT" else lengths))))
        variants.append(
            Variant(
                f"{kind.lower()}-{'-'.join(map(str, lengths))}",
                f"{first}x{operand} -> {last}x{result}",
                f"{{fft_type = #stablehlo<fft_type {kind}>, fft_length = {ints(lengths)}}}",
            )
        )
    return tuple(variants)


FFT = (
    *_transforms("FFT", "$", "$"),
    *_transforms("IFFT", "$", "$"),
    *_transforms("RFFT", "$", "complex<$>"),
    *_transforms("IRFFT", "$", "f32"),
)
CHOLESKY = tuple(
    Variant(
        f"{name}-{'lower' if lower == 'true' else 'upper'}", f"{shape} -> {shape}", f"{{lower = {lower}}}"
    )
    for name, shape in (("one", "1x1x$"), ("five", "5x5x$"), ("batch", "2x3x3x$"), ("none", "0x0x$"))
    for lower in ("true", "false")
)
_TRANSPOSE = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")


def _solved(row: tuple[int, ...], complete: int) -> Variant:
    left, lower, unit = (
        value % 2 == 0 for value in (row[0] + complete, row[1] + complete, row[2] + complete)
    )
    a, b = "2x3x3x$", "2x3x4x$" if left else "2x4x3x$"
    flags = {"left_side": left, "lower": lower, "unit_diagonal": unit}
    words = ", ".join(f"{name} = {str(value).lower()}" for name, value in flags.items())
    transpose = _TRANSPOSE[row[3]]
    name = "".join("tf"[not value] for value in flags.values())
    return Variant(
        f"{name}-{transpose.lower().replace('_', '-')}",
        f"{a}, {b} -> {b}",
        f"{{{words}, transpose_a = #stablehlo<transpose {transpose}>}}",
    )


TRIANGULAR_SOLVE = tuple(
    {variant.name: variant for row in PAIRS for variant in (_solved(row, 0), _solved(row, 1))}.values()
)
RNG_BIT_GENERATOR = tuple(
    Variant(
        f"{algorithm.lower().replace('_', '-')}-{name}",
        f"{state}xui64 -> {state}xui64, {shape}",
        f"{{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}",
    )
    for algorithm, state in (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2))
    for name, shape in ((f"{state}-odd", "5x3x$"), (f"{state}-tile", "128x$"), (f"{state}-empty", "0x$"))
)
