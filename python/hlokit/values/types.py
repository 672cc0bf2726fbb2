"""Types of values: tensors, tokens and tuples, without MLIR.

`str` of a type is its MLIR spelling. Source: spec "Types".
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from hlokit.errors import EvaluationError
from hlokit.values.element_types import ElementType

# The largest rank of an array in NumPy.
MOST_DIMENSIONS = 64
# The end of a message about a type that is too large for arrays.
BEYOND_ARRAYS = f"is too large: NumPy arrays have at most {MOST_DIMENSIONS} dimensions and under 2**63 bytes"


class TensorType(NamedTuple):
    """`tensor<2x?xf32>`: a shape and an element type.

    Attributes:
      shape: dimension sizes, -1 where unknown; None if even the rank is unknown.
      element_type: type of the elements.
      bounds: for `#stablehlo.bounds`, the largest size of each dimension, -1 where unbounded.
    """

    shape: tuple[int, ...] | None
    element_type: ElementType
    bounds: tuple[int, ...] | None = None

    def __str__(self) -> str:
        if self.shape is None:
            return f"tensor<*x{self.element_type}>"
        dimensions = "".join(f"{'?' if size < 0 else size}x" for size in self.shape)
        if self.bounds is None:
            return f"tensor<{dimensions}{self.element_type}>"
        bounds = ", ".join("?" if bound < 0 else str(bound) for bound in self.bounds)
        return f"tensor<{dimensions}{self.element_type}, #stablehlo.bounds<{bounds}>>"

    @property
    def is_static(self) -> bool:
        """Whether every dimension size is known."""
        return self.shape is not None and -1 not in self.shape

    @property
    def dims(self) -> tuple[int, ...]:
        """The shape of a ranked tensor."""
        assert self.shape is not None, "an unranked tensor has no shape"
        return self.shape

    @property
    def rank(self) -> int:
        return len(self.dims)

    @property
    def size(self) -> int:
        """Number of elements of a static tensor."""
        return prod(self.dims)

    @property
    def nbytes(self) -> int:
        """Bytes of a static tensor; 0 if a dimension is unknown."""
        return self.size * self.element_type.dtype.itemsize if self.is_static else 0

    def admits(self, shape: tuple[int, ...]) -> bool:
        """Whether values of this type may have a shape: unknown sizes may be any, up to their bounds."""
        if self.shape is None or shape == self.shape:
            return True
        if len(shape) != len(self.shape):
            return False
        bounds = self.bounds or (-1,) * len(shape)
        return all(
            actual == size if size >= 0 else bound < 0 or actual <= bound
            for actual, size, bound in zip(shape, self.shape, bounds, strict=True)
        )

    def largest_size(self, dimension: int, shape: tuple[int, ...]) -> int:
        """The largest size of a dimension of a value that has a shape: the bound, if there is one."""
        bound = -1 if self.bounds is None else self.bounds[dimension]
        return max(shape[dimension], bound)

    def may_be(self, other: "TensorType") -> bool:
        """Whether a value of another type may have this type: both have the sizes that both state."""
        if self.element_type != other.element_type or self.shape is None or other.shape is None:
            return self.element_type == other.element_type
        return len(self.shape) == len(other.shape) and all(
            one == two or min(one, two) < 0 for one, two in zip(self.shape, other.shape, strict=True)
        )

    @property
    def is_beyond_arrays(self) -> bool:
        """Whether NumPy rejects arrays of this static type: NumPy counts bytes as if no dimension were 0."""
        if self.rank > MOST_DIMENSIONS:
            return True
        return prod([size or 1 for size in self.dims]) * self.element_type.dtype.itemsize >= 1 << 63


class BufferType(TensorType):
    """`memref<2x3xf32>`: a tensor in memory that custom calls may update; its value is that of a tensor."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"memref{super().__str__().removeprefix('tensor')}"


class TokenType:
    """`!stablehlo.token`: orders side effects, contains no data. All are equal."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TokenType)

    def __hash__(self) -> int:
        return hash(TokenType)

    def __repr__(self) -> str:
        return "TokenType()"

    def __str__(self) -> str:
        return "!stablehlo.token"


class TupleType(NamedTuple):
    """`tuple<...>` of values."""

    types: "tuple[ValueType, ...]"

    def __str__(self) -> str:
        return f"tuple<{', '.join(map(str, self.types))}>"


class OpaqueType(NamedTuple):
    """A type of another dialect; the kernels of that dialect define its values."""

    spelling: str

    def __str__(self) -> str:
        return self.spelling


ValueType = TensorType | TokenType | TupleType | OpaqueType


def require_types(values: Sequence[Any], types: Sequence[ValueType], what: str) -> None:
    """Raise an error unless the shapes of all tensors fit their types.

    Args:
      values: tensors or arrays, and values of other types.
      what: the name of a value in messages, which its number follows.

    Raises:
      EvaluationError: a value has a shape that its type does not admit.
    """
    for index, (value, type_) in enumerate(zip(values, types, strict=True)):
        if isinstance(type_, TensorType) and not type_.admits(value.shape):
            actual = TensorType(value.shape, type_.element_type)
            raise EvaluationError(f"{what} {index} must be a {type_}, got a {actual}")


def require_compatible(types: Sequence[ValueType], others: Sequence[ValueType], what: str) -> None:
    """Raise an error unless values of some types may have other types at run time.

    Args:
      what: the name of a value in messages, which its number follows.

    Raises:
      EvaluationError: two types have no value in common.
    """
    for index, (type_, other) in enumerate(zip(types, others, strict=True)):
        if isinstance(type_, TensorType) and isinstance(other, TensorType):
            is_possible = other.may_be(type_)
        else:
            is_possible = type_ == other
        if not is_possible:
            raise EvaluationError(f"{what} {index} must be a {other}, got a {type_}")
