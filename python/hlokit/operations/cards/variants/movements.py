"""Variants of the operations of `movements`."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import PAIRS, Variant, dilated, ints, shaped

IOTA = tuple(
    Variant(f"{name}-{axis}", f" -> {shaped(sizes)}", f"{{iota_dimension = {axis} : i64}}")
    for name, sizes in (("rank3", (3, 2, 5)), ("vector", (129,)), ("empty", (2, 0)))
    for axis in range(len(sizes))
)
DYNAMIC_IOTA = (
    Variant("rank2", "2xi64 -> ?x?x$", "{iota_dimension = 1 : i64}", ((0, "[3, 5]"),)),
    Variant("empty", "1xi32 -> ?x$", "{iota_dimension = 0 : i64}", ((0, "[0]"),)),
)
BROADCAST = (
    Variant("rank2", "2x3x$ -> 4x1x2x3x$", "{broadcast_sizes = array<i64: 4, 1>}"),
    Variant("scalar", "$ -> 3x2x$", "{broadcast_sizes = array<i64: 3, 2>}"),
    Variant("none", "3x$ -> 3x$", "{broadcast_sizes = array<i64>}"),
)
BROADCAST_IN_DIM = tuple(
    Variant(name, types, f"{{broadcast_dimensions = {ints(dimensions)}}}")
    for name, types, dimensions in (
        ("scalar", "$ -> 2x3x$", ()),
        ("stretched", "1x3x$ -> 4x5x3x$", (1, 2)),
        ("swapped", "2x3x$ -> 3x4x2x$", (2, 0)),
        ("rank6", "2x1x3x$ -> 2x2x2x1x3x2x$", (1, 3, 4)),
        ("column", "129x1x$ -> 129x3x$", (0, 1)),
        ("row", "127x$ -> 3x127x$", (1,)),
        ("empty", "0x$ -> 3x0x$", (1,)),
        ("to-empty", "1x$ -> 0x2x$", (0,)),
    )
)
DYNAMIC_BROADCAST_IN_DIM = (
    Variant(
        "rank2", "1x3x$, 3xi64 -> ?x?x?x$", "{broadcast_dimensions = array<i64: 1, 2>}", ((1, "[2, 4, 3]"),)
    ),
    Variant("scalar", "$, 2xi32 -> ?x?x$", "{broadcast_dimensions = array<i64>}", ((1, "[3, 2]"),)),
)
CONCATENATE = tuple(
    Variant(name, types, f"{{dimension = {axis} : i64}}")
    for name, types, axis in (
        ("one", "3x2x$ -> 3x2x$", 0),
        ("three", "2x3x$, 2x1x$, 2x4x$ -> 2x8x$", 1),
        ("with-empty", "2x$, 0x$, 3x$ -> 5x$", 0),
        ("tiles", "127x$, 128x$, 129x$ -> 384x$", 0),
        ("middle", "2x1x3x$, 2x2x3x$ -> 2x3x3x$", 1),
    )
)


def _padded(low: int, high: int, interior: int, size: int = 5) -> Variant:
    result = max(0, dilated(size, interior + 1) + low + high)
    return Variant(
        f"{low}-{high}-{interior}",
        f"{size}x$, $ -> {result}x$",
        f"{{edge_padding_low = {ints([low])}, edge_padding_high = {ints([high])}, interior_padding = {ints([interior])}}}",
    )


_LOW, _HIGH, _INTERIOR = (-1, 0, 2), (-2, 0, 3), (0, 1, 2)
PAD = (
    *(_padded(_LOW[a], _HIGH[b], _INTERIOR[c]) for a, b, c, _ in PAIRS),
    Variant(
        "rank3",
        "2x1x3x$, $ -> 3x4x2x$",
        "{edge_padding_low = array<i64: 1, 2, -1>, edge_padding_high = array<i64: 0, 1, 0>, "
        "interior_padding = array<i64: 0, 0, 0>}",
    ),
    Variant(
        "empty",
        "0x2x$, $ -> 3x2x$",
        "{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>}",
    ),
)
DYNAMIC_PAD = (
    Variant("interior", "3x$, $, 1xi64, 1xi64, 1xi64 -> ?x$", "", ((2, "[2]"), (3, "[1]"), (4, "[1]"))),
    Variant("negative", "5x$, $, 1xi32, 1xi32, 1xi32 -> ?x$", "", ((2, "[-1]"), (3, "[-2]"), (4, "[0]"))),
)
RESHAPE = tuple(
    Variant(name, types)
    for name, types in (
        ("flat", "2x3x4x$ -> 24x$"),
        ("rank6", "24x$ -> 2x1x3x2x1x2x$"),
        ("scalar", "1x1x$ -> $"),
        ("of-scalar", "$ -> 1x1x$"),
        ("empty", "0x3x$ -> 2x0x$"),
        ("tiles", "129x2x$ -> 2x129x$"),
    )
)
DYNAMIC_RESHAPE = (
    Variant("rank2", "6x$, 2xi64 -> ?x?x$", "", ((1, "[2, 3]"),)),
    Variant("empty", "0x$, 2xi32 -> ?x?x$", "", ((1, "[3, 0]"),)),
)
REVERSE = tuple(
    Variant(name, f"{shape} -> {shape}", f"{{dimensions = {ints(dimensions)}}}")
    for name, shape, dimensions in (
        ("none", "3x2x$", ()),
        ("outer-inner", "2x3x4x$", (0, 2)),
        ("middle", "2x5x3x$", (1,)),
        ("tile", "129x$", (0,)),
        ("empty", "0x3x$", (1,)),
    )
)
TRANSPOSE = tuple(
    Variant(
        name,
        f"{shaped(sizes)} -> {shaped([sizes[axis] for axis in order])}",
        f"{{permutation = {ints(order)}}}",
    )
    for name, sizes, order in (
        ("scalar", (), ()),
        ("same", (2, 3), (0, 1)),
        ("rank3", (2, 3, 4), (2, 0, 1)),
        ("rank6", (2, 1, 3, 2, 1, 2), (5, 3, 0, 1, 4, 2)),
        ("tiles", (129, 3), (1, 0)),
        ("empty", (0, 3), (1, 0)),
    )
)
SLICE = tuple(
    Variant(
        name,
        f"{shaped(sizes)} -> "
        + shaped(
            [-(-(stop - start) // step) for start, stop, step in zip(starts, limits, strides, strict=True)]
        ),
        f"{{start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints(strides)}}}",
    )
    for name, sizes, starts, limits, strides in (
        ("scalar", (), (), (), ()),
        ("whole", (5,), (0,), (5,), (1,)),
        ("none", (5,), (2,), (2,), (1,)),
        ("step2", (7,), (1,), (7,), (2,)),
        ("step3", (8,), (0,), (8,), (3,)),
        ("long-step", (5,), (1,), (5,), (9,)),
        ("rank3", (4, 5, 3), (1, 0, 2), (4, 5, 3), (2, 3, 1)),
        ("tile", (300,), (127,), (256,), (1,)),
    )
)
GET_DIMENSION_SIZE = (
    Variant("rank3", "2x3x4x$ -> i32", "{dimension = 1 : i64}"),
    Variant("empty", "2x0x$ -> i32", "{dimension = 1 : i64}"),
)
SET_DIMENSION_SIZE = (Variant("less", "5x$, i32 -> ?x$", "{dimension = 0 : i64}", ((1, "3"),)),)
REAL_DYNAMIC_SLICE = (
    Variant("step2", "7x$, 1xi64, 1xi64, 1xi64 -> ?x$", "", ((1, "[1]"), (2, "[6]"), (3, "[2]"))),
    Variant("none", "7x$, 1xi32, 1xi32, 1xi32 -> ?x$", "", ((1, "[3]"), (2, "[3]"), (3, "[1]"))),
)
DYNAMIC_SLICE = tuple(
    Variant(
        name, f"5x4x$, {index}, {index} -> 2x3x$", "{slice_sizes = array<i64: 2, 3>}", ((1, one), (2, two))
    )
    for name, index, one, two in (
        ("inside", "i32", "2", "1"),
        ("before", "i64", "-7", "-1"),
        ("behind", "i32", "100", "2"),
        ("narrow", "i8", "127", "0"),
        ("unsigned", "ui8", "200", "255"),
    )
)
DYNAMIC_UPDATE_SLICE = tuple(
    Variant(name, f"5x4x$, 2x3x$, {index}, {index} -> 5x4x$", "", ((2, one), (3, two)))
    for name, index, one, two in (
        ("inside", "i32", "2", "1"),
        ("before", "i64", "-7", "-1"),
        ("behind", "i32", "100", "2"),
        ("unsigned", "ui8", "200", "255"),
    )
)


def _gathered(
    name: str, types: str, indices: str, numbers: str, sizes: tuple[int, ...], more: str = ""
) -> Variant:
    text = f"{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {ints(sizes)}{more}}}"
    return Variant(name, types, text, ((1, indices),))


_ROWS = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
GATHER = (
    _gathered("rows", "5x3x$, 4xi64 -> 4x3x$", "[4, 0, 2, 2]", _ROWS, (1, 3)),
    _gathered("outside", "5x3x$, 4xi32 -> 4x3x$", "[-1, 5, 100, -2147483648]", _ROWS, (1, 3)),
    _gathered("unsigned", "5x3x$, 3xui8 -> 3x3x$", "[255, 4, 1]", _ROWS, (1, 3)),
    _gathered("sorted", "5x3x$, 3xi32 -> 3x3x$", "[0, 1, 4]", _ROWS, (1, 3), ", indices_are_sorted = true"),
    _gathered(
        "windows",
        "5x4x$, 2x2xi32 -> 2x2x3x$",
        "[[1, 0], [4, 3]]",
        "offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1",
        (2, 3),
    ),
    _gathered(
        "swapped",
        "5x4x$, 2x3xi32 -> 3x2x$",
        "[[3, 0, 9], [1, 2, 4]]",
        "offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0",
        (2, 1),
    ),
    _gathered(
        "batched",
        "3x5x$, 3x2x1xi64 -> 3x2x$",
        "[[[0], [4]], [[2], [9]], [[-3], [1]]]",
        "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], "
        "start_index_map = [1], index_vector_dim = 2",
        (1, 1),
    ),
    _gathered("none", "5x3x$, 0xi32 -> 0x3x$", "[]", _ROWS, (1, 3)),
)
DYNAMIC_GATHER = (
    Variant(
        "rows",
        "5x3x$, 4xi64, 2xi64 -> 4x?x$",
        f"{{dimension_numbers = #stablehlo.gather<{_ROWS}>}}",
        ((1, "[4, 0, 9, -2]"), (2, "[1, 3]")),
    ),
)
TORCH_INDEX_SELECT = (
    Variant(
        "batched",
        "2x4x3x$, 2x2xi32 -> 2x2x3x$",
        "{dim = 1 : i64, batch_dims = 1 : i64}",
        ((1, "[[3, 0], [1, 1]]"),),
    ),
    Variant("inner", "2x4x$, 3xi64 -> 2x3x$", "{dim = 1 : i64, batch_dims = 0 : i64}", ((1, "[3, 0, 2]"),)),
)
