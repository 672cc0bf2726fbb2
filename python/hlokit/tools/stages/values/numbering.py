"""Value numbers: values of HLO modules that are the same by structure have the same number.

Two instructions with the same operation, the same attributes and operands with the same numbers have one
number, in all modules of a compilation. Calls and fusions are read as if their operations stood in their
place; copies, barriers and tuples change no value. Of loops and branches, see `regions`.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from hlokit.operations.lookup import mnemonics
from hlokit.programs.importers.protobuf import MalformedMessage
from hlokit.tools.stages.values.hlo_protos import (
    TOKEN,
    TUPLE,
    Computation,
    Instruction,
    Module,
    Reader,
    element,
    element_type,
)
from hlokit.tools.stages.values.numbers import Numbers
from hlokit.tools.stages.values.regions import Loop, branches, loop
from hlokit.tools.stages.values.views import Views

# Instructions whose result is an operand.
_SAME = frozenset(("copy", "opt-barrier", "add-dependency", "domain"))
_INLINED = frozenset(("call", "fusion"))
# Two instructions of these kinds are two values, or have effects besides.
_EFFECTS = mnemonics(lambda traits: traits.feed or traits.channel or traits.random) | {
    "rng-get-and-update-state"
}


class Node(NamedTuple):
    """A value of the entry computation.

    Attributes:
      operands: the numbers of its operands.
      source: of a bitcast, which depends on layouts: the shape of its operand; otherwise b"".
    """

    instruction: Instruction
    operands: tuple[int, ...]
    source: bytes = b""


@dataclass(frozen=True, slots=True)
class Graph:
    """The values of an entry computation by their numbers, operands first.

    Attributes:
      results: the numbers of the results.
      parameters: the numbers of the parameters.
    """

    module: Module
    nodes: dict[int, Node]
    results: tuple[int, ...]
    parameters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where values are numbered.

    Attributes:
      contents: the numbers of what computations have in them, by their ids.
      nodes: the values of the entry computation; None inside of loops, branches and regions.
      depth: how many loops are around.
    """

    module: Module
    contents: dict[int, int]
    nodes: dict[int, Node] | None
    depth: int = 0

    def inside(self, loops: int = 0) -> _Scope:
        """Inside of a branch, a region, or a loop."""
        return replace(self, nodes=None, depth=self.depth + loops)

    def add(self, number: int, node: Node) -> None:
        """Add what computes a value, unless it is there."""
        if self.nodes is not None:
            self.nodes.setdefault(number, node)


class Numbering:
    """Gives the same numbers to equal values of several modules."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._numbers = Numbers()
        self._views = Views(self._numbers)
        # The numbers of regions by the numbers of their contents.
        self._regions: dict[int, int] = {}
        # The numbers of values by the kinds of their instructions and the numbers of their operands.
        self._values: dict[tuple[int, ...], int] = {}
        # The roots of computations by their contents, arguments, and the loops around.
        self._roots: dict[tuple[int, tuple[int, ...], int], int] = {}

    def graph(self, data: bytes) -> Graph | None:
        """The values of a module; None if the data is no HLO proto, or a value may depend on more than its
        operands.

        Raises:
          MalformedMessage: the data is damaged.
        """
        # The objects of a module live on: the garbage collector would find nothing.
        collecting = gc.isenabled()
        gc.disable()
        try:
            return self._graph(data)
        except MalformedMessage:
            raise
        except (LookupError, ValueError, ArithmeticError, RecursionError) as error:
            raise MalformedMessage(
                "instructions or computations refer to others that are not there"
            ) from error
        finally:
            if collecting:
                gc.enable()

    def _graph(self, data: bytes) -> Graph | None:
        module = self._reader.module(data)
        if module is None or _has_effects(module):
            return None
        entry = module.computations[module.entry]
        parameters = [self._parameter(instruction) for instruction in entry.parameters]
        if any([element_type(instruction.shape) in (TUPLE, TOKEN) for instruction in entry.parameters]):
            return None
        nodes: dict[int, Node] = {}
        for number, instruction in zip(parameters, entry.parameters, strict=True):
            nodes[number] = Node(instruction, ())
        root = self._inlined(_Scope(module, {}, nodes), entry, parameters)
        results = self._numbers.elements.get(root, (root,))
        for position, number in enumerate(results):
            if number not in nodes and root in nodes:  # what the last loop or conditional returns
                nodes[number] = Node(element(nodes[root].instruction, position), (root,))
        if any([number not in nodes for number in results]):
            return None
        shapes = [element_type(nodes[number].instruction.shape) for number in results]
        if TUPLE in shapes or TOKEN in shapes:
            return None
        return Graph(module, nodes, results, tuple(parameters))

    def _parameter(self, instruction: Instruction) -> int:
        key = ("parameter", instruction.number, instruction.type)
        return self._numbers.number(key, (), instruction.type)

    def _root(self, scope: _Scope, called: int, *arguments: int) -> int:
        """The number of the root of a computation that is called, with these arguments."""
        computation = scope.module.computations[called]
        if scope.nodes is not None:
            return self._inlined(scope, computation, arguments)
        key = self._content(scope, called), arguments, scope.depth
        root = self._roots.get(key)
        if root is None:
            root = self._roots[key] = self._inlined(scope, computation, arguments)
        return root

    def _inlined(self, scope: _Scope, computation: Computation, arguments: Sequence[int]) -> int:
        """The number of the root of a computation whose arguments have numbers."""
        numbers: dict[int, int] = {}
        nodes, values = scope.nodes, self._values
        for identity, instruction in computation.instructions.items():
            operands = [numbers[operand] for operand in instruction.operands]
            kind, opcode = instruction.kind, instruction.opcode
            key = (kind, *operands)
            if kind and (number := values.get(key)) is not None:
                if nodes is not None and number not in nodes:
                    nodes[number] = Node(instruction, key[1:])
            elif opcode == "parameter":
                number = arguments[instruction.number]
            elif opcode in _SAME and instruction.type == self._numbers.type_of(operands[0]):
                number = operands[0]
            elif opcode in _INLINED:
                (called,) = instruction.called
                number = self._root(scope, called, *operands)
            elif opcode == "tuple":
                number = self._numbers.tuple_of(operands)
                scope.add(number, Node(instruction, tuple(operands)))
            elif opcode == "get-tuple-element":
                number = self._numbers.element_of(operands[0], instruction.number, instruction.type)
                scope.add(number, Node(instruction, tuple(operands)))
            elif opcode == "while":
                number = self._loop(scope, instruction, operands[0])
                scope.add(number, Node(instruction, tuple(operands)))
            elif opcode == "conditional":
                number = self._conditional(scope, instruction, operands)
                scope.add(number, Node(instruction, tuple(operands)))
            else:
                number = self._of(scope, computation, instruction, operands)
                if kind:
                    values[key] = number
            numbers[identity] = number
        return numbers[computation.root]

    def _loop(self, scope: _Scope, instruction: Instruction, initial: int) -> int:
        body, condition = instruction.called
        inside = scope.inside(loops=1)
        computations = Loop(
            condition=partial(self._root, inside, condition),
            body=partial(self._root, inside, body),
            depth=scope.depth,
            kept=_kept(scope.module.computations[body]),
        )
        return loop(self._numbers, initial, computations)

    def _conditional(self, scope: _Scope, instruction: Instruction, operands: list[int]) -> int:
        inside = scope.inside()
        calls = zip(instruction.called, operands[1:], strict=True)
        return branches(
            self._numbers, operands[0], [self._root(inside, called, operand) for called, operand in calls]
        )

    def _of(
        self, scope: _Scope, computation: Computation, instruction: Instruction, operands: list[int]
    ) -> int:
        """The number of an instruction."""
        source = b""
        if instruction.opcode == "bitcast":
            source = computation.instructions[instruction.operands[0]].shape
        number = self._views.number(instruction, operands, source)
        if number is None:
            regions = tuple([self._region(scope, called) for called in instruction.called])
            layouts = (source, instruction.shape) if source else ()
            key = (instruction.opcode, instruction.attributes, instruction.type, regions, *layouts)
            number = self._numbers.number(key, operands, instruction.type)
        scope.add(number, Node(instruction, tuple(operands), source))
        return number

    def _region(self, scope: _Scope, called: int) -> int:
        """The number of a computation that an instruction has as an attribute."""
        content = self._content(scope, called)
        number = self._regions.get(content)
        if number is None:
            computation = scope.module.computations[called]
            arguments = [self._parameter(parameter) for parameter in computation.parameters]
            root = self._inlined(_Scope(scope.module, scope.contents, None), computation, arguments)
            number = self._numbers.number(("computation", tuple(arguments)), (root,))
            self._regions[content] = number
        return number

    def _content(self, scope: _Scope, called: int) -> int:
        """The number of a computation by its bytes and those of the computations that it calls."""
        number = scope.contents.get(called)
        if number is None:
            computation = scope.module.computations[called]
            callees = tuple([self._content(scope, callee) for callee in computation.called])
            number = scope.contents[called] = self._numbers.number(("content", computation.data, callees))
        return number


def _kept(body: Computation) -> frozenset[int]:
    """The parts of a loop's state that its body returns as they are."""
    root = body.instructions[body.root]
    kept: set[int] = set()
    for position, operand in enumerate(root.operands if root.opcode == "tuple" else ()):
        part = body.instructions[operand]
        is_part = part.opcode == "get-tuple-element" and part.number == position
        if is_part and body.instructions[part.operands[0]].opcode == "parameter":
            kept.add(position)
    return frozenset(kept)


def _has_effects(module: Module) -> bool:
    computations = module.computations.values()
    return any([part.has_effects or not _EFFECTS.isdisjoint(part.opcodes) for part in computations])
