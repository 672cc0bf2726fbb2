"""The sample of the kit that a budget of seconds takes: fixed cases, however fast the machine is."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from hlokit.errors import ArgumentError
from hlokit.tools.kit.cases import Case, cases
from hlokit.tools.kit.recipes import Recipe, recipes

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
# Multiples of it, without their whole parts, are far from each other.
_GOLDEN = (5**0.5 - 1) / 2
# Of a budget: longer ones are slips of the keyboard.
_MOST_DIGITS = 9


def seconds_of(text: str) -> int:
    """The seconds of a budget such as `60s` or `5m`."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in "sm" else (text, "s")
    if not number.isdecimal() or len(number) > _MOST_DIGITS or not int(number):
        raise ArgumentError(f"a budget must be seconds or minutes such as 60s or 5m, got '{text}'")
    return int(number) * (60 if unit == "m" else 1)


def ordered(chosen: Iterable[Recipe]) -> Iterator[Case]:
    """Cases in the order of samples: operations in turn, each with its most telling case first.

    In each round, an operation has a case of each of its types so far, and of one type more, the usual ones
    first: all operations have a case before one has a second one.
    """
    by_operation: dict[str, dict[str, list[Recipe]]] = {}
    for recipe in chosen:
        types = by_operation.setdefault(recipe.subject.operation, {})
        types.setdefault(recipe.subject.type_, []).append(recipe)
    rounds = [_rounds(types) for types in by_operation.values()]
    while rounds:
        unfinished: list[Iterator[list[Case]]] = []
        for own in rounds:
            part = next(own, None)
            if part is not None:
                yield from part
                unfinished.append(own)
        rounds = unfinished


def _rounds(types: dict[str, list[Recipe]]) -> Iterator[list[Case]]:
    """The cases of an operation, round by round; the verifier refuses some types."""
    ranks = {type_: number for number, type_ in enumerate(_TYPES)}
    waiting = deque(sorted(types, key=lambda type_: ranks.get(type_, _LATER)))
    streams: list[Iterator[Case]] = []
    while True:
        while waiting:
            stream = cases(_spread(types[waiting.popleft()], len(streams)))
            first = next(stream, None)
            if first is not None:
                streams.append(chain([first], stream))
                break
        part = [case for stream in streams if (case := next(stream, None)) is not None]
        if not part:
            return
        yield part


def _spread(kind: Sequence[Recipe], rank: int) -> list[Recipe]:
    """The recipes of an operation and type: all values that matter, then what is alone, then other places.

    Of these, each has as much as possible that the ones before lack: first each variant once, with other
    operands than the variant before, then the variants again, with their next operands. Each type begins at
    another variant, by the golden ratio: types have much in common, and together they soon have all variants.
    """
    styles: dict[tuple[int, str], list[str]] = {}
    for recipe in kind:
        styles.setdefault(_phase(recipe), []).append(recipe.subject.style)
    phases = Counter(phase for phase, _ in styles)
    numbers = {variant: number for number, variant in enumerate(styles)}
    keys: list[tuple[int, int, int]] = []
    for recipe in kind:
        variant = _phase(recipe)
        count = phases[variant[0]]
        first = int(rank * _GOLDEN * count)
        number, own = numbers[variant], styles[variant]
        turn = (own.index(recipe.subject.style) - number) % len(own)
        keys.append((variant[0], turn, (number - first) % count))
    return [kind[index] for index in sorted(range(len(kind)), key=lambda index: keys[index])]


def _phase(recipe: Recipe) -> tuple[int, str]:
    """When a recipe's turn is, and its variant."""
    if recipe.place != "alone":
        return 2, recipe.subject.variant.name
    return int(recipe.subject.style != "values"), recipe.subject.variant.name


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
    return islice(ordered(chosen), budget * CASES_A_SECOND)
