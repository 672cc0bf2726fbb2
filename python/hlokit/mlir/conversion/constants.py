"""Elements attributes to arrays, for every element type, without printing.

The bindings provide buffers for some element types only. However, the bindings can write any operation as
bytecode, which contains the unchanged bytes of the dense attribute; the native reader finds these bytes.
"""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from hlokit import _bytecode
from hlokit.errors import InternalError, UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.values.bits import aligned
from hlokit.values.element_types import Kind
from hlokit.values.types import BEYOND_ARRAYS, TensorType

Array = npt.NDArray[np.generic]

# Element types whose attributes provide buffers of the correct dtype.
_BUFFERED = frozenset(
    ("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "f16", "f32", "f64", "index")
)

# hlokit does not copy constants of more bytes: the array is a view of the bindings' memory and keeps the
# context alive.
_LARGE = 1 << 20


def read_elements(operation: ir.Operation, name: str) -> Array:
    """The values of an elements attribute as a read-only array of its type's shape and dtype.

    The operation must have no other dense attribute. A splat becomes a view with strides of 0.

    Raises:
      UnsupportedError: hlokit does not evaluate the type of the attribute.
    """
    type_ = _elements_type(operation, name)
    array = _read_buffer(operation, name, type_) if type_.element_type.name in _BUFFERED else None
    if array is None:
        array = _read_blob(operation, type_)
    array.flags.writeable = False
    return array


def _elements_type(operation: ir.Operation, name: str) -> TensorType:
    try:
        type_ = value_type(operation.attributes[name].type)
    except (
        TypeError
    ):  # The bindings have no class for dense complex attributes; only typed values have complex ones.
        typed = operation.results if len(operation.results) else operation.operands
        type_ = value_type(typed[0].type)
    if not isinstance(type_, TensorType) or not type_.is_static:
        raise UnsupportedError(f"{name} has type {type_}, which hlokit does not evaluate")
    if type_.is_beyond_arrays:
        raise UnsupportedError(f"{name} has type {type_}, which {BEYOND_ARRAYS}")
    return type_


def _read_buffer(operation: ir.Operation, name: str, type_: TensorType) -> Array | None:
    attribute = operation.attributes[name]
    if not isinstance(attribute, ir.DenseElementsAttr):
        return None
    if attribute.is_splat and type_.size:
        splat = np.asarray(attribute)[(0,) * type_.rank]
        return np.broadcast_to(np.array(splat, type_.element_type.dtype), type_.dims)
    dtype = type_.element_type.dtype
    if type_.size * dtype.itemsize < _LARGE:
        return np.array(attribute, dtype)
    return aligned(np.asarray(attribute, dtype))


def _read_blob(operation: ir.Operation, type_: TensorType) -> Array:
    blob = _dense_blob(_bytecode_of(operation))
    dtype = type_.element_type.dtype
    if type_.element_type.kind is Kind.BOOL:
        bits = np.unpackbits(np.frombuffer(blob, np.uint8), bitorder="little").astype(np.bool_)
        is_splat = len(blob) == 1 and type_.size > 8
        return np.broadcast_to(bits[0], type_.dims) if is_splat else bits[: type_.size].reshape(type_.dims)
    values = aligned(np.frombuffer(blob, dtype))
    if values.size == 1 and type_.size != 1:
        return np.broadcast_to(values[0], type_.dims)
    if values.size != type_.size:
        raise InternalError(f"a constant of type {type_} has {len(blob)} bytes")
    return values.reshape(type_.dims)


def _dense_blob(data: bytes) -> memoryview:
    """The bytes of the only dense attribute in an operation's bytecode."""
    bytecode = _bytecode.Bytecode(data)
    dense_attributes = [dense for dense in bytecode.dense_attributes() if dense.kind != "array"]
    if len(dense_attributes) != 1:
        raise InternalError(f"a constant has {len(dense_attributes)} dense attributes")
    (dense,) = dense_attributes
    if dense.key is not None and not dense.size:
        raise UnsupportedError(f"the input does not hold the data of dense_resource<{dense.key}>")
    return bytecode.blob(dense.offset, dense.size)


def _bytecode_of(operation: ir.Operation) -> bytes:
    """The operation alone as bytecode.

    The writer receives a clone, because it crashes on results with users outside of the written operations.
    An operation with operands is cloned into a temporary module, which also defines the operands.
    """
    buffer = io.BytesIO()
    clone = operation.clone(ip=False)  # not into the program, which a pass may be changing
    if not len(operation.operands):
        clone.operation.write_bytecode(buffer)
        return buffer.getvalue()
    with operation.context, ir.Location.unknown():
        scratch = ir.Module.create()
        source = ir.Operation.create("hlokit.scratch", results=[v.type for v in operation.operands], ip=False)
        scratch.body.append(source)
        scratch.body.append(clone)
        for index, value in enumerate(source.results):
            clone.operation.operands[index] = value
        scratch.operation.write_bytecode(buffer)
    return buffer.getvalue()
