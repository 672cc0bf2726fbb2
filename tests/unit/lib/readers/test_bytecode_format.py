"""hlokit._bytecode.Bytecode on files made by hand: forms that the bindings do not write, and malformed
files."""

from __future__ import annotations

import pytest

from hlokit._bytecode import Bytecode, BytecodeError

MAGIC = b"ML\xefR"
STRING, DIALECT, ATTR_TYPE, ATTR_TYPE_OFFSET, IR, RESOURCE, RESOURCE_OFFSET = range(7)
PROPERTIES = 8
DENSE_RESOURCE, DENSE_ELEMENTS = 16, 18
BLOB, BOOL, TEXT = range(3)


def varint(value: int) -> bytes:
    """The shortest encoding of a number."""
    for size in range(1, 9):
        if value < 1 << 7 * size:
            return (value << size | 1 << size - 1).to_bytes(size, "little")
    return b"\0" + value.to_bytes(8, "little")


def varints(*values: int) -> bytes:
    return b"".join(map(varint, values))


def section(number: int, data: bytes) -> bytes:
    return bytes([number]) + varint(len(data)) + data


def string_section(*texts: bytes) -> bytes:
    lengths = varints(len(texts), *(len(text) + 1 for text in reversed(texts)))
    return lengths + b"".join(text + b"\0" for text in texts)


# The smallest valid content of every required section; the only dialect is builtin.
PARTS = {
    STRING: string_section(b"builtin", b"key", b"value"),
    DIALECT: varints(1, 0, 0),
    ATTR_TYPE: b"",
    ATTR_TYPE_OFFSET: varints(0, 0),
    IR: b"",
}


def file(parts: dict[int, bytes] | None = None, version: int = 4) -> bytes:
    """A file with the given sections in place of the smallest ones."""
    sections = {**PARTS, **(parts or {})}
    return MAGIC + varint(version) + b"test\0" + b"".join(section(*item) for item in sections.items())


def error(data: bytes, table: str | None = None) -> str:
    """The message about a rejected file: from the constructor, or from one of its tables."""
    with pytest.raises(BytecodeError) as raised:
        if table is None:
            Bytecode(data)
        else:
            read = getattr(Bytecode(data), table)
            if callable(read):
                read()
    assert str(raised.value).endswith(f"(at byte {raised.value.offset})")
    return str(raised.value)


def test_smallest_file() -> None:
    bytecode = Bytecode(file())
    assert (bytecode.version, bytecode.producer, bytecode.strings) == (4, "test", ["builtin", "key", "value"])
    assert bytecode.attributes == bytecode.types == bytecode.resources == bytecode.dense_attributes() == []


def test_wide_items_are_bytes_too() -> None:
    data = next(data for n in range(4) if len(data := file({STRING: string_section(b"x" * n)})) % 4 == 0)
    assert Bytecode(memoryview(data).cast("I")).strings == Bytecode(data).strings


# Header and sections


@pytest.mark.parametrize("value", [7, 127, 128, 2**14 - 1, 2**14, 2**35, 2**49, 2**56 - 1, 2**56, 2**64 - 1])
def test_numbers_of_every_length(value: int) -> None:
    # The version may have any value, as long as no table is read.
    assert Bytecode(MAGIC + varint(value) + b"test\0" + section(PROPERTIES, b"")).version == value


@pytest.mark.parametrize("data", [b"", b"ML", b"func.func @f() { return }", b"ML\xefS\1\0"])
def test_something_else(data: bytes) -> None:
    assert "begins with" in error(data)


def test_producer_has_an_end() -> None:
    assert "not terminated" in error(MAGIC + varint(6) + b"MLIR")


def test_newer_version() -> None:
    bytecode = Bytecode(file({77: b"new"}, version=7))
    assert (bytecode.version, bytecode.producer) == (7, "test")
    assert [part.name for part in bytecode.sections][-2:] == ["ir", "section_77"]
    assert "bytecode version 7 is newer than 6" in error(file(version=7), "strings")
    assert "bytecode version 7 is newer than 6" in error(file(version=7), "dense_attributes")


def test_unknown_section() -> None:
    assert "no section number 77" in error(file({77: b"new"}))


def test_second_section() -> None:
    assert "only one section 'ir'" in error(file() + section(IR, b""))


@pytest.mark.parametrize("number", PARTS)
def test_missing_section(number: int) -> None:
    parts = {key: data for key, data in PARTS.items() if key != number}
    data = MAGIC + varint(4) + b"\0" + b"".join(section(*item) for item in parts.items())
    assert "is missing" in error(data)


def test_properties_since_version_5() -> None:
    assert "'properties' is missing" in error(file(version=5))
    assert Bytecode(file({PROPERTIES: b""}, version=5)).sections


def test_resource_sections_come_together() -> None:
    assert "must come together" in error(file({RESOURCE: b""}))


@pytest.mark.parametrize("alignment", [0, 3, 2**64 - 1])
def test_alignment_is_a_power_of_two(alignment: int) -> None:
    assert "power of two" in error(MAGIC + varint(4) + b"\0" + b"\x84" + varints(0, alignment))


def test_padding_ends() -> None:
    assert "ends" in error(MAGIC + varint(4) + b"\0" + b"\x84" + varints(0, 2**63) + b"\xcb" * 9)


def test_padding_is_padding() -> None:
    assert "0xCB" in error(MAGIC + varint(4) + b"\0" + b"\x84" + varints(0, 16) + b"\xcb" * 6 + b"\0")


# Tables


@pytest.mark.parametrize(
    "strings",
    [
        varints(1000) + b"\0" * 9,
        varints(2**40),
        varints(1, 0),
        varints(1, 3) + b"a\0",
        varints(1, 1) + b"a\0",
        varints(2, 2**64 - 1, 3) + b"a\0",
    ],
    ids=["count", "huge count", "empty", "too long", "gap", "overflow"],
)
def test_bad_strings(strings: bytes) -> None:
    assert error(file({STRING: strings}), "strings")


def test_empty_string() -> None:
    assert Bytecode(file({STRING: string_section(b"builtin", b"", b"\0")})).strings == ["builtin", "", "\0"]


def test_dialect_version() -> None:
    dialects = varints(1, 1) + section(7, b"\1\2") + varints(0)
    (dialect,) = Bytecode(file({DIALECT: dialects})).dialects
    assert (dialect.name, dialect.version) == ("builtin", b"\1\2")
    assert "cannot be in section 'ir'" in error(
        file({DIALECT: varints(1, 1) + section(IR, b"") + varints(0)}), "dialects"
    )


@pytest.mark.parametrize("dialects", [varints(1, 6, 0), varints(1, 0, 1, 1, 1, 0), varints(1, 0, 1, 0, 1, 3)])
def test_bad_dialects(dialects: bytes) -> None:
    assert "does not exist" in error(file({DIALECT: dialects}), "op_names")


def test_op_name() -> None:
    (op,) = Bytecode(file({DIALECT: varints(1, 0, 1, 0, 1, 2)})).op_names
    assert (op.dialect, op.name) == ("builtin", "value")


@pytest.mark.parametrize(
    "offsets",
    [
        varints(1, 0, 1, 1, 0),
        varints(1, 0, 0, 2, 0, 0),
        varints(1, 0, 0, 1, 2),
        varints(0, 0, 0),
        varints(1, 0),
    ],
    ids=["dialect", "group", "size", "rest", "end"],
)
def test_bad_entries(offsets: bytes) -> None:
    assert error(file({ATTR_TYPE_OFFSET: offsets}), "attributes")


def dense(*attribute: int, blob: bytes = b"") -> dict[int, bytes]:
    """One attribute with an encoding of the builtin dialect, and one type."""
    data = varints(*attribute) + blob
    return {
        ATTR_TYPE: data + b"t\0",
        ATTR_TYPE_OFFSET: varints(1, 1, 0, 1, len(data) << 1 | 1, 0, 1, 2 << 1),
    }


def test_dense_elements() -> None:
    data = file(dense(DENSE_ELEMENTS, 0, 3, blob=b"abc"))
    (found,) = Bytecode(data).dense_attributes()
    assert (found.kind, found.index, found.type_index, found.key) == ("elements", 0, 0, None)
    assert data[found.offset : found.offset + found.size] == b"abc"


@pytest.mark.parametrize(
    "parts",
    [
        dense(DENSE_ELEMENTS, 1, 0),
        dense(DENSE_ELEMENTS, 0, 4, blob=b"abc"),
        dense(DENSE_ELEMENTS, 0, 2, blob=b"abc"),
        dense(DENSE_ELEMENTS, 0, 2**64 - 1, blob=b"abc"),
        dense(DENSE_ELEMENTS),
        dense(DENSE_RESOURCE, 0, 0),
    ],
    ids=["type", "short", "long", "huge", "empty", "resource"],
)
def test_bad_dense_elements(parts: dict[int, bytes]) -> None:
    assert error(file(parts), "dense_attributes")


# Resources, including those of external providers, which the bindings cannot write.


def resources(*values: tuple[int, bytes], external: int = 0) -> dict[int, bytes]:
    """Resources of builtin after `external` ones of a provider called "value"; their key is "key"."""
    infos = [varints(1, len(data)) + bytes([kind]) for kind, data in values]
    groups = varints(1, 2, external) + b"".join(infos[:external]) if external else varints(0)
    own = infos[external:]
    if own:
        groups += varints(0, len(own)) + b"".join(own)
    return {RESOURCE: b"".join(data for _, data in values), RESOURCE_OFFSET: groups}


def test_kinds_of_resources() -> None:
    parts = resources(
        (BOOL, b"\1"), (TEXT, varint(2)), (BLOB, varints(1, 2) + b"ab"), (BLOB, b""), external=2
    )
    data = file(parts)
    found = Bytecode(data).resources
    assert [(entry.group, entry.key, entry.kind) for entry in found] == [
        ("value", "key", "bool"),
        ("value", "key", "string"),
        ("builtin", "key", "blob"),
        ("builtin", "key", "declaration"),
    ]
    assert [data[entry.offset : entry.offset + entry.size] for entry in found] == [
        b"\1",
        b"value",
        b"ab",
        b"",
    ]


def test_attributes_refer_to_resources_of_dialects() -> None:
    parts = resources((BLOB, varints(1, 1) + b"a"), (BLOB, varints(1, 2) + b"bc"), external=1)
    data = file({**parts, **dense(DENSE_RESOURCE, 0, 0)})
    (found,) = Bytecode(data).dense_attributes()
    assert (found.kind, found.key, data[found.offset : found.offset + found.size]) == (
        "resource",
        "key",
        b"bc",
    )
    assert "does not exist" in error(file({**parts, **dense(DENSE_RESOURCE, 0, 1)}), "dense_attributes")


def test_tensor_refers_to_a_blob() -> None:
    parts = resources((BOOL, b"\1"))
    assert "must be a blob" in error(file({**parts, **dense(DENSE_RESOURCE, 0, 0)}), "dense_attributes")


@pytest.mark.parametrize(
    "value",
    [
        (BLOB, varints(1, 3) + b"ab"),
        (BLOB, varints(1, 1) + b"ab"),
        (BLOB, varints(3, 0)),
        (BLOB, varint(1)),
        (BOOL, b"\1\1"),
        (TEXT, varint(3)),
        (3, b"\1"),
    ],
    ids=["short", "long", "alignment", "no size", "bool", "string", "kind"],
)
def test_bad_resources(value: tuple[int, bytes]) -> None:
    assert error(file(resources(value)), "resources")
