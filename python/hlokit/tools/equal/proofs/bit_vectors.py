"""`BitVectors`: programs on bit vectors instead of values, by the meanings that the cards name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.canonical_nan import with_canonical_nans
from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation, bind_quantized
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.interpreter.settings import Settings, Variant
from hlokit.engine.interpreter.tiers import observed_by
from hlokit.engine.plan.evaluate import evaluate
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.kernels.elementwise.chlo_broadcast import aligners
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import Nans, Traits
from hlokit.programs.program import Program
from hlokit.tools.equal.rules.bit_arrays import BitKernel, BitsBinding, check_regions, rounds_once
from hlokit.tools.equal.rules.bit_formulas import Applied, BitFormula, element_of
from hlokit.tools.equal.rules.regions_of_terms import RegionOfValues
from hlokit.tools.equal.rules.terms import (
    Terms,
    holds_terms,
    is_array_of_terms,
    numbers_of,
    packed,
    stated_type,
    term_type,
    values_of,
    width_of,
)
from hlokit.values.quantized import QuantizedType
from hlokit.values.types import TensorType, TupleType, ValueType

# Elements of an array whose size the arguments give.
_MOST_ELEMENTS = 1 << 20


class OutOfTimeError(EvaluationError):
    """The time for a proof is over."""


class BitProgram:
    """A function of a program on bit vectors."""

    def __init__(self, program: Program, function: str, terms: Terms) -> None:
        settings = Settings(
            tiers=observed_by(_Deadline(terms)), filename=program.filename, variant=BitVectors(terms)
        )
        self._block = Planner(program.module, settings).function(function)

    def run(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The results for arrays of terms.

        Raises:
          EvaluationError, UnsupportedError: as a run on values.
        """
        with run_context.use(run_context.RunContext()):
            return tuple(evaluate(self._block, values))


class _Deadline:
    """An observer that ends a run when the time of the proof is over."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""
        del plan, step, operands
        if monotonic() > self._terms.deadline:
            raise OutOfTimeError("the time for the proof is over")

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""

    def failed(self, plan: Plan, step: Step) -> None:
        """A step has raised an exception."""


class BitVectors(Variant):
    """A program whose elements are bit vectors (`rules.terms`)."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def value_type(self, type_: ValueType) -> ValueType:
        return term_type(type_)

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        if not any(map(holds_terms, operation.operand_types + operation.result_types)):
            return bind(operation)
        card = card_of(operation.name)
        assert card is not None, "an operation with a bind function has a card"
        traits, quantized = card.traits, quantized_types(operation.operand_types + operation.result_types)
        if quantized:
            bind = partial(bind_quantized, bind)
        binding = BitsBinding(operation, partial(_kernel, bind), self._terms)
        if quantized and traits.elementwise:
            is_by_axis = any(element.axis is not None for element in quantized)
            return _uninterpreted(binding) if is_by_axis else _elementwise(binding, None)
        if isinstance(card.bits, BitKernel):
            return card.bits.bind(binding) or _uninterpreted(binding)
        if traits.elementwise and _is_of_equal_shapes(operation, traits):
            return _elementwise(binding, card.bits if isinstance(card.bits, BitFormula) else None)
        if rounds_once(operation):
            return _uninterpreted(binding)
        if traits.applies:
            check_regions(operation)
        hands_on = traits.control or traits.terminator or traits.ordering or traits.asynchronous
        if traits.moves is not None or traits.tuples or traits.applies or hands_on:
            return _moved(binding, traits)
        return _uninterpreted(binding)


def quantized_types(types: Sequence[ValueType]) -> list[QuantizedType]:
    """The quantized element types among types, or types of terms."""
    elements = [type_.element_type for type_ in map(stated_type, types) if isinstance(type_, TensorType)]
    return [element for element in elements if isinstance(element, QuantizedType)]


def _kernel(bind: BindFunction, operation: Operation) -> Kernel:
    bound = bind(operation)
    return Kernel(partial(_constant, bound.value)) if isinstance(bound, Constant) else bound


def _canonical(kernel: Kernel, operation: Operation) -> Callable[..., Any]:
    """The function of values, with canonical NaNs if the operation computes."""
    nans = traits_of(operation.name).nans
    computes = nans in (Nans.ONE, Nans.BY_BODY)
    if nans is Nans.BY_TYPE:
        computes = operation.operand_types != operation.result_types
    return with_canonical_nans(kernel.function, operation.result_types) if computes else kernel.function


def _constant(value: Any, *operands: Any) -> Any:
    del operands
    return value


def _is_of_equal_shapes(operation: Operation, traits: Traits) -> bool:
    """Whether elements are at the same index; a conversion of bits may change the number of elements."""
    return traits.scalars or traits.broadcasting or operation.operand(0).shape == operation.result().shape


# Operations element by element -------------------------------------------------------------------------


def _elementwise(binding: BitsBinding, formula: BitFormula | None) -> Kernel:
    stated, terms = binding.stated(), binding.terms
    evaluate_values = _canonical(binding.bind(stated), stated)
    tensors = [*map(_tensor, stated.operand_types), stated.result()]
    exact = (
        partial(formula.formula, Applied(terms.z3, stated)) if formula and formula.holds_for(stated) else None
    )
    name, width = _name_of(stated), stated.result().element_type.width
    widths = [type_.element_type.width for type_ in tensors[:-1]]
    is_commutative = traits_of(stated.name).commutative
    align = aligners(stated) if traits_of(stated.name).broadcasting else None

    def of_elements(*operands: Any) -> Any:
        term = None if exact is None else exact(*operands)
        if term is not None:
            return term
        terms.uninterpreted.add(stated.name)
        numbers = [(terms.number(operand), own) for operand, own in zip(operands, widths, strict=True)]
        if is_commutative:
            numbers.sort()
        return terms.term(terms.function(name, width, numbers), width)

    def kernel(*operands: Any) -> Any:
        values = evaluate_values(*map(values_of, operands))
        if align is not None:
            operands = tuple([one(operand) for one, operand in zip(align, operands, strict=True)])
        return packed(values, terms.mapped(of_elements, values, operands, tensors), tensors[-1])

    return Kernel(kernel, pointwise=True)


def _tensor(type_: ValueType) -> TensorType:
    assert isinstance(type_, TensorType), "elements are of tensors"
    return type_


def _name_of(operation: Operation) -> str:
    """A name for the function of elements: of `chlo.broadcast_add`, that of `stablehlo.add`."""
    own = [text for text in operation.attributes.texts() if not text.startswith("broadcast_dimensions=")]
    types = [element_of(type_) for type_ in operation.operand_types + operation.result_types]
    base = operation.name.partition(".")[2].removeprefix("broadcast_")
    return " ".join(map(str, [base, *own, *types]))


# Operations on whole arrays ----------------------------------------------------------------------------


def _moved(binding: BitsBinding, traits: Traits) -> Kernel:
    """The operation's own kernel; the operands that say where elements go have the values of this run."""
    operation, terms = binding.operation, binding.terms
    count = len(operation.operand_types)
    moved = range(count) if traits.moves is None else range(count)[traits.moves]
    decided = [n for n in range(count) if n not in moved or n in traits.sizes]
    if not decided or traits.control:
        return binding.bind(operation)
    types = [stated_type(type_) if n in decided else type_ for n, type_ in enumerate(operation.operand_types)]
    kernel = binding.bind(operation._replace(operand_types=tuple(types))).function

    def move(*operands: Any) -> Any:
        values = list(operands)
        for place in decided:
            values[place] = terms.decided(values[place], _tensor(types[place]))
            if place in traits.sizes:
                _check_sizes(values[place])
        return kernel(*values)

    return Kernel(move)


def _check_sizes(sizes: Any) -> None:
    """
    Raises:
      UnsupportedError: a path has arrays for which there is no memory, such as those that z3 thinks of.
    """
    if np.prod(np.asarray(sizes), dtype=np.float64) > _MOST_ELEMENTS:
        raise UnsupportedError(f"arrays must have at most {_MOST_ELEMENTS:,} elements to be proved equal")


def _uninterpreted(binding: BitsBinding) -> Kernel | Constant:
    """Each element is a function of all elements of the operands; without terms among these, a constant."""
    stated, terms = binding.stated(), binding.terms
    regions = tuple([RegionOfValues(region, terms) for region in stated.regions])
    kernel = _canonical(binding.bind(stated._replace(regions=regions)), stated)
    traits, types = traits_of(stated.name), stated.result_types
    function = stated.attributes.description()

    def results_of(*operands: Any) -> Any:
        for place in traits.sizes:  # results of another run may have other shapes
            _check_sizes(terms.decided(operands[place], stated.operand(place)))
        results = kernel(*map(values_of, operands))
        name = f"{function} {list(map(_shape, operands))}"  # types may have unknown dimensions
        numbers = [pair for operand in operands for pair in _numbers(operand)]
        is_constant = all(terms.is_constant(number) for number, _ in numbers)
        if not is_constant:
            terms.uninterpreted.add(stated.name)
        packed_results = [
            _packed(terms, result, type_, None if is_constant else (f"{name}/{place}", numbers))
            for place, (result, type_) in enumerate(
                zip((results,) if len(types) == 1 else results, types, strict=True)
            )
        ]
        return packed_results[0] if len(types) == 1 else tuple(packed_results)

    if not stated.operand_types and not stated.regions:
        return Constant(results_of())
    return Kernel(results_of)


Function = tuple[str, list[tuple[int, int]]]


def _packed(terms: Terms, result: Any, type_: ValueType, function: Function | None) -> Any:
    """A result as constants, or as an uninterpreted function of terms."""
    if isinstance(type_, TupleType):
        return tuple(
            [_packed(terms, item, own, function) for item, own in zip(result, type_.types, strict=True)]
        )
    if not isinstance(type_, TensorType):
        return result
    if function is None:
        return terms.constants(result, type_)
    name, operands = terms.abbreviated(*function)
    width = type_.element_type.width
    numbers = [terms.function(f"{name}.{n}", width, operands) for n in range(np.size(result))]
    return packed(result, np.array(numbers, np.uint64).reshape(np.shape(result)), type_)


def _shape(operand: Any) -> Any:
    if isinstance(operand, tuple):
        return list(map(_shape, operand))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
    return getattr(operand, "shape", None)


def _numbers(operand: Any) -> list[tuple[int, int]]:
    """The terms of an operand, and their width."""
    if isinstance(operand, tuple):
        items: Any = operand  # pyright: ignore[reportUnknownVariableType] # of values
        return [pair for item in items for pair in _numbers(item)]
    if not is_array_of_terms(operand):
        return []
    width = width_of(operand)
    return [(number, width) for number in numbers_of(operand)]
