"""NaNs of every float type through conversions, and through what moves, selects or compares: the reference's bytes in
all tiers."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.float_format import float_format
from tests.same_bytes.worker import digest, hashes

FLOATS = {name: row for name, row in ELEMENT_TYPES.items() if row.kind is Kind.FLOAT}
_KINDS = ["runs", "observed", "layouts", "thresholds", "reference"]


def codes(type_: ElementType) -> list[int]:
    """All codes of small types; of others NaNs of all kinds, infinities, zeros and some numbers."""
    if type_.width <= 8:
        return [*range(1 << type_.width)]
    layout = float_format(type_)
    infinity = layout.largest + 1
    quiet = layout.nan - infinity
    payloads = [0, 1, 3, quiet, quiet | 1, quiet | 5, 2 * quiet - 1, quiet >> 1]
    # Payloads that a narrower type does not have room for, or only their last bit.
    payloads += [1 << bit for bit in range(layout.mantissa_bits)]
    numbers = [0, 1, layout.largest, infinity >> 1, *(infinity + payload for payload in payloads)]
    return [code | sign for code in numbers for sign in (0, layout.sign_bit)]


def program(type_: ElementType, count: int) -> str:
    tensor, scalar, truth = f"tensor<{count}x{type_}>", f"tensor<{type_}>", f"tensor<{count}xi1>"
    lines: list[str] = []
    results: list[str] = []

    def add(text: str, result: str = tensor) -> None:
        lines.append(f"%r{len(results)} = {text}")
        results.append(result)

    for other in FLOATS:
        add(f"stablehlo.convert %x : ({tensor}) -> tensor<{count}x{other}>", f"tensor<{count}x{other}>")
    layout = float_format(type_)
    for exponent, mantissa in ((5, 2), (4, 3), (8, 7), (5, 0), (2, 1), (layout.exponent_bits, 1)):
        add(f"stablehlo.reduce_precision %x, format = e{exponent}m{mantissa} : {tensor}")
    bits = f"tensor<{count}xui{type_.bits_dtype.itemsize * 8}>"
    if type_.width in (8, 16, 32, 64):
        add(f"stablehlo.bitcast_convert %x : ({tensor}) -> {bits}", bits)
        add(f"stablehlo.bitcast_convert %r{len(results) - 1} : ({bits}) -> {tensor}")
    for name in ("maximum", "minimum", "add", "multiply", "divide"):
        add(f"stablehlo.{name} %x, %y : {tensor}")
    for low, operand, high in (("%x", "%y", "%x"), ("%y", "%x", "%y"), ("%l", "%x", "%h")):
        types = ", ".join(scalar if side in ("%l", "%h") else tensor for side in (low, operand, high))
        add(f"stablehlo.clamp {low}, {operand}, {high} : ({types}) -> {tensor}")
    compared = f"({tensor}, {tensor}) -> {truth}"
    for kind in ("FLOAT", "TOTALORDER"):
        add(f"stablehlo.compare LT, %x, %y, {kind} : {compared}", truth)
        add(f"stablehlo.select %r{len(results) - 1}, %x, %y : {truth}, {tensor}")
    twice = f"tensor<{2 * count}x{type_}>"
    add(f"stablehlo.concatenate %x, %y, dim = 0 : ({tensor}, {tensor}) -> {twice}", twice)
    add(f"stablehlo.reverse %x, dims = [0] : {tensor}")
    add(f"stablehlo.pad %x, %l, low = [-1], high = [1], interior = [0] : ({tensor}, {scalar}) -> {tensor}")
    for name in ("negate", "abs", "sign", "sqrt") if layout.sign_bit else ():
        add(f"stablehlo.{name} %x : {tensor}")
    names = ", ".join(f"%r{number}" for number in range(len(results)))
    body, types = "\n  ".join(lines), ", ".join(results)
    return (
        f"func.func @main(%x: {tensor}, %y: {tensor}, %l: {scalar}, %h: {scalar}) -> ({types}) {{\n"
        f"  {body}\n  return {names} : {types}\n}}"
    )


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.sample("f32", "bf16", "f8E4M3FN")
def test_the_bytes_of_the_reference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    type_ = FLOATS[name]
    x = np.array(codes(type_), type_.bits_dtype).view(type_.dtype)
    y = np.random.default_rng(0).permutation(x.view(type_.bits_dtype)).view(type_.dtype)
    text, arguments = program(type_, x.size), [x, y, y[0], y[1]]
    results = hashes(text, arguments, _KINDS)
    monkeypatch.setenv("HLOKIT_DISABLE", "all")
    results["nothing compiled"] = digest(hlokit.load(text)(*arguments))
    assert [run for run, result in results.items() if result != results["reference"]] == []
