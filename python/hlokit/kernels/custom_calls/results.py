"""Helpers of custom call functions: reading the configuration, converting the results."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from hlokit.engine.contract.custom_calls import CustomCall
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.kernels.custom_calls.layouts import Orders, orders_of
from hlokit.values.types import TensorType, TupleType, ValueType


@dataclass(frozen=True)
class OwnCall(CustomCall):
    """A custom call in the form for hlokit's functions, with a cached description."""

    @classmethod
    def of(cls, call: CustomCall) -> OwnCall:
        """The same call in this form."""
        return cls(call.target, call.operand_types, call.result_types, call.attributes, call.computations)

    @cached_property
    def config(self) -> dict[str, Any]:
        """`backend_config` as a dictionary, also from JSON, {} if it is neither; in old programs,
        `mhlo.backend_config`."""
        for name in ("mhlo.backend_config", "backend_config"):
            config = self.attributes.get(name)
            if isinstance(config, str) and config.startswith("{"):
                import json  # few calls have JSON

                with suppress(ValueError, RecursionError):
                    config = json.loads(config)
            if isinstance(config, dict):
                return cast("dict[str, Any]", config)
        return {}

    @cached_property
    def orders(self) -> Orders | None:
        """See `orders_of`."""
        return orders_of(self)

    @cached_property
    def tensor_types(self) -> list[TensorType]:
        """The types of all results, which must be tensors."""
        return [result_type(self, index) for index in range(len(result_types(self)))]


def letter(call: OwnCall, name: str) -> str:
    """A LAPACK option letter from the configuration, where it is stored as its ASCII code."""
    return chr(int(call.config[name]))


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
      UnsupportedError: the result is not a tensor.
    """
    type_ = result_types(call)[index]
    if not isinstance(type_, TensorType):
        raise UnsupportedError(f"result {index} of custom call @{call.target} has type {type_}")
    return type_


def as_results(call: OwnCall, values: tuple[Any, ...]) -> Any:
    """Values cast to the result dtypes, since NumPy computes some functions in f64.

    Additional results of the call are LAPACK's workspaces: they are zeros.

    Raises:
      EvaluationError: the call has too few results.
    """
    types = call.tensor_types
    if len(values) > len(types):
        raise EvaluationError(
            f"custom call @{call.target} must have at least {len(values)} results, got {len(types)}"
        )
    results: list[Any] = []
    for value, type_ in zip(values, types[: len(values)], strict=True):
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
