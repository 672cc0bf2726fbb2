"""The kernel of each operation has the traits in the table of operations, on special values of every type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
from reference.tier_programs import SIZE, Applied, applied_to, probes_of, spelled
from tests.generate.same import same
from tests.unit.engine.plan.plans import plan_of

Array = npt.NDArray[Any]
Trait = Callable[[Traits], bool]
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


def cases(trait: Trait, types: tuple[str, ...] = FEW) -> list[Case]:
    """The element-wise operations with a trait, on arrays of each type: one case for each comparison."""
    names = having(trait)
    return [
        Case(name, operands, kernel_of(_function(row, operands)), picked(operands, SIZE))
        for type_ in types
        for row in applied_to(type_)
        for name, _, operands, result in [row]
        # A complex number consists of two operands of another type.
        if name in names and (type_ in operands or result == type_ == "complex<f32>")
    ]


def _function(row: Applied, operands: tuple[str, ...]) -> str:
    arguments = ", ".join(f"%{index}: tensor<{SIZE}x{kind}>" for index, kind in enumerate(operands))
    return f"func.func @main({arguments}) {{\n%r = {spelled(row, range(9))}\nreturn\n}}"


def wrong(trait: Trait, cases: list[Case], holds: Callable[[Case], bool]) -> list[str]:
    """The cases in which a trait does not hold, and the operations with the trait that have no case."""
    without = having(trait) - {case.name for case in cases}
    return [f"{name} has no case" for name in sorted(without)] + [
        str(case) for case in cases if not holds(case)
    ]


def commutative(traits: Traits) -> bool:
    return traits.commutative


def idempotent(traits: Traits) -> bool:
    return traits.idempotent


def projection(traits: Traits) -> bool:
    return traits.projection


def even(traits: Traits) -> bool:
    return traits.even


def extremum(traits: Traits) -> bool:
    return traits.extremum


def allocates(traits: Traits) -> bool:
    return traits.allocates


def elementwise(traits: Traits) -> bool:
    return traits.elementwise


def test_commutative_operations_commute() -> None:
    def commutes(case: Case) -> bool:
        lhs, rhs = case.operands
        return same(case.result(lhs, rhs), case.result(rhs, lhs))

    assert wrong(commutative, cases(commutative), commutes) == []


def test_idempotent_operations_return_equal_operands_unchanged() -> None:
    def keeps(case: Case) -> bool:
        operand, _ = case.operands
        if operand.dtype.kind == "c":  # a number with a NaN part becomes NaN in both parts
            operand = np.where(np.isnan(operand), operand.dtype.type(1), operand)
        return same(case.result(operand, operand), operand)

    assert wrong(idempotent, cases(idempotent), keeps) == []


def test_projections_keep_their_results() -> None:
    def keeps(case: Case) -> bool:
        once = case.result(*case.operands)
        return same(case.result(once), once)

    assert wrong(projection, cases(projection, SIGNED), keeps) == []


def test_even_operations_ignore_signs() -> None:
    def ignores(case: Case) -> bool:
        (operand,) = case.operands
        return same(case.result(operand), case.result(np.asarray(-operand, operand.dtype)))

    assert wrong(even, cases(even, SIGNED), ignores) == []


def test_extrema_are_operands() -> None:
    def selects(case: Case) -> bool:
        rows = zip(case.result(*case.operands), *case.operands, strict=True)
        return all(same(result, lhs) or same(result, rhs) for result, lhs, rhs in rows)

    assert wrong(extremum, cases(extremum, ORDERED), selects) == []


def test_results_that_are_said_to_be_fresh_share_no_memory() -> None:
    def is_fresh(case: Case) -> bool:
        result = case.result(*case.operands)
        return not any(np.shares_memory(result, operand) for operand in case.operands)

    assert wrong(allocates, [*cases(allocates), *contractions()], is_fresh) == []


def contractions() -> list[Case]:
    """The contractions that allocate, on the arrays of their probes."""
    probes = [
        (name, *probe(name, row))
        for name in sorted(having(lambda traits: traits.allocates and not traits.elementwise))
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

    assert wrong(elementwise, cases(elementwise), is_elementwise) == []


def test_wrong_traits_are_found() -> None:
    """A trait that does not hold, and an operation without a case."""
    subtractions = [case for case in cases(elementwise, ("f32",)) if case.name == "stablehlo.subtract"]
    assert wrong(projection, subtractions, lambda case: False)[-1] == "stablehlo.subtract f32 f32"
    assert "stablehlo.abs has no case" in wrong(projection, subtractions, lambda case: True)


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
