"""Selects the operations that may be folded, and their operands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy.typing as npt

from hlokit.engine.contract.registry import registered_operations
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import having, traits_of
from hlokit.passes.simplification.support import is_integer
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

# Operations that the interpreter evaluates but that are not folded, with the reason.
NOT_FOLDED: Mapping[str, str] = {
    name: traits_of(name).not_folded for name in having(lambda traits: traits.not_folded)
}

# A body with only these operations is evaluated as part of its operation.
_WITHIN_REGIONS = having(
    lambda traits: traits.constant or traits.terminator or traits.tuples or traits.own_folding
) - {"stablehlo.set_dimension_size"}


@cache
def foldable_operations() -> tuple[str, ...]:
    """Names of the operations that are folded if their operands are constants."""
    dialects = ("stablehlo", "chlo")
    return tuple(
        name
        for name in registered_operations()
        if name.partition(".")[0] in dialects and name not in NOT_FOLDED
    )


@cache
def operations_within_regions() -> frozenset[str]:
    """Names of the operations that may occur in regions of a folded operation."""
    return _WITHIN_REGIONS | frozenset(foldable_operations())


def are_evaluated(regions: Iterable[ir.Region]) -> bool:
    """Whether all operations in regions may be evaluated as part of the operation that has the regions."""
    allowed = operations_within_regions()
    for region in regions:
        for block in region.blocks:
            for view in block.operations:
                operation = view.operation
                if operation.name not in allowed or _is_implementation_defined(operation):
                    return False
                if not are_evaluated(operation.regions):
                    return False
    return True


def _is_implementation_defined(operation: ir.Operation) -> bool:
    """Whether implementations may disagree about the results. (Operations in regions are not considered.)"""
    if not traits_of(operation.name).choices or not is_integer(operation.results[0]):
        return False
    return operation.name != "stablehlo.convert" or not is_integer(operation.operands[0])


def is_inexact(name: str, types: Sequence[TensorType]) -> bool:
    """Whether an operation computes floats in a way that may differ between implementations."""
    kinds = (Kind.FLOAT, Kind.COMPLEX, Kind.QUANTIZED)
    return not traits_of(name).folds and any(type_.element_type.kind in kinds for type_ in types)


def is_left_alone(operation: ir.Operation, types: Sequence[TensorType], is_splat: bool) -> bool:
    """Whether an operation should not be folded, or has no meaning.

    Args:
      types: the types of operands and results.
      is_splat: whether the first operand is a splat.
    """
    match operation.name:
        case "stablehlo.iota":  # It is smaller than its elements.
            return types[-1].size > 1
        case "stablehlo.reverse":  # An operation without effect is replaced by its operand elsewhere.
            axes = Attributes(operation).ints("dimensions")
            return is_splat or types[0].size <= 1 or all(types[0].dims[axis] == 1 for axis in axes)
        case "stablehlo.compare":  # compare_c3 of the spec, which the bindings do not verify
            compare_type = Attributes(operation).enum("compare_type", "NOTYPE")
            kind = types[0].element_type.kind
            signs = {Kind.SIGNED: "SIGNED", Kind.UNSIGNED: "UNSIGNED", Kind.BOOL: "UNSIGNED"}
            return compare_type != "NOTYPE" and signs.get(kind, compare_type) != compare_type
        case _:
            return False


def may_fold(
    name: str, types: Sequence[TensorType], operands: Sequence[Array], results: Sequence[Array]
) -> bool:
    """Whether every implementation would compute these results.

    Operations such as a division by zero stay in the program, for the machine that runs the program.
    """
    card = card_of(name)
    return card is None or card.guard is None or card.guard(types, operands, results)
