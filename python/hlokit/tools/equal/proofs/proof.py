"""`Proof`: the answer of `prove`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hlokit.display.shown import Shown
from hlokit.errors import for_callers
from hlokit.tools.equal.verdict import ResultCompared

ProofStatus = Literal["proved", "differs", "inconclusive"]
_STATUS: dict[ProofStatus, int] = {"proved": 0, "differs": 1, "inconclusive": 2}


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Shown):
    """Whether two programs give the same bits for all arguments of their types.

    Attributes:
      status: `proved`, `differs` with a counterexample that was run, or `inconclusive`.
      how: what was done for the answer.
      results: those that differ for the counterexample.
      arguments: of the counterexample; () if there is none.
    """

    status: ProofStatus
    how: str
    results: tuple[ResultCompared, ...] = ()
    arguments: tuple[Any, ...] = ()

    @property
    def exit_status(self) -> int:
        """0 for proved, 1 for differs, 2 for inconclusive."""
        return _STATUS[self.status]

    @property
    def is_equal(self) -> bool:
        return self.status == "proved"

    def __str__(self) -> str:
        heads = {
            "proved": "equal for all arguments, bit by bit",
            "differs": "differs for some arguments",
            "inconclusive": "inconclusive",
        }
        lines = [f"{heads[self.status]}: {self.how}", *[f"  {result}" for result in self.results]]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, for JSON."""
        return {
            "status": self.status,
            "how": self.how,
            "results": [
                {
                    "name": result.name,
                    "differing": result.differing,
                    "index": None if result.index is None else list(result.index),
                    "values": None if result.values is None else [str(value) for value in result.values],
                }
                for result in self.results
            ],
        }

    @for_callers
    def require(self) -> None:
        """
        Raises:
          AssertionError: the programs are not proved equal.
        """
        if not self.is_equal:
            raise AssertionError(str(self))
