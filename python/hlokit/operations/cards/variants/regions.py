"""Variants of the operations of `regions`."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import (
    PAIRS,
    Style,
    Variant,
    applied,
    compared,
    dilated,
    ints,
    shaped,
    windows,
)

MAP = (
    Variant(
        "two-steps",
        "2x3x$, 2x3x$ -> 2x3x$",
        "({^bb0(%a: tensor<$>, %b: tensor<$>): %s = stablehlo.add %a, %b : tensor<$> "
        "%r = stablehlo.multiply %s, %b : tensor<$> stablehlo.return %r : tensor<$>}) {dimensions = array<i64: 0, 1>}",
    ),
    Variant("tile", "129x$, 129x$ -> 129x$", f"({applied('maximum')}) {{dimensions = array<i64: 0>}}"),
)

# The identity of each operation. How often other initial values take part is open, and with it the result.
_MONOIDS = {
    **{"add": "0", "multiply": "1", "maximum": "lowest", "minimum": "highest"},
    **{"and": "ones", "or": "0", "xor": "0"},
}
REDUCE = (
    *(
        Variant(
            name,
            "2x5x3x$, $ -> 2x3x$",
            f"({applied(name)}) {{dimensions = array<i64: 1>}}",
            ((1, identity),),
        )
        for name, identity in _MONOIDS.items()
    ),
    Variant("other-start", "2x5x3x$, $ -> 2x3x$", f"({applied('add')}) {{dimensions = array<i64: 1>}}"),
    *(
        Variant(
            f"add-{name}",
            f"{shaped(sizes)}, $ -> {shaped(rest)}",
            f"({applied('add')}) {{dimensions = {ints(axes)}}}",
            ((1, "0"),),
        )
        for name, sizes, axes, rest in (
            ("all", (3, 4), (0, 1), ()),
            ("outer", (5, 3), (0,), (3,)),
            ("none", (2, 3), (), (2, 3)),
            ("empty", (0, 3), (0,), (3,)),
            ("of-empty", (0, 3), (1,), (0,)),
            ("127", (127,), (0,), ()),
            ("128", (128,), (0,), ()),
            ("129", (129, 2), (0,), (2,)),
            ("rank6", (2, 1, 3, 2, 1, 2), (0, 2, 5), (1, 2, 1)),
            ("large", (4099,), (0,), ()),
        )
    ),
    Variant(
        "two-arrays",
        "3x5x$, 3x5x$, $, $ -> 3x$, 3x$",
        f"({applied('maximum', 2)}) {{dimensions = array<i64: 1>}}",
        ((2, "lowest"), (3, "lowest")),
    ),
    Variant(
        "argmax",
        "5x$, 5xi32, $, i32 -> $, i32",
        "({^bb0(%a: tensor<$>, %i: tensor<i32>, %b: tensor<$>, %j: tensor<i32>): "
        "%p = stablehlo.compare GE, %a, %b : (tensor<$>, tensor<$>) -> tensor<i1> "
        "%v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<$> "
        "%k = stablehlo.select %p, %i, %j : tensor<i1>, tensor<i32> "
        "stablehlo.return %v, %k : tensor<$>, tensor<i32>}) {dimensions = array<i64: 0>}",
        ((1, "[0, 1, 2, 3, 4]"), (2, "lowest"), (3, "-1")),
    ),
)


def _reduced_windows(operation: str, row: tuple[int, ...]) -> Variant:
    stride, base, window_dilation = row[0] + 1, row[1] + 1, row[2] + 1
    low, high = ((0, 0), (1, 2), (2, 0))[row[3]]
    size = windows(dilated(6, base) + low + high, dilated(3, window_dilation), stride)
    return Variant(
        f"{operation}-{stride}{base}{window_dilation}-{low}{high}",
        f"6x$, $ -> {size}x$",
        f"({applied(operation)}) {{window_dimensions = array<i64: 3>, window_strides = {ints([stride])}, "
        f"base_dilations = {ints([base])}, window_dilations = {ints([window_dilation])}, "
        f"padding = dense<[[{low}, {high}]]> : tensor<1x2xi64>}}",
        ((1, _MONOIDS[operation]),),
    )


REDUCE_WINDOW = (
    *(_reduced_windows("add", row) for row in PAIRS),
    *(_reduced_windows("maximum", row) for row in PAIRS[:4]),
    Variant(
        "pooling",
        "1x6x6x2x$, $ -> 1x3x3x2x$",
        f"({applied('maximum')}) {{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}}",
        ((1, "lowest"),),
    ),
    Variant(
        "two-arrays",
        "6x$, 6x$, $, $ -> 4x$, 4x$",
        f"({applied('add', 2)}) {{window_dimensions = array<i64: 3>}}",
        ((2, "0"), (3, "0")),
    ),
    Variant(
        "cumulative",
        "129x$, $ -> 129x$",
        f"({applied('add')}) {{window_dimensions = array<i64: 129>, padding = dense<[[128, 0]]> : tensor<1x2xi64>}}",
        ((1, "0"),),
    ),
    Variant("other-start", "6x$, $ -> 4x$", f"({applied('add')}) {{window_dimensions = array<i64: 3>}}"),
)

_RETURN_UPDATE = "{^bb0(%a: tensor<$>, %b: tensor<$>): stablehlo.return %b : tensor<$>}"


def _scattered(
    name: str, types: str, indices: str, numbers: str, region: str = "", more: str = ""
) -> Variant:
    text = f"({region or applied('add')}) {{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>{more}}}"
    return Variant(name, types, text, ((1, indices),))


_ROWS = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
SCATTER = (
    _scattered("add-duplicates", "5x3x$, 4xi64, 4x3x$ -> 5x3x$", "[4, 0, 2, 2]", _ROWS),
    _scattered("add-outside", "5x3x$, 4xi32, 4x3x$ -> 5x3x$", "[-1, 5, 1, 2147483647]", _ROWS),
    _scattered("maximum", "5x3x$, 3xi32, 3x3x$ -> 5x3x$", "[3, 3, 1]", _ROWS, applied("maximum")),
    _scattered("set", "5x3x$, 3xi32, 3x3x$ -> 5x3x$", "[3, 0, 1]", _ROWS, _RETURN_UPDATE),
    _scattered(
        "set-unique",
        "5x3x$, 2xui8, 2x3x$ -> 5x3x$",
        "[1, 4]",
        _ROWS,
        _RETURN_UPDATE,
        ", unique_indices = true",
    ),
    _scattered(
        "sorted", "5x3x$, 3xi32, 3x3x$ -> 5x3x$", "[0, 2, 2]", _ROWS, "", ", indices_are_sorted = true"
    ),
    _scattered(
        "windows",
        "5x4x$, 2x2xi32, 2x2x3x$ -> 5x4x$",
        "[[1, 0], [4, 3]]",
        "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1",
    ),
    _scattered(
        "batched",
        "3x5x$, 3x2x1xi64, 3x2x$ -> 3x5x$",
        "[[[0], [4]], [[2], [9]], [[-3], [1]]]",
        "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
        "scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
    ),
    _scattered("none", "5x3x$, 0xi32, 0x3x$ -> 5x3x$", "[]", _ROWS),
)

_GREATER = "{^bb0(%a: tensor<$>, %b: tensor<$>): %r = stablehlo.compare GE, %a, %b : (tensor<$>, tensor<$>) -> tensor<i1> stablehlo.return %r : tensor<i1>}"
SELECT_AND_SCATTER = (
    Variant(
        "overlapping",
        "7x$, 5x$, $ -> 7x$",
        f"({_GREATER}, {applied('add')}) {{window_dimensions = array<i64: 3>}}",
        ((2, "0"),),
    ),
    Variant(
        "padded",
        "5x4x$, 3x2x$, $ -> 5x4x$",
        f"({_GREATER}, {applied('add')}) {{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, "
        "padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}",
        ((2, "0"),),
    ),
)

# A comparison without an order for NaNs has no order to sort by.
_WITHOUT_NANS: tuple[Style, ...] = ("random", "ties")


def _sorted(name: str, types: str, comparator: str, axis: int = 0) -> Variant:
    return Variant(
        name,
        types,
        f"({comparator}) {{dimension = {axis} : i64, is_stable = true}}",
        styles=_WITHOUT_NANS,
    )


SORT = (
    _sorted("lt-0", "4x5x$ -> 4x5x$", compared("LT")),
    _sorted("gt-1", "4x5x$ -> 4x5x$", compared("GT"), 1),
    _sorted("gt--1", "4x5x$ -> 4x5x$", compared("GT"), -1),
    _sorted("total-order", "9x$ -> 9x$", compared("LT", compare_type="TOTALORDER"))._replace(
        styles=("special", "ties")
    ),
    _sorted("permutation", "9x$, 9xi32 -> 9x$, 9xi32", compared("LT", "i32"))._replace(
        values=((1, "[0, 1, 2, 3, 4, 5, 6, 7, 8]"),)
    ),
    _sorted("tile", "129x$ -> 129x$", compared("GT")),
    _sorted("empty", "0x2x$ -> 0x2x$", compared("LT")),
)
TOP_K = (
    Variant("all", "5x$ -> 5x$, 5xi32", "{k = 5 : i64}"),
    Variant("rows", "3x7x$ -> 3x3x$, 3x3xi32", "{k = 3 : i64}"),
    Variant("tile", "129x$ -> 4x$, 4xi32", "{k = 4 : i64}"),
)
_SCANNED = "({^bb0(%a: tensor<3x$>, %b: tensor<3x$>): %r = stablehlo.add %a, %b : tensor<3x$> stablehlo.return %r, %r : tensor<3x$>, tensor<3x$>})"
SCAN = tuple(
    Variant(
        f"rank2-{'reverse' if reverse == 'true' else 'forward'}",
        "5x3x$, 3x$ -> 5x3x$, 3x$",
        f"{_SCANNED} {{dimension = 0 : i64, is_associative = false, is_reverse = {reverse}, "
        "operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}",
    )
    for reverse in ("false", "true")
)
