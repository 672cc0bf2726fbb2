"""Runs of a program with other products: the base of the followers that make them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.flow.following import OutsideAppliedRegions

Array = npt.NDArray[Any]


class Products(OutsideAppliedRegions, ABC):
    """A base of followers that replace sums of products of floats."""

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        if not self.leave(step) or not traits_of(step.name).contraction:
            return None
        arrays, result = [np.asarray(operand) for operand in operands], np.asarray(results[0])
        if any(array.dtype.kind in "biu" for array in (*arrays, result)):
            return None
        with np.errstate(all="ignore"):
            other = self.other(step, arrays, result)
        return None if other is None else [np.asarray(other, result.dtype)]

    @abstractmethod
    def other(self, step: Step, operands: Sequence[Array], result: Array) -> Array | None:
        """What takes the place of the result; None keeps it."""
