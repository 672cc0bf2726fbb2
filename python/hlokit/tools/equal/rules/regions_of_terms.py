"""Regions of terms for kernels that compute with values, or choose by values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.tools.equal.rules.terms import PREDICATE, Terms, stated_type, values_of
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType, ValueType


class RegionOfValues(Region):
    """A region of terms, called with values and returning values: `engine.contract.region.Region`."""

    def __init__(self, region: Region, terms: Terms) -> None:
        self._region, self._terms = region, terms

    @property
    def argument_types(self) -> tuple[ValueType, ...]:
        return tuple(map(stated_type, self._region.argument_types))

    @property
    def output_types(self) -> tuple[ValueType, ...]:
        return tuple(map(stated_type, self._region.output_types))

    def __call__(self, *values: Any) -> Any:
        return values_of(self._region(*map(self._constants, values)))

    def _constants(self, value: Any) -> Any:
        if not isinstance(value, np.ndarray | np.generic):
            return value
        array: Any = np.asarray(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of any dtype
        return self._terms.constants(array, TensorType(array.shape, element_type_of(array.dtype)))

    def interpreted(self, *values: Any) -> Any:
        return self(*values)

    def compiled(self) -> Callable[..., Any]:
        return self

    @property
    def is_observed(self) -> bool:
        return True

    @property
    def is_pointwise(self) -> bool:
        return False

    @property
    def vectorized(self) -> Region:
        return self

    def with_outputs(self, slots: Sequence[int]) -> Region:
        return RegionOfValues(self._region.with_outputs(slots), self._terms)

    @property
    def binary(self) -> str | None:
        return self._region.binary

    @property
    def ufunc(self) -> np.ufunc | None:
        return None

    @property
    def returned_argument(self) -> int | None:
        return self._region.returned_argument


class DecidedRegion(RegionOfValues):
    """A predicate of terms, called with terms: the run is on the path of all arguments with its results."""

    def __call__(self, *values: Any) -> Any:
        return self._terms.decided(self._region(*values), PREDICATE)
