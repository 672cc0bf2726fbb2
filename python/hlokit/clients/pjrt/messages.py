"""Writes protocol buffers: fields by number, without descriptors."""

from __future__ import annotations

from collections.abc import Iterable

_BYTES = 2


def varint(value: int) -> bytes:
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def field(number: int, value: int) -> bytes:
    """A field with an integer that is not negative."""
    return varint(number << 3) + varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """A field with bytes, or with a message."""
    return varint(number << 3 | _BYTES) + varint(len(value)) + value


def packed_field(number: int, values: Iterable[int]) -> bytes:
    """A repeated field with integers."""
    return bytes_field(number, b"".join(map(varint, values)))


def varints(packed: memoryview) -> list[int]:
    """The integers of a packed field."""
    values: list[int] = []
    value = shift = 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value)
            value = shift = 0
    return values
