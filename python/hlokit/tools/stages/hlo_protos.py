"""HLO modules as protocol buffers: the computations and instructions, as far as values depend on them."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

from hlokit.programs.importers.hlo import module_proto
from hlokit.programs.importers.protobuf import encoded_fields, fields, integers

# Fields of HloModuleProto.
COMPUTATIONS, ENTRY_ID = 3, 6
# Fields of HloComputationProto.
INSTRUCTIONS, COMPUTATION_ID, ROOT_ID = 2, 5, 6
# Fields of HloInstructionProto.
NAME, OPCODE, SHAPE, LITERAL, PARAMETER_NUMBER, TUPLE_INDEX = 1, 2, 3, 8, 9, 13
ID, OPERAND_IDS, CALLED_IDS, SIDE_EFFECT = 35, 36, 38, 65
_CONTROL_PREDECESSORS, _BACKEND_CONFIG, _FRONTEND_ATTRIBUTES = 37, 43, 68
_METADATA, _SHARDING, _REPLICATION, _ALIASING, _SCHEDULE, _STATISTICS, _ORIGINAL = 7, 40, 61, 74, 76, 82, 88
# Fields that say where an instruction stands.
_STRUCTURE = frozenset((NAME, ID, OPERAND_IDS, CALLED_IDS, _CONTROL_PREDECESSORS))
# Fields that change no value. A custom call may need its configuration.
_REMARKS = frozenset((_METADATA, _SHARDING, _REPLICATION, _ALIASING, _SCHEDULE, _STATISTICS, _ORIGINAL))
_CONFIGURATION = frozenset((_BACKEND_CONFIG, _FRONTEND_ATTRIBUTES))
# Fields of ShapeProto and LayoutProto.
ELEMENT_TYPE, _DIMENSIONS, TUPLE_SHAPES, _LAYOUT, _MINOR_TO_MAJOR = 2, 3, 4, 5, 1
_LITERAL_SHAPE = 1


class Instruction(NamedTuple):
    """An instruction.

    Attributes:
      shape: its type with layouts, as a ShapeProto.
      type: its type without layouts.
      key: what it computes apart from its operands and computations.
      content: its fields without those that say where it stands.
      number: the number of a parameter, or the index into a tuple.
      has_effects: whether it is a custom call with side effects.
    """

    id: int
    name: bytes
    opcode: str
    shape: bytes
    type: bytes
    key: bytes
    content: bytes
    number: int
    operands: tuple[int, ...]
    called: tuple[int, ...]
    has_effects: bool


class Computation(NamedTuple):
    """A computation, also as its HloComputationProto.

    Attributes:
      called: the ids of the computations that its instructions call.
    """

    data: bytes
    instructions: dict[int, Instruction]
    root: int
    called: tuple[int, ...]

    @property
    def parameters(self) -> list[Instruction]:
        """The parameters by their numbers."""
        parameters = [value for value in self.instructions.values() if value.opcode == "parameter"]
        return sorted(parameters, key=lambda instruction: instruction.number)


class Module(NamedTuple):
    """A module: its computations by their ids."""

    computations: dict[int, Computation]
    entry: int


class Reader:
    """Reads modules that have most instructions in common."""

    def __init__(self) -> None:
        self._instructions: dict[bytes, Instruction] = {}
        self._computations: dict[bytes, tuple[int, Computation]] = {}

    def module(self, data: bytes) -> Module | None:
        """The module in an HloModuleProto or HloProto; None for other data.

        Raises:
          MalformedMessage: the data is damaged.
        """
        message = module_proto(data)
        if message is None:
            return None
        entry = 0
        computations: dict[int, Computation] = {}
        read: dict[bytes, tuple[int, Computation]] = {}
        for number, value in fields(message):
            if number == ENTRY_ID and isinstance(value, int):
                entry = value
            elif number == COMPUTATIONS and isinstance(value, memoryview):
                content = bytes(value)
                pair = self._computations.get(content) or self._computation(content)
                read[content] = pair
                computations[pair[0]] = pair[1]
        self._computations = read
        return Module(computations, entry) if entry in computations else None

    def _computation(self, data: bytes) -> tuple[int, Computation]:
        number = root = 0
        instructions: dict[int, Instruction] = {}
        for field, value in fields(memoryview(data)):
            if field == INSTRUCTIONS and isinstance(value, memoryview):
                content = bytes(value)
                instruction = self._instructions.get(content)
                if instruction is None:
                    instruction = self._instructions[content] = _instruction(content)
                instructions[instruction.id] = instruction
            elif field == COMPUTATION_ID and isinstance(value, int):
                number = value
            elif field == ROOT_ID and isinstance(value, int):
                root = value
        called = [callee for instruction in instructions.values() for callee in instruction.called]
        return number, Computation(data, instructions, root, tuple(dict.fromkeys(called)))


def _instruction(data: bytes) -> Instruction:
    numbers = {ID: 0, PARAMETER_NUMBER: 0, TUPLE_INDEX: 0, SIDE_EFFECT: 0}
    texts = {NAME: b"", OPCODE: b"", SHAPE: b""}
    lists: dict[int, list[int]] = {OPERAND_IDS: [], CALLED_IDS: []}
    content, configuration, key = bytearray(), bytearray(), bytearray()
    for number, value, field in encoded_fields(memoryview(data)):
        if number in numbers and isinstance(value, int):
            numbers[number] = value
        elif number in texts and isinstance(value, memoryview):
            texts[number] = bytes(value)
        elif number in lists:
            lists[number] += integers(value)
        if number in _STRUCTURE:
            continue
        content += field
        if number == LITERAL and isinstance(value, memoryview):
            key += _literal(value)
        elif number in _CONFIGURATION:
            configuration += field
        elif number not in _REMARKS and number != SHAPE:
            key += field
    opcode = texts[OPCODE].decode()
    type_ = without_layout(texts[SHAPE])
    if opcode == "custom-call":
        key += configuration
    return Instruction(
        numbers[ID],
        texts[NAME],
        opcode,
        texts[SHAPE],
        type_,
        bytes(key) + type_,
        bytes(content),
        numbers[PARAMETER_NUMBER] or numbers[TUPLE_INDEX],
        tuple(lists[OPERAND_IDS]),
        tuple(lists[CALLED_IDS]),
        bool(numbers[SIDE_EFFECT]),
    )


def _literal(data: memoryview) -> bytes:
    """A literal, without its layout if that is the default: others order its elements."""
    key = bytearray()
    for number, value, field in encoded_fields(data):
        if number == _LITERAL_SHAPE and isinstance(value, memoryview) and is_row_major(bytes(value)):
            key += without_layout(bytes(value))
        else:
            key += field
    return bytes(key)


@cache
def without_layout(shape: bytes) -> bytes:
    """A ShapeProto without layouts."""
    kept = bytearray()
    for number, value, field in encoded_fields(memoryview(shape)):
        if number == TUPLE_SHAPES and isinstance(value, memoryview):
            kept += b"(" + without_layout(bytes(value)) + b")"
        elif number != _LAYOUT:
            kept += field
    return bytes(kept)


@cache
def is_row_major(shape: bytes) -> bool:
    """Whether the layout of an array is the default."""
    order: list[int] = []
    for number, value in fields(memoryview(shape)):
        if number == _LAYOUT and isinstance(value, memoryview):
            for field, axes in fields(value):
                if field == _MINOR_TO_MAJOR:
                    order += integers(axes)
    return order == sorted(order, reverse=True)


@cache
def element_type(shape: bytes) -> int:
    """The type of the elements of an array, as a number."""
    types = [value for number, value in fields(memoryview(shape)) if number == ELEMENT_TYPE]
    return types[0] if types and isinstance(types[0], int) else 0


@cache
def dimensions(shape: bytes) -> tuple[int, ...]:
    """The sizes of an array."""
    sizes: list[int] = []
    for number, value in fields(memoryview(shape)):
        if number == _DIMENSIONS:
            sizes += integers(value)
    return tuple(sizes)


def size_of(shape: bytes) -> int:
    """The number of elements of an array."""
    return prod(dimensions(shape))
