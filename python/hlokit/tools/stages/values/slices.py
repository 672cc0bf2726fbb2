"""Parts of HLO modules: the values that are not known yet, as a function of those that are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from hlokit.programs.importers.protobuf import encoded
from hlokit.tools.stages.values.hlo_protos import (
    CALLED_IDS,
    COMPUTATION_ID,
    COMPUTATIONS,
    ELEMENT_TYPE,
    ENTRY_ID,
    ID,
    INSTRUCTIONS,
    NAME,
    OPCODE,
    OPERAND_IDS,
    PARAMETER_NUMBER,
    ROOT_ID,
    SHAPE,
    TUPLE,
    TUPLE_SHAPES,
    Module,
)
from hlokit.tools.stages.values.numbering import Graph

_ENTRY_NAME, _PROGRAM_SHAPE, _HOST_PROGRAM_SHAPE, _MODULE_ID = 2, 4, 4, 5
_PARAMETER_SHAPES, _RESULT_SHAPE, _PARAMETER_NAMES = 1, 2, 3


class Needed(NamedTuple):
    """What values depend on: numbers of known values, and of those to compute, operands first."""

    inputs: list[int]
    computed: list[int]


def needed(graph: Graph, wanted: Iterable[int], values: Collection[int]) -> Needed:
    """The values that others depend on, up to those that are known.

    Args:
      values: the numbers of known values.
    """
    reached: set[int] = set()
    inputs: set[int] = set()
    stack = list(wanted)
    while stack:
        number = stack.pop()
        if number in values:
            inputs.add(number)
        elif number not in reached:
            reached.add(number)
            stack += graph.nodes[number].operands
    return Needed(sorted(inputs), [number for number in graph.nodes if number in reached])


def sliced(graph: Graph, inputs: Sequence[int], computed: Sequence[int], results: Sequence[int]) -> bytes:
    """The HloModuleProto whose main function computes results from inputs."""
    shapes = [graph.nodes[number].instruction.shape for number in inputs]
    called = _reached(graph, computed)
    writer = _Writer(_names(graph.module, called))
    for position, number in enumerate(inputs):
        fields = encoded(OPCODE, b"parameter") + encoded(SHAPE, shapes[position])
        writer.add(number, f"input_{position}".encode(), fields + encoded(PARAMETER_NUMBER, position), ())
    for number in computed:
        instruction, operands, source = graph.nodes[number]
        if source:  # a bitcast needs its operand in this layout
            operands = (writer.add_copy(operands[0], instruction.name, source),)
        ids = b"".join([encoded(CALLED_IDS, computation) for computation in instruction.called])
        writer.add(number, instruction.name, instruction.content + ids, operands)
    types = [graph.nodes[number].instruction.shape for number in results]
    shape = encoded(ELEMENT_TYPE, TUPLE) + b"".join([encoded(TUPLE_SHAPES, type_) for type_ in types])
    root = writer.add(None, b"results", encoded(OPCODE, b"tuple") + encoded(SHAPE, shape), results)
    program = b"".join([encoded(_PARAMETER_SHAPES, type_) for type_ in shapes]) + encoded(
        _RESULT_SHAPE, shape
    )
    program += b"".join([encoded(_PARAMETER_NAMES, f"input_{i}".encode()) for i in range(len(shapes))])
    module = graph.module
    entry = encoded(NAME, b"main") + writer.data() + encoded(_PROGRAM_SHAPE, program)
    entry += encoded(COMPUTATION_ID, module.entry) + encoded(ROOT_ID, root)
    parts = [encoded(NAME, b"module"), encoded(_ENTRY_NAME, b"main")]
    parts += [encoded(COMPUTATIONS, module.computations[number].data) for number in called]
    parts += [encoded(COMPUTATIONS, entry), encoded(_HOST_PROGRAM_SHAPE, program)]
    return b"".join([*parts, encoded(_MODULE_ID, 1), encoded(ENTRY_ID, module.entry)])


class _Writer:
    """Writes the instructions of a computation.

    Args:
      names: names that other computations use: those of a module must differ.
    """

    def __init__(self, names: set[bytes]) -> None:
        self._written: list[bytes] = []
        self._ids: dict[int, int] = {}
        self._names = names

    def add(self, number: int | None, name: bytes, fields: bytes, operands: Sequence[int]) -> int:
        """Add an instruction, and return its id.

        Args:
          number: the number of its value, by which others refer to it.
          operands: numbers of values.
        """
        identity = len(self._written) + 1
        if name in self._names:
            name += b".main%d" % identity
        self._names.add(name)
        ids = b"".join([encoded(OPERAND_IDS, self._ids[operand]) for operand in operands])
        self._written.append(
            encoded(INSTRUCTIONS, encoded(NAME, name) + fields + encoded(ID, identity) + ids)
        )
        if number is not None:
            self._ids[number] = identity
        return identity

    def add_copy(self, operand: int, name: bytes, shape: bytes) -> int:
        """Add a copy of a value in a layout, and return the number of the copy."""
        number = -len(self._written) - 1
        self.add(number, name + b".operand", encoded(OPCODE, b"copy") + encoded(SHAPE, shape), (operand,))
        return number

    def data(self) -> bytes:
        """The fields of all instructions."""
        return b"".join(self._written)


def _reached(graph: Graph, computed: Iterable[int]) -> list[int]:
    """The computations that values depend on, callees first."""
    called = [callee for number in computed for callee in graph.nodes[number].instruction.called]
    order: dict[int, None] = {}
    stack = [(number, False) for number in dict.fromkeys(called)]
    while stack:
        number, is_after = stack.pop()
        if number in order:
            continue
        if is_after:
            order[number] = None
            continue
        stack.append((number, True))
        for instruction in graph.module.computations[number].instructions.values():
            stack += [(callee, False) for callee in instruction.called]
    return list(order)


def _names(module: Module, computations: Iterable[int]) -> set[bytes]:
    """The names of the instructions of computations."""
    return {
        instruction.name
        for number in computations
        for instruction in module.computations[number].instructions.values()
    }
