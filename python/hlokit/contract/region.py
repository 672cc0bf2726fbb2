"""The interface of a region to the kernel of its operation. `plan.block.Block` is the implementation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from hlokit.values.types import ValueType


class Region(Protocol):
    """A region, or a function, callable on values: `region(*arguments, *captured)`.

    Returns the value that its terminator returns, or a tuple of values if there are none or several.
    For a region, `captured` are the values that the enclosing operation captures (`Operation.capture_count`).
    """

    @property
    def argument_types(self) -> tuple[ValueType, ...]:
        """Types of the region's own arguments, without the captured values."""
        ...

    def __call__(self, *values: Any) -> Any: ...

    def compiled(self) -> Callable[..., Any]:
        """The function of all runs after the first one, for callers that call it often."""
        ...

    @property
    def output_types(self) -> tuple[ValueType, ...]:
        """Types of the values that the region returns."""
        ...

    @property
    def is_observed(self) -> bool:
        """Whether an observer is called before and after each step."""
        ...

    @property
    def is_pointwise(self) -> bool:
        """Whether the region maps scalars to scalars, elementwise: `vectorized` then takes whole arrays."""
        ...

    @property
    def vectorized(self) -> Region:
        """A pointwise region on arrays of one shape (or rank 0) instead of scalars."""
        ...

    def with_outputs(self, slots: Sequence[int]) -> Region:
        """The region that returns other values of the same plan, given by their slots."""
        ...

    @property
    def binary(self) -> str | None:
        """The operation, if the region is one operation on its two arguments, in either order."""
        ...

    @property
    def ufunc(self) -> np.ufunc | None:
        """The ufunc, if the region is one ufunc of its two arguments, in either order."""
        ...

    @property
    def returned_argument(self) -> int | None:
        """The argument's index, if the region only returns one of its arguments."""
        ...
