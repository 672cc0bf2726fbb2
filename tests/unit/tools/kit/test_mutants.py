"""The kit catches mistakes of kernels and compilers: `tests/kit`."""

from __future__ import annotations

import pytest

from hlokit.tools.kit.cases import cases
from hlokit.tools.kit.recipes import recipes
from hlokit.tools.kit.running import Running
from tests.kit.campaign import MutantSide, scores
from tests.kit.faults import Mutant, mutants

ALL = {mutant.name: mutant for mutant in mutants()}
FEW = (
    ("stablehlo.add: rounds toward zero", "f32"),
    ("stablehlo.add: saturates", "i8"),
    ("stablehlo.compare: LT as LE", "i8"),
    ("stablehlo.batch_norm_training: variance of n - 1", "f32"),  # whose results have several shapes
    ("stablehlo.pad: with zeros", "f32"),
    ("stablehlo.triangular_solve: unit diagonal ignored", "f32"),
)


def is_caught(mutant: Mutant, type_: str) -> bool:
    outcomes = Running(MutantSide(mutant)).run(cases(recipes([mutant.operation], [type_])))
    return any(outcome.verdict == "failed" for outcome in outcomes)


def test_mutants_are_caught() -> None:
    assert [name for name, type_ in FEW if not is_caught(ALL[name], type_)] == []


def test_a_mutant_without_a_mistake_is_not_caught() -> None:
    same = Mutant("stablehlo.add", "none", lambda operands, results: results)
    assert not is_caught(same, "i8")


@pytest.mark.deep
def test_most_mutants_are_caught() -> None:
    tried = list(scores(list(ALL.values())))
    assert len(tried) >= 300
    survivors = [score.mutant.name for score in tried if not score.full]
    assert len(survivors) <= 0.02 * len(tried), survivors
    missed = [score.mutant.name for score in tried if not score.sample]
    assert len(missed) <= 0.1 * len(tried), missed
