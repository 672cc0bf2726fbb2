"""Quantized types and their spelling, against MLIR's parser and printer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.types import value_type
from hlokit.values.element_types import ELEMENT_TYPES, F32, I4, I8, I32, UI8, Kind
from hlokit.values.quantized import QuantizedType
from hlokit.values.tensor import Tensor
from hlokit.values.text import format_dense, format_value
from hlokit.values.types import OpaqueType, TensorType

CONTEXT = make_context()
STORAGE = [
    ELEMENT_TYPES[name] for name in ("i2", "i4", "i8", "i16", "i32", "ui2", "ui4", "ui8", "ui16", "ui32")
]
EXPRESSED = [ELEMENT_TYPES[name] for name in ("f64", "f32", "bf16")]


def printed(spelling: str) -> str:
    with CONTEXT:
        return str(ir.Type.parse(spelling))


def read(spelling: str) -> object:
    with CONTEXT:
        return value_type(ir.Type.parse(spelling))


@st.composite
def quantized_types(draw: st.DrawFn) -> QuantizedType:
    storage, expressed = draw(st.sampled_from(STORAGE)), draw(st.sampled_from(EXPRESSED))
    signed = storage.kind is Kind.SIGNED
    least = -(1 << (storage.width - 1)) if signed else 0
    most = least + (1 << storage.width) - 1
    low = draw(st.integers(least, most - 1))
    high = draw(st.integers(low + 1, most))
    limits = draw(st.sampled_from([None, (low, high)]))
    axis = draw(st.sampled_from([None, 0, 3]))
    count = 1 if axis is None else draw(st.integers(1, 4))
    scale = st.floats(2.0**-100, 2.0**100) | st.floats(2.0**-100, 2.0**100, width=32)
    scales = tuple(draw(scale) for _ in range(count))
    zero_points = tuple(draw(st.integers(*(limits or (least, most)))) for _ in range(count))
    return QuantizedType.make(storage, expressed, scales, zero_points, axis, limits)


@settings(max_examples=300, deadline=None)
@given(quantized_types())
def test_name_is_printed_as_by_mlir_and_reads_back_exactly(type_: QuantizedType) -> None:
    assert printed(type_.name) == type_.name
    assert QuantizedType.parse(type_.name) == type_


def test_scale_in_hexadecimal() -> None:
    type_ = QuantizedType.parse(printed("!quant.uniform<i8:f64, 9494435240.0>"))
    assert type_ is not None
    assert type_.scales == (9494435240.0,)


def test_storage_spelled_u8_is_unsigned() -> None:
    type_ = QuantizedType.parse("!quant.uniform<u8:f32, 5.000000e-01:128>")
    assert type_ is not None
    assert type_.storage is UI8
    assert (type_.storage_min, type_.storage_max) == (0, 255)
    assert str(type_) == "!quant.uniform<u8:f32, 5.000000e-01:128>"


@pytest.mark.parametrize(
    "spelling",
    [
        "!quant.any<i8:f32>",
        "!quant.calibrated<f32<-9.000000e-01:8.000000e-01>>",
        "!quant.uniform<i3:f32, 5.000000e-01>",
        "!quant.uniform<i8:f32:{0:2}, {1.000000e-01, 2.000000e-01}>",
    ],
)
def test_types_that_stablehlo_does_not_have_are_opaque(spelling: str) -> None:
    assert isinstance(read(f"tensor<2x{spelling}>"), OpaqueType)


def test_tensor_type() -> None:
    type_ = read("tensor<2x?x!quant.uniform<i4:f32:0, {0.5:1, 0.25}>>")
    element_type = QuantizedType.make(I4, F32, (0.5, 0.25), (1, 0), 0)
    assert type_ == TensorType((2, -1), element_type)
    assert (element_type.kind, element_type.width, element_type.dtype) == (Kind.QUANTIZED, 4, I4.dtype)
    assert element_type.stored is I4
    assert F32.stored is F32


def test_text_is_that_of_the_stored_integers() -> None:
    type_ = TensorType((2,), QuantizedType.make(I8, F32, (0.5,), (1,)))
    value = np.array([3, -4], np.int8)
    assert format_value(value, type_) == "tensor<2xi8> {\n  [3, -4]\n}"
    assert format_dense(value, type_) == "dense<[3, -4]> : tensor<2xi8>"


def test_bounds_of_the_storage_type_are_not_spelled() -> None:
    assert QuantizedType.make(I32, F32, (1.0,), (0,), None, (-(2**31), 2**31 - 1)).name == (
        "!quant.uniform<i32:f32, 1.000000e+00>"
    )


def test_tensor_shows_stored_integers() -> None:
    type_ = TensorType((2,), QuantizedType.make(I8, F32, (0.5,), (1,)))
    tensor = Tensor(type_, np.array([3, -4], np.int8))
    assert repr(tensor) == "Tensor(tensor<2x!quant.uniform<i8:f32, 5.000000e-01:1>>, [3, -4])"
    assert tensor == Tensor(type_, np.array([3, -4], np.int8))
    with pytest.raises(TypeError, match="quantized"):
        tensor.get((0,))
