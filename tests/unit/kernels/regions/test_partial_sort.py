"""Sorts of which only the first elements are used have the results of whole sorts, and only such sorts are
partial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
from hlokit.engine.contract import switches
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.plan.partial_sort import with_partial_sorts
from hlokit.values.element_types import BF16, F32, F64, I1, I4, I8, I32, UI16, UI64, ElementType, Kind
from tests.unit.engine.plan.plans import plan_of
from tests.unit.kernels.one_op import Array, assert_same, evaluate, tensor
from tests.unit.kernels.regions.test_sort import values_with_ties

TYPES = [F32, F64, BF16, I1, I4, I8, I32, UI16, UI64]


def program(
    shape: Sequence[int],
    dimension: int,
    type_: ElementType,
    direction: str,
    counts: Sequence[int],
    start: int,
) -> str:
    """Values and positions sorted together, and slices of `count` elements of each from `start` on."""
    scalar, whole = tensor((), type_), tensor(shape, type_)
    position, positions = tensor((), I32), tensor(shape, I32)
    kind = ", TOTALORDER" if direction.endswith("TOTALORDER") else ""
    results = [
        tensor((*shape[:dimension], count, *shape[dimension + 1 :]), each)
        for count, each in zip(counts, (type_, I32), strict=True)
    ]
    cuts = [
        ", ".join(
            f"{start}:{start + count}" if d == dimension else f"0:{size}" for d, size in enumerate(shape)
        )
        for count in counts
    ]
    return f"""
      func.func @main(%x: {whole}) -> ({results[0]}, {results[1]}) {{
        %i = stablehlo.iota dim = {dimension} : {positions}
        %s:2 = "stablehlo.sort"(%x, %i) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
        ^bb0(%a: {scalar}, %b: {scalar}, %p: {position}, %q: {position}):
          %c = stablehlo.compare {direction[:2]}, %a, %b{kind} : ({scalar}, {scalar}) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }}) : ({whole}, {positions}) -> ({whole}, {positions})
        %0 = stablehlo.slice %s#0 [{cuts[0]}] : ({whole}) -> {results[0]}
        %1 = stablehlo.slice %s#1 [{cuts[1]}] : ({positions}) -> {results[1]}
        return %0, %1 : {results[0]}, {results[1]}
      }}"""


WHOLE_SORTS = DEFAULTS._replace(partial_sort_ratio=1 << 40)


def both_ways(text: str, *operands: Array) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(switches.VARIABLE, raising=False)
        program = hlokit.load(text)
        actual = program(*operands)
        expected = program.with_thresholds(WHOLE_SORTS)(*operands)
    for one, other in zip(actual, expected, strict=True):
        assert_same(one, other)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=0, max_size=2),
    st.sampled_from([4, 5, 40, 63, 64, 65, 300, 1000]),
    st.integers(0, 2),
    st.sampled_from(TYPES),
    st.sampled_from(["LT", "GT", "LT TOTALORDER", "GT TOTALORDER", "GE", "NE"]),
    st.tuples(st.integers(0, 90), st.integers(0, 90)),
    st.booleans(),
    st.integers(0, 1 << 20),
)
def test_partial_sorts_are_parts_of_whole_sorts(
    others: list[int],
    size: int,
    place: int,
    type_: ElementType,
    direction: str,
    counts: tuple[int, int],
    has_nan: bool,
    seed: int,
) -> None:
    random = np.random.default_rng(seed)
    dimension = min(place, len(others))
    shape = (*others[:dimension], size, *others[dimension:])
    if type_.kind is not Kind.FLOAT:
        direction = direction[:2]
    operand = values_with_ties(random, type_, shape, nan=has_nan)
    if type_.kind is Kind.FLOAT and seed % 2:
        normal = random.standard_normal(shape).astype(type_.dtype)
        operand = np.where(random.random(shape) < 0.9, normal, operand)
    text = program(shape, dimension, type_, direction, [min(count, size) for count in counts], 0)
    both_ways(text, operand)


@pytest.mark.parametrize(
    "counts, start, is_partial",
    [((3, 2), 0, True), ((25, 1), 0, True), ((26, 1), 0, False), ((3, 2), 1, False), ((0, 0), 0, False)],
)
def test_sorts_that_become_partial_sorts(
    counts: tuple[int, int], start: int, is_partial: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(switches.VARIABLE, raising=False)
    text = program((2, 100), 1, F32, "GT TOTALORDER", counts, start)
    plan = plan_of(text)
    sort = next(step for step in with_partial_sorts(plan).steps if step.name == "stablehlo.sort")
    assert [str(type_) for type_ in sort.result_types] == (
        [f"tensor<2x{max(counts)}xf32>", f"tensor<2x{max(counts)}xi32>"]
        if is_partial
        else ["tensor<2x100xf32>", "tensor<2x100xi32>"]
    )


def test_a_sort_that_is_a_result_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(switches.VARIABLE, raising=False)
    text = program((100,), 0, F32, "LT", (3, 3), 0).replace("return %0, %1", "return %0, %s#1")
    text = text.replace(
        "return %0, %s#1 : tensor<3xf32>, tensor<3xi32>", "return %0, %s#1 : tensor<3xf32>, tensor<100xi32>"
    )
    text = text.replace("-> (tensor<3xf32>, tensor<3xi32>) {", "-> (tensor<3xf32>, tensor<100xi32>) {")
    plan = plan_of(text)
    assert with_partial_sorts(plan).slot_types == plan.slot_types
    values = np.random.default_rng(1).standard_normal(100).astype(np.float32)
    first, order = evaluate(text, values)
    np.testing.assert_array_equal(first, np.sort(values)[:3])
    np.testing.assert_array_equal(order, np.argsort(values, kind="stable"))
