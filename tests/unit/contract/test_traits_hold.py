"""The kernel of each operation has the traits in the table of operations, on special values of every type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.errors import HlokitError
from hlokit.traits import table as traits
from hlokit.values.element_types import ELEMENT_TYPES
from reference.special_values import picked
from reference.tier_programs import CHLO, SIZE, STABLEHLO, TYPES, Applied, applied_to, spelled
from tests.generate.same import same
from tests.unit.plan.plans import plan_of

Array = npt.NDArray[Any]
FEW = ("f32", "bf16", "f64", "i32", "ui8", "i1", "complex<f32>", "i4")


def with_trait(trait: str, types: tuple[str, ...] = FEW) -> list[Any]:
    """The operations that have a trait, with a type each."""
    return [
        pytest.param(name, type_, id=f"{name} {type_}")
        for name in sorted(traits.having(trait))
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


@pytest.mark.parametrize(("name", "type_"), with_trait("commutative"))
def test_commutative_operations_commute(name: str, type_: str) -> None:
    lhs, rhs = picked((type_, type_), SIZE)
    for function, _ in kernels(name, type_):
        assert same(applied(function, lhs, rhs), applied(function, rhs, lhs))


@pytest.mark.parametrize(("name", "type_"), with_trait("idempotent"))
def test_idempotent_operations_return_equal_operands_unchanged(name: str, type_: str) -> None:
    (operand,) = picked((type_,), SIZE)
    if operand.dtype.kind == "c":  # a number with a NaN part becomes NaN in both parts
        operand = np.where(np.isnan(operand), operand.dtype.type(1), operand)
    for function, _ in kernels(name, type_):
        assert same(applied(function, operand, operand), operand)


@pytest.mark.parametrize(("name", "type_"), with_trait("projection", ("f32", "bf16", "f64", "i32", "i4")))
def test_projections_keep_their_results(name: str, type_: str) -> None:
    (operand,) = picked((type_,), SIZE)
    for function, _ in kernels(name, type_):
        once = applied(function, operand)
        assert same(applied(function, once), once)


@pytest.mark.parametrize(("name", "type_"), with_trait("even", ("f32", "bf16", "f64", "i32", "i4")))
def test_even_operations_ignore_signs(name: str, type_: str) -> None:
    (operand,) = picked((type_,), SIZE)
    for function, _ in kernels(name, type_):
        assert same(applied(function, operand), applied(function, np.asarray(-operand, operand.dtype)))


@pytest.mark.parametrize(
    ("name", "type_"), with_trait("extremum", ("f32", "bf16", "f64", "i32", "ui8", "i4"))
)
def test_extrema_are_operands(name: str, type_: str) -> None:
    operands = picked((type_, type_), SIZE)
    for function, _ in kernels(name, type_):
        for made, *given in zip(applied(function, *operands), *operands, strict=True):
            assert any(same(made, each) for each in given)


@pytest.mark.parametrize(("name", "type_"), with_trait("allocates"))
def test_results_that_are_said_to_be_fresh_share_no_memory(name: str, type_: str) -> None:
    for function, (_, _, types, _) in kernels(name, type_):
        operands = picked(types, SIZE)
        made = applied(function, *operands)
        assert not any(np.shares_memory(made, each) for each in operands)


@pytest.mark.parametrize(("name", "type_"), with_trait("elementwise"))
def test_elementwise_operations_work_element_by_element(name: str, type_: str) -> None:
    for function, (_, _, types, _) in kernels(name, type_):
        operands = picked(types, SIZE)
        flipped = [np.ascontiguousarray(each[::-1]) for each in operands]
        assert same(applied(function, *flipped), applied(function, *operands)[::-1])


# Operations that need a grid, specific operands (such as sizes), or a body that compares.
NOT_PROBED = traits.having("sizes", "collective", "applies", "tuple", "broadcasting")


@pytest.mark.parametrize("name", sorted(traits.having("moves") - NOT_PROBED))
def test_elements_of_results_are_those_of_operands(name: str) -> None:
    table = STABLEHLO if name.startswith("stablehlo.") else CHLO
    checked = 0
    for row in table[name.partition(".")[2]]:
        assert not isinstance(row, str)
        types, result = (side.replace("$", "i32").split(", ") for side in row[0].split(" -> "))
        arguments = ", ".join(f"%{index}: tensor<{type_}>" for index, type_ in enumerate(types))
        used = ", ".join(f"%{index}" for index in range(len(types)))
        shaped = f"({', '.join(f'tensor<{type_}>' for type_ in types)}) -> tensor<{result[0]}>"
        text = (
            f'func.func @main({arguments}) -> tensor<{result[0]}> {{\n%r = "{name}"({used}) {row[1]} : {shaped}\n'
            f"return %r : tensor<{result[0]}>\n}}"
        )
        low, _, high = traits.values("moves")[name].partition(":")
        moved = range(len(types))[slice(int(low or 0), int(high) if high else None)]
        operands = [numbered(index, type_, is_moved=index in moved) for index, type_ in enumerate(types)]
        try:
            made = hlokit.load(text)(*operands)
        except HlokitError:
            continue  # another alternative of the probe
        given = np.concatenate([operands[index].reshape(-1) for index in moved]).tolist()
        found = np.asarray(made).reshape(-1).tolist()
        assert set(found) <= set(given)
        assert "rearranges" not in traits.traits_of(name) or sorted(found) == sorted(given)
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
    assert {name for type_ in TYPES for name, *_ in applied_to(type_)} >= traits.having(
        "projection", "extremum"
    )
