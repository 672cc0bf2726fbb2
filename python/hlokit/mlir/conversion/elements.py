"""Arrays to elements attributes: the inverse of `hlokit.mlir.conversion.constants`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.values.bits import is_splat, significant_bits
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from hlokit.values.types import TensorType

# Dtypes that the bindings accept directly. Other dtypes are passed as bits, which the type interprets.
_DTYPES = frozenset(
    np.dtype(name)
    for name in (
        *("bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
        *("f2", "f4", "f8", "c8", "c16"),
    )
)


def elements_attribute(array: npt.NDArray[Any], type_: TensorType, mlir_type: ir.Type) -> ir.Attribute:
    """The dense attribute of a constant of this type.

    An array that consists of a single element in memory (`is_splat`) is stored as one element, for any size
    of the type.

    Args:
      array: an array of the type's shape and dtype; for a quantized type, the storage integers.
      type_: a static tensor type.
      mlir_type: the same type as an MLIR type.
    """
    stored = type_.element_type.stored
    if type_.element_type.kind is Kind.QUANTIZED:
        # The attribute also stores unsigned values as signless integers.
        stored = ELEMENT_TYPES[f"i{stored.width}"]
        array = array.view(stored.dtype)
        mlir_type = to_mlir_type(TensorType(type_.dims, stored), mlir_type.context)
    if is_splat(array):
        array = array[(0,) * array.ndim].reshape(1)
    if not array.flags.c_contiguous:
        array = array.copy(order="C")
    if array.dtype not in _DTYPES:
        # Two attributes are the same constant only if the padding bits of narrow values are equal as well.
        array = significant_bits(array, stored)
    return ir.DenseElementsAttr.get(array, type=mlir_type)


def append_constant(block: ir.Block, array: npt.NDArray[Any], type_: TensorType) -> ir.Value:
    """A constant at the end of a block, with the elements of `array`; see `elements_attribute`."""
    mlir_type = to_mlir_type(type_)
    attribute = elements_attribute(array, type_, mlir_type)
    constant = ir.Operation.create(
        "stablehlo.constant", [mlir_type], attributes={"value": attribute}, ip=ir.InsertionPoint(block)
    )
    return constant.results[0]
