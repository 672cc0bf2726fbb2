"""CHLO operations: elementary functions against mpmath and C99, broadcasting, top_k, ragged_dot, scan."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlokit
from hlokit.errors import EvaluationError
from hlokit.ops.regions.top_k import top_k_indices
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F16,
    F32,
    F64,
    I1,
    I32,
    ElementType,
)
from hlokit.values.types import TensorType
from tests.unit.ops.elementwise.chlo_programs import evaluate, text, type_of
from tests.unit.ops.elementwise.elementwise_programs import (
    BYTE_FLOATS,
    FLOATS,
    INTEGERS,
    assert_equal,
    assert_same,
    elements,
    every_value,
    nearest,
    sample,
    ulps,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Function = Callable[..., Any]
NAN, INF = math.nan, math.inf


def inside(function: Function, low: float, high: float) -> Function:
    return lambda x: function(x) if low <= x <= high else mpmath.mpf("nan")


REAL: dict[str, Function] = {
    "acos": inside(mpmath.acos, -1, 1),
    "acosh": inside(mpmath.acosh, 1, INF),
    "asin": inside(mpmath.asin, -1, 1),
    "asinh": mpmath.asinh,
    "atan": mpmath.atan,
    "atanh": lambda x: mpmath.sign(x) * mpmath.inf if abs(x) == 1 else inside(mpmath.atanh, -1, 1)(x),
    "cosh": lambda x: mpmath.cosh(x) if abs(x) < 1000 else mpmath.inf,
    "sinh": lambda x: mpmath.sinh(x) if abs(x) < 1000 else mpmath.sign(x) * mpmath.inf,
    "square": lambda x: x * x,
    "tan": lambda x: mpmath.tan(x) if mpmath.isfinite(x) else mpmath.mpf("nan"),
}
ODD = ("asin", "asinh", "atan", "atanh", "sinh", "tan")


def exact(function: Function, operand: float) -> Any:
    if math.isnan(operand):
        return mpmath.mpf("nan")
    with mpmath.workprec(400):
        return function(mpmath.mpf(operand))


def wanted(name: str, type_: ElementType, operand: float) -> Any:
    result = exact(REAL[name], operand)
    rounded = nearest(type_, result)
    return -rounded if name in ODD and result == 0 and math.copysign(1, operand) < 0 else rounded


@pytest.mark.parametrize("type_", [*BYTE_FLOATS, F16, BF16, F32], ids=str)
@pytest.mark.parametrize("name", REAL)
def test_real_functions_are_correctly_rounded(name: str, type_: ElementType) -> None:
    operand = sample(type_, 60)
    values = operand.astype(np.float64).tolist()
    assert_same(evaluate(name, operand), [wanted(name, type_, value) for value in values], elements(operand))


@pytest.mark.parametrize("name", REAL)
def test_real_functions_of_f64_are_within_one_ulp(name: str) -> None:
    generator = np.random.default_rng(0)
    operand = np.concatenate(
        [generator.uniform(-1, 1, 100), generator.normal(size=100) * 30, 1 + generator.random(50)]
    )
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        want = exact(REAL[name], value)
        assert (math.isnan(result) and mpmath.isnan(want)) or ulps(F64, result, want) < 1, (value, result)


# Complex ---------------------------------------------------------------------------------------------

C99 = {
    "acos": cmath.acos,
    "acosh": cmath.acosh,
    "asin": cmath.asin,
    "asinh": cmath.asinh,
    "atan": cmath.atan,
    "atanh": cmath.atanh,
    "cosh": cmath.cosh,
    "sinh": cmath.sinh,
    "tan": cmath.tan,
}
COMPLEX: dict[str, Function] = {name: getattr(mpmath, name) for name in C99} | {"square": lambda z: z * z}


def off_cuts(type_: ElementType) -> np.ndarray:
    """Numbers around 0, around +-1 and +-i, small and large, with both parts not 0."""
    generator = np.random.default_rng(1)
    normal = generator.normal(size=(5, 40)) + 1j * generator.normal(size=(5, 40))
    normal[1] *= np.exp(generator.uniform(-40, 3, 40))
    normal[2] = generator.choice([1, -1, 1j, -1j], 40) + normal[2] * 1e-5
    normal[3].imag *= 1e-6
    normal[4].real *= 1e-6
    return normal.reshape(-1).astype(type_.dtype)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_functions(name: str, type_: ElementType) -> None:
    operand = off_cuts(type_)
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        with mpmath.workprec(400):
            want = mpmath.mpc(COMPLEX[name](mpmath.mpc(value)))
        assert ulps(type_.part, result.real, want.real) < 1, (value, result)
        assert ulps(type_.part, result.imag, want.imag) < 1, (value, result)


def agrees(actual: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(actual)
    is_close = actual == expected or math.isclose(actual, expected, rel_tol=1e-6)
    return is_close and math.copysign(1, actual) == math.copysign(1, expected)


SPECIAL = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, INF, -INF, NAN)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", C99)
def test_branch_cuts_zeros_and_infinities_as_in_c99(name: str, type_: ElementType) -> None:
    """Signs of infinities and zeros that C99 leaves open (beside NaN) are not compared."""
    operand = np.array([complex(x, y) for x in SPECIAL for y in SPECIAL], type_.dtype)
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        try:
            want = C99[name](value)
        except (ValueError, OverflowError):  # a pole: Python does not say which infinity
            continue
        if cmath.isnan(want):
            assert cmath.isnan(result), (value, result, want)
            continue
        # C99 leaves the sign of a zero open where the angle is infinite or NaN.
        is_open = cmath.isnan(value) or (name == "tan" and cmath.isinf(value))
        for got, part in ((result.real, want.real), (result.imag, want.imag)):
            assert agrees(got, part) or (is_open and got == part), (value, result, want)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_ends_of_the_range(type_: ElementType) -> None:
    """Neither squares nor sums overflow inside."""
    huge = float(np.finfo(type_.part.dtype).max)
    tiny = float(np.finfo(type_.part.dtype).tiny)
    numbers = [complex(x, y) for x in (huge, tiny, 1, -huge) for y in (huge, tiny, -tiny, 1)]
    for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh"):
        for value, result in zip(
            numbers, evaluate(name, np.array(numbers, type_.dtype)).tolist(), strict=True
        ):
            with mpmath.workprec(2400):
                want = mpmath.mpc(COMPLEX[name](mpmath.mpc(value)))
            for got, part in ((result.real, want.real), (result.imag, want.imag)):
                assert abs(got - part) <= 2 * np.finfo(type_.part.dtype).eps * abs(part) + tiny, (name, value)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_asin_acos_kernel(type_: ElementType) -> None:
    """Follows the definition: asin(z) = atan2(x, w.real) + i sign(y) w.imag."""
    operand = off_cuts(type_)
    kernel = evaluate("_asin_acos_kernel", operand)
    asin, acos = evaluate("asin", operand), evaluate("acos", operand)
    tolerance = 4 * np.finfo(type_.part.dtype).eps
    np.testing.assert_allclose(np.arctan2(operand.real, kernel.real), asin.real, rtol=tolerance)
    np.testing.assert_allclose(np.arctan2(kernel.real, operand.real), acos.real, rtol=tolerance)
    np.testing.assert_allclose(np.sign(operand.imag) * kernel.imag, asin.imag, rtol=tolerance)


def test_squares_near_the_diagonal() -> None:
    """(x - y)(x + y) does not cancel; zeros have the signs of products."""
    x = 1 + 2.0**-30
    result = evaluate(
        "square", np.array([complex(x, 1), complex(-0.0, -0.0), complex(1e308, 1e308)], np.complex128)
    )
    assert_equal(result.real, np.array([2.0**-29 + 2.0**-60, 0.0, 0.0]))
    assert_equal(result.imag, np.array([2 * x, 0.0, INF]))


def test_square_of_infinities() -> None:
    operand = np.array([complex(INF, INF), complex(INF, 1), complex(3, 4)], np.complex64)
    result = evaluate("square", operand)
    assert_equal(result.real, np.array([NAN, INF, -7], np.float32))
    assert_equal(result.imag, np.array([INF, INF, 24], np.float32))


# Predicates, neighbours, integers ----------------------------------------------------------------------


@pytest.mark.parametrize("type_", FLOATS, ids=str)
def test_infinities(type_: ElementType) -> None:
    operand = sample(type_, 20)
    values = operand.astype(np.float64)
    for name, function in (("is_inf", np.isinf), ("is_pos_inf", np.isposinf), ("is_neg_inf", np.isneginf)):
        assert_equal(evaluate(name, operand, result=I1), function(values))


def test_conjugate() -> None:
    operand = np.array([1 + 2j, complex(NAN, -0.0)], np.complex64)
    result = evaluate("conj", operand)
    assert_equal(result.real, operand.real)
    assert_equal(result.imag, -operand.imag)
    assert_equal(evaluate("conj", operand.real), operand.real)


@pytest.mark.parametrize("type_", [type_ for type_ in FLOATS if type_.width <= 8], ids=str)
def test_next_after_of_bytes(type_: ElementType) -> None:
    """All pairs, against the sorted list of all values."""
    values = every_value(type_)
    x, y = np.repeat(values, values.size), np.tile(values, values.size)
    from_, to = x.astype(np.float32).astype(np.float64), y.astype(np.float32).astype(np.float64)
    known = values.astype(np.float32).astype(np.float64)
    known = np.unique(known[~np.isnan(known)])
    at = np.searchsorted(known, from_)
    above, below = known[np.minimum(at + 1, known.size - 1)], known[np.maximum(at - 1, 0)]
    want = np.where(to > from_, above, np.where(to < from_, below, to))
    want[np.isnan(from_) | np.isnan(to)] = NAN
    np.testing.assert_array_equal(evaluate("next_after", x, y).astype(np.float32), want)


@pytest.mark.parametrize("type_", [BF16, F16, F32, F64], ids=str)
def test_next_after(type_: ElementType) -> None:
    info = {BF16: (7, -126), F16: (10, -14), F32: (23, -126), F64: (52, -1022)}[type_]
    step, least = 2.0 ** -info[0], 2.0 ** (info[1] - info[0])
    cases = [
        (1.0, 2.0, 1 + step),
        (1.0, -2.0, 1 - step / 2),
        (0.0, 1.0, least),
        (-0.0, -1.0, -least),
        (least, -1.0, 0.0),
        (-least, 1.0, -0.0),
        (0.0, -0.0, -0.0),
        (INF, INF, INF),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
    ]
    x, y, want = (np.array(column).astype(type_.dtype) for column in zip(*cases, strict=True))
    assert_equal(evaluate("next_after", x, y), want)


@pytest.mark.parametrize("type_", INTEGERS, ids=str)
def test_mulhi(type_: ElementType) -> None:
    values = sample(type_, 30)
    lhs, rhs = np.repeat(values, values.size), np.tile(values, values.size)
    modulus, half = 1 << type_.width, 1 << (type_.width - 1)
    for a, b, got in zip(lhs.tolist(), rhs.tolist(), evaluate("mulhi", lhs, rhs).tolist(), strict=True):
        want = (int(a) * int(b)) >> type_.width
        assert (int(got) - want) % modulus == 0, (a, b)
        assert type_.name.startswith("u") or -half <= int(got) < half


# Constants ---------------------------------------------------------------------------------------------

CONSTANTS = [
    ("complex<f32>", "#complex.number<:f32 1.5, -2.0>", 1.5 - 2j),
    ("complex<f64>", "#complex.number<:f64 0.1, 1.0e300>", 0.1 + 1e300j),
    ("ui8", "200 : ui8", 200),
    ("i4", "-3 : i4", -3),
    ("ui64", "18446744073709551615 : ui64", 2**64 - 1),
    ("bf16", "1.5 : bf16", 1.5),
    ("f8E4M3FN", "0.1 : f8E4M3FN", 0.1015625),
    ("i1", "true", True),
]


@pytest.mark.parametrize(("name", "value", "want"), CONSTANTS)
def test_constant_like(name: str, value: str, want: Any) -> None:
    dynamic = f"tensor<?x2x{name}>"
    program = hlokit.load(
        f"func.func @main(%operand: {dynamic}) -> {dynamic} {{\n"
        f'  %result = "chlo.constant_like"(%operand) {{value = {value}}} : ({dynamic}) -> {dynamic}\n'
        f"  return %result : {dynamic}\n}}"
    )
    dtype = program.signature().inputs[0].element_type.dtype
    result = program(np.zeros((3, 2), dtype))
    assert result.shape == (3, 2)
    assert result.dtype == dtype
    assert (result == np.array(want).astype(dtype)).all()


def test_constant_of_a_narrow_type() -> None:
    program = hlokit.load(
        "func.func @main() -> tensor<2xi4> {\n  %c = chlo.constant dense<[1, -3]> : tensor<2xi4>\n  return %c : tensor<2xi4>\n}"
    )
    assert program().tolist() == [1, -3]


# Broadcasting --------------------------------------------------------------------------------------------


def test_broadcast_of_last_dimensions() -> None:
    lhs, rhs = np.arange(2.0).reshape(2, 1), np.arange(3.0)
    result = evaluate("broadcast_subtract", lhs, rhs, shape=(2, 3))
    assert_equal(result, lhs - rhs)


def test_broadcast_with_dimensions() -> None:
    lhs, rhs = np.arange(6.0).reshape(2, 3), np.array([1.0, 4.0])
    result = evaluate(
        "broadcast_power", lhs, rhs, shape=(2, 3), attributes="broadcast_dimensions = array<i64: 0>"
    )
    assert_equal(result, lhs ** rhs[:, np.newaxis])


def test_broadcast_of_a_scalar_on_the_left() -> None:
    result = evaluate("broadcast_shift_left", np.array(1, np.int32), np.arange(4, dtype=np.int32))
    assert result.tolist() == [1, 2, 4, 8]


def test_broadcast_compare() -> None:
    lhs, rhs = np.array([[0.0], [-0.0]], np.float32), np.array([0.0, -0.0, NAN], np.float32)
    direction = "comparison_direction = #chlo<comparison_direction EQ>"
    total = f"{direction}, compare_type = #chlo<comparison_type TOTALORDER>"
    equal = evaluate("broadcast_compare", lhs, rhs, shape=(2, 3), result=I1, attributes=direction)
    same = evaluate("broadcast_compare", lhs, rhs, shape=(2, 3), result=I1, attributes=total)
    assert equal.tolist() == [[True, True, False], [True, True, False]]
    assert same.tolist() == [[True, False, False], [False, True, False]]


def test_broadcast_complex() -> None:
    lhs, rhs = np.ones((2, 1), np.float32), np.arange(3, dtype=np.float32)
    result = evaluate("broadcast_complex", lhs, rhs, shape=(2, 3), result=COMPLEX_F32)
    assert_equal(result.imag, np.broadcast_to(rhs, (2, 3)))


def test_broadcast_select() -> None:
    pred = np.array([[True], [False]])
    on_true, on_false = np.arange(3.0), np.array(7.0)
    assert_equal(
        evaluate("broadcast_select", pred, on_true, on_false, shape=(2, 3)), np.where(pred, on_true, on_false)
    )


def test_broadcast_of_dynamic_shapes() -> None:
    unknown = TensorType((-1, -1), F32)
    program = hlokit.load(text("broadcast_add", [unknown, TensorType((-1,), F32)], [unknown]))
    ones = np.ones((2, 1), np.float32)
    assert program(ones, np.arange(3, dtype=np.float32)).tolist() == [[1, 2, 3], [1, 2, 3]]
    with pytest.raises(EvaluationError, match=r"shapes that broadcast, got \[2, 2\], \[3\]"):
        program(np.ones((2, 2), np.float32), np.ones(3, np.float32))


@pytest.mark.parametrize("name", ["broadcast_next_after", "broadcast_zeta", "broadcast_polygamma"])
def test_broadcast_of_special_functions(name: str) -> None:
    lhs, rhs = np.array([[2.0], [3.0]]), np.array([1.0, 2.0, 5.0])
    whole = evaluate(name.removeprefix("broadcast_"), *np.broadcast_arrays(lhs, rhs))
    assert_equal(evaluate(name, lhs, rhs, shape=(2, 3)), whole)


# top_k ---------------------------------------------------------------------------------------------------


def top_k(operand: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    type_ = type_of(operand)
    shape = (*operand.shape[:-1], k)
    results = [TensorType(shape, type_.element_type), TensorType(shape, I32)]
    return hlokit.load(text("top_k", [type_], results, f"k = {k} : i64"))(operand)


def test_top_k_is_in_total_order() -> None:
    values, indices = top_k(np.array([1, NAN, -0.0, 0.0, 3, 3, INF, -INF], np.float32), 8)
    assert_equal(values, np.array([NAN, INF, 3, 3, 1, 0.0, -0.0, -INF], np.float32))
    assert indices.tolist() == [1, 6, 4, 5, 0, 3, 2, 7]


@pytest.mark.parametrize("type_", [*FLOATS, *INTEGERS, I1], ids=str)
def test_top_k_of_all_types(type_: ElementType) -> None:
    operand = (
        np.random.default_rng(0)
        .integers(0 if type_ is I1 else 1, 2 if type_ is I1 else 4, (2, 3, 20))
        .astype(type_.dtype)
    )
    wide = operand.astype(np.float32)
    values, indices = top_k(operand, 5)
    want = np.argsort(-wide, axis=-1, kind="stable")[..., :5]
    np.testing.assert_array_equal(indices, want)
    np.testing.assert_array_equal(values.astype(np.float32), np.take_along_axis(wide, want, -1))


@given(st.integers(0, 40), st.integers(65, 400), st.integers(1, 6))
def test_candidates_equal_a_whole_sort(k: int, size: int, spread: int) -> None:
    numbers = np.random.default_rng([k, size]).integers(-spread, spread + 1, (3, size))
    np.testing.assert_array_equal(
        top_k_indices(numbers, k), np.argsort(-numbers, axis=-1, kind="stable")[:, :k]
    )


# ragged_dot ----------------------------------------------------------------------------------------------


def ragged_dot(
    lhs: np.ndarray, rhs: np.ndarray, sizes: np.ndarray, shape: tuple[int, ...], numbers: str
) -> np.ndarray:
    names = (
        "lhs_batching_dimensions",
        "rhs_batching_dimensions",
        "lhs_contracting_dimensions",
        "rhs_contracting_dimensions",
        "lhs_ragged_dimensions",
        "rhs_group_dimensions",
    )
    fields = ", ".join(f"{name} = [{value}]" for name, value in zip(names, numbers.split("|"), strict=True))
    attributes = f"ragged_dot_dimension_numbers = #chlo.ragged_dot<{fields}>"
    result = TensorType(shape, type_of(lhs).element_type)
    return hlokit.load(text("ragged_dot", [type_of(a) for a in (lhs, rhs, sizes)], [result], attributes))(
        lhs, rhs, sizes
    )


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape)


def test_ragged_rows() -> None:
    lhs, rhs, sizes = normal(8, 3), normal(3, 3, 2), np.array([4, 0, 3])
    want = np.concatenate([lhs[:4] @ rhs[0], lhs[4:7] @ rhs[2], np.zeros((1, 2))])
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (8, 2), "||1|1|0|0"), want)


def test_ragged_rows_of_batches() -> None:
    """Batches come second in lhs and last in rhs; each has its own groups."""
    lhs, rhs, sizes = normal(5, 2, 3), normal(3, 4, 2, 2), np.array([[2, 3], [1, 1]])
    want = np.zeros((2, 5, 4))
    for batch in range(2):
        start = 0
        for group, size in enumerate(sizes[batch]):
            rows = slice(start, start + size)
            want[batch, rows] = lhs[rows, batch] @ rhs[:, :, group, batch]
            start += size
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (2, 5, 4), "1|3|2|0|0|2"), want)


def test_ragged_contraction() -> None:
    lhs, rhs, sizes = normal(2, 6), normal(6, 3), np.array([1, 3, 0])
    want = np.stack([lhs[:, :1] @ rhs[:1], lhs[:, 1:4] @ rhs[1:4], np.zeros((2, 3))])
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (3, 2, 3), "||1|0|1|"), want)


def test_ragged_contraction_of_batches() -> None:
    lhs, rhs, sizes = normal(2, 4, 5), normal(2, 5, 3), np.array([[2, 3], [4, 1]])
    want = np.zeros((2, 2, 4, 3))
    for batch in range(2):
        cut = sizes[batch, 0]
        want[0, batch] = lhs[batch, :, :cut] @ rhs[batch, :cut]
        want[1, batch] = lhs[batch, :, cut:] @ rhs[batch, cut:]
    np.testing.assert_allclose(ragged_dot(lhs, rhs, sizes, (2, 2, 4, 3), "0|0|2|1|2|"), want)


def test_ragged_batch() -> None:
    lhs, rhs = normal(3, 2, 4), normal(3, 4, 5)
    np.testing.assert_allclose(ragged_dot(lhs, rhs, np.array([1, 2]), (3, 2, 5), "0|0|2|1|0|"), lhs @ rhs)


def test_top_k_of_complex_numbers_has_a_reason() -> None:
    with pytest.raises(hlokit.UnsupportedError, match="top_k of complex numbers: they have no order"):
        top_k(np.array([1 + 2j, 3], np.complex64), 1)


QUANTIZED = "!quant.uniform<i8:f32, 0.5:1>"


def test_top_k_of_quantized_values() -> None:
    text = f"""
      func.func @main(%x: tensor<4x{QUANTIZED}>) -> (tensor<2x{QUANTIZED}>, tensor<2xi32>) {{
        %0:2 = chlo.top_k(%x, k = 2) : tensor<4x{QUANTIZED}> -> (tensor<2x{QUANTIZED}>, tensor<2xi32>)
        return %0#0, %0#1 : tensor<2x{QUANTIZED}>, tensor<2xi32>
      }}"""
    values, indices = hlokit.load(text)(np.array([3, -7, 100, 3], np.int8))
    assert (values.tolist(), indices.tolist()) == ([100, 3], [2, 0])


def test_scan_of_quantized_values_rounds_at_every_step() -> None:
    q = QUANTIZED
    text = f"""
      func.func @main(%x: tensor<3x{q}>, %i: tensor<{q}>) -> (tensor<3x{q}>, tensor<{q}>) {{
        %0, %1 = chlo.scan(%x) inits(%i) dimension=0 {{
        ^bb0(%a: tensor<{q}>, %b: tensor<{q}>):
          %r = stablehlo.add %a, %b : tensor<{q}>
          stablehlo.return %r, %r : tensor<{q}>, tensor<{q}>
        }} : (tensor<3x{q}>, tensor<{q}>) -> (tensor<3x{q}>, tensor<{q}>)
        return %0, %1 : tensor<3x{q}>, tensor<{q}>
      }}"""
    outputs, carry = hlokit.load(text)(np.array([3, 101, 101], np.int8), np.array(1, np.int8))
    assert (outputs.tolist(), int(carry)) == ([3, 103, 127], 127), "zero is 1, and sums saturate"


# scan ----------------------------------------------------------------------------------------------------


def scan(body: str, operand: np.ndarray, init: np.ndarray, attributes: str = "") -> tuple[np.ndarray, ...]:
    inner, whole = type_of(init), type_of(operand)
    dimension = next(
        (d for d in range(operand.ndim) if np.delete(operand.shape, d).tolist() == list(init.shape)), 0
    )
    return hlokit.load(f"""
      func.func @main(%operand: {whole}, %init: {inner}) -> ({whole}, {inner}) {{
        %result:2 = chlo.scan(%operand) inits(%init) dimension={dimension} {attributes} {{
        ^bb0(%x: {inner}, %carry: {inner}):
          {body.replace("TYPE", str(inner))}
        }} : ({whole}, {inner}) -> ({whole}, {inner})
        return %result#0, %result#1 : {whole}, {inner}
      }}""")(operand, init)


ADD = "%sum = stablehlo.add %x, %carry : TYPE\n stablehlo.return %sum, %sum : TYPE, TYPE"
ADD_TWICE = (
    "%none = stablehlo.subtract %x, %x : TYPE\n %rest = stablehlo.add %none, %x : TYPE\n"
    "%sum = stablehlo.add %rest, %carry : TYPE\n stablehlo.return %sum, %sum : TYPE, TYPE"
)


@pytest.mark.parametrize("is_reverse", [False, True])
@pytest.mark.parametrize("shape", [(7,), (3, 5), (0,)])
def test_scan_that_accumulates_equals_the_loop(shape: tuple[int, ...], is_reverse: bool) -> None:
    operand = normal(*shape).astype(np.float32)
    init = normal(*shape[1:]).astype(np.float32).reshape(shape[1:])
    attributes = "attributes {is_reverse = true}" if is_reverse else ""
    fast, slow = scan(ADD, operand, init, attributes), scan(ADD_TWICE, operand, init, attributes)
    for one, other in zip(fast, slow, strict=True):
        assert_equal(one, other)


def test_scan_wraps() -> None:
    sums, carry = scan(ADD, np.array([100, 100, 100], np.int8), np.array(1, np.int8))
    assert sums.tolist() == [101, -55, 45]
    assert int(carry) == 45
