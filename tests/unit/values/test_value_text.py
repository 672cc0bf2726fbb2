"""Text of values against MLIR's own printer, and against the layout that upstream's tools are tested for."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F8E3M4,
    F16,
    F32,
    F64,
    I1,
    I2,
    I4,
    I8,
    I32,
    I64,
    UI8,
    ElementType,
)
from hlokit.values.float_text import float_texts
from hlokit.values.tensor import Tensor, Token, Tuple
from hlokit.values.text import format_dense, format_element, format_value
from hlokit.values.types import OpaqueType, TensorType, TokenType, TupleType
from tests.unit.values.strategies import ALL, FLOATS, arrays, codes, every_value

CONTEXT = ir.Context()
CONTEXT.enable_multithreading(False)

few = settings(max_examples=20)
each_type = pytest.mark.parametrize("element_type", ALL, ids=str)


def reprinted(attribute: str) -> str:
    """An attribute as MLIR prints it after reading it; MLIR prints complex attributes only inside another
    attribute."""
    with CONTEXT:
        module = ir.Module.parse(f"module attributes {{builtin.value = {attribute}}} {{}}")
        text = module.operation.get_asm(large_elements_limit=1 << 40)
    return text.removeprefix("module attributes {builtin.value = ").rsplit("} {", 1)[0]


def printed_floats(array: npt.NDArray[Any], element_type: ElementType) -> list[str]:
    """The elements as MLIR prints them, read from their bytes without code of hlokit."""
    texts: list[str] = []
    for start in range(0, array.size, 99):
        # At most 100 elements are printed as numbers, equal ones once: two that differ stand at the end.
        chunk = array[start : start + 99]
        first = chunk[:1].tobytes()
        other = bytes([first[0] ^ 1]) + first[1:]
        data = (chunk.tobytes() + other).hex()
        text = reprinted(f'dense<"0x{data}"> : tensor<{chunk.size + 1}x{element_type}>')
        texts += text[len("dense<[") : text.rindex("]>")].split(", ")[:-1]
    return texts


def dense(values: Any, element_type: ElementType) -> str:
    array = np.array(values, element_type.dtype)
    return format_dense(array, TensorType(array.shape, element_type))


def text(values: Any, element_type: ElementType) -> str:
    array = np.array(values, element_type.dtype)
    return format_value(array, TensorType(array.shape, element_type))


# Floats


@pytest.mark.parametrize("element_type", [row for row in FLOATS if row.width <= 16], ids=str)
@pytest.mark.sample("f[468]*", "bf16")
def test_all_narrow_floats_as_mlir_prints_them(element_type: ElementType) -> None:
    values = every_value(element_type)
    assert float_texts(values, element_type) == printed_floats(values, element_type)


def wide_samples(element_type: ElementType) -> npt.NDArray[Any]:
    """Bits, magnitudes, decimals and sums of few powers of two, at random: some 20,000 numbers."""
    random = np.random.default_rng(2023)
    count = 2000
    numbers = [
        random.normal(size=count),
        np.exp(20 * random.normal(size=count)),
        random.integers(0, 10**6, count) / 10.0 ** random.integers(0, 12, count),
        random.integers(0, 10**9, count) / 10.0 ** random.integers(0, 12, count),
        random.integers(0, 10**7, count) * 1.0,
        random.integers(0, 10**18, count) * 1.0,
        random.integers(0, 2**52, count) * 2.0 ** -random.integers(0, 40, count),
        random.integers(0, 2**24, count) * 2.0 ** -random.integers(0, 40, count),
        random.integers(0, 10**6, count) * 2.0**-149,
        random.integers(0, 10**6, count) * 2.0**-1074,
        10.0 ** random.integers(-30, 30, count),
    ]
    signed = np.concatenate(numbers) * random.choice([-1, 1], count * len(numbers))
    bits = random.integers(0, 1 << element_type.width, 2 * count, dtype=element_type.bits_dtype)
    corners = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan])
    return np.concatenate(
        [
            bits.view(element_type.dtype),
            signed.astype(element_type.dtype),
            corners.astype(element_type.dtype),
        ]
    )


@pytest.mark.parametrize("element_type", [F32, F64], ids=str)
def test_wide_floats_as_mlir_prints_them(element_type: ElementType) -> None:
    values = wide_samples(element_type)
    assert float_texts(values, element_type) == printed_floats(values, element_type)


@pytest.mark.parametrize("element_type", FLOATS, ids=str)
@few
@given(data=st.data())
@pytest.mark.sample("f32", "bf16", "f8E4M3FN", "f6E2M3FN")
def test_many_floats_have_the_text_that_each_has(element_type: ElementType, data: st.DataObject) -> None:
    drawn = data.draw(st.lists(codes(element_type), min_size=70, max_size=70))
    values = np.array(drawn, element_type.bits_dtype).view(element_type.dtype)
    singly = [text for value in values for text in float_texts(value.reshape(1), element_type)]
    assert float_texts(values, element_type) == singly


@pytest.mark.parametrize(
    ("value", "element_type", "expected"),
    [
        (1, F32, "1.000000e+00"),
        (-0.0, F64, "-0.000000e+00"),
        (0.1, F32, "1.000000e-01"),
        (0.7, F32, "0.699999988"),  # a digit is cut, not rounded
        (1.234375, F16, "1.234380e+00"),  # half up
        (1.390625, F16, "1.390630e+00"),
        (123456.792, F32, "123456.789"),
        (16777216, F32, "0x4B800000"),  # an integer would not read back as a float
        (1.23456792e20, F32, "1.2345679E+20"),
        (1e-45, F32, "1.401300e-45"),
        (1e300, F64, "1.000000e+300"),
        (0.30000000000000004, F64, "0.30000000000000004"),
        (np.inf, F16, "0x7C00"),
        (-np.inf, BF16, "0xFF80"),
        (np.nan, F64, "0x7FF8000000000000"),
        (np.nan, F8E3M4, "0x78"),
    ],
)
def test_float_examples(value: float, element_type: ElementType, expected: str) -> None:
    assert format_element(element_type.dtype.type(value), element_type) == expected


# Dense attributes


@each_type
@few
@given(data=st.data())
@pytest.mark.sample("f32", "bf16", "f8E4M3FN", "f6E2M3FN", "i1", "i4", "ui8", "i32", "complex<f32>")
def test_dense_text_is_printed_as_by_mlir(element_type: ElementType, data: st.DataObject) -> None:
    array = data.draw(arrays(element_type))
    attribute = format_dense(array, TensorType(array.shape, element_type))
    assert reprinted(attribute) == attribute


@each_type
@few
@given(data=st.data())
@pytest.mark.sample("f32", "bf16", "f8E4M3FN", "f6E2M3FN", "i1", "i4", "ui8", "i32", "complex<f32>")
def test_long_dense_text_is_printed_as_by_mlir(element_type: ElementType, data: st.DataObject) -> None:
    size = data.draw(st.integers(99, 103))
    part = element_type.part
    repeats = -(-element_type.dtype.itemsize * size // part.dtype.itemsize)
    drawn = data.draw(st.lists(codes(part), min_size=3, max_size=7))
    array = np.resize(np.array(drawn, part.bits_dtype), repeats).view(element_type.dtype)
    attribute = format_dense(array, TensorType(array.shape, element_type))
    assert reprinted(attribute) == attribute
    assert attribute.startswith('dense<"0x') == (
        size > 100 and len(set(array.view(f"V{array.itemsize}").tolist())) > 1
    )


def test_dense_examples() -> None:
    assert dense([[1, 2], [3, 4]], I8) == "dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>"
    assert dense([1], I8) == "dense<1> : tensor<1xi8>"
    assert dense(1, UI8) == "dense<1> : tensor<ui8>"
    assert dense(np.zeros((0, 2)), I8) == "dense<> : tensor<0x2xi8>"
    assert dense(np.zeros((2, 0)), I8) == "dense<> : tensor<2x0xi8>"
    assert dense([True, False], I1) == "dense<[true, false]> : tensor<2xi1>"
    assert dense([1, -2], I2) == "dense<[1, -2]> : tensor<2xi2>"
    splat = "dense<(3.140000e+00,1.000000e+00)> : tensor<4xcomplex<f32>>"
    assert dense([3.14 + 1j] * 4, COMPLEX_F32) == splat
    pair = "dense<[(0.000000e+00,1.000000e+00), (1.000000e+00,0.000000e+00)]> : tensor<2xcomplex<f64>>"
    assert dense([1j, 1], COMPLEX_F64) == pair


def test_only_equal_bits_make_a_splat() -> None:
    assert dense([0.0, -0.0], F32) == "dense<[0.000000e+00, -0.000000e+00]> : tensor<2xf32>"
    nans = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)
    assert format_dense(nans, TensorType((2,), F32)) == "dense<[0x7FC00000, 0x7FC00001]> : tensor<2xf32>"


def test_more_than_a_hundred_elements_are_bytes() -> None:
    assert dense(range(100), I32).startswith("dense<[0, 1, 2, ")
    assert dense(range(101), I32).startswith('dense<"0x000000000100000002000000')
    assert dense([7] * 1000, I32) == "dense<7> : tensor<1000xi32>"
    assert dense([1, -1] * 60, I4) == f'dense<"0x{"010F" * 60}"> : tensor<120xi4>'
    assert dense([True, False] * 60, I1) == f'dense<"0x{"0100" * 60}"> : tensor<120xi1>'


# Values


def block(expected: str) -> str:
    return dedent(expected).strip("\n")


def test_rows_stand_on_one_line() -> None:
    assert text([1, 2, -3, -4], I8) == block(
        """
        tensor<4xi8> {
          [1, 2, -3, -4]
        }
        """
    )
    assert text([1, 2], F16) == "tensor<2xf16> {\n  [1.000000e+00, 2.000000e+00]\n}"
    assert text([True, False], I1) == "tensor<2xi1> {\n  [true, false]\n}"
    assert text([1], I8) == "tensor<1xi8> {\n  [1]\n}"


def test_scalars_stand_on_the_line_of_their_type() -> None:
    assert text(1, UI8) == "tensor<ui8> {1}"
    assert text(1j, COMPLEX_F32) == "tensor<complex<f32>> {[0.000000e+00, 1.000000e+00]}"
    assert format_value(np.float32(1), TensorType((), F32)) == "tensor<f32> {1.000000e+00}"


def test_outer_dimensions_are_nested() -> None:
    assert text([[[0, 1], [2, 3]], [[4, 0], [1, 2]]], I64) == block(
        """
        tensor<2x2x2xi64> {
          [
            [
              [0, 1],
              [2, 3]
            ],
            [
              [4, 0],
              [1, 2]
            ]
          ]
        }
        """
    )


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        ((0,), "  []"),
        ((0, 2), "  []"),
        ((2, 0), "  [\n    [],\n    []\n  ]"),
        ((1, 0, 2), "  [\n    []\n  ]"),
        ((1, 1, 0), "  [\n    [\n      []\n    ]\n  ]"),
    ],
)
def test_empty_tensors(shape: tuple[int, ...], body: str) -> None:
    type_ = TensorType(shape, UI8)
    assert format_value(np.zeros(shape, np.uint8), type_) == f"{type_} {{\n{body}\n}}"


def test_complex_elements_are_bracketed() -> None:
    row = "[[3.140000e+00, 1.000000e+00], [3.140000e+00, 1.000000e+00]]"
    assert text([3.14 + 1j] * 2, COMPLEX_F64) == f"tensor<2xcomplex<f64>> {{\n  {row}\n}}"


def nested(array: npt.NDArray[Any], element_type: ElementType, index: tuple[int, ...] = ()) -> str:
    """The text of the part that `index` selects, by the definition of the layout."""
    if len(index) == array.ndim:
        return format_element(array[index], element_type)
    items = [nested(array, element_type, (*index, i)) for i in range(array.shape[len(index)])]
    margin = "  " * (len(index) + 1)
    if not items or len(index) == array.ndim - 1:
        return f"{margin}[{', '.join(items)}]"
    return f"{margin}[\n" + ",\n".join(items) + f"\n{margin}]"


@each_type
@few
@given(data=st.data())
@pytest.mark.sample("f32", "bf16", "f8E4M3FN", "f6E2M3FN", "i1", "i4", "ui8", "i32", "complex<f32>")
def test_values_are_nested_by_dimension(element_type: ElementType, data: st.DataObject) -> None:
    array = data.draw(arrays(element_type, max_side=3))
    type_ = TensorType(array.shape, element_type)
    body = nested(array, element_type)
    expected = f"{type_} {{\n{body}\n}}" if array.ndim else f"{type_} {{{body}}}"
    assert format_value(array, type_) == expected


def test_the_layout_in_memory_does_not_matter() -> None:
    array = np.arange(6, dtype=np.int32).reshape(2, 3)
    type_ = TensorType((3, 2), I32)
    assert format_value(array.T, type_) == format_value(np.ascontiguousarray(array.T), type_)
    assert format_dense(array.T, type_) == "dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xi32>"


def test_open_dimensions_are_the_values() -> None:
    array = np.array([1, 2], np.int32)
    assert format_value(array, TensorType((-1,), I32)).startswith("tensor<2xi32> {")
    assert format_value(array, TensorType(None, I32)).startswith("tensor<2xi32> {")
    assert format_value(array, TensorType((-1,), I32, (4,))).startswith("tensor<2xi32> {")
    assert format_dense(array, TensorType((-1,), I32)) == "dense<[1, 2]> : tensor<2xi32>"


def test_tokens_and_tuples() -> None:
    number = Tensor.from_numpy(np.array([1, 2], np.int32))
    pair = Tuple((number, Token()))
    expected = block(
        """
        tuple<tensor<2xi32>, !stablehlo.token> (
        tensor<2xi32> {
          [1, 2]
        },
        !stablehlo.token
        )
        """
    )
    assert format_value(pair, pair.type) == expected
    assert format_value((number.numpy(), None), pair.type) == expected
    assert format_value((), TupleType(())) == "tuple<> (\n)"
    assert format_value(Token(), TokenType()) == "!stablehlo.token"


def test_values_that_do_not_fit_are_rejected() -> None:
    array = np.zeros(2, np.int32)
    with pytest.raises(TypeError, match="dtype of tensor<2xf32> must be float32, got int32"):
        format_value(array, TensorType((2,), F32))
    with pytest.raises(ValueError, match=r"shape must fit tensor<3xi32>, got \(2,\)"):
        format_dense(array, TensorType((3,), I32))
    with pytest.raises(ValueError, match="must have 1 values, got 2"):
        format_value((array, array), TupleType((TensorType((2,), I32),)))
    with pytest.raises(UnsupportedError, match=r"does not print values of type !a\.b"):
        format_value(array, OpaqueType("!a.b"))


def test_literal_of_a_splat_reads_one_element() -> None:
    beyond_memory = np.broadcast_to(np.float32(1.5), (1 << 25, 1 << 25))
    assert format_dense(beyond_memory, TensorType(beyond_memory.shape, F32)) == (
        "dense<1.500000e+00> : tensor<33554432x33554432xf32>"
    )
