"""The part of the tensor dialect for shape computations. Scalars and `index` are values of rank 0."""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.registry import IDENTITY, Kernel, Operation, Value
from hlokit.errors import EvaluationError


def _fill_dynamic(shape: tuple[int, ...], sizes: tuple[Value, ...]) -> tuple[int, ...]:
    """A shape whose unknown sizes come from operands."""
    remaining = iter(sizes)
    return tuple(int(next(remaining)) if size < 0 else size for size in shape)


def dim(operation: Operation) -> Kernel:
    """result = dim(source, index)."""
    del operation

    def kernel(source: Value, index: Value) -> Value:
        if not 0 <= index < source.ndim:
            raise EvaluationError(f"index must be below the rank of {source.ndim}, got {int(index)}")
        return np.int64(source.shape[int(index)])

    return Kernel(kernel)


def _rank(tensor: Value) -> Value:
    return np.int64(tensor.ndim)


def rank(operation: Operation) -> Kernel:
    """result = the number of dimensions of the operand."""
    del operation
    return Kernel(_rank)


def cast(operation: Operation) -> Kernel:
    """result = source, with a type of more or fewer known dimensions."""
    type_ = operation.result()

    def kernel(source: Value) -> Value:
        shape = source.shape if type_.shape is None else type_.shape
        if len(shape) != source.ndim or any(
            size not in (-1, actual) for size, actual in zip(shape, source.shape, strict=True)
        ):
            raise EvaluationError(f"source must be a {type_}, got shape {list(source.shape)}")
        return source

    return IDENTITY if type_.shape is None else Kernel(kernel)


def extract(operation: Operation) -> Kernel:
    """result = tensor[indices...]."""
    del operation

    def kernel(tensor: Value, *indices: Value) -> Value:
        point = tuple(map(int, indices))
        if not all(0 <= index < size for index, size in zip(point, tensor.shape, strict=True)):
            raise EvaluationError(f"indices must be below the shape {list(tensor.shape)}, got {list(point)}")
        return tensor[point]

    return Kernel(kernel)


def from_elements(operation: Operation) -> Kernel:
    """result = the elements in row-major order."""
    result = operation.result()
    dtype, shape = result.element_type.dtype, result.dims

    def kernel(*elements: Value) -> Value:
        array = np.empty(len(elements), dtype)
        for index, element in enumerate(elements):
            array[index] = element
        return array.reshape(shape)

    return Kernel(kernel)


def splat(operation: Operation) -> Kernel:
    """result = one element everywhere."""
    shape = operation.result().dims

    def kernel(element: Value, *sizes: Value) -> Value:
        return np.broadcast_to(element, _fill_dynamic(shape, sizes))

    return Kernel(kernel)


def empty(operation: Operation) -> Kernel:
    """result = a tensor with unspecified elements; hlokit uses zeros."""
    result = operation.result()
    dtype, shape = result.element_type.dtype, result.dims

    def kernel(*sizes: Value) -> Value:
        return np.zeros(_fill_dynamic(shape, sizes), dtype)

    return Kernel(kernel)


def _reshape(source: Value, shape: Value) -> Value:
    return source.reshape(tuple(map(int, shape)))


def reshape(operation: Operation) -> Kernel:
    """result = source in the shape of the second operand."""
    del operation
    return Kernel(_reshape)
