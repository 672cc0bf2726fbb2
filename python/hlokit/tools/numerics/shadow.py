"""Shadows: the values that a program would compute in higher precision, next to the program's own values.

`Shadow` is an observer. It identifies values by object identity: region arguments and loop-carried values are
the same objects, so shadows follow calls, branches and loops without further work. An operation that applies
its region to elements (reduce, sort, ...) is evaluated once more as a whole, with its regions in wider types.
Integers and booleans, and therefore control flow and indices, are the run's own.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Constant, Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError, for_callers
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.lookup import traits_of
from hlokit.tools.numerics.deviations import Deviation, error_of
from hlokit.tools.numerics.report import ShadowRecord, ShadowReport
from hlokit.tools.numerics.rules.widening import widened, widened_type
from hlokit.tools.numerics.wide import wide_planner
from hlokit.values.bits import bits
from hlokit.values.element_types import ElementType, element_type_of
from hlokit.values.types import TensorType, TupleType, ValueType

Array = npt.NDArray[Any]

# Scalars do not support weak references: the shadows of this many recent scalars are kept.
_SCALARS = 1 << 14


class HasModule(Protocol):
    @property
    def module(self) -> ir.Module: ...


@dataclass(frozen=True, slots=True)
class _LiveShadow:
    """The shadow of a live value."""

    live_value: Callable[[], Any]
    shadow: Value
    deviation: Deviation


class Shadow:
    """An observer that also evaluates every operation in higher precision, and reports losses of accuracy.

        shadow = hlokit.Shadow(program)
        program(x, observer=shadow)
        print(shadow.report())

    Values of f32 and narrower types have shadows in f64, those of f64 in longdouble (80 bits on x86).
    """

    @for_callers
    def __init__(self, program: HasModule) -> None:
        self._planner = wide_planner(program.module)
        self._lock = threading.RLock()
        self._shadows: dict[int, _LiveShadow] = {}
        self._scalars: OrderedDict[int, Value] = OrderedDict()
        self._kernels: dict[int, Callable[..., Any]] = {}
        self._steps: list[Step] = []
        self._records: dict[int, ShadowRecord] = {}
        self._local = threading.local()

    def report(self) -> ShadowReport:
        """The findings so far, over all runs; deviations are in units in the last place (ULP)."""
        with self._lock:
            return ShadowReport(
                sorted(self._records.values(), key=lambda record: (-record.bits_lost, -record.max_ulp))
            )

    def deviation(self, value: Value) -> Deviation:
        """The deviation of a value of the last run from its shadow."""
        with self._lock:
            entry = self._find(value)
        return Deviation() if entry is None else entry.deviation

    # The observer ---------------------------------------------------------------------------------

    def _stack(self) -> list[bool]:
        """For each operation in progress, whether the operation and its regions are evaluated as a whole."""
        return self._local.__dict__.setdefault("stack", [])

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, operands
        stack = self._stack()
        stack.append((bool(stack) and stack[-1]) or not traits_of(step.name).control)

    def failed(self, plan: Plan, step: Step) -> None:
        del plan, step
        self._stack().pop()

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        stack = self._stack()
        stack.pop()
        if (
            (stack and stack[-1])
            or traits_of(step.name).control
            or not any(map(_has_floats, step.result_types))
        ):
            return
        with self._lock:
            self._evaluate(plan, step, operands, results)

    # Shadows --------------------------------------------------------------------------------------

    def _find(self, value: Value) -> _LiveShadow | None:
        entry = self._shadows.get(id(value))
        return entry if entry is not None and entry.live_value() is value else None

    def _shadow_of(self, value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple([self._shadow_of(item) for item in cast("tuple[Value, ...]", value)])
        entry = self._find(value)
        return widened(value) if entry is None else entry.shadow

    def _remember(self, value: Value, shadow: Value, deviation: Deviation) -> None:
        key = id(value)
        try:
            alive = weakref.ref(value, lambda _: self._shadows.pop(key, None))
        except TypeError:
            self._scalars[key] = value
            self._scalars.move_to_end(key)
            if len(self._scalars) > _SCALARS:
                self._shadows.pop(self._scalars.popitem(last=False)[0], None)
            alive = lambda: value  # noqa: E731 # called like a weak reference
        self._shadows[key] = _LiveShadow(alive, shadow, deviation)

    def _evaluate(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        note = ""
        try:
            shadows = self._results(step, operands, results)
        except HlokitError as error:
            shadows, note = None, error.args[0] if error.args else str(error)
        except Exception as error:  # a kernel that does not support these types
            shadows, note = None, f"not evaluated in wider types ({type(error).__name__})"
        operand_deviations = [self._deviations(operand) for operand in operands]
        before = [deviation for deviations in operand_deviations for deviation in deviations]
        for number, (value, type_) in enumerate(zip(results, step.result_types, strict=True)):
            shadow = None if shadows is None else shadows[number]
            for item, item_shadow, element_type in _tensors(value, shadow, type_):
                deviation, problem = self._compare(item, item_shadow, element_type, operands)
                self._record(plan, step, element_type, before, deviation, note or problem)

    def _results(self, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> Sequence[Value]:
        """The shadows of a step's results."""
        shadows = [self._shadow_of(operand) for operand in operands]
        if step.name == "stablehlo.sort":
            axis = Attributes(operation_of(step)).int_("dimension", -1)
            return _permuted(operands, results, shadows, axis)
        if step.name == "chlo.top_k":
            indices: npt.NDArray[Any] = np.asarray(results[1])
            return [np.take_along_axis(np.asarray(shadows[0]), indices, -1), indices]
        if step.name == "stablehlo.select_and_scatter":
            shadows[0] = widened(operands[0])  # the predicate only selects elements
        shadow_results = self._kernel(step)(*shadows)
        return (shadow_results,) if len(step.result_types) == 1 else shadow_results

    def _kernel(self, step: Step) -> Callable[..., Any]:
        kernel = self._kernels.get(id(step))
        if kernel is None:
            operation = operation_of(step)
            bound = self._planner.operation(operation)[0]  # pyright: ignore[reportUnknownMemberType] # ir.Value
            kernel = self._kernels[id(step)] = (
                partial(_constant, bound.value) if isinstance(bound, Constant) else bound.function
            )
            self._steps.append(step)  # otherwise another object may get its id
        return kernel

    def _compare(
        self, value: Value, shadow: Value, element_type: ElementType, operands: Sequence[Value]
    ) -> tuple[Deviation, str]:
        """The deviation of a result, and the reason why it has no shadow of its own, or empty."""
        if any(value is operand for operand in operands) and self._find(value) is not None:
            return self.deviation(value), ""  # passed on unchanged
        problem = ""
        if shadow is None:
            return Deviation(), problem
        if np.shape(shadow) != np.shape(value):
            return Deviation(), "its shape depends on the values"
        if np.asarray(shadow).dtype != widened_type(element_type).dtype:
            return Deviation(), "not evaluated in wider types"
        deviation = error_of(value, shadow, element_type)
        if deviation.max_ulp or not np.isfinite(np.asarray(shadow)).all():
            self._remember(value, shadow, deviation)
        return deviation, problem

    def _deviations(self, value: Value) -> list[tuple[Deviation, ElementType]]:
        if isinstance(value, tuple):
            return [
                deviation for item in cast("tuple[Value, ...]", value) for deviation in self._deviations(item)
            ]
        if not isinstance(value, np.ndarray | np.generic):
            return []
        element_type = element_type_of(np.asarray(cast("Any", value)).dtype)
        if not element_type.kind.is_inexact:
            return []
        entry = self._find(cast("Value", value))
        return [(Deviation() if entry is None else entry.deviation, element_type)]

    def _record(
        self,
        plan: Plan,
        step: Step,
        element_type: ElementType,
        before: list[tuple[Deviation, ElementType]],
        deviation: Deviation,
        note: str,
    ) -> None:
        record = self._records.get(id(step))
        if record is None:
            self._steps.append(step)  # otherwise another object may get its id
            types = ", ".join(map(str, step.result_types))
            record = ShadowRecord(step.name, plan.function_name, step.location(), types)
            self._records[id(step)] = record
        had = min([earlier.bits(type_) for earlier, type_ in before], default=None)
        record.add(deviation, element_type, had, note)


def _constant(value: Value, *operands: Value) -> Value:
    del operands
    return value


def _has_floats(type_: ValueType) -> bool:
    if isinstance(type_, TupleType):
        return any(map(_has_floats, type_.types))
    return isinstance(type_, TensorType) and type_.element_type.kind.is_inexact


def _tensors(value: Value, shadow: Value, type_: ValueType) -> list[tuple[Value, Value, ElementType]]:
    """The float tensors in a value, each with its shadow or None."""
    if isinstance(type_, TupleType):
        shadows = [None] * len(type_.types) if shadow is None else shadow
        items = zip(value, shadows, type_.types, strict=True)
        return [tensor for item in items for tensor in _tensors(*item)]
    if not isinstance(type_, TensorType) or not type_.element_type.kind.is_inexact:
        return []
    return [(value, shadow, type_.element_type)]


def _permuted(
    operands: Sequence[Value], results: Sequence[Value], shadows: Sequence[Value], axis: int
) -> list[Value]:
    """The shadows, permuted as sorting has permuted the values."""
    count, rank = len(results), np.ndim(results[0])
    before, after = (
        np.lexsort(
            [key for value in values for key in _order(np.broadcast_to(value, np.shape(results[0])))],
            axis % rank,
        )
        for values in (operands[:count], results)
    )
    permuted: list[Value] = []
    for shadow in shadows[:count]:
        values = np.asarray(shadow)
        moved = np.empty_like(values)
        np.put_along_axis(moved, after, np.take_along_axis(values, before, axis), axis)
        permuted.append(moved)
    return permuted


def _order(values: Array) -> list[Array]:
    """Integers that are equal if and only if the values have the same bits."""
    if values.dtype.kind == "c":
        return [bits(np.ascontiguousarray(part(values))) for part in (np.real, np.imag)]
    return [bits(np.ascontiguousarray(values)) if values.dtype.kind != "b" else values]
