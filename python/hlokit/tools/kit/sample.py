"""The sample of the kit that a budget of seconds takes: fixed cases, however fast the machine is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from hlokit.errors import ArgumentError
from hlokit.tools.kit.cases import Case, cases
from hlokit.tools.kit.recipes import OF_SHAPE, Recipe, recipes

# Cases of the sample for each second of the budget: what XLA:CPU needs for its programs, on two cores.
CASES_A_SECOND = 20
# Types in the order in which a sample takes them; others follow.
_TYPES = (
    "f32",
    "i32",
    "bf16",
    "i1",
    "complex-f32",
    "ui8",
    "f16",
    "i8",
    "f64",
    "quant-i8",
    "i64",
    "f8E4M3FN",
    "i4",
)
_LATER = len(_TYPES)
# Of a budget: longer ones are slips of the keyboard.
_MOST_DIGITS = 9


def seconds_of(text: str) -> int:
    """The seconds of a budget such as `60s` or `5m`."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in "sm" else (text, "s")
    if not number.isdecimal() or len(number) > _MOST_DIGITS or not int(number):
        raise ArgumentError(f"a budget must be seconds or minutes such as 60s or 5m, got '{text}'")
    return int(number) * (60 if unit == "m" else 1)


def ordered(chosen: Iterable[Recipe]) -> list[Recipe]:
    """Recipes in the order of samples: operations in turn, each with its most telling case first.

    The place in the order is the number of a recipe among those of its operation and type, plus the number
    of its type in `_TYPES`: so a sample of any size has all operations, and the usual types first.
    """
    ranks = {type_: number for number, type_ in enumerate(_TYPES)}
    counts: Counter[tuple[str, str]] = Counter()
    keyed: list[tuple[int, int, Recipe]] = []
    for number, recipe in enumerate(_telling_first(chosen)):
        kind = (recipe.subject.operation, recipe.subject.type_)
        keyed.append((counts[kind] + ranks.get(kind[1], _LATER), number, recipe))
        counts[kind] += 1
    return [recipe for _, _, recipe in sorted(keyed, key=lambda row: row[:2])]


def _telling_first(chosen: Iterable[Recipe]) -> list[Recipe]:
    """All variants of an operation alone, then other shapes, then other places, which find fewer mistakes."""
    return sorted(
        chosen, key=lambda recipe: (recipe.place != "alone", OF_SHAPE in recipe.subject.variant.name)
    )


def sample(
    budget: int | None, operations: tuple[str, ...] = (), types: tuple[str, ...] = ()
) -> Iterator[Case]:
    """The cases that a budget takes; all cases without one.

    Args:
      budget: seconds.
    """
    chosen = recipes(operations, types)
    if budget is None:
        return cases(chosen)
    return islice(cases(ordered(chosen)), budget * CASES_A_SECOND)
