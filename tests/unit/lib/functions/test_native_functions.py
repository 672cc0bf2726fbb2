"""Functions of the native VM equal NumPy's path, or are correctly rounded where the paths differ.

Both paths compute f32 and narrower types in f64, with errors of some 2**-51, and round once. So they can differ
only where the exact result is almost halfway between two neighbours, and only by one unit in the last place.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.contract.switches import VARIABLE
from hlokit.engine.native.ir.target import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import having, opcode_name
from hlokit.tools.numerics.rules import exact
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.engine.plan.plans import plan_of
from tests.unit.lib.vm.test_machines import fused_result, loop_result, same
from tools import coefficients
from tools.accuracy.functions import FUNCTIONS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROOT = Path(__file__).parents[4]
BINARY = ("atan2", "power")
CHLO = ("acos", "acosh", "asin", "asinh", "atan", "atanh", "cosh", "erf", "erf_inv", "erfc", "sinh")
_OF_F32 = {name for _, name, result, operands in _kernels.opcodes() if result == "f32" and "f32" in operands}
NAMES = sorted({name for name in map(opcode_name, having(lambda traits: traits.ulps)) if name in _OF_F32})
UNARY = [name for name in NAMES if name not in BINARY]
ODD = (
    *("asin", "asinh", "atan", "atanh", "cbrt", "erf", "erf_inv", "exponential_minus_one", "log_plus_one"),
    *("sine", "sinh", "tan", "tanh"),
)
Array = np.ndarray[Any, np.dtype[Any]]


def step_of(name: str, type_: str, shape: str = "7x") -> Step:
    tensor = f"tensor<{shape}{type_}>"
    operation = (
        f"chlo.{name} %a : {tensor} -> {tensor}" if name in CHLO else f"stablehlo.{name} %a : {tensor}"
    )
    if name in BINARY:
        operation = f"stablehlo.{name} %a, %b : {tensor}"
    (step,) = plan_of(f"func.func @main(%a: {tensor}, %b: {tensor}) {{ %0 = {operation} return }}").steps
    return step


EXACT = {function.short_name: function.exact for function in FUNCTIONS if function.exact is not None}


def exactly(name: str, operands: Sequence[float]) -> Any:
    return exact.evaluate(EXACT[name], operands)


def plain_step_of(name: str, type_: str, monkeypatch: pytest.MonkeyPatch) -> Step:
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        return step_of(name, type_)


def samples(count: int) -> Array:
    """f32 of random bits, ordinary numbers, and numbers next to points where the functions change."""
    rng = np.random.default_rng(5)
    anything = rng.integers(0, 1 << 32, count, dtype=np.uint32).view(np.float32)
    usual = np.concatenate([rng.normal(0, scale, count // 4) for scale in (0.01, 1, 10, 100)])
    edges = np.array([0.0, 1, 20, 88.72284, 104, 150, 2.0**20, 2.0**21, np.inf, np.nan, 1e-45, 3.4028235e38])
    turns = np.arange(1, 2000) * (np.pi / 4)
    near = np.concatenate([edges, turns, 2.0 ** np.arange(-149, 128)]).astype(np.float32)
    near = np.concatenate([near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf))])
    return np.concatenate([anything, usual.astype(np.float32), near, -near])


def operands_of(name: str, count: int) -> list[Array]:
    """All samples; for functions of two operands, random pairs, and pairs of numbers near 1."""
    first = samples(count)
    if name not in BINARY:
        return [first]
    rng = np.random.default_rng(8)
    near = np.exp(rng.normal(0, 3, first.size)).astype(np.float32)
    other = rng.normal(0, 8, first.size).astype(np.float32)
    lhs = np.where(rng.random(first.size) < 0.5, near, rng.permutation(first))
    return [lhs, np.where(rng.random(first.size) < 0.5, other, first)]


@pytest.mark.parametrize("name", NAMES)
def test_f32_as_in_numpy_or_correctly_rounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operands = operands_of(name, 100_000)
    native = step_of(name, "f32").kernel.function(*operands)
    plain = plain_step_of(name, "f32", monkeypatch).kernel.function(*operands)

    one, two = native.view(np.int32), plain.view(np.int32)
    (differ,) = np.nonzero((one != two) & ~(np.isnan(native) & np.isnan(plain)))
    assert differ.size < 5
    assert np.all(np.abs(one[differ] - two[differ]) == 1)
    for index in differ:
        wanted = exactly(name, [operand[index] for operand in operands])
        assert native[index] == np.float32(float(wanted)), [operand[index] for operand in operands]


@pytest.mark.parametrize("name", UNARY)
def test_all_bf16_as_in_numpy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operand = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(ELEMENT_TYPES["bf16"].dtype)
    plain = plain_step_of(name, "bf16", monkeypatch).kernel.function(operand)
    assert same(step_of(name, "bf16").kernel.function(operand), plain)


@pytest.mark.parametrize("name", BINARY)
def test_pairs_of_bf16_as_in_numpy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operands = [each.astype(ELEMENT_TYPES["bf16"].dtype) for each in operands_of(name, 50_000)]
    plain = plain_step_of(name, "bf16", monkeypatch).kernel.function(*operands)
    assert same(step_of(name, "bf16").kernel.function(*operands), plain)


@pytest.mark.parametrize("type_", ["f32", "bf16"])
@pytest.mark.parametrize("name", NAMES)
def test_arrays_fused_code_and_loops_give_the_same_bits(name: str, type_: str) -> None:
    operands = [each.astype(ELEMENT_TYPES[type_].dtype) for each in operands_of(name, 1000)]
    few = [operand[::9].copy() for operand in operands]
    step = step_of(name, type_)
    assert operation_of(step) >= 0
    result = step.kernel.function(*operands)

    assert same(fused_result(step, operands), result)
    assert same(loop_result(step, few), result[::9])
    assert same(np.array([step.kernel.function(*each) for each in zip(*few, strict=True)]), result[::9])


@pytest.mark.parametrize("name", NAMES)
def test_unrounded_results(name: str) -> None:
    """Before rounding, the relative error is below 2**-41, for large angles too, so that decisions.h finds all
    that may round wrongly. Scalars and arrays differ at most as much, and not after rounding."""
    rng = np.random.default_rng(6)
    far = (10.0 ** rng.uniform(6, 38, 300)).astype(np.float32)
    operands = [np.concatenate([operand[::11], far]) for operand in operands_of(name, 2000)]
    number, count = _kernels.find_operation(name, "f64", "f32"), len(operands)
    result: Any = np.empty(operands[0].shape)
    fused = _kernels.FusedProgram(
        ["f32"] * count + ["f64"],
        [(number, (count,), range(count), ())],
        [(register, 2, (), ()) for register in range(count)],
        [count],
    )
    assert fused.run(operands, [result])  # pyright: ignore[reportArgumentType] # NumPy's stubs know no buffers
    scalar = _kernels.scalar_function(name)
    rows: list[list[float]] = np.transpose(operands).tolist()
    scalars = np.array([scalar(*row) for row in rows])
    assert same(scalars.astype(np.float32), result.astype(np.float32))

    checked = 0
    for row, y in zip(rows * 2, [*result.tolist(), *scalars.tolist()], strict=True):
        if name == "erf" and abs(row[0]) > 4:
            assert 1 - 2.0**-25 < abs(y) <= 1
        elif np.isfinite(y) and 1e-46 < abs(y) < 1e39 and (wanted := exactly(name, row)):
            assert abs(y - wanted) < abs(wanted) * 2.0**-41, row
            checked += 1
    assert checked > 100


def test_powers_that_are_f32_or_between_two() -> None:
    """Results that are exact in f64; half of them are midpoints of two f32, which round to even."""
    base = np.arange(2**12, 5793).astype(np.float32)  # squares have 25 bits
    scale = np.exp2(np.arange(-60, 60)).astype(np.float32)
    x = (base[:, None] * scale).reshape(-1)
    power = step_of("power", "f32").kernel.function
    wanted = (x.astype(np.float64) ** 2).astype(np.float32)
    assert same(power(x, np.full_like(x, 2)), wanted)
    cubes = np.arange(-292, 293).astype(np.float32)
    assert same(power(cubes, np.full_like(cubes, 3)), (cubes.astype(np.float64) ** 3).astype(np.float32))


def test_special_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [0.0, 0.5, 1, 1.5, 2, 3, 16777215, 16777216, 3e38, np.inf, 1e-45, 1 / 3]
    values = np.array([*values, *[-value for value in values], np.nan], np.float32)
    lhs, rhs = (each.reshape(-1) for each in np.meshgrid(values, values))
    for name in BINARY:
        plain = plain_step_of(name, "f32", monkeypatch).kernel.function(lhs, rhs)
        assert same(step_of(name, "f32").kernel.function(lhs, rhs), plain), name


def test_signs_of_zeros_and_limits() -> None:
    zeros = np.array([0.0, -0.0], np.float32)
    for name in ODD:
        assert same(step_of(name, "f32").kernel.function(zeros), zeros), name
    limits: dict[str, list[float]] = {
        "acos": [np.nan, np.nan],
        "acosh": [np.nan, np.inf],
        "asin": [np.nan, np.nan],
        "asinh": [-np.inf, np.inf],
        "atan": [-np.pi / 2, np.pi / 2],
        "atanh": [np.nan, np.nan],
        "cbrt": [-np.inf, np.inf],
        "cosh": [np.inf, np.inf],
        "erf": [-1, 1],
        "erf_inv": [np.nan, np.nan],
        "erfc": [2, 0],
        "rsqrt": [np.nan, 0],
        "sinh": [-np.inf, np.inf],
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
    assert sorted(limits) == UNARY
    for name, wanted in limits.items():
        assert same(step_of(name, "f32").kernel.function(infinities), np.array(wanted, np.float32)), name
    ones = np.array([-1, 1], np.float32)
    for name in ("atanh", "erf_inv"):
        assert same(step_of(name, "f32").kernel.function(ones), np.copysign(np.float32(np.inf), ones))
    assert same(step_of("acos", "f32").kernel.function(ones), np.array([np.pi, 0], np.float32))
    assert same(step_of("rsqrt", "f32").kernel.function(zeros), np.array([np.inf, -np.inf], np.float32))
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


@pytest.mark.deep
def test_coefficients_are_those_of_the_formulas() -> None:
    assert (ROOT / "lib/vm/pointwise/coefficients.h").read_text() == coefficients.text()


def test_no_such_function() -> None:
    with pytest.raises(ValueError, match="no function"):
        _kernels.scalar_function("add")
    with pytest.raises(TypeError):
        _kernels.scalar_function("exponential")("1")  # type: ignore[arg-type] # what no caller may pass
