"""Functions of the native machine: as NumPy's path where that is decided, and correctly rounded where it differs.

Both paths compute f32 and less in f64, with errors of some 2**-51, and round once. So they can differ only where
the exact result is all but halfway between two neighbours, and by one unit in the last place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlokit import _native
from hlokit.accuracy import exact
from hlokit.interpreter.machine import operation_of
from hlokit.interpreter.steps import Step
from hlokit.interpreter.switches import VARIABLE
from hlokit.ops.native import FUNCTIONS
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.interpreter.plans import plan_of
from tests.unit.native import coefficients
from tests.unit.native.test_machines import chain_result, loop_result, same

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROOT = Path(__file__).parents[3]
NAMES = sorted(FUNCTIONS)
ODD = ("exponential_minus_one", "log_plus_one", "sine", "tan", "tanh")
Array = np.ndarray[Any, np.dtype[Any]]


def step_of(name: str, type_: str, shape: str = "7x") -> Step:
    tensor = f"tensor<{shape}{type_}>"
    (step,) = plan_of(f"func.func @main(%a: {tensor}) {{ %0 = stablehlo.{name} %a : {tensor} return }}").steps
    return step


def plain_step_of(name: str, type_: str, monkeypatch: pytest.MonkeyPatch) -> Step:
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        return step_of(name, type_)


def samples(count: int) -> Array:
    """f32 of any bits, of usual sizes and close to where the functions change."""
    rng = np.random.default_rng(5)
    anything = rng.integers(0, 1 << 32, count, dtype=np.uint32).view(np.float32)
    usual = np.concatenate([rng.normal(0, scale, count // 4) for scale in (0.01, 1, 10, 100)])
    edges = np.array([0.0, 1, 20, 88.72284, 104, 150, 2.0**20, 2.0**21, np.inf, np.nan, 1e-45, 3.4028235e38])
    turns = np.arange(1, 2000) * (np.pi / 4)
    near = np.concatenate([edges, turns, 2.0 ** np.arange(-149, 128)]).astype(np.float32)
    near = np.concatenate([near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf))])
    return np.concatenate([anything, usual.astype(np.float32), near, -near])


@pytest.mark.parametrize("name", NAMES)
def test_f32_as_in_numpy_or_correctly_rounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operand = samples(200_000)
    native = step_of(name, "f32").kernel.function(operand)
    plain = plain_step_of(name, "f32", monkeypatch).kernel.function(operand)

    (differ,) = np.nonzero(
        (native.view(np.int32) != plain.view(np.int32)) & ~(np.isnan(native) & np.isnan(plain))
    )
    assert differ.size < 5
    assert np.all(np.abs(native.view(np.int32)[differ] - plain.view(np.int32)[differ]) == 1)
    for index in differ:
        wanted = exact.evaluate(getattr(exact, name), [operand[index]])
        assert native[index] == np.float32(float(wanted)), operand[index]


@pytest.mark.parametrize("name", NAMES)
def test_all_bf16_as_in_numpy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operand = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(ELEMENT_TYPES["bf16"].dtype)
    plain = plain_step_of(name, "bf16", monkeypatch).kernel.function(operand)
    assert same(step_of(name, "bf16").kernel.function(operand), plain)


@pytest.mark.parametrize("type_", ["f32", "bf16"])
@pytest.mark.parametrize("name", NAMES)
def test_arrays_chains_and_loops_give_the_same_bits(name: str, type_: str) -> None:
    operand = samples(1000).astype(ELEMENT_TYPES[type_].dtype)
    step = step_of(name, type_)
    assert operation_of(step) >= 0
    result = step.kernel.function(operand)

    assert same(chain_result(step, [operand]), result)
    assert same(loop_result(step, [operand[::9].copy()]), result[::9])
    assert same(np.array([step.kernel.function(each) for each in operand[::9]]), result[::9])


@pytest.mark.parametrize("name", NAMES)
def test_unrounded_results(name: str) -> None:
    """What is rounded errs by less than 2**-50 of itself, for large angles too."""
    rng = np.random.default_rng(6)
    operand = np.concatenate([samples(2000)[::11], 10.0 ** rng.uniform(6, 38, 300)]).astype(np.float32)
    number = _native.find_operation(name, "f64", "f32")
    result = np.empty(operand.shape)
    assert _native.Chain(["f32", "f64"], [(number, 1, 0, 0, 0)], [0], [1]).run([operand], [result])
    scalar = _native.scalar_function(name)
    assert same(np.array([scalar(each) for each in operand]), result)

    checked = 0
    for x, y in zip(operand.tolist(), result.tolist(), strict=True):
        if np.isfinite(y) and 1e-60 < abs(y) < 1e60 and (wanted := exact.evaluate(getattr(exact, name), [x])):
            assert abs(y - wanted) < abs(wanted) * 2.0**-50, x
            checked += 1
    assert checked > 200


def test_signs_of_zeros_and_limits() -> None:
    zeros = np.array([0.0, -0.0], np.float32)
    for name in ODD:
        assert same(step_of(name, "f32").kernel.function(zeros), zeros), name
    limits = {
        "exponential": [0, np.inf],
        "exponential_minus_one": [-1, np.inf],
        "log": [np.nan, np.inf],
        "log_plus_one": [np.nan, np.inf],
        "tanh": [-1, 1],
        "logistic": [0, 1],
        "sine": [np.nan, np.nan],
        "cosine": [np.nan, np.nan],
        "tan": [np.nan, np.nan],
    }
    infinities = np.array([-np.inf, np.inf], np.float32)
    assert sorted(limits) == NAMES
    for name, wanted in limits.items():
        assert same(step_of(name, "f32").kernel.function(infinities), np.array(wanted, np.float32)), name
    assert same(step_of("log", "f32").kernel.function(zeros), np.array([-np.inf, -np.inf], np.float32))
    assert step_of("log_plus_one", "f32").kernel.function(np.array([-1], np.float32))[0] == -np.inf


def test_layouts_and_shapes() -> None:
    function = step_of("tanh", "f32").kernel.function
    x = np.random.default_rng(7).normal(size=(66, 1, 130)).astype(np.float32)
    wanted = function(x)
    assert same(function(np.asfortranarray(x)), wanted)
    assert same(function(x[::2, :, ::3]), wanted[::2, :, ::3])
    assert same(function(x.T), wanted.T)
    assert same(function(np.broadcast_to(x[0, 0, 0], (90, 90))), np.full((90, 90), wanted[0, 0, 0]))
    assert same(
        function(np.broadcast_to(x[:, :, :1], (66, 5, 130))), np.broadcast_to(wanted[:, :, :1], (66, 5, 130))
    )
    unaligned = np.zeros(4 * x.size + 1, np.uint8)[1:].view(np.float32)
    unaligned[:] = x.reshape(-1)
    assert same(function(unaligned), wanted.reshape(-1))
    assert function(x[:0]).shape == (0, 1, 130)
    assert function(np.array(x[0, 0, 0])) == wanted[0, 0, 0]


def test_coefficients_are_those_that_the_script_writes() -> None:
    assert (ROOT / "lib/vm_coefficients.h").read_text() == coefficients.header()


def test_no_such_function() -> None:
    with pytest.raises(ValueError, match="no operation"):
        _native.scalar_function("add")
    with pytest.raises(TypeError):
        _native.scalar_function("exponential")("1")  # type: ignore[arg-type]
