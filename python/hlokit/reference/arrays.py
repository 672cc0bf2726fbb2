"""The reference on arrays, which the other tiers use instead of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hlokit.engine.plan.executors import Observer
from hlokit.mlir.queries.module import functions, signature
from hlokit.reference.evaluator import run
from hlokit.reference.model.execution import Execution
from hlokit.reference.model.tensors import as_array
from hlokit.reference.observed import Observed
from hlokit.values.tensor import Tensor, Token, Tuple
from hlokit.values.types import TensorType, TupleType, ValueType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


def run_on_arrays(
    module: ir.Module,
    function: str,
    values: Sequence[Any],
    *,
    execution: Execution,
    filename: str,
    observer: Observer | None = None,
) -> tuple[Any, ...]:
    """The results of a function, as arrays.

    Args:
      values: the arguments: arrays, tuples and tokens of the function's types.
      observer: called before and after each operation, with arrays.

    Raises:
      EvaluationError, UnsupportedError: as `evaluate`.
    """
    types, _ = signature(functions(module)[function])
    tensors = [_tensor(value, type_) for value, type_ in zip(values, types, strict=True)]
    observed = None if observer is None else Observed(observer, module, filename)
    results = run(module, tensors, entry=function, execution=execution, filename=filename, observed=observed)
    return tuple([as_array(result) for result in results])


def _tensor(value: Any, type_: ValueType) -> Tensor | Token | Tuple:
    if isinstance(type_, TupleType):
        return Tuple(
            tuple([_tensor(item, item_type) for item, item_type in zip(value, type_.types, strict=True)])
        )
    return Tensor.from_numpy(value, type_.element_type) if isinstance(type_, TensorType) else value
