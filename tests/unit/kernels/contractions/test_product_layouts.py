"""Products of real and complex arrays that lie in memory in any way, against sums in f64 and complex<f64>."""

from __future__ import annotations

from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64, ElementType, Kind
from tests.unit.kernels.contractions.test_convolution import Convolution, convolutions
from tests.unit.kernels.one_op import Array, Shape, assert_same, evaluate, program, tensor

TYPES = (F32, F64, COMPLEX_F32, COMPLEX_F64)
types = st.sampled_from(TYPES)


def whole_numbers(random: Random, shape: Shape, type_: ElementType) -> Array:
    """Values whose sums of products every type holds."""
    draw = np.random.default_rng(random.getrandbits(32))
    real, imaginary = draw.integers(-3, 4, (2, *(int(size) for size in shape)))
    values = real + 1j * imaginary if type_.kind is Kind.COMPLEX else real
    return values.astype(type_.dtype)


def laid_out(random: Random, values: Array) -> Array:
    """The values (of repeated dimensions, the first ones) within memory that contains other values, too."""
    array = np.asarray(values)[
        tuple(slice(None) if random.random() < 0.85 else slice(0, 1) for _ in values.shape)
    ]
    order = random.sample(range(array.ndim), array.ndim)
    steps = [random.choice((1, 1, 1, 2, 2, 3, 4, 8)) for _ in order]
    room = np.full(
        [max(array.shape[axis], 1) * step for axis, step in zip(order, steps, strict=True)], 77, array.dtype
    )
    view = room[(*(slice(None, None, random.choice((1, 1, -1)) * step) for step in steps), ...)]
    view = view[(*(slice(array.shape[axis]) for axis in order), ...)].transpose(np.argsort(order))
    view[...] = array
    view.flags.writeable = random.random() < 0.7
    return np.broadcast_to(view, values.shape)


def wide(array: Array) -> Array:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def dot_general(batch: int, rows: int, terms: int, columns: int, random: Random) -> tuple[str, str, str, str]:
    """Dimensions as letters, of both operands in any order: those of einsum, and the attributes."""
    letters = "bcd"[:batch], "ijk"[:rows], "tuv"[:terms], "xyz"[:columns]
    lhs = "".join(random.sample(letters[0] + letters[1] + letters[2], batch + rows + terms))
    rhs = "".join(random.sample(letters[0] + letters[2] + letters[3], batch + terms + columns))
    output = (
        letters[0] + "".join(x for x in lhs if x in letters[1]) + "".join(x for x in rhs if x in letters[3])
    )
    numbers = [
        f"{side}_{kind}_dimensions = {[names.index(x) for x in letters[which]]}"
        for kind, which in (("batching", 0), ("contracting", 2))
        for side, names in (("lhs", lhs), ("rhs", rhs))
    ]
    return lhs, rhs, output, f"dot_dimension_numbers = #stablehlo.dot<{', '.join(numbers)}>"


@given(*(st.integers(0, 2) for _ in range(4)), types, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_dot_general(
    batch: int, rows: int, terms: int, columns: int, type_: ElementType, random: Random
) -> None:
    lhs, rhs, output, attributes = dot_general(batch, rows, terms, columns, random)
    sizes = {x: random.choice((0, 1, 1, 2, 2, 3, 4, 5, 9, 17)) for x in "bcdijktuvxyz"}
    a, b = (laid_out(random, whole_numbers(random, [sizes[x] for x in names], type_)) for names in (lhs, rhs))
    text = program("dot_general", attributes, [a, b], [tensor([sizes[x] for x in output], type_)])
    (actual,) = evaluate(text, a, b)
    expected = np.einsum(f"{lhs},{rhs}->{output}", wide(a), wide(b)) + 0
    assert_same(actual + 0, expected.astype(type_.dtype))


@given(*(st.integers(0, 2) for _ in range(4)), types, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_einsum(batch: int, rows: int, terms: int, columns: int, type_: ElementType, random: Random) -> None:
    lhs, rhs, output, _ = dot_general(batch, rows, terms, columns, random)
    output = "".join(random.sample(output, len(output)))
    sizes = {x: random.choice((1, 1, 2, 2, 3, 4, 9)) for x in "bcdijktuvxyz"}
    a, b = (laid_out(random, whole_numbers(random, [sizes[x] for x in names], type_)) for names in (lhs, rhs))
    attributes = f'einsum_config = "{lhs},{rhs}->{output}"'
    text = program("einsum", attributes, [a, b], [tensor([sizes[x] for x in output], type_)])
    (actual,) = evaluate(text, a, b)
    expected = np.einsum(f"{lhs},{rhs}->{output}", wide(a), wide(b)) + 0
    assert_same(actual + 0, expected.astype(type_.dtype))


@given(convolutions(), types, st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_convolution(form: Convolution, type_: ElementType, random: Random) -> None:
    a, b = (laid_out(random, whole_numbers(random, shape, type_)) for shape in (form.lhs, form.rhs))
    (actual,) = evaluate(form.text(a, b, type_), a, b)
    assert_same(actual + 0, form.formula(wide(a), wide(b)).astype(type_.dtype) + 0)


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("step", [1, 2, 3, 4, 8, 16])
def test_operands_with_a_step(type_: ElementType, step: int) -> None:
    """NumPy 2.4 negates numbers that are 16 bytes (of f64: 64 bytes) apart wrongly, if results are apart, too."""
    random = Random(step)
    a, b = whole_numbers(random, (3, 40), type_), whole_numbers(random, (40 * step,), type_)[::step]
    numbers = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]"
    attributes = f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"
    text = program("dot_general", attributes, [a, b], [tensor((3,), type_)])
    (actual,) = evaluate(text, a, b)
    assert_same(actual + 0, (wide(a) @ wide(b)).astype(type_.dtype) + 0)


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("sizes", [(3, 1000, 5), (300, 400, 7), (5, 777, 260), (260, 30, 300)])
def test_more_than_a_block(type_: ElementType, sizes: tuple[int, int, int]) -> None:
    rows, terms, columns = sizes
    random = Random(prod(sizes))
    attributes = """dot_dimension_numbers = #stablehlo.dot<
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"""
    a, b = whole_numbers(random, (rows, terms), type_), whole_numbers(random, (terms, columns), type_)
    kernel = hlokit.load(program("dot_general", attributes, [a, b], [tensor((rows, columns), type_)]))
    for _ in range(4):
        x, y = laid_out(random, a), laid_out(random, b)
        assert_same(kernel(x, y) + 0, (wide(x) @ wide(y) + 0).astype(type_.dtype))
