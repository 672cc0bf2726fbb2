"""The part of the arith dialect for shape computations: StableHLO's operations under other names.

Operands are tensors, or scalars of types such as `index`, which are values of rank 0 here. Integers are
signless; an operation on unsigned integers receives the bits of its operands as unsigned integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Constant, Kernel, Operation, Value, find
from hlokit.errors import InternalError, UnsupportedError
from hlokit.kernels.elementwise.blocked_kernels import DType
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.types import OpaqueType, TensorType, ValueType

_SAME = {
    "addf": "add",
    "addi": "add",
    "andi": "and",
    "divf": "divide",
    "divsi": "divide",
    "maximumf": "maximum",
    "maxsi": "maximum",
    "minimumf": "minimum",
    "minsi": "minimum",
    "mulf": "multiply",
    "muli": "multiply",
    "negf": "negate",
    "ori": "or",
    "remf": "remainder",
    "remsi": "remainder",
    "select": "select",
    "shli": "shift_left",
    "shrsi": "shift_right_arithmetic",
    "shrui": "shift_right_logical",
    "subf": "subtract",
    "subi": "subtract",
    "xori": "xor",
}
_UNSIGNED = {"divui": "divide", "maxui": "maximum", "minui": "minimum", "remui": "remainder"}
# Modulo 2, addition is exclusive or.
_OF_BOOLS = {"addi": "xor", "subi": "xor", "muli": "and"}


def tensor_type(type_: ValueType) -> TensorType:
    """The type of a tensor; for a scalar, a tensor type of rank 0."""
    if isinstance(type_, TensorType):
        return type_
    element_type = ELEMENT_TYPES.get(type_.spelling) if isinstance(type_, OpaqueType) else None
    if element_type is None:
        raise UnsupportedError(f"hlokit does not evaluate values of type {type_}")
    return TensorType((), element_type)


def _bind(operation: Operation, name: str, operands: tuple[TensorType, ...], result: TensorType) -> Kernel:
    bind = find(f"stablehlo.{name}")
    changed = operation._replace(name=f"stablehlo.{name}", operand_types=operands, result_types=(result,))
    kernel = None if bind is None else bind(changed)
    if not isinstance(kernel, Kernel):
        raise InternalError(f"stablehlo.{name} has no kernel")
    return kernel


def _types(operation: Operation) -> tuple[tuple[TensorType, ...], TensorType]:
    return tuple(map(tensor_type, operation.operand_types)), tensor_type(operation.result_types[0])


def _unsigned(type_: ElementType) -> ElementType:
    """The unsigned type of the same width."""
    if type_.kind is not Kind.SIGNED:
        return type_
    return ELEMENT_TYPES[f"ui{type_.width}"]


def _pointwise(function: Callable[[Value], Value] | Callable[[Value, Value], Value]) -> Kernel:
    return Kernel(function, pointwise=True)


def same(operation: Operation) -> Kernel:
    """The StableHLO operation of the corresponding name."""
    operands, result = _types(operation)
    name = operation.name.removeprefix("arith.")
    if result.element_type.kind is Kind.BOOL:
        return _bind(operation, _OF_BOOLS.get(name, _SAME[name]), operands, result)
    return _bind(operation, _SAME[name], operands, result)


def unsigned(operation: Operation) -> Kernel:
    """The StableHLO operation on the bits as unsigned integers."""
    operands, result = _types(operation)
    type_ = _unsigned(result.element_type)
    as_unsigned = tuple(TensorType(operand.shape, type_) for operand in operands)
    name = _UNSIGNED[operation.name.removeprefix("arith.")]
    function = _bind(operation, name, as_unsigned, TensorType(result.shape, type_)).function
    dtype = result.element_type.dtype

    def kernel(lhs: Value, rhs: Value) -> Value:
        return function(lhs.view(type_.dtype), rhs.view(type_.dtype)).view(dtype)

    return Kernel(kernel, pointwise=True)


def conversion(operation: Operation) -> Kernel:
    """StableHLO's "convert"; a sign-extended true is -1."""
    (operand,), result = _types(operation)
    kernel = _bind(operation, "convert", (operand,), result)
    if operand.element_type.kind is not Kind.BOOL or operation.name not in ("arith.extsi", "arith.sitofp"):
        return kernel
    function = kernel.function
    return _pointwise(lambda value: -function(value))


def unsigned_conversion(operation: Operation) -> Kernel:
    """StableHLO's "convert" of the bits as unsigned integers."""
    (operand,), result = _types(operation)
    type_ = _unsigned(operand.element_type)
    function = _bind(operation, "convert", (TensorType(operand.shape, type_),), result).function
    return _pointwise(lambda value: function(value.view(type_.dtype)))


def bitcast(operation: Operation) -> Kernel:
    """The same bits as a value of another type."""
    _, result = _types(operation)
    dtype = result.element_type.dtype
    return _pointwise(lambda value: value.view(dtype))


def constant(operation: Operation) -> Constant:
    """result = value."""
    if isinstance(operation.result_types[0], TensorType):
        return Constant(operation.attributes.elements("value"))
    element_type = tensor_type(operation.result_types[0]).element_type
    attributes = operation.attributes
    dtype: DType = element_type.dtype
    if element_type.kind is Kind.FLOAT:
        return Constant(dtype.type(attributes.float_("value")))
    if element_type.kind is Kind.BOOL:
        return Constant(np.bool_(attributes.bool_("value")))
    return Constant(dtype.type(attributes.int_("value")))


# Division that rounds -------------------------------------------------------------------------------


def _floor_divide(lhs: Value, rhs: Value) -> Value:
    return np.floor_divide(lhs, rhs)


def _ceil_divide(lhs: Value, rhs: Value) -> Value:
    quotient = np.floor_divide(lhs, rhs)
    return quotient + (quotient * rhs != lhs).astype(quotient.dtype)


def floordivsi(operation: Operation) -> Kernel:
    """lhs / rhs rounded down."""
    del operation
    return Kernel(_floor_divide, pointwise=True)


def ceildivsi(operation: Operation) -> Kernel:
    """lhs / rhs rounded up."""
    del operation
    return Kernel(_ceil_divide, pointwise=True)


def ceildivui(operation: Operation) -> Kernel:
    """lhs / rhs of unsigned integers, rounded up."""
    _, result = _types(operation)
    dtype, bits = result.element_type.dtype, result.element_type.bits_dtype
    return _pointwise(lambda lhs, rhs: _ceil_divide(lhs.view(bits), rhs.view(bits)).view(dtype))


# Comparison -----------------------------------------------------------------------------------------

_INTEGER_PREDICATES: tuple[tuple[np.ufunc, bool], ...] = (
    (np.equal, False),
    (np.not_equal, False),
    (np.less, False),
    (np.less_equal, False),
    (np.greater, False),
    (np.greater_equal, False),
    (np.less, True),
    (np.less_equal, True),
    (np.greater, True),
    (np.greater_equal, True),
)


def cmpi(operation: Operation) -> Kernel:
    """result = lhs <predicate> rhs: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge."""
    ufunc, is_unsigned = _INTEGER_PREDICATES[operation.attributes.int_("predicate")]
    if not is_unsigned:
        return Kernel(ufunc, pointwise=True)
    bits = tensor_type(operation.operand_types[0]).element_type.bits_dtype
    return _pointwise(lambda lhs, rhs: ufunc(lhs.view(bits), rhs.view(bits)))


def _unordered(lhs: Value, rhs: Value) -> Value:
    return np.isnan(lhs) | np.isnan(rhs)


def _or_unordered(ufunc: np.ufunc) -> Callable[[Value, Value], Value]:
    return lambda lhs, rhs: ufunc(lhs, rhs) | _unordered(lhs, rhs)


_FLOAT_PREDICATES: tuple[Callable[[Value, Value], Any], ...] = (
    lambda lhs, rhs: np.zeros_like(lhs == rhs),
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    lambda lhs, rhs: (lhs < rhs) | (lhs > rhs),
    lambda lhs, rhs: ~_unordered(lhs, rhs),
    _or_unordered(np.equal),
    _or_unordered(np.greater),
    _or_unordered(np.greater_equal),
    _or_unordered(np.less),
    _or_unordered(np.less_equal),
    np.not_equal,
    _unordered,
    lambda lhs, rhs: np.ones_like(lhs == rhs),
)


def cmpf(operation: Operation) -> Kernel:
    """result = lhs <predicate> rhs: false, ordered (oeq ... one, ord), unordered (ueq ... une, uno), true."""
    return Kernel(_FLOAT_PREDICATES[operation.attributes.int_("predicate")], pointwise=True)
