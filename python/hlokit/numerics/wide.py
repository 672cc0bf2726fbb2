"""Plans operations with wider types: f64 for narrower floats, longdouble for f64.

On systems whose longdouble is no wider than double, f64 stays f64.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from hlokit.contract.registry import BindFunction, Constant, Kernel, Operation, Value, find
from hlokit.errors import UnsupportedError
from hlokit.interpreter.planner import Planner
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.numerics.extended import EXTENDED_FUNCTIONS, cholesky, triangular_solve
from hlokit.numerics.wide_kernels import WIDE_KERNELS
from hlokit.ops.contractions.convolution import convolution_product
from hlokit.ops.contractions.dot_general import contraction_product
from hlokit.ops.contractions.products import Product
from hlokit.ops.linalg.operations import solver
from hlokit.plan.block import Block
from hlokit.traits.table import has, having
from hlokit.values.element_types import COMPLEX_F64, F64, ElementType, Kind, element_type_of
from hlokit.values.types import TensorType, TupleType, ValueType

Array = npt.NDArray[Any]

HAS_EXTENDED = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant
# The wider type of f64; MLIR has f80.
EXTENDED = ElementType("f80", Kind.FLOAT, 80, np.dtype(np.longdouble)) if HAS_EXTENDED else F64
COMPLEX_EXTENDED = (
    ElementType("complex<f80>", Kind.COMPLEX, 160, np.dtype(np.clongdouble)) if HAS_EXTENDED else COMPLEX_F64
)
# Operations that are not evaluated again, with the reason: they have side effects, or their results vary.
_NOT_REEVALUATED = {
    **dict.fromkeys(
        having("collective", "async"),
        "receives values of other processes, whose shadows are in those processes",
    ),
    **dict.fromkeys(having("channel", "feed"), "receives values from outside of the program"),
    **dict.fromkeys(having("foreign"), "is computed by external code of a fixed type"),
    **dict.fromkeys(having("random"), "returns different numbers each time"),
    "chlo.next_after": "returns the neighbour in its own type",
    "chlo.broadcast_next_after": "returns the neighbour in its own type",
    "interpreter.run_parallel": "runs programs in other processes",
    "stablehlo.uniform_dequantize": "takes integers, which count as exact",
}
_NOT_REEVALUATED_DIALECTS = ("check.", "interpreter.")
_OF_BITS = "stablehlo.bitcast_convert"


def widened_type(element_type: ElementType) -> ElementType:
    """The wider type of a float or complex type; any other type itself."""
    match element_type.kind:
        case Kind.FLOAT:
            return EXTENDED if element_type.width >= 64 else F64
        case Kind.COMPLEX:
            return COMPLEX_EXTENDED if element_type.width >= 128 else COMPLEX_F64
        case _:
            return element_type


def widened(value: Value) -> Value:
    """A value converted to the wider types; tuples item by item."""
    if isinstance(value, tuple):
        return tuple([widened(item) for item in value])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] # values
    if not isinstance(value, np.ndarray | np.generic):
        return value
    array: Array = np.asarray(cast("Any", value))
    dtype = widened_type(element_type_of(array.dtype)).dtype
    return array if dtype == array.dtype else array.astype(dtype)


def _widened_value_type(type_: ValueType) -> ValueType:
    match type_:
        case TensorType():
            return type_._replace(element_type=widened_type(type_.element_type))
        case TupleType():
            return TupleType(tuple(map(_widened_value_type, type_.types)))
        case _:
            return type_


class _WithoutAlgorithm(Attributes):
    """Attributes of a dot_general without its requested precision."""

    __slots__ = ()

    @classmethod
    def of(cls, attributes: Attributes) -> _WithoutAlgorithm:
        return cls(attributes._operation)

    def __contains__(self, name: str) -> bool:
        return name != "algorithm" and super().__contains__(name)


class WidePlanner(Planner):
    """Plans of a module's operations with wider types. An operation that cannot be widened raises on
    evaluation."""

    def _value_type(self, type_: ir.Type) -> ValueType:
        return _widened_value_type(super()._value_type(type_))

    def _bind(
        self,
        attributes: Attributes,
        name: str,
        function_name: str,
        operand_types: tuple[ValueType, ...],
        result_types: tuple[ValueType, ...],
        regions: tuple[Block, ...],
        capture_count: int,
    ) -> Kernel | Constant:
        rest = (function_name, operand_types, result_types, regions, capture_count)
        bind = find(name)
        if bind is None:
            return super()._bind(attributes, name, *rest)
        if name == "stablehlo.dot_general":
            attributes = _WithoutAlgorithm.of(attributes)
        types = operand_types, result_types
        operation = Operation(name, *types, attributes, regions, capture_count, function_name, self.function)
        try:
            special = _special(operation, bind)
        except UnsupportedError as error:
            message = str(error)

            def trap(*_: Value) -> Value:
                raise UnsupportedError(message)

            return Kernel(trap)
        bound = super()._bind(attributes, name, *rest) if special is None else special
        return Constant(widened(bound.value)) if isinstance(bound, Constant) else bound


def _special(operation: Operation, bind: BindFunction) -> Kernel | Constant | None:
    """The kernel of an operation that wider types alone do not widen."""
    name = operation.name
    if name in _NOT_REEVALUATED or name.startswith(_NOT_REEVALUATED_DIALECTS):
        raise UnsupportedError(_NOT_REEVALUATED.get(name, "has side effects"))
    if name == _OF_BITS:
        raise UnsupportedError("takes bits, not values")
    if name == "stablehlo.reduce_precision":
        return Kernel(_same, pointwise=True)
    types = operation.operand_types + operation.result_types
    wide = (EXTENDED, COMPLEX_EXTENDED) if HAS_EXTENDED else ()
    if not any(isinstance(type_, TensorType) and type_.element_type in wide for type_ in types):
        return None
    if name == "stablehlo.convert":
        return _conversion(operation)
    if name in EXTENDED_FUNCTIONS:
        function = EXTENDED_FUNCTIONS[name]
        return Kernel(function, pointwise=True, ufunc=function if isinstance(function, np.ufunc) else None)
    if name in ("stablehlo.dot_general", "stablehlo.dot"):
        return _product(operation)
    if name == "stablehlo.convolution":
        return _bilinear(operation, convolution_product(operation, np.matmul))
    if name == "stablehlo.cholesky":
        lower = operation.attributes.bool_("lower", False)
        return Kernel(partial(cholesky, lower=lower))
    if name == "stablehlo.triangular_solve":
        return Kernel(solver(operation, triangular_solve))
    if name in WIDE_KERNELS:
        return WIDE_KERNELS[name](operation)
    if has(name, "moves", "any_width"):
        return bind(operation)
    raise UnsupportedError("hlokit computes it in f64 only")


def _same(operand: Value) -> Value:
    return operand


def _conversion(operation: Operation) -> Kernel:
    source, target = operation.operand().element_type, operation.result().element_type
    if target.kind not in (Kind.FLOAT, Kind.COMPLEX):
        raise UnsupportedError("hlokit computes it in f64 only")

    def kernel(operand: Value) -> Value:
        values = operand if source.dtype.isbuiltin == 1 else operand.astype(np.float64)
        values = values.real if source.kind is Kind.COMPLEX and target.kind is Kind.FLOAT else values
        return values.astype(target.dtype)

    return Kernel(kernel, pointwise=True)


def _product(operation: Operation) -> Kernel:
    lhs, rhs = operation.operand(0), operation.operand(1)
    if operation.name == "stablehlo.dot":
        numbers = DotDimensionNumbers((), (), (lhs.rank - 1,), (0,))
    else:
        numbers = operation.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    return _bilinear(operation, contraction_product(numbers, lhs, rhs, np.matmul))


def _bilinear(operation: Operation, product: Product) -> Kernel:
    dtype = operation.result().element_type.dtype

    def kernel(a: Value, b: Value) -> Value:
        return product(np.asarray(a, dtype), np.asarray(b, dtype))

    return Kernel(kernel)
