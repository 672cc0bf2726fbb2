"""hlokit._bytecode.Bytecode on files that the bindings write."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit._bytecode import Bytecode, BytecodeError, Dense
from hlokit.mlir.provider.bindings import stablehlo
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from tests.unit.lib.readers.samples import SAMPLE, VERSIONS, constant, to_bytecode


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda version: f"v{version}")
def version(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(scope="module")
def sample(version: int) -> bytes:
    return to_bytecode(SAMPLE, version)


def bytes_of(bytecode: Bytecode, dense: Dense) -> bytes:
    return bytes(bytecode.blob(dense.offset, dense.size))


def only_blob(data: bytes) -> bytes:
    bytecode = Bytecode(data)
    (dense,) = bytecode.dense_attributes()
    return bytes_of(bytecode, dense)


# Tables


def test_tables(sample: bytes, version: int) -> None:
    bytecode = Bytecode(sample)

    assert bytecode.version == version
    assert bytecode.producer.startswith("MLIR")
    assert {"string", "dialect", "attr_type", "attr_type_offset", "ir"} <= {s.name for s in bytecode.sections}
    assert {d.name: d.version for d in bytecode.dialects} == dict.fromkeys(
        ("builtin", "func", "stablehlo", "test"), None
    )
    assert {f"{op.dialect}.{op.name}" for op in bytecode.op_names} == {
        *("builtin.module", "func.func", "func.return", "stablehlo.constant", "test.attributes")
    }
    entries = [*bytecode.attributes, *bytecode.types]
    (data,) = (section for section in bytecode.sections if section.name == "attr_type")
    assert sum(entry.size for entry in entries) == data.size
    assert entries[0].offset == data.offset
    assert all(entry.dialect == 0 and entry.custom for entry in entries)


def test_dense_attributes(sample: bytes) -> None:
    bytecode = Bytecode(sample)
    found = {(dense.kind, dense.key, bytes_of(bytecode, dense)) for dense in bytecode.dense_attributes()}
    assert found == {
        ("array", None, b"\1\0"),
        ("array", None, np.array([1, 2, 3], np.int32).tobytes()),
        ("elements", None, b"\x0d\x01"),
        ("elements", None, b"\xc0\x3f"),
        ("resource", "weights", np.array([1, 2, 3], np.float32).tobytes()),
    }
    assert all(bytecode.attributes[dense.index].custom for dense in bytecode.dense_attributes())
    assert all(dense.type_index < len(bytecode.types) for dense in bytecode.dense_attributes())


def test_resource_is_aligned(sample: bytes) -> None:
    (resource,) = Bytecode(sample).resources
    assert (resource.group, resource.key, resource.kind) == ("builtin", "weights", "blob")
    assert (resource.alignment, resource.offset % 64, resource.size) == (64, 0, 12)


def test_texts_are_shared_and_escaped(sample: bytes) -> None:
    bytecode = Bytecode(sample)
    assert any(text.encode(errors="surrogateescape") == b"\0\xff" for text in bytecode.strings)
    (first, *_) = bytecode.op_names
    assert any(first.name is text for text in bytecode.strings)


def test_attribute_without_an_encoding_is_text() -> None:
    bytecode = Bytecode(constant("#stablehlo<precision HIGH>"))
    assert all(entry.custom for entry in bytecode.attributes)
    bytecode = Bytecode(constant("#arith.fastmath<fast>"))
    (entry,) = (entry for entry in bytecode.attributes if not entry.custom)
    assert bytes(bytecode.blob(entry.offset, entry.size)) == b"#arith.fastmath<fast>\0"


@pytest.mark.parametrize(
    ("target", "version"), [("0.9.0", 0), ("0.10.0", 1), ("0.12.0", 3), ("0.14.0", 4), ("1.0.0", 6)]
)
def test_portable_artifact(target: str, version: int) -> None:
    artifact = stablehlo.serialize_portable_artifact_str(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }", target
    )
    bytecode = Bytecode(artifact)
    assert (bytecode.version, bytecode.producer) == (version, f"StableHLO_v{target}")
    assert "vhlo" in {dialect.name for dialect in bytecode.dialects}


# The layout of elements


def literal(values: list[float], element_type: ElementType) -> str:
    match element_type.kind:
        case Kind.BOOL:
            return str([bool(value) for value in values]).lower()
        case Kind.COMPLEX:
            return str([(value, -value) for value in values])
        case Kind.FLOAT:
            return str([float(value) for value in values])
        case _:
            return str([int(value) for value in values])


def expected_bytes(values: list[float], element_type: ElementType) -> bytes:
    if element_type.kind is Kind.BOOL:
        return np.packbits(np.array(values, np.bool_), bitorder="little").tobytes()
    if element_type.kind is Kind.COMPLEX:
        return np.array([complex(value, -value) for value in values], element_type.dtype).tobytes()
    # ml_dtypes stores i2 and i4 with their sign extended to the byte; bytecode does not.
    data = np.array(values, element_type.dtype).view(np.uint8)
    return (data & (1 << min(element_type.width, 8)) - 1).tobytes()


def values_of(element_type: ElementType) -> list[float]:
    if element_type.kind in (Kind.BOOL, Kind.UNSIGNED):
        return [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1] if element_type.kind is Kind.BOOL else [1, 3, 2, 0]
    if element_type.name == "f8E8M0FNU":
        return [1.0, 2.0, 0.5, 8.0]
    if element_type.kind is Kind.SIGNED:
        return [1, -1, -2, 0]
    return [1.0, -0.5, 2.0, 0.0]


@pytest.mark.parametrize("element_type", ELEMENT_TYPES.values(), ids=str)
def test_elements(element_type: ElementType) -> None:
    values = values_of(element_type)
    text = f"dense<{literal(values, element_type)}> : tensor<{len(values)}x{element_type}>"
    blobs = {version: only_blob(constant(text, version)) for version in VERSIONS}
    assert blobs == dict.fromkeys(VERSIONS, expected_bytes(values, element_type))


@pytest.mark.parametrize("element_type", ELEMENT_TYPES.values(), ids=str)
def test_splat_is_one_element(element_type: ElementType) -> None:
    value = values_of(element_type)[0]
    text = f"dense<{literal([value], element_type)[1:-1]}> : tensor<20x{element_type}>"
    expected = b"\xff" if element_type.kind is Kind.BOOL else expected_bytes([value], element_type)
    assert only_blob(constant(text)) == expected


def test_no_elements_no_bytes() -> None:
    assert only_blob(constant("dense<> : tensor<0x3xf32>")) == b""


@settings(deadline=None, max_examples=50)
@given(values=st.lists(st.booleans(), min_size=2, max_size=70).filter(lambda values: len(set(values)) == 2))
def test_packed_bools(values: list[bool]) -> None:
    text = f"dense<{str(values).lower()}> : tensor<{len(values)}xi1>"
    blob = only_blob(constant(text))
    bits = np.unpackbits(np.frombuffer(blob, np.uint8), bitorder="little", count=len(values))
    assert bits.tolist() == values


# Damage


def read_everything(data: bytes) -> None:
    bytecode = Bytecode(data)
    _ = (bytecode.producer, bytecode.sections, bytecode.strings, bytecode.dialects, bytecode.op_names)
    _ = (bytecode.attributes, bytecode.types, bytecode.resources)
    for dense in bytecode.dense_attributes():
        bytes_of(bytecode, dense)


def test_truncated_anywhere(sample: bytes) -> None:
    for size in range(len(sample)):
        with pytest.raises(BytecodeError) as raised:
            Bytecode(sample[:size])
        assert 0 <= raised.value.offset <= size


def test_one_changed_bit_anywhere(sample: bytes) -> None:
    outcomes = set[bool]()
    for bit in range(8 * len(sample)):
        damaged = bytearray(sample)
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            read_everything(damaged)
        except BytecodeError as error:
            assert 0 <= error.offset <= len(sample)
            outcomes.add(False)
        else:
            outcomes.add(True)
    assert outcomes == {True, False}


# Buffers


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint8)])
def test_any_contiguous_buffer(wrap: type, sample: bytes) -> None:
    assert Bytecode(wrap(sample)).strings == Bytecode(sample).strings


@pytest.mark.parametrize("buffer", ["ML\xefR", None, 3])
def test_not_a_buffer(buffer: object) -> None:
    with pytest.raises(TypeError):
        Bytecode(buffer)  # pyright: ignore[reportArgumentType] # the point of the test


def test_not_contiguous(sample: bytes) -> None:
    with pytest.raises(BufferError):
        Bytecode(memoryview(sample)[::2])


def test_blob_shares_memory_and_keeps_it(sample: bytes) -> None:
    source = bytearray(sample)
    blob = Bytecode(source).blob(0, 4)
    assert (bytes(blob), blob.readonly, blob.format) == (b"ML\xefR", True, "B")
    source[0] = 0
    assert blob[0] == 0
    with pytest.raises(BufferError):
        source.clear()


def test_blob_must_be_within_the_buffer(sample: bytes) -> None:
    bytecode = Bytecode(sample)
    assert len(bytecode.blob(len(sample), 0)) == 0
    for offset, size in [(0, len(sample) + 1), (len(sample) + 1, 0), (2**64 - 1, 2), (1, 2**64 - 1)]:
        with pytest.raises(BytecodeError):
            bytecode.blob(offset, size)


def test_mapped_file(sample: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sample.mlirbc"
    path.write_bytes(sample)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        bytecode = Bytecode(mapped)
        strings = bytecode.strings
        with pytest.raises(BufferError):
            mapped.close()
        del bytecode
    assert strings == Bytecode(sample).strings
