"""`ExactNumbers`: programs on exact numbers instead of floats, by the meanings that the cards name."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation
from hlokit.engine.interpreter.settings import Variant
from hlokit.engine.plan.executors import place
from hlokit.engine.plan.plan import Step
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of
from hlokit.tools.equal.rules import field, laws
from hlokit.tools.equal.rules.arrays import salt_of_operation
from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.formulas import LAWS, SYMMETRY, function_of
from hlokit.tools.equal.rules.meanings import (
    Applied,
    Assumptions,
    Binding,
    Choose,
    Chosen,
    Context,
    Exactly,
    Followed,
    Moved,
    Note,
    Polynomial,
    Uninterpreted,
)
from hlokit.tools.equal.rules.native import with_native
from hlokit.tools.equal.rules.numbers import (
    COMPLEX,
    LAWFUL,
    REAL,
    Number,
    dtype_of,
    embedded,
    exact_number,
    exact_type,
    finite,
    float_type,
    floats_of,
    is_exact,
    is_exact_array,
    is_same,
    number_of,
    packed,
    stated_type,
    where,
)
from hlokit.tools.numerics.wide import WithoutAlgorithm
from hlokit.values.types import TupleType, ValueType


class Notes:
    """Why operations of a run follow their floats, and how often."""

    def __init__(self) -> None:
        # By the identity of steps, which `_steps` keeps alive: to find a location takes long.
        self._counts: Counter[tuple[int, Note]] = Counter()
        self._steps: dict[int, Step | None] = {}
        self._lock = threading.Lock()

    def note(self, reason: Note) -> None:
        """Of the operation that this thread evaluates."""
        active = place()
        step = None if active is None else active.step
        with self._lock:
            self._steps[id(step)] = step
            self._counts[id(step), reason] += 1

    def take(self) -> Counter[tuple[str, str, Note]]:
        """The notes so far, by the name and the location of operations; the next ones count anew."""
        counts = Counter[tuple[str, str, Note]]()
        for (number, reason), count in self._counts.items():
            step = self._steps[number]
            counts["" if step is None else step.name, "" if step is None else step.location(), reason] += (
                count
            )
        self._counts.clear()
        return counts


class ExactNumbers(Variant):
    """A program whose floats are exact numbers (`rules.numbers`)."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._is_lawful = not context.assumptions.identities.isdisjoint(LAWS)

    def value_type(self, type_: ValueType) -> ValueType:
        return exact_type(type_, is_lawful=self._is_lawful)

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        if not any(map(_holds_exact, operation.operand_types + operation.result_types)):
            return bind(operation)
        if traits_of(operation.name).contraction and "algorithm" in operation.attributes:
            operation = operation._replace(attributes=WithoutAlgorithm.from_attributes(operation.attributes))
        card = card_of(operation.name)
        assert card is not None, "an operation with a bind function has a card"
        binding = Binding(operation, partial(_rebound, bind, operation), self._context)
        match card.exact:
            case Moved():
                return bind(operation)
            case Exactly(own):
                return own(binding)
            case Followed(reason, meaning):
                kernel = None if meaning is None else meaning(binding)
                return _followed(binding, reason) if kernel is None else kernel
            case Polynomial() | Chosen() | Uninterpreted() as meaning:
                return _elementwise(binding, meaning)


def _holds_exact(type_: ValueType) -> bool:
    """Whether a type is one of exact numbers, or a tuple with one."""
    return float_type(type_) != type_


def _rebound(bind: BindFunction, operation: Operation, change: Callable[[ValueType], ValueType]) -> Kernel:
    """The kernel of an operation with other types."""
    operand_types = tuple(map(change, operation.operand_types))
    result_types = tuple(map(change, operation.result_types))
    bound = bind(operation._replace(operand_types=operand_types, result_types=result_types))
    return Kernel(partial(_constant, bound.value)) if isinstance(bound, Constant) else bound


def _constant(value: Any, *operands: Any) -> Any:
    del operands
    return value


# Operations element by element -----------------------------------------------------------------------


def _elementwise(binding: Binding, meaning: Polynomial | Chosen | Uninterpreted) -> Kernel:
    floats, context = binding.floats().function, binding.context
    dtype, assumptions = dtype_of(binding.operation.result_types[0]), context.assumptions
    match meaning:
        case Chosen(choose, native, is_function):
            if is_function or COMPLEX in map(dtype_of, binding.operation.operand_types):
                context.functions.add(binding.operation.name)
            kernel = partial(_choose, choose, floats, context, dtype)
            if native is not None:
                kernel = with_native(binding, native, kernel, field.salt_of("power") if is_function else 0)
        case Polynomial(formula, is_quotient, native):
            if is_quotient and assumptions.has_opaque_quotients:
                formula = partial(_opaque, formula)
            kernel = partial(_apply, formula, floats, dtype)
            if is_quotient:
                kernel = partial(_consume, context, kernel)
            if native is not None:
                kernel = with_native(binding, native, kernel)
        case Uninterpreted():
            context.functions.add(binding.operation.name)
            name = binding.operation.name.partition(".")[2].removeprefix("broadcast_")
            function = function_of(name, meaning, assumptions.identities)
            if assumptions.has_opaque_quotients and not any(row.is_law for row in meaning.identities):
                function = partial(_opaque, function)
            kernel = partial(_apply, partial(_with_values, function, floats), floats, dtype)
            if meaning.inverse is not None and dtype != COMPLEX:
                kernel = partial(_root, meaning.inverse, kernel)
            kernel = partial(_consume, context, kernel)
            if assumptions.identities.isdisjoint((SYMMETRY, *[row.name for row in meaning.identities])):
                kernel = with_native(binding, meaning.native, kernel, field.salt_of(name))
    return Kernel(kernel, pointwise=True)


def _choose(
    choose: Choose, floats: Callable[..., Any], context: Context, dtype: np.dtype[Any], *operands: Any
) -> Array:
    values = [floats_of(operand) for operand in operands]
    numbers = list(map(number_of, operands))
    context.consume(numbers)
    result, number = choose(Applied(numbers, values, floats, context.note))
    return packed(result, finite(result, number, dtype), dtype)


def _apply(
    formula: Callable[..., Number], floats: Callable[..., Any], dtype: np.dtype[Any], *operands: Any
) -> Array:
    values = [floats_of(operand) for operand in operands]
    result = np.asarray(floats(*values))
    number = formula(*map(number_of, operands))
    is_finite: Any = np.ones((), np.bool_)
    for value in values:
        is_finite = is_finite & np.isfinite(value)
    if not is_finite.all():  # exp(-infinity) = 0, 1 / infinity = 0
        number = where(is_finite, number, exact_number(result, is_lawful=dtype == LAWFUL))
    return packed(result, finite(result, number, dtype), dtype)


def _consume(context: Context, kernel: Callable[..., Any], *operands: Any) -> Any:
    """The result, which is no polynomial of the operands."""
    context.consume(list(map(number_of, operands)))
    return kernel(*operands)


def _opaque(formula: Callable[..., Number], *operands: Number) -> Number:
    """The number of a formula, of which the exponential knows no law."""
    number = formula(*operands)
    if number.law is None:
        return number
    return Number(number.real, None, laws.opaque(number.real), number.degree)


def _with_values(function: Callable[..., Number], floats: Callable[..., Any], *numbers: Number) -> Number:
    """A function of numbers; at 0 and 1 its value, if that is a multiple of 1/2: log(1) = 0, cos(0) = 1."""
    number = function(*numbers)
    is_exact_there = np.logical_and.reduce(np.broadcast_arrays(*map(_is_zero_or_one, numbers)))
    if not is_exact_there.any():
        return number
    values = np.asarray(floats(*[(operand.real == 1).astype(np.float64) for operand in numbers]))
    is_exact_there = is_exact_there & np.isfinite(values) & (2 * values == np.rint(2 * values))
    return where(is_exact_there, exact_number(values, is_lawful=number.law is not None), number)


def _root(inverse: Callable[[Number], Number], kernel: Callable[[Any], Array], operand: Any) -> Array:
    """A root; where the power of its float is the operand, the root is this float."""
    result = kernel(operand)
    root = exact_number(result["value"], is_lawful=result.dtype == LAWFUL)
    is_known = np.isfinite(result["value"]) & is_same(inverse(root), number_of(operand))
    if not is_known.any():
        return result
    return packed(result["value"], where(is_known, root, number_of(result)), result.dtype)


def _is_zero_or_one(number: Number) -> Array:
    """Where a real number is 0 or 1, without a shift that laws need."""
    if number.imaginary is not None:
        return np.zeros(number.real.shape, np.bool_)
    is_unit = number.real <= 1
    return is_unit if number.law is None else is_unit & (number.law.shift == 0)


# Operations that follow their floats -----------------------------------------------------------------


def _followed(binding: Binding, reason: str) -> Kernel | Constant:
    """Floats of the program's types; beside them embedded constants, or an uninterpreted function of all
    operands."""
    operation, context = binding.operation, binding.context
    stated, types = binding.bind(stated_type).function, operation.result_types
    is_undecided = any(map(_holds_exact, operation.operand_types))
    salt = salt_of_operation(operation) if is_undecided else 0

    def kernel(*operands: Any) -> Any:
        rounded = list(map(_rounded, operands, operation.operand_types))
        results = stated(*rounded)
        results = (results,) if len(types) == 1 else results
        exact: list[Any] = []
        digest = 0
        if is_undecided:
            digest = _digest(salt, operands)
            context.consume(list(map(number_of, filter(is_exact_array, operands))))
        for number, (result, type_) in enumerate(zip(results, types, strict=True)):
            same = [index for index, operand in enumerate(rounded) if operand is result]
            if same:
                exact.append(operands[same[0]])
            elif not is_undecided:
                exact.append(_embedded(result, type_))
            else:
                context.note(Note(reason, decides=not _holds_exact(type_)))
                state = digest if number == 0 else _kernels.digest(digest, number.to_bytes(8, "little"))
                exact.append(_depending(result, type_, state))
        return exact[0] if len(types) == 1 else tuple(exact)

    if not operation.operand_types and not operation.regions:
        return Constant(_replaced(kernel(), operation, binding.context.assumptions))
    return Kernel(kernel)


def _replaced(value: Any, operation: Operation, assumptions: Assumptions) -> Any:
    constants = assumptions.constants
    if constants is None or not traits_of(operation.name).constant or not is_exact_array(value):
        return value
    return constants.replaced(value, dtype_of(stated_type(operation.result_types[0])))


def _digest(salt: int, operands: Sequence[Any]) -> int:
    """A number of the field that depends on all elements of the operands."""
    state = salt % field.PRIME
    for operand in operands:
        if isinstance(operand, tuple):
            items: Any = operand  # pyright: ignore[reportUnknownVariableType] # of values
            state = _digest(state, items)
        elif is_exact_array(operand):
            for part in number_of(operand).parts:
                state = _kernels.digest(state, part.tobytes())
        elif isinstance(operand, np.ndarray | np.generic):
            state = _kernels.digest(state, operand.tobytes())
    return state


def _depending(result: Any, type_: ValueType, state: int) -> Any:
    """A result as a function of operands with a digest."""
    if isinstance(type_, TupleType):
        items = enumerate(zip(result, type_.types, strict=True), 1)
        return tuple([_depending(item, own, (state + 1000 * n) % field.PRIME) for n, (item, own) in items])
    if not is_exact(type_):
        return result
    floats = _widened(result)
    if dtype_of(type_) == REAL:
        return _kernels.exact_places(floats, state, REAL)
    places = np.arange(floats.size, dtype=np.uint64).reshape(floats.shape)
    number = np.asarray(field.hashed(state, places))
    imaginary = field.hashed(state + 1, places) if floats.dtype.kind == "c" else None
    return packed(floats, Number(number, imaginary), dtype_of(type_))


def _rounded(operand: Any, type_: ValueType) -> Any:
    """The floats of an exact array in the program's own type."""
    if isinstance(type_, TupleType):
        return tuple(map(_rounded, operand, type_.types))
    return floats_of(operand).astype(dtype_of(stated_type(type_))) if is_exact(type_) else operand


def _embedded(result: Any, type_: ValueType) -> Any:
    if isinstance(type_, TupleType):
        return tuple(map(_embedded, result, type_.types))
    return embedded(_widened(result), dtype_of(type_)) if is_exact(type_) else result


def _widened(result: Any) -> Array:
    values = np.asarray(result)
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
