"""The operation of which a bound is computed, and units of rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.tools.numerics.rules.widening import in_f64
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
# The radii of all results, or the reason why there are none.
Radii = Sequence[Array] | str

ON_ROUNDING = "an integer depends on rounding"


@dataclass(frozen=True, slots=True)
class Applied:
    """An operation and its values in a run, from which every bound is computed.

    Attributes:
      operation: operation of the bindings.
      kernel: evaluates the operation, also on other operands.
      operands, results: values in their own types, captured values after the operands.
    """

    operation: ir.Operation
    kernel: Callable[..., Any]
    operands: Sequence[Value]
    results: Sequence[Value]

    @property
    def name(self) -> str:
        return self.operation.name

    @property
    def attributes(self) -> Attributes:
        return Attributes(self.operation)

    def again(self, operands: Sequence[Value], index: int) -> Array:
        """A result for other operands, in f64."""
        with np.errstate(all="ignore"):
            result = self.kernel(*operands)
        return in_f64(result if len(self.results) == 1 else result[index])


@dataclass(frozen=True, slots=True)
class Reordered(Applied):
    """An operation that another evaluation applies to values near by, and with sums in another order.

    The kernel evaluates the operation in the wider type.

    Attributes:
      r: radii of the operands, in f64.
      types: types of the results.
      parts: the largest number of parts into which another evaluation divides a sum.
    """

    r: Sequence[Array]
    types: Sequence[TensorType]
    parts: int

    @property
    def element_type(self) -> ElementType:
        """The element type of the first result."""
        return self.types[0].element_type

    @property
    def is_exact(self) -> bool:
        """Whether all radii of the operands are 0."""
        return not any(radius.any() for radius in self.r)

    @property
    def is_float(self) -> bool:
        return self.element_type.kind.is_inexact


def growth(count: float, unit: float) -> float:
    """The relative error of a value after `count` roundings."""
    return count * unit / (1 - count * unit) if count * unit < 0.5 else np.inf


def unit_of(element_type: ElementType) -> tuple[float, float]:
    """Half the distance from 1 to the next number, and half the smallest positive number."""
    info = cast("Any", ml_dtypes.finfo(_real(element_type)))
    return float(info.eps) / 2, float(info.smallest_subnormal) / 2


def unit_of_work(element_type: ElementType) -> float:
    """The unit of the type in which hlokit adds products: f32, or f64 for f64."""
    return 2.0**-53 if _real(element_type) == np.float64 else 2.0**-24


def _real(element_type: ElementType) -> Any:
    if element_type.kind is Kind.COMPLEX:
        return np.dtype(np.float64 if element_type.width >= 128 else np.float32)
    return element_type.dtype
