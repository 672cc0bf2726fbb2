"""What tells rounding from meaning: two programs in exact arithmetic."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

from hlokit.errors import HlokitError
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, limited
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.sides import WholeProgram, paired, side_of
from hlokit.tools.equal.verdict import HEADS
from hlokit.tools.stages.evaluating import Pair

# An exact run of so many seconds is repeated with identities, for the note.
_QUICK = 0.1


class Meaning(NamedTuple):
    """Whether two programs are equal in exact arithmetic.

    Attributes:
      status: as in `Verdict`; "" if they were not compared.
      is_close: whether their results are the same in f64, apart from roundings.
      ran_out: whether there was no time to compare them.
    """

    note: str
    status: str = ""
    is_close: bool = True
    ran_out: bool = False

    @property
    def is_open(self) -> bool:
        """Whether exact arithmetic decides nothing."""
        return self.status in ("", "inconclusive")


def meaning_within(pair: Pair, most: int | None) -> Meaning:
    """What tells rounding from meaning where results are within bounds.

    Where results are the same in f64, too, identities decide nothing, and are named if that takes no time.

    Args:
      most: how many iterations of each loop decide; if results differ in f64, all iterations do.
    """
    start = time.perf_counter()
    meaning = meaning_of(pair, most, stops_if_close=True)
    if meaning.status == "differs" and meaning.is_close:
        is_quick = time.perf_counter() - start < _QUICK
        return meaning_of(pair, most) if is_quick else meaning
    if most is not None and meaning.status == "differs":
        return meaning_of(pair, stops_if_close=True)
    return meaning


def meaning_of(pair: Pair, most: int | None = None, **how: bool) -> Meaning:
    """What tells rounding from meaning.

    Args:
      most: how many iterations of each loop are compared, without identities; None for all.
      how: see `Question`.
    """
    before, after, values = pair
    sides = WholeProgram(*before), side_of(after.program, after.name, (), {})
    try:
        pairing = paired(*sides)
        question = Question(*sides, pairing, values, runs=1, iterations=most, has_identities=most is None)
        verdict = limited(lambda: decide(replace(question, **how)))
    except HlokitError as error:
        note = f"not compared in exact arithmetic: {str(error).partition(chr(10))[0]}"
        return Meaning(note, ran_out=isinstance(error, RanOutOfTime))
    assumed = f", assuming {', '.join(verdict.identities)}" if verdict.identities else ""
    assumed += f", in {most} iterations of each loop" if most is not None else ""
    return Meaning(f"{HEADS[verdict.status]}{assumed}", verdict.status, verdict.is_close)
