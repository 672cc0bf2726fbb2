"""Kernels that are made for operands of certain shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from hlokit.errors import EvaluationError
from hlokit.interpreter.registry import KernelFunction, Value
from hlokit.values.types import TensorType

Shape = tuple[int, ...]

# Shapes that one operation of dynamic operands has been specialised for, at most.
_MOST_SHAPES = 64


def by_shape(make: Callable[..., KernelFunction], types: Sequence[TensorType]) -> KernelFunction:
    """The kernel `make(*shapes)` for operands of these types.

    Made at once if the types are static. Otherwise it is made when operands of new shapes arrive; `types`
    are then those of the first operands, and all operands are passed on.
    """
    if all(type_.is_static for type_ in types):
        return make(*(type_.dims for type_ in types))
    cached = lru_cache(maxsize=_MOST_SHAPES)(make)
    count = len(types)

    def kernel(*operands: Value) -> Value:
        return cached(*[operand.shape for operand in operands[:count]])(*operands)

    return kernel


def shape_from(sizes: Value, type_: TensorType, what: str) -> Shape:
    """The shape that an operand asks for.

    Args:
      sizes: 1-dimensional tensor of integers.
      type_: of the result; the shape must fit it.
      what: names operation and operand in messages.

    Raises:
      EvaluationError: their number is not the rank, one is negative or differs from the type's, or there are
        no arrays of that shape.
    """
    shape = tuple(int(size) for size in sizes)
    static = (-1,) * len(shape) if type_.shape is None else type_.shape
    if len(shape) != len(static) or any(
        size < 0 or (expected >= 0 and size != expected) for size, expected in zip(shape, static, strict=True)
    ):
        raise EvaluationError(f"{what} must be the shape of a {type_}, got {list(shape)}")
    if TensorType(shape, type_.element_type).is_beyond_arrays:
        raise EvaluationError(f"{what} must be one that fits into memory, got {list(shape)}")
    return shape
