"""Sorting by a comparator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import NamedTuple

from hlokit.reference.model.calls import Region
from hlokit.reference.model.tensors import Tensors, as_tensor, index_space, item, scalar
from hlokit.reference.numbers.rules import stable_order
from hlokit.reference.stablehlo.elementwise import RELATIONS, total_order
from hlokit.reference.stablehlo.reductions import Elements, elements_at
from hlokit.values.element import Element
from hlokit.values.element_types import Kind


def sort(inputs: Tensors, dimension: int, comparator: Region) -> Tensors:
    """spec "sort": results_together[slice] = sort(inputs_together[slice], comparator_together), for all
    slices along `dimension`

    The order is `rules.stable_order`, whether or not `is_stable` is set. If the comparator compares keys
    (`model.comparators`), floats without TOTALORDER among them, keys that are NaN equal each other and come
    after all other keys, also in a descending order. (divergences: "`sort` by keys in which NaN is
    unordered")
    """
    shape = inputs[0].shape
    if not shape:
        return inputs
    axis = dimension % len(shape)
    results = tuple([tensor.copy() for tensor in inputs])
    is_before = _comparator_together(comparator)
    for lane in index_space(tuple(1 if d == axis else size for d, size in enumerate(shape))):
        indices = [(*lane[:axis], i, *lane[axis + 1 :]) for i in range(shape[axis])]
        unsorted = [elements_at(inputs, index) for index in indices]
        keys = _keys_with_nans(comparator, unsorted)
        if keys is None:
            ordered = stable_order(unsorted, is_before)
        else:
            ordered = [unsorted[position] for position in stable_order(range(len(unsorted)), _by_keys(keys))]
        for index, elements in zip(indices, ordered, strict=True):
            for result, element in zip(results, elements, strict=True):
                result[index] = element
    return results


def _comparator_together(comparator: Region) -> Callable[[Elements, Elements], bool]:
    """spec "sort": comparator_together(lhs, rhs) = comparator(lhs[0], rhs[0], lhs[1], rhs[1], ...)"""

    def is_before(lhs: Elements, rhs: Elements) -> bool:
        (result,) = comparator(*_together(lhs, rhs))
        return bool(item(as_tensor(result)))

    return is_before


def _together(lhs: Elements, rhs: Elements) -> Tensors:
    return tuple([scalar(element) for pair in zip(lhs, rhs, strict=True) for element in pair])


class _Key(NamedTuple):
    """A key of one element, and how the comparator compares it."""

    value: Element
    direction: str
    is_total: bool

    @property
    def is_unordered(self) -> bool:
        """Whether the comparison of this key with any other is false."""
        return self.value.type.kind is Kind.FLOAT and not self.is_total and isnan(float(self.value))

    @property
    def number(self) -> bool | float | complex:
        return total_order(self.value) if self.is_total else self.value.value


def _keys_with_nans(comparator: Region, elements: Sequence[Elements]) -> list[list[_Key]] | None:
    """The keys of all elements; None if the comparator compares no keys, or can order all of them.

    The keys of an element are those of the left and of the right side if the comparator compares the element
    with itself. If they differ, the sides have different keys.
    """
    comparisons = comparator.key_comparisons
    if comparisons is None:
        return None
    keys: list[list[_Key]] = []
    for together in elements:
        lhs, rhs = ([item(key) for key in side] for side in comparator.keys(*_together(together, together)))
        if any(left.bits != right.bits for left, right in zip(lhs, rhs, strict=True)):
            return None
        pairs = zip(lhs, comparisons, strict=True)
        keys.append([_Key(value, key.direction, key.is_total) for value, key in pairs])
    return keys if any(key.is_unordered for row in keys for key in row) else None


def _by_keys(keys: Sequence[Sequence[_Key]]) -> Callable[[int, int], bool]:
    """The comparator, but keys that are NaN equal each other and come last."""

    def is_before(lhs: int, rhs: int) -> bool:
        for left, right in zip(keys[lhs], keys[rhs], strict=True):
            if left.is_unordered != right.is_unordered:
                return right.is_unordered
            if not left.is_unordered and (left.number != right.number or left.direction in ("LE", "GE")):
                return RELATIONS[left.direction](left.number, right.number)
        return False

    return is_before
