"""`hlokit.load`: detection of formats, opening of files, and the resulting programs."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

import hlokit
from hlokit.files import formats
from hlokit.files import reading as files
from hlokit.mlir.printing import Style, print_module
from hlokit.programs.loading import load_bytes, load_module

PACKAGE = Path(__file__).parents[2] / "python" / "hlokit"
PROGRAM = "func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n  return %0 : tensor<i32>\n}"
ARTIFACT = hlokit.load(PROGRAM).serialize()
# JAX's format: a FlatBuffer, in which the size of a vector of bytes precedes the bytes.
BLOB = b"\x10\0\0\0" * 4 + len(ARTIFACT).to_bytes(4, "little") + ARTIFACT + b"\0\0"


def test_formats_of_bytes() -> None:
    text = PROGRAM.encode()
    assert [formats.is_bytecode(data) for data in (text, ARTIFACT, BLOB)] == [False, True, False]
    assert [formats.is_export_blob(data) for data in (text, ARTIFACT, BLOB)] == [False, False, True]
    assert [formats.text_of(data) for data in (text, ARTIFACT, BLOB, b"\xff")] == [PROGRAM, None, None, None]


def test_where_bytecode_is() -> None:
    assert formats.find_bytecode(PROGRAM.encode()) is None
    assert formats.find_bytecode(ARTIFACT) == slice(0, len(ARTIFACT))
    assert formats.find_bytecode(BLOB) == slice(20, 20 + len(ARTIFACT))
    assert formats.find_bytecode(BLOB[:-10]) is None, "the artifact does not end within the blob"


@pytest.mark.parametrize("data", [PROGRAM.encode(), ARTIFACT, BLOB], ids=["text", "artifact", "blob"])
def test_modules_of_all_formats(data: bytes) -> None:
    assert "stablehlo.constant dense<1>" in print_module(load_module(data), Style())


def test_bytes_of_no_format() -> None:
    for load in (load_bytes, load_module):
        with pytest.raises(hlokit.ParseError, match=r"f\.bin: error: input must be MLIR text, MLIR bytecode"):
            load(b"\xfe\xfd", "f.bin")
    (diagnostic,) = hlokit.verify(b"\xfe\xfd", filename="f.bin")
    assert diagnostic.message.startswith("input must be MLIR text, MLIR bytecode")


def test_paths_and_the_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f.mlir"
    path.write_bytes(b"text")
    assert files.read(str(path)) == (str(path), b"text")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"typed")))
    assert files.read("-") == ("<stdin>", b"typed")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing", "no such file or directory"), (".", "is a directory"), ("a\0b", "embedded null byte")],
)
def test_files_that_cannot_be_opened(tmp_path: Path, name: str, reason: str) -> None:
    path = f"{tmp_path}/{name}"
    shown = path.replace("\0", "\\00")
    expected = re.escape(f"{shown}: error: cannot open input file '{shown}': {reason}")
    with pytest.raises(hlokit.ParseError, match=f"^{expected}$"):
        files.read_file(path)
    with pytest.raises(hlokit.ParseError, match=f"^{expected}$"), files.mapped(path):
        pass


def test_mapped_files(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for data in (b"", ARTIFACT):
        path.write_bytes(data)
        with files.mapped(str(path)) as mapped:
            assert mapped[:] == data


def test_one_place_says_that_a_file_cannot_be_opened() -> None:
    where = [path.name for path in PACKAGE.rglob("*.py") if "cannot open input file" in path.read_text()]
    assert where == ["reading.py"]


def test_one_place_knows_the_signature_of_bytecode() -> None:
    where = [path.name for path in PACKAGE.rglob("*.py") if r'b"ML\xefR"' in path.read_text()]
    assert where == ["formats.py"]


def test_names_of_operations_are_not_searched_in_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: each of 38 names was searched in all constants of an artifact."""

    def expand(*_: object) -> None:
        raise AssertionError("the program has no such collective")

    monkeypatch.setattr("hlokit.mlir.ragged_collectives.expand", expand)
    name = b"ragged_all_to_all" * 8
    text = f"""func.func @main() -> tensor<{len(name)}xi8> {{
      %0 = stablehlo.constant dense<"0x{name.hex()}"> : tensor<{len(name)}xi8>
      return %0 : tensor<{len(name)}xi8>
    }}"""
    artifact = hlokit.load(text).serialize()
    assert name in artifact
    assert hlokit.load(artifact)().tobytes() == name
