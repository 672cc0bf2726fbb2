"""The kernel of each operation has the traits in its card, on special values of every type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.errors import HlokitError
from hlokit.operations.lookup import having, traits_of
from hlokit.operations.traits import Traits
from hlokit.values.element_types import ELEMENT_TYPES
from reference.special_values import picked
from reference.tier_programs import SIZE, TYPES, Applied, applied_to, probes_of, spelled
from tests.generate.same import same
from tests.unit.plan.plans import plan_of

Array = npt.NDArray[Any]
FEW = ("f32", "bf16", "f64", "i32", "ui8", "i1", "complex<f32>", "i4")


def with_trait(condition: Callable[[Traits], bool], types: tuple[str, ...] = FEW) -> list[Any]:
    """The operations whose traits satisfy a condition, with a type each."""
    return [
        pytest.param(name, type_, id=f"{name} {type_}")
        for name in sorted(having(condition))
        for type_ in types
    ]


def kernels(name: str, type_: str) -> Iterator[tuple[Any, Applied]]:
    """The kernels of an operation on arrays of a type: one for each comparison, none if it does not verify."""
    for applied in applied_to(type_):
        if applied[0] == name and applied[2][0] in (type_, "i1"):
            arguments = ", ".join(f"%{index}: tensor<{SIZE}x{kind}>" for index, kind in enumerate(applied[2]))
            (step,) = plan_of(
                f"func.func @main({arguments}) {{\n%r = {spelled(applied, range(9))}\nreturn\n}}"
            ).steps
            yield step.kernel.function, applied


def applied(function: Any, *operands: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(function(*operands))


@pytest.mark.parametrize(("name", "type_"), with_trait(lambda traits: traits.commutative))
def test_commutative_operations_commute(name: str, type_: str) -> None:
    lhs, rhs = picked((type_, type_), SIZE)
    for function, _ in kernels(name, type_):
        assert same(applied(function, lhs, rhs), applied(function, rhs, lhs))


@pytest.mark.parametrize(("name", "type_"), with_trait(lambda traits: traits.idempotent))
def test_idempotent_operations_return_equal_operands_unchanged(name: str, type_: str) -> None:
    (operand,) = picked((type_,), SIZE)
    if operand.dtype.kind == "c":  # a number with a NaN part becomes NaN in both parts
        operand = np.where(np.isnan(operand), operand.dtype.type(1), operand)
    for function, _ in kernels(name, type_):
        assert same(applied(function, operand, operand), operand)


@pytest.mark.parametrize(
    ("name", "type_"), with_trait(lambda traits: traits.projection, ("f32", "bf16", "f64", "i32", "i4"))
)
def test_projections_keep_their_results(name: str, type_: str) -> None:
    (operand,) = picked((type_,), SIZE)
    for function, _ in kernels(name, type_):
        once = applied(function, operand)
        assert same(applied(function, once), once)


@pytest.mark.parametrize(
    ("name", "type_"), with_trait(lambda traits: traits.even, ("f32", "bf16", "f64", "i32", "i4"))
)
def test_even_operations_ignore_signs(name: str, type_: str) -> None:
    (operand,) = picked((type_,), SIZE)
    for function, _ in kernels(name, type_):
        assert same(applied(function, operand), applied(function, np.asarray(-operand, operand.dtype)))


@pytest.mark.parametrize(
    ("name", "type_"), with_trait(lambda traits: traits.extremum, ("f32", "bf16", "f64", "i32", "ui8", "i4"))
)
def test_extrema_are_operands(name: str, type_: str) -> None:
    operands = picked((type_, type_), SIZE)
    for function, _ in kernels(name, type_):
        for made, *given in zip(applied(function, *operands), *operands, strict=True):
            assert any(same(made, each) for each in given)


@pytest.mark.parametrize(("name", "type_"), with_trait(lambda traits: traits.allocates))
def test_results_that_are_said_to_be_fresh_share_no_memory(name: str, type_: str) -> None:
    for function, (_, _, types, _) in kernels(name, type_):
        operands = picked(types, SIZE)
        made = applied(function, *operands)
        assert not any(np.shares_memory(made, each) for each in operands)


@pytest.mark.parametrize(("name", "type_"), with_trait(lambda traits: traits.elementwise))
def test_elementwise_operations_work_element_by_element(name: str, type_: str) -> None:
    for function, (_, _, types, _) in kernels(name, type_):
        operands = picked(types, SIZE)
        flipped = [np.ascontiguousarray(each[::-1]) for each in operands]
        assert same(applied(function, *flipped), applied(function, *operands)[::-1])


# Operations that need a grid, specific operands (such as sizes), or a body that compares.
NOT_PROBED = having(
    lambda traits: traits.sizes or traits.collective or traits.applies or traits.tuples or traits.broadcasting
)


@pytest.mark.parametrize("name", sorted(having(lambda traits: traits.moves is not None) - NOT_PROBED))
def test_elements_of_results_are_those_of_operands(name: str) -> None:
    checked = 0
    for row in probes_of(name):
        assert not isinstance(row, str)
        types, result = (side.replace("$", "i32").split(", ") for side in row[0].split(" -> "))
        arguments = ", ".join(f"%{index}: tensor<{type_}>" for index, type_ in enumerate(types))
        used = ", ".join(f"%{index}" for index in range(len(types)))
        shaped = f"({', '.join(f'tensor<{type_}>' for type_ in types)}) -> tensor<{result[0]}>"
        text = (
            f'func.func @main({arguments}) -> tensor<{result[0]}> {{\n%r = "{name}"({used}) {row[1]} : {shaped}\n'
            f"return %r : tensor<{result[0]}>\n}}"
        )
        moved = range(len(types))[traits_of(name).moves or slice(0)]
        operands = [numbered(index, type_, is_moved=index in moved) for index, type_ in enumerate(types)]
        try:
            made = hlokit.load(text)(*operands)
        except HlokitError:
            continue  # another alternative of the probe
        given = np.concatenate([operands[index].reshape(-1) for index in moved]).tolist()
        found = np.asarray(made).reshape(-1).tolist()
        assert set(found) <= set(given)
        assert not traits_of(name).rearranges or sorted(found) == sorted(given)
        checked += 1
    assert checked


def numbered(index: int, type_: str, *, is_moved: bool) -> Array:
    """A tensor of distinct numbers if the operation moves its elements, otherwise of zeros."""
    *dims, kind = type_.split("x")
    shape = tuple(map(int, dims))
    dtype = ELEMENT_TYPES[kind].dtype
    return (
        np.arange(100 * index + 7, 100 * index + 7 + int(np.prod(shape))).reshape(shape).astype(dtype)
        if is_moved
        else np.zeros(shape, dtype)
    )


def test_every_operation_with_a_kernel_is_there() -> None:
    assert {name for type_ in TYPES for name, *_ in applied_to(type_)} >= having(
        lambda traits: traits.projection or traits.extremum
    )
