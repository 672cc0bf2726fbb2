"""Native kernels of exact numbers give the bytes of the formulas of the cards, in every shape and for every
special number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.operations.cards import cards
from hlokit.tools.equal.rules.field import PRIME
from hlokit.tools.equal.rules.numbers import REAL
from hlokit.tools.equal.runs import ExactProgram, ExactRun

_SPECIAL = [0.0, -0.0, 1.0, -1.0, 4.0, 0.25, 8.0, 0.1, 1e300, 5e-324, -1e-310, np.inf, -np.inf, np.nan]
_RESIDUES = [0, 1, 2, PRIME - 1, 1 << 60]


def _numbers(seed: int) -> Any:
    """Pairs of all special floats with themselves and others, and floats with numbers that they do not stand for."""
    random = np.random.default_rng(seed)
    values = np.concatenate([np.repeat(_SPECIAL, len(_SPECIAL)), random.normal(size=304)])
    if seed:
        values[: len(_SPECIAL) ** 2] = np.tile(_SPECIAL, len(_SPECIAL))
        values[-100:] = np.random.default_rng(0).normal(size=304)[-100:] * (1 + 1e-12)
    exact = hlokit.tools.equal.rules.numbers.embedded(values, REAL)
    exact["residue"][200:300] = random.integers(0, PRIME, 100)
    exact["residue"][300:320] = random.choice(_RESIDUES, 20)
    exact["degree"] = random.integers(0, 5, values.size)
    return exact


def _programs() -> dict[str, str]:
    """One program for each element-wise operation on f64 with native code."""
    programs: dict[str, str] = {}
    for card in cards():
        if getattr(card.exact, "native", None) is None or card.name.startswith("chlo.broadcast"):
            continue
        for count in (1, 2):
            operands = ", ".join(["%x", "%y"][:count])
            types = ", ".join(["tensor<{0}xf64>"] * count)
            programs[f"{card.name} {count}"] = f'"{card.name}"({operands}) : ({types}) -> tensor<{{0}}xf64>'
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        programs[direction] = (
            f"stablehlo.compare {direction}, %x, %y : (tensor<{{0}}xf64>, tensor<{{0}}xf64>) -> tensor<{{0}}xi1>"
        )
    return programs


def _run(text: str, operands: list[Any]) -> ExactRun:
    with np.errstate(all="ignore"):
        return ExactProgram(hlokit.load(text)).run("main", operands)


def _agree(one: Any, two: Any) -> bool:
    if one.dtype.names is None:
        return bool(np.array_equal(one, two))
    return all(np.array_equal(one[name], two[name], equal_nan=name == "value") for name in one.dtype.names)


def test_native_kernels_have_the_bytes_of_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = _numbers(0), _numbers(1)
    size, wrong, names = one.size, list[str](), set[str]()
    for name, operation in _programs().items():
        for shape in (f"{size}", ""):
            kind = operation.format(shape).replace("tensor<x", "tensor<")
            result = kind.rpartition("-> ")[2]
            operand = f"tensor<{shape}x".replace("<x", "<") + "f64>"
            text = f"func.func @main(%x: {operand}, %y: {operand}) -> {result} {{ %z = {kind} return %z : {result} }}"
            try:
                program = hlokit.load(text)
            except hlokit.HlokitError:  # another number of operands
                continue
            del program
            names.add(name.partition(" ")[0])
            operands = (
                [[one, two], [one[::-1], two[::-1]]]
                if shape
                else [[one[n : n + 1].reshape(()), two[n]] for n in (0, 14, 205)]
            )
            for pair in operands:
                monkeypatch.delenv("HLOKIT_DISABLE", raising=False)
                native = _run(text, pair)
                monkeypatch.setenv("HLOKIT_DISABLE", "native")
                formula = _run(text, pair)
                if not _agree(native.results[0], formula.results[0]) or (native.degree, native.notes) != (
                    formula.degree,
                    formula.notes,
                ):
                    wrong.append(f"{name} {shape}: {native} and {formula}")
    assert wrong == [] and len(names) > 30, names


def test_native_contractions_have_the_bytes_of_products_of_limbs(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = _numbers(0)
    for lhs, rhs, dims, result in (
        ("3x4x5", "3x5x7", "batching_dims = [0] x [0], contracting_dims = [2] x [1]", "3x4x7"),
        ("5x4x3", "3x2x4", "contracting_dims = [1, 2] x [2, 0]", "5x2"),
        ("0x4", "4x3", "contracting_dims = [1] x [0]", "0x3"),
        ("5", "5", "contracting_dims = [0] x [0]", ""),
    ):
        types = f"tensor<{lhs}xf64>, tensor<{rhs}xf64>"
        to = f"tensor<{result}xf64>".replace("<x", "<")
        text = (
            f"func.func @main(%x: tensor<{lhs}xf64>, %y: tensor<{rhs}xf64>) -> {to} {{ "
            f"%z = stablehlo.dot_general %x, %y, {dims} : ({types}) -> {to} return %z : {to} }}"
        )
        shapes = [tuple(map(int, shape.split("x"))) for shape in (lhs, rhs)]
        operands = [np.resize(numbers[13 * n :], shape) for n, shape in enumerate(shapes)]
        monkeypatch.delenv("HLOKIT_DISABLE", raising=False)
        native = _run(text, operands)
        monkeypatch.setenv("HLOKIT_DISABLE", "native")
        limbs = _run(text, operands)
        assert np.array_equal(native.results[0]["residue"], limbs.results[0]["residue"]), text
        assert native.degree == limbs.degree
