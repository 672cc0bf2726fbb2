"""The answer to the question whether two programs mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from hlokit.display.shown import Shown
from hlokit.errors import for_callers
from hlokit.tools.equal.rules.field import PRIME
from hlokit.tools.equal.rules.formulas import LAWS
from hlokit.tools.equal.rules.laws import ORDER

Status = Literal["equal", "differs", "inconclusive"]
_STATUS: dict[Status, int] = {"equal": 0, "differs": 1, "inconclusive": 2}
# A larger bound of the probability of an error in one run is useless.
_USEFUL = 1e-3
# Reasons, and conditions, that a message lists.
_MOST_REASONS = 5


@dataclass(frozen=True, slots=True, repr=False)
class ResultCompared(Shown):
    """A result of both programs.

    Attributes:
      name: `result N`.
      index: of the first element that differs; None if all are equal.
      values: the floats of both programs there.
      differing: the number of elements that differ.
      is_close: whether the floats differ by rounding alone.
      is_as_exact: whether the floats agree to the last digits of f64, too.
      undefined: the number of elements that are NaN in both programs, and so were not compared.
    """

    name: str
    index: tuple[int, ...] | None = None
    values: tuple[Any, Any] | None = None
    differing: int = 0
    is_close: bool = True
    is_as_exact: bool = True
    undefined: int = 0

    @property
    def is_equal(self) -> bool:
        return self.index is None

    def __str__(self) -> str:
        if self.index is None or self.values is None:
            return (
                f"{self.name}: equal, with {self.undefined} NaN" if self.undefined else f"{self.name}: equal"
            )
        one, two = self.values
        where = f"first at {list(self.index)}: {_number(one)} and {_number(two)}"
        return f"{self.name}: not equal in {_counted(self.differing, 'element')}, {where}"


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int) else f"{value:.9g}"


@dataclass(frozen=True, slots=True, repr=False)
class Reason(Shown):
    """An operation that follows its floats.

    Attributes:
      program: `first` or `second`.
      operation, location, count: the operation, and how often it was evaluated.
      decides: whether rounding can change its result by more than rounding.
    """

    program: str
    operation: str
    location: str
    reason: str
    count: int
    decides: bool

    def __str__(self) -> str:
        where = f" at {self.location}" if self.location else ""
        times = _counted(self.count, "time")
        return f"{self.operation}{where} of the {self.program} program {self.reason} ({times})"


@dataclass(frozen=True, slots=True, repr=False)
class ResultBound(Shown):
    """How far the floats of a result may differ, for the arguments of a run.

    Attributes:
      name: `result N`.
      bound: the largest difference of an element that rounding explains; infinite if there is no bound.
      difference: the largest difference in the run.
      reason: why there is no bound.
    """

    name: str
    bound: float
    difference: float
    reason: str = ""

    def __str__(self) -> str:
        if self.reason:
            return f"{self.name}: floats differ by {self.difference:.3g}; no bound: {self.reason}"
        return f"{self.name}: floats differ by {self.difference:.3g}, by at most {self.bound:.3g} (proven)"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Shown):
    """Whether two programs mean the same over exact arithmetic.

    Attributes:
      status: `equal`, `differs`, or `inconclusive`: results differ, and operations follow their floats.
      results: of the last run.
      runs: the number of runs on different unknown numbers.
      degree: a bound of the degree of the results as fractions of polynomials.
      identities: the identities of functions without which the results differ.
      operation: the first operation whose value the other program does not compute; "" if none is known.
      reasons: why operations follow their floats.
      arguments: the arguments of the last run: the counterexample, where results differ.
      has_unknowns: whether floats among the arguments stand for unknown numbers.
      bounds: how far the floats may differ, if that was asked and the programs are equal.
      conditions: comparisons of floats that decided in one way for all arguments that were tried.
    """

    status: Status
    results: tuple[ResultCompared, ...]
    runs: int
    degree: float
    identities: tuple[str, ...] = ()
    operation: str = ""
    reasons: tuple[Reason, ...] = ()
    arguments: tuple[Any, ...] = ()
    has_unknowns: bool = True
    bounds: tuple[ResultBound, ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 for equal, 1 for differs, 2 for inconclusive."""
        return _STATUS[self.status]

    @property
    def is_equal(self) -> bool:
        return self.status == "equal"

    @property
    def is_close(self) -> bool:
        """Whether the floats of all results are the same in f64, apart from roundings."""
        return all([result.is_equal or result.is_close for result in self.results])

    @property
    def error(self) -> float | None:
        """A bound of the probability that these runs agree although the programs differ; None if the degree
        is so high that there is no useful bound, or if no argument stands for an unknown number."""
        if self.degree >= _USEFUL * self._size or not self.has_unknowns:
            return None
        return (self.degree / self._size) ** self.runs

    @property
    def _size(self) -> int:
        """The number of values of a number."""
        return PRIME if LAWS.isdisjoint(self.identities) else ORDER

    def _unseen(self) -> str:
        if self.error is not None:
            return f"a difference goes unseen with a probability of at most {self.error:.1g}"
        chance = (1 / self._size) ** self.runs
        return (
            f"numbers agree by chance with a probability of {chance:.1g} (no proof: the degree is too high)"
        )

    def __str__(self) -> str:
        lines = [HEADS[self.status]]
        if self.is_equal:
            compared = f"{_counted(len(self.results), 'result')} of {_counted(self.runs, 'run')}"
            alone = "on these arguments alone (--prove decides about all)"
            on = f"on unknown numbers; {self._unseen()}" if self.has_unknowns else alone
            lines[0] += f", in {compared} {on}"
            lines += [f"  assumed: {identity}" for identity in self.identities]
            lines += [f"  {result}" for result in self.results if result.undefined]
            lines += [f"  {bound}" for bound in self.bounds]
            lines += _listed(
                [f"  where {condition} decides as in these runs" for condition in self.conditions]
            )
        else:
            lines += [f"  {result}" for result in self.results if not result.is_equal]
            if self.operation:
                lines.append(f"  first at {self.operation}")
        if self.status == "inconclusive":
            lines += _listed([f"  because {reason}" for reason in self.reasons])
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, for JSON."""
        return {
            "status": self.status,
            "runs": self.runs,
            "error": self.error,
            "identities": list(self.identities),
            "operation": self.operation,
            "results": [
                {
                    "name": result.name,
                    "equal": result.is_equal,
                    "differing": result.differing,
                    "nan": result.undefined,
                    "index": None if result.index is None else list(result.index),
                    "values": None if result.values is None else [str(value) for value in result.values],
                }
                for result in self.results
            ],
            "conditions": list(self.conditions),
            "bounds": [
                {
                    "name": bound.name,
                    "bound": bound.bound if isfinite(bound.bound) else None,
                    "difference": bound.difference if isfinite(bound.difference) else None,
                    "reason": bound.reason,
                }
                for bound in self.bounds
            ],
            "follows_floats": [
                {
                    "program": reason.program,
                    "operation": reason.operation,
                    "location": reason.location,
                    "reason": reason.reason,
                    "count": reason.count,
                }
                for reason in self.reasons
            ],
        }

    @for_callers
    def require(self) -> None:
        """
        Raises:
          AssertionError: the programs are not equal.
        """
        if not self.is_equal:
            raise AssertionError(str(self))


def _listed(lines: Sequence[str]) -> list[str]:
    """The first lines of a list, and how many more operations it has."""
    more = len(lines) - _MOST_REASONS
    return [*lines[:_MOST_REASONS], *([f"  and {more} more operations"] if more > 0 else [])]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


HEADS: dict[Status, str] = {
    "equal": "equal, exactly",
    "differs": "differs in meaning",
    "inconclusive": "inconclusive",
}
