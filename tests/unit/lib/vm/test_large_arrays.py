"""Operations of the native VM on large arrays give the bits of NumPy's path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit.engine.contract.switches import VARIABLE
from hlokit.engine.plan.plan import Step
from hlokit.kernels.elementwise.native import ArrayFunction
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.engine.plan.plans import plan_of
from tests.unit.lib.vm.test_machines import operands_of, same, specials, text_of

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
    return isinstance(getattr(step.kernel.function, "__self__", None), ArrayFunction)


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
        for ones in range(1, 2 ** len(operands)):
            some = [
                np.broadcast_to(operand[5, 7], operand.shape)
                if ones >> number & 1 and operand.ndim
                else operand
                for number, operand in enumerate(operands)
            ]
            assert same(step.kernel.function(*some), plain.kernel.function(*some)), step.name


@pytest.mark.parametrize("part", ["f32", "f64"])
@pytest.mark.parametrize("name", COMPLEX)
@pytest.mark.parametrize("with_specials", [False, True], ids=["usual", "special"])
def test_complex_numbers(name: str, with_specials: bool, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dtype = ELEMENT_TYPES[part].dtype
    type_ = f"tensor<{ROWS}x{COLUMNS}xcomplex<{part}>>"
    text = f"func.func @main(%a: {type_}, %b: {type_}) {{ %0 = stablehlo.{name} %a, %b : {type_} return }}"
    rng = np.random.default_rng(10)
    parts = rng.normal(0, 1e10, (4, ROWS, COLUMNS)).astype(dtype)
    parts *= np.exp2(rng.integers(-90, 60, parts.shape)).astype(dtype)
    if with_specials:
        chosen = rng.random(parts.shape) < 0.5
        parts[chosen] = rng.choice(specials("f32"), np.count_nonzero(chosen))
    if with_specials and part == "f64":
        chosen = rng.random(parts.shape) < 0.1
        parts[chosen] = np.exp2(rng.integers(-1070, 1020, np.count_nonzero(chosen)))
    operands: list[Any] = [
        np.empty((ROWS, COLUMNS), ELEMENT_TYPES[f"complex<{part}>"].dtype) for _ in range(2)
    ]
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


@pytest.mark.parametrize("part", ["f32", "f64"])
@pytest.mark.parametrize("with_specials", [False, True], ids=["usual", "special"])
def test_complex_magnitudes(with_specials: bool, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    type_ = f"tensor<{ROWS}x{COLUMNS}xcomplex<{part}>>"
    text = f"func.func @main(%a: {type_}) {{ %0 = stablehlo.abs %a : ({type_}) -> tensor<{ROWS}x{COLUMNS}x{part}> return }}"
    rng = np.random.default_rng(12)
    parts = rng.normal(0, 1, (2, ROWS, COLUMNS)) * np.exp2(rng.integers(-90, 60, (2, ROWS, COLUMNS)))
    parts[:, 3] = 0
    parts[0, 4] = 0
    if with_specials:
        chosen = rng.random(parts.shape) < 0.3
        parts[chosen] = rng.choice(specials("f32"), np.count_nonzero(chosen))
        parts[:, 5] = np.exp2(rng.integers(-1070, 1020, COLUMNS))
    operand: Any = np.empty((ROWS, COLUMNS), ELEMENT_TYPES[f"complex<{part}>"].dtype)
    operand.real, operand.imag = parts
    (step,) = plan_of(text).steps
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        (plain,) = plan_of(text).steps
    for given in (
        operand,
        operand[:, ::-2],
        operand.T,
        np.broadcast_to(operand[0, 0], operand.shape),
        operand[:0],
    ):
        one, two = step.kernel.function(given), plain.kernel.function(given)
        assert one.dtype == two.dtype == ELEMENT_TYPES[part].dtype
        assert same(one, two)
    expected = np.abs(operand.astype(np.clongdouble)).astype(operand.real.dtype)
    with np.errstate(invalid="ignore"):
        near = np.abs(plain.kernel.function(operand) - expected) <= np.spacing(expected)
    assert (near | same_elements(plain.kernel.function(operand), expected)).all()


def same_elements(one: Any, two: Any) -> Any:
    return (one == two) | (np.isnan(one) & np.isnan(two))


@pytest.mark.parametrize("bound", [2.0**-250, 2.0**250])
@pytest.mark.parametrize("name", ["divide", "abs"])
def test_the_ends_of_the_range_of_f64(name: str, bound: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where products leave the range of f64 or lose bits, both paths give the same bits."""
    type_ = f"tensor<{ROWS}x{COLUMNS}xcomplex<f64>>"
    line = (
        f"stablehlo.divide %a, %b : {type_}"
        if name == "divide"
        else f"stablehlo.abs %a : ({type_}) -> tensor<{ROWS}x{COLUMNS}xf64>"
    )
    text = f"func.func @main(%a: {type_}, %b: {type_}) {{ %0 = {line} return }}"
    sizes = [bound, np.nextafter(bound, 1), np.nextafter(bound, np.inf), bound * bound, 0.0, 1.0, 1 / bound]
    rng = np.random.default_rng(13)
    parts: Any = rng.choice(sizes, (2, ROWS, COLUMNS, 2)) * rng.choice([-1, 1, 1.25], (2, ROWS, COLUMNS, 2))
    operands = parts.view(np.complex128)[..., 0][: 2 if name == "divide" else 1]
    (step,) = plan_of(text).steps
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        (plain,) = plan_of(text).steps
    one, two = step.kernel.function(*operands), plain.kernel.function(*operands)
    assert same(one.real, two.real)
    assert same(one.imag, two.imag)


@pytest.mark.parametrize("part", ["f32", "f64"])
def test_complex_from_parts(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number, complex_ = (f"tensor<{ROWS}x{COLUMNS}x{name}>" for name in (part, f"complex<{part}>"))
    text = f"""func.func @main(%a: {number}, %b: {number}) {{
        %0 = stablehlo.complex %a, %b : ({number}, {number}) -> {complex_} return }}"""
    rng = np.random.default_rng(11)
    bits = rng.integers(0, 1 << 63, (2, ROWS, COLUMNS), np.int64)  # NaNs keep theirs
    real, imag = bits.view(np.float64) if part == "f64" else bits.view(np.float32)[..., :COLUMNS]
    (step,) = plan_of(text).steps
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "native")
        (plain,) = plan_of(text).steps
    contiguous = np.ascontiguousarray(real), np.ascontiguousarray(imag)
    read_only = np.broadcast_to(real, real.shape), np.broadcast_to(imag, imag.shape)
    for pair in (contiguous, read_only, (real.T, imag.T), (real[:, ::-3], imag[:, ::-3]), (real, imag[0, 0])):
        one, two = step.kernel.function(*pair), plain.kernel.function(*pair)
        assert one.dtype == two.dtype
        assert one.shape == two.shape
        assert one.tobytes() == two.tobytes()
