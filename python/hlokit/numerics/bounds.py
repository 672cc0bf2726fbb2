"""`Bounds`: how far another evaluation of a program may be from one run, because sums have another order.

An observer carries a ball along with every value: the distance within which the value lies in every
evaluation that does the same operations on the same arguments, but adds in any order of parts. The bound is
proven, not estimated. Where there is no rule for an operation, or a comparison could go either way, the balls
of the results are infinite, and `Bounds.open` says why.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (values have any type)

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any, Protocol

import ml_dtypes
import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.contract.registry import Constant, Value
from hlokit.contract.traits import has, traits_of
from hlokit.errors import HlokitError
from hlokit.interpreter.planner import operation_of
from hlokit.mlir.attributes import Attributes
from hlokit.mlir.bindings import ir
from hlokit.mlir.dimension_numbers import DotDimensionNumbers
from hlokit.numerics.bound_rules import OF_COMPLEX, RULES, Given
from hlokit.numerics.wide import WidePlanner, widened
from hlokit.plan.locations import source_text
from hlokit.plan.plan import Plan, Step
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

# More than the rounding errors of the radii themselves.
_SLACK = 1 + 1e-9


class HasModule(Protocol):
    @property
    def module(self) -> ir.Module: ...


class Bounds:
    """An observer of a run: `radius(value)` bounds the distance of the value in other evaluations.

        bounds = Bounds(program, parts=8)
        y = program(x, observer=bounds)
        bounds.radius(y)

    Args:
      parts: the most parts into which another evaluation divides a sum. It adds each part as hlokit does, and
        the parts in any order.

    Attributes:
      open: why radii are infinite, for each operation that made one of finite operands.
    """

    def __init__(self, program: HasModule, parts: int) -> None:
        self._planner = WidePlanner(program.module)
        self._parts = parts
        self._known: dict[int, tuple[Callable[[], Any], Array]] = {}
        self._kernels: dict[int, Callable[..., Any]] = {}
        self._steps: list[Step] = []
        self._stack: list[tuple[str, bool]] = []
        self._is_void = False
        self._thread = 0
        self.open: dict[str, None] = {}

    def radius(self, value: Value) -> Array:
        """For each element of a result the largest distance, in f64; 0 means: the same bits."""
        return np.full(np.shape(value), np.inf) if self._is_void else self._radius(value)

    # The observer -------------------------------------------------------------------------------------

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        """A step begins."""
        del plan
        if not self._is_own_thread():
            return
        is_inside = bool(self._stack) and self._stack[-1][1]
        is_whole = not has(step.name, "control") or has(step.name, "makes_grid")
        self._stack.append((step.name, is_inside or is_whole))
        if step.name in ("stablehlo.if", "stablehlo.case") and self._radius(operands[0]).any():
            self._void(step, "the branch depends on rounding")

    def failed(self, plan: Plan, step: Step) -> None:
        """A step raised."""
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
            radii = self._radii(step, operands, results)
        for value, radius in zip(results, radii, strict=True):
            clean = np.where(np.isnan(radius), np.inf, np.asarray(radius, np.float64) * _SLACK)
            clean = np.broadcast_to(clean, np.shape(value))
            if clean.any():
                self._remember(value, clean)
            else:
                self._known.pop(id(value), None)
            is_flag = np.shape(value) == () and np.asarray(value).dtype == np.bool_
            if is_flag and clean.any() and any(name == "stablehlo.while" for name, _ in self._stack):
                self._void(step, "the number of iterations depends on rounding")

    def _is_own_thread(self) -> bool:
        """Whether this thread runs the program, and not a process of a grid within the program."""
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

    def _remember(self, value: Value, radius: Array) -> None:
        key = id(value)
        try:
            alive: Callable[[], Any] = weakref.ref(value, lambda _: self._known.pop(key, None))
        except TypeError:  # scalars stay alive
            alive = partial(_itself, value)
        self._known[key] = (alive, radius)

    # Operations -------------------------------------------------------------------------------------------

    def _radii(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> Sequence[Array]:
        given = [self._radius(operand) for operand in operands]
        is_exact = not any(radius.any() for radius in given)
        name = step.name
        if has(name, "constant") or not results or not (operands or has(name, "random", "receives")):
            return [np.zeros(np.shape(value)) for value in results]
        if all(any(value is operand for operand in operands) for value in results):
            return [self._radius(value) for value in results]  # passed on
        try:
            found = self._of_operation(step, operands, given, results, is_exact=is_exact)
        except (HlokitError, ArithmeticError, ValueError, TypeError) as error:
            found = f"no bound ({type(error).__name__})"
        if not isinstance(found, str):
            return found
        if is_exact or all(np.isfinite(radius).all() for radius in given):
            self._note(step, found)
        return [np.full(np.shape(value), np.inf) for value in results]

    def _of_operation(
        self,
        step: Step,
        operands: Sequence[Value],
        given: Sequence[Array],
        results: Sequence[Value],
        *,
        is_exact: bool,
    ) -> Sequence[Array] | str:
        """The radii of the results, or the reason why there are none."""
        name, type_ = step.name, step.result_types[0]
        if has(name, "contraction"):
            return self._contraction(step, operands, given, results[0])
        if has(name, "combines"):
            return self._combination(step, operands, given, results, is_exact=is_exact)
        if name == "stablehlo.compare":
            return [_comparison(operands, given)]
        if name == "stablehlo.select":
            return [_selection(operands, given)]
        if is_exact and (has(name, "elementwise", "same_shape", "rounded", "ulps", "moves", "exact")):
            return [np.zeros(np.shape(value)) for value in results]
        if has(name, "moves") and name != "stablehlo.sort" and len(results) == 1:
            return self._moved(step, operands, given)
        if name == "stablehlo.sort" and len(results) == 1 and self._is_plain_sort(step):
            axis = Attributes(operation_of(step)).int_("dimension", -1)
            return [np.broadcast_to(given[0].max(axis, keepdims=True, initial=0), given[0].shape)]
        rule = RULES.get(name)
        if rule is None or not isinstance(type_, TensorType) or type_.element_type.kind not in _FLOATS:
            return "no bound is known for it" if rule is None else "an integer depends on rounding"
        if any(_is_complex(operand) for operand in operands) and rule not in OF_COMPLEX:
            return "no bound is known for it on complex numbers"
        unit, tiny = _unit(type_.element_type)
        wide = [widened(operand) for operand in operands]
        made = rule(
            Given(
                wide,
                [np.asarray(each) for each in given],
                np.asarray(widened(results[0])),
                unit,
                tiny,
                self._kernel(step),
            )
        )
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
        """Elements take their radii along."""
        data = _positions(traits_of(step.name)["moves"], len(operands))
        if any(given[index].any() for index in range(len(operands)) if index not in data):
            return "an index depends on rounding"
        if any(np.asarray(widened(operands[index])).dtype.kind not in "fc" for index in data):
            return "an integer depends on rounding"
        kernel = self._kernel(step)
        moved = kernel(*[_like(given[i], each) if i in data else each for i, each in enumerate(operands)])
        return [np.abs(np.asarray(moved))]

    def _is_plain_sort(self, step: Step) -> bool:
        return _body(operation_of(step)) == "stablehlo.compare"

    def _contraction(
        self, step: Step, operands: Sequence[Value], given: Sequence[Array], result: Value
    ) -> Sequence[Array] | str:
        """Sums of products."""
        type_ = step.result_types[0]
        if not isinstance(type_, TensorType) or type_.element_type.kind not in _FLOATS:
            return (
                [np.zeros(np.shape(result))]
                if not any(r.any() for r in given)
                else "an integer depends on rounding"
            )
        if "algorithm" in Attributes(operation_of(step)):
            return "its algorithm has a precision of its own"
        terms = _terms(step, operands)
        if not terms:
            return "no bound is known for it"
        kernel = self._kernel(step)
        sizes = [np.abs(np.asarray(widened(operand))) for operand in operands]
        typed = [_like(size, operand) for size, operand in zip(sizes, operands, strict=True)]
        radii = [_like(radius, operand) for radius, operand in zip(given, operands, strict=True)]
        outer = [
            _like(size + radius, operand)
            for size, radius, operand in zip(sizes, given, operands, strict=True)
        ]
        spread = np.abs(kernel(typed[0], radii[1])) + np.abs(kernel(radii[0], outer[1]))
        magnitude = np.abs(kernel(*outer))
        factor = 2 if type_.element_type.kind is Kind.COMPLEX else 1
        narrow, tiny = _unit(type_.element_type)
        unit = _unit_of_sums(type_.element_type)
        # Sums of fewer terms than 128 may be rounded more often.
        each = max(_kernels.roundings(terms * factor), _kernels.roundings(min(terms * factor, 127)))
        count = each + 2 * self._parts
        made = spread + 2 * factor * _growth(count, unit) * magnitude + 2 * (count + 1) * tiny
        if narrow > unit:  # parts are rounded to the result's type, and added in it
            made = made + 2 * factor * _growth(2 * self._parts, narrow) * (magnitude + made)
        return [made]

    def _combination(
        self,
        step: Step,
        operands: Sequence[Value],
        given: Sequence[Array],
        results: Sequence[Value],
        *,
        is_exact: bool,
    ) -> Sequence[Array] | str:
        """`reduce`, windows and scatters with a body of one operation."""
        body = _body(operation_of(step))
        type_ = step.result_types[0]
        if len(results) != 1 or not isinstance(type_, TensorType) or has(step.name, "collective"):
            return "no bound is known for a body of several operations"
        is_float = type_.element_type.kind in _FLOATS
        if is_exact and (has(body, "bitwise", "extremum") or not is_float):
            return [np.zeros(np.shape(results[0]))]
        if not is_float:
            return "an integer depends on rounding"
        if has(body, "extremum") and step.name in ("stablehlo.reduce", "stablehlo.reduce_window"):
            # The kernel with the same places: the greatest radius of what each result takes.
            largest = max((float(radius.max(initial=0)) for radius in given), default=0.0)
            if step.name == "stablehlo.reduce":
                axes = tuple(Attributes(operation_of(step)).ints("dimensions"))
                return [np.maximum(given[0].max(axes, initial=0), given[1])]
            return [np.full(np.shape(results[0]), largest)]
        if body != "stablehlo.add":
            return "no bound is known for its body"
        return self._sum(step, operands, given, type_.element_type)

    def _sum(
        self, step: Step, operands: Sequence[Value], given: Sequence[Array], element_type: ElementType
    ) -> Sequence[Array] | str:
        if step.name == "stablehlo.reduce":
            data, terms = (0, 1), np.size(operands[0]) // max(1, prod(_shape(step.result_types[0])))
            each = 4 if element_type.width < 64 else 24 + int(terms).bit_length()
        elif step.name == "stablehlo.reduce_window":
            data, terms = (0, 1), prod(Attributes(operation_of(step)).ints("window_dimensions"))
            each = 36 + int(terms).bit_length()
        elif step.name == "stablehlo.scatter" and len(operands) == 3:
            data = (0, 2)
            each = terms = np.size(operands[2]) + 1
        else:
            return "no bound is known for it"
        if any(given[index].any() for index in range(len(operands)) if index not in data):
            return "an index depends on rounding"
        kernel = self._kernel(step)
        sizes = [
            np.abs(np.asarray(widened(operand))) if i in data else operand
            for i, operand in enumerate(operands)
        ]
        outer = [_like(size + given[i], operands[i]) if i in data else size for i, size in enumerate(sizes)]
        radii = [_like(given[i], operands[i]) if i in data else size for i, size in enumerate(sizes)]
        magnitude, spread = np.abs(kernel(*outer)), np.abs(kernel(*radii))
        unit, tiny = _unit(element_type)
        count = each + 2 * self._parts
        factor = 2 if element_type.kind is Kind.COMPLEX else 1
        return [spread + 2 * factor * _growth(count, unit) * magnitude + 2 * count * tiny]


_FLOATS = (Kind.FLOAT, Kind.COMPLEX)


def _itself(value: Any, *operands: Any) -> Any:
    del operands
    return value


def _growth(count: int, unit: float) -> float:
    """The relative error of a value that is rounded so often."""
    return count * unit / (1 - count * unit) if count * unit < 0.5 else np.inf


def _unit(element_type: ElementType) -> tuple[float, float]:
    """Half the distance from 1 to the next number, and half the least number."""
    info: Any = ml_dtypes.finfo(_real(element_type))
    return float(info.eps) / 2, float(info.smallest_subnormal) / 2


def _unit_of_sums(element_type: ElementType) -> float:
    """The unit of the type in which hlokit adds products."""
    dtype = _real(element_type)
    return 2.0**-53 if dtype == np.float64 else 2.0**-24


def _real(element_type: ElementType) -> Any:
    if element_type.kind is Kind.COMPLEX:
        return np.dtype(np.float64 if element_type.width >= 128 else np.float32)
    return element_type.dtype


def _is_complex(value: Value) -> bool:
    return np.asarray(value).dtype.kind == "c"


def _like(radius: Array, operand: Value) -> Array:
    """Radii in the type in which the wider operation takes the operand."""
    return np.asarray(radius, np.asarray(widened(operand)).dtype)


def _shape(type_: Any) -> tuple[int, ...]:
    return tuple(type_.shape or ())


def _positions(text: str, count: int) -> range:
    """`0:`, `1:3`, `:1` as positions of operands."""
    start, _, stop = text.partition(":")
    return range(*slice(int(start or 0), int(stop) if stop else None).indices(count))


def _body(operation: ir.Operation) -> str:
    """The operation of a body that does one operation on its two arguments; "" for other bodies."""
    block = operation.regions[0].blocks[0]
    listed = [view.operation for view in block.operations]
    if len(listed) != 2 or len(block.arguments) != 2:
        return ""
    is_plain = sorted(map(str, listed[0].operands)) == sorted(map(str, block.arguments))
    return str(listed[0].name) if is_plain and list(listed[1].operands) == list(listed[0].results) else ""


def _terms(step: Step, operands: Sequence[Value]) -> int:
    """The number of products in each sum; 0 if it is unknown."""
    if step.name == "stablehlo.dot_general":
        numbers = Attributes(operation_of(step)).read("dot_dimension_numbers", DotDimensionNumbers.read)
        return max(1, prod(np.shape(operands[0])[axis] for axis in numbers.lhs_contracting_dimensions))
    if step.name == "stablehlo.dot":
        return max(1, np.shape(operands[0])[-1])
    if step.name == "stablehlo.convolution":  # more than there are, if features are in groups
        return max(1, np.size(operands[1]))
    return 0


def _comparison(operands: Sequence[Value], given: Sequence[Array]) -> Array:
    """Infinite where the operands are so near that the result could be another."""
    left, right = (np.asarray(widened(operand)) for operand in operands)
    sum_ = given[0] + given[1]
    if left.dtype.kind in "biu":
        return np.where(sum_ > 0, np.inf, 0)
    return np.where((sum_ > 0) & ~(np.abs(left - right) > sum_), np.inf, 0)


def _selection(operands: Sequence[Value], given: Sequence[Array]) -> Array:
    """As far as the chosen value; if the choice is open, as far as the other one too."""
    chooses, on_true, on_false = (np.asarray(widened(operand)) for operand in operands)
    chosen = np.where(chooses, given[1], given[2])
    if not given[0].any():
        return chosen
    other = np.where(chooses, given[2], given[1])
    if on_true.dtype.kind in "biu":
        return np.where(given[0] > 0, np.where(on_true == on_false, 0, np.inf), chosen)
    return np.where(given[0] > 0, np.maximum(chosen, np.abs(on_true - on_false) + other), chosen)
