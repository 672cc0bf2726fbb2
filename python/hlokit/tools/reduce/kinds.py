"""Kinds of faults: what two programs have in common that show the same fault, though their numbers differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, HlokitError, InternalError, UnsupportedError
from hlokit.tools.diff.comparing.verdicts import Comparison
from hlokit.tools.recording.places import CONTROL_FLOW

# What differs between messages of one kind: names, paths, types, values, numbers; lists of these.
_PARTICULARS = re.compile(
    r"""'[^']*'|"[^"]*"|`[^`]*`|(?:/[\w.+-]+){2,}|tensor<[^>]*>|%[\w#]+|0x[0-9a-fA-F]+|[-+]?\d[\w.+-]*"""
)
_LISTS = re.compile(r"\*(?:\s*[,x]\s*\*)+")
# From this relative difference of the worst element on, a difference is no rounding.
_LARGE = 0.01


def kind_of_message(text: str) -> str:
    """The first line of a message, without what differs between messages of one kind."""
    return _LISTS.sub("*", _PARTICULARS.sub("*", text.partition("\n")[0]))


def kind_of_error(error: HlokitError) -> str:
    """The kind of an error of hlokit: the operation and the kind of the message."""
    if isinstance(error, EvaluationError | UnsupportedError | InternalError) and error.frames:
        return f"{error.frames[-1].op}: {kind_of_message(error.message)}"
    return kind_of_message(str(error))


def kind_of_difference(comparison: Comparison) -> str:
    """The kind of a difference: the verdict; of numbers, whether the worst element differs by more than
    roundings; of values that are not finite, which side has them; of failures, the kind of the message."""
    verdict = comparison.verdict
    match verdict:
        case "beyond":
            return f"{verdict}: {'large' if _is_large(comparison) else 'small'}"
        case "not-finite":
            return f"{verdict}: {_class(comparison.expected)} against {_class(comparison.actual)}"
        case "error" | "crash":
            return f"{verdict}: {kind_of_message(comparison.note)}"
        case _:
            return verdict


def is_same_difference(kind: str, wanted: str) -> bool:
    """Whether a difference is of the wanted kind: a small difference may become a large one, when all others
    are gone."""
    return wanted in ("", kind) or (wanted, kind) == ("beyond: small", "beyond: large")


def _is_large(comparison: Comparison) -> bool:
    if not comparison.unit:
        return True  # integers
    try:
        expected, actual = float(comparison.expected), float(comparison.actual)
    except ValueError:  # complex numbers
        return comparison.relative >= _LARGE
    return abs(expected - actual) >= _LARGE * max(abs(expected), abs(actual))


def _class(number: str) -> str:
    return next((name for name in ("nan", "inf") if name in number.lower()), "a number")


class FirstNan:
    """An observer that notes the first operation that makes a NaN of operands without one.

    Attributes:
      op: its name; "" if there is none.
    """

    def __init__(self) -> None:
        self.op = ""

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, step, operands

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        if self.op or step.name in CONTROL_FLOW or step.name == "stablehlo.constant":
            return
        if any(map(has_nan, results)) and not any(map(has_nan, operands)):
            self.op = step.name


def has_nan(value: Any) -> bool:
    """Whether a value is a tensor with a NaN, or a tuple with such a tensor."""
    if isinstance(value, tuple):
        return any(map(has_nan, cast("tuple[Any, ...]", value)))
    array = np.asarray(value)
    if array.dtype.kind in "biuO":
        return False
    try:
        return bool(np.isnan(array).any())
    except TypeError:
        return False
