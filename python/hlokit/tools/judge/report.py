"""`Judgement`: the verdict on a candidate, call by call."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from hlokit.display.shown import Shown

Outcome = Literal["right", "wrong", "suspicious", "unknown"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One call.

    Attributes:
      trial: what is special about its inputs.
      verdict: `right`, `wrong`, `failed` (no results), or `not compared` (the definition fails).
      text: the worst element, or the failure.
      share: the largest error as a multiple of the bound; above 1 for wrong results.
      is_proven: whether all bounds are proven; otherwise disturbed runs estimate some.
    """

    trial: str
    verdict: str
    text: str = ""
    share: float = 0.0
    is_proven: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Judgement(Shown):
    """The verdict on a candidate.

    Attributes:
      reference, candidate: their names.
      calls: what came of each call.
      findings: what is wrong or suspicious, in words.
    """

    reference: str
    candidate: str
    calls: tuple[Judged, ...]
    findings: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        """`right`: all results are within bounds, and nothing else was found."""
        verdicts = {call.verdict for call in self.calls}
        if verdicts & {"wrong", "failed"}:
            return "wrong"
        if "right" not in verdicts:
            return "unknown"
        return "suspicious" if self.findings else "right"

    @property
    def status(self) -> int:
        """The exit status: 0 for right, 2 if nothing was compared, otherwise 1."""
        return {"right": 0, "unknown": 2}.get(self.outcome, 1)

    def as_dict(self) -> dict[str, Any]:
        """The judgement as plain values, for JSON."""
        return {
            "reference": self.reference,
            "candidate": self.candidate,
            "outcome": self.outcome,
            "status": self.status,
            "findings": list(self.findings),
            "calls": [
                {
                    "trial": call.trial,
                    "verdict": call.verdict,
                    "text": call.text,
                    "share": _number(call.share),
                    "is_proven": call.is_proven,
                }
                for call in self.calls
            ],
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.candidate} against {self.reference}: {self.outcome}"
        for finding in self.findings:
            yield f"finding   {finding}"
        for call in self.calls:
            bound = "bound" if call.is_proven else "estimated bound"
            share = "" if call.verdict != "right" else f"{call.share:.2g} of the {bound}"
            yield f"{call.verdict:12} {call.trial:40} {call.text or share}"


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)
