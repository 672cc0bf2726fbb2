"""The constants of a run, and the numbers that it computes from constants alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Constant
from hlokit.engine.interpreter.planner import Planner, operation_of
from hlokit.engine.interpreter.settings import Settings
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.operations.lookup import traits_of
from hlokit.passes.simplification.effects import is_pure
from hlokit.programs.program import Program
from hlokit.tools.equal.rules.constants import Computed, ConstantTable, combinations, uniform
from hlokit.tools.equal.rules.numbers import (
    COMPLEX,
    dtype_of,
    floats_of,
    is_exact,
    is_exact_array,
    stated_type,
)
from hlokit.values.types import ValueType

# The error of several operations in f32, relative to the larger of a number and 1/1000.
_FOLDED = 1e-6


class ConstantValues:
    """An observer of the real numbers that a run computes from constants alone, and of the constants.

    It also computes these numbers in the program's own types, as a compiler that folds constants does.

    Attributes:
      computed: exact arrays, and what they are if each operation rounds.
      literals: exact arrays.
      has_floats: whether a value of the run is exact.
    """

    def __init__(self, program: Program) -> None:
        self.computed: list[Computed] = []
        self.literals: list[Any] = []
        self.has_floats = False
        self._planner = Planner(program.module, Settings(filename=program.filename))
        # By identity, values that depend on no argument: also rounded, or None if that is not known.
        self._known: dict[int, tuple[Any, Any]] = {}
        self._plans: dict[int, Plan] = {}
        self._lock = threading.Lock()

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""
        del step, operands
        with self._lock:
            if id(plan) not in self._plans:
                self._plans[id(plan)] = plan
                self.has_floats |= any(map(is_exact, plan.slot_types))
                for slot, value in plan.constants:
                    self._remember(value, _as_stated(value, plan.slot_types[slot]))
                    if _is_real(value):
                        self.literals.append(value)

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""
        del plan
        with self._lock:
            if not operands or any(id(operand) not in self._known for operand in operands):
                return
            rounded = self._rounded(step, [self._known[id(operand)][1] for operand in operands], results)
            for result, own in zip(results, rounded, strict=True):
                self._remember(result, own)
                if _is_real(result):
                    self.computed.append(Computed(result, own))

    def _remember(self, value: Any, rounded: Any) -> None:
        """Keep a value, and so its identity. A call returns a value that an operation within has computed."""
        self._known.setdefault(id(value), (value, rounded))

    def _rounded(self, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> Sequence[Any]:
        """The results in the program's own types; None for those that are not known."""
        unknown = [None] * len(results)
        operation = operation_of(step)
        if traits_of(step.name).control or any(operand is None for operand in operands):
            return unknown
        if not is_pure(operation):  # other processes do not take part in a second evaluation
            return unknown
        try:
            bound, captured = self._planner.operation(operation)
            if captured or isinstance(bound, Constant):
                return unknown
            again = bound.function(*operands)
        except (EvaluationError, UnsupportedError):
            return unknown
        return [again] if len(results) == 1 else list(again)


def _as_stated(value: Any, type_: ValueType) -> Any:
    """A constant in the program's own type."""
    if not is_exact_array(value):
        return value
    return np.asarray(floats_of(value)).astype(dtype_of(stated_type(type_)))


# Of both programs.
Constants = tuple[ConstantValues, ConstantValues]


def have_same_literals(one: ConstantValues, other: ConstantValues) -> bool:
    """Whether a table of rounded constants that are not shared replaces none of them."""
    literals = [{literal["value"].tobytes() for literal in values.literals} for values in (one, other)]
    return literals[0] == literals[1]


def table_of(constants: Constants, combined: int = 1, *, is_shared: bool = False) -> ConstantTable:
    one, other = constants
    computed, literals = (one.computed, other.computed), (one.literals, other.literals)
    return ConstantTable(computed, literals, combined, is_shared=is_shared)


def are_rounded(one: ConstantValues, other: ConstantValues, enough: Callable[[Any], Any] = np.all) -> bool:
    """Whether constants that only one program has may be rounded numbers of the other one.

    Args:
      enough: `np.all` constants, or `np.any` constant.
    """
    for program, source in ((other, one), (one, other)):
        literals, own = _floats(program.literals), _floats(source.literals)
        computed = np.setdiff1d(_exact_floats(source.computed), own)
        new, gone = np.setdiff1d(literals, own), np.setdiff1d(computed, _exact_floats(program.computed))
        # A number may also be rounded to a constant that both programs have.
        tried, numbers = (new, computed) if new.size else (gone, literals)
        largest = float(np.abs(literals).max())
        if tried.size and numbers.size and enough(_are_near(tried, numbers, largest)):
            return True
        if enough is np.any:  # two constants of the other program may be one that both have
            together = combinations(source.literals, source.computed)
            tried = _floats(uniform(program.literals))
            numbers = np.setdiff1d(_floats(together), np.union1d(literals, own))
            if numbers.size and _are_near(tried[tried != 0], numbers[numbers != 0], 0).any():
                return True
    return False


def _exact_floats(computed: Sequence[Computed]) -> Any:
    return _floats([item.exact for item in computed])


def _floats(arrays: Sequence[Any]) -> Any:
    floats: Any = np.concatenate([np.zeros(1), *[array["value"].reshape(-1) for array in arrays]])
    return np.unique(floats[np.isfinite(floats)])


def _are_near(tried: Any, numbers: Any, largest: float) -> Any:
    """Where constants are near one of these numbers."""
    places: Any = np.searchsorted(numbers, tried)  # pyright: ignore[reportUnknownVariableType] # indices
    gaps: Any = [np.abs(numbers[_clipped(places + step, numbers.size)] - tried) for step in (-1, 0)]
    sizes = np.abs(tried)
    return np.minimum(*gaps) <= _FOLDED * np.maximum(sizes, np.minimum(1e-3, largest))


def _clipped(places: Any, size: int) -> Any:
    clipped: Any = np.clip(places, 0, size - 1)  # pyright: ignore[reportUnknownVariableType] # indices
    return clipped


def _is_real(value: Any) -> bool:
    return is_exact_array(value) and bool(np.asarray(value).dtype != COMPLEX)
