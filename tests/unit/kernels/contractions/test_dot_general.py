"""dot_general, dot and einsum against exact arithmetic, XLA and the C++ interpreter."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.errors import UnsupportedError
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F8E4M3FN,
    F8E5M2,
    F16,
    F32,
    F64,
    I1,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    UI4,
    UI8,
    UI16,
    UI32,
    UI64,
    ElementType,
    Kind,
)
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, program, sample, tensor

INTEGERS = (I2, I4, I8, I16, I32, I64, UI4, UI8, UI16, UI32, UI64)


@dataclass(frozen=True)
class Dot:
    """Shapes and dimension numbers of a dot_general."""

    lhs: tuple[int, ...]
    rhs: tuple[int, ...]
    batching: tuple[tuple[int, int], ...]
    contracting: tuple[tuple[int, int], ...]

    @property
    def attributes(self) -> str:
        def ints(side: int, pairs: tuple[tuple[int, int], ...]) -> str:
            return str([pair[side] for pair in pairs])

        return f"""dot_dimension_numbers = #stablehlo.dot<
            lhs_batching_dimensions = {ints(0, self.batching)},
            rhs_batching_dimensions = {ints(1, self.batching)},
            lhs_contracting_dimensions = {ints(0, self.contracting)},
            rhs_contracting_dimensions = {ints(1, self.contracting)}>"""

    @property
    def labels(self) -> tuple[list[int], list[int], list[int]]:
        """Of lhs, rhs and result for np.einsum."""
        lhs, rhs = list(range(len(self.lhs))), list(range(26, 26 + len(self.rhs)))
        for i, j in (*self.batching, *self.contracting):
            rhs[j] = i
        used = [pair[0] for pair in (*self.batching, *self.contracting)]
        result = [pair[0] for pair in self.batching]
        result += [label for label in lhs if label not in used]
        return lhs, rhs, result + [label for label in rhs if label >= 26]

    @property
    def result(self) -> tuple[int, ...]:
        lhs, rhs, result = self.labels
        sizes = dict(zip(lhs, self.lhs, strict=True)) | dict(zip(rhs, self.rhs, strict=True))
        return tuple(sizes[label] for label in result)

    def text(self, a: Array, b: Array, result: ElementType, extra: str = "") -> str:
        return program("dot_general", self.attributes + extra, [a, b], [tensor(self.result, result)])

    def exact(self, a: Array, b: Array) -> Array:
        """In Python's numbers."""
        if not prod(self.result) or not a.size or not b.size:
            return np.zeros(self.result, object)
        lhs, rhs, result = self.labels
        return np.asarray(np.einsum(_objects(a), lhs, _objects(b), rhs, result), object).reshape(self.result)


def _objects(array: Array) -> Array:
    items = [_exact_number(item) for item in array.ravel()]
    objects = np.empty(len(items), object)
    objects[:] = items
    return objects.reshape(array.shape)


def _exact_number(item: Any) -> Any:
    match np.asarray(item).dtype.kind:
        case "c":
            return mpmath.mpc(complex(item))
        case "b" | "i" | "u":
            return int(item)
        case _:
            number = float(item)
            return Fraction(number) if item.dtype not in ("int4", "uint4", "int2", "uint2") else int(number)


def matrices(rows: int, terms: int, columns: int) -> Dot:
    return Dot((rows, terms), (terms, columns), (), ((1, 0),))


@st.composite
def dots(draw: st.DrawFn, largest: int = 4) -> Dot:
    """Any number of batching, contracting and other dimensions, anywhere."""
    sizes = st.integers(0, largest) if draw(st.integers(0, 5)) == 0 else st.integers(1, largest)
    lhs: list[tuple[str, int]] = []
    rhs: list[tuple[str, int]] = []
    for kind in ("b", "c"):
        for index in range(draw(st.integers(0, 2))):
            dimension = (f"{kind}{index}", draw(sizes))
            lhs.append(dimension)
            rhs.append(dimension)
    lhs += [("l", draw(sizes)) for _ in range(draw(st.integers(0, 2)))]
    rhs += [("r", draw(sizes)) for _ in range(draw(st.integers(0, 2)))]
    lhs, rhs = draw(st.permutations(lhs)), draw(st.permutations(rhs))

    def pairs(kind: str) -> tuple[tuple[int, int], ...]:
        found = [
            (i, rhs.index(dimension)) for i, dimension in enumerate(lhs) if dimension[0].startswith(kind)
        ]
        return tuple(draw(st.permutations(found)))

    shapes = [tuple(size for _, size in side) for side in (lhs, rhs)]
    return Dot(shapes[0], shapes[1], pairs("b"), pairs("c"))


def wrapped(values: Array, type_: ElementType) -> Array:
    """Integers modulo a type's width."""
    modulus, low = 1 << type_.width, 1 << (type_.width - 1) if type_.kind is Kind.SIGNED else 0
    wide = np.int64 if type_.kind is Kind.SIGNED else np.uint64
    return np.vectorize(lambda value: (value + low) % modulus - low, [wide])(values).astype(type_.dtype)


@given(dots(), st.sampled_from((F32, F64, I32, I8, COMPLEX_F64)), st.integers(0, 9))
@settings(max_examples=120)
def test_dimension_numbers(dot: Dot, type_: ElementType, seed: int) -> None:
    random = np.random.default_rng(seed)
    # Small integers, whose sums are exact in every type.
    a, b = (random.integers(-2, 3, shape).astype(type_.dtype) for shape in (dot.lhs, dot.rhs))
    (actual,) = evaluate(dot.text(a, b, type_), a, b)
    assert_same(
        actual, np.einsum(a, dot.labels[0], b, *dot.labels[1:]).astype(type_.dtype).reshape(dot.result)
    )


@pytest.mark.parametrize("shape", [(2, 3, 2), (3, 700, 2), (2, 9000, 1)], ids=str)
@pytest.mark.parametrize("type_", INTEGERS, ids=str)
def test_integers_wrap(type_: ElementType, shape: tuple[int, int, int]) -> None:
    """From sums of a few terms to sums that no float holds."""
    dot = matrices(*shape)
    random = np.random.default_rng(0)
    a, b = sample(random, type_, dot.lhs), sample(random, type_, dot.rhs)
    exact = dot.exact(a, b)
    wide = I64 if type_.kind is Kind.SIGNED else UI64
    for result in (type_, I32, wide):
        (actual,) = evaluate(dot.text(a, b, result), a, b)
        assert_same(actual, wrapped(exact, result))


@pytest.mark.parametrize("bits", [1, 8, 20, 31, 40, 63])
def test_i64_of_few_bits(bits: int) -> None:
    """Each value takes as many parts as its size requires."""
    dot = matrices(5, 400, 3)
    random = np.random.default_rng(bits)
    a = random.integers(-(1 << bits), (1 << bits) - 1, dot.lhs, endpoint=True)
    b = random.integers(-(1 << 50), 1 << 50, dot.rhs)
    for lhs, rhs in ((a, b), (b.T.copy(), a.T.copy())):
        (actual,) = evaluate(matrices(lhs.shape[0], 400, rhs.shape[1]).text(lhs, rhs, I64), lhs, rhs)
        exact = matrices(lhs.shape[0], 400, rhs.shape[1]).exact(lhs, rhs)
        assert_same(actual, wrapped(exact, I64))


def test_extreme_i64() -> None:
    dot = matrices(2, 600, 2)
    a, b = np.full(dot.lhs, -(1 << 63)), np.full(dot.rhs, (1 << 63) - 1)
    (actual,) = evaluate(dot.text(a, b, I64), a, b)
    assert_same(actual, wrapped(dot.exact(a, b), I64))


@pytest.mark.parametrize("lhs, rhs", [(I8, UI8), (UI8, I8), (I1, I1), (I1, I8), (I4, I8)], ids=str)
def test_mixed_integers(lhs: ElementType, rhs: ElementType) -> None:
    for dot in (matrices(2, 3, 2), matrices(3, 2000, 2)):
        random = np.random.default_rng(0)
        a, b = sample(random, lhs, dot.lhs), sample(random, rhs, dot.rhs)
        (actual,) = evaluate(dot.text(a, b, I32), a, b)
        assert_same(actual, wrapped(dot.exact(a, b), I32))


def test_bools() -> None:
    dot = matrices(20, 3, 30)
    random = np.random.default_rng(0)
    a, b = sample(random, I1, dot.lhs), sample(random, I1, dot.rhs)
    (actual,) = evaluate(dot.text(a, b, I1), a, b)
    assert_same(actual, (a[:, :, None] & b[None]).any(1))


@pytest.mark.parametrize("type_", [BF16, F16, F8E4M3FN, F8E5M2], ids=str)
@pytest.mark.parametrize("terms", [1, 7, 300])
def test_narrow_floats_round_once(type_: ElementType, terms: int) -> None:
    """Products of two narrow floats are exact in f32; the sum is rounded to the result's type at the end."""
    dot = matrices(9, terms, 8)
    random = np.random.default_rng(terms)
    a, b = sample(random, type_, dot.lhs), sample(random, type_, dot.rhs)
    exact = dot.exact(a, b).astype(np.float64)
    (in_f32,) = evaluate(dot.text(a, b, F32), a, b)
    scale = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    assert np.all(np.abs(in_f32 - exact) <= 2.0**-22 * scale)
    (actual,) = evaluate(dot.text(a, b, type_), a, b)
    assert_same(actual, in_f32.astype(type_.dtype))


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("terms", [100, 4096])
def test_error_is_no_larger_than_that_of_pairwise_summation(type_: ElementType, terms: int) -> None:
    dot = matrices(6, terms, 6)
    random = np.random.default_rng(terms)
    a, b = random.random(dot.lhs).astype(type_.dtype), random.random(dot.rhs).astype(type_.dtype)
    exact = dot.exact(a, b)
    pairwise = np.sum((a[:, None, :] * b.T[None]).astype(type_.dtype), axis=2)

    def error(values: Array) -> float:
        differences = [
            float(Fraction(float(v)) - e) for v, e in zip(values.ravel(), exact.ravel(), strict=True)
        ]
        return float(np.sqrt(np.mean(np.square(differences))))

    (actual,) = evaluate(dot.text(a, b, type_), a, b)
    assert error(actual) <= 1.5 * error(pairwise)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("terms", [1, 5, 500])
def test_complex(type_: ElementType, terms: int) -> None:
    dot = matrices(4, terms, 3)
    random = np.random.default_rng(terms)
    a, b = sample(random, type_, dot.lhs), sample(random, type_, dot.rhs)
    exact = dot.exact(a, b).astype(np.complex128)
    (actual,) = evaluate(dot.text(a, b, type_), a, b)
    scale = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)
    assert np.all(np.abs(actual - exact) <= 4 * np.finfo(type_.dtype).eps * scale)


# Operand and result types that XLA supports in one dot_general.
MIXED = [
    (F32, F32, BF16),
    (F32, F32, I32),
    (F32, F32, F64),
    (F64, F64, F32),
    (F16, F16, F64),
    (BF16, F32, F32),
    (F8E4M3FN, F8E5M2, F32),
    (F8E4M3FN, F8E4M3FN, F8E4M3FN),
    (I8, F32, F32),
    (I32, I32, F32),
    (I32, I32, I8),
    (I32, I32, I64),
    (F32, COMPLEX_F32, COMPLEX_F32),
    (COMPLEX_F32, COMPLEX_F32, F32),
]


@pytest.mark.parametrize("lhs, rhs, result", MIXED, ids=str)
def test_mixed_types_against_xla(lhs: ElementType, rhs: ElementType, result: ElementType) -> None:
    dot = matrices(3, 5, 4)
    random = np.random.default_rng(0)
    a, b = sample(random, lhs, dot.lhs), sample(random, rhs, dot.rhs)
    text = dot.text(a, b, result)
    (actual,), (expected,) = evaluate(text, a, b), oracles.xla(text, a, b)
    if result.kind.is_integer:
        assert_same(actual, expected)
    else:
        assert_near(actual, expected, {BF16: 2.0**-8, F8E4M3FN: 2.0**-3}.get(result, 1e-6))


@pytest.mark.parametrize("type_", [F32, F64, I32, I64, UI8, I1], ids=str)
def test_against_the_reference_interpreter(type_: ElementType) -> None:
    dot = Dot((2, 3, 4), (4, 2, 5), ((0, 1),), ((2, 0),))
    random = np.random.default_rng(0)
    a, b = sample(random, type_, dot.lhs), sample(random, type_, dot.rhs)
    text = dot.text(a, b, type_)
    (actual,), (expected,) = evaluate(text, a, b), oracles.reference(text, a, b)
    if type_.kind is Kind.FLOAT:
        assert_near(actual, expected, 1e-6)
    else:
        assert_same(actual, expected)


def views(array: Array) -> list[Array]:
    """The same values in other places: Fortran order, every other element, backwards, read-only."""
    spread = np.repeat(array, 2, axis=-1)[..., ::2]
    backwards = array[::-1].copy()[::-1]
    constant = array.copy()
    constant.flags.writeable = False
    return [np.asfortranarray(array), spread, backwards, constant]


@pytest.mark.parametrize("type_", [F32, I32, I64, BF16, COMPLEX_F64], ids=str)
@pytest.mark.parametrize(
    "dot",
    [matrices(30, 40, 50), Dot((3, 30, 40), (3, 20, 40), ((0, 0),), ((2, 2),)), matrices(300, 1, 20)],
    ids=["matrices", "batch", "outer product"],
)
def test_memory_layout_does_not_matter(type_: ElementType, dot: Dot) -> None:
    random = np.random.default_rng(0)
    a = random.integers(-9, 9, dot.lhs).astype(type_.dtype)
    b = random.integers(-9, 9, dot.rhs).astype(type_.dtype)
    text = dot.text(a, b, type_)
    (expected,) = evaluate(text, a, b)
    kernel = hlokit.load(text)
    for lhs in views(a):
        for rhs in views(b):
            assert_same(kernel(lhs, rhs), expected)
    assert_same(kernel(np.broadcast_to(a[:1], a.shape), b), evaluate(text, a[:1].repeat(len(a), 0), b)[0])


def test_results_do_not_share_memory_with_operands() -> None:
    dot = Dot((4,), (), (), ())
    a, b = np.ones(4, np.float32), np.ones((), np.float32)
    (result,) = evaluate(dot.text(a, b, F32), a, b)
    assert not np.shares_memory(result, a)


# Algorithms --------------------------------------------------------------------------------------


def algorithm(precision: str, operations: int, accumulation: str = "f32") -> str:
    return f""", precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>],
      algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {precision}, rhs_precision_type = {precision},
        accumulation_type = {accumulation}, lhs_component_count = 1, rhs_component_count = 1,
        num_primitive_operations = {operations}, allow_imprecise_accumulation = false>"""


@pytest.mark.parametrize(
    "precision, operations, accumulation, error",
    [
        ("bf16", 1, "f32", 2.0**-8),
        ("bf16", 3, "f32", 2.0**-15),
        ("bf16", 6, "f32", 2.0**-22),
        ("tf32", 1, "f32", 2.0**-10),
        ("tf32", 3, "f32", 2.0**-20),
        ("f16", 1, "f32", 2.0**-10),
        ("f16", 1, "f16", 2.0**-9),
        ("bf16", 1, "bf16", 2.0**-7),
        ("f32", 1, "f32", 2.0**-22),
        ("f64", 1, "f64", 2.0**-23),
    ],
)
def test_algorithm_has_the_error_of_its_precision(
    precision: str, operations: int, accumulation: str, error: float
) -> None:
    dot = matrices(8, 30, 8)
    random = np.random.default_rng(0)
    a, b = (random.random(shape).astype(np.float32) + 0.5 for shape in (dot.lhs, dot.rhs))
    (actual,) = evaluate(dot.text(a, b, F32, algorithm(precision, operations, accumulation)), a, b)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    relative = np.abs(actual - exact) / exact
    assert relative.max() <= error
    if accumulation == "f32" and precision != "f32":
        assert relative.max() >= error / 200, "more precise than requested"


def test_algorithm_of_one_bf16_product_rounds_the_operands() -> None:
    dot = matrices(5, 20, 5)
    random = np.random.default_rng(0)
    a, b = sample(random, F32, dot.lhs), sample(random, F32, dot.rhs)
    (actual,) = evaluate(dot.text(a, b, F32, algorithm("bf16", 1)), a, b)
    narrow = [array.astype(BF16.dtype) for array in (a, b)]
    (expected,) = evaluate(dot.text(*narrow, F32), *narrow)
    assert_same(actual, expected)


def test_algorithm_with_infinities() -> None:
    """An infinity has no second component, and what infinity times a second component gives is left out."""
    dot = matrices(1, 2, 1)
    a, b = np.array([[np.inf, 1]], np.float32), np.array([[2.999], [3]], np.float32)
    for operations in (1, 3, 6):
        (actual,) = evaluate(dot.text(a, b, F32, algorithm("bf16", operations)), a, b)
        assert np.isposinf(actual[0, 0])


def test_algorithm_of_complex_operands_is_unsupported() -> None:
    dot = matrices(1, 1, 1)
    a = np.ones((1, 1), np.complex64)
    with pytest.raises(UnsupportedError, match="complex"):
        evaluate(dot.text(a, a, COMPLEX_F32, algorithm("bf16", 1)), a, a)


# Einsum ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("config", ["ab,bc->ac", "ba,bc->ca", "ab,ab->", "ab,cd->adbc", "aa,a->a", "ab,b->"])
@pytest.mark.parametrize("type_", [F32, F64, BF16, COMPLEX_F32, I4, I32, I64], ids=str)
def test_einsum(config: str, type_: ElementType) -> None:
    random = np.random.default_rng(0)
    inputs, output = config.split("->")
    lhs, rhs = inputs.split(",")
    a, b = (sample(random, type_, (3,) * len(labels)) for labels in (lhs, rhs))
    text = program("einsum", f'einsum_config = "{config}"', [a, b], [tensor((3,) * len(output), type_)])
    (actual,) = evaluate(text, a, b)
    exact = np.asarray(np.einsum(config, _objects(a), _objects(b)), object)
    if type_.kind.is_integer:
        assert_same(actual, wrapped(exact, type_))
    else:
        wide = np.complex128 if type_.kind is Kind.COMPLEX else np.float64
        assert_near(actual, exact.astype(wide).astype(type_.dtype), 2.0**-8 if type_ is BF16 else 1e-6)
