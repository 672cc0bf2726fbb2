"""Types of front ends as MLIR text."""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# (shapes and dtypes come from any library)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError
from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import element_type_of
from hlokit.values.tensor import Tensor, Token, Tuple
from hlokit.values.types import OpaqueType, TensorType, TokenType, TupleType


def type_text(type_: Any, what: str) -> str:
    """The MLIR text of a type.

    Args:
      type_: MLIR text, a type of hlokit or of the bindings, or anything with a shape and a dtype.
      what: the value that has the type, for messages.

    Raises:
      ArgumentError: `type_` is none of these.
    """
    if isinstance(type_, str):
        return type_
    if isinstance(type_, TensorType | TokenType | TupleType | OpaqueType | ir.Type):
        return str(type_)
    if isinstance(type_, Tensor | Token | Tuple):
        return str(type_.type)
    shape, dtype = getattr(type_, "shape", None), getattr(type_, "dtype", None)
    if not isinstance(shape, Sequence) or dtype is None:
        raise ArgumentError(f"{what} must be a type or have a shape and a dtype, got {type_!r:.200}")
    try:
        element_type = element_type_of(np.dtype(dtype))
    except TypeError as error:
        raise ArgumentError(f"{what}: {error}") from None
    # JAX has symbolic sizes, which are not integers.
    sizes = (int(size) if isinstance(size, int | np.integer) else -1 for size in shape)
    return str(TensorType(tuple(sizes), element_type))
