"""All programs with sums of every kind, and operands for them: for the tests of the order in which sums are added."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from tests.reference.sum_cases import (
    Array,
    Shape,
    SumCase,
    algorithm,
    arg_extremum,
    batch_norm,
    case,
    collective,
    convolution,
    cumulative,
    dot,
    einsum,
    looping_region,
    own_region,
    reduce,
    region,
    scatter,
    select_and_scatter,
    tensor,
    two_sums,
    values,
    windows,
)


def _exact_names(type_: str) -> tuple[str, ...]:
    """Operations that kernels round as the reference does: not the products of complex<f64>."""
    return ("add",) if type_ == "complex<f64>" else ("add", "multiply")


def _reductions() -> Iterator[tuple[str, SumCase]]:
    for type_ in ("f32", "f64", "bf16", "f16", "f8E5M2", "f8E4M3FN", "complex<f32>", "complex<f64>"):
        for name in _exact_names(type_):
            yield f"reduce {name} {type_}", reduce((3, 131, 2), (1,), type_, region(type_, name))
        yield f"reduce two axes {type_}", reduce((5, 3, 70), (0, 2), type_, region(type_))
        yield f"reduce all {type_}", reduce((67, 3), (0, 1), type_, region(type_))
    for type_ in ("f32", "f64", "bf16", "f16", "f8E5M2", "i8", "ui4"):
        for name in ("maximum", "minimum"):
            yield f"reduce {name} {type_}", reduce((3, 37, 2), (1,), type_, region(type_, name))
    for type_ in ("f32", "f64", "bf16", "f16"):
        yield f"reduce own {type_}", reduce((3, 77, 2), (1,), type_, own_region(type_))
        yield f"reduce own last {type_}", reduce((3, 45), (1,), type_, own_region(type_))
        yield f"reduce own loop {type_}", reduce((2, 21), (1,), type_, looping_region(type_))
        yield f"two sums {type_}", two_sums((2, 77, 3), (1,), type_)
        for direction in ("GT", "LT"):
            yield f"arg {direction} {type_}", arg_extremum((3, 40), 1, type_, direction)
            yield f"arg {direction} first {type_}", arg_extremum((40, 3), 0, type_, direction)
    yield "reduce nothing", reduce((0, 3), (0,), "f32", region("f32"))
    yield "large reduce", reduce((300, 1100), (0,), "f32", region("f32"), is_large=True)
    yield "large reduce rows", reduce((200, 1100), (1,), "f64", region("f64"), is_large=True)
    yield "large own", reduce((200, 1100), (1,), "f32", own_region("f32"), is_large=True)


def _windows() -> Iterator[tuple[str, SumCase]]:
    for type_ in ("f32", "f64", "bf16", "f16", "complex<f32>", "complex<f64>"):
        for name in _exact_names(type_):
            yield f"small windows {name} {type_}", windows((6, 8), (3, 3), type_, region(type_, name))
            yield f"windows {name} {type_}", windows((1, 50), (1, 45), type_, region(type_, name))
            yield f"cumulative {name} {type_}", cumulative((2, 35), 1, type_, name)
        yield f"windows 7x6 {type_}", windows((9, 8), (7, 6), type_, region(type_))
        yield (
            f"windows apart {type_}",
            windows((14, 12), (7, 6), type_, region(type_), strides=(7, 6)),
        )
        yield (
            f"windows with gaps {type_}",
            windows((30, 9), (6, 7), type_, region(type_), strides=(2, 1), dilations=(3, 1)),
        )
    for type_ in ("f32", "f64"):
        yield (
            f"windows dilated {type_}",
            windows(
                (7, 5), (5, 7), type_, region(type_), base=(2, 3), padding=((2, 1), (0, 4)), strides=(2, 3)
            ),
        )
        yield f"windows own {type_}", windows((9, 8), (7, 6), type_, own_region(type_))
        yield (
            f"windows own apart {type_}",
            windows((15, 11), (7, 5), type_, own_region(type_), strides=(7, 5)),
        )
        yield f"small windows own {type_}", windows((6, 8), (3, 3), type_, own_region(type_))
        yield f"small windows loop {type_}", windows((4, 5), (2, 3), type_, looping_region(type_))
        yield f"windows loop {type_}", windows((3, 38), (1, 35), type_, looping_region(type_))
        yield f"cumulative backwards {type_}", cumulative((60, 2), 0, type_, "add", is_reverse=True)
        yield f"long cumulative {type_}", cumulative((300,), 0, type_, "add")
        yield f"long cumulative product {type_}", cumulative((200,), 0, type_, "multiply")
        yield (
            f"cumulative from 3 {type_}",
            windows((2, 40), (1, 40), type_, region(type_), padding=((0, 0), (39, 0)), init=3.0),
        )
    for type_ in ("f32", "f64", "bf16", "f16"):
        for name in ("maximum", "minimum"):
            yield f"windows {name} {type_}", windows((9, 8), (7, 6), type_, region(type_, name))
            yield f"small windows {name} {type_}", windows((9, 8), (2, 3), type_, region(type_, name))
        for name in ("add", "multiply"):
            yield (
                f"select_and_scatter {name} {type_}",
                select_and_scatter((7, 8), (3, 2), (1, 2), type_, region(type_, name)),
            )
        yield (
            f"select_and_scatter own {type_}",
            select_and_scatter((7, 8), (3, 2), (1, 1), type_, own_region(type_)),
        )
    yield "large windows", windows((300, 400), (1, 300), "f32", region("f32"), is_large=True)
    yield "large cumulative", cumulative((300, 400), 1, "f32", "add", is_large=True)
    yield "large cumulative f64", cumulative((300, 400), 0, "f64", "add", is_large=True)


def _scatters() -> Iterator[tuple[str, SumCase]]:
    for type_ in ("f32", "f64", "bf16", "f16", "f8E5M2", "complex<f32>", "complex<f64>"):
        for name in _exact_names(type_):
            yield f"scatter {name} {type_}", scatter(4, 3, 19, type_, region(type_, name))
    for type_ in ("f32", "f64", "bf16"):
        yield f"scatter own {type_}", scatter(4, 3, 19, type_, own_region(type_))
        yield f"scatter loop {type_}", scatter(4, 2, 11, type_, looping_region(type_))
        yield f"scatter maximum {type_}", scatter(4, 3, 19, type_, region(type_, "maximum"))


def _collectives() -> Iterator[tuple[str, SumCase]]:
    for type_ in ("f32", "f64", "bf16", "f16", "f8E5M2", "complex<f32>"):
        for name in _exact_names(type_):
            yield f"all_reduce {name} {type_}", collective("all_reduce", type_, region(type_, name))
        yield f"cross-replica-sum {type_}", collective("cross-replica-sum", type_, "")
        yield (
            f"reduce_scatter {type_}",
            collective("reduce_scatter", type_, region(type_), ", scatter_dimension = 0 : i64"),
        )
    for type_ in ("f32", "bf16"):
        yield f"all_reduce maximum {type_}", collective("all_reduce", type_, region(type_, "maximum"))
        yield f"all_reduce own {type_}", collective("all_reduce", type_, own_region(type_))
        yield f"all_reduce loop {type_}", collective("all_reduce", type_, looping_region(type_))


def _products() -> Iterator[tuple[str, SumCase]]:
    for type_ in (
        "f32",
        "f64",
        "bf16",
        "f16",
        "f8E4M3FN",
        "f8E5M2",
        "f4E2M1FN",
        "complex<f32>",
        "complex<f64>",
    ):
        yield f"dot {type_}", dot(((3, 37), type_), ((37, 2), type_), type_)
        yield f"dot long {type_}", dot(((1, 300), type_), ((300, 2), type_), type_)
    for lhs, rhs, result in (
        ("bf16", "bf16", "f32"),
        ("f32", "f32", "f64"),
        ("f16", "f16", "f64"),
        ("f8E4M3FN", "f8E5M2", "f32"),
        ("i8", "i8", "i32"),
        ("ui8", "i8", "i32"),
        ("i64", "i64", "i64"),
        ("ui4", "i8", "i16"),
        ("i8", "i8", "f32"),
        ("i1", "i1", "i1"),
        ("f32", "f32", "bf16"),
        ("f32", "f32", "f16"),
    ):
        yield f"dot {lhs} {rhs} {result}", dot(((4, 37), lhs), ((37, 3), rhs), result)
    for count in (1, 2, 3, 9, 40):
        yield f"vectors {count}", dot(((count,), "f32"), ((count,), "f32"), "f32", contracting=((0,), (0,)))
        yield (
            f"dot of batches {count}",
            dot(
                ((2, count, 3), "f32"),
                ((count, 2, 4), "f32"),
                "f32",
                batch=((0,), (1,)),
                contracting=((1,), (0,)),
            ),
        )
    yield (
        "dot of two dimensions",
        dot(((3, 4, 5), "f32"), ((5, 2, 4), "f32"), "f32", contracting=((2, 1), (0, 2))),
    )
    for name, type_, accumulation, operations in (
        ("bf16", "f32", "f32", 6),
        ("bf16", "f32", "f32", 3),
        ("tf32", "f32", "f32", 3),
        ("f32", "f32", "f32", 1),
        ("f16", "f16", "f32", 1),
        ("f64", "f64", "f64", 1),
    ):
        yield (
            f"algorithm {name} {operations}",
            dot(
                ((3, 37), type_),
                ((37, 2), type_),
                type_,
                more=algorithm(name, accumulation, 1, operations),
            ),
        )
    for type_ in ("f32", "f64", "bf16", "complex<f32>", "i32"):
        yield (
            f"einsum {type_}",
            einsum(((3, 37), type_), ((37, 2), type_), "ab,bc->ac", tensor((3, 2), type_)),
        )
        yield (
            f"einsum of diagonals {type_}",
            einsum(((3, 5, 5), type_), ((5, 4), type_), "abb,bc->c", tensor((4,), type_)),
        )
        yield (
            f"einsum with ellipsis {type_}",
            einsum(((1, 3, 37), type_), ((2, 37, 4), type_), "...ab,...bc->...ac", tensor((2, 3, 4), type_)),
        )
    for type_ in ("f32", "f64"):
        yield (
            f"unary einsum {type_}",
            case(
                [((3, 40), type_)],
                tensor((3,), type_),
                f"""%r = "stablehlo.unary_einsum"(%0) {{einsum_config = "ab->a"}}
                  : ({tensor((3, 40), type_)}) -> {tensor((3,), type_)}""",
            ),
        )
    yield "large dot", dot(((200, 700), "f32"), ((700, 300), "f32"), "f32", is_large=True)
    yield "large dot f64", dot(((200, 300), "f64"), ((300, 300), "f64"), "f64", is_large=True)
    yield (
        "large dot complex",
        dot(((90, 300), "complex<f32>"), ((300, 80), "complex<f32>"), "complex<f32>", is_large=True),
    )


def _ragged() -> Iterator[tuple[str, SumCase]]:
    sizes = np.array([2, 0, 3], np.int32)
    numbers = """#chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [{}], lhs_ragged_dimensions = [0],
      rhs_group_dimensions = [{}]>"""
    for type_ in ("f32", "bf16", "f64"):
        for name, shapes, result, filled in (
            ("free", [(6, 37), (3, 37, 2)], (6, 2), numbers.format(1, 1, 0)),
            ("contracting", [(6, 4), (6, 2)], (3, 4, 2), numbers.format(0, 0, "")),
        ):
            operands: list[tuple[Shape, str]] = [(shape, type_) for shape in shapes]
            types = ", ".join(tensor(*each) for each in [*operands, ((3,), "i32")])
            yield (
                f"ragged {name} {type_}",
                case(
                    [*operands, ((3,), "i32")],
                    tensor(result, type_),
                    f"""%r = "chlo.ragged_dot"(%0, %1, %2) {{ragged_dot_dimension_numbers = {filled}}}
                      : ({types}) -> {tensor(result, type_)}""",
                    arguments=[*(values(*each, k) for k, each in enumerate(operands)), sizes],
                ),
            )


def _convolutions() -> Iterator[tuple[str, SumCase]]:
    first = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
    pad = ((1, 1), (2, 0))
    for type_ in ("f32", "f64", "bf16", "f16", "complex<f32>", "complex<f64>", "i8"):
        yield f"convolution {type_}", convolution((1, 4, 3, 3), (3, 2, 3, 2), type_, pad=pad)
        yield (
            f"depthwise {type_}",
            convolution((1, 3, 4, 3), (3, 3, 1, 3), type_, pad=pad, feature_groups=3),
        )
        yield (
            f"grouped {type_}",
            convolution((1, 3, 3, 4), (3, 2, 2, 4), type_, pad=pad, feature_groups=2),
        )
        yield (
            f"dilated {type_}",
            convolution((1, 3, 3, 2), (3, 4, 2, 1), type_, pad=((2, 2), (3, 1)), lhs_dilation=(2, 3)),
        )
    for layout in (first, "[0, b, 1, f]x[i, 0, 1, o]->[f, 0, b, 1]"):
        name = layout[:12]
        lhs = (1, 9, 4, 3) if layout == first else (4, 1, 3, 9)
        deep = (9, 1, 3, 3) if layout == first else (1, 3, 3, 9)
        yield (
            f"depthwise {name}",
            convolution(lhs, deep, layout=layout, pad=pad, feature_groups=9),
        )
        twice = (18, 1, 3, 4) if layout == first else (1, 3, 4, 18)
        yield (
            f"depthwise, two features {name}",
            convolution(lhs, twice, layout=layout, pad=pad, feature_groups=9, stride=(2, 1)),
        )
    yield "batch groups", convolution((4, 3, 3, 3), (3, 2, 3, 4), pad=pad, batch_groups=2)
    yield "batch groups, one feature", convolution((4, 3, 4, 1), (3, 2, 1, 4), pad=pad, batch_groups=4)
    yield "depthwise, one group", convolution((1, 4, 5, 1), (3, 3, 1, 4), pad=pad)
    yield "depthwise, many taps", convolution((1, 18, 17, 2), (17, 17, 1, 2), feature_groups=2)
    yield (
        "depthwise, dilated",
        convolution((1, 6, 5, 3), (3, 3, 1, 3), pad=((2, 2), (2, 2)), lhs_dilation=(2, 2), feature_groups=3),
    )
    yield (
        "everything",
        convolution(
            (1, 5, 4, 4),
            (3, 2, 2, 4),
            pad=((2, 1), (-1, 3)),
            stride=(2, 1),
            lhs_dilation=(3, 2),
            rhs_dilation=(2, 3),
            reverse=(True, False),
            feature_groups=2,
        ),
    )
    yield "long terms", convolution((1, 2, 2, 40), (3, 4, 40, 1), pad=pad)
    for special in (np.inf, np.nan):
        kernel = values((3, 3, 2, 2), "f32", 1)
        kernel[1, 0, 1, 0] = special
        yield (
            f"dilated, {special} in the kernel",
            convolution((1, 4, 5, 2), (3, 3, 2, 2), pad=((2, 1), (1, 2)), lhs_dilation=(2, 3), kernel=kernel),
        )
        yield f"{special} in the kernel", convolution((1, 4, 5, 2), (3, 3, 2, 2), pad=pad, kernel=kernel)
    large = ((2, 40, 41, 16), (3, 3, 1, 16))
    yield "large depthwise", convolution(*large, pad=((1, 1), (1, 1)), feature_groups=16, is_large=True)
    yield (
        "large dilated",
        convolution((1, 20, 21, 16), (4, 4, 16, 8), pad=((2, 2), (2, 2)), lhs_dilation=(2, 2), is_large=True),
    )


def _norms() -> Iterator[tuple[str, SumCase]]:
    for type_ in ("f32", "f64", "bf16", "f16", "f8E5M2"):
        for kind in ("inference", "training", "grad"):
            yield f"batch_norm_{kind} {type_}", batch_norm(kind, (4, 3, 7), 1, type_)
            yield f"batch_norm_{kind} last {type_}", batch_norm(kind, (70, 2), 1, type_)
    yield "large batch_norm", batch_norm("training", (30, 8, 40, 40), 1, "f32", is_large=True)


def _transforms() -> Iterator[tuple[str, SumCase]]:
    """Transforms, which do not use the reference's order: the same bits in all layouts, and on all
    processors."""
    for length in (30, 64, 17 * 19, 4099):
        for type_ in ("complex<f32>", "complex<f64>"):
            shape = (3, length)
            yield (
                f"fft {length} {type_}",
                case(
                    [(shape, type_)],
                    tensor(shape, type_),
                    f"""%r = "stablehlo.fft"(%0) {{fft_type = #stablehlo<fft_type FFT>,
                      fft_length = array<i64: {length}>}} : ({tensor(shape, type_)}) -> {tensor(shape, type_)}""",
                    is_large=True,
                ),
            )


def _chain(type_: str, loops: bool) -> SumCase:
    """Sums and products of small arrays in a row, once or ten times: straight-line code and native loops."""
    matrix, row, scalar = tensor((9, 9), type_), tensor((9,), type_), f"tensor<{type_}>"
    turn = f"""%y = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : ({matrix}, {matrix}) -> {matrix}
      %zero = stablehlo.constant dense<0.0> : {scalar}
      %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
        : ({matrix}, {scalar}) -> {row}
      %t = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : ({matrix}, {scalar}) -> {row}
      %m = stablehlo.reduce(%y init: %zero) applies stablehlo.maximum across dimensions = [0, 1]
        : ({matrix}, {scalar}) -> {scalar}
      %d = stablehlo.dot_general %s, %t, contracting_dims = [0] x [0] : ({row}, {row}) -> {scalar}
      %e = stablehlo.abs %d : {scalar}
      %f = stablehlo.maximum %e, %m : {scalar}
      %g = stablehlo.sqrt %f : {scalar}
      %h = stablehlo.broadcast_in_dim %g, dims = [] : ({scalar}) -> {matrix}
      %z = stablehlo.divide %y, %h : {matrix}"""
    if not loops:
        return case([((9, 9), type_)] * 2, matrix, turn.replace("%x", "%0").replace("%z", "%r"))
    body = f"""%n = stablehlo.constant dense<10> : tensor<i32>
      %k0 = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %w:2 = stablehlo.while(%k = %k0, %x = %0) : tensor<i32>, {matrix} cond {{
        %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }} do {{
        {turn}
        %j = stablehlo.add %k, %one : tensor<i32>
        stablehlo.return %j, %z : tensor<i32>, {matrix}
      }}
      %r = stablehlo.negate %w#1 : {matrix}"""
    return case([((9, 9), type_)] * 2, matrix, body)


def _chains() -> Iterator[tuple[str, SumCase]]:
    for type_ in ("f32", "f64", "bf16", "f16"):
        yield f"chain {type_}", _chain(type_, loops=False)
        if type_ != "f16":
            yield f"loop {type_}", _chain(type_, loops=True)
    rows = tensor((300, 40), "f32")
    yield (
        "fused rows",
        case(
            [((300, 40), "f32")],
            tensor((300,), "f32"),
            f"""%zero = stablehlo.constant dense<0.0> : tensor<f32>
              %x = stablehlo.multiply %0, %0 : {rows}
              %y = stablehlo.tanh %x : {rows}
              %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
                : ({rows}, tensor<f32>) -> tensor<300xf32>
              %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<300xf32>) -> {rows}
              %c = stablehlo.subtract %y, %b : {rows}
              %r = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [1]
                : ({rows}, tensor<f32>) -> tensor<300xf32>""",
            is_large=True,
        ),
    )


def all_cases() -> dict[str, SumCase]:
    parts = (
        _chains,
        _reductions,
        _windows,
        _scatters,
        _collectives,
        _products,
        _ragged,
        _convolutions,
        _norms,
        _transforms,
    )
    return dict(pair for part in parts for pair in part())


def layouts(array: Array) -> Iterator[Array]:
    """An array of the same values in other layouts."""
    yield array
    if array.ndim and prod(array.shape):
        yield np.asfortranarray(array)
        backwards = (slice(None, None, -1),) * array.ndim
        yield array[backwards].copy()[backwards]
        wide = np.zeros([2 * size for size in array.shape], array.dtype)
        apart = (slice(None, None, 2),) * array.ndim
        wide[apart] = array
        yield wide[apart]
