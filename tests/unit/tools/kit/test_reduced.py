"""Programs that show failures: few lines, what is wrong, and what decides it."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

import hlokit
from hlokit.operations.cards import card_of
from hlokit.tools.kit.cases import cases
from hlokit.tools.kit.judging import Outcome
from hlokit.tools.kit.recipes import kind_of, recipes
from hlokit.tools.kit.running import Running
from unit.tools.kit.sides import OwnSide


def off_by_one(results: list[Any]) -> list[Any]:
    return [value + np.ones((), value.dtype) for value in results]


def only_arguments(results: list[Any]) -> list[Any]:
    """Wrong for long vectors."""
    return off_by_one(results) if any(value.size > 8 for value in results) else results


def outcomes(operation: str, type_: str, side: OwnSide, count: int = 2) -> list[Outcome]:
    return list(Running(side).run(islice(cases(recipes([operation], [type_])), count)))


def test_the_first_failure_of_a_kind_has_a_program_of_its_worst_element() -> None:
    first, second = outcomes("power", "i32", OwnSide(off_by_one))
    assert (first.verdict, second.verdict, second.program) == ("failed", "failed", "")
    assert "specification: https://" in first.program
    assert "-> tensor<i32>" in first.program.replace("(", "").replace(")", "")
    right, wrong = first.program.partition(", ")[0].rpartition(": ")[2].split(" instead of ")[::-1]
    assert (int(wrong) - int(right)) % 2**32 == 1
    assert hlokit.load(first.program)() == int(right)


def test_failures_that_need_the_whole_case_or_more_than_one_operation() -> None:
    (vector,) = outcomes("abs", "f32", OwnSide(only_arguments), 1)
    assert "inputs: those of stablehlo.abs/f32/plain.values.alone" in vector.program
    (sorted_,) = outcomes("sort", "i8", OwnSide(off_by_one), 1)
    assert "stablehlo.constant dense<" in sorted_.program and "#sort" in sorted_.program
    (loop,) = outcomes("while", "i32", OwnSide(off_by_one), 1)
    assert "// input 0: dense<" in loop.program and "stablehlo.while" in loop.program
    (quantized,) = outcomes("add", "quant-i8", OwnSide(off_by_one), 1)
    assert "quant" in quantized.program
    (refused,) = outcomes("tanh", "f32", OwnSide(refused=("tanh", "error")), 1)
    assert "stablehlo.tanh: error: does not run tanh" in refused.program


def test_kinds_of_failures() -> None:
    assert kind_of("chlo.broadcast_power", "bf16") == kind_of("stablehlo.power", "f32") == "power, float"
    assert kind_of("stablehlo.add", "quant-i8") == "add, quantized"
    assert kind_of("model", "i1") == "model, bool"


def test_what_decides_a_failure() -> None:
    (negated,) = outcomes("negate", "f32", OwnSide(off_by_one), 1)
    assert f"// {card_of('stablehlo.negate').summary}\n// specification: https://" in negated.program  # pyright: ignore[reportOptionalMemberAccess] # it has a card
    assert (
        "spec.md#negate\n// constraints of the operation: C1; the program satisfies them" in negated.program
    )
    (function,) = outcomes("erf", "f32", OwnSide(off_by_one), 1)
    assert "specification" not in function.program
