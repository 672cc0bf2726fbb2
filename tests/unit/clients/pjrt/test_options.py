"""Options of runs: NaNs, observers, recordings, checks against XLA:CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
import hlokit.jax
from hlokit.clients.pjrt.executables import Executable
from hlokit.clients.pjrt.options import Options, from_environment
from hlokit.errors import ArgumentError, EvaluationError
from unit.clients.pjrt.platforms import run

LOG = b"""
module @logarithm { func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log %x : tensor<2xf32>
  %1 = stablehlo.add %0, %x : tensor<2xf32>
  return %1 : tensor<2xf32>
} }"""
ONE = np.ones(2, np.float32)


@pytest.fixture
def logarithm() -> Executable:
    return Executable.compiled(LOG, "mlir", b"")


def test_stop_on_nan(logarithm: Executable) -> None:
    with hlokit.jax.options(stop_on_nan=True), pytest.raises(EvaluationError, match="computed 2 NaN"):
        logarithm.execute([[-ONE]])
    ((result,),) = logarithm.execute([[-ONE]])
    assert np.isnan(result).all()


def test_stop_on_nan_of_a_program_names_the_line() -> None:
    ended = run("f = jax.jit(lambda x:\n  jnp.log(x) + 1)\nf(-1.0)", HLOKIT_JAX_STOP_ON_NAN="1")
    assert ended.returncode == 1
    assert "stablehlo.log: computed 1 NaN from operands without NaN, at <string>:3" in ended.stderr


def test_observer(logarithm: Executable) -> None:
    records: list[hlokit.Record] = []
    with hlokit.jax.options(observer=hlokit.Trace(records.append)):
        logarithm.execute([[ONE]])
    assert [record.op for record in records] == ["stablehlo.log", "stablehlo.add"]


def test_the_reference_is_observed_and_recorded(logarithm: Executable, tmp_path: Path) -> None:
    records: list[hlokit.Record] = []
    with hlokit.jax.options(tier="reference", observer=hlokit.Trace(records.append), record=tmp_path):
        ((result,),) = logarithm.execute([[ONE]])
    assert [record.op for record in records] == ["stablehlo.log", "stablehlo.add"]
    recording = hlokit.Recording(tmp_path / "000001-logarithm")
    assert recording.replay().tobytes() == result.tobytes()
    with (
        hlokit.jax.options(tier="reference", stop_on_nan=True),
        pytest.raises(EvaluationError, match="computed 2 NaN"),
    ):
        logarithm.execute([[-ONE]])


def test_recordings(logarithm: Executable, tmp_path: Path) -> None:
    with hlokit.jax.options(record=tmp_path, every=2):
        for number in range(1, 5):
            logarithm.execute([[number * ONE]])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000001-logarithm", "000002-logarithm"]
    with (
        hlokit.jax.options(record=__file__),
        pytest.raises(ArgumentError, match="record must be a folder, got"),
    ):
        logarithm.execute([[ONE]])
    recording = hlokit.Recording(tmp_path / "000002-logarithm")
    assert recording.arguments[0].tolist() == [3, 3]
    assert recording.replay().tobytes() == recording.results[0].tobytes()


def test_a_check_that_agrees(logarithm: Executable) -> None:
    with hlokit.jax.options(check="xla"):
        ((result,),) = logarithm.execute([[ONE]])
    assert result.tolist() == [1, 1]


def test_a_check_that_differs(logarithm: Executable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # XLA:CPU reads subnormal numbers as zeros (docs/findings.md).
    text = b"""
    module @sign_ { func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
      %0 = stablehlo.sign %x : tensor<1xf32>
      return %0 : tensor<1xf32>
    } }"""
    subnormal = np.array([1e-40], np.float32)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hlokit.clients.pjrt.watched.diff", _diff_that_flushes_nothing)
    with (
        hlokit.jax.options(check="xla"),
        pytest.raises(EvaluationError, match="differs from XLA:CPU") as caught,
    ):
        Executable.compiled(text, "mlir", b"").execute([[subnormal]])
    assert "stablehlo.sign" in str(caught.value)
    assert hlokit.Recording(tmp_path / "hlokit-differences" / "000001-sign_").arguments[0] == subnormal


def _diff_that_flushes_nothing(
    program: hlokit.Program, *arguments: object, against: str
) -> hlokit.DiffReport:
    return hlokit.diff(program, *arguments, against=against, flush="none")


def test_programs_with_callbacks_are_not_checked() -> None:
    script = (
        "f = jax.jit(lambda x: jax.pure_callback(np.negative, jax.ShapeDtypeStruct((), np.float32), x))\n"
        "print(f(1.0), f(2.0))"
    )
    ended = run(script, HLOKIT_JAX_CHECK="xla")
    assert (ended.returncode, ended.stdout) == (0, "-1.0 -2.0\n")
    assert ended.stderr.count("calls Python or runs on several devices: not checked") == 1


def test_tiers_and_precisions() -> None:
    text = b"""
    module @cancels { func.func @main(%x: tensor<3xf64>) -> tensor<f64> {
      %zero = stablehlo.constant dense<0.0> : tensor<f64>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
      return %0 : tensor<f64>
    } }"""
    terms = np.array([1, 1e16, -1e16])
    for options, expected in (({}, 0), ({"tier": "reference"}, 0), ({"precision": "high"}, 1)):
        with hlokit.jax.options(**options):
            ((result,),) = Executable.compiled(text, "mlir", b"").execute([[terms]])
        assert result == expected, options


def test_options_nest() -> None:
    with hlokit.jax.options(every=3):
        with hlokit.jax.options(stop_on_nan=True) as inner:
            assert inner == Options(stop_on_nan=True, every=3)
        with hlokit.jax.options() as outer:
            assert outer == Options(every=3)


def test_wrong_options() -> None:
    expected = {
        "check must be one of '', 'xla', got 'iree'": {"check": "iree"},
        "there is no option speed; there are stop_on_nan, observer, record, check, every, precision, tier": {
            "speed": 2
        },
        "there is no option stop_on_nans; did you mean stop_on_nan=?": {"stop_on_nans": True},
        "stop_on_nan must be True or False, got 'no'": {"stop_on_nan": "no"},
        "every must be a positive number, got 0": {"every": 0},
        "every must be a positive number, got 1.5": {"every": 1.5},
        "record must be the path of a folder, got 3": {"record": 3},
        "an observer must have methods before and after, got the class StopOnNan: write StopOnNan(...)": {
            "observer": hlokit.StopOnNan
        },
        "precision must be left out with tier='reference', which has its own, got 'high'": {
            "precision": "high",
            "tier": "reference",
        },
    }
    for message, changes in expected.items():
        with pytest.raises(ArgumentError) as caught:
            hlokit.jax.options(**changes)
        assert str(caught.value) == message


def test_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_JAX_EVERY", "100")
    monkeypatch.setenv("HLOKIT_JAX_STOP_ON_NAN", "0")
    monkeypatch.setenv("HLOKIT_JAX_RECORD", "run")
    assert from_environment() == Options(every=100, record="run")
    expected = {
        ("HLOKIT_JAX_EVERY", "often"): "HLOKIT_JAX_EVERY: every must be a positive number, got 'often'",
        (
            "HLOKIT_JAX_STOP_ON_NAN",
            "no",
        ): "HLOKIT_JAX_STOP_ON_NAN: stop_on_nan must be True or False, got 'no'",
        (
            "HLOKIT_JAX_CHECKS",
            "xla",
        ): "there is no variable HLOKIT_JAX_CHECKS; did you mean HLOKIT_JAX_CHECK?",
    }
    for (name, text), message in expected.items():
        with monkeypatch.context() as one, pytest.raises(ArgumentError) as caught:
            one.setenv(name, text)
            from_environment()
        assert str(caught.value) == message
    monkeypatch.setenv("HLOKIT_JAX_STOP_ON_NAN", "True")
    assert from_environment().stop_on_nan
