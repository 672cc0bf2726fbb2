"""Draws faults: the classes, where each may be, and programs with one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import hlokit
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from tests.verdict.faults import changes, wiring
from tests.verdict.faults.structure import (
    BRANCHES,
    RETURNS,
    is_in_condition,
    is_in_main,
    is_in_reducer,
    line_of,
    operations_of,
    parent_of,
    region_of,
)
from tests.verdict.models import printed

# At most so many operations of a program are tried for one fault.
_TRIES = 30


@dataclass(frozen=True)
class Kind:
    """A class of faults.

    Attributes:
      is_at: whether an operation may get such a fault.
      change: changes the operation in place; false if there is nothing to change.
      is_further: whether the change adds an operation after it.
    """

    name: str
    is_at: Callable[[Any], bool]
    change: Callable[[Any, Random], bool]
    is_further: bool = False


@dataclass(frozen=True)
class Fault:
    """A program with a fault.

    Attributes:
      kind: the name of the class.
      operation: the name of the operation that was changed.
      lines: the lines of the right program that name the fault: of the operation, or of those that take another
        value because of a further operation.
      text: the program with the fault.
      near: the lines of operations that take its results, compute its operands, or enclose it.
    """

    kind: str
    operation: str
    lines: frozenset[int]
    text: str
    near: frozenset[int]


def _is_plain(operation: Any) -> bool:
    """Whether an operation computes values, outside of reducers and conditions of loops."""
    is_wiring = operation.name in (*RETURNS, "func.call", "stablehlo.while")
    return not (is_wiring or is_in_reducer(operation) or is_in_condition(operation))


def _returns_from(*regions: tuple[str, int]) -> Callable[[Any], bool]:
    return lambda operation: operation.name == "stablehlo.return" and region_of(operation) in regions


def _is_named(*names: str) -> Callable[[Any], bool]:
    return lambda operation: operation.name in names


_BRANCHES = tuple((name, number) for name in BRANCHES for number in range(8))

PLAIN = (
    Kind("kind", _is_plain, changes.another_kind),
    Kind("order of operands", _is_plain, changes.another_order),
    Kind("operand", _is_plain, wiring.another_operand),
    Kind("word of an attribute", lambda op: _is_plain(op) and changes.has_words(op), changes.another_word),
    Kind(
        "number of an attribute", lambda op: _is_plain(op) and changes.has_numbers(op), changes.another_number
    ),
    Kind("constant", _is_named("stablehlo.constant"), changes.another_constant),
)
CONNECTED = (
    Kind("condition of a loop", is_in_condition, changes.another_condition),
    Kind("reducer", is_in_reducer, wiring.in_a_reducer),
    Kind("results of main", lambda op: op.name == "func.return" and is_in_main(op), wiring.other_connections),
    Kind(
        "results of a function",
        lambda op: op.name == "func.return" and not is_in_main(op),
        wiring.other_connections,
    ),
    Kind("results of a body", _returns_from(("stablehlo.while", 1)), wiring.other_connections),
    Kind("results of a branch", _returns_from(*_BRANCHES), wiring.other_connections),
    Kind("initial values", _is_named("stablehlo.while"), wiring.other_connections),
    Kind("operands of a call", _is_named("func.call"), wiring.other_connections),
    Kind("callee", _is_named("func.call"), wiring.another_callee),
)
# The program with the fault has an operation more or less.
STRUCTURAL = (
    Kind("operation left out", _is_plain, changes.left_out),
    Kind("further operation", _is_plain, changes.followed, is_further=True),
)


def draw(text: str, kind: Kind, random: Random) -> Fault | None:
    """A fault of a class at a random operation of a program; None if there is no place for it."""
    module = hlokit.load(text).module
    places = [n for n, operation in enumerate(operations_of(module.operation)) if kind.is_at(operation)]
    random.shuffle(places)
    for place in places[:_TRIES]:
        fault = _planted(text, kind, place, random)
        if fault is not None:
            return fault
    return None


def _planted(text: str, kind: Kind, place: int, random: Random) -> Fault | None:
    module = hlokit.load(text).module
    operation = operations_of(module.operation)[place]
    name, near, lines = operation.name, _lines_near(operation), frozenset([line_of(operation)])
    if kind.is_further:
        lines |= _lines_of_users(operation)
    if not kind.change(operation, random):
        return None
    try:
        changed = printed(str(module))
    except HlokitError:  # the verifier refuses it
        return None
    return None if changed == text else Fault(kind.name, name, lines, changed, near)


def _lines_near(operation: Any) -> frozenset[int]:
    neighbours = [value.owner for value in operation.operands if not isinstance(value.owner, ir.Block)]
    if parent_of(operation).name != "func.func":
        neighbours.append(parent_of(operation))
    lines = (line_of(getattr(owner, "operation", owner)) for owner in neighbours)
    return _lines_of_users(operation).union(lines)


def _lines_of_users(operation: Any) -> frozenset[int]:
    users = (use.owner for result in operation.results for use in result.uses)
    return frozenset(line_of(getattr(user, "operation", user)) for user in users)
