"""Routines of LAPACK and Fourier transforms in straight-line code: modes, results and NaNs, as of the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.straight_line import with_straight_line_code
from tests.generate.same import copies
from tests.unit.engine.plan.plans import names, plan_of

RNG = np.random.default_rng(2)
REAL, COMPLEX = "f32", "complex<f32>"
MATRIX, VALUES, LESS, INFO = "3x3xT", "3xR", "2xR", "i32"

# Target, configuration and types of the results (T: of the matrix, R: of its real part, C: complex).
CALLS: dict[str, tuple[str, str, list[str]]] = {
    "gehrd": ("sgehrd", "low = 1 : i32, high = 3 : i32", [MATRIX, LESS, INFO]),
    "gehrd of a part": ("cgehrd", "low = 2 : i32, high = 3 : i32", [MATRIX, "2xT", INFO]),
    "sytrd lower": ("ssytrd", "uplo = 76 : ui8", [MATRIX, VALUES, LESS, LESS, INFO]),
    "sytrd upper": ("ssytrd", "uplo = 85 : ui8", [MATRIX, VALUES, LESS, LESS, INFO]),
    "hetrd upper": ("chetrd", "uplo = 85 : ui8", [MATRIX, VALUES, LESS, "2xT", INFO]),
    "syevd": ("ssyevd", "uplo = 76 : ui8, mode = 86 : ui8", [MATRIX, VALUES, INFO]),
    "syevd of values": ("ssyevd", "uplo = 85 : ui8, mode = 78 : ui8", [MATRIX, VALUES, INFO]),
    "heevd of values": ("cheevd", "uplo = 76 : ui8, mode = 78 : ui8", [MATRIX, VALUES, INFO]),
    "syevd and workspace": ("ssyevd", "uplo = 76 : ui8, mode = 86 : ui8", [MATRIX, VALUES, INFO, "5xi32"]),
    "gees": ("sgees", "mode = 86 : ui8, sort = 78 : ui8", [MATRIX, MATRIX, VALUES, VALUES, INFO, INFO]),
    "gesdd": ("sgesdd", "mode = 65 : ui8", [MATRIX, VALUES, MATRIX, MATRIX, INFO]),
    "gesvd": ("cgesvd", "mode = 83 : ui8", [MATRIX, VALUES, MATRIX, MATRIX, INFO]),
    "gesdd of values": ("sgesdd", "mode = 78 : ui8", [MATRIX, VALUES, MATRIX, MATRIX, INFO]),
    "geev left": (
        "sgeev",
        "compute_left = 86 : ui8, compute_right = 78 : ui8",
        [VALUES, VALUES, "3x3xC", "3x3xC", INFO],
    ),
    "geev right": (
        "cgeev",
        "compute_left = 78 : ui8, compute_right = 86 : ui8",
        ["3xC", MATRIX, MATRIX, INFO],
    ),
}


def text_of(target: str, config: str, results: list[str]) -> str:
    """A program that calls a routine for a computed matrix."""
    element = COMPLEX if target[0] == "c" else REAL
    types = [
        f"tensor<{each.replace('T', element).replace('R', REAL).replace('C', COMPLEX)}>" for each in results
    ]
    matrix, values = f"tensor<3x3x{element}>", ", ".join(f"%r#{index}" for index in range(len(types)))
    return f"""func.func @main(%x: {matrix}) -> ({", ".join(types)}) {{
      %y = stablehlo.add %x, %x : {matrix}
      %r:{len(types)} = stablehlo.custom_call @lapack_{target}_ffi(%y)
        {{mhlo.backend_config = {{{config}}}, api_version = 4 : i32}} : ({matrix}) -> ({", ".join(types)})
      return {values} : {", ".join(types)}
    }}"""


def matrices(is_complex: bool) -> list[Any]:
    """A matrix, and the same with an infinity or a NaN of other bits than the canonical one."""
    matrix = RNG.standard_normal((3, 3)) + (1j * RNG.standard_normal((3, 3)) if is_complex else 0)
    matrix = matrix.astype(np.complex64 if is_complex else np.float32)
    special = [np.float32(np.inf), *np.uint32([0xFFC12345, 0x7FA12345]).view(np.float32)]
    found = [matrix]
    for value in special:
        for place in ((0, 0), (1, 0), (2, 2), (0, 2)):
            found.append(matrix.copy())
            found[-1][place] = value
    return found


@pytest.mark.parametrize("name", CALLS)
def test_calls_give_the_bytes_of_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(*CALLS[name])
    assert len(with_straight_line_code(plan_of(text), DEFAULTS).steps) == 1
    operands = matrices(CALLS[name][0][0] == "c")
    runs: list[Any] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(text)
        runs += [[copies(program(operand)) for operand in operands] for _ in range(3)]
    assert all(run == runs[0] for run in runs)


def test_too_few_results_are_an_error_in_every_run() -> None:
    target, config, results = CALLS["gehrd"]
    program = hlokit.load(text_of(target, config, results[:2]))
    for _ in range(4):
        with pytest.raises(hlokit.EvaluationError, match="must have at least 3 results, got 2"):
            program(np.eye(3, dtype=np.float32))


def fft(type_: str, lengths: list[int], operand: str, result: str) -> str:
    return f"""func.func @main(%x: tensor<{operand}>) -> tensor<{result}> {{
      %r = stablehlo.fft %x, type = {type_}, length = {lengths} : (tensor<{operand}>) -> tensor<{result}>
      return %r : tensor<{result}>
    }}"""


TRANSFORMS = {
    "forward": ("FFT", [4, 3], "2x4x3xcomplex<f32>", "2x4x3xcomplex<f32>"),
    "inverse": ("IFFT", [2, 5, 3], "2x5x3xcomplex<f64>", "2x5x3xcomplex<f64>"),
    "of one": ("FFT", [1], "1xcomplex<f32>", "1xcomplex<f32>"),
    "real": ("RFFT", [3, 6], "3x6xf32", "3x4xcomplex<f32>"),
    "real of two": ("RFFT", [2], "2xf64", "2xcomplex<f64>"),
    "to real": ("IRFFT", [3, 6], "2x3x4xcomplex<f32>", "2x3x6xf32"),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_give_the_bytes_of_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    type_ = tensor_type(plan_of(fft(*TRANSFORMS[name])).steps[0].operand_types[0])
    assert names(with_straight_line_code(plan_of(fft(*TRANSFORMS[name])), DEFAULTS)) == ["vm.canonical_nan"]
    x = RNG.standard_normal(type_.dims) + (0 if name.startswith("real") else 1j)
    x = x.astype(type_.element_type.dtype)
    infinite, other = x.copy(), x.copy()
    infinite.reshape(-1)[0] = -np.inf
    other.reshape(-1)[-1] = np.uint32(0xFFC12345).view(np.float32)
    runs: list[Any] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(fft(*TRANSFORMS[name]))
        runs += [copies([program(each) for each in (x, infinite, other)]) for _ in range(3)]
    assert all(run == runs[0] for run in runs)


@pytest.mark.parametrize("length", [17, 0])
def test_lengths_without_kernels_are_not_in_straight_line_code(length: int) -> None:
    text = fft("FFT", [length], f"2x{length}xcomplex<f32>", f"2x{length}xcomplex<f32>")
    assert names(with_straight_line_code(plan_of(text), DEFAULTS))[0] == "fft"


def test_kernels_take_large_stacks() -> None:
    """Kernels divide them among threads."""
    stacks = {size: text_of(*CALLS["syevd"]).replace("tensor<", f"tensor<{size}x") for size in (9, 450)}
    plans = [with_straight_line_code(plan_of(text), DEFAULTS) for text in stacks.values()]
    assert [len(plan.steps) == 1 for plan in plans] == [True, False]
