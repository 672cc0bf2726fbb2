"""Programs of other frameworks: files that their own exporters wrote, and objects made here.

`data/` has what TensorFlow 2.21 with jax2tf of JAX 0.10.2 and torch_xla 2.9 saved, with inputs and outputs that
TensorFlow and PyTorch computed.
"""

from __future__ import annotations

import gzip
import json
import pickle
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.cli.upstream import translate
from hlokit.programs.importers import weights
from hlokit.programs.importers.protobuf import MalformedMessage, fields

jax = pytest.importorskip("jax")
jnp = jax.numpy

DATA = Path(__file__).parent / "data"
PROGRAM = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.add %x, %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
X = np.array([1, 2], np.float32)


def function(x: Any) -> Any:
    return {"y": jnp.sin(x["a"]) * 2}


EXAMPLE = {"a": np.array([0.5, 1], np.float32), "b": np.float32(3)}
EXPECTED = np.sin(EXAMPLE["a"], dtype=np.float64) * 2


def objects() -> dict[str, Any]:
    jitted = jax.jit(function)
    return {
        "lowered": jitted.lower(EXAMPLE),
        "traced": jitted.trace(EXAMPLE),
        "exported": jax.export.export(jitted)(EXAMPLE),
        "platforms": jax.export.export(jitted, platforms=["cuda", "cpu"])(EXAMPLE),
    }


@pytest.mark.parametrize("kind", ["lowered", "traced", "exported", "platforms"])
def test_objects_of_jax(kind: str) -> None:
    result = hlokit.load(objects()[kind])(EXAMPLE)
    assert list(result) == ["y"]
    np.testing.assert_allclose(result["y"], EXPECTED, rtol=1e-6)


def test_jitted_functions() -> None:
    np.testing.assert_allclose(hlokit.load(jax.jit(function), EXAMPLE)(EXAMPLE)["y"], EXPECTED, rtol=1e-6)
    with pytest.raises(hlokit.ArgumentError, match="must come with examples"):
        hlokit.load(jax.jit(function))
    with pytest.raises(hlokit.ArgumentError, match=r"machine code: load the result of \.lower"):
        hlokit.load(jax.jit(function).lower(EXAMPLE).compile())
    with pytest.raises(hlokit.ArgumentError, match="Lowered already has arguments"):
        hlokit.load(jax.jit(function).lower(EXAMPLE), EXAMPLE)


def test_modules_of_the_bindings() -> None:
    module = jax.jit(function).lower(EXAMPLE).compiler_ir("stablehlo")
    program = hlokit.load(module)
    np.testing.assert_allclose(program(EXAMPLE["a"]), EXPECTED, rtol=1e-6)
    assert program.module is not module, "the program has a copy"


@pytest.mark.parametrize("ordered", [False, True])
def test_callbacks_of_this_process(ordered: bool, capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[float] = []

    def body(carry: Any, _: Any) -> Any:
        jax.experimental.io_callback(lambda c: seen.append(float(c)), None, carry, ordered=ordered)
        return carry + 1, None

    def with_callbacks(x: Any) -> Any:
        jax.debug.print("x is {x}", x=x, ordered=ordered)
        y = jax.pure_callback(lambda a: np.cumsum(a)[::-1], jax.ShapeDtypeStruct(x.shape, x.dtype), x)
        return y, jax.lax.scan(body, 0.0, None, length=3)[0]

    x = np.array([1, 2, 4], np.float32)
    for program in (hlokit.from_jax(with_callbacks, x), hlokit.load(jax.jit(with_callbacks).lower(x))):
        seen.clear()
        y, last = program(x)
        assert y.tolist() == [7, 3, 1]
        assert (last, seen) == (3, [0, 1, 2])
        assert "x is [1. 2. 4.]" in capfd.readouterr().out
        assert program.unsupported() == []
        copy = pickle.loads(pickle.dumps(program))
        assert "calls Python code of the process" in str(copy.unsupported()[0])


def test_a_callback_that_raises() -> None:
    def fail(_: Any) -> Any:
        raise ValueError("no luck")

    program = hlokit.from_jax(lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct((2,), x.dtype), x), X)
    with pytest.raises(hlokit.EvaluationError, match=r"python_cpu_callback raised .*no luck"):
        program(X)


def hlo_files() -> dict[str, bytes]:
    lowered = jax.jit(lambda x: jnp.sin(x) * 2).lower(EXAMPLE["a"])
    proto = lowered.compiler_ir("hlo").as_serialized_hlo_module_proto()
    size = len(proto)
    varint = bytes([size & 0x7F | 0x80, size >> 7]) if size > 127 else bytes([size])
    wrapped = b"\x0a" + varint + proto  # HloProto.hlo_module
    return {"text": lowered.as_text("hlo").encode(), "module": proto, "proto": wrapped}


@pytest.mark.parametrize("kind", ["text", "module", "proto"])
def test_hlo(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = hlo_files()[kind]
    np.testing.assert_allclose(hlokit.load(data)(EXAMPLE["a"]), EXPECTED, rtol=1e-6)
    path = tmp_path / "module.hlo"
    path.write_bytes(data)
    assert main(["run", str(path), "dense<0.0> : tensor<2xf32>"]) == 0
    assert "[0.000000e+00, 0.000000e+00]" in capsys.readouterr().out
    assert hlokit.verify(data) == []
    assert main(["info", str(path)]) == 0
    name = "HLO text" if kind == "text" else "HLO protocol buffer"
    assert f"kind               {name}, {len(data):,} bytes\n" in capsys.readouterr().out
    assert main(["upgrade", str(path)]) == 1
    assert f"must be MLIR text, got {name}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"HloModule m\n\nENTRY e {\n  ROOT x = f32[2] what(x)\n}\n",
            r":4:19: error: malformed HLO: .*Unknown opcode: what",
        ),
        (b"HloModule ", r"(:\d+:\d+)?: error: malformed HLO: ."),
        (hlo_files()["module"][:-9], r": error: .*HloModuleProto"),
    ],
    ids=["operation", "empty", "cut"],
)
def test_malformed_hlo(data: bytes, message: str) -> None:
    with pytest.raises(hlokit.ParseError, match=rf"^f\.hlo{message}"):
        hlokit.load(data, filename="f.hlo")


@pytest.mark.parametrize("data", [b"\x0a\x05ab", b"\x0b", b"\x00", b"\x08" + b"\xff" * 11, b"\x08"])
def test_malformed_messages(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        list(fields(memoryview(data)))


def test_fields_have_numbers_of_any_size() -> None:
    data = b"\x08\xac\x02" + b"\xa2\x06\x02ab" + b"\xfd\xff\x3f\x01\x00\x00\x00"
    found = [
        (number, value if isinstance(value, int) else bytes(value))
        for number, value in fields(memoryview(data))
    ]
    assert found == [(1, 300), (100, b"ab"), (131071, b"\x01\0\0\0")]


def test_folders_of_torch_xla(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with np.load(DATA / "torch_xla.npz") as data:
        x, a, b = data["x"], data["a"], data["b"]
    program = hlokit.load(DATA / "torch_xla")
    assert str(program.signature()) == "@main(tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4xi64>)"
    for one in (program, hlokit.load(program.serialize()), program.with_backend("xla")):
        values, largest = one(x)
        np.testing.assert_allclose(values, a, rtol=1e-6)
        np.testing.assert_array_equal(largest, b)
    np.save(tmp_path / "x.npy", x)
    assert main(["run", str(DATA / "torch_xla"), str(tmp_path / "x.npy")]) == 0
    assert "tensor<4xi64>" in capsys.readouterr().out


def changed_folder(path: Path, change: Any) -> Path:
    shutil.copytree(DATA / "torch_xla", path)
    meta = path / "functions" / "forward.meta"
    content = json.loads(meta.read_text())
    change(content)
    meta.write_text(json.dumps(content))
    return path


def test_unused_inputs_of_torch(tmp_path: Path) -> None:
    def change(meta: Any) -> None:
        meta["input_locations"][-1]["position"] = 1
        unused = {"type_": "input_arg", "position": 0, "name": ""}
        meta["unused_inputs"] = [[unused, {"shape": [5], "dtype": "bool", "dynamic_dims": []}]]

    program = hlokit.load(changed_folder(tmp_path / "m", change))
    assert [str(type_) for type_ in program.signature().inputs] == ["tensor<5xi1>", "tensor<4x3xf32>"]


def escape(meta: Any) -> None:
    meta["input_locations"][0]["name"] = "../functions/forward.meta"


def lose(meta: Any) -> None:
    meta["input_locations"][0]["name"] = "nothing"


def mix_up(meta: Any) -> None:
    meta["input_locations"][0]["name"] = "l.weight"


def shorten(meta: Any) -> None:
    del meta["input_locations"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (escape, "the name of a parameter must be a file name"),
        (lose, "malformed forward.meta: data/.*: no such file or directory"),
        (mix_up, r"weight 'l.weight' must have type tensor<2xf32>"),
        (shorten, "the function has 8 parameters, the description names 7"),
        (dict.clear, "it lacks 'input_locations'"),
    ],
)
def test_malformed_folders_of_torch(tmp_path: Path, change: Any, message: str) -> None:
    with pytest.raises(hlokit.ParseError, match=message):
        hlokit.load(changed_folder(tmp_path / "m", change))


@pytest.mark.parametrize("folder", ["saved_model", "torch_xla"])
def test_commands_about_files_take_folders(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(DATA / folder)
    kind = {"saved_model": "saved model of TensorFlow", "torch_xla": "portable artifact"}[folder]
    assert main(["info", path]) == 0
    assert capsys.readouterr().out.startswith(f"kind               {kind}, ")
    assert main(["verify", path]) == 0, capsys.readouterr().out
    assert main(["compat", path]) == 0
    assert capsys.readouterr().out.startswith("version  bytecode  holds it\n")


@pytest.mark.parametrize("folder", ["saved_model", "torch_xla"])
def test_an_artifact_has_the_weights_of_a_folder(folder: str, tmp_path: Path) -> None:
    artifact = tmp_path / "program.mlirbc"
    flags = ["--serialize", "--target=1.0.0", str(DATA / folder), "-o", str(artifact)]
    assert translate.main(flags) == 0
    assert hlokit.load(artifact).signature() == hlokit.load(DATA / folder).signature()


def test_other_folders(tmp_path: Path) -> None:
    with pytest.raises(hlokit.ParseError, match="is a directory, and not a saved model"):
        hlokit.load(tmp_path)


def test_gzip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    artifact = hlokit.load(PROGRAM).serialize()
    for data in (PROGRAM.encode(), artifact, hlo_files()["text"]):
        assert hlokit.load(gzip.compress(data))(X).dtype == np.float32
    path = tmp_path / "f.mlir.gz"
    path.write_bytes(gzip.compress(PROGRAM[:50].encode()) + gzip.compress(PROGRAM[50:].encode()))
    assert main(["run", str(path), "dense<2.0> : tensor<2xf32>"]) == 0
    assert "4.000000e+00" in capsys.readouterr().out
    for damaged in (gzip.compress(artifact)[:-3], gzip.compress(artifact)[:20] + b"\xff" * 30):
        with pytest.raises(hlokit.ParseError, match="damaged gzip file"):
            hlokit.load(damaged)


WITH_WEIGHTS = """
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<3xbf16>, tensor<2xi1>) {
  %w = stablehlo.constant dense_resource<w> : tensor<2x2xf32>
  %b = stablehlo.constant dense_resource<b> : tensor<3xbf16>
  %m = stablehlo.constant dense_resource<m> : tensor<2xi1>
  %0 = stablehlo.dot %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %b, %m : tensor<2x2xf32>, tensor<3xbf16>, tensor<2xi1>
}
"""
W = np.array([[1, 2], [3, 4]], np.float32)


def safetensors(arrays: dict[str, tuple[str, Any]]) -> bytes:
    header, data = {}, b""
    for name, (dtype, array) in arrays.items():
        header[name] = {
            "dtype": dtype,
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + array.nbytes],
        }
        data += array.tobytes()
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


@pytest.mark.parametrize("kind", ["npz", "compressed", "safetensors", "mapping"])
def test_external_weights(kind: str, tmp_path: Path) -> None:
    import ml_dtypes

    b, m = np.array([1, 2, 3], ml_dtypes.bfloat16), np.array([True, False])
    arrays: Any = {"w": W, "b": b, "m": m}
    source: Any = tmp_path / f"weights.{kind}"
    if kind == "safetensors":
        source.write_bytes(safetensors({"w": ("F32", W), "b": ("BF16", b), "m": ("BOOL", m)}))
    elif kind == "mapping":
        source = arrays
    else:
        with source.open("wb") as file:
            (np.savez if kind == "npz" else np.savez_compressed)(file, **arrays)
    program = hlokit.load(WITH_WEIGHTS, weights=source)
    product, bias, mask = program(np.eye(2, dtype=np.float32))
    assert (product.tolist(), bias.tolist(), mask.tolist()) == (W.tolist(), [1, 2, 3], [True, False])
    assert hlokit.load(program.serialize())(W)[0].tolist() == (W @ W).tolist()
    if kind in ("npz", "safetensors"):
        array: Any = weights.read_weights(str(source))["w"]
        while array.base is not None and not isinstance(array, np.memmap):
            array = array.base
        assert isinstance(array, np.memmap)


def test_weights_in_the_order_of_fortran(tmp_path: Path) -> None:
    w = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez(tmp_path / "w.npz", w=np.asfortranarray(w))
    assert weights.read_weights(str(tmp_path / "w.npz"))["w"].tolist() == w.tolist()


def test_elided_weights_by_name() -> None:
    text = 'func.func @main() -> tensor<2x2xf32> {\n  %0 = stablehlo.constant dense_resource<__elided__> : tensor<2x2xf32> loc("params/w")\n  return %0 : tensor<2x2xf32>\n}'
    assert hlokit.load(text, weights={"params/w": W})().tolist() == W.tolist()
    with pytest.raises(hlokit.ArgumentError, match="no array for the elided constant named params/w"):
        hlokit.load(text, weights={"w": W})
    with pytest.raises(
        hlokit.ArgumentError, match=r"weight 'params/w' must have type tensor<2x2xf32>, got float64"
    ):
        hlokit.load(text, weights={"params/w": W.astype(np.float64)})
    with pytest.raises(hlokit.ArgumentError, match="elided constant without a name in its location"):
        hlokit.load(text.replace(' loc("params/w")', ""), weights={"w": W})


def test_files_that_are_no_weights(tmp_path: Path) -> None:
    path = tmp_path / "w"
    outside = safetensors({"w": ("F32", W)})[:-4]
    for data in (b"", b"what", outside, safetensors({"w": ("F3", W)})):
        path.write_bytes(data)
        with pytest.raises(hlokit.ArgumentError, match="cannot read weights"):
            hlokit.load(WITH_WEIGHTS, weights=path)


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (b"PK\x03\x04" + b"\0" * 20, r"TorchScript .*hlokit.from_torch"),
        (b"\x80\x04\x95" + b"\0" * 20, "a pickle"),
        (b"\x1c\0\0\0TFL3" + b"\0" * 9 + b"\xff", "TensorFlow Lite"),
        (b"\x08\x07\x12\x04onnx\xff", "ONNX .*onnx-mlir"),
        (b"\x08\x09\x3a\x04\x0a\x02ab\xff", "ONNX .*onnx-mlir"),
        (b"\x08\x08\x12\x07pytorch\x1a\x032.1", "ONNX .*onnx-mlir"),
        (b"\x80\0\0\0\0\0\0\0{" + b" " * 127, "safetensors file: weights"),
        (b"GGUF\x03\0\0\0", "GGUF file: weights"),
        (b"{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }", "jaxpr: .*from_jax"),
        (b"%PDF-1.7\n\xff", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        ("module {}".encode("utf-16"), "UTF-16"),
    ],
)
def test_messages_about_wrong_formats_name_a_remedy(data: bytes, advice: str) -> None:
    with pytest.raises(hlokit.ParseError, match=advice):
        hlokit.load(data)


def test_text_after_a_byte_order_mark() -> None:
    hlo = "HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[2] add(p, p)\n}\n"
    for text in (PROGRAM, hlo):
        np.testing.assert_array_equal(hlokit.load(b"\xef\xbb\xbf" + text.encode())(X), 2 * X)
        np.testing.assert_array_equal(hlokit.load("\ufeff" + text)(X), 2 * X)


def test_messages_about_wrong_objects_name_a_remedy() -> None:
    with pytest.raises(hlokit.ArgumentError, match=r"got numpy.ndarray \(an array is an argument"):
        hlokit.load(X)
    with pytest.raises(hlokit.ArgumentError, match=r"got function \(jit it first"):
        hlokit.load(function)
    with pytest.raises(hlokit.ArgumentError, match=r"got int$"):
        hlokit.load(1)
    with pytest.raises(hlokit.ArgumentError, match="example arguments are for jitted functions"):
        hlokit.load(PROGRAM, X)
