"""How many mutants the kit catches: `python -m tests.kit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import hlokit
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.diff.flow.following import Unwatched, follow
from hlokit.tools.kit.cases import Case, cases
from hlokit.tools.kit.recipes import recipes
from hlokit.tools.kit.running import Running
from hlokit.tools.kit.sample import sample
from tests.kit.changes import Change
from tests.kit.faults import Mutant

# The types of the campaign: the others have the same kernels.
TYPES = ("f32", "i32", "bf16", "i1", "complex-f32", "ui8", "f16", "i8")


class MutantSide:
    """hlokit with one mistake, as a side."""

    batch = 1

    def __init__(self, mutant: Mutant) -> None:
        self.name = mutant.name
        self._mutant = mutant

    def run(self, module: str | bytes, inputs: Sequence[Any], function: str = "main") -> list[Any]:
        """See `Side`."""
        assert isinstance(module, str)
        try:
            program = hlokit.load(module.replace(*self._mutant.text) if self._mutant.text[0] else module)
            if self._mutant.change is None:
                results = program.runs.evaluate(list(inputs), function)
            else:
                changed = _Changed(self._mutant.operation, self._mutant.change)
                results = follow(program, list(inputs), function, changed)
        except HlokitError as error:
            raise SideFailed("error", str(error)) from None
        return [np.asarray(value) for value in results]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Any]], function: str = "main"
    ) -> list[list[Any]]:
        """See `Side`."""
        return [self.run(module, arguments, function) for arguments in inputs]

    def close(self) -> None:
        """See `Side`."""


class _Changed(Unwatched):
    """A follower that changes the results of an operation."""

    def __init__(self, operation: str, change: Change) -> None:
        self._operation = operation
        self._change = change

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]
    ) -> Sequence[Any] | None:
        del plan
        if step.name != self._operation:
            return None
        arrays = [np.asarray(value) for value in operands], [np.asarray(value) for value in results]
        try:
            return self._change(*arrays)
        except (TypeError, ValueError):
            return None  # a mistake that these types cannot have


class Score(NamedTuple):
    """What became of a mutant.

    Attributes:
      full, sample: the id of the first case that fails, of the kit and of its sample of a minute; "" if
        none does.
      has_effect: whether the mutant changes a result of a case.
    """

    mutant: Mutant
    full: str
    sample: str
    has_effect: bool


def scores(mutants: Sequence[Mutant]) -> Iterator[Score]:
    """Try mutants one after the other."""
    in_sample = _sample()
    for mutant in mutants:
        own = _cases_of(mutant.operation)
        full, has_effect = "", False
        running = Running(MutantSide(mutant))
        # The cases of the sample first: if one fails, the whole kit catches the mutant, too.
        for case in sorted(own, key=lambda case: case.id not in in_sample):
            (outcome,) = running.run([case])
            has_effect |= outcome.verdict != "passed" or outcome.ulps != 0
            if outcome.verdict == "failed":
                full = case.id
                break
        yield Score(mutant, full, full if full in in_sample else "", has_effect)


def _sample() -> frozenset[str]:
    """The ids of the cases in the sample of a minute."""
    return frozenset(case.id for case in sample(60))


@cache
def _cases_of(operation: str) -> list[Case]:
    """The cases of an operation on the types of the campaign."""
    return list(cases(recipes([operation], TYPES)))
