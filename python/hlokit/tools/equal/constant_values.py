"""The constants of a run, and the numbers that it computes from constants alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
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


def are_rounded(one: ConstantValues, other: ConstantValues, enough: Callable[[Any], Any] = np.all) -> bool:
    """Whether constants that only one program has may be rounded numbers of the other one.

    Args:
      enough: `np.all` constants, or `np.any` constant.
    """
    for program, source in ((other, one), (one, other)):
        literals, own = _floats(program.literals), _floats(source.literals)
        computed = np.setdiff1d(_floats(source.computed), own)
        new, gone = np.setdiff1d(literals, own), np.setdiff1d(computed, _floats(program.computed))
        # A number may also be rounded to a constant that both programs have.
        tried, numbers = (new, computed) if new.size else (gone, literals)
        if tried.size and numbers.size and enough(_are_near(tried, numbers, float(np.abs(literals).max()))):
            return True
    return False


def _floats(arrays: Sequence[Any]) -> Any:
    floats: Any = np.concatenate([np.zeros(1), *[array["value"].reshape(-1) for array in arrays]])
    return np.unique(floats[np.isfinite(floats)])


def _are_near(tried: Any, numbers: Any, largest: float) -> Any:
    """Where constants are near one of these numbers."""
    places: Any = np.searchsorted(numbers, tried)  # pyright: ignore[reportUnknownVariableType] # indices
    gaps: Any = [np.abs(numbers[_clipped(places + step, numbers.size)] - tried) for step in (-1, 0)]
    return np.minimum(*gaps) <= _FOLDED * np.minimum(np.maximum(np.abs(tried), 1e-3), largest)


def _clipped(places: Any, size: int) -> Any:
    clipped: Any = np.clip(places, 0, size - 1)  # pyright: ignore[reportUnknownVariableType] # indices
    return clipped


def _is_real(value: Any) -> bool:
    return is_exact_array(value) and bool(np.asarray(value).dtype != COMPLEX)
