"""Tensor, Token and Tuple."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit.values.element import Element
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    F32,
    F64,
    I1,
    I4,
    I32,
    I64,
    INDEX,
    ElementType,
)
from hlokit.values.tensor import Tensor, Token, Tuple
from hlokit.values.types import TensorType, TokenType, TupleType
from tests.unit.values.strategies import ALL, FLOATS, arrays, elements

few = settings(max_examples=20)
each_type = pytest.mark.parametrize("element_type", ALL, ids=str)


def tensor(values: Any, element_type: ElementType) -> Tensor:
    return Tensor.from_numpy(np.array(values, element_type.dtype), element_type)


@each_type
@few
@given(data=st.data())
@pytest.mark.sample("f32", "bf16", "i4", "i1", "ui8", "f8E4M3FN", "f6E2M3FN", "complex<f32>", "i64")
def test_elements_are_those_of_the_array(element_type: ElementType, data: st.DataObject) -> None:
    array = data.draw(arrays(element_type))
    drawn = Tensor.from_numpy(array, element_type)
    assert (drawn.shape, drawn.rank, drawn.size) == (array.shape, array.ndim, array.size)
    assert (drawn.element_type, drawn.dtype) == (element_type, array.dtype)
    is_nan = element_type in FLOATS and np.isnan(array)
    for index, element in zip(np.ndindex(array.shape), drawn.elements(), strict=True):
        assert drawn.get(index) == element
        assert element.type == element_type
        if not np.any(is_nan) and element_type.kind.value != "complex":
            assert element.value == array[index].item()


@each_type
@few
@given(data=st.data())
@pytest.mark.sample("f32", "bf16", "i4", "i1", "ui8", "f8E4M3FN", "f6E2M3FN", "complex<f32>", "i64")
def test_set_changes_one_element_bit_by_bit(element_type: ElementType, data: st.DataObject) -> None:
    changed = Tensor.from_numpy(np.zeros((2, 3), element_type.dtype), element_type)
    before = changed.copy()
    index = (data.draw(st.integers(0, 1)), data.draw(st.integers(0, 2)))
    element = data.draw(elements(element_type))
    changed.set(index, element)
    assert changed.get(index) == element
    others = [other for other in np.ndindex(2, 3) if other != index]
    assert all(changed.get(other) == before.get(other) for other in others)


def test_set_writes_to_the_buffer() -> None:
    numbers = tensor([1, -2], COMPLEX_F32)
    view = numbers.numpy()
    numbers.set((1,), Element(COMPLEX_F32, 3 - 4j))
    assert view.tolist() == [1, 3 - 4j]
    narrow = tensor([1, 2], I4)
    narrow.set((0,), Element(I4, -8))
    assert narrow.numpy().tolist() == [-8, 2]


def test_scalars_have_the_empty_index() -> None:
    assert Tensor.from_numpy(np.float32(1.5)).get() == Element(F32, 1.5)
    assert Tensor.from_numpy(2.5).type == TensorType((), F64)


def test_from_numpy_owns_a_copy_unless_told_otherwise() -> None:
    array = np.arange(3, dtype=np.int32)
    owned, shared = Tensor.from_numpy(array), Tensor.from_numpy(array, copy=False)
    array[0] = 7
    assert (owned.get((0,)), shared.get((0,))) == (Element(I32, 0), Element(I32, 7))
    shared.set((1,), Element(I32, 9))
    assert array.tolist() == [7, 9, 2]


def test_elements_are_in_order_for_arrays_of_any_layout() -> None:
    transposed = np.arange(6, dtype=np.int64).reshape(2, 3).T
    for copy in (False, True):
        made = Tensor.from_numpy(transposed, copy=copy)
        assert made.numpy().flags.c_contiguous
        assert made.numpy().tolist() == [[0, 3], [1, 4], [2, 5]]


def test_int64_can_be_index() -> None:
    assert Tensor.from_numpy(np.array([1])).type == TensorType((1,), I64)
    assert Tensor.from_numpy(np.array([1]), INDEX).type == TensorType((1,), INDEX)


def test_equality_is_bitwise() -> None:
    nan = tensor([np.nan], F32)
    assert nan == nan.copy()
    assert tensor([0.0], F32) != tensor([-0.0], F32)
    assert tensor([1], F32) != tensor([[1]], F32)
    assert tensor([1], I64) != Tensor.from_numpy(np.array([1]), INDEX)
    with pytest.raises(TypeError, match="unhashable"):
        hash(nan)


def test_numpy_takes_tensors() -> None:
    made = tensor([[1, 2], [3, 4]], F32)
    assert np.asarray(made) is made.numpy()
    assert np.array(made) is not made.numpy()
    assert np.asarray(made, dtype=np.float64).dtype == np.float64
    assert np.add(made, 1).tolist() == [[2, 3], [4, 5]]
    assert np.asarray(tensor([1.5], BF16)).dtype == BF16.dtype
    with pytest.raises(ValueError, match="dtype must be float32 where no copy is allowed, got float64"):
        np.array(made, dtype=np.float64, copy=False)


def test_python_takes_tensors() -> None:
    assert len(tensor([[1, 2]], I32)) == 1
    assert (int(tensor(3, I32)), float(tensor(1.5, F32)), complex(tensor(2, F32))) == (3, 1.5, 2)
    assert not tensor(False, I1)
    with pytest.raises(TypeError):
        len(tensor(1, I32))


def test_repr_is_short() -> None:
    assert repr(tensor([[1, 2], [3, 4]], I4)) == "Tensor(tensor<2x2xi4>, [1, 2, 3, 4])"
    assert repr(tensor(range(9), I32)) == "Tensor(tensor<9xi32>, [0, 1, 2, 3, 4, 5, ...])"
    assert repr(tensor(1.5, BF16)) == "Tensor(tensor<bf16>, [1.5])"
    assert repr(Tensor.from_numpy(np.zeros((0, 2), np.bool_))) == "Tensor(tensor<0x2xi1>, [])"


@pytest.mark.parametrize("index", [(), (0,), (0, 3), (2, 0), (-1, 0), (0, 0, 0)])
def test_index_must_be_within_the_shape(index: tuple[int, ...]) -> None:
    made = tensor([[1, 2, 3], [4, 5, 6]], I32)
    for use in (lambda: made.get(index), lambda: made.set(index, Element(I32, 0))):
        with pytest.raises(IndexError, match=r"index must be within shape \(2, 3\), got"):
            use()


def test_invalid_arguments_of_set() -> None:
    with pytest.raises(TypeError, match="set: element type must be f32, got f64"):
        tensor([1], F32).set((0,), Element(F64, 1))
    constant = np.zeros(1, np.float32)
    constant.flags.writeable = False
    with pytest.raises(ValueError, match="set: buffer must be writable"):
        Tensor.from_numpy(constant, copy=False).set((0,), Element(F32, 1))


def test_type_and_array_must_fit() -> None:
    array = np.zeros((2, 3), np.float32)
    with pytest.raises(ValueError, match=r"type must be static, got tensor<\?x3xf32>"):
        Tensor(TensorType((-1, 3), F32), array)
    with pytest.raises(ValueError, match=r"shape of tensor<3x2xf32> must be \(3, 2\), got \(2, 3\)"):
        Tensor(TensorType((3, 2), F32), array)
    with pytest.raises(TypeError, match="dtype of tensor<2x3xi32> must be int32, got float32"):
        Tensor(TensorType((2, 3), I32), array)
    with pytest.raises(TypeError, match="must be one that stores a StableHLO element type"):
        Tensor.from_numpy(np.array(["text"]))


def test_tokens_are_all_equal() -> None:
    assert Token() == Token()
    assert len({Token(), Token()}) == 1
    assert Token().type == TokenType()


def test_tuples_carry_the_types_of_their_values() -> None:
    number = tensor([1, 2], I32)
    pair = Tuple((number, Token()))
    assert pair.type == TupleType((number.type, TokenType()))
    assert (pair.get(0), pair[1], len(pair)) == (number, Token(), 2)
    assert list(pair) == [number, Token()]
    with pytest.raises(IndexError, match="index must be below 2, got 2"):
        pair.get(2)
