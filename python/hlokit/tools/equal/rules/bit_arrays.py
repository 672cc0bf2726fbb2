"""What operations on whole arrays do with bits, as the cards name it: control flow, sorts, products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation
from hlokit.errors import UnsupportedError
from hlokit.kernels.contractions.dot_general import contraction_product
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.operations.lookup import traits_of
from hlokit.reference.numbers.rules import stable_order
from hlokit.tools.equal.rules import bit_formulas
from hlokit.tools.equal.rules.bit_formulas import Applied, BitFormula
from hlokit.tools.equal.rules.regions_of_terms import DecidedRegion
from hlokit.tools.equal.rules.terms import PREDICATE, Terms, packed, stated_type, values_of
from hlokit.values.element_types import ElementType
from hlokit.values.types import TensorType, ValueType


class BitsBinding(NamedTuple):
    """An operation to be bound to terms.

    Attributes:
      operation: with types of terms.
      bind: binds an operation with other types.
    """

    operation: Operation
    bind: Callable[[Operation], Kernel]
    terms: Terms

    def stated(self) -> Operation:
        """The operation with the program's own types."""
        operand_types, result_types = (
            tuple(map(stated_type, types))
            for types in (self.operation.operand_types, self.operation.result_types)
        )
        return self.operation._replace(operand_types=operand_types, result_types=result_types)


class BitKernel(NamedTuple):
    """The operation has a kernel of its own; None if it is an uninterpreted function for these types."""

    bind: Callable[[BitsBinding], Kernel | None]


BitMeaning = BitFormula | BitKernel


def rounds_once(operation: Operation) -> bool:
    """Whether a region is a sum or product of floats, which is rounded once, not at each step."""
    types = [type_ for type_ in map(stated_type, operation.operand_types) if isinstance(type_, TensorType)]
    names = [region.binary for region in operation.regions]
    is_rounded = any(name is not None and traits_of(name).rounded for name in names)
    return is_rounded and any(type_.element_type.kind.is_inexact for type_ in types)


def check_regions(operation: Operation) -> None:
    """
    Raises:
      UnsupportedError: the operation converts its operands to other types for a region.
    """
    count = len(operation.result_types)
    operands = [*operation.operand_types[:count], *operation.operand_types[-count:]]
    for region in operation.regions:
        arguments = region.argument_types
        if len(arguments) == len(operands) and list(map(_element, arguments)) != list(
            map(_element, operands)
        ):
            raise UnsupportedError("a region must have the element types of the operands to be proved equal")


def _element(type_: ValueType) -> ElementType | None:
    return type_.element_type if isinstance(type_, TensorType) else None


# Control flow ----------------------------------------------------------------------------------------


def _branches(binding: BitsBinding) -> Kernel:
    """The run takes one branch, and is on the path of all arguments that take it."""
    kernel = binding.bind(binding.operation)
    type_, alike = _tensor(binding.operation.operand_types[0]), range(len(binding.operation.regions))

    def choose(index: Any, *captured: Any) -> Any:
        return kernel.function(binding.terms.decided(index, type_, alike), *captured)

    return Kernel(choose)


def _tensor(type_: ValueType) -> TensorType:
    """The program's own type."""
    stated = stated_type(type_)
    assert isinstance(stated, TensorType), "choices are tensors"
    return stated


def _while(binding: BitsBinding) -> Kernel:
    operation, terms = binding.operation, binding.terms
    cond, body = operation.regions
    count = len(operation.operand_types)

    def loop(*operands: Any) -> Any:
        values, captured = operands[:count], operands[count:]
        while terms.decided(cond(*values, *captured), PREDICATE):
            values = body(*values, *captured)
            values = (values,) if count == 1 else values
        return values[0] if count == 1 else values

    return Kernel(loop)


BRANCHES = BitKernel(_branches)
WHILE = BitKernel(_while)


# Sorts, scatters -------------------------------------------------------------------------------------


def _sort(binding: BitsBinding) -> Kernel | None:
    """The run is on the path of all arguments whose comparisons have the same results."""
    operation, terms = binding.operation, binding.terms
    if any(_tensor(type_).element_type.kind.is_inexact for type_ in operation.operand_types):
        return None  # NaN has a place that comparisons do not give it
    dimension, (comparator,) = operation.attributes.int_("dimension", -1), operation.regions
    count = len(operation.operand_types)

    def kernel(*operands: Any) -> Any:
        inputs, captured = operands[:count], operands[count:]
        if not np.ndim(inputs[0]):
            return inputs[0] if count == 1 else inputs
        lanes = [np.moveaxis(np.asarray(value), dimension, -1) for value in inputs]
        results = [lane.copy() for lane in lanes]

        def is_before(index: tuple[int, ...], lhs: int, rhs: int) -> bool:
            pairs = [lane[(*index, place)] for lane in lanes for place in (lhs, rhs)]
            return bool(terms.decided(comparator(*map(np.asarray, pairs), *captured), PREDICATE))

        for index in np.ndindex(lanes[0].shape[:-1]):
            order = stable_order(range(lanes[0].shape[-1]), partial(is_before, index))
            for lane, result in zip(lanes, results, strict=True):
                result[index] = lane[index][list(order)]
        sorted_ = tuple([np.moveaxis(result, -1, dimension) for result in results])
        return sorted_[0] if count == 1 else sorted_

    return Kernel(kernel)


def _scatter(binding: BitsBinding) -> Kernel:
    """The indices are those of the run; windows that begin beyond the operand are alike on each side."""
    operation = binding.operation
    check_regions(operation)
    place = len(operation.result_types)
    return _with_indices(binding, (place,), lambda size: range(-size, size))


def _clamped(binding: BitsBinding) -> Kernel:
    """The indices are those of the run; all that are clamped to one index are alike."""
    operation = binding.operation
    moved = range(len(operation.operand_types))[traits_of(operation.name).moves or slice(1)]
    places = tuple([n for n in range(len(operation.operand_types)) if n not in moved])
    return _with_indices(binding, places, range)


def _with_indices(binding: BitsBinding, places: Sequence[int], alike: Callable[[int], range]) -> Kernel:
    """The operation's own kernel, for the indices of the run.

    Args:
      places: of operands that are indices.
      alike: the indices that differ, for the largest dimension.
    """
    operation, terms = binding.operation, binding.terms
    types = [stated_type(type_) if n in places else type_ for n, type_ in enumerate(operation.operand_types)]
    kernel = binding.bind(operation._replace(operand_types=tuple(types)))

    def with_indices(*operands: Any) -> Any:
        values = list(operands)
        differing = alike(max(np.shape(values[0]), default=0))
        for place in places:
            values[place] = terms.decided(values[place], _tensor(types[place]), differing)
        return kernel.function(*values)

    return Kernel(with_indices)


def _select_and_scatter(binding: BitsBinding) -> Kernel:
    """The run is on the path of all arguments that select the same elements."""
    check_regions(binding.operation)
    select, scatter = binding.operation.regions
    regions = DecidedRegion(select, binding.terms), scatter
    return binding.bind(binding.operation._replace(regions=regions))


CLAMPED = BitKernel(_clamped)
SELECT_AND_SCATTER = BitKernel(_select_and_scatter)
SORT = BitKernel(_sort)
SCATTER = BitKernel(_scatter)


# Bits ------------------------------------------------------------------------------------------------


def _bitcast(binding: BitsBinding) -> Kernel:
    stated, z3, number = binding.stated(), binding.terms.z3, binding.terms.number
    values = binding.bind(stated).function
    result, term = stated.result(), binding.terms.term
    source, target = stated.operand().element_type.width, result.element_type.width

    def kernel(operand: Any) -> Any:
        numbers = np.asarray(operand)["term"]
        if source > target:
            parts = [
                number(z3.Extract((part + 1) * target - 1, part * target, term(whole, source)))
                for whole in numbers.reshape(-1).tolist()
                for part in range(source // target)
            ]
            numbers = np.array(parts, np.uint64).reshape(*numbers.shape, source // target)
        elif source < target:
            rows = numbers.reshape(-1, target // source).tolist()
            joined = [number(z3.Concat(*[term(part, source) for part in reversed(row)])) for row in rows]
            numbers = np.array(joined, np.uint64).reshape(numbers.shape[:-1])
        return packed(values(values_of(operand)), numbers, result)

    return Kernel(kernel)


BITCAST = BitKernel(_bitcast)


# Sums of products ------------------------------------------------------------------------------------


def _dot_general(binding: BitsBinding) -> Kernel | None:
    stated = binding.stated()
    lhs, rhs, result = stated.operand(0), stated.operand(1), stated.result()
    if not result.element_type.kind.is_integer or not bit_formulas.ADD.holds_for(stated):
        return None
    values, zero = binding.bind(stated).function, binding.terms.z3.BitVecVal(0, result.element_type.width)
    dimensions = stated.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    product = contraction_product(dimensions, lhs, rhs, np.matmul)
    terms = binding.terms

    def kernel(one: Any, two: Any) -> Any:
        wide = [_as_objects(terms, value, type_, result) for value, type_ in ((one, lhs), (two, rhs))]
        sums = np.asarray(product(*wide))
        numbers = [terms.number(zero + term) for term in sums.reshape(-1)]  # of no terms, the sum is an int
        array = np.array(numbers, np.uint64).reshape(sums.shape)
        return packed(values(values_of(one), values_of(two)), array, result)

    return Kernel(kernel)


def _as_objects(terms: Terms, value: Any, type_: TensorType, result: TensorType) -> Any:
    """An array of terms of the result's width."""
    width = type_.element_type.width
    convert = Operation("", (type_,), (result,), attributes=None)  # pyright: ignore[reportArgumentType] # has none
    array = np.empty(np.shape(value), object)
    for index in np.ndindex(array.shape):
        term = terms.term(int(np.asarray(value)["term"][index]), width)
        array[index] = bit_formulas.CONVERT.formula(Applied(terms.z3, convert), term)
    return array


DOT_GENERAL = BitKernel(_dot_general)
