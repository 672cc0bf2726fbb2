"""Evaluates the program after each stage: of HLO protos only the values that a stage changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.errors import UnsupportedError
from hlokit.mlir.queries.module import called_functions, functions, operations_within
from hlokit.programs.importers.protobuf import MalformedMessage
from hlokit.programs.loading import load_bytes, load_hlo
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.stages.partitioned import Partitioned
from hlokit.tools.stages.snapshots import Snapshot
from hlokit.tools.stages.values.hlo_protos import TOKEN, TUPLE, dimensions, element_type, size_of
from hlokit.tools.stages.values.numbering import Graph, Numbering
from hlokit.tools.stages.values.slices import needed, sliced

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# The most elements of values that are kept for the next stages.
_MOST_KEPT = 1 << 25
# A program that runs once is compiled only where that saves time in the same run.
_ONE_RUN = Thresholds(fusion_elements=1 << 18, loop_first_iterations=48, loop_total_iterations=400)


class Function(NamedTuple):
    """A function of a program."""

    program: Program
    name: str


class Pair(NamedTuple):
    """Two functions with the same arguments, whose results are to be compared."""

    before: Function
    after: Function
    values: Sequence[Value]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The program after a stage, and its results.

    Attributes:
      whole: loads the program.
      operations: its operations, counted by name.
      data: the bytes of the snapshot; b"" of the program before the first stage.
      text: prints the functions that a run may reach; "" if there is a graph.
      graph: the values of HLO; None for other programs.
      single: the last stage before the program was partitioned; None if it is not.
    """

    stage: str
    results: Sequence[Value]
    operations: Counter[str]
    whole: Callable[[], Function]
    data: bytes = b""
    text: Callable[[], str] = str
    graph: Graph | None = None
    single: Evaluated | None = None


class Evaluator:
    """Evaluates programs with the same arguments.

    Args:
      arguments: the arguments of the programs.
    """

    def __init__(self, arguments: Sequence[Any]) -> None:
        self._arguments = arguments
        self._numbering = Numbering()
        self._function: str | None = None
        # Values of the last graph by their numbers.
        self._known: dict[int, Value] = {}

    def first(self, program: Program, function: str) -> Evaluated:
        """The program that the compiler gets.

        Raises:
          EvaluationError, RanOutOfTime: the program fails, or does not end.
        """
        self._function = function
        return self._whole("the program", Function(program, function), None)

    def after(self, snapshot: Snapshot, data: bytes, before: Evaluated | None) -> Evaluated:
        """The program after a stage; its results are those before if both are the same by structure.

        Raises:
          HlokitError: the program cannot be evaluated.
        """
        try:
            graph = self._numbering.graph(data)
        except MalformedMessage as error:
            raise UnsupportedError(f"malformed HLO: {error}") from None
        load = partial(self._load, snapshot.stage, data)
        if graph is None or not self._starts(graph):
            evaluated = self._whole(snapshot.stage, load(), before)
            return replace(evaluated, data=data)
        operations = _instructions(graph)
        if before is not None and before.graph is not None and before.graph.results == graph.results:
            results = before.results
        else:
            results = self._results(snapshot.stage, graph)
        self._known = {number: value for number, value in self._known.items() if number in graph.nodes}
        return Evaluated(snapshot.stage, results, operations, load, data, graph=graph)

    def pair(self, before: Evaluated, after: Evaluated) -> Pair:
        """Both programs with the arguments: without the values that both have, if these are known.

        Raises:
          HlokitError: a program cannot be loaded.
        """
        if before.graph is None or after.graph is None:
            function = before.whole()
            return Pair(function, after.whole(), self.values(function))
        common = [number for number in self._known if number in before.graph.nodes]
        parts = [needed(graph, graph.results, common) for graph in (before.graph, after.graph)]
        inputs = sorted({number for part in parts for number in part.inputs})
        loaded = [
            Function(
                self._sliced(stage.stage, stage.graph, inputs, part.computed, stage.graph.results), "main"
            )
            for stage, part in zip((before, after), parts, strict=True)
            if stage.graph is not None
        ]
        return Pair(loaded[0], loaded[1], [self._known[number] for number in inputs])

    def _starts(self, graph: Graph) -> bool:
        """Whether the values of a graph begin with the arguments, which are known from here on."""
        types = [graph.nodes[number].instruction.shape for number in graph.parameters]
        if list(map(dimensions, types)) != list(map(np.shape, self._arguments)):
            return False
        missing = [number for number in graph.parameters if number not in self._known]
        if missing:
            part = sliced(graph, graph.parameters, (), graph.parameters)
            values = self.values(Function(load_hlo(part, "parameters"), "main"))
            self._known.update(zip(graph.parameters, values, strict=True))
        return True

    def _results(self, stage: str, graph: Graph) -> list[Value]:
        """Compute the results of a graph, and keep all values that are not known yet."""
        part = needed(graph, graph.results, self._known)
        wanted = dict.fromkeys([number for number in graph.results if number not in self._known])
        size = sum([_size(graph, number) for number in self._known])
        for number in part.computed:
            size += _size(graph, number)
            if size <= _MOST_KEPT and _is_array(graph, number):
                wanted[number] = None
        if wanted:
            program = self._sliced(stage, graph, part.inputs, part.computed, list(wanted))
            values = [self._known[number] for number in part.inputs]
            self._known.update(zip(wanted, _run(Function(program, "main"), values), strict=True))
        return [self._known[number] for number in graph.results]

    def _sliced(
        self, stage: str, graph: Graph, inputs: Sequence[int], computed: Sequence[int], results: Sequence[int]
    ) -> Program:
        program = load_hlo(sliced(graph, inputs, computed, results), f"after {stage}")
        return program.with_thresholds(_ONE_RUN)

    def _load(self, stage: str, data: bytes) -> Function:
        program = load_bytes(data, f"after {stage}")
        name = self._function if self._function in program.functions else None
        return Function(program, program.signature(name).name)

    def values(self, function: Function) -> Sequence[Value]:
        """The arguments of a function."""
        return function.program.signature(function.name).values(self._arguments)

    def _whole(self, stage: str, function: Function, before: Evaluated | None) -> Evaluated:
        """A whole program with its results: those of the program before if both are the same."""
        entry = functions(function.program.module)[function.name]
        reached = (entry, *called_functions(entry).values())
        text = cache(lambda: "\n".join(map(str, reached)))
        partitioned = Partitioned.read(*function)
        single = None if partitioned is None or before is None else before.single or before
        if before is not None and text() == before.text() and _OUTSIDE not in text():
            results = before.results
        elif partitioned is not None:
            shapes = None if before is None else list(map(np.shape, before.results))
            results = limited(lambda: partitioned.evaluated(self._arguments, shapes))
        else:
            results = _run(function, self.values(function))
        return Evaluated(stage, results, _operations(reached), lambda: function, text=text, single=single)


def _run(function: Function, values: Sequence[Value]) -> Sequence[Value]:
    """The results of a function, tuples taken apart."""
    program, name = function
    results = limited(lambda: program.runs.evaluate(values, name))
    return flat_values(results, program.signature(name).outputs)


def _is_array(graph: Graph, number: int) -> bool:
    return element_type(graph.nodes[number].instruction.shape) not in (TUPLE, TOKEN)


def _size(graph: Graph, number: int) -> int:
    return size_of(graph.nodes[number].instruction.shape) if number in graph.nodes else 0


# How the text of a constant begins whose elements are elsewhere.
_OUTSIDE = "dense_resource<"
# Operations that compute nothing.
_STRUCTURE = ("func.func", "func.return", "stablehlo.return")


def _operations(reached: Sequence[ir.Operation]) -> Counter[str]:
    """The operations of functions, counted by name."""
    names: Counter[str] = Counter()
    for function in reached:
        names.update([operation.name for operation in operations_within(function)])
    for name in _STRUCTURE:
        names.pop(name, None)
    return names


# Instructions that compute nothing, and those that StableHLO calls otherwise.
_NO_OPERATION = frozenset(("parameter", "tuple", "get-tuple-element", "call", "fusion", "copy"))
_NAMES: Mapping[str, str] = {"broadcast": "broadcast_in_dim", "conditional": "case", "dot": "dot_general"}


def _instructions(graph: Graph) -> Counter[str]:
    """The instructions of a module, counted by their names in StableHLO."""
    opcodes: Counter[str] = Counter()
    for computation in graph.module.computations.values():
        opcodes.update(computation.opcodes)
    return Counter(
        {
            f"stablehlo.{_NAMES.get(opcode, opcode.replace('-', '_'))}": count
            for opcode, count in opcodes.items()
            if opcode not in _NO_OPERATION
        }
    )
