"""Dimension sizes that types contain, and adjacent constants in a concatenate."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.folding.constants import Array, Value, constant_type, make_splat, splat_of
from hlokit.passes.framework.rewriting import Pattern, Rewriter
from hlokit.passes.simplification.support import build, int_, shape, with_shape
from hlokit.values.types import TensorType


def _size_of_dimension(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """get_dimension_size(x) -> the size, if the type of x contains it"""
    sizes = shape(operation.operands[0])
    size = -1 if sizes is None else sizes[int_(operation, "dimension")]
    mlir_type = operation.results[0].type
    type_ = constant_type(mlir_type)
    if size < 0 or type_ is None:
        return False
    rewriter.replace(operation, [make_splat(np.array(size, type_.element_type.dtype), type_, mlir_type)])
    return True


def _same_size(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """set_dimension_size(x, n) -> x, if x already has size n in this dimension and the type does not
    change"""
    operand = operation.operands[0]
    size, sizes = splat_of(operation.operands[1]), shape(operand)
    if operand.type != operation.results[0].type or size is None or sizes is None:
        return False
    if sizes[int_(operation, "dimension")] != int(size):
        return False
    rewriter.replace(operation, [operand])
    return True


def _join_splats(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """concatenate(..., splat, splat, ...) -> concatenate(..., a longer splat, ...), if their elements are
    equal"""
    operands = list(operation.operands)
    dimension = int_(operation, "dimension")
    splats = [_splat(value) for value in operands]
    keys = [index if splat is None else splat[0].tobytes() for index, splat in enumerate(splats)]
    if len({(key, i) for i, (key, _) in enumerate(groupby(keys))}) == len(operands):
        return False
    joined: list[Value] = []
    for _, run in groupby(range(len(operands)), key=keys.__getitem__):
        indices = list(run)
        first = splats[indices[0]]
        if len(indices) == 1 or first is None:
            joined += [operands[i] for i in indices]
            continue
        element, type_ = first
        dims = list(type_.dims)
        dims[dimension] = sum(
            t.dims[dimension] for t in (s[1] for s in splats[indices[0] : indices[-1] + 1] if s)
        )
        mlir_type = with_shape(ir.RankedTensorType(operands[indices[0]].type), dims)
        joined.append(make_splat(element, TensorType(tuple(dims), type_.element_type), mlir_type))
    new = build(operation.name, [operation.results[0].type], joined, attributes_of(operation))
    rewriter.replace(operation, new.results)
    return True


def _splat(value: Value) -> tuple[Array, TensorType] | None:
    element, type_ = splat_of(value), constant_type(value.type)
    return None if element is None or type_ is None else (element, type_)


PATTERNS: tuple[tuple[str, Pattern], ...] = (
    ("stablehlo.get_dimension_size", _size_of_dimension),
    ("stablehlo.set_dimension_size", _same_size),
    ("stablehlo.concatenate", _join_splats),
)
