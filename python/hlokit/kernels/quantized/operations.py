"""Operations on quantized tensors, computed by the kernels of other types.

A value of a quantized type is the array of its storage integers. Adapters convert between such values and the
operands of other bind functions, which therefore do not handle quantization:

- `_dequantize_compute_quantize`: dequantize the operands, compute in the expressed type, quantize the results
  (spec "Quantization computations", `dequantize_op_quantize` and similar functions);
- `_on_storage`: move the storage integers without interpreting them;
- `_requantize_and_combine`: as `_on_storage`, after operands are requantized to the results' types, in which
  a region computes;
- `_fill_with_zero`: as `_on_storage`, for operations that fill with 0, which becomes the quantized 0.0;
- `_unchanged`: the operation does not read values, or handles quantized types itself.

An operation in none of the tables is not evaluated on quantized types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from hlokit.engine.contract.registry import (
    BindFunction,
    Constant,
    Kernel,
    KernelFunction,
    Operation,
    QuantizedBindFunction,
    Value,
    register_quantized,
)
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.executors import BlockFunction
from hlokit.kernels.quantized.quantization import dequantizer, quantizer, tabulated_by_code
from hlokit.operations.lookup import having, traits_of
from hlokit.operations.traits import Quantized
from hlokit.values.element_types import ElementType
from hlokit.values.quantized import QuantizedType
from hlokit.values.types import TensorType, ValueType


def uniform_quantize(operation: Operation) -> Kernel:
    """spec "uniform_quantize": result = quantize(operand), after dequantize if the operand is quantized."""
    source, target = operation.operand().element_type, operation.result().element_type
    assert isinstance(target, QuantizedType), "the verifier requires a quantized result"
    is_per_tensor = _is_per_tensor((source, target))
    if isinstance(source, QuantizedType):
        return Kernel(_requantizer(source, target), pointwise=is_per_tensor)
    return Kernel(quantizer(target), pointwise=is_per_tensor)


def uniform_dequantize(operation: Operation) -> Kernel:
    """spec "uniform_dequantize": result = dequantize(operand)."""
    source = operation.operand().element_type
    assert isinstance(source, QuantizedType), "the verifier requires a quantized operand"
    return Kernel(dequantizer(source), pointwise=_is_per_tensor((source,)))


def _requantizer(source: QuantizedType, target: QuantizedType) -> KernelFunction:
    dequantize, quantize = dequantizer(source), quantizer(target)

    def requantize(operand: Value) -> Value:
        return quantize(dequantize(operand))

    return tabulated_by_code(requantize, source) if _is_per_tensor((source, target)) else requantize


# Adapters -----------------------------------------------------------------------------------------


def _unchanged(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    return bind(operation)


def _dequantize_compute_quantize(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    inputs, outputs = _quantized(operation.operand_types), _quantized(operation.result_types)
    bound = bind(_with_types(operation, lambda type_: type_.expressed))
    quantizers = [None if type_ is None else quantizer(type_) for type_ in outputs]
    if isinstance(bound, Constant):
        (quantize,) = quantizers
        return bound if quantize is None else Constant(quantize(bound.value))
    dequantizers = [None if type_ is None else dequantizer(type_) for type_ in inputs]
    pointwise = bound.pointwise and _is_per_tensor((*inputs, *outputs))
    function = _between(bound.function, dequantizers, quantizers)
    if pointwise and len(inputs) == 1 and inputs[0] is not None:
        function = tabulated_by_code(function, inputs[0])
    return Kernel(function, pointwise)


def _between(
    function: KernelFunction,
    dequantizers: Sequence[KernelFunction | None],
    quantizers: Sequence[KernelFunction | None],
) -> KernelFunction:
    """The function with dequantized operands and quantized results; None leaves a value unchanged."""

    def dequantized(operands: Sequence[Value]) -> list[Value]:
        return [
            operand if dequantize is None else dequantize(operand)
            for operand, dequantize in zip(operands, dequantizers, strict=True)
        ]

    def one_result(*operands: Value) -> Value:
        result = function(*dequantized(operands))
        return result if quantize is None else quantize(result)

    def results(*operands: Value) -> Value:
        return tuple(
            result if quantize is None else quantize(result)
            for result, quantize in zip(function(*dequantized(operands)), quantizers, strict=True)
        )

    quantize = quantizers[0]
    return one_result if len(quantizers) == 1 else results


def _on_storage(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    return bind(_with_types(operation, lambda type_: type_.storage))


def _requantize_and_combine(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    """Requantize operands whose type differs from the results', to which the spec promotes them."""
    bound = _on_storage(bind, operation)
    assert isinstance(bound, Kernel), "an operation with operands has a kernel"
    promotions = [
        None if type_ is None or target is None or type_ == target else _requantizer(type_, target)
        for type_, target in zip(_quantized(operation.operand_types), _targets(operation), strict=True)
    ]
    if not any(promotions):
        return bound
    function = bound.function

    def kernel(*values: Value) -> Value:
        captured = values[len(promotions) :]
        promoted = [
            value if promote is None else promote(value)
            for value, promote in zip(values, promotions, strict=False)
        ]
        return function(*promoted, *captured)

    return Kernel(kernel)


def _targets(operation: Operation) -> list[QuantizedType | None]:
    """For each operand, the result type in which its elements are combined."""
    results = _quantized(operation.result_types)
    positions = list(range(len(operation.operand_types)))
    if operation.name == "stablehlo.scatter":  # inputs, scatter_indices, updates
        positions = [index - (index > len(results)) for index in positions]
        positions[len(results)] = 0
    return [results[position % len(results)] for position in positions]


def _fill_with_zero(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    """Encode values so that the quantized 0.0 is 0 while the operation moves them."""
    bound = _on_storage(bind, operation)
    assert isinstance(bound, Kernel), "an operation of several processes has a kernel"
    function = bound.function
    codes = [_code_of_zero(type_) for type_ in operation.result_types]

    def kernel(*values: Value) -> Value:
        # Operands beyond the number of results are process ids.
        coded = [_coded(value, code) for value, code in zip(values, codes, strict=False)]
        results = function(*coded, *values[len(coded) :])
        if len(codes) == 1:
            return _coded(results, codes[0])
        return tuple(_coded(value, code) for value, code in zip(results, codes, strict=True))

    return Kernel(kernel)


def _requantize_combine_and_fill(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    (body,) = operation.regions
    assert isinstance(body, Block)
    coded = _CodedBody(body, _code_of_zero(operation.result_types[0]))
    filling = _fill_with_zero(bind, operation._replace(regions=(coded,)))
    return _requantize_and_combine(lambda _: filling, operation)


class _CodedBody(Block):
    """A body of two arguments that decodes its operands and encodes its result."""

    def __init__(self, body: Block, code: Value | None) -> None:
        super().__init__(body.argument_types, lambda: body.plan, body.tiers)
        self._body = body
        self._code = code

    def compiled(self) -> BlockFunction:
        return self

    @property
    def vectorized(self) -> Block:
        return _CodedBody(self._body.vectorized, self._code)

    def __call__(self, *values: Value) -> Value:
        (lhs, rhs, *captured), code = values, self._code
        return _coded(self._body(_coded(lhs, code), _coded(rhs, code), *captured), code)


def _code_of_zero(type_: ValueType) -> Value | None:
    if not isinstance(type_, TensorType) or not isinstance(type_.element_type, QuantizedType):
        return None
    element_type = type_.element_type
    # Only types with a single zero point reach this function.
    zero = np.zeros(1, element_type.expressed.dtype)
    return quantizer(element_type)(zero).view(element_type.bits_dtype)[0]


def _coded(value: Value, code: Value | None) -> Value:
    """XOR with the code of zero, which both encodes and decodes."""
    return value if code is None else (value.view(code.dtype) ^ code).view(value.dtype)


def _constant(bind: BindFunction, operation: Operation) -> Constant:
    """spec "constant": output = value, whose literal has the storage type."""
    bound = bind(operation)
    assert isinstance(bound, Constant), "a constant has a value"
    return Constant(bound.value.view(operation.result().element_type.dtype))


def _is_finite(bind: BindFunction, operation: Operation) -> Kernel:
    """spec "is_finite": for quantized types, the result is always true."""
    del bind, operation
    return Kernel(_true, pointwise=True)


def _true(x: Value) -> Value:
    return np.ones(np.shape(x), np.bool_)


def _with_types(operation: Operation, choose: Callable[[QuantizedType], ElementType]) -> Operation:
    """The operation with its quantized types replaced."""

    def replaced(types: Sequence[ValueType]) -> tuple[ValueType, ...]:
        return tuple(
            type_._replace(element_type=choose(quantized))
            if isinstance(type_, TensorType) and quantized is not None
            else type_
            for type_, quantized in zip(types, _quantized(types), strict=True)
        )

    return operation._replace(
        operand_types=replaced(operation.operand_types),
        result_types=replaced(operation.result_types),
    )


def _quantized(types: Sequence[ValueType]) -> list[QuantizedType | None]:
    """The element type of each tensor type, if it is quantized."""
    return [
        type_.element_type
        if isinstance(type_, TensorType) and isinstance(type_.element_type, QuantizedType)
        else None
        for type_ in types
    ]


def _is_per_tensor(types: Sequence[ElementType | None]) -> bool:
    return all(not isinstance(type_, QuantizedType) or type_.axis is None for type_ in types)


# Tables -------------------------------------------------------------------------------------------

_BY_TRAIT: dict[Quantized, QuantizedBindFunction] = {
    Quantized.DEQUANTIZES: _dequantize_compute_quantize,
    Quantized.ON_STORAGE: _on_storage,
    Quantized.REQUANTIZES: _requantize_and_combine,
    Quantized.FILLS: _fill_with_zero,
    Quantized.REQUANTIZES_AND_FILLS: _requantize_combine_and_fill,
    Quantized.KNOWN: _unchanged,
}
for _name in having(lambda traits: traits.quantized):
    _trait = traits_of(_name).quantized
    if _trait is not None and _name != "stablehlo.constant":
        register_quantized(_BY_TRAIT[_trait], _name)
register_quantized(_constant, "stablehlo.constant")
register_quantized(_is_finite, "stablehlo.is_finite")
