"""The sample of the kit that a budget of seconds takes: fixed cases, however fast the machine is."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import count, islice

from hlokit.errors import ArgumentError
from hlokit.operations.lookup import traits_of
from hlokit.tools.kit.cases import Case, Unevaluated, cases
from hlokit.tools.kit.recipes import OF_SHAPE, Recipe, recipes

# Cases of the sample for each second of the budget: what XLA:CPU needs for its programs, on two cores.
CASES_A_SECOND = 20
# Types in the order in which a sample takes them; others follow.
_TYPES = (
    "f32",
    "i32",
    "bf16",
    "ui8",
    "i1",
    "complex-f32",
    "f16",
    "i8",
    "f64",
    "quant-i8",
    "i64",
    "f8E4M3FN",
    "i4",
)
_LATER = len(_TYPES)
_LAST = 3
# Multiples of it, without their whole parts, are far from each other.
_GOLDEN = (5**0.5 - 1) / 2
# How many types an elementwise operation has more in each turn.
_TYPES_OF_ELEMENTWISE = 3
# An operation has one case more in each round for so many variants, up to the most.
_VARIANTS, _MOST = 5, 6
# Of a budget: longer ones are slips of the keyboard.
_MOST_DIGITS = 9


def seconds_of(text: str) -> int:
    """The seconds of a budget such as `60s` or `5m`."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in "sm" else (text, "s")
    if not number.isdecimal() or len(number) > _MOST_DIGITS or not int(number):
        raise ArgumentError(f"a budget must be seconds or minutes such as 60s or 5m, got '{text}'")
    return int(number) * (60 if unit == "m" else 1)


def ordered(chosen: Iterable[Recipe]) -> Iterator[Case | Unevaluated]:
    """Cases in the order of samples: operations in turn, each with its most telling cases first.

    In the first round, each operation has one case; in later ones, more cases if it has many variants, and
    one in every second round if it is another operation that broadcasts.
    """
    by_operation: dict[str, dict[str, list[Recipe]]] = {}
    for recipe in chosen:
        types = by_operation.setdefault(recipe.subject.operation, {})
        types.setdefault(recipe.subject.type_, []).append(recipe)
    waiting = [(_sequence(name, types), _share(name, types)) for name, types in by_operation.items()]
    for number in count():
        unfinished: list[tuple[Iterator[Case | Unevaluated], Fraction]] = []
        for stream, share in waiting:
            size = 1 if number == 0 else int(number * share) - int((number - 1) * share)
            part = list(islice(stream, size))
            yield from part
            if len(part) == size:
                unfinished.append((stream, share))
        if not unfinished:
            return
        waiting = unfinished


def _share(operation: str, types: dict[str, list[Recipe]]) -> Fraction:
    """The cases of an operation in a round."""
    if traits_of(operation).broadcasting:
        return Fraction(1, 2)
    variants = {
        recipe.subject.variant.name.partition(OF_SHAPE)[0] for kind in types.values() for recipe in kind
    }
    return Fraction(min(_MOST, 1 + len(variants) // _VARIANTS))


def _sequence(operation: str, types: dict[str, list[Recipe]]) -> Iterator[Case | Unevaluated]:
    """The cases of an operation: again and again of each of its types so far, and of new types, the usual
    ones first; the verifier refuses some.

    Elementwise operations differ by types rather than by variants, so that they soon have many types.
    """
    ranks = {type_: number for number, type_ in enumerate(_TYPES)}
    waiting = deque(sorted(types, key=lambda type_: ranks.get(type_, _LATER)))
    streams: list[Iterator[Case | Unevaluated]] = []
    more = _TYPES_OF_ELEMENTWISE if traits_of(operation).elementwise else 1
    while True:
        part = [case for stream in streams if (case := next(stream, None)) is not None]
        new: list[Case | Unevaluated] = []
        while waiting and len(new) < more:
            stream = cases(_spread(types[waiting.popleft()], len(streams)))
            first = next(stream, None)
            if first is not None:
                streams.append(stream)
                new.append(first)
        if not part and not new:
            return
        yield from [*part[:1], *new, *part[1:]]


def _spread(kind: Sequence[Recipe], rank: int) -> list[Recipe]:
    """The recipes of an operation and type: all values that matter, then what is alone, then other places, at
    last of variants that were there alone.

    Of these, each has as much as possible that the ones before lack: first each variant once, with other
    operands than the variant before, then the variants again, with their next operands. Each type begins at
    another variant, by the golden ratio: types have much in common, and together they soon have all variants.
    """
    styles: dict[tuple[int, str], list[str]] = {}
    for recipe in kind:
        styles.setdefault(_phase(recipe, kind[0]), []).append(recipe.subject.style)
    phases = Counter(phase for phase, _ in styles)
    in_order = sorted(styles, key=lambda variant: variant[0] == _LAST)
    numbers = {variant: number for number, variant in enumerate(in_order)}
    keys: list[tuple[int, int, int]] = []
    for recipe in kind:
        variant = _phase(recipe, kind[0])
        count = phases[variant[0]]
        first = int(rank * _GOLDEN * count)
        number, own = numbers[variant], styles[variant]
        turn = (own.index(recipe.subject.style) - number) % len(own)
        keys.append((variant[0], turn, (number - first) % count))
    return [kind[index] for index in sorted(range(len(kind)), key=lambda index: keys[index])]


def _phase(recipe: Recipe, first: Recipe) -> tuple[int, str]:
    """When a recipe's turn is, and its variant.

    Args:
      first: the first recipe of the operation and type.
    """
    name, style = recipe.subject.variant.name, recipe.subject.style
    if recipe.place == "alone":
        return int(style != "values"), name
    is_early = recipe.subject == first.subject or (style == "values" and recipe.place == "fused")
    return 2 if is_early else _LAST, name


def sample(
    budget: int | None, operations: tuple[str, ...] = (), types: tuple[str, ...] = ()
) -> Iterator[Case | Unevaluated]:
    """The cases that a budget takes; all cases without one.

    Args:
      budget: seconds.
    """
    chosen = recipes(operations, types)
    if budget is None:
        return cases(chosen)
    return islice(ordered(chosen), budget * CASES_A_SECOND)
