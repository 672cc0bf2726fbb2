"""Two functions to be proved equal, and the comparison of their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.errors import EvaluationError
from hlokit.tools.equal.proofs.proof import Proof
from hlokit.tools.equal.sides import WholeProgram
from hlokit.tools.equal.verdict import ResultCompared
from hlokit.values.bits import bitwise_equal
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType


class Functions(NamedTuple):
    """Two functions of one type.

    Attributes:
      types: of the first one's arguments.
      is_by_element: whether both compute each element of the results alone, from the elements there.
    """

    one: WholeProgram
    other: WholeProgram
    arguments: tuple[int, ...]
    results: tuple[int, ...]
    types: tuple[TensorType, ...]
    is_by_element: bool

    def results_of(self, values: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        """The values that both return."""
        there = [values[number] for number in self.arguments]
        first = self.one.program.runs.evaluate(values, self.one.function)
        second = self.other.program.runs.evaluate(there, self.other.function)
        return first, [second[number] for number in self.results]

    def failure(self, values: Sequence[Any]) -> Proof | None:
        """What follows if a program fails for these values: both do, or results differ; None if none does."""
        there = [values[number] for number in self.arguments]
        failures: dict[str, str] = {}
        for name, side, own in (("first", self.one, values), ("second", self.other, there)):
            try:
                side.program.runs.evaluate(own, side.function)
            except EvaluationError as error:
                failures[name] = str(error).partition("\n")[0]
        if not failures:
            return None
        if len(failures) == 2:
            return Proof("inconclusive", f"both programs fail for some arguments: {failures['first']}")
        ((name, message),) = failures.items()
        return Proof("differs", f"only the {name} program fails: {message}", (), tuple(values))


def differing(first: Any, second: Any) -> tuple[ResultCompared, ...]:
    pairs = zip(first, second, strict=True)
    compared = [_compared(f"result {number}", *pair) for number, pair in enumerate(pairs)]
    return tuple([result for results in compared for result in results])


def _compared(name: str, one: Any, other: Any) -> list[ResultCompared]:
    if isinstance(one, tuple):
        items: Any = zip(one, other, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
        return [result for n, pair in enumerate(items) for result in _compared(f"{name}[{n}]", *pair)]
    if not isinstance(one, np.ndarray | np.generic):
        return []
    here, there = _array(one), _array(other)
    if here.shape != there.shape:
        return [ResultCompared(name, (), (float("nan"), float("nan")), here.size)]
    wrong = ~bitwise_equal(here, there, element_type_of(here.dtype))
    if not wrong.any():
        return []
    index = tuple([int(axis) for axis in np.unravel_index(int(wrong.argmax()), wrong.shape)])
    return [ResultCompared(name, index, (here[index].item(), there[index].item()), int(wrong.sum()))]


def _array(value: Any) -> Any:
    return np.asarray(value)
