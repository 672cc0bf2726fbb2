"""HLO modules as protocol buffers: the computations and instructions, as far as values depend on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import prod
from typing import NamedTuple

from hlokit.programs.importers.hlo import module_proto
from hlokit.programs.importers.protobuf import (
    BYTES,
    MalformedMessage,
    encoded,
    encoded_fields,
    fields,
    integers,
    parts,
    spans,
)

# Fields of HloModuleProto.
COMPUTATIONS, ENTRY_ID = 3, 6
# Fields of HloComputationProto.
INSTRUCTIONS, COMPUTATION_ID, ROOT_ID = 2, 5, 6
# Fields of HloInstructionProto.
NAME, OPCODE, SHAPE, LITERAL, PARAMETER_NUMBER, TUPLE_INDEX = 1, 2, 3, 8, 9, 13
ID, OPERAND_IDS, CALLED_IDS, SIDE_EFFECT = 35, 36, 38, 65
_BACKEND_CONFIG, _FRONTEND_ATTRIBUTES = 43, 68
_METADATA, _SHARDING, _REPLICATION, _ALIASING, _SCHEDULE, _STATISTICS, _ORIGINAL = 7, 40, 61, 74, 76, 82, 88
# Fields that change no value. A custom call may need its configuration.
_REMARKS = frozenset((_METADATA, _SHARDING, _REPLICATION, _ALIASING, _SCHEDULE, _STATISTICS, _ORIGINAL))
_CONFIGURATION = frozenset((_BACKEND_CONFIG, _FRONTEND_ATTRIBUTES))
# Fields of ShapeProto and LayoutProto.
ELEMENT_TYPE, _DIMENSIONS, TUPLE_SHAPES, _LAYOUT, _MINOR_TO_MAJOR, _TILES = 2, 3, 4, 5, 1, 6
_LITERAL_SHAPE = 1
# Types of elements.
TUPLE, TOKEN = 13, 17
_IS_DYNAMIC = 6
# Opcodes of instructions whose values depend on more than their fields and operands.
_APART = frozenset(("parameter", "tuple", "get-tuple-element", "bitcast"))
# How the id begins, and an id with the length of those of up to 127 bytes of operands.
_ID_TAG = encoded(ID, 0)[:2]
_SHORT_IDS = re.compile(rb"\x98\x02([\x80-\xff]{0,9}[\x00-\x7f])(?:\xa2\x02([\x00-\x7f]))?")
# How fields of more ids begin: more operands, control predecessors, computations.
_MORE_IDS = (b"\xa0\x02", b"\xa2\x02", b"\xa8\x02", b"\xaa\x02", b"\xb0\x02", b"\xb2\x02", b"\x98\x02")


class Instruction(NamedTuple):
    """An instruction.

    Attributes:
      shape: its type with layouts, as a ShapeProto.
      type: its type without layouts.
      attributes: what it computes apart from its type, operands and computations.
      content: its fields without those that say where it stands.
      number: the number of a parameter, or the index into a tuple.
      has_effects: whether it is a custom call with side effects.
      kind: a number that instructions share if they differ in name, id and operands alone; 0 if more decides
        about the value: of tuples, parameters, bitcasts, and what calls computations.
    """

    id: int
    name: bytes
    opcode: str
    shape: bytes
    type: bytes
    attributes: bytes
    content: bytes
    number: int
    operands: tuple[int, ...]
    called: tuple[int, ...]
    has_effects: bool
    kind: int


class _Part(NamedTuple):
    """What some fields of an instruction say; see `Instruction`.

    Attributes:
      configuration: fields that change only what a custom call computes.
    """

    name: bytes
    opcode: bytes
    shape: bytes
    type: bytes
    content: bytes
    configuration: bytes
    attributes: bytes
    number: int
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
        self._parts: dict[bytes, _Part] = {}
        self._kinds: dict[tuple[bytes, bytes, bytes], int] = {}

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
        for field, integer, _, value, end in spans(data):
            if field == INSTRUCTIONS and integer is None:
                content = data[value:end]
                instruction = self._instructions.get(content)
                if instruction is None:
                    instruction = self._instructions[content] = self._instruction(content)
                instructions[instruction.id] = instruction
            elif field == COMPUTATION_ID and integer is not None:
                number = integer
            elif field == ROOT_ID and integer is not None:
                root = integer
        called = [callee for instruction in instructions.values() for callee in instruction.called]
        return number, Computation(data, instructions, root, tuple(dict.fromkeys(called)))

    def _instruction(self, data: bytes) -> Instruction:
        name, start = _name(data)
        head, end = self._head(data, start)
        identity, operands, called, end = _ids(data, end)
        tail = self._part(data[end:])
        if tail.opcode or tail.shape:
            raise MalformedMessage("the fields of an instruction must be in the order of their numbers")
        opcode = head.opcode.decode()
        attributes = head.attributes + tail.attributes
        if opcode == "custom-call":
            attributes += head.configuration + tail.configuration
        return Instruction(
            identity,
            name or head.name,
            opcode,
            head.shape,
            head.type,
            attributes,
            head.content + tail.content,
            head.number,
            operands,
            called,
            tail.has_effects,
            0 if called or opcode in _APART else self._kind(head, attributes),
        )

    def _kind(self, head: _Part, attributes: bytes) -> int:
        key = head.opcode, head.type, attributes
        return self._kinds.setdefault(key, len(self._kinds) + 1)

    def _head(self, data: bytes, start: int) -> tuple[_Part, int]:
        """The fields before the id, which most instructions have in common with others, and their end."""
        end = data.find(_ID_TAG, start)
        while end >= 0:
            head = self._parts.get(data[start:end])
            if head is not None:
                return head, end
            end = data.find(_ID_TAG, end + 1)
        end = start
        for number, _, field in encoded_fields(memoryview(data)[start:]):
            if number >= ID:
                break
            end += len(field)
        return self._part(data[start:end]), end

    def _part(self, data: bytes) -> _Part:
        part = self._parts.get(data)
        if part is None:
            part = self._parts[data] = _part(memoryview(data))
        return part


def _name(data: bytes) -> tuple[bytes, int]:
    """The name of an instruction if it is short and comes first, and its end."""
    if len(data) < 2 or data[0] != NAME << 3 | BYTES or data[1] > 0x7F:
        return b"", 0
    end = 2 + data[1]
    return data[2:end], end


def _ids(data: bytes, start: int) -> tuple[int, tuple[int, ...], tuple[int, ...], int]:
    """The ids of an instruction, of its operands, and of the computations that it calls, and their end."""
    match = _SHORT_IDS.match(data, start)
    if match is not None:
        end = match.end() + (match[2][0] if match[2] else 0)
        if end <= len(data) and data[end : end + 2] not in _MORE_IDS:
            (identity,) = integers(match[1])
            return identity, tuple(integers(data[match.end() : end])), (), end
    identity, end = 0, start
    operands, called = list[int](), list[int]()
    for number, value, field in encoded_fields(memoryview(data)[start:]):
        if number > CALLED_IDS:
            break
        if number < ID:
            raise MalformedMessage("the fields of an instruction must be in the order of their numbers")
        end += len(field)
        if number == OPERAND_IDS:
            operands += integers(value)
        elif number == CALLED_IDS:
            called += integers(value)
        elif number == ID and isinstance(value, int):
            identity = value
    return identity, tuple(operands), tuple(called), end


def _part(data: memoryview) -> _Part:
    numbers = {PARAMETER_NUMBER: 0, TUPLE_INDEX: 0, SIDE_EFFECT: 0}
    texts = {NAME: b"", OPCODE: b"", SHAPE: b""}
    content, configuration, attributes = bytearray(), bytearray(), bytearray()
    for number, value, field in encoded_fields(data):
        if number in numbers and isinstance(value, int):
            numbers[number] = value
        elif number in texts and isinstance(value, memoryview):
            texts[number] = bytes(value)
        if number == NAME:
            continue
        content += field
        if number == LITERAL and isinstance(value, memoryview):
            attributes += _literal(value)
        elif number in _CONFIGURATION:
            configuration += field
        elif number not in _REMARKS and number != SHAPE:
            attributes += field
    return _Part(
        texts[NAME],
        texts[OPCODE],
        texts[SHAPE],
        without_layout(texts[SHAPE]),
        bytes(content),
        bytes(configuration),
        bytes(attributes),
        numbers[PARAMETER_NUMBER] or numbers[TUPLE_INDEX],
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


def element(instruction: Instruction, position: int) -> Instruction:
    """The instruction that takes an element of the tuple that an instruction returns."""
    shape = bytes([*parts(memoryview(instruction.shape), TUPLE_SHAPES)][position])
    content = encoded(OPCODE, b"get-tuple-element") + encoded(SHAPE, shape) + encoded(TUPLE_INDEX, position)
    return instruction._replace(
        name=b"%s.%d" % (instruction.name, position),
        opcode="get-tuple-element",
        shape=shape,
        type=without_layout(shape),
        content=content,
        number=position,
        called=(),
    )


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
def major_to_minor(shape: bytes) -> tuple[int, ...] | None:
    """The axes of an array in the order of its layout; None of a layout with tiles."""
    order: list[int] = []
    for layout in parts(memoryview(shape), _LAYOUT):
        for field, value in fields(layout):
            if field == _TILES:
                return None
            if field == _MINOR_TO_MAJOR:
                order += integers(value)
    return tuple(reversed(order)) or tuple(range(len(dimensions(shape))))


@cache
def is_row_major(shape: bytes) -> bool:
    """Whether the layout of an array is the default."""
    order = major_to_minor(shape)
    return order is not None and order == tuple(sorted(order))


def _literals(content: bytes) -> Iterator[tuple[int, int | memoryview]]:
    for literal in parts(memoryview(content), LITERAL):
        yield from fields(literal)


def elements_of(content: bytes) -> bytes:
    """The elements of a constant in the order of its layout; b"" if there are none, or they are integers."""
    payloads = [value for number, value in _literals(content) if number != _LITERAL_SHAPE]
    return bytes(payloads[0]) if len(payloads) == 1 and isinstance(payloads[0], memoryview) else b""


def payload_of(content: bytes) -> tuple[int, bytes] | None:
    """The elements of a constant in row-major order: their field of LiteralProto, and its bytes."""
    payload: tuple[int, bytes] | None = None
    for number, value in _literals(content):
        if number == _LITERAL_SHAPE and isinstance(value, memoryview) and is_row_major(bytes(value)):
            continue
        if payload is not None or not isinstance(value, memoryview):
            return None
        payload = number, bytes(value)
    return payload


@cache
def element_type(shape: bytes) -> int:
    """The type of the elements of an array, as a number."""
    types = [value for number, value in fields(memoryview(shape)) if number == ELEMENT_TYPE]
    return types[0] if types and isinstance(types[0], int) else 0


@cache
def dimensions(shape: bytes) -> tuple[int, ...]:
    """The sizes of an array."""
    return tuple(_numbers(shape, _DIMENSIONS))


@cache
def is_static(shape: bytes) -> bool:
    """Whether the sizes of an array are known."""
    return not any(_numbers(shape, _IS_DYNAMIC))


def _numbers(shape: bytes, wanted: int) -> list[int]:
    pairs = fields(memoryview(shape))
    return [value for number, values in pairs if number == wanted for value in integers(values)]


@cache
def size_of(shape: bytes) -> int:
    """The number of elements of an array."""
    return prod(dimensions(shape))
