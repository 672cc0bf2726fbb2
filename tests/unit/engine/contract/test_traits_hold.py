"""The kernel of each operation has the traits in its card, on special values of every type."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.errors import HlokitError
from hlokit.operations.lookup import having, traits_of
from hlokit.values.element_types import ELEMENT_TYPES
from reference.special_values import picked
from reference.tier_programs import SIZE, Applied, applied_to, probes_of, spelled
from tests.generate.same import same
from tests.unit.engine.plan.plans import plan_of

Array = npt.NDArray[Any]
FEW = ("f32", "bf16", "f64", "i32", "ui8", "i1", "complex<f32>", "i4")
SIGNED = ("f32", "bf16", "f64", "i32", "i4")
ORDERED = (*SIGNED, "ui8")


@dataclass(frozen=True)
class Case:
    """The kernel of an operation with the types of its operands, and operands of special values."""

    name: str
    types: tuple[str, ...]
    kernel: Any
    operands: list[Array]

    def __str__(self) -> str:
        return f"{self.name} {' '.join(self.types)}"

    def result(self, *operands: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(self.kernel(*operands))


def kernel_of(text: str) -> Any:
    (step,) = plan_of(text).steps
    return step.kernel.function


def cases(names: Set[str], types: tuple[str, ...] = FEW) -> list[Case]:
    """Operations that are element-wise, on arrays of each type: one case for each comparison."""
    return [
        Case(row[0], row[2], kernel_of(_function(row)), picked(row[2], SIZE))
        for type_ in types
        for row in applied_to(type_)
        if row[0] in names and _is_of(type_, row)
    ]


def _is_of(type_: str, row: Applied) -> bool:
    """Whether the operands are of a type; a complex number consists of two operands of another type."""
    _, _, operands, result = row
    return type_ in operands or result == type_ == "complex<f32>"


def _function(row: Applied) -> str:
    arguments = ", ".join(f"%{index}: tensor<{SIZE}x{kind}>" for index, kind in enumerate(row[2]))
    return f"func.func @main({arguments}) {{\n%r = {spelled(row, range(9))}\nreturn\n}}"


def wrong(names: Set[str], cases: list[Case], holds: Callable[[Case], bool]) -> list[str]:
    """The cases in which a trait of operations does not hold, and the operations that have no case."""
    without = names - {case.name for case in cases}
    return [f"{name} has no case" for name in sorted(without)] + [
        str(case) for case in cases if not holds(case)
    ]


def test_commutative_operations_commute() -> None:
    def commutes(case: Case) -> bool:
        lhs, rhs = case.operands
        return same(case.result(lhs, rhs), case.result(rhs, lhs))

    names = having(lambda traits: traits.commutative)
    assert wrong(names, cases(names), commutes) == []


def test_idempotent_operations_return_equal_operands_unchanged() -> None:
    def keeps(case: Case) -> bool:
        operand, _ = case.operands
        if operand.dtype.kind == "c":  # a number with a NaN part becomes NaN in both parts
            operand = np.where(np.isnan(operand), operand.dtype.type(1), operand)
        return same(case.result(operand, operand), operand)

    names = having(lambda traits: traits.idempotent)
    assert wrong(names, cases(names), keeps) == []


def test_projections_keep_their_results() -> None:
    def keeps(case: Case) -> bool:
        once = case.result(*case.operands)
        return same(case.result(once), once)

    names = having(lambda traits: traits.projection)
    assert wrong(names, cases(names, SIGNED), keeps) == []


def test_even_operations_ignore_signs() -> None:
    def ignores(case: Case) -> bool:
        (operand,) = case.operands
        return same(case.result(operand), case.result(np.asarray(-operand, operand.dtype)))

    names = having(lambda traits: traits.even)
    assert wrong(names, cases(names, SIGNED), ignores) == []


def test_extrema_are_operands() -> None:
    def selects(case: Case) -> bool:
        rows = zip(case.result(*case.operands), *case.operands, strict=True)
        return all(same(result, lhs) or same(result, rhs) for result, lhs, rhs in rows)

    names = having(lambda traits: traits.extremum)
    assert wrong(names, cases(names, ORDERED), selects) == []


def test_results_that_are_said_to_be_fresh_share_no_memory() -> None:
    def is_fresh(case: Case) -> bool:
        result = case.result(*case.operands)
        return not any(np.shares_memory(result, operand) for operand in case.operands)

    names = having(lambda traits: traits.allocates)
    assert wrong(names, [*cases(names), *contractions()], is_fresh) == []


def contractions() -> list[Case]:
    """The contractions that allocate, on the arrays of their probes."""
    probes = [
        (name, *probe(name, row))
        for name in sorted(having(lambda traits: traits.allocates and traits.contraction))
        for row in probes_of(name)
    ]
    return [
        Case(name, types, kernel_of(text), [numbered(index, type_) for index, type_ in enumerate(types)])
        for name, text, types in probes
    ]


def test_elementwise_operations_work_element_by_element() -> None:
    def is_elementwise(case: Case) -> bool:
        flipped = [np.ascontiguousarray(operand[::-1]) for operand in case.operands]
        return same(case.result(*flipped), case.result(*case.operands)[::-1])

    names = having(lambda traits: traits.elementwise)
    assert wrong(names, cases(names), is_elementwise) == []


def test_wrong_traits_are_found() -> None:
    """A trait that does not hold, and an operation without a case."""
    subtractions = cases({"stablehlo.subtract"}, ("f32",))
    assert wrong({"stablehlo.subtract"}, subtractions, lambda case: False) == ["stablehlo.subtract f32 f32"]
    assert wrong({"stablehlo.no_such"}, subtractions, lambda case: True) == ["stablehlo.no_such has no case"]


def probe(name: str, row: Any) -> tuple[str, tuple[str, ...]]:
    """The program of a probe on i32, and the types of its arguments."""
    assert not isinstance(row, str)
    operands, result = (side.replace("$", "i32") for side in row[0].split(" -> "))
    types = tuple(operands.split(", "))
    result = result.partition(", ")[0]
    arguments = ", ".join(f"%{index}: tensor<{type_}>" for index, type_ in enumerate(types))
    used = ", ".join(f"%{index}" for index in range(len(types)))
    shaped = f"({', '.join(f'tensor<{type_}>' for type_ in types)}) -> tensor<{result}>"
    return (
        f'func.func @main({arguments}) -> tensor<{result}> {{\n%r = "{name}"({used}) {row[1]} : {shaped}\n'
        f"return %r : tensor<{result}>\n}}",
        types,
    )


# Operations that need a grid, specific operands (such as sizes), or a body that compares.
NOT_PROBED = having(
    lambda traits: traits.sizes or traits.collective or traits.applies or traits.tuples or traits.broadcasting
)


@pytest.mark.parametrize("name", sorted(having(lambda traits: traits.moves is not None) - NOT_PROBED))
def test_elements_of_results_are_those_of_operands(name: str) -> None:
    traits = traits_of(name)
    assert traits.moves is not None
    checked = 0
    for row in probes_of(name):
        text, types = probe(name, row)
        moved = range(len(types))[traits.moves]
        operands = [numbered(index, type_, is_moved=index in moved) for index, type_ in enumerate(types)]
        try:
            result = hlokit.load(text)(*operands)
        except HlokitError:
            continue  # another alternative of the probe
        sources = np.concatenate([operands[index].reshape(-1) for index in moved]).tolist()
        elements = np.asarray(result).reshape(-1).tolist()
        assert elements and set(elements) <= set(sources)
        assert not traits.rearranges or sorted(elements) == sorted(sources)
        checked += 1
    assert checked


def numbered(index: int, type_: str, *, is_moved: bool = True) -> Array:
    """A tensor of distinct numbers if the operation moves its elements, otherwise of zeros."""
    *dims, kind = type_.split("x")
    shape = tuple(map(int, dims))
    dtype = ELEMENT_TYPES[kind].dtype
    return (
        np.arange(100 * index + 7, 100 * index + 7 + int(np.prod(shape))).reshape(shape).astype(dtype)
        if is_moved
        else np.zeros(shape, dtype)
    )
