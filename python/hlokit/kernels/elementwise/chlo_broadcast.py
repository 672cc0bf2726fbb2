"""CHLO's operations with implicit broadcasting: broadcast the operands, then apply the plain operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation, Value, find
from hlokit.errors import EvaluationError, InternalError
from hlokit.operations.lookup import operations
from hlokit.values.types import TensorType

Shape = tuple[int, ...]


def plain_name(name: str) -> str:
    """The operation without broadcasting: of StableHLO, or of CHLO if StableHLO lacks it."""
    mnemonic = name.removeprefix("chlo.broadcast_")
    return f"stablehlo.{mnemonic}" if f"stablehlo.{mnemonic}" in operations() else f"chlo.{mnemonic}"


def broadcast_binary(operation: Operation) -> Kernel:
    """result = lhs <operation> rhs, where a dimension of size 1 broadcasts to any size.

    Dimension d of the operand of lower rank becomes dimension broadcast_dimensions[d] of the result; by
    default the trailing dimensions align.
    """
    lhs, rhs = operation.operand(0), operation.operand(1)
    kernel = _without_broadcast(operation, plain_name(operation.name))
    if lhs.is_static and rhs.is_static and lhs.shape == rhs.shape:
        return kernel
    return Kernel(_broadcasting(kernel, aligners(operation), operation.name))


def broadcast_select(operation: Operation) -> Kernel:
    """result = pred ? on_true : on_false, where a dimension of size 1 broadcasts to any size.

    Trailing dimensions align.
    """
    types = [operation.operand(index) for index in range(3)]
    kernel = _without_broadcast(operation, "stablehlo.select")
    if all(type_.is_static and type_.shape == types[0].shape for type_ in types):
        return kernel
    return Kernel(_broadcasting(kernel, aligners(operation), operation.name))


def _without_broadcast(operation: Operation, name: str) -> Kernel:
    """The kernel of the operation without broadcasting, for operands of the result's shape."""
    shape = operation.result().shape
    types = tuple(
        TensorType(shape, operation.operand(i).element_type) for i in range(len(operation.operand_types))
    )
    bind = find(name)
    kernel = None if bind is None else bind(operation._replace(name=name, operand_types=types))
    if not isinstance(kernel, Kernel):
        raise InternalError(f"{name} has no kernel")
    return kernel


def _as_is(operand: Value) -> Value:
    return operand


def aligners(operation: Operation) -> list[Callable[[Value], Value]]:
    """Functions of the operands, after which NumPy broadcasts these as the operation does."""
    types = [operation.operand(index) for index in range(len(operation.operand_types))]
    rank = max([type_.rank for type_ in types])
    return [_aligner(type_, rank, operation) for type_ in types]


def _aligner(type_: TensorType, rank: int, operation: Operation) -> Callable[[Value], Value]:
    """A function that inserts the dimensions of size 1 that NumPy would not add itself."""
    default = tuple(range(rank - type_.rank, rank))
    dimensions = operation.attributes.ints("broadcast_dimensions", default)
    if type_.rank == rank or dimensions == default:
        return _as_is

    def align(operand: Value) -> Value:
        shape = [1] * rank
        for dimension, size in zip(dimensions, operand.shape, strict=True):
            shape[dimension] = size
        return operand.reshape(shape)

    return align


def _broadcasting(kernel: Kernel, align: list[Callable[[Value], Value]], name: str) -> Callable[..., Any]:
    function = kernel.function

    def broadcasting(*operands: Value) -> Value:
        aligned = [one(operand) for one, operand in zip(align, operands, strict=True)]
        try:
            return function(*np.broadcast_arrays(*aligned))
        except ValueError:
            shapes = ", ".join(str(list(operand.shape)) for operand in operands)
            message = f"{name.removeprefix('chlo.')}: operands must have shapes that broadcast, got {shapes}"
            raise EvaluationError(message) from None

    return broadcasting
