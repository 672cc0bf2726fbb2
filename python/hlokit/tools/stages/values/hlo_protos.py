"""HLO modules as protocol buffers: the computations and instructions, as far as values depend on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import prod
from typing import NamedTuple

from hlokit._bytecode import hlo_computation
from hlokit.programs.importers.hlo import module_proto
from hlokit.programs.importers.protobuf import (
    MalformedMessage,
    encoded,
    encoded_fields,
    fields,
    integers,
    parts,
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


class Form(NamedTuple):
    """What an instruction is apart from its id, its operands, and what it calls.

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

    opcode: str
    shape: bytes
    type: bytes
    attributes: bytes
    content: bytes
    number: int
    has_effects: bool
    kind: int


class Instruction(NamedTuple):
    """An instruction; see `Form`."""

    id: int
    name: bytes
    operands: tuple[int, ...]
    called: tuple[int, ...]
    opcode: str
    shape: bytes
    type: bytes
    attributes: bytes
    content: bytes
    number: int
    has_effects: bool
    kind: int


class _Part(NamedTuple):
    """What some fields of an instruction say; see `Form`.

    Attributes:
      configuration: fields that change only what a custom call computes.
    """

    name: bytes
    opcode: bytes
    shape: bytes
    content: bytes
    configuration: bytes
    attributes: bytes
    number: int
    has_effects: bool


class Computation(NamedTuple):
    """A computation, also as its HloComputationProto.

    Attributes:
      called: the ids of the computations that its instructions call.
      opcodes: its instructions, counted by opcode.
      has_effects: whether it has custom calls with side effects.
    """

    data: bytes
    instructions: dict[int, Instruction]
    root: int
    called: tuple[int, ...]
    opcodes: Counter[str]
    has_effects: bool

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
    """Reads modules that have most computations and forms of instructions in common."""

    def __init__(self) -> None:
        self._computations: dict[bytes, tuple[int, Computation]] = {}
        self._forms: dict[tuple[bytes, bytes, bool], tuple[bytes, Form]] = {}
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
        try:
            number, root, rows = hlo_computation(data)
        except ValueError as error:
            raise MalformedMessage(str(error)) from None
        instructions: dict[int, Instruction] = {}
        callees: dict[int, None] = {}
        forms = self._forms
        for key, identity, name, operands, called in rows:
            pair = forms.get(key)
            if pair is None:
                pair = forms[key] = self._form(*key)
            instructions[identity] = Instruction(identity, name or pair[0], operands, called, *pair[1])
            if called:
                callees.update(dict.fromkeys(called))
        values = instructions.values()
        opcodes = Counter([instruction.opcode for instruction in values])
        has_effects = any([instruction.has_effects for instruction in values])
        return number, Computation(data, instructions, root, tuple(callees), opcodes, has_effects)

    def _form(self, before: bytes, after: bytes, calls: bool) -> tuple[bytes, Form]:
        """The name and the form of an instruction, by the fields before its id and after it."""
        head, tail = _part(memoryview(before)), _part(memoryview(after))
        if tail.opcode or tail.shape:
            raise MalformedMessage("the fields of an instruction must be in the order of their numbers")
        opcode, type_ = head.opcode.decode(), without_layout(head.shape)
        attributes = head.attributes + tail.attributes
        if opcode == "custom-call":
            attributes += head.configuration + tail.configuration
        kind = 0
        if not calls and opcode not in _APART:
            kind = self._kinds.setdefault((head.opcode, type_, attributes), len(self._kinds) + 1)
        content = head.content + tail.content
        form = Form(opcode, head.shape, type_, attributes, content, head.number, tail.has_effects, kind)
        return head.name, form


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
