"""`Bounds` of complex numbers, transforms, factorisations and batch norms: operands in their balls give results in
the balls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.operations.cards import cards
from hlokit.operations.cards.card import ByElement, Without
from hlokit.tools.bounds.reordered import Bounds
from unit.tools.bounds.test_bounds import bounded

DTYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}
COMPLEX = [name for name in DTYPES if name[0] == "c"]
# Results are of floats.
REAL = ("stablehlo.abs", "stablehlo.real", "stablehlo.imag")
PAIRS = ("add", "subtract", "multiply", "divide", "power")


def drawn(random: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Any:
    values = random.normal(size=shape) * 2
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.normal(size=shape) * 2
    return values.astype(dtype)


def near(random: np.random.Generator, value: Any, radius: Any, *, at_edge: bool) -> Any:
    """Values of the type within the radii; at the edge if possible."""
    step = radius * (1 if at_edge else random.uniform(0, 1, radius.shape))
    if value.dtype.kind == "c":
        moved = value + step * np.exp(2j * np.pi * random.uniform(size=radius.shape))
    else:
        moved = value + step * random.choice([-1, 1], radius.shape)
    moved = moved.astype(value.dtype)
    wide = np.complex128 if value.dtype.kind == "c" else np.float64
    return np.where(np.abs(moved.astype(wide) - value.astype(wide)) <= radius, moved, value)


def assert_in_balls(
    program: hlokit.Program,
    values: list[Any],
    radii: list[Any],
    tightness: float,
    seed: int = 0,
    finite: float = 1.0,
) -> None:
    """Assert that results of operands in their balls are in the results' balls, and that these balls are at
    most `tightness` times the observed distances."""
    random = np.random.default_rng(seed)
    bounds = Bounds(program, 4)
    for value, radius in zip(values, radii, strict=True):
        bounds._remember(value, radius)  # pyright: ignore[reportPrivateUsage] # arguments are exact otherwise
    results = program.runs.evaluate(values, "main", observer=bounds)
    allowed = [bounds.radius(result) for result in results]
    assert min(np.isfinite(each).mean() for each in allowed) >= finite, bounds.open
    seen = [np.zeros(np.shape(result)) for result in results]
    for attempt in range(24):
        moved = [
            near(random, value, radius, at_edge=attempt % 2 == 0)
            for value, radius in zip(values, radii, strict=True)
        ]
        for place, other in enumerate(program.runs.evaluate(moved, "main")):
            wide = np.complex128 if np.asarray(other).dtype.kind == "c" else np.float64
            distance = np.abs(np.asarray(other).astype(wide) - np.asarray(results[place]).astype(wide))
            with np.errstate(invalid="ignore"):
                good = (distance <= allowed[place]) | np.isinf(allowed[place])
            assert good.all(), (distance[~good], allowed[place][~good])
            seen[place] = np.maximum(seen[place], distance)
    for place, each in enumerate(seen):
        is_finite = np.isfinite(allowed[place])
        assert allowed[place][is_finite].max() <= tightness * each[is_finite].max()


OF_COMPLEX = sorted(
    card.name
    for card in cards()
    if isinstance(card.bound, ByElement) and not isinstance(card.bound.complex, Without)
)


@pytest.mark.parametrize("type_", COMPLEX)
@pytest.mark.parametrize("name", OF_COMPLEX)
def test_functions_of_complex_numbers(name: str, type_: str) -> None:
    count = 2 if name.partition(".")[2] in PAIRS else 1
    target = {"complex<f32>": "f32", "complex<f64>": "f64"}[type_] if name in REAL else type_
    if name == "stablehlo.convert":
        target = COMPLEX[1 - COMPLEX.index(type_)]
    arguments = ", ".join(f"%{i}: tensor<300x{type_}>" for i in range(count))
    operands = ", ".join(f"%{i}" for i in range(count))
    types = ", ".join([f"tensor<300x{type_}>"] * count)
    program = hlokit.load(
        f"func.func @main({arguments}) -> tensor<300x{target}> {{\n"
        f'  %r = "{name}"({operands}) : ({types}) -> tensor<300x{target}>\n  return %r : tensor<300x{target}>\n}}'
    )
    random = np.random.default_rng(3)
    values = [drawn(random, (300,), DTYPES[type_]) for _ in range(count)]
    radii = [np.abs(each).astype(np.float64) * 10 ** random.uniform(-7, -1.5, 300) for each in values]
    for radius in radii:
        radius[::7] = 0
    assert_in_balls(program, values, radii, tightness=300, finite=0.85)


def test_discs_on_a_branch_cut_have_no_bound() -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {\n  %r = stablehlo.log %x : tensor<4xcomplex<f32>>\n  return %r : tensor<4xcomplex<f32>>\n}"
    )
    x = np.array([-2 + 1e-4j, 2 + 1e-4j, -2 + 1j, 1e-4], np.complex64)
    _, radius = bounded(program, [x], [np.full(4, 1e-3)])
    assert np.isinf(radius).tolist() == [True, False, False, True]


FFTS = [
    *(("FFT", shape, lengths) for shape in ((3, 8), (2, 30), (2, 17), (2, 1009)) for lengths in (shape[1:],)),
    *(("IFFT", (3, 12), (12,)), ("FFT", (2, 4, 6), (4, 6)), ("IFFT", (2, 5, 9), (5, 9))),
    *(("RFFT", (3, 16), (16,)), ("RFFT", (2, 4, 15), (4, 15))),
    *(("IRFFT", (3, 9), (16,)), ("IRFFT", (2, 4, 8), (4, 15))),
]


@pytest.mark.parametrize("width", ["f32", "f64"])
@pytest.mark.parametrize(("kind", "shape", "lengths"), FFTS)
def test_transforms(kind: str, shape: tuple[int, ...], lengths: tuple[int, ...], width: str) -> None:
    source = width if kind == "RFFT" else f"complex<{width}>"
    target = width if kind == "IRFFT" else f"complex<{width}>"
    last = lengths[-1] // 2 + 1 if kind == "RFFT" else lengths[-1]
    result = f"tensor<{'x'.join(map(str, (*shape[:-1], last)))}x{target}>"
    operand = f"tensor<{'x'.join(map(str, shape))}x{source}>"
    program = hlokit.load(
        f"func.func @main(%x: {operand}) -> {result} {{\n"
        f"  %r = stablehlo.fft %x, type = {kind}, length = [{', '.join(map(str, lengths))}] : ({operand}) -> {result}\n"
        f"  return %r : {result}\n}}"
    )
    random = np.random.default_rng(5)
    value = drawn(random, shape, DTYPES[source])
    radius = np.abs(value).astype(np.float64) * 10 ** random.uniform(-6, -3, shape)
    # All elements at the edge, in the worst directions, are rare.
    assert_in_balls(program, [value], [radius], tightness=60)


@pytest.mark.parametrize("length", [7, 17, 64, 4099])
@pytest.mark.sample("64", "7", "17")
def test_the_rounding_of_transforms_is_within_the_bound(length: int) -> None:
    """A change far below the last place: what remains is the rounding, compared with a longer transform."""
    type_ = f"tensor<{length}xcomplex<f64>>"
    program = hlokit.load(
        f"func.func @main(%x: {type_}) -> {type_} {{\n  %r = stablehlo.fft %x, type = FFT, length = [{length}] : ({type_}) -> {type_}\n  return %r : {type_}\n}}"
    )
    value = drawn(np.random.default_rng(6), (length,), np.complex128)
    result, radius = bounded(program, [value], [np.full(length, 1e-300)])
    turns = np.arange(length)[:, None] * np.arange(length) % length
    angle = -2 * np.pi * turns.astype(np.longdouble) / length
    exact = (value * (np.cos(angle) + 1j * np.sin(angle))).sum(1)
    assert (np.abs(exact - result) <= radius).all()


SOLVES = [
    (left, lower, unit, transpose)
    for left in ("true", "false")
    for lower in ("true", "false")
    for unit, transpose in (("false", "NO_TRANSPOSE"), ("true", "TRANSPOSE"), ("false", "ADJOINT"))
]


@pytest.mark.parametrize("type_", DTYPES)
@pytest.mark.parametrize(("left", "lower", "unit", "transpose"), SOLVES)
def test_triangular_systems(left: str, lower: str, unit: str, transpose: str, type_: str) -> None:
    shape = (2, 6, 3) if left == "true" else (2, 3, 6)
    b_type = f"tensor<{'x'.join(map(str, shape))}x{type_}>"
    program = hlokit.load(
        f"func.func @main(%a: tensor<2x6x6x{type_}>, %b: {b_type}) -> {b_type} {{\n"
        f'  %r = "stablehlo.triangular_solve"(%a, %b) {{left_side = {left}, lower = {lower}, unit_diagonal = {unit}, transpose_a = #stablehlo<transpose {transpose}>}} : (tensor<2x6x6x{type_}>, {b_type}) -> {b_type}\n'
        f"  return %r : {b_type}\n}}"
    )
    random = np.random.default_rng(7)
    a = drawn(random, (2, 6, 6), DTYPES[type_]) / 4 + np.eye(6, dtype=DTYPES[type_]) * 3
    b = drawn(random, shape, DTYPES[type_])
    radii = [np.abs(each).astype(np.float64) * 10 ** random.uniform(-6, -3, each.shape) for each in (a, b)]
    assert_in_balls(program, [a, b], radii, tightness=300)


@pytest.mark.parametrize("type_", DTYPES)
@pytest.mark.parametrize("lower", ["true", "false"])
def test_factors_of_cholesky(lower: str, type_: str) -> None:
    matrix = f"tensor<2x6x6x{type_}>"
    program = hlokit.load(
        f"func.func @main(%a: {matrix}) -> {matrix} {{\n"
        f"  %r = stablehlo.cholesky %a, lower = {lower} : {matrix}\n  return %r : {matrix}\n}}"
    )
    random = np.random.default_rng(8)
    noise = drawn(random, (2, 6, 6), DTYPES[type_])
    a = noise @ np.conj(noise.swapaxes(-1, -2)) + 4 * np.eye(6, dtype=DTYPES[type_])
    radius = np.abs(a).astype(np.float64) * 10 ** random.uniform(-6, -5, a.shape)
    diagonal = np.arange(6)
    radius[..., diagonal, diagonal] = 0 if type_[0] == "c" else 1e-5  # real in Hermitian matrices
    assert_in_balls(program, [a], [radius], tightness=300)
    _, wide = bounded(program, [a], [radius * 1e5])
    assert np.isinf(wide).any()  # the matrix may be indefinite


NORMS = {
    "inference": ("5x6, 6, 6, 6, 6", "5x6"),
    "training": ("5x6, 6, 6", "5x6, 6, 6"),
    "grad": ("5x6, 6, 6, 6, 5x6", "5x6, 6, 6"),
}


@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("name", NORMS)
def test_batch_norms(name: str, type_: str) -> None:
    ins, outs = ([f"tensor<{each}x{type_}>" for each in some.split(", ")] for some in NORMS[name])
    arguments = ", ".join(f"%{i}: {each}" for i, each in enumerate(ins))
    results = ", ".join(f"%r#{i}" for i in range(len(outs))) if len(outs) > 1 else "%r"
    left = f"%r:{len(outs)}" if len(outs) > 1 else "%r"
    program = hlokit.load(
        f"func.func @main({arguments}) -> ({', '.join(outs)}) {{\n"
        f'  {left} = "stablehlo.batch_norm_{name}"({", ".join(f"%{i}" for i in range(len(ins)))}) {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}} : ({", ".join(ins)}) -> ({", ".join(outs)})\n'
        f"  return {results} : {', '.join(outs)}\n}}"
    )
    random = np.random.default_rng(9)
    shapes = [tuple(map(int, each.split("x"))) for each in NORMS[name][0].split(", ")]
    values = [drawn(random, shape, DTYPES[type_]) for shape in shapes]
    variance = {"inference": 4, "grad": 3}.get(name)
    if variance is not None:
        values[variance] = np.abs(values[variance]) + DTYPES[type_](0.5)
    radii = [np.abs(each).astype(np.float64) * 10 ** random.uniform(-6, -4, each.shape) for each in values]
    assert_in_balls(program, values, radii, tightness=300)
    # Sums of exact operands may still have another order; other results are the same bits.
    bounds = Bounds(program, 4)
    found = program.runs.evaluate(values, "main", observer=bounds)
    exact = [not bounds.radius(result).any() for result in found]
    assert exact == ([True] if name == "inference" else [False] * 3)


def test_products_in_another_order() -> None:
    text = """func.func @main(%x: tensor<3x50xf32>) -> tensor<3xf32> {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [1] : (tensor<3x50xf32>, tensor<f32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    program = hlokit.load(text)
    random = np.random.default_rng(4)
    x = random.uniform(0.5, 1.8, (3, 50)).astype(np.float32) * random.choice([-1, 1], (3, 50)).astype(
        np.float32
    )
    x[2, :20], x[2, 20:40] = 1e-4, 1e4  # the order decides whether it becomes 0
    assert_in_balls(program, [x[[0, 1, 1]]], [np.abs(x[[0, 1, 1]]).astype(np.float64) * 1e-5], tightness=60)
    result, radius = bounded(program, [x], [np.zeros(x.shape)])
    assert np.isinf(radius).tolist() == [False, False, True]
    for order in range(20):
        shuffled = x[:, np.random.default_rng(order).permutation(50)]
        one_by_one = np.multiply.reduce(shuffled, 1, dtype=np.float32)
        assert (np.abs(one_by_one - result)[:2] <= radius[:2]).all()
