"""Disturbances: changes of floats by some units in the last place, as far as correct runs may differ.

disturbance = Disturbance(operations, seed=0)
changed = disturbance.disturbed(step, 0, operands, value)

Whether an element grows or shrinks depends at random on the run, the operation, the position of the element
and its value. Elements that are exact do not change (`exactness.py`). Native loops contain the operations of
the VM that find these and that change values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.nan_bits import CANONICAL_NAN
from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.kernels.elementwise.native import vm_kernel
from hlokit.mlir.queries.module import called_functions, operations_within
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.flow.exactness import exactness_of
from hlokit.tools.recording.places import CONTROL_FLOW, LOOP, Operations
from hlokit.values.element_types import F32, F64, ElementType, Kind
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

Array = npt.NDArray[Any]

# The number of amounts that a disturbance chooses from. Their last bits and signs are random.
_AMOUNTS = 1 << 15
_RANDOM_BITS = 3


class Disturbance:
    """The disturbances of one run.

    Args:
      seed: runs with other seeds have other signs.
      units: the units in the last place of 1.0 by which elements change, in relation to their size.
    """

    def __init__(self, operations: Operations, seed: int, units: float = 1.0) -> None:
        self._operations = operations
        self._seed = seed
        self._units = units
        self._pools: dict[ElementType, Array] = {}

    def amounts(self, step: Step, index: int, type_: TensorType) -> Any:
        """The relative changes of the elements of a result; one for all of them if the shape is unknown."""
        pool = self._pool(type_.element_type.part)
        number = self._operations.number(step)
        start = (number * 7919 + index * 104729) % (_AMOUNTS // 2)
        shape = shape_of_amounts(type_) if type_.is_static else ()
        count, axes = 1, 0
        while axes < len(shape) and count * shape[-1 - axes] <= _AMOUNTS // 2:
            axes += 1
            count *= shape[-axes]
        if not shape:
            return pool[start]
        amounts = pool[start : start + count].reshape(shape[len(shape) - axes :])
        return np.broadcast_to(amounts, shape)

    def exactness(self, step: Step) -> Kernel | None:
        """The kernel that makes amounts 0 where the result of a step is exact; None if nothing tells.

        Loops are native, and ask no kernel of Python about sums.
        """
        return exactness_of(step, sums=operation_of(step) not in self._looped)

    def disturbed(self, step: Step, index: int, operands: Sequence[Value], value: Value) -> Value:
        """A result of a step, disturbed; unchanged if its type is not rounded."""
        type_ = step.result_types[index]
        if not isinstance(type_, TensorType) or not type_.element_type.kind.is_inexact:
            return value
        amounts, exactness = self.amounts(step, index, type_), self.exactness(step)
        if exactness is not None:
            amounts = exactness.function(*operands, amounts)
        return kernel_of(type_.element_type).function(value, amounts)

    @cached_property
    def _looped(self) -> set[ir.Operation]:
        """The operations in loops, and in functions that loops call."""
        looped: set[ir.Operation] = set()
        for loop in self._operations.all:
            if loop.name == LOOP and loop not in looped:
                for part in (loop, *called_functions(loop).values()):
                    looped.update(operations_within(part))
        return looped

    def _pool(self, part: ElementType) -> Array:
        if part not in self._pools:
            random = np.random.default_rng(self._seed)
            dtype = amounts_type(part).dtype
            unit = self._units * 2.0 ** -float_format(part).mantissa_bits
            last_bits = random.integers(0, 1 << _RANDOM_BITS, _AMOUNTS) * np.finfo(dtype).eps
            signs = 2.0 * random.integers(0, 2, _AMOUNTS) - 1.0
            pool = self._pools[part] = (signs * unit * (1 + last_bits)).astype(dtype)
            pool.flags.writeable = False
        return self._pools[part]


def shape_of_amounts(type_: TensorType) -> tuple[int, ...]:
    """The shape of the amounts for a value: complex numbers have one for each part."""
    return (*type_.dims, 2) if type_.element_type.kind is Kind.COMPLEX else type_.dims


def amounts_type(element_type: ElementType) -> ElementType:
    """The type in which values are disturbed: f32 for narrower ones."""
    return F64 if element_type.part is F64 else F32


def may_round(step: Step) -> bool:
    """Whether correct results of a step may differ: not of integers, nor of operations that do not round.

    A disturbed maximum, for instance, would equal none of its operands: JAX's gradients compare both. A call
    returns what its function has computed, such as the integers of `jnp.round`.
    """
    kinds = {type_.element_type.kind for type_ in step.operand_types if isinstance(type_, TensorType)}
    if step.kernel.regions or step.name in CONTROL_FLOW or step.name == CANONICAL_NAN:
        return False
    if not any(kind.is_inexact for kind in kinds):
        return False
    if step.name == "stablehlo.convert" and step.operand_types == step.result_types:
        return False  # as JAX writes it for numbers of Python
    traits = traits_of(step.name)
    # The magnitude and the sign of complex numbers are rounded.
    return not traits.exact or (traits.projection and Kind.COMPLEX in kinds)


@cache
def kernel_of(element_type: ElementType) -> Kernel:
    """The kernel of a disturbance: its operands are a value and amounts."""
    wide = amounts_type(element_type)
    kernel = vm_kernel("disturb", wide, 2)
    if element_type is wide:
        return kernel

    def in_parts(value: Value, amounts: Value) -> Value:
        array: Array = np.asarray(value)
        parts = np.ascontiguousarray(array).reshape(*array.shape, 1).view(wide.dtype)
        return np.ascontiguousarray(kernel.function(parts, amounts)).view(array.dtype).reshape(array.shape)

    def rounded(value: Value, amounts: Value) -> Value:
        array: Array = np.asarray(value)
        moved = kernel.function(array.astype(wide.dtype), amounts).astype(array.dtype)
        return np.where(np.isfinite(moved), moved, array)

    return Kernel(in_parts if element_type.kind is Kind.COMPLEX else rounded)
