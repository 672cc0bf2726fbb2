"""Operations that the machine computes of large arrays give the bits that NumPy's path gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit.interpreter.steps import Step
from hlokit.interpreter.switches import VARIABLE
from hlokit.ops.native import array_function
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.interpreter.plans import plan_of
from tests.unit.native.test_machines import operands_of, same, specials, text_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROWS, COLUMNS = 200, 201
SHAPE = f"{ROWS}x{COLUMNS}x"
TYPES = ("bf16", "f32", "i8", "i32", "ui32", "i64")
COMPLEX = ["multiply", "divide"]


def arrays(type_: str) -> dict[int, Any]:
    rng = np.random.default_rng(9)
    values = specials(type_)
    dtype, size = ELEMENT_TYPES[type_].dtype, ROWS * COLUMNS
    anything = np.frombuffer(rng.bytes(size * dtype.itemsize), dtype)
    found: dict[int, Any] = {3: rng.integers(0, 2, size).astype(bool).reshape(ROWS, COLUMNS)}
    for number in range(3):
        mixed = np.where(rng.random(size) < 0.5, rng.choice(values, size), rng.permutation(anything))
        found[number] = mixed.astype(dtype).reshape(ROWS, COLUMNS)
    return found


def is_native(step: Step) -> bool:
    return getattr(step.kernel.function, "__qualname__", "").startswith(array_function.__name__)


@pytest.mark.parametrize("type_", TYPES)
def test_large_arrays_as_in_numpy(type_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, values = text_of(type_, SHAPE), arrays(type_)
    steps = plan_of(text).steps
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        plain_steps = plan_of(text).steps
    assert not any(map(is_native, plain_steps))
    assert sum(map(is_native, steps)) >= 5

    for step, plain in zip(steps, plain_steps, strict=True):
        if not is_native(step):
            continue
        operands = operands_of(step, values)
        wanted = plain.kernel.function(*operands)
        assert same(step.kernel.function(*operands), wanted), step.name
        strided = [operand.T.copy().T for operand in operands]
        assert same(step.kernel.function(*strided), wanted), step.name


@pytest.mark.parametrize("name", COMPLEX)
@pytest.mark.parametrize("with_specials", [False, True], ids=["usual", "special"])
def test_complex_numbers(name: str, with_specials: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    type_ = f"tensor<{ROWS}x{COLUMNS}xcomplex<f32>>"
    text = f"func.func @main(%a: {type_}, %b: {type_}) {{ %0 = stablehlo.{name} %a, %b : {type_} return }}"
    rng = np.random.default_rng(10)
    parts = rng.normal(0, 1e10, (4, ROWS, COLUMNS)).astype(np.float32)
    parts *= np.exp2(rng.integers(-90, 60, parts.shape)).astype(np.float32)
    if with_specials:
        chosen = rng.random(parts.shape) < 0.5
        parts[chosen] = rng.choice(specials("f32"), np.count_nonzero(chosen))
    operands = [(parts[i] + 1j * parts[i + 1]).astype(np.complex64) for i in (0, 2)]
    for operand, i in zip(operands, (0, 2), strict=True):
        operand.real, operand.imag = parts[i], parts[i + 1]
    (step,) = plan_of(text).steps
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        (plain,) = plan_of(text).steps

    for pair in (operands, [operand[::2] for operand in operands], [operands[0], operands[1][0, 0]]):
        one, two = step.kernel.function(*pair), plain.kernel.function(*pair)
        assert same(one.real, two.real)
        assert same(one.imag, two.imag)


def test_memory_of_complex_numbers() -> None:
    from hlokit import _native

    x = np.ones(8, np.complex64)
    for lhs, rhs, result in ((x, x[:7], x), (x, x, x[:7]), (x.real, x, x), (x[::2], x[::2], x[::2])):
        with pytest.raises((ValueError, BufferError)):
            _native.complex_product(lhs, rhs, result)
