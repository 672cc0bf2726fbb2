"""`hlokit.load`, `hlokit.from_jax` and `Program`: the user's interface."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.programs.calls.arguments import as_values

SCALE = """
func.func @main(%x: tensor<2x3xf32>, %factor: tensor<f32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %factor, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def bytecode(text: str) -> bytes:
    import io

    buffer = io.BytesIO()
    hlokit.load(text).module.operation.write_bytecode(buffer)
    return buffer.getvalue()


def artifact(text: str, version: str) -> bytes:
    module = hlokit.load(text).module
    with module.context:
        return stablehlo.serialize_portable_artifact(module, version)


def test_load_text_that_is_none() -> None:
    with pytest.raises(hlokit.ParseError, match="text that UTF-8 can encode"):
        hlokit.load("// \ud800\n" + SCALE)


def test_load_text() -> None:
    np.testing.assert_array_equal(hlokit.load(SCALE)(X, 2.0), X * 2)


def test_load_bytecode() -> None:
    np.testing.assert_array_equal(hlokit.load(bytecode(SCALE))(X, 2.0), X * 2)


@pytest.mark.parametrize("version", ["0.9.0", "0.14.0", "1.0.0", stablehlo.get_current_version()])
def test_load_portable_artifact_of_version(version: str) -> None:
    np.testing.assert_array_equal(hlokit.load(artifact(SCALE, version))(X, 2.0), X * 2)


@pytest.mark.parametrize("as_path", [str, Path])
def test_load_path(tmp_path: Path, as_path: type) -> None:
    for name, contents in (("a.mlir", SCALE.encode()), ("a.mlirbc", bytecode(SCALE))):
        (tmp_path / name).write_bytes(contents)
        np.testing.assert_array_equal(hlokit.load(as_path(tmp_path / name))(X, 2.0), X * 2)


def test_load_jax_export_blob() -> None:
    exported = jax.export.export(jax.jit(lambda tree: {"double": tree["x"] * 2}))({"x": X})
    program = hlokit.load(bytes(exported.serialize()))
    np.testing.assert_array_equal(program({"x": X})["double"], X * 2)


def test_from_jax_takes_and_gives_pytrees() -> None:
    program = hlokit.from_jax(lambda a, b: (a + b["c"], [a]), X, {"c": X})
    total, (same,) = program(X, {"c": np.ones_like(X)})
    np.testing.assert_array_equal(total, X + 1)
    np.testing.assert_array_equal(same, X)


def test_from_jax_checks_the_structure() -> None:
    with pytest.raises(hlokit.ArgumentError, match=r"tree\['c'\] is missing"):
        hlokit.from_jax(lambda tree: tree["c"], {"c": X})([X])


def test_from_jax_takes_keywords() -> None:
    program = hlokit.from_jax(lambda a, *, scale: a * scale["by"], X, scale={"by": X})
    np.testing.assert_array_equal(program(X, scale={"by": 2 * X}), 2 * X * X)
    with pytest.raises(hlokit.ArgumentError, match=r"scale\['by'\] is missing"):
        program(X)
    with pytest.raises(hlokit.ArgumentError, match="there is no parameter y"):
        hlokit.load(SCALE)(y=X)


def test_a_blob_for_several_platforms_behaves_as_on_cpus() -> None:
    def function(a: jax.Array) -> jax.Array:
        return jax.lax.platform_dependent(a, cpu=lambda b: b + 1, tpu=lambda b: b + 2)

    for platforms in (("tpu", "cpu"), ("cpu", "tpu")):
        blob = jax.export.export(jax.jit(function), platforms=platforms)(X).serialize()
        np.testing.assert_array_equal(hlokit.load(bytes(blob))(X), X + 1)


@pytest.fixture(scope="module")
def exported() -> jax.export.Exported:
    def function(a: jax.Array, w: jax.Array) -> jax.Array:
        return jax.lax.platform_dependent(a, tpu=lambda b: b + 2, cpu=lambda b: b + 1) * w

    return jax.export.export(jax.jit(function), platforms=["tpu", "cpu"])(X, X)


def test_the_platform_of_a_blob_is_no_parameter(
    exported: jax.export.Exported, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.blob"
    path.write_bytes(exported.serialize())
    program = hlokit.load(path)
    assert str(program.signature()) == "@main(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    assert program.parameter_names("main") == ("a", "w")
    assert program.verify() == []
    np.testing.assert_array_equal(hlokit.load(program.serialize())(X, X), (X + 1) * X)
    np.savez(tmp_path / "x.npz", w=X, a=X + 1)  # by name
    assert main(["run", str(path), str(tmp_path / "x.npz"), f"--output={tmp_path / 'y.npz'}"]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["result_0"], (X + 2) * X)
    capsys.readouterr()


def test_a_module_for_several_platforms_takes_the_number(exported: jax.export.Exported) -> None:
    program = hlokit.load(exported.mlir_module_serialized)
    first = 'tensor<i32> {jax.global_constant = "_platform_index"}'
    assert str(program.signature()) == f"@main({first}, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"
    for number in (0, 1):
        np.testing.assert_array_equal(program(number, X, X), (X + 2 - number) * X)
    with pytest.raises(
        hlokit.ArgumentError, match="with 3 arguments, got 2: the first is the number of the pl"
    ):
        program(X, X)


def test_keys_of_random_numbers() -> None:
    key = jax.random.key(3)
    program = hlokit.from_jax(lambda k: jax.random.bits(k, (4,)), key)
    np.testing.assert_array_equal(program(key), jax.random.bits(key, (4,)))
    text = "func.func @main(%k: tensor<2xui32>) -> tensor<2xui32> { return %k : tensor<2xui32> }"
    with pytest.raises(
        hlokit.ArgumentError, match=r"argument 0 must have type tensor<2xui32>, got .*key_data"
    ):
        hlokit.load(text)(key)


def test_from_jax_leaves_out_unused_arguments() -> None:
    program = hlokit.from_jax(lambda a, b: b + 1, X, X)
    np.testing.assert_array_equal(program(X * 5, X), X + 1)


def test_call_with_jax_arrays() -> None:
    result = hlokit.load(SCALE)(jnp.asarray(X), jnp.float32(2))
    assert type(result) is np.ndarray
    np.testing.assert_array_equal(result, X * 2)


def test_call_with_lists_and_scalars() -> None:
    np.testing.assert_array_equal(hlokit.load(SCALE)(X.tolist(), 2), X * 2)


def test_call_a_named_function() -> None:
    program = hlokit.load(SCALE.replace("@main", "@scale") + SCALE.replace("@main", "@other"))
    assert program.functions == ("scale", "other")
    np.testing.assert_array_equal(program(X, 3.0, function="other"), X * 3)
    with pytest.raises(hlokit.ArgumentError, match="module must have entry func with name main"):
        program(X, 3.0)


def test_results_belong_to_the_caller() -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {\nreturn %x : tensor<3xi32>\n}"
    )
    argument = np.array([1, 2, 3], np.int32)
    result = program(argument)
    result[0] = 7
    assert argument[0] == 1
    assert program(argument).tolist() == [1, 2, 3]


def test_equal_results_are_separate_arrays() -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {\n"
        "%0 = stablehlo.negate %x : tensor<3xi32>\nreturn %0, %0 : tensor<3xi32>, tensor<3xi32>\n}"
    )
    first, second = program([1, 2, 3])
    first[0] = 7
    assert second.tolist() == [-1, -2, -3]


@pytest.mark.parametrize(
    "constant", ["stablehlo.constant dense<[0, 1]>", "stablehlo.constant dense<7>", "stablehlo.iota dim = 0"]
)
def test_constants_survive_writes_into_results(constant: str) -> None:
    program = hlokit.load(
        f"func.func @main() -> tensor<2xi32> {{\n%0 = {constant} : tensor<2xi32>\nreturn %0 : tensor<2xi32>\n}}"
    )
    first = program()
    expected = first.tolist()
    for _ in range(3):  # the ways in which a block is run
        first[:] = 9
        first = program()
        assert first.tolist() == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X,), "@main must be called with 2 arguments, got 1"),
        ((X.astype(np.float64), 1.0), r"argument 0 must have type tensor<2x3xf32>, got tensor<2x3xf64>"),
        ((X.T, 1.0), r"argument 0 must have type tensor<2x3xf32>, got tensor<3x2xf32>"),
        ((X, "1"), "argument 1 must have type tensor<f32>"),
        ((X, 1j), "argument 1 must hold values of f32, got 1j"),
        ((X, [1.0]), r"argument 1 must have type tensor<f32>, got tensor<1xf32>"),
        (([[1, 2], [3]], 1.0), "argument 0 must"),
        ((X, 10**400), r"argument 1 must have type tensor<f32>, got 10+"),
        ((np.ma.array(X, mask=X > 0), 1.0), "argument 0 must have type tensor<2x3xf32>, got MaskedArray"),
    ],
)
def test_arguments_that_do_not_fit(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(hlokit.ArgumentError, match=message):
        hlokit.load(SCALE)(*arguments)


def test_arguments_of_every_kind_become_plain_arrays() -> None:
    """Arrays that are values already are used as they are; others are converted, and rank 0 gives scalars."""
    types = hlokit.load(SCALE).signature().inputs
    between = np.zeros(X.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(X.shape)
    between[...] = X
    for given in (X, X.copy("F"), X.tolist(), X.view(np.recarray), jnp.asarray(X), between):
        for factor in (2, np.float32(2), np.array(2, np.float32)):
            x, scalar = as_values((given, factor), types, "main")
            assert type(x) is np.ndarray
            assert x.flags.aligned
            assert (x is given) == (type(given) is np.ndarray and given is not between)
            assert np.array_equal(x, X)
            assert type(scalar) is np.float32


def test_python_integers_must_be_in_range() -> None:
    program = hlokit.load("func.func @main(%x: tensor<i4>) -> tensor<i4> {\nreturn %x : tensor<i4>\n}")
    result = program(-8)
    assert result.dtype == ml_dtypes.int4
    assert int(result) == -8
    with pytest.raises(hlokit.ArgumentError, match="must hold values of i4, got 8"):
        program(8)


def test_signature_and_text() -> None:
    program = hlokit.load(SCALE)
    assert str(program.signature()) == "@main(tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"
    assert "stablehlo.multiply" in program.text()
    assert "loc(" not in program.text()
    assert "loc(" in program.text(debug_info=True)
    assert hlokit.load(program.text()).text() == program.text()


def test_text_elides_large_constants() -> None:
    values = ", ".join(map(str, range(100)))
    program = hlokit.load(
        f"func.func @main() -> tensor<100xi32> {{\n%0 = stablehlo.constant dense<[{values}]> : tensor<100xi32>\n"
        "return %0 : tensor<100xi32>\n}"
    )
    assert "__elided__" in program.text(elide_larger_than=10)
    assert "__elided__" not in program.text()


def test_verify_finds_errors_introduced_after_loading() -> None:
    program = hlokit.load(SCALE)
    assert program.verify() == []
    multiply = program.module.body.operations[0].entry_block.operations[1]
    multiply.operation.results[0].set_type(ir.Type.parse("tensor<3x2xf32>", program.module.context))
    (diagnostic, *_) = program.verify()
    assert diagnostic.severity == "error"


def test_unsupported_lists_operations_that_a_call_could_not_evaluate() -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "%0 = stablehlo.custom_call @nobody.knows(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "return %0 : tensor<2xf32>\n}",
        filename="model.mlir",
    )
    (found,) = program.unsupported()
    assert (found.op, found.function) == ("stablehlo.custom_call", "main")
    assert "@nobody.knows" in found.reason
    assert hlokit.load(SCALE).unsupported() == []


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("func.func @main() {\n  stablehlo.nothing\n}", hlokit.ParseError, r"^f\.mlir:2:3: error: "),
        ("this is not MLIR\n", hlokit.ParseError, r"^f\.mlir:1:1: error: "),
        (b"\x00\x01\x02\xff", hlokit.ParseError, r"^f\.mlir: error: input must be MLIR text"),
        (
            'func.func @main(%x: tensor<2xf32>) {\n  %0 = "stablehlo.concatenate"(%x) <{dimension = 4 : i64}>'
            " : (tensor<2xf32>) -> tensor<2xf32>\n  return\n}",
            hlokit.VerificationError,
            r"^f\.mlir:2:8: error: ",
        ),
    ],
)
def test_invalid_input(source: str | bytes, error: type[hlokit.HlokitError], message: str) -> None:
    with pytest.raises(error, match=message):
        hlokit.load(source, filename="f.mlir")


def test_unknown_operations_are_rejected_also_beside_check_operations() -> None:
    text = (
        "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n"
        '  check.expect_eq_const %0, dense<1> : tensor<i32>\n  "unknown.op"() : () -> ()\n  return\n}'
    )
    with pytest.raises(hlokit.ParseError, match=r"^-:4:3: error: .*'unknown.op'"):
        hlokit.load(text)


def test_nesting_that_would_overrun_the_stack() -> None:
    text = "func.func @main(%p: tensor<i1>) {\n" + '"stablehlo.if"(%p) ({\n' * 100_000
    with pytest.raises(hlokit.ParseError, match="nested more than 256 levels deep"):
        hlokit.load(text)


def test_missing_file() -> None:
    with pytest.raises(hlokit.ParseError, match=r"cannot open input file 'no/such/file\.mlir': no such file"):
        hlokit.load("no/such/file.mlir")
    with pytest.raises(hlokit.ParseError, match="cannot open input file"):
        hlokit.load("no\0file.mlir")


@pytest.mark.parametrize("make", [bytecode, lambda text: artifact(text, "1.0.0")])
def test_truncated_input_raises(make: object) -> None:
    data = make(SCALE)
    for length in range(4, len(data), 7):
        with pytest.raises(hlokit.HlokitError):
            hlokit.load(data[:length])


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        # Found by verifiers, by what infers types, in custom and in generic form, at a location of its own.
        (
            '"stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>',
            hlokit.VerificationError,
        ),
        ("stablehlo.transpose %x, dims = [1] : (tensor<2xf32>) -> tensor<2xf32>", hlokit.VerificationError),
        (
            '"stablehlo.transpose"(%x) {permutation = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>'
            ' loc("model.py":7:9)',
            hlokit.VerificationError,
        ),
        ("stablehlo.concatenate %x, dim = 1 : (tensor<2xf32>) -> tensor<2xf32>", hlokit.VerificationError),
        # Found when reading.
        ("stablehlo.transpose %x, dims = [a] : (tensor<2xf32>) -> tensor<2xf32>", hlokit.ParseError),
        ("stablehlo.adds %x, %x : tensor<2xf32>", hlokit.ParseError),
        ('"unknown.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>', hlokit.ParseError),
        ("stablehlo.add %x, %x : tensor<3xf32>", hlokit.ParseError),
        ("stablehlo.constant dense<[1]> : tensor<2xf32>", hlokit.ParseError),
    ],
)
def test_inputs_that_are_no_programs_and_invalid_programs(
    operation: str, error: type[hlokit.HlokitError]
) -> None:
    with pytest.raises(hlokit.HlokitError) as caught:
        hlokit.load(f"func.func @main(%x: tensor<2xf32>) {{\n  %0 = {operation}\n  return\n}}")
    assert type(caught.value) is error


def test_arguments_are_within_the_bounds_of_their_dimensions() -> None:
    type_ = "tensor<?xf32, #stablehlo.bounds<3>>"
    program = hlokit.load(f"func.func @main(%x: {type_}) -> {type_} {{\n  return %x : {type_}\n}}")
    assert program(np.ones(3, np.float32)).shape == (3,)
    with pytest.raises(hlokit.ArgumentError, match=r"must have type tensor<\?xf32.*, got tensor<4xf32>"):
        program(np.ones(4, np.float32))
