"""Tensors in the notation of the specification: index spaces, and tensors built from a formula.

Source: spec "Functions on values", "Shape computations".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, overload

import numpy as np

from hlokit.errors import EvaluationError, InternalError
from hlokit.values.element import Element
from hlokit.values.element_types import I1, ElementType
from hlokit.values.tensor import Tensor, Token, Tuple
from hlokit.values.types import BEYOND_ARRAYS, TensorType

Index = tuple[int, ...]
Shape = tuple[int, ...]
Axes = tuple[int, ...]
Value = Tensor | Token | Tuple
Tensors = tuple[Tensor, ...]


def index_space(shape: Shape) -> Iterator[Index]:
    """All indices within a shape in ascending lexicographical order: [0, ..., 0], [0, ..., 1], ..."""
    # `product` lists all indices of each dimension first.
    return iter(()) if 0 in shape else product(*map(range, shape))


def build(shape: Shape, element_type: ElementType, formula: Callable[[Index], Element]) -> Tensor:
    """The tensor with result[index] = formula(index) for every index of its index space.

    Raises:
      EvaluationError: a dimension is negative, or memory does not suffice.
    """
    type_ = TensorType(shape, element_type)
    if any(size < 0 for size in shape):
        raise EvaluationError(f"sizes of dimensions must not be negative, got {list(shape)}")
    if type_.is_beyond_arrays:
        raise EvaluationError(f"a result of type {type_} {BEYOND_ARRAYS}")
    return Tensor.from_elements(type_, map(formula, index_space(shape)))


@overload
def elementwise(
    function: Callable[[Element], Element], x: Tensor, /, *, element_type: ElementType | None = None
) -> Tensor: ...
@overload
def elementwise(
    function: Callable[[Element, Element], Element],
    x: Tensor,
    y: Tensor,
    /,
    *,
    element_type: ElementType | None = None,
) -> Tensor: ...
@overload
def elementwise(
    function: Callable[[Element, Element, Element], Element],
    x: Tensor,
    y: Tensor,
    z: Tensor,
    /,
    *,
    element_type: ElementType | None = None,
) -> Tensor: ...
def elementwise(
    function: Callable[..., Element], *operands: Tensor, element_type: ElementType | None = None
) -> Tensor:
    """result[i] = function(operands[0][i], operands[1][i], ...)

    Args:
      element_type: the element type of the result; by default that of the first operand.

    Raises:
      EvaluationError: the shapes of the operands differ, as dynamic shapes may at run time.
    """
    first, *others = operands
    for other in others:
        if other.shape != first.shape:
            raise EvaluationError(
                f"shapes of operands must be equal, got {list(first.shape)} and {list(other.shape)}"
            )
    elements = zip(*(operand.elements() for operand in operands), strict=True)
    type_ = TensorType(first.shape, element_type or first.element_type)
    return Tensor.from_elements(type_, (function(*elements_at_index) for elements_at_index in elements))


def scalar(element: Element) -> Tensor:
    """The tensor of rank 0 with this element."""
    return build((), element.type, lambda _: element)


def full(shape: Shape, element: Element) -> Tensor:
    """A tensor with the same element everywhere."""
    return build(shape, element.type, lambda _: element)


def constant(number: Any, element_type: ElementType, shape: Shape = ()) -> Tensor:
    """A tensor with the same number everywhere."""
    return full(shape, Element(element_type, number))


def vector(elements: Sequence[Element], element_type: ElementType) -> Tensor:
    return Tensor.from_elements(TensorType((len(elements),), element_type), elements)


def item(tensor: Tensor) -> Element:
    """The only element of a tensor."""
    (element,) = tensor.elements()
    return element


def integers(tensor: Tensor) -> tuple[int, ...]:
    """The elements of a tensor of integers, such as a shape or indices at run time."""
    return tuple(int(element) for element in tensor.elements())


def boolean(value: bool) -> Element:
    return Element(I1, value)


def as_tensor(value: Value) -> Tensor:
    """A value as a tensor, which the verifier has checked."""
    if not isinstance(value, Tensor):
        raise InternalError(f"value must be a tensor, got {value!r}")
    return value


def as_array(value: Value) -> Any:
    """A value as the other tiers have it: a NumPy array or scalar, a tuple of values, or a token."""
    if isinstance(value, Tuple):
        return tuple([as_array(item) for item in value.values])
    if not isinstance(value, Tensor):
        return value
    array = value.numpy()
    return array if array.ndim else np.asarray(array)[()]


def with_element_type(tensor: Tensor, element_type: ElementType) -> Tensor:
    """The same bits as elements of a type with the same storage: a quantized type and its storage type."""
    array = tensor.numpy().view(element_type.dtype)
    return Tensor(tensor.type._replace(element_type=element_type), array)


def from_array(array: np.ndarray[Any, Any], element_type: ElementType) -> Tensor:
    """A tensor with a copy of an array's elements."""
    return Tensor(TensorType(array.shape, element_type), np.array(array, element_type.dtype, order="C"))


def part(tensor: Tensor, sizes: Shape, operand_index: Callable[[Index], Index]) -> Tensor:
    """The tensor with result[i] = tensor[operand_index(i)], the form of all operations that move elements."""
    return build(sizes, tensor.element_type, lambda index: tensor[operand_index(index)])


def add(lhs: Index, rhs: Index) -> Index:
    """The sum of two indices, component by component."""
    return tuple([a + b for a, b in zip(lhs, rhs, strict=True)])


def is_within(index: Index, shape: Shape) -> bool:
    return all(0 <= i < size for i, size in zip(index, shape, strict=True))


def without(shape: Shape, axes: Sequence[int]) -> Shape:
    """A shape or an index without the given axes."""
    return tuple([size for axis, size in enumerate(shape) if axis not in axes])


def take(shape: Shape, axes: Sequence[int]) -> Shape:
    """The components of a shape or an index along some axes, in the order of the axes."""
    return tuple([shape[axis] for axis in axes])
