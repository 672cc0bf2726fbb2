"""Kernels of element-wise operations on exact numbers in native code, which take a microsecond instead of
some thirty. They give the same bytes as the formulas of the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.native.ir.target import is_enabled, operation
from hlokit.operations.lookup import opcode_name
from hlokit.tools.equal.rules.meanings import COMPARED_CLOSELY, ROUNDED_CLOSELY, Binding, Native
from hlokit.tools.equal.rules.numbers import COMPLEX, REAL, dtype_of, is_exact
from hlokit.values.types import ValueType

Function = Callable[..., Any]

# The formulas that round.
_ROUNDING = frozenset(("rounded", "remainder"))


def with_native(binding: Binding, native: Native, general: Function, salt: int = 0) -> Function:
    """A kernel that calls native code for arrays of one shape and numbers without laws.

    Args:
      general: the kernel for all operands.
      salt: of a function.
    """
    types, result = binding.operation.operand_types, binding.operation.result()
    if is_enabled() and native.takes_complex and all(map(_is_complex, (*types, result))):
        return partial(_complex_result, native.formula, general)
    kernel = binding.floats()
    name = kernel.native or opcode_name(binding.operation.name)
    if (
        not is_enabled()
        or name is None
        or not all(is_exact(type_) and dtype_of(type_) == REAL for type_ in types)
    ):
        return general
    dtype = REAL if is_exact(result) else np.dtype(np.bool_)
    number = operation(name, "f64" if dtype == REAL else "i1", "f64")
    if number < 0 or dtype_of(result) != dtype:
        return general
    context = binding.context
    note = partial(context.note, ROUNDED_CLOSELY if native.formula in _ROUNDING else COMPARED_CLOSELY)
    computation = _kernels.ExactOperation(
        native.formula, number, salt, native.power, dtype, context.largest_degree, note, general
    )
    return computation.run


def _is_complex(type_: ValueType) -> bool:
    return is_exact(type_) and dtype_of(type_) == COMPLEX


def _complex_result(formula: str, general: Function, *operands: Any) -> Any:
    result = _kernels.complex_result(formula, operands[0], operands[-1], COMPLEX)
    return general(*operands) if result is None else result
