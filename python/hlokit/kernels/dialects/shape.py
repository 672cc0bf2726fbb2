"""The shape dialect: computations with shapes.

A shape is a 1-dimensional array of i64, whether its type is `!shape.shape` or `tensor<?xindex>`; a size is an
i64. A witness carries no data: its existence shows that its constraint holds, since otherwise the program has
failed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import IDENTITY, BindFunction, Constant, Kernel, Operation, Value
from hlokit.errors import EvaluationError

_SIZE = np.dtype(np.int64)
_WITNESS = np.bool_(True)
_Function = Callable[[Any], Any] | Callable[[Any, Any], Any]


def _shape(sizes: Any) -> Any:
    return np.array(sizes, _SIZE)


def _broadcast(lhs: Any, rhs: Any) -> Any:
    """The shape to which two shapes broadcast; None if they do not broadcast."""
    short, long = sorted((lhs, rhs), key=len)
    tail = long[len(long) - len(short) :]
    if any(a not in (b, 1) and b != 1 for a, b in zip(short, tail, strict=True)):
        return None
    return _shape([*long[: len(long) - len(short)], *np.where(tail == 1, short, tail)])


def _broadcast_all(shapes: tuple[Any, ...]) -> Any:
    def step(total: Any, shape: Any) -> Any:
        return None if total is None else _broadcast(total, shape)

    return reduce(step, shapes, _shape([]))


def _spelled(shapes: tuple[Any, ...]) -> str:
    return ", ".join(str(np.asarray(shape).tolist()) for shape in shapes)


def _simple(function: _Function, doc: str) -> BindFunction:
    """The bind function of an operation that has no attributes."""

    def bind(operation: Operation) -> Kernel:
        del operation
        return Kernel(function)

    bind.__doc__ = doc
    return bind


# Constants -------------------------------------------------------------------------------------------


def const_shape(operation: Operation) -> Constant:
    """result = the shape `shape`."""
    return Constant(_shape(operation.attributes.ints("shape")))


def const_size(operation: Operation) -> Constant:
    """result = the size `value`."""
    return Constant(np.int64(operation.attributes.int_("value")))


def const_witness(operation: Operation) -> Kernel:
    """A witness, if `passing`."""
    return Kernel(_all_hold if operation.attributes.bool_("passing") else _fails)


def _fails() -> Any:
    raise EvaluationError("the constraint must hold, but is false")


# Shapes ----------------------------------------------------------------------------------------------


def _broadcast_or_trap(*shapes: Any) -> Any:
    result = _broadcast_all(shapes)
    if result is None:
        raise EvaluationError(f"shapes must broadcast, got {_spelled(shapes)}")
    return result


def _get_extent(shape: Any, index: Any) -> Any:
    if not 0 <= index < len(shape):
        raise EvaluationError(f"dimension must be below {len(shape)}, got {int(index)}")
    return shape[int(index)]


def _split_at(shape: Any, index: Any) -> tuple[Any, Any]:
    size = len(shape)
    if not -size <= index <= size:
        raise EvaluationError(f"index must be from {-size} to {size}, got {int(index)}")
    cut = int(index) + (size if index < 0 else 0)
    return shape[:cut], shape[cut:]


def _from_extents(*sizes: Any) -> Any:
    return _shape(sizes)


def _first(*shapes: Any) -> Any:
    return shapes[0]


def _is_broadcastable(*shapes: Any) -> Any:
    return np.bool_(_broadcast_all(shapes) is not None)


def _all_hold(*witnesses: Any) -> Any:
    del witnesses
    return _WITNESS


def _shapes_equal(*shapes: Any) -> Any:
    return np.bool_(all(np.array_equal(shape, shapes[0]) for shape in shapes))


def _floor_divide(lhs: Any, rhs: Any) -> Any:
    if rhs == 0:
        raise EvaluationError("rhs must not be 0")
    return np.floor_divide(lhs, rhs)


shape_of = _simple(lambda arg: _shape(arg.shape), "result = shape(arg).")
value_of = _simple(lambda arg: arg, "result = the value with a shape.")
value_as_shape = _simple(lambda arg: np.asarray(arg, _SIZE), "result = the sizes as a shape.")
num_elements = _simple(lambda shape: np.int64(np.prod(shape, dtype=_SIZE)), "result = product of sizes.")
rank = _simple(lambda shape: np.int64(len(shape)), "result = number of sizes.")
dim = _simple(lambda value, index: _get_extent(value.shape, index), "result = dim(value, index).")
get_extent = _simple(_get_extent, "result = shape[dim].")
broadcast = _simple(_broadcast_or_trap, "result = the shape that the operands broadcast to.")
concat = _simple(lambda lhs, rhs: np.concatenate([lhs, rhs]), "result = lhs, then rhs.")
split_at = _simple(_split_at, "(head, tail) = the shape before and after an index.")
from_extents = _simple(_from_extents, "result = the shape of these sizes.")
from_extent_tensor = _simple(lambda sizes: np.asarray(sizes, _SIZE), "result = the sizes as a shape.")
to_extent_tensor = _simple(lambda shape: shape, "result = the sizes of a shape.")
index_to_size = _simple(lambda index: index, "result = the index as a size.")
size_to_index = _simple(lambda size: size, "result = the size as an index.")
add = _simple(np.add, "result = lhs + rhs.")
mul = _simple(np.multiply, "result = lhs * rhs.")
div = _simple(_floor_divide, "result = lhs / rhs, rounded down.")
max_ = _simple(np.maximum, "result = the greater one, size by size.")
min_ = _simple(np.minimum, "result = the smaller one, size by size.")
any_ = _simple(_first, "result = any of the operands: the first.")
is_broadcastable = _simple(_is_broadcastable, "result = whether the shapes broadcast.")
shape_eq = _simple(_shapes_equal, "result = whether all shapes are equal.")


# Constraints -----------------------------------------------------------------------------------------


def _cstr_broadcastable(*shapes: Any) -> Any:
    if _broadcast_all(shapes) is None:
        raise EvaluationError(f"shapes must broadcast, got {_spelled(shapes)}")
    return _WITNESS


def _cstr_eq(*shapes: Any) -> Any:
    if not _shapes_equal(*shapes):
        raise EvaluationError(f"shapes must be equal, got {_spelled(shapes)}")
    return _WITNESS


cstr_broadcastable = _simple(_cstr_broadcastable, "A witness, if the shapes broadcast.")
cstr_eq = _simple(_cstr_eq, "A witness, if all shapes are equal.")
assuming_all = _simple(_all_hold, "A witness that all constraints hold.")


def cstr_require(operation: Operation) -> Kernel:
    """A witness, if pred; else the error `msg`."""
    message = operation.attributes.string("msg")

    def kernel(pred: Value) -> Value:
        if not pred:
            raise EvaluationError(message)
        return _WITNESS

    return Kernel(kernel)


def assuming(operation: Operation) -> Kernel:
    """results = region(), under a constraint that has been checked."""
    (region,) = operation.regions

    def kernel(witness: Value, *captured: Value) -> Value:
        del witness
        return region(*captured)

    return Kernel(kernel)


def with_shape(operation: Operation) -> Kernel:
    """result = the operand, which the program asserts to have a shape."""
    del operation
    return IDENTITY
