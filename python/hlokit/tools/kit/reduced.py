"""The program that shows a failure: a few lines that run as they are, with what the operation computes.

Of an elementwise operation, the program has one element, if that fails as well; of others, the operands of
the case. Compilers fold what they know, so that operands come through barriers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.constraints.table import load
from hlokit.display.printable import printable_line
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.operations.cards import card_of
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.kit.cases import Case
from hlokit.tools.kit.checks import literal
from hlokit.tools.kit.judging import judge, worst_of
from hlokit.tools.kit.subjects import Alone, is_elementwise, of_elements
from hlokit.tools.kit.texts import program
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
# Shapes of one element, and of a vector of copies, which other code of a compiler evaluates.
_SHAPES: tuple[tuple[int, ...], ...] = ((), (8,))
_SPECIFICATION = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"
# Constants with more elements are not printed.
_MOST = 64


def reduced(
    case: Case, results: Sequence[Array] | None, reason: str, side: Side, witnesses: Sequence[Side] = ()
) -> str:
    """The program of a case that fails.

    Args:
      results: None if the side gave none.
      witnesses: other sides, whose opinions of the program stand in its comments.
    """
    for smaller, inputs in _smaller(case, results, side):
        if why := _failure(smaller, inputs, side, crashes=results is None):
            return shown(smaller, why, witnesses, has_inputs=bool(inputs))
    return shown(case, reason, witnesses)


def _failure(case: Case, inputs: Sequence[Array], side: Side, *, crashes: bool) -> str:
    """Why a case fails; "" if it does not.

    Args:
      crashes: whether it should give no results; otherwise, it should give wrong ones.
    """
    try:
        answer = [np.asarray(value) for value in side.run(case.text, inputs)]
    except SideFailed as failure:
        return printable_line(str(failure)) if crashes and failure.kind != "unsupported" else ""
    outcome = judge(case, answer)
    return outcome.reason if outcome.verdict == "failed" and not crashes else ""


def _smaller(
    case: Case, results: Sequence[Array] | None, side: Side
) -> Iterator[tuple[Case, Sequence[Array]]]:
    """Cases of the worst element alone: programs without arguments, then with arguments."""
    if not is_elementwise(case.alone):
        return
    if results is None:
        position = _crashing(case, side)
    else:
        worst = worst_of(case, case.as_alone(results))
        if worst.verdict == "type":
            return
        shape = case.alone.expected[0].shape
        position = int(np.ravel_multi_index(worst.index, shape)) if worst.index else 0
    cases = [part for sizes in _SHAPES if (part := _of(case, [position] * math.prod(sizes), sizes))]
    for smaller in cases:
        if (text := _with_constants(smaller)) is not None:
            yield replace(smaller, text=text), []
    for smaller in cases:
        yield smaller, smaller.inputs


def _crashing(case: Case, side: Side) -> int:
    """The position of an element whose evaluation gives no results, by halves; the first if it is any."""
    positions = list(range(case.alone.expected[0].size)) if case.alone.expected else []

    def crashes(chosen: list[int]) -> bool:
        part = _of(case, chosen, (len(chosen),))
        return part is not None and bool(_failure(part, part.inputs, side, crashes=True))

    if not positions or crashes(positions[:1]):
        return 0
    while len(positions) > 1:
        middle = len(positions) // 2
        halves = (positions[:middle], positions[middle:])
        positions = next(filter(crashes, halves), positions[:1])
    return positions[0]


def _of(case: Case, positions: Sequence[int], sizes: tuple[int, ...]) -> Case | None:
    alone = of_elements(case.alone, positions, sizes)
    return None if alone is None else _alone(case, alone)


def _alone(case: Case, alone: Alone) -> Case:
    text = program(alone.applied, "alone")
    assert text is not None, "an operation may always stand alone"
    return Case(case.recipe._replace(subject=alone.subject, place="alone"), text, alone)


def shown(case: Case, reason: str, witnesses: Sequence[Side] = (), *, has_inputs: bool = False) -> str:
    """A program with comments: what is wrong, and what decides it.

    Args:
      witnesses: see `reduced`.
      has_inputs: whether the program must have its operands as arguments to fail.
    """
    text = None if has_inputs else _with_constants(case)
    lines = [f"{case.operation}: {reason}", *_decides(case)]
    inputs = [] if text is not None else case.inputs
    lines += [
        f"{witness.name}: {_opinion(case, text or case.text, inputs, witness)}" for witness in witnesses
    ]
    if text is None:
        constants = _constants(case)
        if constants is None:
            lines.append(f"inputs: those of {case.id}, as `hlokit conformance --write=DIR` exports them")
        else:
            lines += [f"input {number}: {constant}" for number, constant in enumerate(constants)]
    return "".join(f"// {line}\n" for line in lines) + (text or case.text)


def _with_constants(case: Case) -> str | None:
    """The program with its operands; None if they cannot be printed, or if the case is a whole program."""
    applied = case.alone.applied
    constants = None if case.alone.text else _constants(case)
    if constants is None or any("?" in type_ or "quant" in type_ for type_ in applied.operands):
        return None
    return program(applied, case.recipe.place, constants)


def _constants(case: Case) -> list[str] | None:
    """The operands as attributes; None if they are many."""
    if any(value.size > _MOST for value in case.inputs):
        return None
    types = [type_ for type_ in case.alone.program.signature("main").inputs if isinstance(type_, TensorType)]
    with make_context(), ir.Location.unknown():
        return [
            literal(
                value.view(type_.element_type.stored.dtype),
                TensorType(value.shape, type_.element_type.stored),
            )
            for value, type_ in zip(case.inputs, types, strict=True)
        ]


def _opinion(case: Case, text: str, inputs: Sequence[Array], witness: Side) -> str:
    """What another side makes of a program."""
    try:
        outcome = judge(case, [np.asarray(value) for value in witness.run(text, inputs)])
    except SideFailed as failure:
        return f"no results ({failure.kind})"
    if outcome.verdict == "failed":
        return outcome.reason
    return "as expected" if outcome.verdict == "passed" else "differs, where values are open"


def _decides(case: Case) -> Iterator[str]:
    """What the operation computes, and where the specification says so."""
    dialect, _, mnemonic = case.operation.partition(".")
    card, constraints = card_of(case.operation), load().get(mnemonic)
    if card is not None and (card.summary or card.formula):
        yield card.summary or card.formula
    if dialect == "stablehlo" and constraints is not None:
        yield f"specification: {_SPECIFICATION}#{mnemonic}"
        yield f"constraints of the operation: {', '.join(constraints) or 'none'}; the program satisfies them"
