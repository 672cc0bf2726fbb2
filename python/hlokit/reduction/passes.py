"""The ways in which a program gets smaller. Each takes a graph that holds and gives one that holds."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from hlokit.errors import HlokitError
from hlokit.excerpts.build import Made, build, resized
from hlokit.excerpts.capture import EXPANDABLE, TookTooLong, capture, expansions
from hlokit.excerpts.graph import Graph
from hlokit.mlir.bindings import ir
from hlokit.mlir.module import walk
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.program import Program
from hlokit.reduction.predicates import Outcome
from hlokit.reduction.search import Search, shrink
from hlokit.reduction.sizes import simpler_types, with_shapes
from hlokit.values.types import TensorType


@dataclass(slots=True)
class State:
    """The best program so far.

    Attributes:
      graph: of the program.
      made: the program.
      outcome: what it does.
      steps: what has been done, for people.
      run_limit: seconds that a run may take: changes can make a loop endless.
    """

    graph: Graph
    made: Made
    outcome: Outcome
    steps: list[str]
    run_limit: float = 10.0

    def accept(self, graph: Graph, made: Made, outcome: Outcome, step: str) -> None:
        """Go on with another program."""
        self.graph, self.made, self.outcome = graph, made, outcome
        if not self.steps or self.steps[-1] != step:
            self.steps.append(step)


def try_made(graph: Graph | None) -> Made | None:
    """The program of a graph; None if there is none."""
    if graph is None or not graph.nodes:
        return None
    try:
        return build(graph)
    except (HlokitError, ValueError, TypeError, IndexError, KeyError, ir.MLIRError):
        return None  # what the bindings do not take is no candidate


def candidates(graphs: Iterable[Graph | None]) -> Iterator[tuple[Graph, Made]]:
    """Graphs with their programs."""
    for graph in graphs:
        made = try_made(graph)
        if graph is not None and made is not None:
            yield graph, made


def take_first(state: State, search: Search, what: str, graphs: Iterable[Graph | None]) -> bool:
    """Go on with the first of the graphs that holds; whether there is one."""
    programs: dict[int, Made] = {}

    def each() -> Iterator[tuple[Graph, Made]]:
        for graph, made in candidates(graphs):
            programs[id(graph)] = made
            yield graph, made

    found = search.first(what, len(state.graph.nodes), each())
    if found is None:
        return False
    graph, outcome = found
    state.accept(graph, programs[id(graph)], outcome, what)
    return True


def refresh(state: State, before: State | None = None) -> bool:
    """Take the values of a run of the program as it is now; or go back if it does not come to its end."""
    program = Program(parse_bytecode(None, state.made.module, "-", is_trusted=True))
    graph, failure = capture(program, list(state.made.arguments), "main", state.run_limit)
    if before is not None and (not graph.nodes or isinstance(failure, TookTooLong)):
        state.graph, state.made, state.outcome = before.graph, before.made, before.outcome
        return False
    if graph.nodes:
        state.graph = graph
    return True


def _take(state: State, search: Search, what: str, graphs: Iterable[Graph | None]) -> bool:
    """The same as `take_first`, for changes after which values are others."""
    before = replace(state, steps=list(state.steps))
    return take_first(state, search, what, graphs) and refresh(state, before)


# Operations and results -------------------------------------------------------------------------------


def fewer_operations(state: State, search: Search) -> bool:
    """Leave operations out: their results become arguments, with the values of the run."""
    base = state.graph
    if len(base.nodes) < 2:
        return False
    kept = shrink(search, "operations", len(base.nodes), lambda part: try_made(base.only(part)))
    graph = base.only(kept)
    if graph is None or len(graph.nodes) == len(base.nodes):
        return False
    return take_first(state, search, "operations", [graph])


def fewer_results(state: State, search: Search) -> bool:
    """Leave results out, and operations that only they need."""
    base = state.graph
    if len(base.results) < 2:
        return False
    kept = shrink(
        search,
        "results",
        len(base.results),
        lambda part: try_made(base.giving([base.results[position] for position in part])),
    )
    if len(kept) == len(base.results):
        return False
    return take_first(state, search, "results", [base.giving([base.results[position] for position in kept])])


def earlier_results(state: State, search: Search) -> bool:
    """Give an operand of the last operation, and leave that out."""
    graph = state.graph
    produced = graph.produced
    values = [
        value
        for node in reversed(graph.nodes)
        for value in node.operands
        if value in produced and isinstance(graph.types[value], TensorType)
    ]
    smaller = [graph.giving([value]) for value in dict.fromkeys(values)]
    return take_first(
        state, search, "results", [each for each in smaller if len(each.nodes) < len(graph.nodes)]
    )


def expanded(state: State, search: Search) -> bool:
    """Put what calls, branches and loops contain in their place."""
    for position, node in enumerate(state.graph.nodes):
        if node.name in EXPANDABLE and take_first(
            state, search, "calls, branches, loops", expansions(state.graph, position)
        ):
            return True
    return False


# Regions ----------------------------------------------------------------------------------------------


def simpler_regions(state: State, search: Search) -> bool:
    """Within regions, and in functions that are still called, put an operand in the place of a result."""
    changed = False
    start = 0
    while True:
        base = state.made
        found = search.first("regions", len(state.graph.nodes), _bypasses(base, start))
        if found is None:
            return changed
        (position, made), outcome = found
        before = replace(state, steps=list(state.steps))
        state.made, state.outcome = made, outcome
        if refresh(state, before):
            changed, start = True, position
            state.steps.append("regions")
        else:
            start = position + 1


def _bypasses(base: Made, start: int) -> Iterator[tuple[tuple[int, Made], Made]]:
    position = start
    while True:
        choice = 0
        while True:
            module = parse_bytecode(None, base.module, "-", is_trusted=True)
            inner = _inner_operations(module)
            if position >= len(inner):
                return
            operation = inner[position]
            others = _substitutes(operation)
            if choice >= len(others):
                break
            operation.results[0].replace_all_uses_with(others[choice])
            operation.erase()
            made = Made(write_bytecode(module), base.arguments)
            yield (position, made), made
            choice += 1
        position += 1


def _inner_operations(module: ir.Module) -> list[ir.Operation]:
    """Operations in regions, and in other functions than main, the last ones first."""
    found: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        parent = operation.parent
        if parent is None or len(operation.results) != 1 or operation.name == "stablehlo.constant":
            return
        outer = parent.operation
        if outer.name == "func.func" and outer.attributes["sym_name"].value == "main":
            return
        if outer.name != "builtin.module":
            found.append(operation)

    walk(module.operation, visit)
    return list(reversed(found))


def _substitutes(operation: ir.Operation) -> list[ir.Value]:
    """What could stand in the place of a result: operands, then arguments of the block."""
    type_ = operation.results[0].type
    values = [value for value in operation.operands if value.type == type_]
    values += [value for value in operation.block.arguments if value.type == type_]
    return list(dict.fromkeys(values))


# Shapes and element types -----------------------------------------------------------------------------


def smaller_shapes(state: State, search: Search) -> bool:
    """Smaller sizes of dimensions: all that are equal at once, then of single arguments."""
    changed = False
    for sizes in (_same_sizes, _single_sizes):
        while _take(state, search, "shapes", sizes(state)):
            changed = True
    return changed


def _steps_down(size: int) -> list[int]:
    """Smaller sizes to try: powers of two, then one less."""
    found = [1 << power for power in range(size.bit_length()) if 1 << power < size]
    if size > 3 and size - 1 not in found:
        found.append(size - 1)
    return found


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
                state, lambda each, size=size, new=new: new if each == size else each, None, size, new
            )


def _single_sizes(state: State) -> Iterator[Graph | None]:
    graph = state.graph
    for number in sorted(graph.arguments, key=lambda number: -prod(_dims(graph, number))):
        for axis, size in enumerate(_dims(graph, number)):
            for new in _steps_down(size):
                yield from _resized(state, lambda each: each, (number, axis), size, new)


def _elements(graph: Graph) -> int:
    """Elements of all values: what shapes must make smaller."""
    values = {value for node in graph.nodes for value in (*node.operands, *node.results)}
    return sum(prod(_dims(graph, value)) for value in values)


def _dims(graph: Graph, number: int) -> tuple[int, ...]:
    type_ = graph.types[number]
    return type_.dims if isinstance(type_, TensorType) and type_.is_static else ()


def _resized(
    state: State, other: Callable[[int], int], single: tuple[int, int] | None, size: int, new: int
) -> Iterator[Graph | None]:
    """The graph with smaller arguments: their first elements, those at the worst element, their last ones."""
    graph = state.graph
    given: dict[int, tuple[int, ...]] = {}
    for number in graph.arguments:
        dims = _dims(graph, number)
        if single is None:
            given[number] = tuple(map(other, dims))
        else:
            given[number] = tuple(new if (number, axis) == single else each for axis, each in enumerate(dims))
    made = with_shapes(graph, given, other)
    if made is None or _elements(made) >= _elements(graph):
        return
    for start in _starts(state, size, new):
        arrays = dict(graph.arrays)
        for number, shape in given.items():
            old = graph.types[number]
            assert isinstance(old, TensorType)
            if shape != old.dims:
                starts = [0 if a == b else start for a, b in zip(shape, old.dims, strict=True)]
                arrays[number] = resized(
                    np.asarray(arrays[number]), TensorType(shape, old.element_type), starts
                )
        yield replace(made, arrays={number: arrays[number] for number in graph.arguments})


def _starts(state: State, size: int, new: int) -> list[int]:
    """Where the elements that stay begin."""
    worst: list[int] = []
    dims = [_dims(state.graph, number) for number in state.graph.results]
    for shape in dims:
        if len(shape) == len(state.outcome.index):
            worst += [index for index, each in zip(state.outcome.index, shape, strict=True) if each == size]
    starts = [max(0, min(index - new // 2, size - new)) for index in worst]
    return list(dict.fromkeys([*starts, 0, size - new]))


def other_types(state: State, search: Search) -> bool:
    """f32 and i32 in the place of other element types."""
    changed = False
    while _take(state, search, "element types", simpler_types(state.graph)):
        changed = True
    return changed


# Values -----------------------------------------------------------------------------------------------

_MOST_ELEMENTS = 256


def simpler_values(state: State, search: Search) -> bool:
    """Zeros and ones for arguments, then for elements; numbers of few digits; one argument for two."""
    changed = False
    for number in state.graph.arguments:
        if number in state.graph.arguments:
            changed |= _take(state, search, "values", _splats(state.graph, number))
    for number in state.graph.arguments:
        changed |= _simpler_elements(state, search, number)
    changed |= _take(state, search, "values", _merged(state.graph))
    return changed


def _with_array(graph: Graph, number: int, array: Any) -> Graph:
    kept = {each: graph.arrays[each] for each in graph.arguments}
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
            # `part` are positions, among those that are not simple yet, of elements that stay.
            made = np.array(flat)
            gone = sorted(set(range(len(open_))) - set(part))
            made[[open_[n] for n in gone]] = new
            return _with_array(state.graph, number, made.reshape(array.shape))

        kept = shrink(search, "values", len(open_), lambda part: try_made(with_kept(part)))
        if len(kept) < len(open_) and _take(state, search, "values", [with_kept(kept)]):
            changed = True
            flat = np.asarray(state.graph.arrays[number]).reshape(-1)
    for digits in (1, 2, 3):
        rounded = _rounded(flat, digits)
        if rounded.tobytes() == flat.tobytes():
            continue
        if _take(state, search, "values", [_with_array(state.graph, number, rounded.reshape(array.shape))]):
            return True
    for n in range(min(flat.size, 32)):
        tries: list[Graph] = []
        for digits in (1, 2, 3):
            made = np.array(flat)
            made[n] = _rounded(flat[n : n + 1], digits)[0]
            if made.tobytes() != flat.tobytes():
                tries.append(_with_array(state.graph, number, made.reshape(array.shape)))
        if tries and _take(state, search, "values", tries):
            changed = True
            flat = np.asarray(state.graph.arrays[number]).reshape(-1)
    return changed


def _is_simple(value: Any) -> bool:
    try:
        return bool(value in (0, 1))
    except TypeError:
        return False


def _rounded(values: Any, digits: int) -> Any:
    """Numbers with so many decimal digits; NaN, infinities and integers of few digits stay."""
    made = np.array(values)
    if made.dtype.kind in "bc":
        return made
    for n, value in enumerate(values):
        number = float(value)
        if made.dtype.kind in "iu" and abs(number) < 10.0**digits:
            continue
        if np.isfinite(number):
            with np.errstate(all="ignore"):
                made[n] = np.array(float(f"{number:.{digits}g}")).astype(made.dtype)
    return made


def _merged(graph: Graph) -> Iterator[Graph]:
    """One argument in the place of two."""
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
