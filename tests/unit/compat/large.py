"""Sparse artifact files with a constant of any size, which take no space on the disk."""

from __future__ import annotations

from pathlib import Path

from hlokit import _bytecode
from hlokit.compat.encodings import Numbers
from hlokit.compat.serialize import serialize

from .programs import module

SECTIONS = (
    "string",
    "dialect",
    "attr_type",
    "attr_type_offset",
    "ir",
    "resource",
    "resource_offset",
    "",
    "properties",
)


def varint(value: int) -> bytes:
    """A varint in the longest form, so that its size does not depend on the value."""
    return b"\0" + value.to_bytes(8, "little")


def write_large(path: Path, size: int) -> None:
    """A portable artifact with a constant of `size` bytes, all of them zero."""
    text = "func.func @main() -> tensor<3xf32> { %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> return %0 : tensor<3xf32> }"
    bytecode = _bytecode.Bytecode(serialize(module(text), strip_debug_info=True))
    parts = {
        section.name: bytes(bytecode.blob(section.offset, section.size)) for section in bytecode.sections
    }
    (constant,) = (i for i, entry in enumerate(bytecode.attributes) if entry.size > 12)
    entry = bytecode.attributes[constant]
    encoded = bytes(bytecode.blob(entry.offset, entry.size))
    head = encoded[: -12 - 1] + varint(size)
    start = sum(other.size for other in bytecode.attributes[:constant])
    before, after = parts["attr_type"][:start], parts["attr_type"][start + entry.size :]
    parts["attr_type_offset"] = _resized(parts["attr_type_offset"], constant, len(head) + size)
    with path.open("wb") as file:
        file.write(b"ML\xefR\x0d" + bytecode.producer.encode() + b"\0")
        for section in bytecode.sections:
            file.write(bytes([SECTIONS.index(section.name)]))
            if section.name == "attr_type":
                file.write(varint(len(before) + len(head) + size + len(after)) + before + head)
                file.seek(size, 1)
                file.write(after)
            else:
                file.write(varint(len(parts[section.name])) + parts[section.name])


def _resized(offsets: bytes, index: int, size: int) -> bytes:
    """The table of sizes with another size for one entry."""
    numbers = Numbers(memoryview(offsets))
    attributes, types = numbers.unsigned(), numbers.unsigned()
    pieces = [varint(attributes), varint(types)]
    seen = 0
    while not numbers.at_end:
        dialect, count = numbers.unsigned(), numbers.unsigned()
        pieces += [varint(dialect), varint(count)]
        for _ in range(count):
            flagged = numbers.unsigned()
            pieces.append(varint(size * 2 + flagged % 2 if seen == index else flagged))
            seen += 1
    return b"".join(pieces)
