"""Values as the MLIR tools print them.

`format_value` prints like an interpreter, with nested brackets over several lines; `format_dense` prints an
MLIR attribute, which parses again.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import UnsupportedError
from hlokit.values.bits import is_splat, significant_bits
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_text import float_texts
from hlokit.values.tensor import Tuple
from hlokit.values.types import TensorType, TokenType, TupleType, ValueType

# MLIR prints dense attributes with more elements than this number as hexadecimal digits.
_LARGEST_LITERAL = 100


def format_value(value: Any, type_: ValueType) -> str:
    """A value as `stablehlo-translate --interpret` prints it, without a final newline.

        tensor<2x2xi8> {
          [
            [1, 2],
            [3, 4]
          ]
        }

    Scalars are printed on the line of their type, `tensor<i8> {1}`. A tensor of a quantized type is printed
    as its storage integers, with the quantized type. A tuple is printed as its type, and its values in
    parentheses, each on separate lines; a token is printed as its type.

    Args:
      value: of a tensor type, an array or `Tensor` with the dtype and rank of the type; of a tuple type, a
        `Tuple` or sequence of values; of a token type, anything.
      type_: the value's type; for unknown dimensions, the value's sizes are printed.

    Raises:
      ValueError: the shape, or the length of a tuple, does not fit.
      TypeError: the dtype does not fit.
      UnsupportedError: values of this type cannot be printed.
    """
    match type_:
        case TensorType():
            return _format_tensor(_elements("format_value", value, type_), type_.element_type.stored)
        case TokenType():
            return str(type_)
        case TupleType(types):
            values = tuple(value.values if isinstance(value, Tuple) else value)
            if len(values) != len(types):
                raise ValueError(f"format_value: {type_} must have {len(types)} values, got {len(values)}")
            members = (format_value(*member) for member in zip(values, types, strict=True))
            return f"{type_} (\n{_lines(members)})"
        case _:
            raise UnsupportedError(f"hlokit does not print values of type {type_}")


def format_dense(value: npt.ArrayLike, type_: TensorType) -> str:
    """A tensor as an MLIR attribute, the text that MLIR prints for it.

    `dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>`; if all elements are equal, one is printed,
    `dense<1> : tensor<4xi8>`; more than 100 different elements are printed as bytes in hexadecimal,
    `dense<"0x..."> : tensor<101xi8>`.

    Args:
      value: an array or `Tensor` with the dtype and rank of the type.
      type_: the value's type; for unknown dimensions, the value's sizes are printed.

    Raises:
      ValueError: the shape does not fit.
      TypeError: the dtype does not fit.
    """
    array = _elements("format_dense", value, type_)
    element_type = type_.element_type.stored
    return f"dense<{_dense_literal(array, element_type)}> : {TensorType(array.shape, element_type)}"


def format_element(value: npt.ArrayLike, element_type: ElementType) -> str:
    """One element as printed within a tensor: `1`, `true`, `1.000000e+00`, `[re, im]`.

    Args:
      value: an array of one element, or NumPy scalar, of the element type's dtype.
      element_type: that type.

    Raises:
      ValueError: there is not exactly one element.
      TypeError: the dtype does not fit.
    """
    array = _elements("format_element", value, TensorType(np.shape(value), element_type))
    (text,) = _element_texts(array, element_type, "[{}, {}]")
    return text


def _elements(what: str, value: Any, type_: TensorType) -> npt.NDArray[Any]:
    array = np.asarray(value)
    if array.dtype != type_.element_type.dtype:
        raise TypeError(f"{what}: dtype of {type_} must be {type_.element_type.dtype}, got {array.dtype}")
    fits = type_.shape is None or (
        array.ndim == len(type_.shape)
        and all(wanted in (-1, size) for size, wanted in zip(array.shape, type_.shape, strict=True))
    )
    if not fits:
        raise ValueError(f"{what}: shape must fit {type_}, got {array.shape}")
    return array


def _element_texts(array: npt.NDArray[Any], element_type: ElementType, complex_form: str) -> list[str]:
    match element_type.kind:
        case Kind.BOOL:
            return np.where(array.reshape(-1), "true", "false").tolist()
        case Kind.FLOAT:
            return float_texts(array, element_type)
        case Kind.COMPLEX:
            parts = float_texts(np.ascontiguousarray(array).view(element_type.part.dtype), element_type.part)
            pairs = zip(parts[::2], parts[1::2], strict=True)
            return [complex_form.format(real, imag) for real, imag in pairs]
        case _:
            return list(map(str, array.reshape(-1).tolist()))


def _format_tensor(array: npt.NDArray[Any], element_type: ElementType) -> str:
    head = f"{TensorType(array.shape, element_type)} {{"
    texts = _element_texts(array, element_type, "[{}, {}]")
    if array.ndim == 0:
        return f"{head}{texts[0]}}}"
    margin = "  " * array.ndim
    blocks = [f"{margin}[{row}]" for row in _joined(texts, array.shape, ", ")]
    for rank in range(array.ndim - 1, 0, -1):
        margin = "  " * rank
        groups = _grouped(blocks, array.shape[:rank])
        blocks = [f"{margin}[\n{_lines(group)}{margin}]" if group else f"{margin}[]" for group in groups]
    return f"{head}\n{blocks[0]}\n}}"


def _lines(blocks: Iterable[str]) -> str:
    text = ",\n".join(blocks)
    return f"{text}\n" if text else ""


def _dense_literal(array: npt.NDArray[Any], element_type: ElementType) -> str:
    if array.size == 0:
        return ""
    if is_splat(array):  # perhaps of more elements than memory holds
        array = array[(slice(1),) * array.ndim]
    codes = significant_bits(array, element_type).reshape(array.size, -1)
    if (codes == codes[0]).all():
        return _element_texts(array.reshape(-1)[:1], element_type, "({},{})")[0]
    if array.size > _LARGEST_LITERAL:
        little_endian = codes.astype(codes.dtype.newbyteorder("<"))
        return f'"0x{little_endian.tobytes().hex().upper()}"'
    blocks = _element_texts(array, element_type, "({},{})")
    for rank in range(array.ndim, 0, -1):
        blocks = [f"[{row}]" for row in _joined(blocks, array.shape[:rank], ", ")]
    return blocks[0]


def _joined(texts: list[str], shape: tuple[int, ...], separator: str) -> list[str]:
    return [separator.join(group) for group in _grouped(texts, shape)]


def _grouped(texts: list[str], shape: tuple[int, ...]) -> list[list[str]]:
    """The texts of an array's elements, grouped along its last dimension."""
    *outer, size = shape
    return [texts[start * size : (start + 1) * size] for start in range(prod(outer))]
