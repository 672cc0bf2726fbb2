"""The reference on arrays, which the other tiers use instead of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.reference.evaluator import run
from hlokit.reference.model.execution import Execution
from hlokit.values.tensor import Tensor, Token, Tuple
from hlokit.values.types import TensorType, TupleType, ValueType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


def run_on_arrays(
    module: ir.Module,
    function: str,
    values: Sequence[Any],
    types: Sequence[ValueType],
    *,
    execution: Execution,
    filename: str,
) -> tuple[Any, ...]:
    """The results of a function, as arrays.

    Args:
      values: the arguments: arrays, tuples and tokens of the function's types.
      types: the types of the function's arguments.

    Raises:
      EvaluationError, UnsupportedError: as `evaluate`.
    """
    tensors = [_tensor(value, type_) for value, type_ in zip(values, types, strict=True)]
    results = run(module, tensors, entry=function, execution=execution, filename=filename)
    return tuple([_array(result) for result in results])


def _tensor(value: Any, type_: ValueType) -> Tensor | Token | Tuple:
    if isinstance(type_, TupleType):
        return Tuple(
            tuple([_tensor(item, item_type) for item, item_type in zip(value, type_.types, strict=True)])
        )
    return Tensor.from_numpy(value, type_.element_type) if isinstance(type_, TensorType) else value


def _array(value: Tensor | Token | Tuple) -> Any:
    if isinstance(value, Tuple):
        return tuple([_array(item) for item in value.values])
    if isinstance(value, Token):
        return value
    array = value.numpy()
    return array if array.ndim else np.asarray(array)[()]
