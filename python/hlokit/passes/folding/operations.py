"""Which operations may be folded, and on which operands."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.interpreter.registry import registered_operations
from hlokit.mlir.attributes import Attributes
from hlokit.mlir.bindings import ir
from hlokit.passes.simplification.support import is_integer
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

_PROCESSES = "its results depend on the process, or on others"
_EFFECTS = "it is there for its side effects"
_ORDER = "it orders others"
_STRUCTURE = "there are no constants of its types, or it has a pattern of its own"

# Operations that the interpreter evaluates and that are not folded, and why.
NOT_FOLDED: Mapping[str, str] = {
    **dict.fromkeys(("all_gather", "all_reduce", "all_to_all", "collective_broadcast"), _PROCESSES),
    **dict.fromkeys(("collective_permute", "collective_reduce", "cross-replica-sum"), _PROCESSES),
    **dict.fromkeys(("partition_id", "reduce_scatter", "replica_id"), _PROCESSES),
    **dict.fromkeys(("infeed", "outfeed", "recv", "send"), _EFFECTS),
    **dict.fromkeys(("after_all", "async_done", "async_start", "create_token"), _ORDER),
    "optimization_barrier": _ORDER,
    **dict.fromkeys(("constant", "get_tuple_element", "tuple"), _STRUCTURE),
    **dict.fromkeys(("case", "if", "get_dimension_size", "set_dimension_size"), _STRUCTURE),
    "composite": "consumers look for it by name",
    "custom_call": "what it does is not known",
    "rng": "its results are random",
    "rng_bit_generator": "which algorithm is the default, other implementations decide otherwise",
    "while": "it may never end",
}

# A body of these only is evaluated as a part of its operation.
_WITHIN_REGIONS = frozenset(
    (
        *("arith.constant", "chlo.constant", "chlo.return", "stablehlo.constant", "stablehlo.return"),
        *("stablehlo.case", "stablehlo.get_tuple_element", "stablehlo.if", "stablehlo.tuple"),
        "stablehlo.get_dimension_size",
    )
)

# Of integers, x/0, x**-1 and the conversion of large floats are what each implementation makes of them.
_CHOICES = frozenset(f"stablehlo.{name}" for name in ("convert", "divide", "power", "remainder"))

# Nothing is rounded, and no choice is left to an implementation: these are folded whatever the options say.
_EXACT = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("abs", "compare", "dynamic_slice", "is_finite", "negate", "reverse"),
        *("round_nearest_afz", "round_nearest_even", "transpose"),
    )
)


@cache
def foldable_operations() -> tuple[str, ...]:
    """Names of the operations that are folded if their operands are constants."""
    # It fills the registry. It takes long enough to wait until it is needed.
    import_module("hlokit.ops")
    dialects = ("stablehlo", "chlo")
    return tuple(
        name
        for name in registered_operations()
        if name.partition(".")[0] in dialects and name.partition(".")[2] not in NOT_FOLDED
    )


@cache
def operations_within_regions() -> frozenset[str]:
    """Names of the operations that may stand in regions of an operation that is folded."""
    return _WITHIN_REGIONS | frozenset(foldable_operations())


def are_evaluated(regions: Iterable[ir.Region]) -> bool:
    """Whether all operations within regions may be evaluated as a part of the operation that has them."""
    allowed = operations_within_regions()
    for region in regions:
        for block in region.blocks:
            for view in block.operations:
                operation = view.operation
                if operation.name not in allowed or _leaves_a_choice(operation):
                    return False
                if not are_evaluated(operation.regions):
                    return False
    return True


def _leaves_a_choice(operation: ir.Operation) -> bool:
    """Whether implementations may disagree about its results: within regions, nobody looks at them."""
    if operation.name not in _CHOICES or not is_integer(operation.results[0]):
        return False
    return operation.name != "stablehlo.convert" or not is_integer(operation.operands[0])


def is_inexact(name: str, types: Sequence[TensorType]) -> bool:
    """Whether an operation works with floats in a way that may differ between implementations."""
    kinds = (Kind.FLOAT, Kind.COMPLEX, Kind.QUANTIZED)
    return name not in _EXACT and any(type_.element_type.kind in kinds for type_ in types)


def is_left_alone(operation: ir.Operation, types: Sequence[TensorType], is_splat: bool) -> bool:
    """Operations that are as well as they are, or that mean nothing.

    Args:
      types: of operands and results.
      is_splat: whether the first operand is a splat.
    """
    match operation.name:
        case "stablehlo.iota":  # It is smaller than its elements.
            return types[-1].size > 1
        case "stablehlo.reverse":  # If it changes nothing, it becomes its operand elsewhere.
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
    """Whether the results are what every implementation would compute.

    Division by zero and the like are left in the program, where the machine that runs it decides.
    """
    guard = _GUARDS.get(name.removeprefix("stablehlo.").removeprefix("chlo.").removeprefix("broadcast_"))
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
    """Integers hold what a float is: it is in their range, and neither NaN nor -0."""
    source, target = types[0].element_type, types[-1].element_type
    if source.kind not in (Kind.FLOAT, Kind.COMPLEX) or not _is_integer(target):
        return True
    values: Array = np.real(_wide(operands[0])).astype(np.float64)
    whole = np.trunc(values)
    is_signed = target.kind is Kind.SIGNED
    # Powers of two, which floats hold; the largest integer need not be one.
    end = 2.0 ** (target.width - is_signed)
    least = -end if is_signed else 0.0
    is_negative_zero = (values == 0) & np.signbit(values)
    return bool(np.all((whole >= least) & (whole < end) & ~is_negative_zero))


def _is_defined(types: Sequence[TensorType], operands: Sequence[Array], results: Sequence[Array]) -> bool:
    """No poles, and nothing outside of the domain: finite where the operands are, a number where they are."""
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
    """In a dtype of NumPy's own, which has all functions."""
    return array if array.dtype.kind in "fc" else array.astype(np.float32)


def _is_integer(type_: ElementType) -> bool:
    return type_.kind.is_integer


_GUARDS: dict[str, Callable[[Sequence[TensorType], Sequence[Array], Sequence[Array]], bool]] = {
    "convert": _is_convertible,
    "divide": _divides_by_nonzero,
    "power": _power_is_defined,
    "remainder": _divides_by_nonzero,
    "sign": _sign_is_defined,
    **dict.fromkeys(("cholesky", "log", "log_plus_one", "rsqrt", "sqrt", "triangular_solve"), _is_defined),
    **dict.fromkeys(("acos", "acosh", "asin", "atanh", "digamma", "erf_inv", "lgamma"), _is_defined),
    **dict.fromkeys(("polygamma", "zeta"), _is_defined),
}
