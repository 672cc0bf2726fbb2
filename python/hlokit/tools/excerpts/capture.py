"""Runs as graphs: the operations of a function with their values, including operations in calls and loops."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError, UnsupportedError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import functions, symbol
from hlokit.mlir.queries.structure import captured_values
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import having
from hlokit.programs.program import Program
from hlokit.tools.excerpts.build import build
from hlokit.tools.excerpts.graph import Graph, Node
from hlokit.values.types import TensorType

# Bytes of values that stay in memory; other values are in a temporary file.
_IN_MEMORY = 1 << 30
# The number of stored evaluations of operations in a region.
_MOST_INNER = 100_000
# Operations that can be replaced by their contents.
EXPANDABLE = having(lambda traits: traits.control)


class TookTooLong(EvaluationError):
    """A run exceeded its time limit."""


class _Watcher:
    """An observer that stores the results of steps at one depth: 1 for the steps of the function itself.

    Args:
      limit: seconds after which the observer ends the run.
    """

    def __init__(self, depth: int, limit: float | None = None) -> None:
        self._deadline = None if limit is None else time.monotonic() + limit
        self.results: dict[ir.Operation, list[Sequence[Any]]] = {}
        self.begun: list[ir.Operation] = []
        self._depth = 0
        self._wanted = depth
        self._bytes = 0
        self._count = 0

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, operands
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise TookTooLong("the run took too long")
        self._depth += 1
        if self._depth == self._wanted == 1:
            self.begun.append(operation_of(step))

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan, operands
        depth, self._depth = self._depth, self._depth - 1
        if depth == self._wanted and self._count < _MOST_INNER:
            self._count += 1
            kept = [self._kept(value) for value in results]
            self.results.setdefault(operation_of(step), []).append(kept)

    def failed(self, plan: Plan, step: Step) -> None:
        del plan, step
        self._depth -= 1

    def _kept(self, value: Value) -> Any:
        if isinstance(value, tuple) or not isinstance(value, np.ndarray | np.generic):
            return None
        array = np.asarray(cast("Any", value))
        if array.dtype.kind == "O":
            return None
        if self._bytes + array.nbytes > _IN_MEMORY and array.nbytes:
            stored: Any = np.memmap(tempfile.TemporaryFile(), array.dtype, "w+", shape=array.shape)  # noqa: SIM115 # closed with the array
            stored[...] = array
            return stored
        self._bytes += array.nbytes
        return array.copy() if self._wanted > 1 else array  # a region's values may be written to later


def capture(
    program: Program, values: Sequence[Value], function: str, limit: float | None = None
) -> tuple[Graph, HlokitError | None]:
    """The graph of a run, and the error that ended it; the graph omits operations that the run did not
    reach."""
    watcher = _Watcher(1, limit)
    failure: HlokitError | None = None
    try:
        program.runs.evaluate(values, function, observer=watcher, context=run_context.RunContext(write=_drop))
    except HlokitError as error:
        failure = error
    block = functions(program.module)[function].regions[0].blocks[0]
    reached = None if failure is None else set(watcher.begun)
    tracer = _Tracer({}, {}, watcher.results, 0)
    environment: dict[ir.Value, int] = {}
    for argument, value in zip(block.arguments, values, strict=True):
        environment[argument] = tracer.new(argument.type, np.asarray(value))
    nodes, outputs = tracer.block(block, environment, 0, reached)
    if failure is not None:
        outputs = [result for node in nodes[-1:] for result in node.results]
    graph = Graph(tuple(nodes), tuple(outputs), tracer.types, tracer.arrays, program)
    return graph, failure


def _drop(text: str) -> None:
    del text


@dataclass(slots=True)
class _Tracer:
    """Turns blocks into nodes, with the values of one of their evaluations."""

    types: dict[int, Any]
    arrays: dict[int, Any]
    observed: Mapping[ir.Operation, list[Sequence[Any]]]
    next_id: int

    def new(self, type_: ir.Type, array: Any) -> int:
        """A new value."""
        number = self.next_id
        self.next_id += 1
        converted = value_type(type_)
        if array is not None and isinstance(converted, TensorType):
            self.arrays[number] = array
            converted = TensorType(array.shape, converted.element_type)
        self.types[number] = converted
        return number

    def block(
        self,
        block: ir.Block,
        environment: dict[ir.Value, int],
        iteration: int,
        reached: set[ir.Operation] | None = None,
    ) -> tuple[list[Node], list[int]]:
        """The nodes of an evaluation of a block, and the ids of its results."""
        nodes: list[Node] = []
        *body, terminator = [view.operation for view in block.operations]
        for operation in body:
            is_constant = operation.name == "stablehlo.constant"
            if reached is not None and operation not in reached and not is_constant:
                continue
            used = [*operation.operands, *captured_values(operation.regions)]
            if not all(value in environment for value in used):
                continue  # an operation that the run did not reach computes it
            arrays = self._arrays(operation, iteration)
            results = [
                self.new(value.type, array) for value, array in zip(operation.results, arrays, strict=True)
            ]
            environment.update(zip(operation.results, results, strict=True))
            nodes.append(Node(operation, tuple([environment[value] for value in used]), tuple(results)))
        outputs = terminator.operands
        return nodes, [environment[value] for value in outputs if value in environment]

    def _arrays(self, operation: ir.Operation, iteration: int) -> Sequence[Any]:
        if operation.name == "stablehlo.constant":
            try:
                return [read_elements(operation, "value")]
            except UnsupportedError:
                return [None]
        evaluations = self.observed.get(operation, ())
        return evaluations[iteration] if iteration < len(evaluations) else [None] * len(operation.results)


def expansions(graph: Graph, position: int) -> Iterator[Graph]:
    """Graphs in which the contents of a node replace the node: the called function, the taken branch, the
    iterations of a loop, or some of these if there are many. Last, loops that begin at a later iteration.
    """
    node = graph.nodes[position]
    alone = graph.only([position])
    if alone is None or node.name not in EXPANDABLE:
        return
    excerpt = build(alone)
    program = Program(parse_bytecode(None, excerpt.module, "-", is_trusted=True))
    watcher = _Watcher(2)
    try:
        context = run_context.RunContext(write=_drop)
        program.runs.evaluate(excerpt.arguments, "main", observer=watcher, context=context)
    except HlokitError:
        pass
    main = functions(program.module)["main"].regions[0].blocks[0]
    copy = next(view.operation for view in main.operations if view.operation.name == node.name)
    start = 1 + max(graph.types)
    tracer = _Tracer(dict(graph.types), dict(graph.arrays), watcher.results, start)
    outside: dict[ir.Value, int] = dict(zip(main.arguments, alone.arguments, strict=True))
    owner = (graph.owner, program)

    def finished(nodes: Sequence[Node], values: Sequence[int]) -> Graph:
        renamed = dict(zip(node.results, values, strict=True))
        expanded = graph.replaced(position, nodes, renamed)
        return replace(expanded, types=tracer.types, arrays=tracer.arrays, owner=owner)

    if copy.name == "stablehlo.while":
        yield from _iterations(node, copy, tracer, outside, finished)
        return
    operands = [outside[value] for value in copy.operands]
    match copy.name:
        case "func.call" | "stablehlo.composite":
            name = "callee" if copy.name == "func.call" else "decomposition"
            callee = symbol(copy, copy.attributes[name].value)
            if callee is None:
                return
            block = callee.regions[0].blocks[0]
            environment: dict[ir.Value, int] = dict(zip(block.arguments, operands, strict=True))
        case "stablehlo.if" | "stablehlo.case":
            index = graph.arrays.get(node.operands[0])
            if index is None:
                return
            count = len(copy.regions)
            number = int(np.asarray(index))
            if copy.name == "stablehlo.if":
                number = 0 if number else 1
            elif not 0 <= number < count:
                number = count - 1
            block = copy.regions[number].blocks[0]
            environment = dict(outside)
        case _:
            return
    nodes, outputs = tracer.block(block, environment, 0)
    if len(outputs) == len(node.results):
        yield finished(nodes, outputs)


# An unrolled loop has about this many nodes at most.
_MOST_UNROLLED = 5000


def _iterations(
    node: Node, loop: ir.Operation, tracer: _Tracer, outside: Mapping[ir.Value, int], finished: Any
) -> Iterator[Graph]:
    """The iterations of a loop, all or some consecutive ones; then the loop from a later iteration on."""
    body = loop.regions[1].blocks[0]
    size = max(1, len(body.operations) - 1)
    steps = [view.operation for view in body.operations if view.operation in tracer.observed]
    iterations = max((len(tracer.observed[operation]) for operation in steps), default=0)
    carried = [outside[value] for value in loop.operands]
    before: list[list[int]] = []
    by_iteration: list[list[Node]] = []
    for iteration in range(iterations):
        before.append(carried)
        environment = {**outside, **dict(zip(body.arguments, carried, strict=True))}
        nodes, carried = tracer.block(body, environment, iteration)
        if len(carried) != len(loop.operands):
            return
        by_iteration.append(nodes)
    if not iterations:
        return
    at_once = max(1, _MOST_UNROLLED // size)
    for start in range(0, iterations, at_once):
        chunk = [inner for nodes in by_iteration[start : start + at_once] for inner in nodes]
        end = before[start + at_once] if start + at_once < iterations else carried
        yield finished(chunk, end)
    later = iterations - 1
    while later > 0:
        operands = (*before[later], *node.operands[len(before[later]) :])
        if all(value in tracer.arrays for value in before[later]):
            yield finished([replace(node, operands=operands)], node.results)
        later //= 2
