"""Sorting by a comparator."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.reference.model.calls import Region
from hlokit.reference.model.tensors import Tensors, as_tensor, index_space, item, scalar
from hlokit.reference.numbers.rules import stable_order
from hlokit.reference.stablehlo.reductions import Elements, elements_at


def sort(inputs: Tensors, dimension: int, comparator: Region) -> Tensors:
    """spec "sort": results_together[slice] = sort(inputs_together[slice], comparator_together), for all
    slices along `dimension`

    The order is `rules.stable_order`, whether or not `is_stable` is set.
    """
    shape = inputs[0].shape
    if not shape:
        return inputs
    axis = dimension % len(shape)
    results = tuple([tensor.copy() for tensor in inputs])
    is_before = _comparator_together(comparator)
    read = [n for n in range(len(inputs)) if any(comparator.reads[2 * n : 2 * n + 2])]
    for lane in index_space(tuple(1 if d == axis else size for d, size in enumerate(shape))):
        indices = [(*lane[:axis], i, *lane[axis + 1 :]) for i in range(shape[axis])]
        unsorted = [elements_at(inputs, index) for index in indices]
        ordered = stable_order(unsorted, is_before, key=lambda elements: tuple([elements[n] for n in read]))
        for index, elements in zip(indices, ordered, strict=True):
            for result, element in zip(results, elements, strict=True):
                result[index] = element
    return results


def _comparator_together(comparator: Region) -> Callable[[Elements, Elements], bool]:
    """spec "sort": comparator_together(lhs, rhs) = comparator(lhs[0], rhs[0], lhs[1], rhs[1], ...)"""

    def is_before(lhs: Elements, rhs: Elements) -> bool:
        pairs: Sequence[Elements] = list(zip(lhs, rhs, strict=True))
        (result,) = comparator(*[scalar(element) for pair in pairs for element in pair])
        return bool(item(as_tensor(result)))

    return is_before
