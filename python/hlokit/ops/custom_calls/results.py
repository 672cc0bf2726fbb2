"""Helpers of custom call functions: read the configuration, shape the results."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from hlokit.contract.custom_calls import CustomCall
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.values.types import TensorType, TupleType, ValueType


def config(call: CustomCall) -> dict[str, Any]:
    """`backend_config` as a dictionary, {} if it is not one; old programs name it `mhlo.backend_config`."""
    for name in ("mhlo.backend_config", "backend_config"):
        found = call.attributes.get(name)
        if isinstance(found, dict):
            return cast("dict[str, Any]", found)
    return {}


def letter(call: CustomCall, name: str) -> str:
    """A LAPACK option letter from the configuration, where it is stored as its ASCII code."""
    found = call.cache.get(name)
    if found is None:
        found = call.cache[name] = chr(int(config(call)[name]))
    return found


def result_types(call: CustomCall) -> tuple[ValueType, ...]:
    """Types of the results; of the tuple's items if the results are one tuple, as in programs of 2022 and
    before.
    """
    if len(call.result_types) == 1 and isinstance(call.result_types[0], TupleType):
        return call.result_types[0].types
    return call.result_types


def result_type(call: CustomCall, index: int) -> TensorType:
    """Type of a tensor result.

    Raises:
      UnsupportedError: it is no tensor.
    """
    type_ = result_types(call)[index]
    if not isinstance(type_, TensorType):
        raise UnsupportedError(f"result {index} of custom call @{call.target} has type {type_}")
    return type_


def as_results(call: CustomCall, values: tuple[Any, ...]) -> Any:
    """Values cast to the result dtypes, since NumPy computes some functions in f64.

    A call with more results than values has them as LAPACK's workspace: they are zeros.

    Raises:
      EvaluationError: the call has too few results.
    """
    types = call.cache.get("result_types")
    if types is None:
        types = [result_type(call, index) for index in range(len(result_types(call)))]
        call.cache["result_types"] = types
    if len(values) > len(types):
        raise EvaluationError(
            f"custom call @{call.target} must have at least {len(values)} results, got {len(types)}"
        )
    results: list[Any] = []
    for value, type_ in zip(values, cast("list[TensorType]", types[: len(values)]), strict=True):
        dtype = type_.element_type.dtype
        array: Any = value
        is_right = isinstance(array, np.ndarray) and cast(Any, array).dtype == dtype
        results.append(array if is_right else np.asarray(value).astype(dtype, copy=False))
    results += [
        np.zeros(np.maximum(type_.dims, 0), type_.element_type.dtype) for type_ in types[len(values) :]
    ]
    if len(results) == 1 and not isinstance(call.result_types[0], TupleType):
        return results[0]
    return tuple(results)
