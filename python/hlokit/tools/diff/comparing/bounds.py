"""The allowed difference between a correct result of an operation and hlokit's, for given operands.

The errors of hlokit's own results are half a unit in the last place for functions, and the bounds of
docs/numerics.md for sums. In addition, the allowed difference is:

- operations that move or compare values, and integers: none;
- arithmetic that IEEE 754 rounds once: one unit in the last place;
- functions: some units (the trait `ulps`: the errors of good libraries, docs/accuracy.md), plus twice the
  effect of a change of an operand by one unit;
- sums of n terms: 8 u (sqrt(n) |result| + sum of magnitudes), where u is half a unit of 1.0 in the type: the
  effect of rounding in any usual order. The sum of magnitudes is the same operation on |operands|;
- all other operations: 16 times the effect of random changes of the operands by two units, plus 64 sqrt(n) u
  of the largest element of the result.

Within a program, compilers keep operands unrounded, for instance the product in `a * b + c`. The effect of a
change of an operand by one unit is therefore always allowed there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers, DotDimensionNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.comparing.flushing import flushed, flushes_operands
from hlokit.tools.diff.comparing.verdicts import EXACT, Allowance
from hlokit.tools.diff.rules.open_values import Judged
from hlokit.tools.numerics.deviations import is_inexact, unit_in_last_place
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An evaluated operation, from which bounds are computed.

    Attributes:
      operation: operation of the bindings.
      kernel: hlokit's kernel, which also evaluates changed operands.
      operands, results: values, captured values after the operands.
      theirs: the other side's results; None for unknown ones.
    """

    operation: ir.Operation
    kernel: Callable[..., Any]
    operands: Sequence[Value]
    results: Sequence[Value]
    theirs: Sequence[Any] = ()

    @property
    def name(self) -> str:
        """The name without the dialect."""
        return self.operation.name.partition(".")[2]

    def again(self, operands: Sequence[Value], index: int) -> Array:
        """A result for other operands, in f64."""
        with np.errstate(all="ignore"):
            result = self.kernel(*operands)
        return _wide(result if len(self.results) == 1 else result[index])


def allowance(evaluated: Evaluated, index: int, type_: TensorType, *, in_context: bool = False) -> Allowance:
    """The allowed difference of result `index` of an operation.

    Args:
      in_context: whether the other side compiled the operation together with those that compute its operands.
    """
    with np.errstate(all="ignore"):
        bound = _allowance(evaluated, index, type_.element_type)
        if in_context and not traits_of(evaluated.operation.name).ulps:
            moved = _moved(evaluated, index, _wide(evaluated.results[index]))
            what = f"{bound.what}, plus the effect of 1 ULP of an operand"
            bound = replace(bound, error=bound.error + moved, what=what)
        bound = replace(bound, alternatives=tuple(_alternatives(evaluated, index, type_.element_type, bound)))
    wrong = _wrong_elements(evaluated, index)
    if wrong is not None:
        bound = replace(bound, error=np.where(wrong, 0.0, bound.error), what=f"{bound.what}; {_EQUATIONS}")
    left_open = _open_elements(evaluated, index)
    if left_open is None:
        return bound
    mask, row = left_open
    return replace(bound, open=np.broadcast_to(mask, np.shape(evaluated.results[index])), row=row)


_EQUATIONS = "its equations do not hold"


def _wrong_elements(evaluated: Evaluated, index: int) -> Array | None:
    """Elements of a result that do not satisfy the equations that define them; None if there are none."""
    card = card_of(evaluated.operation.name)
    judged = Judged(evaluated.operation, evaluated.operands, evaluated.results, evaluated.theirs, index)
    for left_open in () if card is None else card.open:
        wrong = None if left_open.wrong is None else left_open.wrong(judged)
        if wrong is not None and wrong.any():
            return wrong
    return None


def _open_elements(evaluated: Evaluated, index: int) -> tuple[Array, str] | None:
    """Elements of a result that are left open, and the row that states it; None if there are none."""
    card = card_of(evaluated.operation.name)
    judged = Judged(evaluated.operation, evaluated.operands, evaluated.results, evaluated.theirs, index)
    for left_open in () if card is None else card.open:
        mask = left_open.rule(judged)
        if mask is not None and mask.any():
            return mask, left_open.row
    return None


def _alternatives(
    evaluated: Evaluated, index: int, element_type: ElementType, bound: Allowance
) -> Iterator[tuple[Array, Array | float]]:
    """Results, with allowed differences, for subnormal operands that the other side takes as zero."""
    if not flushes_operands() or traits_of(evaluated.operation.name).moves is not None:
        return
    zeros = [flushed(operand) for operand in evaluated.operands]
    if all(zero is None for zero in zeros):
        return
    operands = [old if zero is None else zero for old, zero in zip(evaluated.operands, zeros, strict=True)]
    with np.errstate(all="ignore"):
        outcome = evaluated.kernel(*operands)
    results = (outcome,) if len(evaluated.results) == 1 else outcome
    other = Evaluated(evaluated.operation, evaluated.kernel, operands, results, evaluated.theirs)
    error = _allowance(other, index, element_type).error
    yield _wide(results[index]), np.maximum(error, bound.error) if np.ndim(bound.error) else error


def _allowance(evaluated: Evaluated, index: int, element_type: ElementType) -> Allowance:
    traits = traits_of(evaluated.operation.name)
    if element_type.kind is Kind.QUANTIZED:
        return EXACT if traits.exact else Allowance(1.0, "one step of the storage type")
    if element_type.kind not in (Kind.FLOAT, Kind.COMPLEX):
        return EXACT
    # Sign and magnitude of a complex number are roots and quotients.
    is_part_of_complex = traits.projection and _takes_complex(evaluated)
    if traits.exact and not is_part_of_complex:
        return EXACT
    result = _wide(evaluated.results[index])
    units = _units(result, element_type)
    if traits.rounded and element_type.kind is Kind.FLOAT:
        return Allowance(units, "1 ULP: rounded once")
    if traits.ulps or traits.rounded or is_part_of_complex:
        return _of_function(evaluated, index, result, units, element_type)
    if traits.contraction:
        return _of_sum(evaluated, index, result, units, element_type, _terms_of_product(evaluated))
    if traits.combines:
        bodies = {_body(region) for region in evaluated.operation.regions}
        if all(traits_of(body).extremum or traits_of(body).bitwise for body in bodies):
            return EXACT
        if "stablehlo.add" in bodies:
            return _of_sum(evaluated, index, result, units, element_type, _terms_of_reduction(evaluated))
    return _of_anything(evaluated, index, result, units, element_type)


def _takes_complex(evaluated: Evaluated) -> bool:
    return any(np.asarray(operand).dtype.kind == "c" for operand in evaluated.operands)


def _wide(value: Value) -> Array:
    array = np.asarray(value)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _units(result: Array, element_type: ElementType) -> Array:
    magnitudes = np.abs(result)
    return unit_in_last_place(np.where(np.isfinite(magnitudes), magnitudes, 1.0), element_type.part)


def _roundoff(element_type: ElementType) -> float:
    """Half a unit in the last place of 1.0."""
    return 2.0 ** -(float_format(element_type.part).mantissa_bits + 1)


def _of_function(
    evaluated: Evaluated, index: int, result: Array, units: Array, element_type: ElementType
) -> Allowance:
    ulps = traits_of(evaluated.operation.name).ulps
    count = float(ulps) if ulps else 8.0 if _takes_complex(evaluated) else 1.0
    moved = _moved(evaluated, index, result)
    return Allowance(count * units + 2 * moved, f"{count:g} ULP, plus the effect of 1 ULP of an operand")


def _moved(evaluated: Evaluated, index: int, result: Array) -> Array:
    """The effect on a result of changing each float operand by one unit in the last place."""
    moved = np.zeros(result.shape)
    for number, operand in enumerate(evaluated.operands):
        if isinstance(operand, tuple) or not is_inexact(element_type_of(np.asarray(operand).dtype)):
            continue
        largest = np.zeros(result.shape)
        for units in (1.0, -1.0):
            nudged = [*evaluated.operands]
            nudged[number] = off_by(operand, units)
            change = np.abs(evaluated.again(nudged, index) - result)
            largest = np.maximum(largest, np.where(np.isfinite(change), change, 0.0))
        moved = moved + largest
    return moved


# The number of operations that `recomputed` takes into account.
_MOST_RECOMPUTED = 24


def recomputed(
    allowed: Allowance, plan: Plan, step: Step, index: int, read_values: Mapping[int, Value]
) -> Allowance:
    """The allowed difference, plus the effect of 2 ULP of each operation that computes operands of a step.

    Compilers fuse operations with the operations that compute their operands, and round these intermediate
    values in other places. With cancellation, the effect is more than that of 1 ULP of an operand.

    Args:
      allowed: the allowed difference without recomputation.
      index: index of the step's result.
      read_values: values of the slots that steps have read.
    """
    chain = _chain(plan, step, read_values)

    def result(nudged: Step | None) -> Array:
        values = dict(read_values)
        for member in chain:
            with np.errstate(all="ignore"):
                outcome = member.kernel.function(*[values[slot] for slot in member.operands])
            results = (outcome,) if len(member.results) == 1 else outcome
            if member is nudged:
                results = [off_by(value, 1.0) for value in results]
            values.update(zip(member.results, results, strict=True))
        return _wide(values[step.results[index]])

    undisturbed = result(None)
    total = np.zeros(undisturbed.shape)
    for member in chain:
        change = np.abs(result(member) - undisturbed)
        total += np.where(np.isfinite(change), change, 0.0)
    error = allowed.error + 2 * total
    return replace(allowed, error=error, what=f"{allowed.what}, and of earlier operations")


def _chain(plan: Plan, step: Step, read_values: Mapping[int, Value]) -> list[Step]:
    """The step, preceded by the elementwise and moving steps that compute its operands, in order."""
    producers = {slot: producer for producer in plan.steps for slot in producer.results}
    chain: dict[int, Step] = {id(step): step}
    waiting = [step]
    while waiting and len(chain) < _MOST_RECOMPUTED:
        for slot in waiting.pop(0).operands:
            producer = producers.get(slot)
            if (
                producer is None
                or id(producer) in chain
                or any(slot not in read_values for slot in producer.operands)
            ):
                continue
            if producer.kernel.pointwise or (traits_of(producer.name).exact and not producer.kernel.regions):
                chain[id(producer)] = producer
                waiting.append(producer)
    return [member for member in plan.steps if id(member) in chain]


def off_by(operand: Value, units: Any) -> Value:
    """Floats with relative changes by a number of units; other values unchanged."""
    array = np.asarray(operand)
    element_type = element_type_of(array.dtype)
    if not is_inexact(element_type):
        return operand
    return (_wide(array) * (1 + units * 2 * _roundoff(element_type))).astype(array.dtype)


def _of_sum(
    evaluated: Evaluated, index: int, result: Array, units: Array, element_type: ElementType, terms: int
) -> Allowance:
    magnitudes = [_magnitude(operand) for operand in evaluated.operands]
    total = np.abs(evaluated.again(magnitudes, index))
    u = _roundoff(element_type)
    error = 8 * u * (math.sqrt(terms) * np.abs(result) + total) + units
    return Allowance(error, f"the error of a sum of {terms} terms")


def _magnitude(operand: Value) -> Value:
    array = np.asarray(operand)
    if not is_inexact(element_type_of(array.dtype)):
        return operand
    if array.dtype.kind == "c":
        return (np.abs(np.real(array)) + np.abs(np.imag(array))).astype(array.dtype)
    return np.abs(array)


def _terms_of_product(evaluated: Evaluated) -> int:
    operation, shapes = evaluated.operation, [np.shape(value) for value in evaluated.operands]
    attributes = Attributes(operation)
    match evaluated.name:
        case "dot":
            return max(1, shapes[0][-1])
        case "dot_general":
            numbers = attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
            return max(1, math.prod(shapes[0][axis] for axis in numbers.lhs_contracting_dimensions))
        case "convolution" | "dynamic_conv":
            numbers = attributes.read("dimension_numbers", ConvDimensionNumbers.read)
            features = shapes[1][numbers.kernel_output_feature_dimension]
            return max(1, math.prod(shapes[1]) // max(1, features))
        case _:
            return max(1, math.prod(shapes[0]))


def _terms_of_reduction(evaluated: Evaluated) -> int:
    size, result_size = np.size(evaluated.operands[0]), np.size(evaluated.results[0])
    match evaluated.name:
        case "reduce":
            return max(1, size // max(1, result_size))
        case "reduce_window":
            return max(1, math.prod(Attributes(evaluated.operation).ints("window_dimensions")))
        case _:
            return min(4096, max(1, *(np.size(value) for value in evaluated.operands)))


def _body(region: ir.Region) -> str:
    """The only operation of a region besides its return; "" if there are several."""
    operations = [view.operation.name for view in region.blocks[0].operations]
    return operations[0] if len(operations) == 2 else ""


def _of_anything(
    evaluated: Evaluated, index: int, result: Array, units: Array, element_type: ElementType
) -> Allowance:
    generator = np.random.default_rng(0)
    moved = np.zeros(result.shape)
    nudge = partial(_randomly_nudged, generator)
    for _ in range(2):
        change = np.abs(evaluated.again([nudge(operand) for operand in evaluated.operands], index) - result)
        moved = np.maximum(moved, np.where(np.isfinite(change), change, 0.0))
    finite = np.abs(result[np.isfinite(result)])
    largest = float(finite.max()) if finite.size else 0.0
    terms = max([1, *(np.size(value) for value in evaluated.operands if not isinstance(value, tuple))])
    floor = 64 * _roundoff(element_type) * min(math.sqrt(terms), 64.0) * largest
    spread = float(moved.max()) if moved.size else 0.0
    return Allowance(16 * spread + floor + units, "16 times the effect of 2 ULP of the operands")


def _randomly_nudged(generator: np.random.Generator, operand: Value) -> Value:
    if isinstance(operand, tuple) or not isinstance(operand, np.ndarray | np.generic):
        return operand  # pyright: ignore[reportUnknownVariableType] # of any type
    return off_by(operand, generator.choice((-1.0, 0.0, 1.0), np.shape(operand)))  # pyright: ignore[reportUnknownArgumentType] # of any type
