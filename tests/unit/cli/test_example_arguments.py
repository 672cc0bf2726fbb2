"""`--random`, `--zeros`, `--ones`, and shapes as arguments."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.cli.streams.shapes import read_shape

TEXT = """
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    np.save(tmp_path / "x.npy", np.full((2, 2), 5, np.float32))
    return str(path)


def values(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    assert main(["run", *arguments, "--json"]) == 0
    return np.ravel(json.loads(capsys.readouterr().out)["results"][0]["value"]).tolist()


def test_what_to_type_is_offered(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file]) == 1
    error = capsys.readouterr().err
    assert "@main must be called with 2 arguments, got 0: x tensor<2x2xf32>, y tensor<2x2xf32>" in error
    assert "--random draws them" in error
    assert "2x2xf32=1" in error


def test_fillings(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = str(tmp_path / "x.npy")
    assert values(capsys, file, "--zeros") == [0, 0, 0, 0]
    assert values(capsys, file, x, "--ones") == [4, 4, 4, 4]
    assert values(capsys, file, "2x2xf32=3", "tensor<2x2xf32>=-1.5") == [4.5] * 4
    assert values(capsys, file, "2x2xf32=3", "2x2xf32") == [3] * 4
    assert values(capsys, file, x, "2x2xf32", "--ones") == [4] * 4
    drawn = values(capsys, file, "--random=1")
    assert drawn == values(capsys, file, "--random=1")
    assert drawn != values(capsys, file, "--random") == values(capsys, file, "--random=0")


def test_other_commands_take_them(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = str(tmp_path / "output")
    assert main(["record", file, "--random", "-o", output]) == 0
    assert capsys.readouterr().out == f"1 values of @main recorded to {output}\n"
    assert main(["diff", file, "--random", f"--against={file}"]) == 0
    assert "the same" in capsys.readouterr().out
    assert main(["make-test", file, "--ones", "-o", f"{output}.mlir"]) == 0
    assert "dense<0.000000e+00> : tensor<2x2xf32>" in Path(f"{output}.mlir").read_text()
    assert main(["view", file, "--ones", "--format=node-data"]) == 0
    assert '"time (us)"' in capsys.readouterr().out


def test_shapes() -> None:
    array, has_value = read_shape("2x3xi8=-4") or (None, False)
    assert array is not None
    assert (array.shape, array.dtype, array.min(), has_value) == ((2, 3), np.int8, -4, True)
    scalar, has_value = read_shape("complex<f32>") or (None, True)
    assert scalar is not None
    assert (scalar.shape, scalar.dtype, has_value) == ((), np.complex64, False)
    for text in ("2x3xi32=1 2 3 4 5 6", "2x3xi32=[[1,2,3],[4,5,6]]", "2x3xi32=[1 2 3][4 5 6]"):
        array, has_value = read_shape(text) or (None, False)
        assert (np.ravel(array).tolist(), np.shape(array), has_value) == ([1, 2, 3, 4, 5, 6], (2, 3), True)
    with pytest.raises(hlokit.ArgumentError, match="it must have 6 values, or one for all, got 2"):
        read_shape("2x3xi32=1 2")
    for text in ("x.npy", "dense<1> : tensor<2xi32>", "2x3xf33", "xf32"):
        assert read_shape(text) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--zeros", "--ones"], "only one of --random, --zeros and --ones must be given"),
        (["--random=x"], "--random must be a number"),
        (["2x2xf32=x"], "'2x2xf32=x' is no argument"),
        (["2x2xi8=300"], "the value must be an i8, got 300"),
        (
            ["2x2xf32"],
            "must be called with 2 arguments, got 1: x tensor<2x2xf32>, y tensor<2x2xf32>\n  --random draws",
        ),
        (["2x2xf32"] * 3, "must be called with 2 arguments, got 3"),
    ],
)
def test_bad_input(arguments: list[str], message: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", file, *arguments]) == (2 if "-" in message[:14] else 1)
    assert message in capsys.readouterr().err


def test_sizes_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax")
    from jax import ShapeDtypeStruct, export, jit

    n, m = export.symbolic_shape("n, m")
    exported = export.export(jit(lambda x, y: x @ y))(
        ShapeDtypeStruct((n, m), "float32"), ShapeDtypeStruct((m, 2 * n), "float32")
    )
    path = tmp_path / "symbolic.mlirbc"
    path.write_bytes(exported.mlir_module_serialized)
    np.save(tmp_path / "x.npy", np.ones((2, 3), np.float32))
    for arguments, shape in (
        (["--ones", "--size", "n=3", "--size=m=2"], (3, 6)),
        (["--ones", "--size=5"], (5, 10)),
        ([str(tmp_path / "x.npy"), "--ones"], (2, 4)),
    ):
        assert main(["run", str(path), *arguments, "--json"]) == 0
        assert np.shape(json.loads(capsys.readouterr().out)["results"][0]["value"]) == shape
    assert main(["run", str(path)]) == 1
    assert "--size n=4 says the size n (sizes: n, m)" in capsys.readouterr().err
    assert main(["run", str(path), "--ones", "--size=k=3"]) == 1
    assert "size must be one of n, m, got k" in capsys.readouterr().err


def test_observers_take_them(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    for flag, line in (("--trace", "stablehlo.subtract"), ("--shadow", "bits lost"), ("--stop-on-nan", "")):
        assert main(["run", file, "--random", flag]) == 0
        assert line in capsys.readouterr().err
