"""reduce_window and select_and_scatter against the spec's formulas index by index, and against XLA."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.kernels.regions import reduce_window
from hlokit.values.element_types import ELEMENT_TYPES, F32, F64, I8, I32, ElementType, Kind
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, sample
from tests.unit.kernels.regions.region_programs import (
    Window,
    apply,
    comparing,
    compose,
    reduce_window_program,
    select_and_scatter_program,
    through_reshape,
)

Combine = Callable[[tuple[int, ...], tuple[int, ...]], tuple[int, ...]]


def windows_of(draw: st.DrawFn, rank: int, largest: int, *, dilated: bool = True) -> list[Window]:
    small = st.integers(1, 3)
    return [
        Window(
            draw(st.integers(1, largest)),
            draw(small),
            draw(small) if dilated else 1,
            draw(small) if dilated else 1,
            draw(st.integers(-2 if dilated else 0, 5)),
            draw(st.integers(-2 if dilated else 0, 5)),
        )
        for _ in range(rank)
    ]


@st.composite
def cases(draw: st.DrawFn, *, dilated: bool = True) -> tuple[list[int], list[Window], int]:
    shape = draw(st.lists(st.integers(0 if dilated else 1, 6), max_size=3))
    windows = windows_of(draw, len(shape), draw(st.sampled_from([3, 9])), dilated=dilated)
    assume(all(w.padded(size) >= 0 for w, size in zip(windows, shape, strict=True)))
    return shape, windows, draw(st.integers(0, 1 << 20))


def padded(operand: Array, init: Any, windows: Sequence[Window]) -> Array:
    """spec "pad", element by element."""
    shape = [w.padded(size) for w, size in zip(windows, operand.shape, strict=True)]
    result = np.full(shape, init, operand.dtype)
    for index in np.ndindex(operand.shape):
        place = tuple(w.low + i * w.base_dilation for w, i in zip(windows, index, strict=True))
        if all(0 <= i < size for i, size in zip(place, shape, strict=True)):
            result[place] = operand[index]
    return result


def reduced_windows(
    operands: Sequence[Array], inits: Sequence[int], windows: Sequence[Window], combine: Combine, modulus: int
) -> list[Array]:
    """Each window folded from the left in exact arithmetic, modulo a power of 2."""
    wide = [padded(operand, init, windows) for operand, init in zip(operands, inits, strict=True)]
    shape = [w.count(size) for w, size in zip(windows, operands[0].shape, strict=True)]
    results = [np.empty(shape, np.int64) for _ in operands]
    for index in np.ndindex(*shape):
        total = tuple(inits)
        for offset in itertools.product(*[range(w.size) for w in windows]):
            place = tuple(
                i * w.stride + k * w.dilation for i, k, w in zip(index, offset, windows, strict=True)
            )
            total = tuple(value % modulus for value in combine(total, tuple(int(a[place]) for a in wide)))
        for result, value in zip(results, total, strict=True):
            result[index] = value
    return results


def assert_modulo(actual: Array, expected: Array, type_: ElementType) -> None:
    assert_same(actual, expected.astype(type_.dtype))


@settings(max_examples=80)
@given(cases(), st.sampled_from(["add", "multiply", "xor"]), st.booleans())
def test_known_bodies(case: tuple[list[int], list[Window], int], name: str, is_pointwise: bool) -> None:
    shape, windows, seed = case
    random = np.random.default_rng(seed)
    operand, init = sample(random, I8, shape), sample(random, I8, ())
    body = apply(name) if is_pointwise else through_reshape(apply(name))
    (result,) = evaluate(reduce_window_program(shape, [I8], windows, body), operand, init)
    functions: dict[str, Combine] = {
        "add": lambda a, b: (a[0] + b[0],),
        "multiply": lambda a, b: (a[0] * b[0],),
        "xor": lambda a, b: (a[0] ^ b[0],),
    }
    (expected,) = reduced_windows([operand], [int(init)], windows, functions[name], 256)
    assert_modulo(result, expected, I8)


@settings(max_examples=60)
@given(cases(), st.booleans())
def test_bodies_that_do_not_commute_see_values_in_order(
    case: tuple[list[int], list[Window], int], is_pointwise: bool
) -> None:
    shape, windows, seed = case
    random = np.random.default_rng(seed)
    operands, inits = [sample(random, I8, shape) for _ in "ab"], [sample(random, I8, ()) for _ in "ab"]
    body = compose if is_pointwise else through_reshape(compose)
    results = evaluate(reduce_window_program(shape, [I8, I8], windows, body), *operands, *inits)
    expected = reduced_windows(
        operands, [int(init) for init in inits], windows, lambda a, b: (a[0] * b[0], a[0] * b[1] + a[1]), 256
    )
    for one, other in zip(results, expected, strict=True):
        assert_modulo(one, other, I8)


@pytest.mark.parametrize("size", [33, 64, 100, 127, 300])
@pytest.mark.parametrize("stride, dilation", [(1, 1), (3, 1), (1, 2), (50, 1)])
def test_large_windows_double(size: int, stride: int, dilation: int) -> None:
    random = np.random.default_rng(size)
    operands, inits = [sample(random, I32, (700,)) for _ in "ab"], [np.int32(1), np.int32(0)]
    window = Window(size, stride, 1, dilation, 5, 3)
    a, b = evaluate(reduce_window_program((700,), [I32, I32], [window], compose), *operands, *inits)
    expected = reduced_windows(
        operands, [1, 0], [window], lambda x, y: (x[0] * y[0], x[0] * y[1] + x[1]), 1 << 32
    )
    assert_modulo(a, expected[0], I32)
    assert_modulo(b, expected[1], I32)


# Running sums -------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_name", ["f32", "f64", "bf16", "i8", "ui4", "complex<f32>"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum"])
def test_running_sums(type_name: str, axis: int, backwards: bool, name: str) -> None:
    type_ = ELEMENT_TYPES[type_name]
    if type_name == "complex<f32>" and name == "maximum":
        pytest.skip("not a body that the interpreter knows")
    shape = [300, 3] if axis == 0 else [3, 300]
    padding = (0, 299) if backwards else (299, 0)
    windows = [Window(), Window()]
    windows[axis] = Window(300, low=padding[0], high=padding[1])
    operand = sample(np.random.default_rng(1), type_, shape)
    if name == "multiply" and not type_.kind.is_integer:
        operand = (operand / np.maximum(np.abs(operand), np.asarray(1e-3, operand.real.dtype))).astype(
            type_.dtype
        )
    least = -math.inf
    if type_.kind.is_integer:
        least = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    identity = {"add": 0, "multiply": 1, "maximum": least}[name]
    init = np.array(identity).astype(type_.dtype)
    (result,) = evaluate(reduce_window_program(shape, [type_], windows, apply(name)), operand, init)
    wide = operand.astype(
        np.int64 if type_.kind.is_integer else np.complex128 if type_.dtype.kind == "c" else np.float64
    )
    ordered = np.flip(wide, axis) if backwards else wide
    ufunc = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum}[name]
    expected = ufunc.accumulate(ordered, axis)
    expected = np.flip(expected, axis) if backwards else expected
    if type_.kind.is_integer:
        modulus = 1 << type_.width
        assert_same(
            result,
            (expected.astype(object) % modulus).astype(np.int64).astype(type_.dtype)
            if name != "maximum"
            else expected.astype(type_.dtype),
        )
    else:
        assert_near(
            result, expected.astype(type_.dtype), {"bf16": 2.0**-8, "f64": 1e-14}.get(type_name, 1e-7)
        )


@pytest.mark.parametrize("type_name", ["complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("name", ["add", "multiply"])
@pytest.mark.parametrize("backwards", [False, True])
def test_running_sums_of_vectors(type_name: str, name: str, backwards: bool) -> None:
    type_ = ELEMENT_TYPES[type_name]
    init = np.array({"add": 0, "multiply": 1}[name], type_.dtype)
    for shape in [[2], [33], [65], [1, 40], [40, 1], [2, 33, 1]]:
        axis = shape.index(max(shape))
        size = shape[axis]
        windows = [Window() for _ in shape]
        windows[axis] = Window(size, low=0, high=size - 1) if backwards else Window(size, low=size - 1)
        operand = sample(np.random.default_rng(1), type_, shape)
        operand /= np.abs(operand)
        program = hlokit.load(reduce_window_program(shape, [type_], windows, apply(name)))
        result = program(operand, init)
        ordered = np.flip(operand, axis) if backwards else operand
        expected = {"add": np.add, "multiply": np.multiply}[name].accumulate(
            ordered.astype(np.complex128), axis
        )
        expected = np.flip(expected, axis) if backwards else expected
        assert_near(result, expected.astype(type_.dtype), 1e-6 if type_name == "complex<f32>" else 1e-14)
        assert_near(
            program(operand, init, precision="high"), result, 1e-6 if type_name == "complex<f32>" else 1e-14
        )
        assert_same(program(operand, init, tier="reference"), result)


def test_padding_is_combined_as_often_as_windows_have_it() -> None:
    """An initial value that is no identity counts for each element of the padding."""
    window, operand = Window(5, low=4), np.arange(10, 15, dtype=np.int32)
    program = reduce_window_program((5,), [I32], [window], apply("xor"))
    (result,) = evaluate(program, operand, np.int32(64))
    expected = [np.bitwise_xor.reduce(operand[: n + 1]) ^ (64 if n % 2 == 0 else 0) for n in range(5)]
    # Of window n, 4 - n elements are padding, and the initial value comes once more.
    assert result.tolist() == [int(each) for each in expected]


def test_long_running_sums_of_f64_stay_accurate() -> None:
    operand = np.random.default_rng(2).random((100_000,))
    window = Window(100_000, low=99_999)
    (result,) = evaluate(
        reduce_window_program((100_000,), [F64], [window], apply("add")), operand, np.float64(0)
    )
    exact = np.add.accumulate(operand.astype(np.longdouble)).astype(np.float64)
    assert (np.abs(result - exact) <= 200 * np.spacing(exact)).all()


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, math.nan, math.inf]), min_size=1, max_size=8),
    st.integers(1, 9),
)
def test_extrema_tell_zeros_apart(values: list[float], size: int) -> None:
    operand = np.array(values, np.float32)
    window = Window(size, low=size - 1)
    text = reduce_window_program(operand.shape, [F32], [window], apply("maximum"))
    (result,) = evaluate(text, operand, np.float32(-np.inf))
    for end, found in enumerate(result):
        seen = values[max(0, end - size + 1) : end + 1]
        if any(map(math.isnan, seen)):
            assert math.isnan(found)
        else:
            greatest = max(seen, key=lambda value: (value, math.copysign(1, value)))
            assert_same(np.float32(greatest), found)


@pytest.mark.parametrize("type_name", ["f32", "bf16", "f64"])
@pytest.mark.parametrize("name", ["add", "maximum", "multiply"])
def test_small_windows_agree_with_the_reference_to_the_last_bit(type_name: str, name: str) -> None:
    type_ = ELEMENT_TYPES[type_name]
    random = np.random.default_rng(3)
    operand, init = sample(random, type_, (5, 7)), np.array(0.5).astype(type_.dtype)
    windows = [Window(3, 2, 2, 1, 1, 0), Window(2, 1, 1, 2, 0, 2)]
    text = reduce_window_program((5, 7), [type_], windows, apply(name))
    (expected,) = oracles.reference(text, operand, init)
    (result,) = evaluate(text, operand, init)
    assert_same(result, expected)


@pytest.mark.parametrize("name", ["add", "maximum"])
def test_rows_without_windows_are_evaluated_in_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    windows = [Window(1), Window(2, 2, high=1), Window(40, 3, low=2)]
    operand = sample(np.random.default_rng(6), F32, (7, 9, 60))
    operand[4, 2:4, 5], operand[5, 0, :9] = np.nan, -0.0
    text = reduce_window_program((7, 9, 60), [F32], windows, apply(name))
    (whole,) = evaluate(text, operand, np.float32(0))
    monkeypatch.setattr(reduce_window, "_BLOCK", 2 * operand[0].nbytes)
    (result,) = evaluate(text, operand, np.float32(0))
    assert result.tobytes() == whole.tobytes()


@pytest.mark.parametrize("type_", [F32, I32], ids=str)
def test_pooling_agrees_with_xla(type_: ElementType) -> None:
    random = np.random.default_rng(4)
    operand = sample(random, type_, (2, 9, 8, 3))
    windows = [Window(), Window(3, 2, 1, 1, 1, 1), Window(3, 2, 1, 1, 0, 1), Window()]
    for name in ("maximum", "add"):
        init = np.zeros((), type_.dtype)
        text = reduce_window_program(operand.shape, [type_], windows, apply(name))
        (expected,) = oracles.xla(text, operand, init)
        (result,) = evaluate(text, operand, init)
        assert_near(result, expected, 1e-6 if type_ is F32 else 0)


# select_and_scatter -------------------------------------------------------------------------------

SELECT: dict[str, Callable[[int, int], bool]] = {
    "GE": lambda a, b: a >= b,
    "GT": lambda a, b: a > b,
    "LE": lambda a, b: a <= b,
    "LT": lambda a, b: a < b,
}
SCATTER: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "maximum": max,
    "multiply": lambda a, b: a * b,
}


def selected_and_scattered(
    operand: Array, source: Array, init: int, windows: Sequence[Window], select: str, scatter: str
) -> Array:
    result = np.full(operand.shape, init, np.int64)
    for index in np.ndindex(source.shape):
        best: tuple[int, ...] | None = None
        for offset in itertools.product(*[range(w.size) for w in windows]):
            place = tuple(i * w.stride + k - w.low for i, k, w in zip(index, offset, windows, strict=True))
            if not all(0 <= i < size for i, size in zip(place, operand.shape, strict=True)):
                continue
            if best is None or not SELECT[select](int(operand[best]), int(operand[place])):
                best = place
        if best is not None:
            result[best] = SCATTER[scatter](int(result[best]), int(source[index]))
    return result


@settings(max_examples=80)
@given(
    cases(dilated=False), st.sampled_from(sorted(SELECT)), st.sampled_from(sorted(SCATTER)), st.integers(0, 3)
)
def test_select_and_scatter(
    case: tuple[list[int], list[Window], int], select: str, scatter: str, not_pointwise: int
) -> None:
    shape, windows, seed = case
    random = np.random.default_rng(seed)
    # Few values, so that ties are many.
    operand = random.integers(0, 3, shape).astype(np.int32)
    counts = [w.count(size) for w, size in zip(windows, shape, strict=True)]
    source, init = random.integers(-9, 9, counts).astype(np.int32), np.int32(random.integers(-3, 3))
    choose = through_reshape(comparing(select)) if not_pointwise == 1 else comparing(select)
    combine = through_reshape(apply(scatter)) if not_pointwise == 2 else apply(scatter)
    text = select_and_scatter_program(shape, I32, windows, choose, combine)
    (result,) = evaluate(text, operand, source, init)
    expected = selected_and_scattered(operand, source, int(init), windows, select, scatter)
    assert_modulo(result, expected, I32)


def test_select_and_scatter_in_blocks_of_rows() -> None:
    random = np.random.default_rng(5)
    shape = (5, 300, 300)
    windows = [Window(), Window(2, 1), Window(3, 2, high=1)]
    counts = [w.count(size) for w, size in zip(windows, shape, strict=True)]
    operand, source = (
        random.integers(0, 50, shape).astype(np.int32),
        random.integers(1, 9, counts).astype(np.int32),
    )
    text = select_and_scatter_program(shape, I32, windows, comparing("GE"), apply("add"))
    (result,) = evaluate(text, operand, source, np.int32(0))
    for row in range(shape[0]):
        one = hlokit.load(
            select_and_scatter_program(shape[1:], I32, windows[1:], comparing("GE"), apply("add"))
        )
        assert_same(result[row], one(operand[row], source[row], np.int32(0)))


def test_gradient_of_max_pooling_agrees_with_xla() -> None:
    random = np.random.default_rng(6)
    windows = [Window(), Window(3, 2, 1, 1, 1, 1), Window(2, 2, 1, 1, 0, 1), Window()]
    # No ties: among equal values XLA:CPU prefers now rows, now columns; the spec and ours the first one.
    operand = random.permutation(2 * 9 * 9 * 3).reshape(2, 9, 9, 3).astype(np.float32)
    counts = [w.count(size) for w, size in zip(windows, operand.shape, strict=True)]
    source = sample(random, F32, counts)
    text = select_and_scatter_program(operand.shape, F32, windows, comparing("GE"), apply("add"))
    (expected,) = oracles.xla(text, operand, source, np.float32(0))
    (result,) = evaluate(text, operand, source, np.float32(0))
    assert_near(result, expected, 1e-6)


def test_of_equal_values_the_reference_selects_the_same() -> None:
    random = np.random.default_rng(7)
    windows = [Window(3, 2, low=1, high=1), Window(2, 2, high=1)]
    operand, source = random.integers(0, 3, (7, 9)).astype(np.float32), sample(random, F32, (4, 5))
    text = select_and_scatter_program(operand.shape, F32, windows, comparing("GE"), apply("add"))
    (expected,) = oracles.reference(text, operand, source, np.float32(0))
    (result,) = evaluate(text, operand, source, np.float32(0))
    assert_same(result, expected)
