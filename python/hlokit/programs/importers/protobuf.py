"""The wire format of protocol buffers: fields of a message by number, without descriptors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_SIZES = {FIXED64: 8, FIXED32: 4}
# The bits of the largest number.
_MOST_BITS = 64


# Numbers of a packed field.
_VARINTS = re.compile(rb"[\x80-\xff]*[\x00-\x7f]")


class MalformedMessage(ValueError):
    """The bytes are not a protocol buffer."""


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The fields of a message in order: number, and the integer or the bytes of the field.

    Raises:
      MalformedMessage: the data is truncated, or has groups or unknown wire types.
    """
    for number, integer, _, value, end in spans(data):
        yield number, data[value:end] if integer is None else integer


def encoded_fields(data: memoryview) -> Iterator[tuple[int, int | memoryview, memoryview]]:
    """As `fields`, with all bytes of the field.

    Raises:
      MalformedMessage: see `fields`.
    """
    for number, integer, start, value, end in spans(data):
        yield number, data[value:end] if integer is None else integer, data[start:end]


def spans(data: bytes | memoryview) -> Iterator[tuple[int, int | None, int, int, int]]:
    """Where the fields of a message are: number, integer (None if the field has bytes), start of the field,
    start of its value, and end.

    Raises:
      MalformedMessage: see `fields`.
    """
    position, length = 0, len(data)
    while position < length:
        start = position
        key = data[position]
        if key < 0x80:
            position += 1
        else:
            key, position = _varint(data, position)
        number, kind = key >> 3, key & 7
        if not number:
            raise MalformedMessage("a field has the number 0")
        if kind == VARINT:
            integer, position = _varint(data, position)
            yield number, integer, start, position, position
            continue
        if kind == BYTES:
            size, position = _varint(data, position)
        elif kind in _SIZES:
            size = _SIZES[kind]
        else:
            raise MalformedMessage(f"a field has the wire type {kind}")
        end = position + size
        if end > length:
            raise MalformedMessage("a field is longer than its message")
        yield number, None, start, position, end
        position = end


def parts(data: memoryview, *path: int) -> Iterator[memoryview]:
    """All byte fields at a path of field numbers, e.g. `parts(data, 2, 1)`: field 1 of each field 2."""
    first, *rest = path
    for number, value in fields(data):
        if number == first and isinstance(value, memoryview):
            if rest:
                yield from parts(value, *rest)
            else:
                yield value


def integers(value: int | bytes | memoryview) -> list[int]:
    """The numbers of a repeated field: one, or several that are packed.

    Raises:
      MalformedMessage: a number is cut off.
    """
    if isinstance(value, int):
        return [value]
    if len(value) and value[-1] > 0x7F:
        raise MalformedMessage("a number is cut off")
    return list(map(_decoded, _VARINTS.findall(value)))


def encoded(number: int, value: int | bytes) -> bytes:
    """A field: a number that is not negative, or bytes."""
    if isinstance(value, int):
        return _encoded_number(number << 3 | VARINT) + _encoded_number(value)
    return _encoded_number(number << 3 | BYTES) + _encoded_number(len(value)) + value


def _encoded_number(number: int) -> bytes:
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


@lru_cache(1 << 14)
def _decoded(data: bytes) -> int:
    """A number by its bytes: instructions refer to each other by a few long numbers."""
    return _varint(data, 0)[0]


def _varint(data: bytes | memoryview, position: int) -> tuple[int, int]:
    try:
        value = data[position]
        if value < 0x80:
            return value, position + 1
        value &= 0x7F
        for shift in range(7, _MOST_BITS, 7):
            position += 1
            byte = data[position]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value, position + 1
    except IndexError:
        raise MalformedMessage("a number is cut off") from None
    raise MalformedMessage("a number is too long")
