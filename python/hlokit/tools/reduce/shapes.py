"""Smaller shapes, lower ranks and other element types of the program that is reduced."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import prod

import numpy as np

from hlokit.tools.excerpts.build import resized
from hlokit.tools.excerpts.graph import Graph
from hlokit.tools.reduce.search import Search
from hlokit.tools.reduce.sizes import simpler_types, with_shapes, without_ranks
from hlokit.tools.reduce.state import State, take
from hlokit.values.types import TensorType


def smaller_shapes(state: State, search: Search) -> bool:
    """Shrink dimensions: all dimensions of one size at once, then those of single arguments."""
    changed = False
    for sizes in (_same_sizes, _single_sizes):
        while take(state, search, "shapes", sizes(state)):
            changed = True
    return changed


def _steps_down(size: int) -> list[int]:
    """Smaller sizes to try: powers of two, then one less."""
    sizes = [1 << power for power in range(size.bit_length()) if 1 << power < size]
    if size > 3 and size - 1 not in sizes:
        sizes.append(size - 1)
    return sizes


def _same_sizes(state: State) -> Iterator[Graph | None]:
    graph = state.graph
    sizes = sorted(
        {
            size
            for node in graph.nodes
            for value in (*node.operands, *node.results)
            if isinstance(type_ := graph.types[value], TensorType) and type_.is_static
            for size in type_.dims
            if size > 1
        },
        reverse=True,
    )
    for size in sizes:
        for new in _steps_down(size):
            yield from _resized(
                state, lambda dim, size=size, new=new: new if dim == size else dim, None, size, new
            )


def _single_sizes(state: State) -> Iterator[Graph | None]:
    graph = state.graph
    for number in sorted(graph.arguments, key=lambda number: -prod(_dims(graph, number))):
        for axis, size in enumerate(_dims(graph, number)):
            for new in _steps_down(size):
                yield from _resized(state, lambda dim: dim, (number, axis), size, new)


def _elements(graph: Graph) -> int:
    """The number of elements of all values, which smaller shapes must reduce."""
    values = {value for node in graph.nodes for value in (*node.operands, *node.results)}
    return sum(prod(_dims(graph, value)) for value in values)


def _dims(graph: Graph, number: int) -> tuple[int, ...]:
    type_ = graph.types[number]
    return type_.dims if isinstance(type_, TensorType) and type_.is_static else ()


def _resized(
    state: State, other: Callable[[int], int], single: tuple[int, int] | None, size: int, new: int
) -> Iterator[Graph | None]:
    """The graph with smaller arguments: the first elements, the elements around the worst element, or the
    last elements."""
    graph = state.graph
    shapes: dict[int, tuple[int, ...]] = {}
    for number in graph.arguments:
        dims = _dims(graph, number)
        if single is None:
            shapes[number] = tuple(map(other, dims))
        else:
            shapes[number] = tuple(new if (number, axis) == single else dim for axis, dim in enumerate(dims))
    yield from _with_pieces(state, shapes, other, size, new)


def _with_pieces(
    state: State, shapes: Mapping[int, tuple[int, ...]], other: Callable[[int], int], size: int, new: int
) -> Iterator[Graph | None]:
    graph = state.graph
    resized_graph = with_shapes(graph, shapes, other)
    if resized_graph is None or _elements(resized_graph) >= _elements(graph):
        return
    for start in _starts(state, size, new):
        arrays = dict(graph.arrays)
        for number, shape in shapes.items():
            old = graph.types[number]
            assert isinstance(old, TensorType)
            if shape != old.dims:
                starts = [0 if a == b else start for a, b in zip(shape, old.dims, strict=True)]
                arrays[number] = resized(
                    np.asarray(arrays[number]), TensorType(shape, old.element_type), starts
                )
        yield replace(resized_graph, arrays={number: arrays[number] for number in graph.arguments})


def _starts(state: State, size: int, new: int) -> list[int]:
    """The indices at which the kept elements begin."""
    worst: list[int] = []
    dims = [_dims(state.graph, number) for number in state.graph.results]
    for shape in dims:
        if len(shape) == len(state.outcome.index):
            worst += [index for index, dim in zip(state.outcome.index, shape, strict=True) if dim == size]
    starts = [max(0, min(index - new // 2, size - new)) for index in worst]
    return list(dict.fromkeys([*starts, 0, size - new]))


def smaller_windows(state: State, search: Search, count: int) -> bool:
    """Shrink dimensions of the first `count` results, and the dimensions of operands that determine them.

    The graph also returns arguments whose windows must correspond to the windows of the results.
    """
    changed = False
    while take(state, search, "shapes", _windows(state, count)):
        changed = True
    return changed


def _windows(state: State, count: int) -> Iterator[Graph | None]:
    graph = state.graph
    results, kept = graph.results[:count], graph.results[count:]
    operands = [number for number in graph.arguments if number not in kept]
    for axis, size in sorted(enumerate(_dims(graph, results[0])), key=lambda axis_size: -axis_size[1]):
        there = [
            (number, other_axis)
            for number in operands
            for other_axis, dim in enumerate(_dims(graph, number))
            if dim == size
        ]
        of_results = [(number, axis) for number in kept]
        parts = [part for length in range(3) for part in combinations(there, length)]
        for new in _steps_down(size):
            for part in dict.fromkeys((tuple(there), *parts)):
                for other in (_as_it_is, partial(_one_size, size, new)):
                    yield from _cut(state, {*part, *of_results}, other, size, new)


def _as_it_is(size: int) -> int:
    return size


def _one_size(old: int, new: int, size: int) -> int:
    return new if size == old else size


def _cut(
    state: State, axes: Collection[tuple[int, int]], other: Callable[[int], int], size: int, new: int
) -> Iterator[Graph | None]:
    """The graph with a part of some dimensions of its arguments."""
    graph = state.graph
    shapes = {
        number: tuple(new if (number, axis) in axes else dim for axis, dim in enumerate(_dims(graph, number)))
        for number in graph.arguments
    }
    yield from _with_pieces(state, shapes, other, size, new)


def other_types(state: State, search: Search) -> bool:
    """Replace element types by f32 and i32."""
    changed = False
    while take(state, search, "element types", simpler_types(state.graph)):
        changed = True
    return changed


def lower_ranks(state: State, search: Search) -> bool:
    """Remove dimensions of size 1."""
    return take(state, search, "ranks", without_ranks(state.graph))
