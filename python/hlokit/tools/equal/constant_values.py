"""The constants of a run, and the numbers that it computes from constants alone."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.engine.plan.plan import Plan, Step
from hlokit.tools.equal.rules.numbers import COMPLEX, is_exact_array

# The error of several operations in f32, relative to the larger of a number and 1/1000.
_FOLDED = 1e-6


class ConstantValues:
    """An observer of the real numbers that a run computes from constants alone, and of the constants.

    Attributes:
      computed, literals: exact arrays.
    """

    def __init__(self) -> None:
        self.computed: list[Any] = []
        self.literals: list[Any] = []
        self._known: dict[int, Any] = {}
        self._plans: dict[int, Plan] = {}
        self._lock = threading.Lock()

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""
        del step, operands
        with self._lock:
            if id(plan) not in self._plans:
                self._plans[id(plan)] = plan
                values = [value for _, value in plan.constants]
                self._known.update({id(value): value for value in values})
                self.literals += filter(_is_real, values)

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""
        del plan, step
        with self._lock:
            if not operands or any(id(operand) not in self._known for operand in operands):
                return
            for result in results:
                self._known[id(result)] = result  # which keeps the value, and so its identity
                if _is_real(result):
                    self.computed.append(result)


def are_rounded(one: ConstantValues, other: ConstantValues) -> bool:
    """Whether all constants that only one program has may be rounded numbers of the other one."""
    floats = _floats(one.literals), _floats(other.literals)
    new = np.setdiff1d(*floats), np.setdiff1d(*floats[::-1])
    computed = [np.setdiff1d(_floats(values.computed), np.union1d(*floats)) for values in (other, one)]
    return any(map(_are_near, new, computed, map(_largest, (one, other))))


def _floats(arrays: Sequence[Any]) -> Any:
    return np.unique(np.concatenate([np.zeros(1), *[array["value"].reshape(-1) for array in arrays]]))


def _largest(values: ConstantValues) -> float:
    floats = _floats(values.literals)
    return float(np.abs(floats[np.isfinite(floats)]).max())


def _are_near(new: Any, computed: Any, largest: float) -> bool:
    """Whether all new constants are near numbers that a program computes from constants."""
    if not new.size or not computed.size:
        return False
    places: Any = np.searchsorted(computed, new)  # pyright: ignore[reportUnknownVariableType] # indices
    gaps: Any = [np.abs(computed[_clipped(places + step, computed.size)] - new) for step in (-1, 0)]
    limits: Any = _FOLDED * np.minimum(np.maximum(np.abs(new), 1e-3), largest)
    return bool((np.minimum(*gaps) <= limits).all())


def _clipped(places: Any, size: int) -> Any:
    clipped: Any = np.clip(places, 0, size - 1)  # pyright: ignore[reportUnknownVariableType] # indices
    return clipped


def _is_real(value: Any) -> bool:
    return is_exact_array(value) and bool(np.asarray(value).dtype != COMPLEX)
