"""Simpler values: zeros and ones, numbers of few digits, fewer iterations of loops."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.tools.excerpts.build import Excerpt
from hlokit.tools.excerpts.graph import Graph
from hlokit.tools.reduce.search import Search, shrink
from hlokit.tools.reduce.state import State, refresh, take, try_made

_MOST_ELEMENTS = 256


def simpler_values(state: State, search: Search) -> bool:
    """Replace arguments, then elements, by zeros and ones or by numbers of few digits, and two arguments
    of one type by one."""
    changed = False
    for number in state.graph.arguments:
        if number in state.graph.arguments:
            changed |= take(state, search, "values", _splats(state.graph, number))
    for number in state.graph.arguments:
        changed |= _simpler_elements(state, search, number)
    changed |= take(state, search, "values", _merged(state.graph))
    return changed


def _with_array(graph: Graph, number: int, array: Any) -> Graph:
    kept = {argument: graph.arrays[argument] for argument in graph.arguments}
    return replace(graph, arrays={**kept, number: array})


def _splats(graph: Graph, number: int) -> Iterator[Graph]:
    array = np.asarray(graph.arrays[number])
    if not array.size:
        return
    elements = array.reshape(-1)
    for value in (0, 1):
        splat = np.full(array.shape, value).astype(array.dtype)
        if splat.tobytes() == array.tobytes():
            return
        yield _with_array(graph, number, splat)
    if elements.tobytes() != elements[:1].tobytes() * elements.size:
        for value in (elements[0], elements[-1]):
            yield _with_array(graph, number, np.full(array.shape, value, array.dtype))


def _simpler_elements(state: State, search: Search, number: int) -> bool:
    array = np.asarray(state.graph.arrays.get(number))
    if number not in state.graph.arguments or not 0 < array.size <= _MOST_ELEMENTS:
        return False
    changed = False
    flat = array.reshape(-1)
    for value in (0, 1):
        new = np.array(value).astype(array.dtype)
        open_ = [n for n in range(flat.size) if not _is_simple(flat[n])]
        if not open_:
            return changed

        def with_kept(
            part: Sequence[int], new: Any = new, open_: Sequence[int] = open_, flat: Any = flat
        ) -> Graph:
            # `part` has the positions of elements that stay, among the elements that are not simple yet.
            simpler = np.array(flat)
            gone = sorted(set(range(len(open_))) - set(part))
            simpler[[open_[n] for n in gone]] = new
            return _with_array(state.graph, number, simpler.reshape(array.shape))

        kept = shrink(search, "values", len(open_), lambda part: try_made(with_kept(part)))
        if len(kept) < len(open_) and take(state, search, "values", [with_kept(kept)]):
            changed = True
            flat = np.asarray(state.graph.arrays[number]).reshape(-1)
    for digits in (1, 2, 3):
        rounded = _rounded(flat, digits)
        if rounded.tobytes() == flat.tobytes():
            continue
        if take(state, search, "values", [_with_array(state.graph, number, rounded.reshape(array.shape))]):
            return True
    for n in range(min(flat.size, 32)):
        tries: list[Graph] = []
        for digits in (1, 2, 3):
            simpler = np.array(flat)
            simpler[n] = _rounded(flat[n : n + 1], digits)[0]
            if simpler.tobytes() != flat.tobytes():
                tries.append(_with_array(state.graph, number, simpler.reshape(array.shape)))
        if tries and take(state, search, "values", tries):
            changed = True
            flat = np.asarray(state.graph.arrays[number]).reshape(-1)
    return changed


def _is_simple(value: Any) -> bool:
    try:
        return bool(value in (0, 1))
    except TypeError:
        return False


def _rounded(values: Any, digits: int) -> Any:
    """Numbers rounded to a number of decimal digits; NaN, infinities and integers of few digits stay."""
    rounded = np.array(values)
    if rounded.dtype.kind in "bc":
        return rounded
    for n, value in enumerate(values):
        number = float(value)
        if rounded.dtype.kind in "iu" and abs(number) < 10.0**digits:
            continue
        if np.isfinite(number):
            with np.errstate(all="ignore"):
                rounded[n] = np.array(float(f"{number:.{digits}g}")).astype(rounded.dtype)
    return rounded


def _merged(graph: Graph) -> Iterator[Graph]:
    """Graphs in which one argument takes the place of another one of the same type."""
    numbers = graph.arguments
    for second in range(1, len(numbers)):
        for first in range(second):
            one, two = numbers[first], numbers[second]
            if graph.types[one] == graph.types[two]:
                yield _renamed(graph, {two: one})


def _renamed(graph: Graph, values: Mapping[int, int]) -> Graph:
    nodes = tuple(
        replace(node, operands=tuple([values.get(value, value) for value in node.operands]))
        for node in graph.nodes
    )
    return replace(graph, nodes=nodes)


# Iterations ------------------------------------------------------------------------------------------------


def fewer_iterations(state: State, search: Search) -> bool:
    """Let loops end sooner, by smaller integers in operands and conditions of loops."""
    changed = False
    while take(state, search, "turns", _smaller_bounds(state.graph)):
        changed = True
    while True:
        hit = search.first("turns", len(state.graph.nodes), _smaller_constants(state.excerpt))
        if hit is None:
            return changed
        excerpt, outcome = hit
        before = replace(state, steps=list(state.steps))
        state.excerpt, state.outcome = excerpt, outcome
        if not refresh(state, before):
            return changed
        changed = True
        state.steps.append("turns")


def _smaller(value: int) -> list[int]:
    """Numbers to try, the smallest first; all are smaller than the value, so the search terminates."""
    return sorted({smaller for smaller in (1, 2, 3, 4, 8, value // 2, value - 1) if 0 < smaller < value})


def _smaller_bounds(graph: Graph) -> Iterator[Graph]:
    """Smaller integers among the arguments that loops take."""
    taken = {value for node in graph.nodes if node.name == "stablehlo.while" for value in node.operands}
    for number in graph.arguments:
        array = np.asarray(graph.arrays[number])
        if number in taken and array.ndim == 0 and array.dtype.kind in "iu":
            for value in _smaller(int(array)):
                yield _with_array(graph, number, np.array(value, array.dtype))


def _smaller_constants(base: Excerpt) -> Iterator[tuple[Excerpt, Excerpt]]:
    """Smaller integers in conditions of loops, one at a time."""
    position = 0
    while True:
        choice = 0
        while True:
            module = parse_bytecode(None, base.module, "-", is_trusted=True)
            bounds = _bounds(module)
            if position >= len(bounds):
                return
            operation, value = bounds[position]
            others = _smaller(value)
            if choice >= len(others):
                break
            with module.context:
                type_ = operation.results[0].type
                operation.attributes["value"] = ir.Attribute.parse(f"dense<{others[choice]}> : {type_}")
            excerpt = Excerpt(write_bytecode(module), base.arguments)
            yield excerpt, excerpt
            choice += 1
        position += 1


def _bounds(module: ir.Module) -> list[tuple[ir.Operation, int]]:
    """The integer constants in conditions of loops."""
    bounds: list[tuple[ir.Operation, int]] = []

    def visit(operation: ir.Operation) -> None:
        if operation.name != "stablehlo.while":
            return
        for view in operation.regions[0].blocks[0].operations:
            inner = view.operation
            if inner.name == "stablehlo.constant" and _INTEGER.fullmatch(str(inner.results[0].type)):
                bounds.append((inner, int(np.array(ir.DenseElementsAttr(inner.attributes["value"])))))

    walk(module.operation, visit)
    return bounds


_INTEGER = re.compile(r"tensor<u?i(?:8|16|32|64)>")
