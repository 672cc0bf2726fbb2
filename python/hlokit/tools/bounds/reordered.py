"""`Bounds`: a proven bound of the difference between runs of hlokit that add in different orders.

The observer computes a radius for every element: the largest distance from the value of the run in any
evaluation that does the same operations on the same arguments, but adds in another order of parts. The bound
is proven, not estimated. If an operation has no rule, or a comparison could have either result, the radii of
the results are infinite, and `Bounds.open` has the reason.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Constant, Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import NO_BOUND, ByElement, OfArrays, Without
from hlokit.operations.lookup import traits_of
from hlokit.tools.bounds.rules.bound_operations import ON_ROUNDING, Radii, Reordered, unit_of
from hlokit.tools.bounds.rules.bound_rules import ElementwiseOperation
from hlokit.tools.bounds.rules.bound_sums import like
from hlokit.tools.bounds.rules.terms import body_of
from hlokit.tools.equal.rules.meanings import Exactly
from hlokit.tools.numerics.rules.widening import widened
from hlokit.tools.numerics.wide import wide_planner
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]

# Values of another evaluation: see `Bounds`.
Others = Callable[[Step, Sequence[Value]], Sequence[Array | None]]

# More than the rounding errors of the radii themselves.
_SLACK = 1 + 1e-9


class HasModule(Protocol):
    @property
    def module(self) -> ir.Module: ...


class Bounds:
    """An observer of a run: `radius(value)` bounds the difference from the value in other evaluations.

        bounds = Bounds(program, parts=8)
        y = program(x, observer=bounds)
        bounds.radius(y)

    Args:
      parts: the most parts into which another evaluation divides a sum. The other evaluation adds each part
        in hlokit's order, and the parts in any order.
      others: returns the other evaluation's results of a step, given the step and its results; None for
        unknown results. Where the distance of the two values is within the radius, it replaces the radius.
      is_of_exact: whether the other evaluation is one in exact arithmetic.

    Attributes:
      open: the reason for infinite radii, for each operation that has one although the radii of its operands
        are finite.
    """

    def __init__(
        self, program: HasModule, parts: int, others: Others | None = None, *, is_of_exact: bool = False
    ) -> None:
        self._others, self._is_of_exact = others, is_of_exact
        self._planner = wide_planner(program.module)
        self._parts = parts
        self._entries: dict[int, tuple[Callable[[], Any], Array, Array]] = {}
        self._kernels: dict[int, Callable[..., Any]] = {}
        self._steps: list[Step] = []
        self._stack: list[tuple[str, bool]] = []
        self._is_void = False
        self._thread = 0
        self.open: dict[str, None] = {}

    def radius(self, value: Value) -> Array:
        """The largest difference of each element of a result, in f64; 0 means the same bits."""
        return np.full(np.shape(value), np.inf) if self._is_void else self._proven(value)

    # The observer -------------------------------------------------------------------------------------

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        """A step begins."""
        del plan
        if not self._is_own_thread():
            return
        is_inside = bool(self._stack) and self._stack[-1][1]
        is_whole = not traits_of(step.name).control or traits_of(step.name).makes_grid
        self._stack.append((step.name, is_inside or is_whole))
        if step.name in ("stablehlo.if", "stablehlo.case") and self._radius(operands[0]).any():
            self._void(step, "the branch depends on rounding")

    def failed(self, plan: Plan, step: Step) -> None:
        """A step has raised an exception."""
        del plan, step
        if self._is_own_thread():
            self._stack.pop()

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """A step has ended."""
        del plan
        if not self._is_own_thread():
            return
        _, is_whole = self._stack.pop()
        if not is_whole or (self._stack and self._stack[-1][1]):
            return
        if any(isinstance(value, tuple) for value in (*operands, *results)):
            self._void(step, "no bound is known for tuples")
            return
        with np.errstate(all="ignore"):
            radii = self._radii(step, operands, results, self._radius)
            proven = radii
            if self._others is not None and (traits_of(step.name).moves is not None):
                proven = self._radii(step, operands, results, self._proven)
        others = self._others(step, results) if self._others is not None else [None] * len(results)
        for value, *both, counterpart in zip(results, radii, proven, others, strict=True):
            clean, bound = (_cleaned(radius, value) for radius in both)
            if counterpart is not None and clean.any():
                clean = _nearer(value, counterpart, clean)
            if bound.any():
                self._remember(value, clean, bound)
            else:
                self._entries.pop(id(value), None)
            is_flag = np.shape(value) == () and np.asarray(value).dtype == np.bool_
            if is_flag and clean.any() and any(name == "stablehlo.while" for name, _ in self._stack):
                self._void(step, "the number of iterations depends on rounding")

    def _is_own_thread(self) -> bool:
        """Whether this thread runs the program itself, rather than a process of a grid within the program."""
        self._thread = self._thread or threading.get_ident()
        return self._thread == threading.get_ident()

    def _void(self, step: Step, why: str) -> None:
        self._is_void = True
        self._note(step, why)

    def _note(self, step: Step, why: str) -> None:
        where = source_text(step.location())
        self.open[f"{step.name}{f' ({where})' if where else ''}: {why}"] = None

    # Radii of values --------------------------------------------------------------------------------------

    def _radius(self, value: Value) -> Array:
        entry = self._entries.get(id(value))
        if entry is not None and entry[0]() is value:
            return entry[1]
        return np.zeros(np.shape(value))

    def _proven(self, value: Value) -> Array:
        """The radius before the value of the other evaluation was known."""
        entry = self._entries.get(id(value))
        if entry is not None and entry[0]() is value:
            return entry[2]
        return np.zeros(np.shape(value))

    def _remember(self, value: Value, radius: Array, proven: Array | None = None) -> None:
        key = id(value)
        try:
            alive: Callable[[], Any] = weakref.ref(value, lambda _: self._entries.pop(key, None))
        except TypeError:  # scalars stay alive
            alive = partial(_itself, value)
        self._entries[key] = (alive, radius, radius if proven is None else proven)

    # Operations -------------------------------------------------------------------------------------------

    def _radii(
        self,
        step: Step,
        operands: Sequence[Value],
        results: Sequence[Value],
        radius_of: Callable[[Value], Array],
    ) -> Sequence[Array]:
        operand_radii = [radius_of(operand) for operand in operands]
        is_exact = not any(radius.any() for radius in operand_radii)
        name = step.name
        if (
            traits_of(name).constant
            or not results
            or not (operands or (traits_of(name).random or traits_of(name).receives))
        ):
            return [np.zeros(np.shape(value)) for value in results]
        if all(any(value is operand for operand in operands) for value in results):
            return [radius_of(value) for value in results]  # passed on unchanged
        try:
            outcome = self._operation_radii(step, operands, operand_radii, results)
        except (HlokitError, ArithmeticError, ValueError, TypeError) as error:
            outcome = f"no bound ({type(error).__name__})"
        if not isinstance(outcome, str):
            return outcome
        if is_exact or all(np.isfinite(radius).all() for radius in operand_radii):
            self._note(step, outcome)
        return [np.full(np.shape(value), np.inf) for value in results]

    def _operation_radii(
        self, step: Step, operands: Sequence[Value], operand_radii: Sequence[Array], results: Sequence[Value]
    ) -> Radii:
        """The radii of the results, or the reason why there are none."""
        name, type_ = step.name, step.result_types[0]
        is_exact = not any(radius.any() for radius in operand_radii)
        if name == "stablehlo.compare":
            return [_comparison(operands, operand_radii)]
        if name == "stablehlo.select":
            return [_selection(operands, operand_radii)]
        card = card_of(name)
        bound = NO_BOUND if card is None else card.bound
        rule = bound.rule if isinstance(bound, OfArrays) else None
        if rule is None and is_exact and self._keeps_bits(step):
            return [np.zeros(np.shape(value)) for value in results]
        if rule is not None:
            types = [result_type for result_type in step.result_types if isinstance(result_type, TensorType)]
            if len(types) != len(results):
                return "no bound is known for it"
            operation, kernel = operation_of(step), self._kernel(step)
            return rule(Reordered(operation, kernel, operands, results, operand_radii, types, self._parts))
        if (traits_of(name).moves is not None) and name != "stablehlo.sort" and len(results) == 1:
            return self._moved(step, operands, operand_radii)
        if (
            name == "stablehlo.sort"
            and len(results) == 1
            and body_of(operation_of(step).regions[0]) == "stablehlo.compare"
        ):
            axis = Attributes(operation_of(step)).int_("dimension", -1)
            return [
                np.broadcast_to(operand_radii[0].max(axis, keepdims=True, initial=0), operand_radii[0].shape)
            ]
        is_complex = any(_is_complex(operand) for operand in operands)
        rules = bound if isinstance(bound, ByElement) else ByElement(NO_BOUND, NO_BOUND)
        rule_of_elements = rules.complex if is_complex else rules.real
        if isinstance(rule_of_elements, Without):
            is_known = is_complex and not isinstance(rules.real, Without)
            return f"no bound is known for it{' on complex numbers' * is_known}"
        if not isinstance(type_, TensorType) or not type_.element_type.kind.is_inexact:
            return ON_ROUNDING
        unit, tiny = unit_of(type_.element_type)
        values = [widened(operand) for operand in operands]
        radii = [np.asarray(radius) for radius in operand_radii]
        run_result = np.asarray(widened(results[0]))
        op = ElementwiseOperation(values, radii, run_result, unit, tiny, self._kernel(step))
        # The same operands give the same bits, unless the other evaluation does not round.
        moved = np.full(np.shape(results[0]), self._is_of_exact)
        for radius in operand_radii:
            moved = moved | (radius != 0)
        return [np.where(moved, rule_of_elements(op), 0)]

    def _keeps_bits(self, step: Step) -> bool:
        """Whether the other evaluation has the same result of the same operands."""
        traits, card = traits_of(step.name), card_of(step.name)
        if self._is_of_exact and any(map(_is_inexact, step.result_types)):
            meaning = None if card is None else card.exact
            rounds = isinstance(meaning, Exactly) and meaning.rounds
            return traits.moves is not None or (traits.exact and not rounds)
        if traits.moves is not None or traits.exact:
            return True
        return traits.elementwise or traits.same_shape or traits.rounded or bool(traits.ulps)

    def _kernel(self, step: Step) -> Callable[..., Any]:
        kernel = self._kernels.get(id(step))
        if kernel is None:
            bound = self._planner.operation(operation_of(step))[0]
            kernel = partial(_itself, bound.value) if isinstance(bound, Constant) else bound.function
            self._kernels[id(step)] = kernel
            self._steps.append(step)  # otherwise another object may get its id
        return kernel

    def _moved(self, step: Step, operands: Sequence[Value], radii: Sequence[Array]) -> Sequence[Array] | str:
        """The radii of results whose elements are elements of the operands."""
        data = range(len(operands))[traits_of(step.name).moves or slice(0)]
        if any(radii[index].any() for index in range(len(operands)) if index not in data):
            return "an index depends on rounding"
        if any(np.asarray(widened(operands[index])).dtype.kind not in "fc" for index in data):
            return ON_ROUNDING
        kernel = self._kernel(step)
        moved = kernel(
            *[like(radii[i], operand) if i in data else operand for i, operand in enumerate(operands)]
        )
        return [np.abs(np.asarray(moved))]


def _is_inexact(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.element_type.kind.is_inexact


def _cleaned(radius: Array, value: Value) -> Array:
    clean = np.where(np.isnan(radius), np.inf, np.asarray(radius, np.float64) * _SLACK)
    return np.broadcast_to(clean, np.shape(value))


def _nearer(value: Value, counterpart: Array, radius: Array) -> Array:
    """0 where both values have the same bits; their distance where it is no larger than a finite radius."""
    first, second = (np.asarray(array) for array in (value, counterpart))
    shape, bits = first.shape, [np.ravel(array).view(np.uint8) for array in (first, second)]
    is_same = (bits[0] == bits[1]).reshape(*shape, first.itemsize).all(-1)
    if first.dtype.kind in "biu":
        return np.where(is_same, 0, radius)
    with np.errstate(all="ignore"):
        distance = np.abs(np.asarray(widened(first)) - np.asarray(widened(second))).astype(np.float64)
    is_nearer = np.isfinite(radius) & (distance <= radius) & (distance > 0)
    return np.where(is_same, 0, np.where(is_nearer, distance, radius))


def _itself(value: Any, *operands: Any) -> Any:
    del operands
    return value


def _is_complex(value: Value) -> bool:
    return np.asarray(value).dtype.kind == "c"


def _comparison(operands: Sequence[Value], radii: Sequence[Array]) -> Array:
    """Infinite where the operands are so close that the comparison could have the other result."""
    left, right = (np.asarray(widened(operand)) for operand in operands)
    sum_ = radii[0] + radii[1]
    if operands[0] is operands[1]:  # `x != x`: whether it is NaN
        return np.where(np.isinf(sum_), np.inf, 0)
    if left.dtype.kind in "biu":
        return np.where(sum_ > 0, np.inf, 0)
    return np.where((sum_ > 0) & ~(np.abs(left - right) > sum_), np.inf, 0)


def _selection(operands: Sequence[Value], radii: Sequence[Array]) -> Array:
    """The radius of the selected value; if either value could be selected, the radius that contains both."""
    chooses, on_true, on_false = (np.asarray(widened(operand)) for operand in operands)
    chosen = np.where(chooses, radii[1], radii[2])
    if not radii[0].any():
        return chosen
    unchosen = np.where(chooses, radii[2], radii[1])
    if on_true.dtype.kind in "biu":
        return np.where(radii[0] > 0, np.where(on_true == on_false, 0, np.inf), chosen)
    return np.where(radii[0] > 0, np.maximum(chosen, np.abs(on_true - on_false) + unchosen), chosen)
