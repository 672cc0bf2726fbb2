"""Random programs: valid by construction, with everything they compute as results."""

from __future__ import annotations

from random import Random

# Each fills the table of steps.
from tests.fuzz import elementwise, products, regions, shapes  # noqa: F401 # importing them registers their steps
from tests.fuzz.builder import STEPS, WEIGHTS, Builder
from tests.fuzz.values import Program


def generate(random: Random) -> Program:
    """A program of 1 to 12 steps."""
    builder = Builder(random)
    steps = random.randint(1, 12)
    while builder.steps < steps:
        before = len(builder.lines)
        random.choices(STEPS, WEIGHTS)[0](builder)
        builder.steps += 1 if len(builder.lines) > before else 0
    return builder.program()
