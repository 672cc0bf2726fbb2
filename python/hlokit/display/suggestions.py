"""Suggestions for names that do not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable

# How a suggestion begins.
SUGGESTS = "; did you mean "
# Shorter beginnings of names suggest nothing; longer names are no misspelt names.
_SHORTEST, _LONGEST = 3, 100
# Wrong letters that a name may have, by its length.
_LETTERS = ((4, 1), (8, 2), (_LONGEST, 3))


def did_you_mean(name: str, names: Iterable[str], spelling: str = "{}") -> str:
    """The suggestion that a message adds for an unknown name: the name that is meant; "" if none is near."""
    meant = closest(name, names)
    return "" if meant is None else f"{SUGGESTS}{spelling.format(meant)}?"


def closest(name: str, names: Iterable[str]) -> str | None:
    """The name that is meant: the same but for case and hyphens, the shortest that begins so, or misspelt."""
    wanted = _plain(name)
    if not wanted or len(name) > _LONGEST:
        return None
    candidates = list(dict.fromkeys(names))
    for other in candidates:
        if _plain(other) == wanted:
            return other
    if len(wanted) >= _SHORTEST:
        longer = [other for other in candidates if _plain(other).startswith(wanted)]
        if longer:
            return min(longer, key=len)
    most = next(count for length, count in _LETTERS if len(wanted) <= length)
    similar = [other for other in candidates if abs(len(other) - len(name)) <= 3]
    distances = [(distance(wanted, _plain(other)), other) for other in similar]
    # A name of which half of the letters differ is another name.
    near = [(far, other) for far, other in distances if far <= most and 2 * far < len(other)]
    # Of equally near names, letters are rather exchanged than lost.
    letters = sorted(wanted)
    return min(near, key=lambda item: (item[0], sorted(_plain(item[1])) != letters))[1] if near else None


def distance(one: str, other: str) -> int:
    """The number of letters to insert, remove, replace or exchange with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one):
        above, row = rows[-1], [i + 1]
        for j, letter_of_other in enumerate(other):
            costs = [above[j + 1] + 1, row[j] + 1, above[j] + (letter != letter_of_other)]
            if i and j and letter == other[j - 1] and one[i - 1] == letter_of_other:
                costs.append(rows[-2][j - 1] + 1)
            row.append(min(costs))
        rows.append(row)
    return rows[-1][-1]


def _plain(name: str) -> str:
    return re.sub(r"[-_\s]", "", name).lower()
