"""precision="high", against exact sums of fractions; and that long sums are as good as pairwise ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hlokit
from hlokit.errors import ArgumentError
from hlokit.kernels.contractions import compensated

Array = NDArray[Any]

DTYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}
BODY = (
    "^bb0(%x: tensor<T>, %y: tensor<T>): %s = stablehlo.OP %x, %y : tensor<T> stablehlo.return %s : tensor<T>"
)


def program(text: str, element_type: str, op: str = "add") -> hlokit.Program:
    text = text.replace("BODY", BODY).replace("<T>", f"<{element_type}>").replace("xT>", f"x{element_type}>")
    return hlokit.load(f"func.func @main{text.replace('OP', op)}\n")


def cancelling(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    """Values whose sum along the first axis is far smaller than they are."""
    generator = np.random.default_rng(seed)
    half = (shape[0] // 2, *shape[1:])
    values = generator.standard_normal(half) * 2.0 ** generator.integers(-20, 20, half)
    values = values.astype(dtype)
    return np.concatenate((values, -values[::-1] * dtype(1 + 2.0**-11))).astype(dtype)


def exact_sum(values: Any) -> float:
    return float(sum(Fraction(float(value)) for value in values))


def ulps(actual: Any, expected: Any, dtype: Any) -> float:
    expected = np.asarray(expected, np.float64)
    units = np.spacing(np.abs(expected).astype(dtype)).astype(np.float64)
    return float(np.max(np.abs(np.asarray(actual).astype(np.float64) - expected) / units))


@pytest.mark.parametrize("element_type", DTYPES)
def test_dot_general_is_rounded_once(element_type: str) -> None:
    dtype = DTYPES[element_type]
    dot = program(
        """(%a: tensor<2x3x200xT>, %b: tensor<2x200x4xT>) -> tensor<2x3x4xT> {
        %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<2x3x200xT>, tensor<2x200x4xT>) -> tensor<2x3x4xT>
        return %0 : tensor<2x3x4xT> }""",
        element_type,
    )
    a = np.moveaxis(cancelling((200, 2, 3), dtype), 0, 2)
    half = np.random.default_rng(1).standard_normal((2, 100, 4))
    b = np.concatenate((half, half[:, ::-1]), 1).astype(dtype)
    expected = [
        [
            [
                float(sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(row, column, strict=True)))
                for column in rhs.T
            ]
            for row in lhs
        ]
        for lhs, rhs in zip(a, b, strict=True)
    ]
    assert ulps(dot(a, b, precision="high"), expected, dtype) < 0.51
    assert ulps(dot(a, b), expected, dtype) > 10


@pytest.mark.parametrize("element_type", DTYPES)
def test_convolution_is_rounded_once(element_type: str) -> None:
    dtype = DTYPES[element_type]
    convolve = program(
        """(%a: tensor<1x9x6xT>, %k: tensor<3x3x4xT>) -> tensor<1x7x4xT> {
        %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
          : (tensor<1x9x6xT>, tensor<3x3x4xT>) -> tensor<1x7x4xT>
        return %0 : tensor<1x7x4xT> }""",
        element_type,
    )
    generator = np.random.default_rng(2)
    a, kernel = (
        generator.standard_normal((1, 9, 6)).astype(dtype),
        generator.standard_normal((3, 3, 4)).astype(dtype),
    )
    expected = np.zeros((1, 7, 4))
    for place, feature in product(range(7), range(4)):
        group = feature // 2
        terms = [
            Fraction(float(a[0, place + tap, 3 * group + i])) * Fraction(float(kernel[tap, i, feature]))
            for tap, i in product(range(3), range(3))
        ]
        expected[0, place, feature] = float(sum(terms))
    assert ulps(convolve(a, kernel, precision="high"), expected, dtype) < 0.51


@pytest.mark.parametrize("element_type", DTYPES)
@pytest.mark.parametrize("axis", [0, 1])
def test_reduce_is_rounded_once(element_type: str, axis: int) -> None:
    dtype = DTYPES[element_type]
    shape = (300, 4) if axis == 0 else (4, 300)
    reduce = program(
        f"""(%a: tensor<{shape[0]}x{shape[1]}xT>, %z: tensor<T>) -> tensor<4xT> {{
        %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [{axis}]
          : (tensor<{shape[0]}x{shape[1]}xT>, tensor<T>) -> tensor<4xT>
        return %0 : tensor<4xT> }}""",
        element_type,
    )
    values = np.moveaxis(cancelling((300, 4), dtype), 0, axis)
    expected = [exact_sum((0.25, *lane)) for lane in np.moveaxis(values, axis, 0).T]
    assert ulps(reduce(values, dtype(0.25), precision="high"), expected, dtype) < 0.51


def test_products_of_f64_are_rounded_once() -> None:
    reduce = program(
        """(%a: tensor<99xT>, %z: tensor<T>) -> tensor<T> {
        %0 = stablehlo.reduce(%a init: %z) applies stablehlo.multiply across dimensions = [0] : (tensor<99xT>, tensor<T>) -> tensor<T>
        return %0 : tensor<T> }""",
        "f64",
    )
    values = np.random.default_rng(3).uniform(0.5, 2, 99)
    expected = Fraction(1)
    for value in values:
        expected *= Fraction(float(value))
    assert ulps(reduce(values, np.float64(1), precision="high"), float(expected), np.float64) < 0.51


@pytest.mark.parametrize("element_type", DTYPES)
@pytest.mark.parametrize(("size", "low"), [(300, 299), (20, 3), (100, 0)])
def test_windows_are_rounded_once(element_type: str, size: int, low: int) -> None:
    dtype = DTYPES[element_type]
    count = 300 + low - size + 1
    reduce_window = program(
        f"""(%a: tensor<300x2xT>, %z: tensor<T>) -> tensor<{count}x2xT> {{
        %0 = "stablehlo.reduce_window"(%a, %z) <{{window_dimensions = array<i64: {size}, 1>,
          padding = dense<[[{low}, 0], [0, 0]]> : tensor<2x2xi64>}}> ({{ BODY }})
          : (tensor<300x2xT>, tensor<T>) -> tensor<{count}x2xT>
        return %0 : tensor<{count}x2xT> }}""",
        element_type,
    )
    values = cancelling((300, 2), dtype)
    values += dtype(2.0**-13)  # so that no sum is 0
    padded = np.concatenate((np.zeros((low, 2), dtype), values))
    expected = [
        [exact_sum(padded[start : start + size, column]) for column in (0, 1)] for start in range(count)
    ]
    assert ulps(reduce_window(values, dtype(0), precision="high"), expected, dtype) < 0.51


@pytest.mark.parametrize("element_type", DTYPES)
@pytest.mark.parametrize("width", [1, 3])
def test_scatter_is_rounded_once_a_place(element_type: str, width: int) -> None:
    dtype = DTYPES[element_type]
    scatter = program(
        f"""(%a: tensor<7x{width}xT>, %i: tensor<400x1xi32>, %u: tensor<400x{width}xT>) -> tensor<7x{width}xT> {{
        %0 = "stablehlo.scatter"(%a, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{ BODY }})
          : (tensor<7x{width}xT>, tensor<400x1xi32>, tensor<400x{width}xT>) -> tensor<7x{width}xT>
        return %0 : tensor<7x{width}xT> }}""",
        element_type,
    )
    generator = np.random.default_rng(4)
    half = generator.integers(0, 6, 200)  # nothing goes to the last place
    indices = np.concatenate((half, half[::-1])).astype(np.int32)
    operand, updates = generator.standard_normal((7, width)).astype(dtype), cancelling((400, width), dtype)
    expected = [
        [exact_sum((operand[place, j], *updates[indices == place, j])) for j in range(width)]
        for place in range(7)
    ]
    result = scatter(operand, indices[:, None], updates, precision="high")
    assert ulps(result, expected, dtype) < 0.51
    np.testing.assert_array_equal(result[6], operand[6])


@pytest.mark.parametrize("element_type", DTYPES)
def test_all_reduce_is_rounded_once(element_type: str) -> None:
    dtype = DTYPES[element_type]
    all_reduce = program(
        """(%a: tensor<5xT>) -> tensor<5xT> {
        %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ BODY })
          : (tensor<5xT>) -> tensor<5xT>
        return %0 : tensor<5xT> }""",
        element_type,
    )
    values = cancelling((4, 5), dtype)
    expected = [exact_sum(column) for column in values.T]
    for result in all_reduce.run_parallel([(row,) for row in values], precision="high"):
        assert ulps(result, expected, dtype) < 0.51


def test_mean_and_variance_of_f32_are_rounded_once() -> None:
    norm = program(
        """(%a: tensor<30x2xT>, %s: tensor<2xT>) -> (tensor<2xT>, tensor<2xT>) {
        %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}>
          : (tensor<30x2xT>, tensor<2xT>, tensor<2xT>) -> (tensor<30x2xT>, tensor<2xT>, tensor<2xT>)
        return %0#1, %0#2 : tensor<2xT>, tensor<2xT> }""",
        "f32",
    )
    values = (cancelling((30, 2), np.float32) + np.float32(3)).astype(np.float32)
    columns = [[Fraction(float(value)) for value in column] for column in values.T]
    means = [sum(column) / 30 for column in columns]
    variances = [
        sum((v - mean) ** 2 for v in column) / 30 for column, mean in zip(columns, means, strict=True)
    ]
    mean, variance = norm(values, np.ones(2, np.float32), precision="high")
    assert ulps(mean, [float(m) for m in means], np.float32) < 0.51
    assert ulps(variance, [float(v) for v in variances], np.float32) < 0.51


def test_parts_of_complex_sums_are_rounded_once() -> None:
    sums = program(
        """(%a: tensor<3xT>, %b: tensor<3xT>, %z: tensor<T>) -> (tensor<T>, tensor<T>) {
        %0 = stablehlo.dot %a, %b : (tensor<3xT>, tensor<3xT>) -> tensor<T>
        %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xT>, tensor<T>) -> tensor<T>
        return %0, %1 : tensor<T>, tensor<T> }""",
        "complex<f64>",
    )
    a, b = np.array([1e17 + 2j, 3 - 1e18j, -1e17 + 1e18j]), np.ones(3, complex)
    assert sums(a, b, 0j, precision="high") == (3 + 2j, 3 + 2j)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([np.inf, 1.0, 2.0], np.inf),
        ([np.inf, -np.inf, 1.0], np.nan),
        ([1e308, 1e308, 1e308], np.inf),
        ([np.nan, 1.0, 1.0], np.nan),
        ([5e-324, 5e-324, 0.0], 1e-323),
        ([-0.0, -0.0, -0.0], 0.0),
    ],
)
def test_sums_of_special_values(values: list[float], expected: float) -> None:
    array = np.array(values)
    with np.errstate(all="ignore"):
        total = compensated.reduce_axes(np.add, array, (0,), np.zeros(()))
        product = compensated.matmul(array[None], np.ones((3, 1)))
    np.testing.assert_equal(float(total), expected)
    np.testing.assert_equal(float(product[0, 0]), expected)


def test_sums_of_nothing() -> None:
    assert compensated.matmul(np.ones((2, 0)), np.ones((0, 3))).tolist() == [[0.0] * 3] * 2
    assert compensated.matmul(np.ones((0, 2)), np.ones((2, 3))).shape == (0, 3)
    total = compensated.reduce_axes(np.add, np.ones((2, 0, 3)), (1,), np.asarray(2.5))
    assert total.tolist() == [[2.5] * 3] * 2
    compensated.sum_at(np.ones(2), np.zeros(0, np.intp), np.ones(0))


def test_products_of_large_matrices_are_those_of_blas_and_better() -> None:
    generator = np.random.default_rng(5)
    a, b = generator.standard_normal((70, 900)), generator.standard_normal((900, 90))
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    result = compensated.matmul(a, b)
    assert np.abs(result - exact).max() <= np.spacing(np.abs(result)).max()
    np.testing.assert_allclose(result, a @ b, rtol=0, atol=1e-11)


@pytest.mark.parametrize("element_type", DTYPES)
def test_long_dots_err_no_more_than_pairwise_sums(element_type: str) -> None:
    """Of positive terms, the error of pairwise summation is at most log2(n) + 1 roundings."""
    dtype, count = DTYPES[element_type], 1 << 18
    dot = program(
        f"""(%a: tensor<3x{count}xT>, %b: tensor<{count}x5xT>) -> tensor<3x5xT> {{
        %0 = stablehlo.dot %a, %b : (tensor<3x{count}xT>, tensor<{count}x5xT>) -> tensor<3x5xT>
        return %0 : tensor<3x5xT> }}""",
        element_type,
    )
    generator = np.random.default_rng(6)
    a, b = (generator.random(shape).astype(dtype) for shape in ((3, count), (count, 5)))
    expected = (
        dot(a, b, precision="high") if dtype is np.float64 else a.astype(np.float64) @ b.astype(np.float64)
    )
    assert np.max(np.abs(dot(a, b) - expected) / expected) < 19 * np.finfo(dtype).eps / 2


@pytest.mark.parametrize("axis", [0, 1])
def test_sums_of_f64_along_any_axis_err_no_more_than_pairwise_sums(axis: int) -> None:
    shape = (1 << 16, 3) if axis == 0 else (3, 1 << 16)
    reduce = program(
        f"""(%a: tensor<{shape[0]}x{shape[1]}xT>, %z: tensor<T>) -> tensor<3xT> {{
        %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [{axis}]
          : (tensor<{shape[0]}x{shape[1]}xT>, tensor<T>) -> tensor<3xT>
        return %0 : tensor<3xT> }}""",
        "f64",
    )
    values = np.full(shape, 0.1)
    expected = reduce(values, np.float64(0), precision="high")
    assert (
        np.max(np.abs(reduce(values, np.float64(0)) - expected) / expected)
        < 17 * np.finfo(np.float64).eps / 2
    )


def test_there_is_no_other_precision() -> None:
    negate = program(
        "(%a: tensor<T>) -> tensor<T> { %0 = stablehlo.negate %a : tensor<T> return %0 : tensor<T> }", "f32"
    )
    low: Any = "low"
    match = "precision must be one of default, high, products, sequential, pairwise, got low"
    with pytest.raises(ArgumentError, match=match):
        negate(np.float32(1), precision=low)
    with pytest.raises(ArgumentError, match=match):
        negate(np.float32(1), precision=low, tier="reference")
    on_xla = hlokit.load(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }", backend="xla"
    )
    with pytest.raises(ArgumentError, match=match):
        on_xla(np.float32(1), precision=low)
    with pytest.raises(ArgumentError, match=match):
        on_xla.run_parallel([(np.float32(1),)] * 2, num_replicas=2, precision=low)
