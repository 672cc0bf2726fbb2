"""Recognition of comparators that compare keys of their operands.

Nearly every comparator is `key(lhs) < key(rhs)` for some key, or compares several keys lexicographically.
This module decomposes such comparators, so that sorting becomes sorting of integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.array_ops import SortKey
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.block import plan_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

# Relations by their results for a lesser and a greater value, for the reverse, and for equal values.
_RELATIONS = {
    (True, False, False): "<",
    (False, True, False): ">",
    (True, False, True): "<=",
    (False, True, True): ">=",
    (False, False, True): "=",
}
_TURNED = str.maketrans("<>", "><")


class KeyComparator:
    """A pointwise comparator that compares keys.

    Attributes:
      keys: the keys in order of precedence; a key applies if all earlier keys are equal.
      is_inclusive: whether the comparator is LE or GE: of two equal keys it then places the later element
        first, but not of two NaNs.
      is_order: whether the comparator is a total preorder of all values, including NaN.
    """

    def __init__(self, comparator: Region, keys: tuple[SortKey, ...], *, is_inclusive: bool = False) -> None:
        self.keys = keys
        self.is_inclusive = is_inclusive
        self.is_order = all(key.is_total or key.element_type.kind is not Kind.FLOAT for key in keys)
        self._comparator = comparator

    @cached_property
    def _key_function(self) -> Callable[..., Sequence[Array]]:
        slots = [slot for key in self.keys for slot in (key.lhs, key.rhs)]
        return self._comparator.vectorized.with_outputs(slots)

    def keys_of(self, operands: Sequence[Array], captured: Sequence[Value]) -> list[Array] | None:
        """The keys of all elements of the operands; None if the key functions of left and right elements
        differ.
        """
        if all(key.lhs < 2 * len(operands) and key.rhs == key.lhs + 1 for key in self.keys):
            return [operands[key.lhs // 2] for key in self.keys]
        pairs = [operand for operand in operands for _ in range(2)]
        values = self._key_function(*pairs, *captured)
        shape = operands[0].shape
        lhs, rhs = ([np.broadcast_to(value, shape) for value in values[side::2]] for side in (0, 1))
        # Both sides received the same operands, so different results mean different functions.
        same = all(_same_bits(left, right) for left, right in zip(lhs, rhs, strict=True))
        return lhs if same else None


def find_keys(comparator: Region) -> KeyComparator | None:
    """The comparator as a comparison of keys; None for other comparators."""
    if not comparator.is_pointwise:
        return None
    plan = plan_of(comparator)
    reader, result = _Reader(plan, len(comparator.argument_types)), plan.outputs[0]
    keys = reader.keys(result)
    if keys is not None:
        return KeyComparator(comparator, keys)
    inclusive = reader.inclusive_key(result)
    return None if inclusive is None else KeyComparator(comparator, (inclusive,), is_inclusive=True)


class _Reader:
    """Walks the plan of a comparator backwards from its result."""

    def __init__(self, plan: Plan, argument_count: int) -> None:
        self._types = plan.slot_types
        self._steps = {step.results[0]: step for step in plan.steps}
        # The sides on which a slot depends, as bits: 1 left (even arguments), 2 right.
        self._sides = {slot: 1 + slot % 2 for slot in range(argument_count)}
        for step in plan.steps:
            sides = 0
            for operand in step.operands:
                sides |= self._sides.get(operand, 0)
            self._sides[step.results[0]] = sides

    def keys(self, slot: int) -> tuple[SortKey, ...] | None:
        """The keys of `key(lhs) < key(rhs)`, or of a lexicographic comparison with further keys."""
        step = self._steps.get(slot)
        if step is None:
            return None
        match step.name.removeprefix("stablehlo."):
            case "compare":
                compared = self._compared(slot)
                return (compared[1],) if compared is not None and compared[0] == "<" else None
            case "or":
                first, second = step.operands
                return self._less_or_equal_and(first, second) or self._less_or_equal_and(second, first)
            case "select":
                pred, on_true, on_false = step.operands
                return self._lexicographic(pred, on_false, on_true)
            case _:
                return None

    def inclusive_key(self, slot: int) -> SortKey | None:
        """The key of `key(lhs) <= key(rhs)` of floats among which NaN is unordered."""
        compared = self._compared(slot)
        if compared is None or compared[0] != "<=":
            return None
        key = compared[1]
        return key if key.element_type.kind is Kind.FLOAT and not key.is_total else None

    def _less_or_equal_and(self, less: int, other: int) -> tuple[SortKey, ...] | None:
        """less | (equal & rest)"""
        step = self._steps.get(other)
        if step is None or step.name != "stablehlo.and":
            return None
        first, second = step.operands
        return self._lexicographic(first, less, second) or self._lexicographic(second, less, first)

    def _lexicographic(self, equal: int, less: int, rest: int) -> tuple[SortKey, ...] | None:
        tie, order = self._compared(equal), self._compared(less)
        if tie is None or order is None or tie[0] != "=" or order[0] != "<":
            return None
        if (tie[1].lhs, tie[1].rhs, tie[1].is_total) != (order[1].lhs, order[1].rhs, order[1].is_total):
            return None
        others = self.keys(rest)
        return None if others is None else (order[1], *others)

    def _compared(self, slot: int) -> tuple[str, SortKey] | None:
        """Relation (`<`, `<=` or `=`) and key of a comparison between both sides."""
        step = self._steps.get(slot)
        if step is None or step.name != "stablehlo.compare":
            return None
        lhs, rhs = step.operands
        type_ = self._types[lhs]
        if not isinstance(type_, TensorType):
            return None
        comparison = _comparison(step, type_.element_type)
        if comparison is None:
            return None
        relation, is_total = comparison
        if (self._sides.get(lhs, 0), self._sides.get(rhs, 0)) == (2, 1):
            lhs, rhs, relation = rhs, lhs, relation.translate(_TURNED)
        if (self._sides.get(lhs, 0), self._sides.get(rhs, 0)) != (1, 2):
            return None
        key = SortKey(lhs, rhs, type_.element_type, ">" in relation, is_total)
        return relation.replace(">", "<"), key


def _comparison(step: Step, element_type: ElementType) -> tuple[str, bool] | None:
    """The relation (<, >, <=, >= or =) of a comparison, and whether it is the total order of floats, from the
    evaluation of two values.
    """
    if element_type.kind in (Kind.COMPLEX, Kind.QUANTIZED, Kind.FIELD):
        return None
    is_float = element_type.kind is Kind.FLOAT
    relation = _relation(step, *np.array((1.0, 2.0) if is_float else (0, 1)).astype(element_type.dtype))
    if element_type.kind is Kind.SIGNED:
        below_zero = _relation(step, *np.array((-1, 0)).astype(element_type.dtype))
        if below_zero != relation:
            return None  # a comparison of the bits of signed integers
    is_total = is_float and (step.kernel.native or "").startswith("TOTALORDER")
    return None if relation is None else (relation, is_total)


def _relation(step: Step, less: Value, greater: Value) -> str | None:
    def answer(lhs: Value, rhs: Value) -> bool:
        return bool(step.kernel.function(lhs, rhs))

    return _RELATIONS.get((answer(less, greater), answer(greater, less), answer(less, less)))


def _same_bits(lhs: Array, rhs: Array) -> bool:
    if lhs is rhs:
        return True
    bits = np.dtype(f"u{lhs.itemsize}")
    return bool((lhs.view(bits) == rhs.view(bits)).all())
