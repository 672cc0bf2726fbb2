"""Value numbers: values of HLO modules that are the same by structure have the same number.

Two instructions with the same operation, the same attributes and operands with the same numbers have one
number, in all modules of a compilation. Calls and fusions are read as if their operations stood in their
place; copies, barriers and tuples change no value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from hlokit.operations.lookup import mnemonics
from hlokit.programs.importers.protobuf import MalformedMessage
from hlokit.tools.stages.hlo_protos import (
    Computation,
    Instruction,
    Module,
    Reader,
    element_type,
    is_row_major,
)

# Instructions whose result is an operand.
_SAME = frozenset(("copy", "opt-barrier", "add-dependency", "domain"))
_INLINED = frozenset(("call", "fusion"))
# Two instructions of these kinds are two values, or have effects besides.
_EFFECTS = mnemonics(lambda traits: traits.feed or traits.channel or traits.random)
_STATE = "rng-get-and-update-state"
TUPLE, TOKEN = 13, 17


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


@dataclass(slots=True)
class _Scope:
    """What is known of a module while its values are numbered.

    Attributes:
      contents: the numbers of what computations have in them, by their ids.
    """

    module: Module
    nodes: dict[int, Node] = field(default_factory=dict[int, Node])
    contents: dict[int, int] = field(default_factory=dict[int, int])


class Numbering:
    """Gives the same numbers to equal values of several modules."""

    def __init__(self) -> None:
        self._reader = Reader()
        self._numbers: dict[tuple[object, ...], int] = {}
        # The elements of tuples.
        self._elements: dict[int, tuple[int, ...]] = {}
        # The numbers of regions by the numbers of their contents.
        self._regions: dict[int, int] = {}

    def graph(self, data: bytes) -> Graph | None:
        """The values of a module; None if the data is no HLO proto, or a value may depend on more than its
        operands.

        Raises:
          MalformedMessage: the data is damaged.
        """
        try:
            return self._graph(data)
        except MalformedMessage:
            raise
        except (LookupError, ValueError, RecursionError) as error:
            raise MalformedMessage(
                "instructions or computations refer to others that are not there"
            ) from error

    def _graph(self, data: bytes) -> Graph | None:
        module = self._reader.module(data)
        if module is None or _has_effects(module):
            return None
        entry = module.computations[module.entry]
        scope = _Scope(module)
        parameters = [self._parameter(instruction) for instruction in entry.parameters]
        if any([element_type(instruction.shape) in (TUPLE, TOKEN) for instruction in entry.parameters]):
            return None
        for number, instruction in zip(parameters, entry.parameters, strict=True):
            scope.nodes[number] = Node(instruction, ())
        root = self._inlined(scope, entry, parameters, scope.nodes)
        results = self._elements.get(root, (root,))
        shapes = [element_type(scope.nodes[number].instruction.shape) for number in results]
        if TUPLE in shapes or TOKEN in shapes:
            return None
        return Graph(module, scope.nodes, results, tuple(parameters))

    def _number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _parameter(self, instruction: Instruction) -> int:
        return self._number("parameter", instruction.number, instruction.type)

    def _inlined(
        self, scope: _Scope, computation: Computation, arguments: list[int], nodes: dict[int, Node]
    ) -> int:
        """The number of the root of a computation whose parameters are known."""
        numbers: dict[int, int] = {}
        for identity, instruction in computation.instructions.items():
            operands = [numbers[operand] for operand in instruction.operands]
            if instruction.opcode == "parameter":
                number = arguments[instruction.number]
            elif instruction.opcode in _SAME and instruction.type == _type(nodes, operands[0]):
                number = operands[0]
            elif instruction.opcode in _INLINED:
                (called,) = instruction.called
                number = self._inlined(scope, scope.module.computations[called], operands, nodes)
            elif instruction.opcode == "get-tuple-element" and operands[0] in self._elements:
                number = self._elements[operands[0]][instruction.number]
            else:
                number = self._of(scope, computation, instruction, operands, nodes)
            numbers[identity] = number
        return numbers[computation.root]

    def _of(
        self,
        scope: _Scope,
        computation: Computation,
        instruction: Instruction,
        operands: list[int],
        nodes: dict[int, Node],
    ) -> int:
        """The number of an instruction."""
        source = b""
        key = instruction.key
        if instruction.opcode == "bitcast":
            operand = computation.instructions[instruction.operands[0]]
            source = operand.shape
            is_reshape = (
                is_row_major(source)
                and is_row_major(instruction.shape)
                and element_type(source) == element_type(instruction.shape)
            )
            if is_reshape and operand.type == instruction.type:
                return operands[0]
            key = instruction.type if is_reshape else key + b"/" + source + b"/" + instruction.shape
            number = self._number("reshape" if is_reshape else "bitcast", key, *operands)
        elif instruction.opcode == "reshape":
            number = self._number("reshape", instruction.type, *operands)
        else:
            regions = [self._region(scope, called) for called in instruction.called]
            number = self._number(instruction.opcode, key, tuple(regions), *operands)
        if instruction.opcode == "tuple":
            self._elements[number] = tuple(operands)
        nodes.setdefault(number, Node(instruction, tuple(operands), source))
        return number

    def _region(self, scope: _Scope, called: int) -> int:
        """The number of a computation that an instruction has as an attribute."""
        content = self._content(scope, called)
        number = self._regions.get(content)
        if number is None:
            computation = scope.module.computations[called]
            nodes: dict[int, Node] = {}
            arguments: list[int] = []
            for parameter in computation.parameters:
                arguments.append(self._parameter(parameter))
                nodes[arguments[-1]] = Node(parameter, ())
            root = self._inlined(scope, computation, arguments, nodes)
            number = self._regions[content] = self._number("computation", tuple(arguments), root)
        return number

    def _content(self, scope: _Scope, called: int) -> int:
        """The number of a computation by its bytes and those of the computations that it calls."""
        number = scope.contents.get(called)
        if number is None:
            computation = scope.module.computations[called]
            callees = [self._content(scope, callee) for callee in computation.called]
            number = scope.contents[called] = self._number("content", computation.data, *callees)
        return number


def _type(nodes: dict[int, Node], number: int) -> bytes:
    node = nodes.get(number)
    return b"" if node is None else node.instruction.type


def _has_effects(module: Module) -> bool:
    return any(
        instruction.has_effects or instruction.opcode in _EFFECTS or instruction.opcode == _STATE
        for computation in module.computations.values()
        for instruction in computation.instructions.values()
    )
