"""Sums of arrays padded with zeros are written in parts, if no place has elements of two of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.values.element_types import BF16, ELEMENT_TYPES, F32, F64, I1, I8, I32, ElementType
from tests.unit.engine.plan.plans import names, plan_of
from tests.unit.kernels.one_op import Array, assert_same, tensor

C64 = ELEMENT_TYPES["complex<f32>"]


class Part(NamedTuple):
    """A padded operand: its shape, and the padding of each dimension."""

    shape: tuple[int, ...]
    low: tuple[int, ...]
    interior: tuple[int, ...]


HALVES = Part((3, 2), (0, 0), (1, 0)), Part((2, 2), (1, 0), (1, 0))
COLUMNS = Part((5, 1), (0, 0), (0, 0)), Part((5, 2), (0, 2), (0, 0)), Part((4, 1), (1, 1), (0, 0))
CUT = Part((3, 4), (-1, -1), (0, 0)), Part((2, 2), (3, -1), (0, 1)), Part((1, 1), (4, 0), (0, 0))
THIRDS = Part((2, 2), (0, 0), (2, 0)), Part((1, 2), (2, 0), (0, 0)), Part((1, 2), (4, 0), (5, 0))
# The first two of them have a place in common.
OVERLAPPING = Part((3, 2), (0, 0), (0, 0)), Part((2, 2), (2, 0), (1, 0)), Part((1, 2), (3, 0), (0, 0))


def program(parts: Sequence[Part], shape: tuple[int, ...], type_: ElementType, zero: str) -> str:
    """The sum of padded operands, the last two of them first."""
    whole = tensor(shape, type_)
    arguments = ", ".join(f"%{n}: {tensor(part.shape, type_)}" for n, part in enumerate(parts))
    lines: list[str] = []
    for n, (sizes, low, interior) in enumerate(parts):
        spans = [size + max(size - 1, 0) * step for size, step in zip(sizes, interior, strict=True)]
        high = [all_ - lo - span for all_, lo, span in zip(shape, low, spans, strict=True)]
        lines.append(
            f"%p{n} = stablehlo.pad %{n}, %z, low = {list(low)}, high = {high}, interior = {list(interior)}"
            f" : ({tensor(sizes, type_)}, {tensor((), type_)}) -> {whole}"
        )
    last = f"p{len(parts) - 1}"
    for n in reversed(range(len(parts) - 1)):
        lines.append(f"%s{n} = stablehlo.add %p{n}, %{last} : {whole}")
        last = f"s{n}"
    body = "\n".join(lines)
    return f"""func.func @main({arguments}) -> {whole} {{
      %z = stablehlo.constant dense<{zero}> : {tensor((), type_)}
      {body}
      return %{last} : {whole} }}"""


def padded(values: Array, part: Part, shape: tuple[int, ...]) -> Array:
    """spec "pad" with zeros, element by element."""
    result = np.zeros(shape, values.dtype)
    for index in np.ndindex(values.shape):
        place = [lo + i * (step + 1) for lo, i, step in zip(part.low, index, part.interior, strict=True)]
        if all(0 <= at < size for at, size in zip(place, shape, strict=True)):
            result[tuple(place)] = values[index]
    return result


def values_of(part: Part, type_: ElementType, seed: int) -> Array:
    """Values, of which one in three is -0."""
    generator = np.random.default_rng(seed)
    values = generator.integers(-2, 3, part.shape).astype(type_.dtype)
    if not type_.kind.is_inexact:
        return values
    return np.where(generator.random(part.shape) < 0.3, -np.zeros((), type_.dtype), values)


@pytest.mark.parametrize("type_", [F32, F64, BF16, C64, I1, I8, I32], ids=str)
@pytest.mark.parametrize("parts", [HALVES, COLUMNS, CUT, THIRDS, OVERLAPPING])
def test_sums_of_pads(parts: tuple[Part, ...], type_: ElementType) -> None:
    shape = (5, 4) if parts in (COLUMNS, CUT) else (5, 2)
    zero = {I1: "false", C64: "(0.0, 0.0)"}.get(type_, "0.0" if type_.kind.is_inexact else "0")
    loaded = hlokit.load(program(parts, shape, type_, zero))
    values = [values_of(part, type_, seed) for seed, part in enumerate(parts)]
    expected = padded(values[-1], parts[-1], shape)
    for part, value in list(zip(parts, values, strict=True))[-2::-1]:
        expected = padded(value, part, shape) + expected
    assert_same(loaded(*values), expected)
    native = loaded.with_thresholds(DEFAULTS._replace(straight_line_cost=-1e9))
    for _ in range(6):
        assert_same(native(*values), expected)


def steps(text: str) -> list[str]:
    """The names of the steps of a program that compute."""
    return [name for name in names(plan_of(text)) if name != "vm.canonical_nan"]


def test_only_operands_that_are_apart_are_written_in_parts() -> None:
    halves = program(HALVES, (5, 2), F32, "0.0")
    assert steps(halves) == ["add"]
    assert steps(program(COLUMNS, (5, 4), F32, "0.0")) == ["add"]
    assert steps(program(HALVES, (5, 2), F32, "-0.0")) == ["pad", "pad", "add"]
    # The last two operands are apart from each other.
    assert steps(program(OVERLAPPING, (5, 2), F32, "0.0")) == ["pad", "add", "add"]
    read_twice = halves.replace("return %s0", "%t = stablehlo.negate %p0 : tensor<5x2xf32>\nreturn %s0")
    assert steps(read_twice.replace("return %s0", "return %t")) == ["pad", "negate"]


def test_without_fusion_each_operand_is_padded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "fusion")
    assert steps(program(HALVES, (5, 2), F32, "0.0")) == ["pad", "pad", "add"]
