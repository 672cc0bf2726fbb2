"""Value numbers of loops and branches: each result apart, whatever the order and the number of the others.

A part of a loop's state that no iteration changes is its first value, inside of the loop as well. A result of
a loop depends on the parts of the state that its own part or the condition reads. So what passes move into
loops or out of them, reorder or leave away keeps its number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hlokit.tools.stages.values.numbers import Numbers

# The number of the root of a computation whose argument has a number.
Root = Callable[[int], int]


class Loop(NamedTuple):
    """The computations of a loop.

    Attributes:
      depth: how many loops are around this one.
      kept: some parts of the state that the body returns as they are.
    """

    condition: Root
    body: Root
    depth: int
    kept: frozenset[int] = frozenset()


class _Part(NamedTuple):
    """A part of a loop's state that iterations change.

    Attributes:
      state: its number inside of the loop.
      root: the number of its next value.
      bit: the bit that stands for the state.
    """

    state: int
    root: int
    bit: int


def loop(numbers: Numbers, initial: int, computations: Loop) -> int:
    """The number of what a loop returns.

    Args:
      initial: the number of the first state.
    """
    is_tuple = initial in numbers.elements
    first = numbers.elements.get(initial, (initial,))
    states = _states(numbers, first, computations.depth)
    kept = computations.kept
    arguments = [old if n in kept else own for n, (own, old) in enumerate(zip(states, first, strict=True))]
    while True:
        argument = numbers.tuple_of(arguments) if is_tuple else arguments[0]
        root = computations.body(argument)
        roots = (root,)
        if is_tuple:
            roots = [numbers.element_of(root, n, numbers.type_of(old)) for n, old in enumerate(first)]
        rows = list(zip(arguments, states, first, roots, strict=True))
        unchanged = [old if new in (state, old) else own for own, state, old, new in rows]
        if unchanged == arguments:
            break
        arguments = unchanged
    outer = numbers.states(first)
    parts = {
        position: _Part(state, new, numbers.states([state]) & ~outer)
        for position, (own, state, _, new) in enumerate(rows)
        if own == state
    }
    test = computations.condition(argument)
    results = list(first)
    for position in parts:
        results[position] = _result(numbers, test, parts, position)
    return numbers.tuple_of(results) if is_tuple else results[0]


def _states(numbers: Numbers, first: Sequence[int], depth: int) -> list[int]:
    """The numbers of the parts of a state: parts with other first values, or of loops around, have others."""
    seen: Counter[int] = Counter()
    states: list[int] = []
    for number in first:
        states.append(numbers.state(depth, number, seen[number]))
        seen[number] += 1
    return states


def _result(numbers: Numbers, test: int, parts: dict[int, _Part], position: int) -> int:
    """The number of a part of the state after the loop.

    Args:
      test: the number of the condition.
    """
    own = sum([part.bit for part in parts.values()])
    read = 0
    needed: list[_Part] = []
    more = numbers.states([test]) & own | parts[position].bit
    while read != more:
        read = more
        needed = [part for part in parts.values() if part.bit & read]
        more = read | numbers.states([part.root for part in needed]) & own
    operands = [parts[position].state, test]
    for state, root, _ in sorted(needed):
        operands += (state, root)
    return numbers.bound(("loop",), operands, own, numbers.type_of(parts[position].state))


def branches(numbers: Numbers, index: int, roots: Sequence[int]) -> int:
    """The number of what a conditional returns.

    Args:
      index: the number of what chooses the branch.
      roots: the numbers of what the branches return.
    """
    if not all([root in numbers.elements for root in roots]):
        return _branch(numbers, index, roots)
    rows = zip(*[numbers.elements[root] for root in roots], strict=True)
    return numbers.tuple_of([_branch(numbers, index, row) for row in rows])


def _branch(numbers: Numbers, index: int, roots: Sequence[int]) -> int:
    """One value of a conditional: that of all branches if they have the same one."""
    if len(set(roots)) == 1:
        return roots[0]
    return numbers.number(("conditional",), (index, *roots), numbers.type_of(roots[0]))
