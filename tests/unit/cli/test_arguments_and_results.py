"""Arrays that commands read and write."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from hlokit.cli.streams.argument_files import read_arguments, with_stored_types
from hlokit.cli.streams.outputs import save_results
from hlokit.errors import ArgumentError
from hlokit.values.element_types import BF16, ELEMENT_TYPES, F32, I4, I32, ElementType
from hlokit.values.types import TensorType, TokenType, TupleType


def test_lists_and_files_in_order(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.int8(1))
    np.savez(tmp_path / "b.npz", y=np.int8(2), x=np.int8(3))
    arguments = read_arguments(
        [
            str(tmp_path / "a.npy"),
            "[dense<9> : tensor<i8>, dense<8> : tensor<i8>]",
            str(tmp_path / "b.npz"),
            "",
        ]
    )
    assert [int(argument) for argument in arguments] == [1, 9, 8, 2, 3]


@pytest.mark.parametrize("element_type", ELEMENT_TYPES.values(), ids=str)
def test_constants_of_every_element_type(element_type: ElementType) -> None:
    value = "(1.0, 0.0)" if element_type.name.startswith("complex") else "1.0"
    if element_type.name == "i1":
        value = "true"
    elif element_type.kind.is_integer:
        value = "1"
    (argument,) = read_arguments([f"[dense<{value}> : tensor<2x{element_type}>]"])
    assert argument.dtype == element_type.dtype
    assert argument.tolist() == np.ones(2, element_type.dtype).tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not_array", r"expectected array attribute string for args, i\.e\. --args="),
        ("dense<1> : tensor<i8>", "expectected array attribute string for args"),
        ("[dense<1> : tensor<i8>", "expected ',' or ']'"),
        ("[dense<1> : tensor<i8>] x", "trailing characters"),
        ("[4.0 : f32]", r"expected dense elements attribute for args elements, i\.e\. --args="),
        ("[dense<1> : vector<2xi8>]", "args elements must be tensors"),
        ("none.npy", r"cannot read arguments from 'none\.npy': no such file or directory"),
    ],
)
def test_malformed_arguments(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        read_arguments([text])


@pytest.mark.parametrize("data", [b"", b"nothing", b"PK\x03\x04nothing", b"\x93NUMPY\x01\x00"])
@pytest.mark.parametrize("suffix", ["npy", "npz"])
def test_damaged_files(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(data)
    with pytest.raises(ArgumentError, match="cannot read arguments from"):
        read_arguments([str(path)])


def test_pickles_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([object()]), allow_pickle=True)
    with pytest.raises(ArgumentError, match="cannot read arguments from"):
        read_arguments([str(tmp_path / "a.npy")])


def test_bytes_are_read_as_the_parameters_type() -> None:
    types = [TensorType((2,), BF16), TensorType((2,), I4), TensorType((1,), I32), TensorType((1,), F32)]
    raw = [np.zeros(2, "V2"), np.zeros(2, "V1"), np.zeros(1, ">i4"), np.zeros(1, "V2")]
    found = [array.dtype for array in with_stored_types(raw, types)]
    assert found == [ml_dtypes.bfloat16, ml_dtypes.int4, np.int32, np.dtype("V2")]


def test_results_come_back(tmp_path: Path) -> None:
    path = tmp_path / "results.npz"
    bf16 = np.array([1.5, 2.5], ml_dtypes.bfloat16)
    types = [TensorType((2,), BF16), TokenType(), TupleType((TensorType((), I32), TensorType((), F32)))]
    save_results(str(path), [bf16, object(), (np.int32(7), np.float32(0.5))], types)
    with np.load(path) as stored:
        assert stored.files == ["result_0", "result_2_0", "result_2_1"]
    arguments = read_arguments([str(path)])
    restored = with_stored_types(arguments, [types[0], *types[2].types])
    assert restored[0].tolist() == bf16.tolist()
    assert [restored[1].item(), restored[2].item()] == [7, 0.5]


def test_results_replace_a_file_only_when_complete(tmp_path: Path) -> None:
    path = tmp_path / "results.npz"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        save_results(str(path), [Unstorable()], [TensorType((), I32)])
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["results.npz"]


class Unstorable:
    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        raise TypeError("no array")


def test_results_get_the_usual_permissions(tmp_path: Path) -> None:
    plain, stored = tmp_path / "plain", tmp_path / "results.npz"
    plain.write_text("")
    save_results(str(stored), [np.int32(1)], [TensorType((), I32)])
    assert plain.stat().st_mode == stored.stat().st_mode


def test_results_to_a_device() -> None:
    save_results("/dev/null", [np.int32(1)], [TensorType((), I32)])
    assert Path("/dev/null").is_char_device()
