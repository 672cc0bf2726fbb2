"""Runs as graphs: the operations of a function with their values, including operations in calls and loops."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
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
from hlokit.tools.recording.places import BRANCHING, branch_taken
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
    alone = graph.only([position])
    if alone is not None and graph.nodes[position].name in EXPANDABLE:
        yield from _Expansion(graph, position, alone).graphs()


# An unrolled loop has about this many nodes at most.
_MOST_UNROLLED = 5000


class _Expansion:
    """Graphs in which the contents of a node replace the node.

    Args:
      alone: the graph of the node, which is run once more.
    """

    def __init__(self, graph: Graph, position: int, alone: Graph) -> None:
        self._graph, self._position, self._node = graph, position, graph.nodes[position]
        excerpt = build(alone)
        program = Program(parse_bytecode(None, excerpt.module, "-", is_trusted=True))
        watcher = _Watcher(2)
        with suppress(HlokitError):
            context = run_context.RunContext(write=_drop)
            program.runs.evaluate(excerpt.arguments, "main", observer=watcher, context=context)
        main = functions(program.module)["main"].regions[0].blocks[0]
        operations = [view.operation for view in main.operations]
        self._operation = next(operation for operation in operations if operation.name == self._node.name)
        self._tracer = _Tracer(dict(graph.types), dict(graph.arrays), watcher.results, 1 + max(graph.types))
        self._outside: dict[ir.Value, int] = dict(zip(main.arguments, alone.arguments, strict=True))
        self._owner = (graph.owner, program)

    def graphs(self) -> Iterator[Graph]:
        if self._operation.name == "stablehlo.while":
            yield from self._iterations()
            return
        taken = self._taken()
        if taken is not None:
            nodes, outputs = self._tracer.block(*taken, 0)
            if len(outputs) == len(self._node.results):
                yield self._graph_with(nodes, outputs)

    def _graph_with(self, nodes: Sequence[Node], values: Sequence[int]) -> Graph:
        """The graph with these nodes instead of the node, and these values instead of its results."""
        renamed = dict(zip(self._node.results, values, strict=True))
        expanded = self._graph.replaced(self._position, nodes, renamed)
        return replace(expanded, types=self._tracer.types, arrays=self._tracer.arrays, owner=self._owner)

    def _taken(self) -> tuple[ir.Block, dict[ir.Value, int]] | None:
        """The called function or the taken branch, with the values that it reads; None if unknown."""
        operation = self._operation
        if operation.name in BRANCHING:
            index = self._graph.arrays.get(self._node.operands[0])
            if index is None:
                return None
            number = branch_taken(operation.name, int(np.asarray(index)), len(operation.regions))
            return operation.regions[number].blocks[0], dict(self._outside)
        if operation.name not in ("func.call", "stablehlo.composite"):
            return None
        name = "callee" if operation.name == "func.call" else "decomposition"
        callee = symbol(operation, operation.attributes[name].value)
        if callee is None:
            return None
        block = callee.regions[0].blocks[0]
        operands = [self._outside[value] for value in operation.operands]
        return block, dict(zip(block.arguments, operands, strict=True))

    def _iterations(self) -> Iterator[Graph]:
        """The iterations of a loop, all or some consecutive ones; then the loop from a later iteration on."""
        loop, tracer = self._operation, self._tracer
        body = loop.regions[1].blocks[0]
        size = max(1, len(body.operations) - 1)
        steps = [view.operation for view in body.operations if view.operation in tracer.observed]
        iterations = max((len(tracer.observed[operation]) for operation in steps), default=0)
        carried = [self._outside[value] for value in loop.operands]
        before: list[list[int]] = []
        by_iteration: list[list[Node]] = []
        for iteration in range(iterations):
            before.append(carried)
            environment = {**self._outside, **dict(zip(body.arguments, carried, strict=True))}
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
            yield self._graph_with(chunk, end)
        later = iterations - 1
        while later > 0:
            operands = (*before[later], *self._node.operands[len(before[later]) :])
            if all(value in tracer.arrays for value in before[later]):
                yield self._graph_with([replace(self._node, operands=operands)], self._node.results)
            later //= 2
