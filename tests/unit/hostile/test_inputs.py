"""Inputs and arguments of all wrong kinds: each gives an error that states the problem."""

from __future__ import annotations

import base64
import io
import json
import signal
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.cli.frame.flags import WrongValue, natural, positive
from hlokit.cli.streams.argument_files import read_arguments
from hlokit.compat.info import inspect_file
from hlokit.errors import ArgumentError, ParseError, UnsupportedError, VerificationError
from hlokit.files.reading import mapped
from hlokit.mlir.conversion.replica_groups import read_replica_groups
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.passes.pipeline import parse_pipeline
from hlokit.tools.service.protocol import answer_line
from hlokit.tools.shard.notation.gspmd import named_mesh


def program(type_: str) -> hlokit.Program:
    return hlokit.load(f"func.func @main(%x: {type_}) -> {type_} {{ return %x : {type_} }}")


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([np.float32(1.5), 2], "i32"),
        ([np.complex64(1 + 2j), 2], "f32"),
        ([np.float32(1.5), True], "i1"),
        ([np.int64(7), 1], "i1"),
        ([ml_dtypes.bfloat16(1.5), 1], "i8"),
        ([1e300, 1], "f32"),
        ([100_000, 1], "f16"),
        ([complex(1e300, 0), 1], "complex<f32>"),
        ([1000.0, 1], "f4E2M1FN"),
        ([np.inf, 1], "f6E2M3FN"),
        ([np.nan, 1], "f6E3M2FN"),
        ([complex(np.inf, 1e300), 1], "complex<f32>"),
        ([np.longdouble(1.5), 1], "f64"),
        ([1 << 20_000, 1], "i32"),
    ],
)
def test_lists_are_not_truncated_silently(values: list[Any], type_: str) -> None:
    with pytest.raises(ArgumentError, match=r"^@main: argument 0 must hold values of"):
        program(f"tensor<2x{type_}>")(values)


@pytest.mark.parametrize("values", [[np.zeros((2, 3)), np.zeros((2, 4))], [np.zeros((2, 3)), np.zeros(2)]])
def test_lists_of_arrays_of_several_shapes(values: list[Any]) -> None:
    with pytest.raises(ArgumentError, match=r"^@main: argument 0 must "):
        program("tensor<2x2x3xf64>")(values)


@pytest.mark.parametrize(
    ("values", "type_", "expected"),
    [
        ([np.int8(3), True], "i32", [3, 1]),
        ([ml_dtypes.int4(3), 1], "i4", [3, 1]),
        ([np.inf, np.nan], "f16", [np.inf, np.nan]),
        ([np.float64(0.5), ml_dtypes.bfloat16(2)], "f32", [0.5, 2]),
        ([1e-300, 16777217], "f32", [0, 16777216]),
        ([6.9, -7], "f4E2M1FN", [6, -6]),
        # Rounded once, without an intermediate rounding to f32 or f64.
        ([1 + 2**-8 + 2**-40, 1], "bf16", [1 + 2**-7, 1]),
        ([2**60 + 2**36 + 1, -(2**60) - 2**36], "f32", [2**60 + 2**37, -(2**60)]),
        ([2**100, -(2**1000)], "f64", [2.0**100, -(2.0**1000)]),
    ],
)
def test_lists_are_rounded(values: list[Any], type_: str, expected: list[float]) -> None:
    np.testing.assert_array_equal(program(f"tensor<2x{type_}>")(values).astype(np.float64), expected)


def nested(depth: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(depth):
        made = [made]
    return made


@pytest.mark.parametrize(
    "value", [nested(50), nested(100_000), [10**400] * 1000, [[1] * 1000, 2], "x" * 10_000]
)
def test_messages_about_invalid_arguments_are_short(value: Any) -> None:
    with pytest.raises(ArgumentError) as caught:
        program("tensor<2xf32>")(value)
    assert len(str(caught.value)) < 400


def test_arrays_of_no_rank() -> None:
    type_ = f"tensor<{'1x' * 70}i32>"
    loaded = hlokit.load(
        f"func.func @main() -> {type_} {{ %0 = stablehlo.constant dense<1> : {type_} return %0 : {type_} }}"
    )
    with pytest.raises((UnsupportedError, hlokit.EvaluationError), match="array"):
        loaded()


@pytest.mark.parametrize("value", ["-5 : i32", "0 : i32", '"x"'])
def test_grids_of_no_size(value: str) -> None:
    loaded = hlokit.load(
        f"module attributes {{mhlo.num_replicas = {value}}} {{ func.func @main() -> tensor<ui32> {{\n"
        "%0 = stablehlo.replica_id : tensor<ui32>\nreturn %0 : tensor<ui32> }}".replace("}}", "} }"),
        filename="f.mlir",
    )
    with pytest.raises(
        VerificationError, match=r"^f.mlir: error: .* mhlo.num_replicas must be a positive integer"
    ):
        _ = loaded.grid


def archive(compression: int, change: Any) -> bytes:
    array, file = io.BytesIO(), io.BytesIO()
    np.save(array, np.array([1, 2], np.int32))
    with zipfile.ZipFile(file, "w", compression) as target:
        target.writestr("a.npy", array.getvalue())
    data = bytearray(file.getvalue())
    change(data, data.find(b"PK\x03\x04"), data.find(b"PK\x01\x02"))
    return bytes(data)


def encrypt(data: bytearray, local: int, central: int) -> None:
    data[local + 6] |= 1
    data[central + 8] |= 1


def compress_otherwise(data: bytearray, local: int, central: int) -> None:
    data[local + 8] = data[central + 10] = 77


def damage(data: bytearray, local: int, _: int) -> None:
    for place in range(local + 48, local + 70):
        data[place] ^= 0x55


def header(text: str) -> bytes:
    return b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text.encode() + b"\0" * 8


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (archive(zipfile.ZIP_STORED, encrypt), "is encrypted"),
        (archive(zipfile.ZIP_STORED, compress_otherwise), "compression must be deflate, or none"),
        (archive(zipfile.ZIP_LZMA, damage), "compression must be deflate, or none"),
        (archive(zipfile.ZIP_DEFLATED, damage), "invalid"),
        (header("{'descr': True, 'fortran_order': False, 'shape': (2,)}\n"), "not a valid dtype"),
        (header("{'descr': '<i4', 'fortran_order': False, 'shape': (True,)}\n"), "integer"),
        (header("(" * 9000 + ")" * 9000 + "\n"), ""),
        (
            header("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}\0\n"),
            "header of an array cannot be read|null bytes",
        ),
    ],
)
def test_arrays_that_are_none(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(data)
    with pytest.raises(ArgumentError, match=f"cannot read arguments from .*({reason})") as caught:
        read_arguments([str(path)])
    assert "\n" not in str(caught.value)


def test_arguments_that_are_too_large_or_none() -> None:
    with pytest.raises(ArgumentError, match="tensors that NumPy can represent"):
        read_arguments(["[dense<1> : tensor<4611686018427387904x4xi32>]"])
    for text in ("data.csv", "[[1, 2]]"):
        with pytest.raises(ArgumentError, match=r"an argument is a constant with its type, dense<\[1, 2\]>"):
            read_arguments([text])


@pytest.mark.parametrize("value", ["1" + "0" * 20, str(1 << 63), "-1", "x", "9" * 5000])
def test_numbers_that_are_too_large(value: str) -> None:
    with pytest.raises(WrongValue, match=r"^must be a number"):
        natural(value)
    with pytest.raises(WrongValue, match=r"^must be a positive number"):
        positive(value)


@pytest.mark.parametrize("place", ["operands", "attributes", "regions", "results"])
def test_text_of_requests_is_unicode(place: str) -> None:
    params: dict[str, Any] = {"op": "sort", "operands": ["tensor<2xf32>"], "attributes": {"dimension": 0}}
    params[place] = {"dimension": "\udcff"} if place == "attributes" else ["\udcff"]
    answer = json.loads(answer_line(json.dumps({"id": 1, "method": "infer", "params": params}).encode()))
    assert "internal error" not in answer["error"]["message"]
    assert "must be UTF-8: surrogates not allowed" in answer["error"]["message"]


def test_numbers_of_requests_are_finite() -> None:
    answer = json.loads(answer_line(b'{"id": 1e999, "method": "ping"}'), parse_constant=pytest.fail)
    assert answer["id"] is None and "id must be" in answer["error"]["message"]


class _Late(Exception):
    """Of a handler."""


def test_an_exception_of_a_signal_handler_reaches_the_caller() -> None:
    loop = hlokit.load(
        "func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %1 = stablehlo.while(%x = %0) : tensor<i32>\n"
        "    cond { %t = stablehlo.constant dense<true> : tensor<i1>\n stablehlo.return %t : tensor<i1> }\n"
        "    do { stablehlo.return %x : tensor<i32> }\n  return %1 : tensor<i32>\n}"
    )

    def handler(*_: object) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(_Late):
            loop()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("import jax\n", "Python"),
        ('{\n "a": 1}', "JSON"),
        ("; ModuleID = 'x'\n", "LLVM IR"),
        (b"(\xb5/\xfd\0\xff", "zstd"),
        (b"\x7fELF\x02\xff", "ELF"),
        (b"PK\x03\x04\xff\xff", "zip"),
        (b'\x08\0\0\0\0\0\0\0{"a":1}\xff', "safetensors"),
    ],
)
def test_files_of_other_kinds(source: str | bytes, what: str) -> None:
    data = source.encode() if isinstance(source, str) else source
    with pytest.raises(ParseError, match=f"^f: error: this is .*{what}.*hlokit reads MLIR text"):
        hlokit.load(data, filename="f")


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        (
            "func.func @main(%x: tensor<f32>) { %0 = stablehlo.addd %x, %x : tensor<f32> return }",
            "stablehlo.add",
        ),
        (
            'func.func @main(%x: tensor<f32>) { %0 = "stablehlo.sinee"(%x) : (tensor<f32>) -> tensor<f32> return }',
            "stablehlo.sine",
        ),
        (
            "func.func @main(%x: tensor<f32>) { %0 = stablhlo.add %x, %x : tensor<f32> return }",
            "stablehlo.add",
        ),
        (
            'func.func @main(%x: tensor<f32>) { %0 = "stablhlo.sine"(%x) : (tensor<f32>) -> tensor<f32> return }',
            "stablehlo.sine",
        ),
        ("func.func @main(%x: !stablhlo.token) { return }", "stablehlo"),
        ("func.func @main() attributes {a = #stablhlo<precision HIGH>} { return }", "stablehlo"),
        ("func.func @main(%x: tensor<2xfloat32>) { return }", "f32"),
        ("func.func @main(%x: tensor<2xbfloat16>) { return }", "bf16"),
        ("func.func @main(%x: tensor<2xf31>) { return }", "f32"),
    ],
)
def test_typing_errors_get_a_suggestion(text: str, suggestion: str) -> None:
    with pytest.raises(hlokit.HlokitError, match=rf"; did you mean {suggestion}"):
        hlokit.load(text)


def test_functions_and_passes_get_a_suggestion() -> None:
    loaded = hlokit.load("func.func @main() { return }\nfunc.func @other() { return }")
    assert loaded(function="@main") == ()
    with pytest.raises(ArgumentError, match="name man; did you mean main"):
        loaded(function="man")
    with pytest.raises(ArgumentError, match="name zzz; it has main, other"):
        loaded(function="zzz")
    with pytest.raises(ArgumentError, match="did you mean canonicalize"):
        parse_pipeline("builtin.module(func.func(canonicalise))")


def test_no_message_gives_advice_for_other_tools() -> None:
    with pytest.raises(hlokit.HlokitError) as caught:
        hlokit.load('"foo.bar"() : () -> ()\n')
    assert "nregistered" in str(caught.value)
    assert "llow" not in str(caught.value)


def test_uniform_numbers_of_few_bits_are_not_biased() -> None:
    draw = hlokit.load("""func.func @main(%a: tensor<bf16>, %b: tensor<bf16>) -> tensor<200000xbf16> {
      %n = stablehlo.constant dense<200000> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<1xi64>) -> tensor<200000xbf16>
      return %0 : tensor<200000xbf16>
    }""")
    low, high = (np.asarray(value, ml_dtypes.bfloat16)[()] for value in (-2, 3))
    values = draw(low, high).astype(np.float64)
    assert values.min() >= -2 and values.max() < 3
    assert abs(values.mean() - 0.5) < 4 * 5 / np.sqrt(12 * values.size)  # four standard deviations


def test_shape_assertions_on_tensors() -> None:
    for tier in ("default", "reference"):
        check = hlokit.load("""func.func @main(%ok: tensor<2xi1>, %a: tensor<2xi32>) {
          stablehlo.custom_call @shape_assertion(%ok, %a) {error_message = "got {0}", has_side_effect = true}
            : (tensor<2xi1>, tensor<2xi32>) -> ()
          return
        }""")
        numbers = np.array([1, 2], np.int32)
        assert check(np.array([True, True]), numbers, tier=tier) == ()
        with pytest.raises(hlokit.EvaluationError, match=r"got \[1, 2\]"):
            check(np.array([True, False]), numbers, tier=tier)


def test_shards_of_several_operands() -> None:
    both = hlokit.load("""func.func @main(%a: tensor<2xf32>, %b: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
      %0:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%a, %b) : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
      %1:2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0#0, %0#1) : (tensor<2xf32>, tensor<i32>) -> (tensor<2xf32>, tensor<i32>)
      return %1#0, %1#1 : tensor<2xf32>, tensor<i32>
    }""")
    first, second = both([1.0, 2.0], 3)
    assert first.tolist() == [1, 2] and second == 3


def test_views_of_a_mapped_file_may_outlive_an_error(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"data")
    views: list[memoryview] = []
    with pytest.raises(ParseError), mapped(str(path)) as data:
        views.append(memoryview(data))
        raise ParseError("malformed")
    assert bytes(views[0]) == b"data"


# Found by tests/fuzz/hostile.py, seed 5028.
TRUNCATED = "TUzvUg1TdGFibGVITE9fdjEuMTcuMAABGQUBBQkBAwsDBw8TFwMvGQcBDQtTExMTEwMNCwsLCxcLAwcTFwcCXwUNFwEBARcBAwMXAQMxFwEFERcBBwcDASMDHQ8dESkBAQEXJwEpAwkFEQMBAwEJBE0FAVADAQcEPQMBBQNQBQMHBCkDBQsDAwcABUYJBQMBAwEHBAsDAwYDAQUBAJcTAxkFFRkRDwsRYnVpbHRpbgB2aGxvAG1vZHVsZQBmdW5jX3YxAGxvZ2lzdGljX3YyAHJldHVybl92MQAtAG9wX2xvZ2lzdGljAAAIGQcFAQELDQ8NERMDFQ=="


def test_descriptions_of_truncated_files(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(base64.b64decode(TRUNCATED))
    with pytest.raises(ParseError, match="malformed bytecode: 5 bytes were expected, 1 are left"):
        inspect_file(str(path))


NAMES = {
    "attribute": 'func.func @main() attributes {"a.\\FF" = 1} { return }',
    "of an argument": 'func.func @main(%x: tensor<f32> {"a.\\00" = 2}) { return }',
    "of the module": 'module attributes {"a.\\00" = 1} { func.func @main() { return } }',
    "key": 'module attributes {a.a = [{"\\FF" = "x"}]} { func.func @main() { return } }',
    "function": 'func.func @main() { call @"f\\FF"() : () -> () return }\nfunc.func private @"f\\FF"() { return }',
    "function with NUL": 'func.func @"f\\00g"() { return }',
    "target": 'func.func @main() { stablehlo.custom_call @"f\\FF"() : () -> () return }',
}


@pytest.mark.parametrize("text", NAMES.values(), ids=NAMES)
def test_names_are_text(text: str) -> None:
    """The bindings raise, or die, when Python reads names that are not text."""
    message = "must be UTF-8 without NUL bytes"
    with pytest.raises(ParseError, match=message):
        hlokit.load(text)
    file = io.BytesIO()
    ir.Module.parse(text, make_context()).operation.write_bytecode(file)
    with pytest.raises(ParseError, match=f"{message}|its reader fails"):
        hlokit.load(file.getvalue())


def test_strings_may_be_any_bytes() -> None:
    text = 'module attributes {a.a = "\\FF\\00", a.b = ["\\FF"], a.c = {"\\C3\\A9" = "\\FF"}} { func.func @"\\C3\\A9"() { return } }'
    program = hlokit.load(text)
    assert program.functions == ("é",)
    assert "\\FF\\00" in hlokit.load(program.serialize()).text()


@pytest.mark.parametrize("operation", ["reshape %x", "custom_call @unknown(%x)"])
def test_long_names_of_files_are_shortened(operation: str) -> None:
    text = f"""#l = loc("{"d/" * 100_000}model.py":3:4)
    func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {{
      %0 = stablehlo.{operation} : (tensor<4xf32>) -> tensor<2xf32> loc(#l)
      return %0 : tensor<2xf32>
    }}"""
    with pytest.raises(hlokit.HlokitError) as caught:
        hlokit.load(text)(np.ones(4, np.float32))
    assert "model.py" in str(caught.value)
    assert len(str(caught.value)) < 2000


MESH = """sdy.mesh @m = <["a"=268435456, "b"=17179869184]>
func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{}], replicated={"a"}>] out_shardings=[<@m, [{}], replicated={"a"}>]
    manual_axes={"a"} (%a: tensor<2xi8>) {
    sdy.return %a : tensor<2xi8>
  } : (tensor<2xi8>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}"""
GROUPS = """#stablehlo.replica_group_mesh_axes<
  mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "a", size = 4611686018427387904>]>,
  axes = [#stablehlo.axis_ref<name = "a">]>"""


@pytest.mark.parametrize(
    "use",
    [
        lambda: hlokit.load(MESH)(np.zeros(2, np.int8)),
        lambda: hlokit.load(MESH)(np.zeros(2, np.int8), tier="reference"),
        lambda: hlokit.shard(hlokit.load(MESH)),
        lambda: read_replica_groups(
            ir.Attribute.parse(GROUPS, make_context()), ir.Module.parse("module {}", make_context()).operation
        ),
        lambda: named_mesh("'a'=2", "[2,4611686018427387904]T(1,0)"),
    ],
)
def test_meshes_of_more_devices_than_there_are(use: Callable[[], object]) -> None:
    with pytest.raises(
        hlokit.HlokitError, match=r"a mesh must have at most 65,536 devices, got \d,\d+,\d+,\d+"
    ):
        use()
