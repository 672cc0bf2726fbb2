"""Numbers of what reshapes, transposes, slices, broadcasts and element-wise operations make of values.

The elements of an array in row-major order are its *sequence*. A reshape keeps the sequence. A transpose,
slice or broadcast reads elements of a sequence from an offset on, with axes of sizes and strides: a *view* of
the sequence, whatever operations lead to it. An element-wise operation on equal views of sequences is this
view of the operation on the sequences. So arrays that differ in the order of such operations have one number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import NamedTuple

from hlokit.operations.lookup import mnemonics
from hlokit.programs.importers.protobuf import encoded_fields, fields, integers
from hlokit.tools.stages.values.axes import MOST_KNOWN, Axes, merged, ordered, split
from hlokit.tools.stages.values.hlo_protos import (
    TUPLE,
    Instruction,
    dimensions,
    element_type,
    is_static,
    major_to_minor,
    payload_of,
    size_of,
)
from hlokit.tools.stages.values.numbers import Numbers

_ELEMENTWISE = frozenset([name.replace("_", "-") for name in mnemonics(lambda traits: traits.elementwise)])
_COMMUTATIVE = mnemonics(lambda traits: traits.commutative)
# Operations that leave integers and booleans as they are if one operand is 0, or 1, or true.
_WITH_ZERO, _WITH_ONE, _WITH_TRUE = (
    mnemonics(lambda traits, value=value: traits.identity == value) for value in (0, 1, -1)
)
# Types of elements: booleans, integers of 8 to 64 bits.
_BOOLEAN, _INTEGERS = 1, range(1, 10)
# The kind of element-wise operations whose operands may be in any order.
_ANY_ORDER = "commutative"
# Fields of HloInstructionProto, and of its SliceDimensions.
_DIMENSIONS, _SLICE_DIMENSIONS, _DOT = 14, 17, 30
# Batch axes and contracted axes of both operands in DotDimensionNumbers.
_SIDES = ((3, 1), (4, 2))
_RANGE = ((1, 0), (2, 0), (3, 1))  # start, limit, stride, and their defaults


class _View(NamedTuple):
    """Elements of a sequence: the number of the sequence, the first element, and the axes."""

    sequence: int
    offset: int
    axes: Axes


class Views:
    """Numbers values by their sequences."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        # Sequences of values, if they are not the values themselves.
        self._sequences: dict[int, int] = {}
        self._views: dict[int, _View] = {}
        self._sizes: dict[int, int] = {}
        # Integers of constants with one element, or equal ones, as they are encoded: 0 and 1 are 0 and 1.
        self._integers: dict[int, int] = {}
        # The sequences of constants by what they say.
        self._constants: dict[bytes, int | None] = {}

    def number(self, instruction: Instruction, operands: Sequence[int], source: bytes = b"") -> int | None:
        """The number of what an instruction returns; None if it is no such operation.

        Args:
          operands: the numbers of its operands.
          source: of a bitcast: the type of its operand, with its layout.
        """
        type_ = instruction.type
        if element_type(instruction.shape) == TUPLE or not size_of(type_) or not is_static(type_):
            return None
        sequence = self._sequence(instruction, operands, source)
        if sequence is None:
            return None
        if self._numbers.type_of(sequence) == type_:
            return sequence
        number = self._numbers.number(("array", type_), (sequence,), type_)
        self._sequences[number] = sequence
        return number

    def _sequence(self, instruction: Instruction, operands: Sequence[int], source: bytes) -> int | None:
        opcode = instruction.opcode
        if opcode in _ELEMENTWISE:
            sequences = [self._sequences.get(operand, operand) for operand in operands]
            type_ = element_type(instruction.shape)
            if opcode in _COMMUTATIVE:
                left, right = sorted(sequences)
                if self._is_neutral(opcode, left, type_):
                    return right
                if self._is_neutral(opcode, right, type_):
                    return left
                sequences = [left, right]
            kind = _ANY_ORDER if opcode in _COMMUTATIVE else "element-wise"
            key = (kind, instruction.attributes, type_)
            return self._elementwise(key, sequences, size_of(instruction.type))
        if opcode == "dot":
            return self._dot(instruction, operands)
        if opcode == "reshape":
            return self._sequences.get(operands[0], operands[0])
        if opcode == "constant":
            return self._constant(instruction)
        if opcode == "bitcast":
            return self._bitcast(instruction, operands[0], source)
        move = _MOVES.get(opcode)
        if move is None:
            return None
        view = move(self._array(operands[0]), instruction)
        if tuple([size for size, _ in view.axes]) != dimensions(instruction.type):
            return None
        return self._view(view)

    def _elementwise(self, key: tuple[object, ...], operands: Sequence[int], size: int) -> int | None:
        """The sequence of an element-wise operation on sequences of a size, or of one element."""
        if any([self._size(operand) not in (1, size) for operand in operands]):
            return None
        views = [
            self._views.get(operand) if self._size(operand) == size else _View(operand, 0, ((size, 0),))
            for operand in operands
        ]
        others = {view and self._moves(view) for view in views if view is None or not _is_splat(view)}
        moves = others.pop() if others else (0, ((size, 0),), 1)
        if size == 1 or others or moves is None:
            result = self._in_order(key, operands, views, size)
            if result is not None:
                return result
            if key[0] == _ANY_ORDER:
                operands = sorted(operands)
            number = self._numbers.number(key, operands)
            self._sizes[number] = size
            return number
        offset, axes, below = moves
        inner = [self._below(view, below) for view in views if view is not None]
        result = self._elementwise(key, inner, below)
        return None if result is None else self._view(_View(result, offset, axes))

    def _in_order(
        self, key: tuple[object, ...], operands: Sequence[int], views: Sequence[_View | None], size: int
    ) -> int | None:
        """The sequence of an element-wise operation with axes in another order; None if they are in order."""
        if size == 1:
            return None
        parts = [
            view or _View(operand, 0, ((size, 1),)) for operand, view in zip(operands, views, strict=True)
        ]
        if key[0] == _ANY_ORDER:
            parts.sort(key=lambda part: (part.sequence, part.offset))
        order = ordered(tuple([part.axes for part in parts]))
        if order is None:
            return None
        inner = [
            self._below(part, order.size) if _is_splat(part) else self._view(part._replace(axes=axes))
            for part, axes in zip(parts, order.operands, strict=True)
        ]
        result = self._elementwise(key, inner, order.size)
        return None if result is None else self._view(_View(result, 0, order.result))

    def _is_neutral(self, opcode: str, operand: int, type_: int) -> bool:
        """Whether an operand of an operation on integers or booleans leaves the other one as it is."""
        if type_ not in _INTEGERS:
            return False
        view = self._views.get(operand)
        value = self._integers.get(operand if view is None or not _is_splat(view) else view.sequence)
        if value == 1:
            return opcode in _WITH_ONE or (type_ == _BOOLEAN and opcode in _WITH_TRUE)
        return value == 0 and opcode in _WITH_ZERO

    def _moves(self, view: _View) -> tuple[int, Axes, int]:
        """What a view reads, of a sequence of which size."""
        return view.offset, view.axes, self._size(view.sequence)

    def _below(self, view: _View, size: int) -> int:
        """The operand of an operation on sequences of a size instead of views of them."""
        if not _is_splat(view):
            return view.sequence
        element = self._view(view._replace(axes=()))
        return self._view(_View(element, 0, ((size, 0),)))

    def _dot(self, instruction: Instruction, operands: Sequence[int]) -> int | None:
        """The sequence of a product of matrices, whatever the order of their axes."""
        types = [self._numbers.type_of(operand) for operand in operands]
        if not all([size_of(type_) and is_static(type_) for type_ in types]):
            return None
        rest, sides = _dot_axes(instruction.attributes)
        sequences: list[int] = []
        for operand, (batch, contracted) in zip(operands, sides, strict=True):
            array = self._array(operand)
            free = [axis for axis in range(len(array.axes)) if axis not in batch and axis not in contracted]
            axes = tuple([array.axes[axis] for axis in (*batch, *free, *contracted)])
            sequences.append(self._view(array._replace(axes=axes)))
        sizes = dimensions(types[0])
        key = (
            "dot",
            rest,
            element_type(instruction.shape),
            *[prod([sizes[axis] for axis in axes]) for axes in sides[0]],
        )
        number = self._numbers.number(key, sequences)
        self._sizes[number] = size_of(instruction.type)
        return number

    def _constant(self, instruction: Instruction) -> int | None:
        """The sequence of a constant: a view of one element if all are the same."""
        key = instruction.attributes + instruction.type
        if key not in self._constants:
            self._constants[key] = self._of_literal(instruction)
        return self._constants[key]

    def _of_literal(self, instruction: Instruction) -> int | None:
        payload = payload_of(instruction.content)
        if payload is None:
            return None
        field, data = payload
        size = size_of(instruction.type)
        key = "elements", element_type(instruction.type), field
        length = len(data) // size
        if length * size == len(data) and data == data[:length] * size:
            element = self._numbers.number((*key, 1, data[:length]))
            self._sizes[element] = 1
            if element_type(instruction.type) in _INTEGERS:
                self._integers[element] = int.from_bytes(data[:length], "little")
            return self._view(_View(element, 0, ((size, 0),)))
        number = self._numbers.number((*key, size, data))
        self._sizes[number] = size
        return number

    def _bitcast(self, instruction: Instruction, operand: int, source: bytes) -> int | None:
        """The sequence of other types of the same elements in memory."""
        order, new = major_to_minor(source), major_to_minor(instruction.shape)
        sizes = dimensions(instruction.type)
        if order is None or new is None:
            return None
        if element_type(source) != element_type(instruction.type) or size_of(source) != prod(sizes):
            return None
        sequence, offset, axes = self._array(operand)
        memory = self._view(_View(sequence, offset, tuple([axes[axis] for axis in order])))
        view = self._split(memory, tuple([sizes[axis] for axis in new]))
        places = sorted(range(len(new)), key=lambda position: new[position])
        return self._view(view._replace(axes=tuple([view.axes[position] for position in places])))

    def _array(self, number: int) -> _View:
        """A value as a view with its own axes."""
        sequence = self._sequences.get(number, number)
        return self._split(sequence, dimensions(self._numbers.type_of(number)))

    def _split(self, sequence: int, sizes: tuple[int, ...]) -> _View:
        """A sequence as an array of some sizes."""
        view = self._views.get(sequence)
        if view is not None:
            axes = split(view.axes, sizes)
            if axes is not None:
                return view._replace(axes=axes)
        axes = split(((prod(sizes), 1),), sizes)
        assert axes is not None
        return _View(sequence, 0, axes)

    def _view(self, view: _View) -> int:
        """The number of the sequence that a view reads."""
        sequence, offset, axes = view._replace(axes=merged(view.axes))
        size = self._size(sequence)
        if not offset and (axes == ((size, 1),) or (not axes and size == 1)):
            return sequence
        number = self._numbers.number(("view", offset, axes), (sequence,))
        self._views[number] = _View(sequence, offset, axes)
        self._sizes[number] = prod([count for count, _ in axes])
        return number

    def _size(self, sequence: int) -> int:
        size = self._sizes.get(sequence)
        if size is None:
            size = self._sizes[sequence] = size_of(self._numbers.type_of(sequence))
        return size


def _is_splat(view: _View) -> bool:
    """Whether a view repeats one element."""
    return all([not stride for _, stride in view.axes])


@lru_cache(MOST_KNOWN)
def _numbers_in(attributes: bytes, field: int) -> tuple[int, ...]:
    values = [value for key, value in fields(memoryview(attributes)) if key == field]
    return tuple([number for value in values for number in integers(value)])


@lru_cache(MOST_KNOWN)
def _dot_axes(attributes: bytes) -> tuple[bytes, list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """What else a dot says, and the batch axes and contracted axes of both operands."""
    rest, axes = bytearray(), b""
    for number, value, field in encoded_fields(memoryview(attributes)):
        if number == _DOT and isinstance(value, memoryview):
            axes = bytes(value)
        else:
            rest += field
    return bytes(rest), [
        (_numbers_in(axes, batch), _numbers_in(axes, contracted)) for batch, contracted in _SIDES
    ]


def _broadcast(view: _View, instruction: Instruction) -> _View:
    axes = [(size, 0) for size in dimensions(instruction.type)]
    for axis, old in zip(_numbers_in(instruction.attributes, _DIMENSIONS), view.axes, strict=True):
        axes[axis] = old
    return view._replace(axes=tuple(axes))


def _transpose(view: _View, instruction: Instruction) -> _View:
    order = _numbers_in(instruction.attributes, _DIMENSIONS)
    return view._replace(axes=tuple([view.axes[axis] for axis in order]))


@lru_cache(MOST_KNOWN)
def _ranges(attributes: bytes) -> tuple[range, ...]:
    """Start, limit and stride of a slice."""
    ranges: list[range] = []
    for field, value in fields(memoryview(attributes)):
        if field == _SLICE_DIMENSIONS and isinstance(value, memoryview):
            part = {number: limit for number, limit in fields(value) if isinstance(limit, int)}
            ranges.append(range(*[part.get(number, default) for number, default in _RANGE]))
    return tuple(ranges)


def _slice(view: _View, instruction: Instruction) -> _View:
    offset, axes = view.offset, list[tuple[int, int]]()
    for part, (_, stride) in zip(_ranges(instruction.attributes), view.axes, strict=True):
        offset += part.start * stride
        axes.append((len(part), stride * part.step))
    return _View(view.sequence, offset, tuple(axes))


_MOVES = {"broadcast": _broadcast, "transpose": _transpose, "slice": _slice}
