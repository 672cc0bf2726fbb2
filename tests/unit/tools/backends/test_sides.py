"""Sides: results, and each way to fail as a verdict."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from hlokit.mlir.printing import write_bytecode
from hlokit.tools.backends.children import ChildSide, last_words
from hlokit.tools.backends.names import named_side
from hlokit.tools.backends.runners import runner
from hlokit.tools.backends.side import Side, SideFailed, Unsupported

PROGRAM = """
func.func @main(%x: tensor<4xf32>, %y: tensor<3xi1>, %z: tensor<2xbf16>) -> (tensor<4xf32>, tensor<3xi1>, tensor<2xbf16>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.not %y : tensor<3xi1>
  %2 = stablehlo.add %z, %z : tensor<2xbf16>
  return %0, %1, %2 : tensor<4xf32>, tensor<3xi1>, tensor<2xbf16>
}
"""
INPUTS = [np.arange(4, dtype=np.float32), np.array([True, False, True]), np.ones(2, ml_dtypes.bfloat16)]
CHOLESKY = """
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.cholesky %x : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
"""
IDENTITY = np.eye(2, dtype=np.float32)
ENDLESS = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%a = %x) : tensor<i32> cond {
    %1 = stablehlo.compare EQ, %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %a : tensor<i32>
  }
  return %0 : tensor<i32>
}
"""


def check(side: Side | None) -> None:
    assert side is not None
    try:
        for module in (PROGRAM, write_bytecode(hlokit.load(PROGRAM).module)):
            negated, inverted, doubled = side.run(module, INPUTS)
            np.testing.assert_array_equal(negated, -INPUTS[0])
            np.testing.assert_array_equal(inverted, ~INPUTS[1])
            np.testing.assert_array_equal(doubled, INPUTS[2] + INPUTS[2])
            assert doubled.dtype == ml_dtypes.bfloat16
    finally:
        side.close()


@pytest.mark.parametrize("name", ["xla", "high", "reference", "eval-module"])
def test_a_side_gives_results(name: str) -> None:
    check(named_side(name))


@pytest.mark.deep
def test_iree_gives_results() -> None:
    pytest.importorskip("iree.compiler", reason="iree-base-compiler is not installed")
    pytest.importorskip("iree.runtime", reason="iree-base-runtime is not installed")
    check(named_side("iree"))


@pytest.mark.deep
def test_programs_that_iree_cannot_compile_are_unsupported() -> None:
    pytest.importorskip("iree.compiler", reason="iree-base-compiler is not installed")
    side = named_side("iree")
    assert side is not None
    with pytest.raises(SideFailed, match=r"failed to legalize operation 'stablehlo\.cholesky'") as failed:
        side.run(CHOLESKY, [IDENTITY])
    assert failed.value.kind == "unsupported"
    side.close()


def test_a_crash_is_a_failure_and_the_next_module_runs() -> None:
    side = named_side("eval-module")
    assert side is not None
    zero = np.asarray(0, np.int32)
    division = "func.func @main(%x: tensor<i32>) -> tensor<i32> { %0 = stablehlo.divide %x, %x : tensor<i32> return %0 : tensor<i32> }"
    for text, inputs, kind, words in (
        (division, zero, "crash", "SIGFPE"),
        (CHOLESKY, IDENTITY, "unsupported", r"SIGABRT.*cholesky is unsupported"),
    ):
        with pytest.raises(SideFailed, match=words) as failed:
            side.run(text, [inputs])
        assert failed.value.kind == kind
    check(side)


def test_a_time_out_is_a_failure() -> None:
    side = ChildSide("hlokit", time_limit=2)
    with pytest.raises(SideFailed, match="no answer within 2 s") as failed:
        side.run(ENDLESS, [np.asarray(0, np.int32)])
    assert failed.value.kind == "time-out"
    side.close()


def test_programs_that_xla_rejects_are_unsupported() -> None:
    side = ChildSide("xla")
    with pytest.raises(SideFailed, match="static shapes") as failed:
        side.run(
            "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }", [INPUTS[0]]
        )
    assert failed.value.kind == "unsupported"
    side.close()


def test_what_the_bindings_do_not_expand_is_unsupported() -> None:
    """Regression: a failure of the side, which never saw the program."""
    program = CHOLESKY.replace(
        "stablehlo.cholesky %x : tensor<2x2xf32>", "chlo.erf %x : tensor<2x2xf32> -> tensor<2x2xf32>"
    )
    run = runner("eval-module")(program.replace("f32", "f8E5M2"), "main")
    with pytest.raises(Unsupported, match=r"failed to legalize operation 'chlo\.erf'"):
        run([IDENTITY.astype(ml_dtypes.float8_e5m2)])


@pytest.mark.skipif(find_spec("iree") is None, reason="iree is not installed")
@pytest.mark.deep
def test_iree_runs_modules_that_have_names() -> None:
    text = (
        "module @jit_f { func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> } }"
    )
    side = named_side("iree")
    assert side is not None
    (result,) = side.run(text, [np.array([1, 2], np.float32)])
    side.close()
    assert result.tolist() == [1, 2]


def test_a_missing_installation_of_iree_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iree.compiler", None)
    with pytest.raises(ArgumentError, match=r"iree is not installed: pip install 'hlokit\[iree\]'"):
        named_side("iree")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("iree:cuda", "one of llvm-cpu, vmvx, got 'cuda'"),
        ("pjrt:/no/such.so", "there is no library '/no/such.so'"),
        ("cmd:cat {module}", r"must have \{inputs\} in it"),
        ("cmd:/no/such {module} {inputs} {outputs}", "there is no program '/no/such'"),
        ("cmd:'", "cannot be read"),
    ],
)
def test_sides_that_are_not_there(name: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        named_side(name)


def plugin() -> str:
    """The library of a PJRT plugin, from its package for Linux."""
    try:
        version("xla-cpu-pjrt")
    except PackageNotFoundError:
        pytest.skip("xla-cpu-pjrt is not installed")
    spec = find_spec("xla_plugins.xla_cpu_pjrt")
    assert spec is not None
    assert spec.origin is not None
    library = Path(spec.origin).with_name("xla_cpu_pjrt.so")
    assert library.is_file()
    return str(library)


@pytest.mark.deep
def test_a_plugin_gives_results() -> None:
    check(named_side(f"pjrt:{plugin()}"))


@pytest.mark.parametrize("mode", ["isolated", "values"])
@pytest.mark.deep
def test_operations_are_compared_on_a_plugin(mode: Literal["isolated", "values"]) -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %1 = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      return %2 : tensor<f32>
    }
    """
    report = hlokit.diff(hlokit.load(text), INPUTS[0], against=f"pjrt:{plugin()}", mode=mode)
    assert report.status == 0, report
    assert not report.notes
    assert sum(report.counts.values()) == 2


@pytest.mark.deep
def test_programs_that_a_plugin_cannot_compile_are_unsupported() -> None:
    side = named_side(f"pjrt:{plugin()}")
    assert side is not None
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @nothing(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    with pytest.raises(SideFailed, match="nothing") as failed:
        side.run(text, [INPUTS[0]])
    assert failed.value.kind == "unsupported"
    check(side)


def test_a_library_without_the_plugins_function_is_an_error() -> None:
    from hlokit import _bytecode

    side = named_side(f"pjrt:{_bytecode.__file__}")
    assert side is not None
    with pytest.raises(SideFailed, match="GetPjrtApi") as failed:
        side.run(PROGRAM, INPUTS)
    assert failed.value.kind == "crash"
    side.close()


def test_libraries_that_are_no_plugins_are_errors(tmp_path: Path) -> None:
    library = tmp_path / "plugin.so"
    library.write_text("no library")
    side = named_side(f"pjrt:{library}")
    assert side is not None
    with pytest.raises(SideFailed) as failed:
        side.run(PROGRAM, INPUTS)
    assert failed.value.kind == "crash"
    side.close()


SCRIPT = """
import os
import sys
import numpy as np
import ml_dtypes
import hlokit
module, inputs, outputs = sys.argv[1:4]
if len(sys.argv) > 4:
    if int(sys.argv[4]) < 0:
        os.kill(os.getpid(), -int(sys.argv[4]))
    sys.exit(int(sys.argv[4]))
program = hlokit.load(module)
types = program.signature().inputs
with np.load(inputs) as given:
    arrays = [given[f"input_{n}"].view(t.element_type.dtype) for n, t in enumerate(types)]
results = program(*arrays)
np.savez(outputs, **{f"result_{n}": r if r.dtype.kind != "V" and r.dtype.name != "bfloat16" else r.view("V2") for n, r in enumerate(results)})
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    script = tmp_path / "side.py"
    script.write_text(SCRIPT)
    return f"cmd:{sys.executable} {script} {{module}} {{inputs}} {{outputs}}"


def test_a_program_is_a_side(command: str) -> None:
    check(named_side(command))


@pytest.mark.parametrize(
    ("argument", "kind", "reason"),
    [
        ("3", "error", "status 3"),
        ("64", "unsupported", "status 64"),
        ("0", "error", "it wrote no results"),
        ("-6", "crash", "its process died of SIGABRT"),
        ("-9", "killed", "its process was killed"),
    ],
)
def test_a_program_that_fails(command: str, argument: str, kind: str, reason: str) -> None:
    side = named_side(f"{command} {argument}")
    assert side is not None
    with pytest.raises(SideFailed, match=reason) as failed:
        side.run(PROGRAM, INPUTS)
    assert failed.value.kind == kind


def test_the_relevant_line_of_the_output_of_a_process() -> None:
    assert last_words("starting\nF0 Check failed: a == b\n@ 0x123\n") == "F0 Check failed: a == b"
    assert last_words("") == ""
    log = "F1130 22:27:41.964373    4812 literal.cc:2746] Unhandled primitive type F6E2M3FN\n"
    stack = "*** Check failure stack trace: ***\n    @     0x7fb493308da1  xla::LiteralBase::ToProto()\n"
    assert last_words(log + stack) == "literal.cc:2746] Unhandled primitive type F6E2M3FN"
    assert last_words("what happened\n" + "00C0" * 99) == "what happened"


PROGRAM_OF_COMPLEX_NUMBERS = """func.func @main(%x: tensor<complex<f64>>) -> tensor<complex<f64>> {
  %0 = stablehlo.multiply %x, %x : tensor<complex<f64>>
  return %0 : tensor<complex<f64>>
}"""


def test_a_side_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlokit.tools.backends.names.find_spec", lambda module: None)
    for name in ("torch-xla", "iree"):
        with pytest.raises(ArgumentError, match="is not installed: pip install"):
            named_side(name)


@pytest.mark.skipif(
    find_spec("torch_xla") is None, reason="needs torch_xla, which is too large for the extras for tests"
)
def test_pytorch_xla() -> None:
    side = named_side("torch-xla", 60)
    assert side is not None
    try:
        results = side.run(PROGRAM, INPUTS)
        expected = hlokit.load(PROGRAM)(*INPUTS)
        assert [(value.dtype, value.tolist()) for value in results] == [
            (value.dtype, value.tolist()) for value in expected
        ]
        unsigned = PROGRAM.replace("i1", "ui32")
        inputs = [INPUTS[0], np.array([1, 2, 2**32 - 1], np.uint32), INPUTS[2]]
        assert side.run(unsigned, inputs)[1].tolist() == [2**32 - 2, 2**32 - 3, 0]
        square = PROGRAM_OF_COMPLEX_NUMBERS
        assert side.run(square, [np.array(1 + 2j)])[0].tolist() == -3 + 4j  # PyTorch's own copy loses 4j
        with pytest.raises(SideFailed, match="Int4") as failure:
            side.run(
                "func.func @main(%x: tensor<4xi4>) -> tensor<4xi4> { return %x : tensor<4xi4> }",
                [np.zeros(4, ml_dtypes.int4)],
            )
        assert failure.value.kind == "unsupported"
    finally:
        side.close()


def test_a_crash_of_irees_compiler_is_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    class CompilerToolError(Exception):
        pass

    def compile_str(text: str, **_: object) -> bytes:
        raise CompilerToolError(messages.pop())

    compiler = SimpleNamespace(CompilerToolError=CompilerToolError, compile_str=compile_str)
    monkeypatch.setitem(sys.modules, "iree.compiler", compiler)
    monkeypatch.setitem(sys.modules, "iree.runtime", SimpleNamespace())
    head = "Error invoking IREE compiler tool iree-compile\nError code: "
    messages = [f"{head}1\nDiagnostics:\n<stdin>:2:8: error: no such operation", f"{head}-11\nDiagnostics:\n"]
    module = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    with pytest.raises(RuntimeError, match="iree-compile died of SIGSEGV"):
        runner("iree:vmvx")(module, "main")
    with pytest.raises(Unsupported, match="no such operation"):
        runner("iree:vmvx")(module, "main")
