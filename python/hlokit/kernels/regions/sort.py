"""sort.

A comparator of keys becomes a sort of integers. Other pointwise comparators merge in compiled code or on
whole arrays; any other comparator is called for each pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.array_ops import SortKey
from hlokit.engine.contract.interrupts import interruptible
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, KernelFunction, Operation, PartialSort, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.bodies import NativeBody, in_rows, native_body
from hlokit.engine.native.ir.target import TYPES, is_enabled
from hlokit.kernels.regions.comparators import Array, KeyComparator, find_keys
from hlokit.kernels.regions.merge_sort import Order, merge_order, native_order
from hlokit.values.element_types import I64, ElementType, Kind
from hlokit.values.float_format import Special, float_format

# Up to this number of elements, calling the comparator is faster than computing keys.
_SMALL = 512

Ordinals = npt.NDArray[Any]


def sort(operation: Operation) -> Kernel:
    """spec "sort": results_together[slice] = sort(inputs_together[slice], comparator_together).

    The sort is always stable. If a comparator compares keys (`comparators`), floats without TOTALORDER among
    them, keys that are NaN equal each other and come last in either direction. Other comparators decide in
    the order of `merge_sort`.
    """
    inputs = len(operation.operand_types)
    dimension = operation.attributes.int_("dimension", -1) % max(operation.operand().rank, 1)
    (comparator,) = operation.regions
    by_keys = find_keys(comparator)
    type_ = operation.operand()
    is_small = type_.is_static and type_.size <= _SMALL
    strict_keys = None if by_keys is None or by_keys.is_inclusive else by_keys.keys
    native = None
    if comparator.is_pointwise and (by_keys is None or (is_small and by_keys.is_order)):
        native = native_body(comparator)

    def kernel(*values: Value, count: int | None = None) -> Value:
        operands = [np.asarray(value) for value in values[:inputs]]
        captured = values[inputs:]
        shape = operands[0].shape
        if not shape or shape[dimension] < 2 or not operands[0].size:
            return operands[0] if inputs == 1 else tuple(operands)
        is_last = dimension == len(shape) - 1
        moved = operands if is_last else [np.moveaxis(operand, dimension, -1) for operand in operands]
        lanes = [operand.reshape(-1, shape[dimension]) for operand in moved]
        sorted_lanes = None
        if count is not None and by_keys is not None:
            sorted_lanes = _top_of_lanes(by_keys, lanes, captured, count)
        if sorted_lanes is None:
            sorted_lanes = sort_lanes(comparator, by_keys, lanes, captured, native)
        results = [
            result[:, :count].reshape(*operand.shape[:-1], -1)
            for result, operand in zip(sorted_lanes, moved, strict=True)
        ]
        if not is_last:
            results = [np.moveaxis(result, -1, dimension) for result in results]
        return results[0] if inputs == 1 else tuple(results)

    def first_elements(count: int) -> KernelFunction:
        return partial(kernel, count=count)

    return Kernel(
        kernel,
        array_op=array_ops.Sort(dimension, comparator, strict_keys),
        partial_sort=PartialSort(dimension, first_elements),
    )


def sort_lanes(
    comparator: Region,
    by_keys: KeyComparator | None,
    lanes: Sequence[Array],
    captured: Sequence[Value],
    native: NativeBody | None = None,
) -> list[Array]:
    """The operands with each row sorted together."""
    if native is not None:
        return _reordered(lanes, native_order(native, lanes, captured))
    keys = None if by_keys is None else by_keys.keys_of(lanes, captured)
    if by_keys is None or keys is None:
        return _reordered(lanes, merge_order(comparator, lanes, captured))
    if by_keys.is_inclusive:
        return _reordered(lanes, _inclusive_order(keys[0], by_keys.keys[0]))
    if len(lanes) == 1 and len(keys) == 1:
        result = _sort_values(lanes[0], keys[0], by_keys.keys[0])
        if result is not None:
            return [result]
    return _reordered(lanes, _order_by_keys(keys, by_keys.keys))


def _reordered(lanes: Sequence[Array], order: Order) -> list[Array]:
    positions = _in_rows(order)
    return [_taken(lane, positions) for lane in lanes]


def _in_rows(order: Order) -> Order:
    """Indices within rows as indices into the flattened array."""
    count, size = order.shape
    if count == 1:
        return order
    offsets: Order = np.arange(0, count * size, size, dtype=np.intp)[:, None]
    return order + offsets


def _taken(rows: Array, positions: Order) -> Array:
    return rows.reshape(-1).take(positions)


def _top_of_lanes(
    by_keys: KeyComparator, lanes: Sequence[Array], captured: Sequence[Value], count: int
) -> list[Array] | None:
    """The first elements of each row of the sorted operands; None if selection is no faster than sorting."""
    is_possible = len(by_keys.keys) == 1 and not by_keys.is_inclusive and is_enabled()
    keys = by_keys.keys_of(lanes, captured) if is_possible else None
    if keys is None:
        return None
    (array,), (key,) = keys, by_keys.keys
    order: Any = np.empty((len(array), count), np.intp)
    name = key.element_type.name
    if name in TYPES:
        _kernels.top_k(name, key.is_descending, key.is_total, in_rows(array), order, thread_count())
    else:
        _kernels.top_k("ui8", False, False, in_rows(_ordinals(array, key)), order, thread_count())
    return [np.take_along_axis(lane, order, -1) for lane in lanes]


# Comparators of keys: integers that sort like the keys ---------------------------------------------


def _ordinals(array: Array, key: SortKey) -> Ordinals:
    """Unsigned integers below 2^width that sort like the keys."""
    element_type = key.element_type
    width = element_type.width
    ordinals: Ordinals
    match element_type.kind:
        case Kind.BOOL:
            ordinals = array.view(np.uint8)
        case Kind.UNSIGNED:
            ordinals = array.astype(np.uint8) if element_type.is_narrow_integer else array
        case Kind.SIGNED if element_type.is_narrow_integer:
            ordinals = (array.astype(np.int8) + np.int8(1 << (width - 1))).view(np.uint8)
        case Kind.SIGNED:
            ordinals = array.view(element_type.bits_dtype)
            ordinals = ordinals ^ _sign(element_type)
        case _:
            return _float_ordinals(array, key)
    return ~ordinals & ordinals.dtype.type((1 << width) - 1) if key.is_descending else ordinals


def _float_ordinals(array: Array, key: SortKey) -> Ordinals:
    element_type = key.element_type
    bits: Ordinals = array.view(element_type.bits_dtype)
    sign, mask = _sign(element_type), bits.dtype.type((1 << element_type.width) - 1)
    if element_type.width < 8:
        bits = bits & mask
    ordinals = bits
    if _has_sign(element_type):
        if not key.is_total and (is_negative_zero := bits == sign).any():
            bits = bits ^ is_negative_zero * sign
        # Flip all bits of negative numbers, and the sign bit of other numbers.
        ordinals = bits ^ (np.negative(bits >> (element_type.width - 1)) & mask | sign)
    if key.is_total and _has_unsigned_nan(element_type):
        after_nan: Ordinals = ordinals + (bits > sign)
        ordinals = np.where(bits == sign, bits.dtype.type(0), after_nan)
    if key.is_descending:
        ordinals = ordinals ^ mask
    if key.is_total or not (is_nan := np.isnan(array)).any():
        return ordinals
    ordinals = np.where(is_nan, mask, ordinals)
    return ordinals


def _floats(ordinals: Ordinals, key: SortKey) -> Array:
    """The floats with these ordinals."""
    sign = _sign(key.element_type)
    if key.is_descending:
        ordinals = ~ordinals
    bits: Array = ordinals ^ (np.negative(~ordinals >> (key.element_type.width - 1)) | sign)
    return bits.view(key.element_type.dtype)


def _has_unsigned_nan(element_type: ElementType) -> bool:
    """Whether the only NaN has the bits of -0: in total order it comes before all numbers."""
    return float_format(element_type).special is Special.FNUZ


def _has_sign(element_type: ElementType) -> bool:
    return float_format(element_type).special is not Special.POWER


def _sign(element_type: ElementType) -> Any:
    return element_type.bits_dtype.type(1 << (element_type.width - 1))


def _sort_values(values: Array, keys: Array, key: SortKey) -> Array | None:
    """The only operand sorted by value, if it is its own key; None if the key does not distinguish all
    values."""
    element_type = key.element_type
    if values.dtype != keys.dtype or (element_type.width < 8 and element_type.kind is not Kind.BOOL):
        return None
    if element_type.kind is not Kind.FLOAT:
        if values is not keys and not (values == keys).all():
            return None
        result = interruptible(np.sort, values, -1, _kind(values))
        return result[:, ::-1] if key.is_descending else result
    if not _has_sign(element_type):
        return None
    bits = values.view(element_type.bits_dtype)
    if values is not keys and not (bits == keys.view(bits.dtype)).all():
        return None
    if key.is_total and _has_unsigned_nan(element_type):
        return None
    if not key.is_total and ((bits == _sign(element_type)).any() or np.isnan(values).any()):
        return None
    return _floats(interruptible(np.sort, _float_ordinals(values, key), -1, _kind(values)), key)


def _kind(values: Array) -> Literal["stable", "quicksort"]:
    """Radix sort for one or two bytes, vectorised sort for more."""
    return "stable" if values.itemsize <= 2 else "quicksort"


def _order_by_keys(arrays: Sequence[Array], keys: Sequence[SortKey]) -> Order:
    """The stable order of the elements of each row.

    Keys and position are packed into one integer and sorted by value, several times faster than argsort.
    """
    size = arrays[0].shape[-1]
    position_bits = (size - 1).bit_length()
    packed, width = _ordinals(arrays[0], keys[0]), keys[0].element_type.width
    for array, key in zip(arrays[1:], keys[1:], strict=True):
        ordinals, added = _ordinals(array, key), key.element_type.width
        if width + added + position_bits > 64:
            (packed, width), (ordinals, added) = _narrowed(packed), _narrowed(ordinals)
        if width + added + position_bits > 64:
            (packed, width), (ordinals, added) = _ranked(packed), _ranked(ordinals)
        packed, width = packed.astype(np.uint64) << np.uint64(added) | ordinals, width + added
    if width + position_bits > 64:
        packed, width = _narrowed(packed)
    if width + position_bits > 64:
        order = interruptible(np.argsort, packed, -1)
        groups = _groups(_taken(packed, _in_rows(order)))
        if int(groups[:, -1].min()) == size - 1:
            return order
        # Equal keys are still unordered: sort by group and position.
        together = groups << np.uint64(position_bits) | order.astype(np.uint64)
        interruptible(np.ndarray.sort, together, -1)
        return (together & np.uint64((1 << position_bits) - 1)).astype(np.intp)
    dtype = np.dtype(np.uint32 if width + position_bits <= 32 else np.uint64)
    positions = np.arange(size, dtype=dtype)
    together = packed.astype(dtype) << dtype.type(position_bits) | positions
    interruptible(np.ndarray.sort, together, -1)
    return (together & dtype.type((1 << position_bits) - 1)).astype(np.intp)


def _inclusive_order(keys: Array, key: SortKey) -> Order:
    """The order by LE or GE, which place the later one of two equal keys first, but not of two NaNs."""
    positions: Array = np.broadcast_to(np.arange(keys.shape[-1], dtype=np.int64), keys.shape)
    ties: Array = -positions
    np.copyto(ties, positions, where=np.isnan(keys))
    return _order_by_keys((keys, ties), (key, SortKey(0, 0, I64, is_descending=False, is_total=False)))


def _narrowed(ordinals: Ordinals) -> tuple[Ordinals, int]:
    """Ordinals minus their minimum, and the number of bits of the differences."""
    low = ordinals.min()
    return ordinals - low, int(ordinals.max() - low).bit_length()


def _ranked(ordinals: Ordinals) -> tuple[Ordinals, int]:
    """The rank of each ordinal within its row, and the number of bits of the ranks."""
    order = interruptible(np.argsort, ordinals, -1)
    groups = _groups(_taken(ordinals, _in_rows(order)))
    result = np.empty_like(groups)
    np.put_along_axis(result, order, groups, -1)
    return result, ordinals.shape[-1].bit_length()


def _groups(ascending: Ordinals) -> npt.NDArray[np.uint64]:
    """The number of each distinct value within its sorted row."""
    groups = np.zeros(ascending.shape, np.uint64)
    np.cumsum(ascending[:, 1:] != ascending[:, :-1], -1, np.uint64, out=groups[:, 1:])
    return groups
