"""sort: each algorithm against Python's sort, comparators of many forms, and XLA."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.engine.contract.switches import VARIABLE
from hlokit.kernels.regions import sort as sort_module
from hlokit.kernels.regions.comparators import KeyComparator, find_keys
from hlokit.values.element_types import COMPLEX_F32, ELEMENT_TYPES, F32, F64, I8, I32, I64, ElementType, Kind
from hlokit.values.types import TensorType
from tests.unit.kernels.one_op import Array, assert_same, evaluate, sample
from tests.unit.kernels.regions.region_programs import Body, compare, comparing, sort_program, through_reshape

# f8E8M0FNU has neither 0 nor a sign.
TYPES = [
    type_
    for type_ in ELEMENT_TYPES.values()
    if type_.kind is not Kind.COMPLEX and type_.name not in ("index", "f8E8M0FNU")
]


def bits_of(value: Any, type_: ElementType) -> int:
    return int(value.view(type_.bits_dtype)) & ((1 << type_.width) - 1)


def total_order(value: Any, type_: ElementType) -> int:
    """IEEE 754-2019, totalOrder: sign and magnitude. As in XLA, the NaN of FNUZ types comes before all numbers."""
    bits = bits_of(value, type_)
    sign = 1 << (type_.width - 1)
    if bits == sign and type_.name.endswith("FNUZ"):
        return -(1 << type_.width)
    return -(bits - sign) - 1 if bits & sign else bits


def sorted_rows(
    operands: Sequence[Array], dimension: int, less: Callable[[list[Any], list[Any]], bool]
) -> list[Array]:
    """Python's stable sort of each slice."""
    moved = [np.moveaxis(operand, dimension, -1) for operand in operands]
    results = [np.empty_like(operand) for operand in moved]

    def order(lhs: list[Any], rhs: list[Any]) -> int:
        return -1 if less(lhs, rhs) else int(less(rhs, lhs))

    for index in np.ndindex(moved[0].shape[:-1]):
        elements = [[operand[(*index, i)] for operand in moved] for i in range(moved[0].shape[-1])]
        for i, element in enumerate(sorted(elements, key=cmp_to_key(order))):
            for result, value in zip(results, element, strict=True):
                result[(*index, i)] = value
    return [np.moveaxis(result, -1, dimension) for result in results]


def values_with_ties(
    random: np.random.Generator, type_: ElementType, shape: Sequence[int], *, nan: bool
) -> Array:
    """Few different values, -0 and +0 and infinities among them."""
    if type_.kind is not Kind.FLOAT:
        pool = sample(random, type_, (5,))
        return pool[random.integers(0, 5, shape)]
    special = [0.0, -0.0, 1.0, -1.5, 2.0, math.inf, -math.inf] + [math.nan, -math.nan] * nan
    return np.array(special)[random.integers(0, len(special), shape)].astype(type_.dtype)


shapes_and_dimension = st.lists(st.integers(0, 7), min_size=1, max_size=3).flatmap(
    lambda shape: st.tuples(st.just(shape), st.integers(-len(shape), len(shape) - 1))
)


@settings(max_examples=100)
@given(
    shapes_and_dimension,
    st.sampled_from(TYPES),
    st.sampled_from(["LT", "GT"]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 1 << 20),
)
def test_one_comparison(
    where: tuple[list[int], int], type_: ElementType, direction: str, total: bool, swapped: bool, seed: int
) -> None:
    shape, dimension = where
    random = np.random.default_rng(seed)
    total = total and type_.kind is Kind.FLOAT
    # Without TOTALORDER there is no right order of NaN; FNUZ types have NaN where others have -0.
    keys = values_with_ties(random, type_, shape, nan=total)
    if not total and type_.kind is Kind.FLOAT:
        keys = np.where(np.isnan(keys), np.zeros((), keys.dtype), keys)
    places = np.arange(keys.size, dtype=np.int32).reshape(shape)
    sides = {"lhs": "%b0", "rhs": "%a0"} if swapped else {}
    comparator = comparing(direction, total=total, **sides)
    results = evaluate(sort_program(shape, [type_, I32], dimension, comparator), keys, places)
    (alone,) = evaluate(sort_program(shape, [type_], dimension, comparator), keys)

    def less(lhs: list[Any], rhs: list[Any]) -> bool:
        if (direction == "GT") != swapped:
            lhs, rhs = rhs, lhs
        if total:
            return total_order(lhs[0], type_) < total_order(rhs[0], type_)
        return bool(np.float64(lhs[0]) < np.float64(rhs[0])) if type_.width < 32 else bool(lhs[0] < rhs[0])

    expected = sorted_rows([keys, places], dimension, less)
    assert_same(results[0], expected[0])
    assert_same(results[1], expected[1])
    assert_same(alone, expected[0])


# Comparators --------------------------------------------------------------------------------------


def jax_like(types: Sequence[TensorType]) -> str:
    """All keys, as JAX compares them: zeros and NaNs made the same first, then total order."""
    lines: list[str] = []
    parts: list[tuple[str, str, TensorType]] = []

    def canonical(name: str, type_: TensorType) -> str:
        lines.append(f"{name}_zero = stablehlo.constant dense<0.0> : {type_}")
        lines.append(f"{name}_nan = stablehlo.constant dense<0x7FC00000> : {type_}")
        lines.append(f"{name}_is_zero = {compare('EQ', name, f'{name}_zero', type_)}")
        lines.append(f"{name}_1 = stablehlo.select {name}_is_zero, {name}_zero, {name} : tensor<i1>, {type_}")
        lines.append(f"{name}_is_nan = {compare('NE', name, name, type_)}")
        lines.append(f"{name}_2 = stablehlo.select {name}_is_nan, {name}_nan, {name}_1 : tensor<i1>, {type_}")
        return f"{name}_2"

    for index, type_ in enumerate(types):
        a, b = f"%a{index}", f"%b{index}"
        if type_.element_type is F32:
            parts.append((canonical(a, type_), canonical(b, type_), type_))
        elif type_.element_type is COMPLEX_F32:
            for part in ("real", "imag"):
                for side in (a, b):
                    lines.append(f"{side}_{part} = stablehlo.{part} {side} : ({type_}) -> tensor<f32>")
                scalar = TensorType((), F32)
                parts.append((canonical(f"{a}_{part}", scalar), canonical(f"{b}_{part}", scalar), scalar))
        else:
            parts.append((a, b, type_))
    result = ""
    for number, (a, b, type_) in reversed(list(enumerate(parts))):
        lines.append(f"%less{number} = {compare('LT', a, b, type_, total=True)}")
        if not result:
            result = f"%less{number}"
            continue
        lines.append(f"%equal{number} = {compare('EQ', a, b, type_, total=True)}")
        lines.append(f"%both{number} = stablehlo.and %equal{number}, {result} : tensor<i1>")
        lines.append(f"%or{number} = stablehlo.or %less{number}, %both{number} : tensor<i1>")
        result = f"%or{number}"
    return "\n".join([*lines, f"stablehlo.return {result} : tensor<i1>"])


def by_select(types: Sequence[TensorType]) -> str:
    """Lexicographic, by select; the second key descending."""
    return f"""
      %equal = {compare("EQ", "%b0", "%a0", types[0])}
      %less = {compare("LT", "%a0", "%b0", types[0])}
      %then = {compare("LT", "%b1", "%a1", types[1])}
      %result = stablehlo.select %equal, %then, %less : tensor<i1>, tensor<i1>
      stablehlo.return %result : tensor<i1>"""


def by_difference(types: Sequence[TensorType]) -> str:
    """a - b < 0: no key."""
    return f"""
      %zero = stablehlo.constant dense<0> : {types[0]}
      %difference = stablehlo.subtract %a0, %b0 : {types[0]}
      %result = {compare("LT", "%difference", "%zero", types[0])}
      stablehlo.return %result : tensor<i1>"""


def by_other_functions(types: Sequence[TensorType]) -> str:
    """-a < b: functions of the two sides that are not one key."""
    return f"""
      %minus = stablehlo.negate %a0 : {types[0]}
      %result = {compare("LT", "%minus", "%b0", types[0])}
      stablehlo.return %result : tensor<i1>"""


def always(types: Sequence[TensorType]) -> str:
    del types
    return "%true = stablehlo.constant dense<true> : tensor<i1>\n stablehlo.return %true : tensor<i1>"


@pytest.fixture
def comparators(monkeypatch: pytest.MonkeyPatch) -> list[KeyComparator | None]:
    """The analysis of each comparator."""
    seen: list[KeyComparator | None] = []

    def spy(comparator: Any) -> KeyComparator | None:
        seen.append(find_keys(comparator))
        return seen[-1]

    monkeypatch.setattr(sort_module, "find_keys", spy)
    return seen


@pytest.mark.parametrize(
    "types", [[F32], [F32, I32], [I32, F32, I8], [COMPLEX_F32], [I64, I64, I64], [F32, F32, F32]], ids=str
)
def test_comparators_of_jax(types: list[ElementType], comparators: list[KeyComparator | None]) -> None:
    random = np.random.default_rng(1)
    shape = (40, 3)
    operands: list[Array] = []
    for type_ in types:
        if type_ is COMPLEX_F32:
            re, im = (values_with_ties(random, F32, shape, nan=True) for _ in range(2))
            operand = np.empty(shape, np.complex64)
            operand.real, operand.imag = re, im
        else:
            operand = values_with_ties(random, type_, shape, nan=True)
        operands.append(operand)
    places = np.arange(120, dtype=np.int32).reshape(shape)

    def body(scalars: Sequence[TensorType]) -> str:
        return jax_like(scalars[:-1])

    results = evaluate(sort_program(shape, [*types, I32], 0, body), *operands, places)
    assert comparators[0] is not None
    # XLA:CPU's result has the order that JAX guarantees.
    expected = oracles.xla(sort_program(shape, [*types, I32], 0, body), *operands, places)
    assert_same(results[-1], expected[-1])
    for operand, result in zip(operands, results, strict=False):
        assert_same(result, np.take_along_axis(operand, expected[-1] // 3, 0))


def test_keys_are_found(comparators: list[KeyComparator | None]) -> None:
    def keys(element_types: list[ElementType], body: Body) -> Any:
        operands = [np.zeros(4, type_.dtype) for type_ in element_types]
        evaluate(sort_program((4,), element_types, 0, body), *operands)
        found = comparators.pop()
        return None if found is None else [(key.is_descending, key.is_total) for key in found.keys]

    assert keys([F32], comparing("LT")) == [(False, False)]
    assert keys([F32], comparing("GT", total=True)) == [(True, True)]
    assert keys([F32], comparing("GT", lhs="%b0", rhs="%a0", total=True)) == [(False, True)]
    assert keys([I32, F64], comparing("GT", key=1, lhs="%a1", rhs="%b1")) == [(True, False)]
    assert keys([I32, I8], by_select) == [(False, False), (True, False)]
    assert keys([F32, I32], jax_like) == [(False, True), (False, False)]
    assert keys([I32], by_difference) is None
    assert keys([I32], always) is None
    assert keys([I32], comparing("LE")) is None
    assert keys([I32], through_reshape(comparing("LT"))) is None


def test_lexicographic_by_select() -> None:
    random = np.random.default_rng(2)
    operands = [values_with_ties(random, type_, (50,), nan=False) for type_ in (I32, I8)]
    places = np.arange(50, dtype=np.int32)
    results = evaluate(sort_program((50,), [I32, I8, I32], 0, by_select), *operands, places)
    expected = sorted(range(50), key=lambda i: (int(operands[0][i]), -int(operands[1][i])))
    assert results[2].tolist() == expected


@pytest.mark.parametrize("size", [2, 3, 7, 8, 9, 100, 1000])
@pytest.mark.parametrize("way", ["compiled", "arrays", "calls"])
def test_merge_sort_is_stable(
    size: int, way: str, comparators: list[KeyComparator | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "arrays":
        monkeypatch.setenv(VARIABLE, "native")
    body = through_reshape(by_difference) if way == "calls" else by_difference
    operand = np.random.default_rng(size).integers(0, 1 + size // 3, (3, size)).astype(np.int32)
    places = np.arange(3 * size, dtype=np.int32).reshape(3, size)
    results = evaluate(sort_program((3, size), [I32, I32], 1, body), operand, places)
    assert comparators == [None]
    order = np.argsort(operand, 1, kind="stable")
    assert_same(results[0], np.take_along_axis(operand, order, 1))
    assert_same(results[1], np.take_along_axis(places, order, 1))


@pytest.mark.parametrize("body", [always, by_other_functions, comparing("NE"), comparing("GE")])
@pytest.mark.parametrize("is_pointwise", [True, False])
def test_comparators_that_are_no_order_lose_nothing(body: Body, is_pointwise: bool) -> None:
    operand = np.random.default_rng(3).integers(-9, 9, (50,)).astype(np.int32)
    text = sort_program((50,), [I32], 0, body if is_pointwise else through_reshape(body))
    (result,) = evaluate(text, operand)
    assert sorted(result.tolist()) == sorted(operand.tolist())


# Packing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(
    "type_name, low, high",
    [
        ("i64", -(2**63), 2**63 - 1),
        ("i64", -5, 5),
        ("i64", 2**62, 2**62 + 99),
        ("ui64", 0, 2**64 - 1),
        ("i32", -(2**31), 2**31 - 1),
    ],
)
def test_wide_keys(rows: int, type_name: str, low: int, high: int) -> None:
    type_ = ELEMENT_TYPES[type_name]
    random = np.random.default_rng(4)
    pool = random.integers(low, high, 2000, dtype=type_.dtype.type, endpoint=True)  # pyright: ignore # any integer dtype
    keys = pool[random.integers(0, 2000, (rows, 3000))]
    places = np.broadcast_to(np.arange(3000, dtype=np.int32), keys.shape)
    results = evaluate(sort_program(keys.shape, [type_, I32], 1, comparing("LT")), keys, places)
    order = np.argsort(keys, 1, kind="stable")
    assert_same(results[0], np.take_along_axis(keys, order, 1))
    assert_same(results[1], order.astype(np.int32))


def test_wide_keys_without_ties() -> None:
    keys = np.random.default_rng(5).permutation(3000).astype(np.float64) - 0.5
    keys[::2] *= 1e200
    results = evaluate(
        sort_program((3000,), [F64, I32], 0, comparing("GT")), keys, np.arange(3000, dtype=np.int32)
    )
    assert_same(results[1], np.argsort(-keys).astype(np.int32))


def test_several_wide_keys() -> None:
    random = np.random.default_rng(6)
    columns = [random.integers(-(2**62), 2**62, 30)[random.integers(0, 30, 4000)] for _ in range(3)]
    places = np.arange(4000, dtype=np.int32)
    results = evaluate(
        sort_program((4000,), [I64, I64, I64, I32], 0, lambda t: jax_like(t[:3])), *columns, places
    )
    assert_same(results[3], np.lexsort(columns[::-1]).astype(np.int32))


def test_nan_is_last_in_either_direction() -> None:
    operand = np.array([3, np.nan, 1, -np.nan, 2, -np.inf, np.inf], np.float32)
    for direction, expected in (("LT", [-np.inf, 1, 2, 3, np.inf]), ("GT", [np.inf, 3, 2, 1, -np.inf])):
        (result,) = evaluate(sort_program((7,), [F32], 0, comparing(direction)), operand)
        assert_same(result[:5], np.array(expected, np.float32))
        assert_same(result[5:], operand[[1, 3]])


def test_captured_values_reach_comparators() -> None:
    text = """
      func.func @main(%x: tensor<5xi32>, %center: tensor<i32>) -> tensor<5xi32> {
        %0 = "stablehlo.sort"(%x) ({
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            %1 = stablehlo.xor %a, %center : tensor<i32>
            %2 = stablehlo.xor %b, %center : tensor<i32>
            %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %3 : tensor<i1>
        }) {dimension = 0 : i64} : (tensor<5xi32>) -> tensor<5xi32>
        return %0 : tensor<5xi32>
      }"""
    values = np.array([1, 2, 3, 4, 5], np.int32)
    assert hlokit.load(text)(values, 4).tolist() == [4, 5, 1, 2, 3]


def test_operands_are_not_written_to() -> None:
    operand = np.array([[3, 1], [2, 4]], np.int32)
    kept = operand.copy()
    for dimension in (0, 1):
        evaluate(sort_program((2, 2), [I32], dimension, comparing("LT")), operand)
        assert (operand == kept).all()
