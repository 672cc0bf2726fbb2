"""The interface of a region to the kernel of its operation. `plan.block.Block` is the implementation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from hlokit.values.types import ValueType


class Region(Protocol):
    """A region, or a function, callable on values: `region(*arguments, *captured)`.

    The call returns the value of the terminator, or a tuple if there are no or several values. For a region,
    `captured` are the values that the enclosing operation captures (`Operation.capture_count`).
    """

    @property
    def argument_types(self) -> tuple[ValueType, ...]:
        """Types of the region's own arguments, without the captured values."""
        ...

    def __call__(self, *values: Any) -> Any: ...

    def interpreted(self, *values: Any) -> Any:
        """As a call, but without compiling code for later runs: the caller may compile more than this."""
        ...

    def compiled(self) -> Callable[..., Any]:
        """The function of all runs after the first one, for callers with many calls."""
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
        """The region with other results: the values of the given slots of the same plan."""
        ...

    @property
    def binary(self) -> str | None:
        """The name of the operation, if the region is one operation on its two arguments, in either order."""
        ...

    @property
    def ufunc(self) -> np.ufunc | None:
        """The ufunc, if the region is one ufunc of its two arguments, in either order."""
        ...

    @property
    def returned_argument(self) -> int | None:
        """The index of the argument, if the region only returns one of its arguments."""
        ...
