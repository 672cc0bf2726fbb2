"""The faults of a campaign, and the table of the verdicts on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median

from tests.verdict.effects import Effect, Right
from tests.verdict.faults.planting import CONNECTED, PLAIN, STRUCTURAL, Fault, Kind, draw
from tests.verdict.judging import Judged
from tests.verdict.models import Model

# Of ten faults, three are wrong connections, conditions, reducers or calls; in one an operation is missing or added.
_TURNS = (PLAIN, CONNECTED, PLAIN, PLAIN, CONNECTED, STRUCTURAL, PLAIN, CONNECTED, PLAIN, PLAIN)
# The share of faults without an effect on the results, at most.
_MOST_HIDDEN = 0.3
_DRAWS = 20
GRADES = ("named", "near", "wrong", "missed", "refused", "slow")


def faults_of(
    model: Model, orders: range, seed: int, turns: Sequence[Sequence[Kind]] = _TURNS
) -> Iterator[tuple[Fault, Effect]]:
    """Different faults of a model, with what each changes.

    Args:
      orders: the numbers of the faults in the campaign.
      turns: a fault's number chooses one of these classes of faults.
    """
    random = Random(f"{model.name} {seed}")
    right = Right(model.text, model.arguments)
    texts = {model.text}
    hidden = 0
    for number in orders:
        for _ in range(_DRAWS):
            fault = draw(model.text, random.choice(turns[number % len(turns)]), random)
            if fault is None or fault.text in texts:
                continue
            effect = right.effect_of(fault.text)
            if effect in ("none", "values", "endless", "failure"):
                if hidden >= _MOST_HIDDEN * len(orders):
                    continue
                hidden += 1
            texts.add(fault.text)
            yield fault, effect
            break


def table(judged: Sequence[Judged]) -> str:
    """Grades by class and by effect, and the processor time of the comparisons."""
    rows = [("faults", *GRADES, "of")]
    classes = [kind.name for kind in (*PLAIN, *CONNECTED, *STRUCTURAL)]
    rows += [_row(name, [one for one in judged if one.fault.kind == name]) for name in classes]
    effects: tuple[Effect, ...] = ("results", "values", "none", "failure", "endless")
    rows += [_row(f"changes {name}", [one for one in judged if one.effect == name]) for name in effects]
    rows.append(_row("all", judged))
    factors = sorted(one.answer.seconds / one.run for one in judged if one.effect != "endless")
    times = f"a comparison takes {median(factors):.1f} times the time of a run, {factors[-1]:.1f} at most"
    return "\n".join(["| " + " | ".join(row) + " |" for row in rows] + [times])


def _row(name: str, judged: Sequence[Judged]) -> tuple[str, ...]:
    counts = Counter(one.grade for one in judged)
    return (name, *[str(counts[grade]) for grade in GRADES], str(len(judged)))
