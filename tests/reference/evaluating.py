"""Programs and tensors for the tests of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import context_of_text
from hlokit.mlir.queries.module import functions, signature
from hlokit.reference import evaluator
from hlokit.reference.model.execution import Execution
from hlokit.values.element_types import ElementType
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType


def run(text: str, filename: str = "-") -> Execution:
    """The execution of a program without parameters."""
    execution = Execution()
    module = parse_text(context_of_text(text), text, filename)
    evaluator.run(module, execution=execution, filename=filename)
    return execution


def results(text: str, *arguments: Any) -> list[np.ndarray[Any, Any]]:
    """The results of a program's main function on arrays."""
    module = parse_text(context_of_text(text), text)
    types, _ = signature(functions(module)["main"])
    tensors = [
        Tensor.from_numpy(np.asarray(argument, type_.element_type.dtype), type_.element_type)
        for argument, type_ in zip(arguments, types, strict=True)
        if isinstance(type_, TensorType)
    ]
    return [np.asarray(value) for value in evaluator.run(module, tensors)]


def tensor(numbers: Sequence[Any] | Any, element_type: ElementType) -> Tensor:
    return Tensor.from_numpy(np.array(numbers, element_type.dtype), element_type)


def numbers(tensor: Tensor) -> Any:
    """The elements as nested lists of Python numbers."""
    return np.asarray(tensor).tolist()
