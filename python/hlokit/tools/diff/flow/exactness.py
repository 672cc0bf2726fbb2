"""Which elements of a result are exact, so that every correct implementation has their bits.

kernel = exactness_of(step, sums=True)
amounts = kernel.function(*operands, amounts)    # 0 where the result is exact

A sum, difference, product or quotient of two floats is exact if it has no rounding error; a sum of many
terms is exact in any order if they are integers, and few and small enough. Masks, counts and positions in
floats are such numbers: a run that changes them takes other branches than any correct run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.kernels.elementwise.native import vm_kernel
from hlokit.operations.lookup import opcode_name, traits_of
from hlokit.values.element_types import F32, F64, ElementType, Kind
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

_OPCODES = {name for _, name, _, _ in _kernels.opcodes()}
# The end of the names of opcodes that tell whether an operation rounds: `add_rounds`.
_ROUNDS = "_rounds"
# The elements of an operand that are looked at before all of them.
_FIRST = 64


def exactness_of(step: Step, *, sums: bool) -> Kernel | None:
    """The kernel that makes amounts 0 where the result of a step is exact; None for other operations.

    Args:
      sums: also for sums of many terms, which the VM has no operation for.
    """
    type_ = step.result_types[0] if len(step.result_types) == 1 else None
    if not isinstance(type_, TensorType) or type_.element_type.kind is not Kind.FLOAT:
        return None
    element_type = type_.element_type
    opcode = opcode_name(step.name) or ""
    if opcode + _ROUNDS in _OPCODES:
        if element_type in (F32, F64):
            return vm_kernel(opcode + _ROUNDS, element_type, 3)
        return Kernel(_of_narrow(opcode, element_type))
    if step.name == "stablehlo.convert" and element_type not in (F32, F64):
        return Kernel(_of_narrow("", element_type))
    if sums and _is_sum(step):
        return Kernel(_of_sum(element_type, multiplies=traits_of(step.name).contraction))
    return None


def _of_narrow(opcode: str, element_type: ElementType) -> Callable[..., Value]:
    """The amounts for results of a narrow type, by the results in f32, and whether these are exact.

    Args:
      opcode: that of the operation; "" for a conversion.
    """

    def amounts_of(*values: Value) -> Value:
        *operands, amounts = (np.asarray(value) for value in values)
        with np.errstate(all="ignore"):
            if opcode:
                lhs, rhs = (operand.astype(np.float32) for operand in operands)
                result = np.asarray(vm_kernel(opcode, F32, 2).function(lhs, rhs))
                rest = vm_kernel(opcode + _ROUNDS, F32, 3).function(lhs, rhs, amounts)
            else:
                result, rest = operands[0], amounts * 0
            is_exact = result.astype(element_type.dtype).astype(result.dtype) == result
        return np.where(is_exact, rest, amounts)

    return amounts_of


def _is_sum(step: Step) -> bool:
    """Whether the results of a step are sums of elements of its operands, or of products of two."""
    traits = traits_of(step.name)
    if traits.contraction:
        return len(step.operands) == 2
    if not traits.combines or traits.collective:
        return False
    # The last region combines: a select_and_scatter has another before it.
    body = list(operation_of(step).regions)[-1].blocks[0]
    return [operation.name for operation in body.operations] == ["stablehlo.add", "stablehlo.return"]


def _of_sum(element_type: ElementType, *, multiplies: bool) -> Callable[..., Value]:
    """The amounts for sums: 0 if all terms are integers, and the sum of their magnitudes is small enough."""
    most = 2.0 ** (float_format(element_type).mantissa_bits + 1)

    def amounts_of(*values: Value) -> Value:
        *operands, amounts = values
        floats = [array for array in map(np.asarray, operands) if array.dtype.kind not in "biu"]
        if not all(_is_whole(array) for array in floats):
            return amounts
        sizes = [np.abs(array.astype(np.float64)) for array in floats]
        if multiplies:
            lhs, rhs = sizes
            total = min(lhs.sum() * rhs.max(initial=0), rhs.sum() * lhs.max(initial=0))
        else:
            total = sum(float(size.sum()) for size in sizes)
        return amounts if total > most else np.zeros_like(amounts)

    return amounts_of


def _is_whole(array: Array) -> bool:
    """Whether all elements are integers."""

    def is_whole(part: Sequence[Any] | Array) -> bool:
        numbers = np.asarray(part).astype(np.float64)
        return bool(np.isfinite(numbers).all() and (np.rint(numbers) == numbers).all())

    return is_whole(array.reshape(-1)[:_FIRST]) and is_whole(array)
