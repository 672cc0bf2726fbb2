"""result_accuracy attributes, checked while a program runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit import CheckAccuracy
from hlokit.engine.contract import registry
from hlokit.errors import CheckFailed, EvaluationError
from hlokit.tools.numerics.result_accuracy import Tolerance
from hlokit.values.element_types import BF16, COMPLEX_F32, COMPLEX_F64, F16, F32, F64, ElementType
from tests.unit.kernels.elementwise.elementwise_programs import NARROW_FLOATS as FLOATS
from tests.unit.values.strategies import every_value

FUNCTIONS = (
    *("cbrt", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one"),
    *("logistic", "rsqrt", "sine", "sqrt", "tan", "tanh"),
)
TOLERANCE, HIGHEST, DEFAULT = (
    f"mode = #stablehlo.result_accuracy_mode<{mode}>" for mode in ("TOLERANCE", "HIGHEST", "DEFAULT")
)


def program(function: str, accuracy: str, element_type: ElementType = F32, size: int = 64) -> hlokit.Program:
    type_ = f"tensor<{size}x{element_type}>"
    return hlokit.load(f"""
      func.func @main(%x: {type_}) -> {type_} {{
        %0 = "stablehlo.{function}"(%x) {{result_accuracy = #stablehlo.result_accuracy<{accuracy}>}} : ({type_}) -> {type_} loc("net.py":7:2)
        return %0 : {type_}
      }}""")


def operands(element_type: ElementType) -> Any:
    generator = np.random.default_rng(0)
    values = generator.standard_normal(64) * 2.0 ** generator.integers(-12, 8, 64)
    if element_type in (COMPLEX_F32, COMPLEX_F64):
        return (values + 1j * generator.standard_normal(64)).astype(element_type.dtype)
    values[:7] = [0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 3e4]
    return values.astype(element_type.dtype)


@pytest.mark.parametrize("element_type", [BF16, F16, F32, F64, COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("accuracy", [f"ulps = 1, {TOLERANCE}", HIGHEST], ids=["ulps", "highest"])
def test_functions_are_as_accurate_as_required(element_type: ElementType, accuracy: str) -> None:
    for function in FUNCTIONS:
        check = CheckAccuracy()
        program(function, accuracy, element_type)(operands(element_type), observer=check)
        assert check.checked == 1
        assert 0 < check.max_ulp < 1


@pytest.mark.parametrize("element_type", FLOATS, ids=str)
def test_no_value_of_a_narrow_type_is_a_false_alarm(element_type: ElementType) -> None:
    """Including values that overflow or are undefined, in types without infinity or NaN."""
    values = every_value(element_type)
    for function in FUNCTIONS:
        check = CheckAccuracy()
        program(function, HIGHEST, element_type, values.size)(values, observer=check)
        assert check.checked == 1
        assert check.max_ulp < 0.51


@pytest.mark.parametrize("element_type", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_no_corner_of_the_complex_plane_is_a_false_alarm(element_type: ElementType) -> None:
    parts = [0.0, -0.0, 1, -1, 1e-30, -3e37, np.inf, -np.inf, np.nan]
    values = np.array([complex(x, y) for x in parts for y in parts]).astype(element_type.dtype)
    for function in FUNCTIONS:
        check = CheckAccuracy()
        program(function, HIGHEST, element_type, values.size)(values, observer=check)
        assert check.checked == 1


def test_an_infinity_in_place_of_a_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    bind = registry.find("stablehlo.tanh")
    assert bind is not None
    broken = registry.Kernel(lambda x: np.full(x.shape, np.inf, x.dtype))
    monkeypatch.setitem(registry._BIND_FUNCTIONS, "stablehlo.tanh", lambda operation: broken)
    with pytest.raises(CheckFailed, match=r"operand 1\.0, result inf, exact 0\.76159415\d*\n"):
        program("tanh", HIGHEST, F32, 1)(np.ones(1, np.float32), observer=CheckAccuracy())


@pytest.mark.parametrize("accuracy", [DEFAULT, f"atol = 100.0, {TOLERANCE}"])
def test_accuracies_that_are_always_satisfied(accuracy: str) -> None:
    check = CheckAccuracy()
    program("sine", accuracy)(operands(F32), observer=check)
    assert check.checked == (0 if accuracy is DEFAULT else 1)


def test_a_tolerance_below_the_precision_of_the_type() -> None:
    with pytest.raises(CheckFailed) as caught:
        program("tanh", f"rtol = 1.0e-12, {TOLERANCE}")(operands(F32), observer=CheckAccuracy())
    message = str(caught.value)
    assert (
        "results must be as accurate as result_accuracy requires (atol = 0, rtol = 1e-12, ulps = 0)"
        in message
    )
    assert "of 64 are not, from net.py:7:2" in message
    assert "no number of type f32 is closer to the exact result" in message


def test_a_tolerance_of_nothing() -> None:
    with pytest.raises(
        EvaluationError, match="must not have atol, rtol and ulps of 0, which no rounded result"
    ):
        program("tanh", TOLERANCE)(operands(F32), observer=CheckAccuracy())
    program("tanh", TOLERANCE)(operands(F32))  # no error without the check


@pytest.mark.parametrize("element_type", [F32, F64, COMPLEX_F32], ids=str)
def test_results_that_are_off_are_found(element_type: ElementType, monkeypatch: pytest.MonkeyPatch) -> None:
    bind = registry.find("stablehlo.exponential")
    assert bind is not None

    def rough(operation: registry.Operation) -> registry.Kernel:
        kernel = bind(operation)
        assert isinstance(kernel, registry.Kernel)
        epsilon = np.finfo(element_type.dtype).eps
        factor = np.ones(64, element_type.dtype)
        factor[20] += 4 * epsilon
        return registry.Kernel(lambda x: kernel.function(x) * factor)

    monkeypatch.setitem(registry._BIND_FUNCTIONS, "stablehlo.exponential", rough)
    x = np.linspace(0.1, 2, 64).astype(element_type.dtype)
    check = CheckAccuracy()
    program("exponential", f"ulps = 8, {TOLERANCE}", element_type)(x, observer=check)
    assert 2 < check.max_ulp < 8.5
    allowed = 2 if element_type is COMPLEX_F32 else 1
    message = rf"(?s)1 of 64 are not.*index 20 in row-major order.*exact.*allowed {allowed} ULP"
    with pytest.raises(CheckFailed, match=message):
        program("exponential", HIGHEST, element_type)(x, observer=CheckAccuracy())


def test_tolerances_are_read_as_mlir_spells_them() -> None:
    text = "#stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"
    assert Tolerance.read(text) == Tolerance(1e-5, 0.0, 3, "TOLERANCE")
    assert str(Tolerance.read(text)) == "atol = 1e-05, rtol = 0, ulps = 3"
    assert (
        Tolerance.read("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>").mode
        == "HIGHEST"
    )
