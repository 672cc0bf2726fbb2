"""Kernels specialised for the shapes of their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from hlokit.engine.contract.registry import KernelFunction, Value
from hlokit.errors import EvaluationError
from hlokit.values.types import TensorType

Shape = tuple[int, ...]

# The largest number of shapes for which an operation with dynamic operands keeps kernels.
_CACHED_SHAPES = 64


def specialize(make: Callable[..., KernelFunction], types: Sequence[TensorType]) -> KernelFunction:
    """The kernel `make(*shapes)` for operands of these types.

    If the types are static, the kernel is created immediately. Otherwise a kernel is created for each
    combination of shapes that occurs. `types` are the types of the first operands; the kernel receives all
    operands.
    """
    if all(type_.is_static for type_ in types):
        return make(*(type_.dims for type_ in types))
    cached = lru_cache(maxsize=_CACHED_SHAPES)(make)
    count = len(types)

    def kernel(*operands: Value) -> Value:
        return cached(*[operand.shape for operand in operands[:count]])(*operands)

    return kernel


def checked_shape(sizes: Value, type_: TensorType, what: str) -> Shape:
    """The shape that a program computed, checked against the result type.

    Args:
      sizes: 1-dimensional tensor of integers.
      type_: the type of the result, which the shape must fit.
      what: the operation and operand, for messages.

    Raises:
      EvaluationError: the number of sizes differs from the rank, a size is negative or differs from the
        type's, or the array would be too large for NumPy.
    """
    shape = tuple(int(size) for size in sizes)
    static = (-1,) * len(shape) if type_.shape is None else type_.shape
    if len(shape) != len(static) or any(
        size < 0 or (expected >= 0 and size != expected) for size, expected in zip(shape, static, strict=True)
    ):
        raise EvaluationError(f"{what} must be the shape of a {type_}, got {list(shape)}")
    if TensorType(shape, type_.element_type).is_beyond_arrays:
        raise EvaluationError(f"{what} must be a shape that fits into memory, got {list(shape)}")
    return shape
