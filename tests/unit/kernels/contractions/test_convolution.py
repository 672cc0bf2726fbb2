"""convolution and dynamic_conv against the spec's formula, an output at a time, and against XLA."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.kernels.contractions import window_products
from hlokit.programs.calls import arguments
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    F8E4M3FN,
    F16,
    F32,
    F64,
    I1,
    I4,
    I8,
    I32,
    I64,
    UI8,
    UI64,
    ElementType,
    Kind,
)
from hlokit.values.types import TensorType
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, program, sample, tensor


@dataclass(frozen=True)
class Dimension:
    """A spatial dimension."""

    size: int
    window: int
    stride: int = 1
    low: int = 0
    high: int = 0
    lhs_dilation: int = 1
    rhs_dilation: int = 1
    reversal: bool = False

    @property
    def padded(self) -> int:
        return self.low + ((self.size - 1) * self.lhs_dilation + 1 if self.size else 0) + self.high

    @property
    def outputs(self) -> int:
        extent = (self.window - 1) * self.rhs_dilation + 1 if self.window else 0
        if self.padded <= 0 or extent > self.padded:
            return 0
        return (self.padded - extent) // self.stride + 1


@dataclass(frozen=True)
class Convolution:
    """Sizes, attributes, and the order of the dimensions of each tensor: `layout[i]` is where dimension i lies."""

    space: tuple[Dimension, ...]
    batch: int
    features: int
    output_features: int
    feature_group_count: int
    batch_group_count: int
    lhs_layout: tuple[int, ...]
    rhs_layout: tuple[int, ...]
    result_layout: tuple[int, ...]

    @property
    def lhs(self) -> tuple[int, ...]:
        """The lhs dimensions of batch, space, feature."""
        return placed((self.batch, *(d.size for d in self.space), self.features), self.lhs_layout)

    @property
    def rhs(self) -> tuple[int, ...]:
        """The rhs dimensions of space, input feature, output feature."""
        features = self.features // self.feature_group_count
        return placed((*(d.window for d in self.space), features, self.output_features), self.rhs_layout)

    @property
    def result(self) -> tuple[int, ...]:
        """The result dimensions of batch, space, feature."""
        batch = self.batch // self.batch_group_count
        return placed((batch, *(d.outputs for d in self.space), self.output_features), self.result_layout)

    def attributes(self, *, padding: bool = True) -> str:
        space = self.space
        numbers = [str(index) for index in range(len(space))]
        lhs, rhs, result = (
            f"[{', '.join(placed(names, layout))}]"
            for names, layout in (
                (("b", *numbers, "f"), self.lhs_layout),
                ((*numbers, "i", "o"), self.rhs_layout),
                (("b", *numbers, "f"), self.result_layout),
            )
        )
        pairs = str([[d.low, d.high] for d in space]) if space else ""
        lines = [
            f"window_strides = {integers(d.stride for d in space)}",
            f"lhs_dilation = {integers(d.lhs_dilation for d in space)}",
            f"rhs_dilation = {integers(d.rhs_dilation for d in space)}",
            f"window_reversal = {integers((str(d.reversal).lower() for d in space), 'i1')}",
            f"dimension_numbers = #stablehlo.conv<{lhs}x{rhs}->{result}>",
            f"feature_group_count = {self.feature_group_count} : i64",
            f"batch_group_count = {self.batch_group_count} : i64",
        ]
        if padding:
            lines.append(f"padding = dense<{pairs}> : tensor<{len(space)}x2xi64>")
        return ", ".join(lines)

    def text(self, a: Array, b: Array, result: ElementType) -> str:
        return program("convolution", self.attributes(), [a, b], [tensor(self.result, result)])

    def formula(self, a: Array, b: Array) -> Array:
        """Group by group, window by window."""
        rank = len(self.space)
        x = a.transpose(self.lhs_layout)
        w = b.transpose(self.rhs_layout)
        groups = self.feature_group_count * self.batch_group_count
        lhs_axis = rank + 1 if self.feature_group_count > 1 else 0
        results = [
            self._one_group(lhs, rhs)
            for lhs, rhs in zip(np.split(x, groups, lhs_axis), np.split(w, groups, rank + 1), strict=True)
        ]
        return np.concatenate(results, rank + 1).transpose(np.argsort(self.result_layout))

    def _one_group(self, x: Array, w: Array) -> Array:
        space = self.space
        padded = np.zeros((len(x), *(d.padded for d in space), x.shape[-1]), x.dtype)
        for place in np.ndindex(x.shape[1:-1]):
            target = [d.low + i * d.lhs_dilation for i, d in zip(place, space, strict=True)]
            if all(0 <= t < d.padded for t, d in zip(target, space, strict=True)):
                padded[(slice(None), *target)] = x[(slice(None), *place)]
        result = np.zeros((len(x), *(d.outputs for d in space), w.shape[-1]), x.dtype)
        reversed_w = w[tuple(slice(None, None, -1 if d.reversal else 1) for d in space)]
        for place in np.ndindex(result.shape[1:-1]):
            window = [
                slice(o * d.stride, o * d.stride + (d.window - 1) * d.rhs_dilation + 1, d.rhs_dilation)
                for o, d in zip(place, space, strict=True)
            ]
            if 0 not in w.shape:
                patch = padded[(slice(None), *window)].reshape(len(x), -1)
                result[(slice(None), *place)] = patch @ reversed_w.reshape(-1, w.shape[-1])
        return result


def placed(items: tuple, layout: tuple[int, ...]) -> tuple:
    result = [None] * len(items)
    for item, place in zip(items, layout, strict=True):
        result[place] = item
    return tuple(result)


def integers(values: object, type_: str = "i64") -> str:
    items = list(values)
    return f"array<{type_}: {', '.join(map(str, items))}>" if items else f"array<{type_}>"


@st.composite
def convolutions(draw: st.DrawFn) -> Convolution:
    rank = draw(st.sampled_from((0, 1, 1, 2, 2, 2, 3, 4)))
    small = st.integers(1, 3)
    space: list[Dimension] = []
    for _ in range(rank):
        size = draw(st.integers(0, 7 if rank < 3 else 3))
        dimension = Dimension(
            size,
            draw(st.integers(1, 4 if rank < 3 else 2)),
            draw(small),
            draw(st.integers(-2, 3)),
            draw(st.integers(-2, 3)),
            draw(st.sampled_from((1, 1, 2, 3))),
            draw(small),
            draw(st.booleans()),
        )
        # Negative padding must not remove more than the whole size.
        missing = max(0, -dimension.padded)
        space.append(replace(dimension, high=dimension.high + missing))
    feature_groups, batch_groups = draw(st.sampled_from(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3))))
    layout = st.permutations(range(rank + 2)).map(tuple)
    return Convolution(
        tuple(space),
        draw(small) * batch_groups,
        draw(small) * feature_groups,
        draw(small) * feature_groups * batch_groups,
        feature_groups,
        batch_groups,
        draw(layout),
        draw(layout),
        draw(layout),
    )


def plain(
    *space: Dimension, batch: int = 1, features: int = 1, output_features: int = 1, groups: int = 1
) -> Convolution:
    """With batch first and features last."""
    rank = len(space)
    image, kernel = (0, *range(1, rank + 1), rank + 1), tuple(range(rank + 2))
    return Convolution(space, batch, features, output_features, groups, 1, image, kernel, image)


def operands(convolution: Convolution, type_: ElementType, seed: int = 0) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    return sample(random, type_, convolution.lhs), sample(random, type_, convolution.rhs)


def small_integers(convolution: Convolution, dtype: object, seed: int) -> tuple[Array, Array]:
    """Values whose sums of products every type holds."""
    random = np.random.default_rng(seed)
    lhs, rhs = (random.integers(-3, 4, shape) for shape in (convolution.lhs, convolution.rhs))
    return lhs.astype(dtype), rhs.astype(dtype)


@given(convolutions(), st.integers(0, 9))
@settings(max_examples=250)
def test_every_attribute(convolution: Convolution, seed: int) -> None:
    a, b = small_integers(convolution, np.float32, seed)
    (actual,) = evaluate(convolution.text(a, b, F32), a, b)
    assert_same(actual, convolution.formula(a, b))


@given(convolutions(), st.sampled_from((I8, I32, UI64)))
@settings(max_examples=60)
def test_integers_wrap(convolution: Convolution, type_: ElementType) -> None:
    a, b = operands(convolution, type_)
    (actual,) = evaluate(convolution.text(a, b, type_), a, b)
    assert_same(actual, convolution.formula(a, b))


@given(convolutions())
@settings(max_examples=25)
def test_every_attribute_against_xla(convolution: Convolution) -> None:
    a, b = small_integers(convolution, np.float32, 0)
    text = convolution.text(a, b, F32)
    try:
        (expected,) = oracles.xla(text, a, b)
    except oracles.OracleError:
        return  # XLA:CPU has limits, e.g. on window reversal
    assert_same(evaluate(text, a, b)[0], expected + 0)  # its zeros may be negative


IMAGE = Dimension(13, 3, 1, 1, 1)
CASES = {
    "matrices": plain(IMAGE, IMAGE, batch=3, features=5, output_features=7),
    "one element windows": plain(Dimension(9, 1), Dimension(8, 1, 2), batch=2, features=6, output_features=4),
    "depthwise": plain(IMAGE, IMAGE, batch=3, features=6, output_features=6, groups=6),
    "depthwise with two outputs each": plain(IMAGE, batch=3, features=6, output_features=12, groups=6),
    "groups": plain(IMAGE, IMAGE, batch=2, features=6, output_features=4, groups=2),
    "transposed": plain(
        Dimension(7, 4, 1, 2, 2, 2), Dimension(6, 3, 1, 2, 1, 3), batch=2, features=3, output_features=2
    ),
    "gradient of a kernel": plain(Dimension(11, 9, 1, 1, 1), Dimension(11, 9, 1, 1, 1), batch=4, features=20),
}


@pytest.mark.parametrize("convolution", CASES.values(), ids=list(CASES))
@pytest.mark.parametrize("type_", [I32, I64, F32, F64, BF16, COMPLEX_F32], ids=str)
def test_layouts_in_memory(convolution: Convolution, type_: ElementType) -> None:
    """Any dimension may be innermost in memory, and the operands need not be contiguous."""
    a, b = small_integers(convolution, type_.dtype, 0)
    (expected,) = evaluate(convolution.text(a, b, type_), a, b)
    if type_.kind is not Kind.FLOAT or type_.width >= 32:
        assert_same(expected, convolution.formula(a, b) + 0)  # BLAS has zeros of either sign
    kernel = hlokit.load(convolution.text(a, b, type_))
    for order in ((0, 1, 2, 3), (3, 0, 1, 2), (0, 3, 1, 2), (3, 1, 2, 0), (1, 2, 3, 0)):
        axes = [axis for axis in order if axis < a.ndim]
        stored = np.ascontiguousarray(a.transpose(axes)).transpose(np.argsort(axes))
        assert_same(kernel(stored, np.asfortranarray(b)), expected)
    assert_same(kernel(np.repeat(a, 2, -1)[..., ::2], b[::-1].copy()[::-1]), expected)


@pytest.mark.parametrize("convolution", CASES.values(), ids=list(CASES))
def test_blocks_do_not_matter(convolution: Convolution) -> None:
    a, b = small_integers(convolution, np.int64, 0)
    text = convolution.text(a, b, I64)
    (expected,) = evaluate(text, a, b)
    for block_bytes in (1, 1000, 10_000, 100_000):
        thresholds = DEFAULTS._replace(convolution_block_bytes=block_bytes)
        assert_same(hlokit.load(text).with_thresholds(thresholds)(a, b), expected)


@pytest.mark.parametrize("type_", [F32, F64, F16, BF16, F8E4M3FN, COMPLEX_F32, I8, UI8, I1], ids=str)
def test_types_against_xla(type_: ElementType) -> None:
    convolution = CASES["matrices"]
    a, b = operands(convolution, type_)
    text = convolution.text(a, b, type_)
    (actual,), (expected,) = evaluate(text, a, b), oracles.xla(text, a, b)
    if type_.kind in (Kind.FLOAT, Kind.COMPLEX):
        assert_near(actual, expected, {BF16: 2.0**-8, F16: 2.0**-10, F8E4M3FN: 2.0**-4}.get(type_, 1e-6))
    else:
        assert_same(actual, expected)


def test_i4_wraps() -> None:
    convolution = plain(Dimension(30, 5), features=3, output_features=2)
    a, b = operands(convolution, I4)
    (actual,) = evaluate(convolution.text(a, b, I4), a, b)
    exact = convolution.formula(a.astype(np.int64), b.astype(np.int64))
    assert_same(actual, exact.astype(np.int8).astype(I4.dtype))


def test_narrow_result_types() -> None:
    """i8 images in i32, as quantised models have them."""
    convolution = plain(IMAGE, IMAGE, batch=2, features=40, output_features=3)
    a, b = operands(convolution, I8)
    (actual,) = evaluate(convolution.text(a, b, I32), a, b)
    assert_same(actual, convolution.formula(a.astype(np.int32), b.astype(np.int32)))


def test_narrow_floats_round_once() -> None:
    convolution = plain(IMAGE, IMAGE, batch=2, features=9, output_features=3)
    a, b = operands(convolution, BF16)
    (actual,) = evaluate(convolution.text(a, b, BF16), a, b)
    (wide,) = evaluate(convolution.text(a, b, F32), a, b)
    assert_same(actual, wide.astype(BF16.dtype))


@given(convolutions())
@settings(max_examples=60)
def test_dynamic_conv(convolution: Convolution) -> None:
    a, b = small_integers(convolution, np.float64, 0)
    pairs = [[d.low, d.high] for d in convolution.space]
    padding = np.array(pairs, np.int64).reshape(len(convolution.space), 2)
    dynamic = TensorType((-1,) * len(convolution.result), F64)
    attributes = convolution.attributes(padding=False)
    text = program("dynamic_conv", attributes, [a, b, padding], [dynamic])
    (actual,) = evaluate(text, a, b, padding)
    assert_same(actual, convolution.formula(a, b))


def test_splat_operands() -> None:
    """Broadcast arrays have strides of 0."""
    convolution = CASES["matrices"]
    ones = np.broadcast_to(np.float32(1), convolution.lhs), np.broadcast_to(np.float32(1), convolution.rhs)
    (actual,) = evaluate(convolution.text(*ones, F32), *ones)
    assert_same(actual, convolution.formula(ones[0].copy(), ones[1].copy()))


def test_gradients_of_a_network_against_xla() -> None:
    """JAX's transposes of a strided convolution: input and kernel gradient, with negative padding and dilation."""
    jax = pytest.importorskip("jax")

    def loss(x: Array, w: Array) -> Array:
        y = jax.lax.conv_general_dilated(
            x, w, (2, 3), "SAME", rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC"),
            feature_group_count=2,
        )  # fmt: skip
        return (y * y).sum()

    random = np.random.default_rng(0)
    x, w = sample(random, F32, (2, 9, 8, 4)), sample(random, F32, (3, 2, 2, 6))
    gradients = hlokit.from_jax(jax.grad(loss, (0, 1)), x, w)(x, w)
    for actual, expected in zip(gradients, jax.grad(loss, (0, 1))(x, w), strict=True):
        assert_near(np.asarray(actual), np.asarray(expected), 1e-5)


@pytest.mark.parametrize("groups", [1, 2])
def test_results_with_features_last_are_not_copied(groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[Array] = []
    monkeypatch.setattr(arguments, "_own", lambda array: copied.append(array) or array)
    convolution = plain(Dimension(5, 2), features=4, output_features=6, groups=groups)
    a, b = small_integers(convolution, np.float32, 1)
    (actual,) = evaluate(convolution.text(a, b, F32), a, b)
    assert actual.base is None
    assert not copied


def test_largest_window_is_a_matrix_product() -> None:
    """Windows as large as the input, in every rank."""
    for rank in range(5):
        dimensions = tuple(Dimension(size, size) for size in (3, 2, 4, 2)[:rank])
        convolution = plain(*dimensions, batch=2, features=3, output_features=2)
        a, b = small_integers(convolution, np.float32, 1)
        (actual,) = evaluate(convolution.text(a, b, F32), a, b)
        terms = prod(convolution.rhs[:-1])
        assert_same(actual.reshape(2, 2), a.reshape(2, terms) @ b.reshape(terms, 2))


def test_blocks_cover_every_index_once() -> None:
    for shape, limit in product([(7,), (3, 5), (2, 3, 4), (1, 1, 6), (4, 1)], (1, 2, 5, 7, 100)):
        counts = np.zeros(shape, int)
        flat = np.arange(counts.size).reshape(shape)
        seen: list[int] = []
        for place in window_products._blocks(shape, limit):
            assert counts[place].size <= limit
            counts[place] += 1
            seen += flat[place].ravel().tolist()
        assert counts.min() == counts.max() == 1
        assert seen == sorted(seen), "in row-major order"


def test_dilation_beyond_all_memory() -> None:
    """hlokit visits neither the zeros nor the phases of the dilation one by one."""
    text = """func.func @main(%x: tensor<1x1x4xf32>, %k: tensor<1x1x2xf32>) -> tensor<1x1x3xf32> {
      %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
        window = {stride = [1000000000000], lhs_dilate = [1000000000000], rhs_dilate = [3]}
        {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
        : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
      return %0 : tensor<1x1x3xf32>
    }"""
    x, k = np.arange(1, 5, dtype=np.float32), np.array([2, 5], np.float32)
    assert hlokit.load(text)(x.reshape(1, 1, 4), k.reshape(1, 1, 2)).tolist() == [[[2.0, 4.0, 6.0]]]
