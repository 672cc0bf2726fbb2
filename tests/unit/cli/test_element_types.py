"""Values of every type, in and out: as arrays from Python, as .npy and .npz files of the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli import main
from hlokit.cli.upstream import translate
from hlokit.programs.program import Program
from hlokit.values.element_types import ELEMENT_TYPES, Kind

QUANTIZED = (
    "!quant.uniform<i8:f32, 0.5:1>",
    "!quant.uniform<u8:f32, 0.5>",
    "!quant.uniform<i4:f32, 0.5>",
    "!quant.uniform<i16:f64, 0.5>",
    "!quant.uniform<i8:f32:0, {0.5:1, 0.25, 2.0}>",
)
NAMES = [name for name in ELEMENT_TYPES if name != "index"]
SHAPES: tuple[tuple[int, ...], ...] = ((3,), (), (2, 0))
CASES = [
    (name, shape) for name in (*NAMES, *QUANTIZED) for shape in SHAPES if ":0," not in name or shape == (3,)
]


def program_of(type_: str) -> Program:
    return hlokit.load(f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}\n")


def tensor(name: str, shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{name}>"


def samples(program: Program) -> np.ndarray:
    """Values of all bits: the largest, the smallest, NaN where the type has one."""
    (type_,) = program.signature().inputs
    element = type_.element_type.stored
    wanted = [1, 0, -1 if element.kind in (Kind.SIGNED, Kind.FLOAT, Kind.COMPLEX) else 1]
    if element.kind is Kind.COMPLEX:
        wanted = [1 - 2j, complex(np.nan, -0.0), -1j]
    values = np.array(wanted).astype(element.dtype)
    return np.resize(values, type_.dims) if type_.dims != () else values[0].reshape(())


def assert_same(actual: Any, expected: np.ndarray) -> None:
    assert isinstance(actual, np.ndarray)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    assert actual.tobytes() == np.ascontiguousarray(expected).tobytes()


# Python --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "shape"), CASES, ids=str)
def test_arrays(name: str, shape: tuple[int, ...]) -> None:
    program = program_of(tensor(name, shape))
    x = samples(program)
    result = program(x)
    assert_same(result, x)
    assert result is not x
    result[...] = np.ones((), x.dtype)  # it belongs to the caller
    assert_same(program(np.repeat(x, 2, 0)[::2] if shape else x), x)


@pytest.mark.parametrize("name", NAMES)
def test_python_values(name: str) -> None:
    type_ = ELEMENT_TYPES[name]
    value = True if type_.kind is Kind.BOOL else 1
    scalar = program_of(tensor(name, ()))(value)
    assert (scalar.dtype, scalar.shape, complex(scalar)) == (type_.dtype, (), 1)
    assert program_of(tensor(name, (3,)))([value] * 3).astype(complex).tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", NAMES)
def test_tensors(name: str) -> None:
    program = program_of(tensor(name, (3,)))
    x = samples(program)
    assert_same(program(hlokit.Tensor(program.signature().inputs[0], x)), x)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("f6")])  # not JAX's
def test_arrays_of_jax(name: str) -> None:
    jax = pytest.importorskip("jax")
    program = program_of(tensor(name, (3,)))
    x = samples(program)
    with jax.enable_x64(True):
        assert_same(program(jax.numpy.asarray(x)), x)


def test_tuples_and_tokens() -> None:
    program = program_of("tuple<tensor<2xi4>, tuple<!stablehlo.token, tensor<bf16>>>")
    x, y = samples(program_of("tensor<2xi4>")), samples(program_of("tensor<bf16>"))
    first, (token, second) = program((x, (hlokit.Token(), y)))
    assert_same(first, x)
    assert_same(second, y)
    assert isinstance(token, hlokit.Token)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_dtypes_are_refused(name: str) -> None:
    wrong = np.zeros(3, np.int16 if name != "i16" else np.int32)
    with pytest.raises(hlokit.ArgumentError, match="must have type tensor<3x"):
        program_of(tensor(name, (3,)))(wrong)


# Files ---------------------------------------------------------------------------------------------------


def run(tmp_path: Path, type_: str, *arguments: Path) -> dict[str, np.ndarray]:
    """The arrays that the command stores for the identity of arguments in files."""
    source, output = tmp_path / "identity.mlir", tmp_path / "output.npz"
    source.write_text(program_of(type_).text())
    flags = [f"--args={argument}" for argument in arguments]
    assert translate.main(["--interpret", str(source), *flags, f"--output={output}"]) == 0
    with np.load(output) as stored:
        return dict(stored)


@pytest.mark.parametrize(("name", "shape"), CASES[::2], ids=str)
def test_files(name: str, shape: tuple[int, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    type_ = tensor(name, shape)
    x = samples(program_of(type_))
    np.savez(tmp_path / "x.npz", x)
    (stored,) = run(tmp_path, type_, tmp_path / "x.npz").values()
    assert_same(stored.view(x.dtype), x)
    printed = capsys.readouterr().out
    # The output is read again, and both files have the same contents.
    np.save(tmp_path / "x.npy", stored)
    (again,) = run(tmp_path, type_, tmp_path / "x.npy").values()
    assert_same(again, stored)
    assert capsys.readouterr().out == printed
    assert main.main(["run", str(tmp_path / "identity.mlir"), str(tmp_path / "output.npz")]) == 0
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("name", ["i32", "ui16", "f16", "f64", "complex<f32>"])
def test_files_of_other_machines(name: str, tmp_path: Path) -> None:
    type_ = tensor(name, (3,))
    x = samples(program_of(type_))
    np.save(tmp_path / "x.npy", x.astype(x.dtype.newbyteorder(">")))
    (stored,) = run(tmp_path, type_, tmp_path / "x.npy").values()
    assert_same(stored, x)


def test_a_tuple_is_an_array_an_item_and_a_token_none(tmp_path: Path) -> None:
    type_ = "tuple<tensor<2xi4>, !stablehlo.token, tuple<tensor<bf16>>>"
    x, y = samples(program_of("tensor<2xi4>")), samples(program_of("tensor<bf16>"))
    np.savez(tmp_path / "x.npz", x, y)
    stored = run(tmp_path, type_, tmp_path / "x.npz")
    assert list(stored) == ["result_0_0", "result_0_2_0"]
    assert_same(stored["result_0_0"].view(x.dtype), x)
    assert_same(stored["result_0_2_0"].view(y.dtype), y)
    (tmp_path / "output.npz").rename(tmp_path / "y.npz")
    again = run(tmp_path, type_, tmp_path / "y.npz")
    assert [value.tobytes() for value in again.values()] == [x.tobytes(), y.tobytes()]


@pytest.mark.parametrize("name", NAMES)
def test_constants(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A printed value can be read as an argument."""
    type_ = tensor(name, (3,))
    program = program_of(type_)
    source = tmp_path / "identity.mlir"
    source.write_text(program.text())
    np.save(tmp_path / "x.npy", samples(program))
    dense = ["--interpret", str(source), "--interpreter-print-dense"]
    assert translate.main([*dense, f"--args={tmp_path / 'x.npy'}"]) == 0
    printed = capsys.readouterr().out.strip()
    assert printed.endswith(f": {type_}")
    assert translate.main([*dense, f"--args=[{printed}]"]) == 0
    assert capsys.readouterr().out.strip() == printed


def test_every_type_is_tried() -> None:
    kinds = {ELEMENT_TYPES[name].kind for name in NAMES}
    assert kinds == set(Kind) - {Kind.QUANTIZED, Kind.FIELD}  # no type of files has the latter
