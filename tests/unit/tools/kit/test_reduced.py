"""Programs that show failures: few lines, what is wrong, and what decides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from hlokit.operations.cards import card_of
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.kit.cases import cases
from hlokit.tools.kit.judging import Outcome
from hlokit.tools.kit.letters import write_letters
from hlokit.tools.kit.recipes import kind_of, recipes
from hlokit.tools.kit.reduced import shown
from hlokit.tools.kit.report import KitReport
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
    assert (
        "stablehlo.tanh: error: does not run tanh" in refused.program
        and "-> (tensor<f32>)" in refused.program
    )
    assert len(refused.program.splitlines()) < 12


def test_names_in_regions_are_no_names_of_constants() -> None:
    (pairs,) = islice((case for case in cases(recipes(["sort"], ["i8"])) if len(case.inputs) > 1), 1)
    assert [value.tobytes() for value in hlokit.load(shown(pairs, "wrong"))()] == [
        value.tobytes() for value in pairs.expected
    ]


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


class RefusesZero(OwnSide):
    """Crashes where an operand is zero, as divisions do."""

    def run(self, module: str | bytes, inputs: Sequence[Any], function: str = "main") -> list[Any]:
        if any((value == 0).any() for value in inputs[1:]):
            raise SideFailed("crash", "SIGFPE")
        return super().run(module, inputs, function)


def test_an_element_that_ends_the_process() -> None:
    (divided,) = outcomes("divide", "i32", RefusesZero(), 1)
    assert "// input 1: dense<0> : tensor<i32>" in divided.program


def test_reports_stand_alone(tmp_path: Path) -> None:
    """They name the side, what it gives and what is right, what another side gives, and how to repeat it."""
    running = Running(OwnSide(off_by_one), witnesses=[OwnSide(), OwnSide(off_by_one), RefusesZero()])
    outcomes_ = list(running.run(islice(cases(recipes(["power", "broadcast_power"], ["i32"])), 60)))
    assert write_letters(tmp_path / "reports", KitReport("iree:vmvx", outcomes=outcomes_)) == 2
    names = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert names == [
        f"{name}.{end}"
        for name in ("chlo.broadcast_power.i32", "stablehlo.power.i32")
        for end in ("md", "mlir")
    ]
    text = (tmp_path / "reports/stablehlo.power.i32.md").read_text()
    assert text.startswith("# stablehlo.power of i32: ") and " instead of " in text.splitlines()[0]
    assert "\n// own: as expected\n// own: " in text and "spec.md#power" in text
    assert "iree-compile" in text and "diff stablehlo.power.i32.mlir --against='iree:vmvx' --mode=" in text
    assert "--operation=stablehlo.power --type=i32" in text and "\n- and " in text
    program = (tmp_path / "reports/stablehlo.power.i32.mlir").read_text()
    assert hlokit.load(program)().dtype == np.int32
    other = (tmp_path / "reports/chlo.broadcast_power.i32.md").read_text()
    assert "The program has `stablehlo.power`, which fails in the same way." in other
    elsewhere = replace(outcomes_[0], program="", reason="2 instead of 3 at [4, 3], 1 apart")
    write_letters(tmp_path / "others", KitReport("iree:vmvx", outcomes=[elsewhere]))
    title = (tmp_path / "others/stablehlo.power.i32.md").read_text().splitlines()[0]
    assert title.endswith(": 2 instead of 3 at [4, 3]")
    with pytest.raises(ArgumentError, match="cannot write reports to"):
        write_letters(tmp_path / "reports/stablehlo.power.i32.md", KitReport("own", outcomes=outcomes_))
