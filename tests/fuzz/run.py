"""Run a program on hlokit and on the oracles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import hlokit
from tests import oracles
from tests.fuzz.judge import Difference, first_difference
from tests.generate.values import Program


@dataclass
class Verdict:
    """The outcome of a program.

    Attributes:
      failure: the exception of hlokit.
      differences: by oracle, the first value in which it differs from hlokit; None where they agree.
      refused: messages of oracles that cannot evaluate the program.
    """

    failure: str = ""
    differences: dict[str, Difference | None] = field(default_factory=dict[str, Difference | None])
    refused: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def is_agreement(self) -> bool:
        """Whether at least one oracle agrees."""
        return not self.failure and None in self.differences.values()

    @property
    def is_disagreement(self) -> bool:
        """Whether hlokit failed, or no oracle that could evaluate the program agrees."""
        return bool(self.failure) or (bool(self.differences) and None not in self.differences.values())

    def __str__(self) -> str:
        lines = [self.failure] if self.failure else []
        lines += [f"{name}: {difference}" for name, difference in self.differences.items() if difference]
        lines += [f"{name} refused: {reason[:500]}" for name, reason in self.refused.items()]
        return "\n".join(lines)


ORACLES = {"C++ interpreter": oracles.reference, "XLA": oracles.xla}


def judge(program: Program, *, all_oracles: bool = False) -> Verdict:
    """Compare with the C++ interpreter, and with XLA if the interpreter disagrees (or with `all_oracles`)."""
    verdict = Verdict()
    try:
        results = hlokit.load(program.text)()
        # A second run is compiled.
        again = hlokit.load(program.text)
        again()
        compiled = again()
    except Exception as error:  # any exception is a finding
        verdict.failure = f"{type(error).__name__}: {error}"
        return verdict
    ours = list(results) if isinstance(results, tuple) else [results]
    twice = list(compiled) if isinstance(compiled, tuple) else [compiled]
    for value, first, second in zip(program.values, ours, twice, strict=True):
        if np.asarray(first).tobytes() != np.asarray(second).tobytes():
            verdict.failure = f"{value.name} differs when it is compiled: {first} and {second}"
            return verdict
    for name, oracle in ORACLES.items():
        if None in verdict.differences.values() and not all_oracles:
            break
        try:
            theirs = oracle(program.text)
        except oracles.OracleError as error:
            verdict.refused[name] = str(error)
            continue
        verdict.differences[name] = first_difference(program, ours, theirs)
    return verdict
