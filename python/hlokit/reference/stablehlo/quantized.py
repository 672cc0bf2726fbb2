"""Quantized tensors: their representation of floats, and operations on them.

Source: spec "Quantization computations".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf, isinf, isnan

from hlokit.errors import InternalError, UnsupportedError
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import Quantized
from hlokit.reference.model.calls import Call, Region, Row, Values
from hlokit.reference.model.comparators import KeyComparison
from hlokit.reference.model.grid import Process
from hlokit.reference.model.tensors import (
    Index,
    Shape,
    Tensors,
    Value,
    as_tensor,
    boolean,
    build,
    full,
    with_element_type,
)
from hlokit.values.element import Element
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.quantized import QuantizedType
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType, ValueType


def dequantize(x: Tensor) -> Tensor:
    """spec "dequantize": result[i] = (x[i] - zero_points[i]) * scales[i], each step rounded to the expressed
    type

    The difference is exact, as in the type's definition; a difference in the storage type would wrap.
    """
    type_ = _quantized(x.element_type)
    expressed = _expressed(type_)
    stored = with_element_type(x, type_.storage)

    def element(index: Index) -> Element:
        k = _channel(type_, index)
        difference = Element(type_.expressed, int(stored[index]) - type_.zero_points[k])
        return difference * expressed.scales[k]

    return build(x.shape, type_.expressed, element)


def quantize(x: Tensor, element_type: ElementType) -> Tensor:
    """spec "quantize": result[i] = round_nearest_even(clamp(storage_min, x[i] / scales[i] + zero_points[i],
    storage_max)), each step rounded to the expressed type

    NaN becomes the number nearest to 0 in the range of the storage type.
    """
    type_ = _quantized(element_type)
    expressed = _expressed(type_)

    def element(index: Index) -> Element:
        k = _channel(type_, index)
        shifted = float(x[index] / expressed.scales[k] + expressed.zero_points[k])
        return Element(type_.storage, _to_storage(type_, expressed, shifted))

    return with_element_type(build(x.shape, type_.storage, element), type_)


def _to_storage(type_: QuantizedType, expressed: _Expressed, number: float) -> int:
    low, high = type_.storage_min, type_.storage_max
    if isnan(number):
        return min(max(0, low), high)
    clamped = min(max(number, expressed.least), expressed.most)
    rounded = clamped if isinf(clamped) else round(clamped)
    return int(min(max(rounded, low), high))


@dataclass(frozen=True)
class _Expressed:
    """The parameters of a quantized type, rounded to its expressed type.

    Bounds of the storage type may be rounded to numbers outside of its range; those that the expressed type
    does not have are infinite.
    """

    scales: tuple[Element, ...]
    zero_points: tuple[Element, ...]
    least: float
    most: float


@cache
def _expressed(type_: QuantizedType) -> _Expressed:
    def rounded(number: float) -> Element:
        return Element(type_.expressed, number)

    least, most = float(rounded(type_.storage_min)), float(rounded(type_.storage_max))
    return _Expressed(
        tuple(map(rounded, type_.scales)),
        tuple(map(rounded, type_.zero_points)),
        -inf if isnan(least) else least,
        inf if isnan(most) else most,
    )


def _channel(type_: QuantizedType, index: Index) -> int:
    """The position of an element's scale and zero point: its index along the quantization dimension."""
    return 0 if type_.axis is None else index[type_.axis]


def uniform_quantize(operand: Tensor, element_type: ElementType) -> Tensor:
    """spec "uniform_quantize": result = quantize(operand); a quantized operand is first dequantized"""
    is_quantized = operand.element_type.kind is Kind.QUANTIZED
    return quantize(dequantize(operand) if is_quantized else operand, element_type)


def uniform_dequantize(operand: Tensor) -> Tensor:
    """spec "uniform_dequantize": result = dequantize(operand)"""
    return dequantize(operand)


def zeros(element_type: ElementType, shape: Shape) -> Tensor:
    """The tensor that represents 0 everywhere: in f8E8M0FNU, which has no zero, its smallest number."""
    if not isinstance(element_type, QuantizedType):
        return full(shape, Element.from_bits(element_type, 0))
    return quantize(full(shape, Element(element_type.expressed, 0.0)), element_type)


def zero_result(call: Call, index: int, shape: Shape) -> Tensor:
    """The result of a process that receives no operand: zeros; for a quantized type, the quantized 0.0."""
    type_ = call.result(index) if call.expressed_as is None else call.expressed_as[index]
    assert isinstance(type_, TensorType), "a quantized type is a tensor type"
    return with_element_type(zeros(type_.element_type, shape), call.result(index).element_type)


def _quantized(type_: ElementType) -> QuantizedType:
    if not isinstance(type_, QuantizedType):
        raise InternalError(f"type must be quantized, got {type_}")
    return type_


# Operations on quantized tensors ------------------------------------------------------------


def computing(row: Row) -> Row:
    """spec "dequantize_op_quantize" and similar: dequantize, compute in the expressed type, quantize."""

    def adapted(call: Call) -> Values:
        operands = tuple([dequantize(as_tensor(x)) if _is_quantized(x.type) else x for x in call.operands])
        plain = replace(
            call,
            operands=operands,
            operand_types=_with(call.operand_types, lambda type_: type_.expressed),
            result_types=_with(call.result_types, lambda type_: type_.expressed),
        )
        return tuple(
            quantize(as_tensor(value), type_.element_type)
            if isinstance(type_, TensorType) and _is_quantized(type_)
            else value
            for value, type_ in zip(_values(row(plain)), call.result_types, strict=True)
        )

    return adapted


def moving(row: Row) -> Row:
    """Move storage integers without interpreting them. Regions still take and return quantized values."""

    def adapted(call: Call) -> Values:
        stored = replace(
            call,
            operands=tuple([_stored(value) for value in call.operands]),
            operand_types=_with(call.operand_types, lambda type_: type_.storage),
            result_types=_with(call.result_types, lambda type_: type_.storage),
            regions=tuple([_StoringRegion(region) for region in call.regions]),
            expressed_as=call.result_types,
        )
        return tuple(
            with_element_type(as_tensor(value), type_.element_type)
            if isinstance(type_, TensorType) and _is_quantized(type_)
            else value
            for value, type_ in zip(_values(row(stored)), call.result_types, strict=True)
        )

    return adapted


def combining(row: Row) -> Row:
    """Requantize operands to the types of the results, then move storage integers as `moving` does."""
    move = moving(row)

    def adapted(call: Call) -> Value | Values:
        return move(replace(call, operands=tuple(map(_requantized, call.operands, _targets(call)))))

    return adapted


def _requantized(value: Value, target: ValueType) -> Value:
    is_promoted = _is_quantized(value.type) and _is_quantized(target) and value.type != target
    if not is_promoted:
        return value
    assert isinstance(target, TensorType), "a quantized type is a tensor type"
    return uniform_quantize(as_tensor(value), target.element_type)


def _targets(call: Call) -> list[ValueType]:
    """For each operand, the type of the result in which its elements are combined."""
    count = len(call.result_types)
    places = list(range(len(call.operands)))
    if call.name == "stablehlo.scatter":  # inputs, scatter_indices, updates
        places = [position - (position > count) for position in places]
    return [call.result_types[position % count] for position in places]


@dataclass(frozen=True)
class _StoringRegion:
    """A region of quantized values that returns their storage integers."""

    region: Region

    @property
    def argument_types(self) -> tuple[ValueType, ...]:
        return self.region.argument_types

    @property
    def operation(self) -> str | None:
        return None  # a sum of quantized values is not one of their storage integers

    @property
    def is_elementwise(self) -> bool:
        return self.region.is_elementwise

    @property
    def key_comparisons(self) -> tuple[KeyComparison, ...] | None:
        return self.region.key_comparisons

    def keys(self, *arguments: Value) -> tuple[Tensors, Tensors]:
        return self.region.keys(*arguments)

    def __call__(self, *arguments: Value) -> Values:
        return tuple([_stored(value) for value in self.region(*arguments)])

    def on(self, process: Process) -> Region:
        return _StoringRegion(self.region.on(process))


def _stored(value: Value) -> Value:
    if isinstance(value, Tensor) and _is_quantized(value.type):
        return with_element_type(value, value.element_type.stored)
    return value


def _is_quantized(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.element_type.kind is Kind.QUANTIZED


def _with(
    types: Sequence[ValueType], choose: Callable[[QuantizedType], ElementType]
) -> tuple[ValueType, ...]:
    return tuple(
        type_._replace(element_type=choose(type_.element_type))
        if isinstance(type_, TensorType) and isinstance(type_.element_type, QuantizedType)
        else type_
        for type_ in types
    )


def _values(results: Value | Values) -> Values:
    return results if isinstance(results, tuple) else (results,)


def adapted(call: Call, row: Row) -> Row:
    """The row of an operation that has operands or results of quantized types.

    Raises:
      UnsupportedError: the specification does not define the operation on quantized types.
    """
    if not any(map(_is_quantized, (*call.operand_types, *call.result_types))):
        return row
    traits = traits_of(call.name)
    if traits.quantized is Quantized.KNOWN:
        return row
    if call.name == "stablehlo.is_finite":
        return lambda call: full(call.tensor().shape, boolean(True))  # spec "is_finite": always
    match traits.quantized:
        case Quantized.ON_STORAGE | Quantized.FILLS:
            return moving(row)
        case Quantized.REQUANTIZES | Quantized.REQUANTIZES_AND_FILLS:
            return combining(row)
        case Quantized.DEQUANTIZES:
            return computing(row)
        case _:
            raise UnsupportedError(f"the reference does not evaluate {call.name} of quantized types")
