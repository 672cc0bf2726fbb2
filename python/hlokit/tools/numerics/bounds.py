"""`Bounds`: a proven bound of the difference between runs that add in different orders.

The observer computes a radius for every element: the largest distance from the value of the run in any
evaluation that does the same operations on the same arguments, but adds in another order of parts. The bound
is proven, not estimated. If an operation has no rule, or a comparison could have either result, the radii of
the results are infinite, and `Bounds.open` has the reason.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (values have any type)

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
from hlokit.tools.numerics.rules.bound_operations import ON_ROUNDING, Applied, Found, is_float, unit_of
from hlokit.tools.numerics.rules.bound_rules import Given
from hlokit.tools.numerics.rules.bound_sums import body_of, like
from hlokit.tools.numerics.rules.widening import widened
from hlokit.tools.numerics.wide import wide_planner
from hlokit.values.types import TensorType

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

    Attributes:
      open: the reason for infinite radii, for each operation that has one although the radii of its operands
        are finite.
    """

    def __init__(self, program: HasModule, parts: int, others: Others | None = None) -> None:
        self._others = others
        self._planner = wide_planner(program.module)
        self._parts = parts
        self._known: dict[int, tuple[Callable[[], Any], Array, Array]] = {}
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
        for value, *both, other in zip(results, radii, proven, others, strict=True):
            clean, bound = (_cleaned(radius, value) for radius in both)
            if other is not None and clean.any():
                clean = _nearer(value, other, clean)
            if bound.any():
                self._remember(value, clean, bound)
            else:
                self._known.pop(id(value), None)
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
        known = self._known.get(id(value))
        if known is not None and known[0]() is value:
            return known[1]
        return np.zeros(np.shape(value))

    def _proven(self, value: Value) -> Array:
        """The radius before the value of the other evaluation was known."""
        known = self._known.get(id(value))
        if known is not None and known[0]() is value:
            return known[2]
        return np.zeros(np.shape(value))

    def _remember(self, value: Value, radius: Array, proven: Array | None = None) -> None:
        key = id(value)
        try:
            alive: Callable[[], Any] = weakref.ref(value, lambda _: self._known.pop(key, None))
        except TypeError:  # scalars stay alive
            alive = partial(_itself, value)
        self._known[key] = (alive, radius, radius if proven is None else proven)

    # Operations -------------------------------------------------------------------------------------------

    def _radii(
        self,
        step: Step,
        operands: Sequence[Value],
        results: Sequence[Value],
        radius_of: Callable[[Value], Array],
    ) -> Sequence[Array]:
        given = [radius_of(operand) for operand in operands]
        is_exact = not any(radius.any() for radius in given)
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
            found = self._of_operation(step, operands, given, results)
        except (HlokitError, ArithmeticError, ValueError, TypeError) as error:
            found = f"no bound ({type(error).__name__})"
        if not isinstance(found, str):
            return found
        if is_exact or all(np.isfinite(radius).all() for radius in given):
            self._note(step, found)
        return [np.full(np.shape(value), np.inf) for value in results]

    def _of_operation(
        self, step: Step, operands: Sequence[Value], given: Sequence[Array], results: Sequence[Value]
    ) -> Found:
        """The radii of the results, or the reason why there are none."""
        name, type_ = step.name, step.result_types[0]
        is_exact = not any(radius.any() for radius in given)
        if name == "stablehlo.compare":
            return [_comparison(operands, given)]
        if name == "stablehlo.select":
            return [_selection(operands, given)]
        card = card_of(name)
        bound = NO_BOUND if card is None else card.bound
        rule = bound.rule if isinstance(bound, OfArrays) else None
        if (
            rule is None
            and is_exact
            and (
                traits_of(name).elementwise
                or traits_of(name).same_shape
                or traits_of(name).rounded
                or traits_of(name).ulps
                or traits_of(name).moves is not None
                or traits_of(name).exact
            )
        ):
            return [np.zeros(np.shape(value)) for value in results]
        if rule is not None:
            types = [each for each in step.result_types if isinstance(each, TensorType)]
            if len(types) != len(results):
                return "no bound is known for it"
            operation, wide = operation_of(step), self._kernel(step)
            return rule(Applied(name, operation, operands, given, results, types, self._parts, wide))
        if (traits_of(name).moves is not None) and name != "stablehlo.sort" and len(results) == 1:
            return self._moved(step, operands, given)
        if (
            name == "stablehlo.sort"
            and len(results) == 1
            and body_of(operation_of(step)) == "stablehlo.compare"
        ):
            axis = Attributes(operation_of(step)).int_("dimension", -1)
            return [np.broadcast_to(given[0].max(axis, keepdims=True, initial=0), given[0].shape)]
        is_complex = any(_is_complex(operand) for operand in operands)
        rules = bound if isinstance(bound, ByElement) else ByElement(NO_BOUND, NO_BOUND)
        rule_of_elements = rules.complex if is_complex else rules.real
        if isinstance(rule_of_elements, Without):
            is_known = is_complex and not isinstance(rules.real, Without)
            return f"no bound is known for it{' on complex numbers' * is_known}"
        if not isinstance(type_, TensorType) or not is_float(type_.element_type):
            return ON_ROUNDING
        unit, tiny = unit_of(type_.element_type)
        values = [widened(operand) for operand in operands]
        radii = [np.asarray(each) for each in given]
        of_run = np.asarray(widened(results[0]))
        made = rule_of_elements(Given(values, radii, of_run, unit, tiny, self._kernel(step)))
        # The same operands give the same bits.
        moved = np.zeros(np.shape(results[0]), bool)
        for radius in given:
            moved = moved | (radius != 0)
        return [np.where(moved, made, 0)]

    def _kernel(self, step: Step) -> Callable[..., Any]:
        found = self._kernels.get(id(step))
        if found is None:
            bound = self._planner.operation(operation_of(step))[0]
            found = partial(_itself, bound.value) if isinstance(bound, Constant) else bound.function
            self._kernels[id(step)] = found
            self._steps.append(step)  # otherwise another object may get its id
        return found

    def _moved(self, step: Step, operands: Sequence[Value], given: Sequence[Array]) -> Sequence[Array] | str:
        """The radii of results whose elements are elements of the operands."""
        data = range(len(operands))[traits_of(step.name).moves or slice(0)]
        if any(given[index].any() for index in range(len(operands)) if index not in data):
            return "an index depends on rounding"
        if any(np.asarray(widened(operands[index])).dtype.kind not in "fc" for index in data):
            return ON_ROUNDING
        kernel = self._kernel(step)
        moved = kernel(*[like(given[i], each) if i in data else each for i, each in enumerate(operands)])
        return [np.abs(np.asarray(moved))]


def _cleaned(radius: Array, value: Value) -> Array:
    clean = np.where(np.isnan(radius), np.inf, np.asarray(radius, np.float64) * _SLACK)
    return np.broadcast_to(clean, np.shape(value))


def _nearer(value: Value, other: Array, radius: Array) -> Array:
    """0 where both values have the same bits; their distance where it is no larger than a finite radius."""
    one, two = (np.asarray(each) for each in (value, other))
    shape, bits = one.shape, [np.ravel(each).view(np.uint8) for each in (one, two)]
    is_same = (bits[0] == bits[1]).reshape(*shape, one.itemsize).all(-1)
    if one.dtype.kind in "biu":
        return np.where(is_same, 0, radius)
    with np.errstate(all="ignore"):
        distance = np.abs(np.asarray(widened(one)) - np.asarray(widened(two))).astype(np.float64)
    is_nearer = np.isfinite(radius) & (distance <= radius) & (distance > 0)
    return np.where(is_same, 0, np.where(is_nearer, distance, radius))


def _itself(value: Any, *operands: Any) -> Any:
    del operands
    return value


def _is_complex(value: Value) -> bool:
    return np.asarray(value).dtype.kind == "c"


def _comparison(operands: Sequence[Value], given: Sequence[Array]) -> Array:
    """Infinite where the operands are so close that the comparison could have the other result."""
    left, right = (np.asarray(widened(operand)) for operand in operands)
    sum_ = given[0] + given[1]
    if left.dtype.kind in "biu":
        return np.where(sum_ > 0, np.inf, 0)
    return np.where((sum_ > 0) & ~(np.abs(left - right) > sum_), np.inf, 0)


def _selection(operands: Sequence[Value], given: Sequence[Array]) -> Array:
    """The radius of the selected value; if either value could be selected, the radius that contains both."""
    chooses, on_true, on_false = (np.asarray(widened(operand)) for operand in operands)
    chosen = np.where(chooses, given[1], given[2])
    if not given[0].any():
        return chosen
    other = np.where(chooses, given[2], given[1])
    if on_true.dtype.kind in "biu":
        return np.where(given[0] > 0, np.where(on_true == on_false, 0, np.inf), chosen)
    return np.where(given[0] > 0, np.maximum(chosen, np.abs(on_true - on_false) + other), chosen)
