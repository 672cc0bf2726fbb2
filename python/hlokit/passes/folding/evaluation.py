"""Folds operations with constant operands by evaluating them in the interpreter."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Constant, Kernel
from hlokit.engine.interpreter.planner import Planner, memory_limit
from hlokit.engine.interpreter.settings import Settings
from hlokit.engine.plan.evaluate import guarded
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.lookup import traits_of
from hlokit.passes.folding.constants import (
    Array,
    Value,
    constant_of,
    constant_operation,
    constant_type,
    make_constant,
    read_constant,
    splat_of,
)
from hlokit.passes.folding.operations import (
    NOT_FOLDED,
    are_evaluated,
    is_inexact,
    is_left_alone,
    may_fold,
)
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.support import has_one_use, is_used
from hlokit.values.bits import is_splat
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType


# The elements of each result come from these operands. The other operands may determine positions; they need
# not be constants if all elements are equal. Another pattern replaces a `reverse` of equal elements by its
# operand.
def _moved(name: str) -> slice | None:
    traits = traits_of(name)
    is_left_out = traits.sizes or traits.applies or name in NOT_FOLDED or name == "stablehlo.reverse"
    return None if is_left_out else traits.moves


# Larger splats are not expanded for operations that require every element.
_MOST_SPREAD = 1 << 22


class Evaluation:
    """Folds the operations of one function.

    Args:
      limit: the largest number of elements in an operation's results that take more memory than the constants
        that they replace; None for no limit.
      optimize_float: also fold operations whose rounding may differ between implementations.
    """

    def __init__(self, limit: int | None, optimize_float: bool) -> None:
        self._limit = limit
        self._optimize_float = optimize_float
        self._types: dict[ir.Type, TensorType | None] = {}
        self._planner: Planner | None = None

    def fold(self, operation: ir.Operation, rewriter: Rewriter) -> bool:
        """op(constant, ...) -> constant"""
        name = operation.name
        moved = _moved(name)
        operands = list(operation.operands)
        needed = operands if moved is None else operands[moved]
        if any(constant_operation(value) is None for value in needed):
            return False
        mlir_types = [result.type for result in operation.results]
        types = [self._type(value.type) for value in operands]
        result_types = [self._type(type_) for type_ in mlir_types]
        if not result_types or None in result_types or None in types:
            return False
        values = self._results(operation, types, result_types)  # pyright: ignore[reportArgumentType] # no None
        if values is None:
            return False
        rewriter.replace(
            operation,
            [
                make_constant(value, type_, mlir_type)
                for value, type_, mlir_type in zip(values, result_types, mlir_types, strict=True)
                if type_ is not None
            ],
        )
        return True

    def is_false(self, region: ir.Region, operands: Sequence[Value]) -> bool:
        """Whether a region returns false on these operands; the operands that the region uses must be
        constants."""
        if not are_evaluated((region,)):
            return False
        block, captured = self._planner_at(region.owner.operation).region(region)
        used = map(is_used, region.blocks[0].arguments)
        values = [
            constant_of(value) if is_needed else None for value, is_needed in zip(operands, used, strict=True)
        ]
        is_known = all(
            value is not None or not is_used(argument)
            for value, argument in zip(values, region.blocks[0].arguments, strict=True)
        )
        outside = _constants(captured)
        if not is_known or outside is None:
            return False
        results = _call(Kernel(block), [*values, *outside], 1)
        return results is not None and not results[0]

    def _type(self, type_: ir.Type) -> TensorType | None:
        if type_ not in self._types:
            self._types[type_] = constant_type(type_)
        return self._types[type_]

    def _results(
        self, operation: ir.Operation, types: Sequence[TensorType], result_types: Sequence[TensorType]
    ) -> Sequence[Array] | None:
        name = operation.name
        if not self._optimize_float and is_inexact(name, [*types, *result_types]):
            return None
        moved = _moved(name)
        if moved is not None:
            element = _common_element(list(operation.operands)[moved])
            if element is not None:
                return [np.broadcast_to(element, type_.dims) for type_ in result_types]
        return self._evaluated(operation, types, result_types)

    def _evaluated(
        self, operation: ir.Operation, types: Sequence[TensorType], result_types: Sequence[TensorType]
    ) -> Sequence[Array] | None:
        operands = _constants(operation.operands)
        if operands is None or not are_evaluated(operation.regions):
            return None
        splats = [is_splat(operand) for operand in operands]
        if is_left_alone(operation, [*types, *result_types], splats[:1] == [True]):
            return None
        bound, captured_values = self._planner_at(operation).operation(operation)
        captured = _constants(captured_values)
        if captured is None:
            return None
        results = None
        fits = self._fits(operation, operands, result_types)
        if isinstance(bound, Constant):
            results = [bound.value] if fits else None
        elif bound.pointwise and operands and all(splats) and _has_plain_types([*types, *result_types]):
            # One element determines all elements of the result.
            operands = [operand[(0,) * operand.ndim] for operand in operands]
            results = _call(bound, operands, len(result_types))
            if results is not None and any(result.shape for result in results):
                return None
        elif fits and not any(
            is_one and operand.size > _MOST_SPREAD for is_one, operand in zip(splats, operands, strict=True)
        ):
            results = _call(bound, [*operands, *captured], len(result_types))
        if results is None or not may_fold(operation.name, [*types, *result_types], operands, results):
            return None
        return [
            np.broadcast_to(result, type_.dims) if result.shape != type_.dims else result
            for result, type_ in zip(map(np.asarray, results), result_types, strict=True)
        ]

    def _fits(
        self, operation: ir.Operation, operands: Sequence[Array], result_types: Sequence[TensorType]
    ) -> bool:
        """Whether results are within the limit, or take no more memory than the constants that they
        replace."""
        size = sum(type_.nbytes for type_ in result_types)
        if size > memory_limit() // 8:  # Operands and attributes take the same amount again.
            return False
        if self._limit is None or sum(type_.size for type_ in result_types) <= self._limit:
            return True
        replaced = sum(
            operand.nbytes
            for operand, value in zip(operands, operation.operands, strict=True)
            if has_one_use(value) and not is_splat(operand)
        )
        return size <= replaced

    def _planner_at(self, operation: ir.Operation) -> Planner:
        if self._planner is None:
            # An empty module suffices, because operations in regions call no functions. Values of any size
            # are allowed, because one element may determine them.
            empty = ir.Module.create(ir.Location.unknown(operation.context))
            self._planner = Planner(empty, Settings(limit=sys.maxsize))
        return self._planner


def _call(kernel: Kernel, operands: Sequence[Array | None], count: int) -> list[Array] | None:
    """The results of a kernel; None if the kernel raises an error, because the program must fail when it
    runs."""
    try:
        returned: Any = guarded(kernel.function, *operands)
    except (EvaluationError, UnsupportedError):
        return None
    return [np.asarray(value) for value in ((returned,) if count == 1 else returned)]


def _constants(values: Sequence[Value]) -> list[Array] | None:
    """The elements of all values; None unless all are constants."""
    arrays: list[Array] = []
    for value in values:
        operation = constant_operation(value)
        array = None if operation is None else read_constant(operation)
        if array is None:
            return None
        arrays.append(array)
    return arrays


def _common_element(values: Sequence[Value]) -> Array | None:
    """The element of which all values consist; None if elements differ in any bit."""
    elements = [splat_of(value) for value in values]
    first = elements[0]
    if first is None:
        return None
    pattern = first.tobytes()
    return first if all(e is not None and e.tobytes() == pattern for e in elements) else None


def _has_plain_types(types: Sequence[TensorType]) -> bool:
    """Whether equal elements mean equal numbers everywhere. (With several scales, equal elements may be
    different numbers.)"""
    return all(type_.element_type.kind is not Kind.QUANTIZED for type_ in types)
