"""Selects the operations that may be folded, and their operands."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.contract.registry import registered_operations
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.passes.simplification.support import is_integer
from hlokit.traits.table import has, having, mnemonics
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

_STRUCTURE = "its types have no constants, or it has a pattern of its own"

# Operations that the interpreter evaluates but that are not folded, with the reason.
NOT_FOLDED: Mapping[str, str] = {
    **dict.fromkeys(having("collective", "process_id"), "its results depend on processes"),
    **dict.fromkeys(having("channel", "feed"), "its purpose is its side effects"),
    **dict.fromkeys(having("async", "ordering"), "it orders other operations"),
    **dict.fromkeys(having("own_folding", "tuple", "constant"), _STRUCTURE),
    **dict.fromkeys(having("foreign"), "its semantics are unknown"),
    **dict.fromkeys(having("random"), "its results are random"),
    "stablehlo.composite": "consumers look for it by name",
    "stablehlo.optimization_barrier": "it orders other operations",
    "stablehlo.rng_bit_generator": "implementations have different default algorithms",
    "stablehlo.while": "it may never end",
}

# A body with only these operations is evaluated as part of its operation.
_WITHIN_REGIONS = having("constant", "terminator", "tuple", "own_folding") - {"stablehlo.set_dimension_size"}


@cache
def foldable_operations() -> tuple[str, ...]:
    """Names of the operations that are folded if their operands are constants."""
    # The import fills the registry. It is slow, and therefore deferred to the first use.
    import_module("hlokit.ops")
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
    if not has(operation.name, "choices") or not is_integer(operation.results[0]):
        return False
    return operation.name != "stablehlo.convert" or not is_integer(operation.operands[0])


def is_inexact(name: str, types: Sequence[TensorType]) -> bool:
    """Whether an operation computes floats in a way that may differ between implementations."""
    kinds = (Kind.FLOAT, Kind.COMPLEX, Kind.QUANTIZED)
    return not has(name, "folds") and any(type_.element_type.kind in kinds for type_ in types)


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
    plain = name.partition(".")[2].removeprefix("broadcast_")
    guard = _GUARDS.get(plain) or (_is_defined if plain in mnemonics("partial") else None)
    return guard is None or guard(types, operands, results)


def _divides_by_nonzero(types: Sequence[TensorType], operands: Sequence[Array], _: Sequence[Array]) -> bool:
    return not _is_integer(types[0].element_type) or bool(np.all(operands[1] != 0))


def _power_is_defined(
    types: Sequence[TensorType], operands: Sequence[Array], results: Sequence[Array]
) -> bool:
    if _is_integer(types[0].element_type):
        return types[1].element_type.kind is Kind.UNSIGNED or bool(np.all(operands[1] >= 0))
    return _is_defined(types, operands, results)


def _sign_is_defined(types: Sequence[TensorType], operands: Sequence[Array], _: Sequence[Array]) -> bool:
    return types[0].element_type.kind is not Kind.FLOAT or not np.any(np.isnan(_wide(operands[0])))


def _is_convertible(types: Sequence[TensorType], operands: Sequence[Array], _: Sequence[Array]) -> bool:
    """Whether the conversion of floats to integers is fully specified: in range, and neither NaN nor -0."""
    source, target = types[0].element_type, types[-1].element_type
    if source.kind not in (Kind.FLOAT, Kind.COMPLEX) or not _is_integer(target):
        return True
    values: Array = np.real(_wide(operands[0])).astype(np.float64)
    whole = np.trunc(values)
    is_signed = target.kind is Kind.SIGNED
    # The bounds are powers of two, which floats represent exactly; the largest integer may not be
    # representable.
    end = 2.0 ** (target.width - is_signed)
    least = -end if is_signed else 0.0
    is_negative_zero = (values == 0) & np.signbit(values)
    return bool(np.all((whole >= least) & (whole < end) & ~is_negative_zero))


def _is_defined(types: Sequence[TensorType], operands: Sequence[Array], results: Sequence[Array]) -> bool:
    """Whether no operand is a pole or outside of the domain: results are finite, or not NaN, if operands
    are."""
    if not all(type_.element_type.kind in (Kind.FLOAT, Kind.COMPLEX) for type_ in types):
        return True
    inputs = [_wide(operand) for operand in operands]
    for result in map(_wide, results):
        finite, numbers = np.isfinite(result), ~np.isnan(result)
        if all(value.shape in ((), result.shape) for value in inputs):
            were_finite = np.logical_and.reduce([*np.broadcast_arrays(*map(np.isfinite, inputs))])
            were_numbers = np.logical_and.reduce([*np.broadcast_arrays(*(~np.isnan(v) for v in inputs))])
        else:
            were_finite = all(np.isfinite(value).all() for value in inputs)
            were_numbers = not any(np.isnan(value).any() for value in inputs)
        if np.any(were_finite & ~finite) or np.any(were_numbers & ~numbers):
            return False
    return True


def _wide(array: Array) -> Array:
    """The array in one of NumPy's own dtypes, which support all functions."""
    return array if array.dtype.kind in "fc" else array.astype(np.float32)


def _is_integer(type_: ElementType) -> bool:
    return type_.kind.is_integer


_GUARDS: dict[str, Callable[[Sequence[TensorType], Sequence[Array], Sequence[Array]], bool]] = {
    "convert": _is_convertible,
    "divide": _divides_by_nonzero,
    "power": _power_is_defined,
    "remainder": _divides_by_nonzero,
    "sign": _sign_is_defined,
}
