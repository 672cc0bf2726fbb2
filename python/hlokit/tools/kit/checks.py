"""Self-checking programs: results are compared with constants, exactly or with the ends of intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.types import to_mlir_type
from hlokit.tools.diff.comparing.flushing import flushes_results
from hlokit.tools.diff.comparing.verdicts import Allowance
from hlokit.tools.kit.cases import Case
from hlokit.tools.kit.judging import allowed, uncertain_nans
from hlokit.tools.kit.recipes import VERSION
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]


def self_checking(case: Case, rule: str, words: str) -> str:
    """A program that evaluates a case on constants, and checks its results."""
    with make_context(), ir.Location.unknown():
        body = _Body()
        applied, expected = case.alone.applied, case.expected
        types = case.alone.program.signature("main").inputs
        names = [
            body.constant(value, type_, spelled)
            for value, type_, spelled in zip(case.inputs, types, applied.operands, strict=True)
            if isinstance(type_, TensorType)
        ]
        count = f":{len(applied.results)}" if len(applied.results) > 1 else ""
        signature = f"({', '.join(applied.operands)}) -> ({', '.join(applied.results)})"
        body.lines.append(f"%r{count} = func.call @case({', '.join(names)}) : {signature}")
        for index, name in enumerate(applied.results_of("%r")):
            bound = _with_open_nans(case, index, allowed(case, case.alone.expected, index))
            is_turned = case.recipe.place == "fused" and index in applied.turned
            _check(
                body,
                name,
                applied.results[index],
                expected[index],
                case.alone.types[index],
                (bound, is_turned),
            )
        main = "\n  ".join([*body.lines, "return"])
    function = case.text.replace("func.func @main(", "func.func private @case(", 1)
    head = f"// {case.id}\n// kit {VERSION}, {rule}: {words}\n// RUN: stablehlo-translate --interpret %s\n"
    return f"{head}\n{function}\nfunc.func @main() {{\n  {main}\n}}\n"


def _with_open_nans(case: Case, index: int, bound: Allowance) -> Allowance:
    uncertain = uncertain_nans(case, index, bound)
    if not uncertain.any():
        return bound
    return replace(bound, open=uncertain if bound.open is None else uncertain | bound.open)


@dataclass(slots=True)
class _Body:
    """The lines of a function."""

    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def value(self, text: str) -> str:
        """The name of the result of an operation."""
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, array: Array, type_: TensorType, spelled: str = "") -> str:
        """A constant; one of a quantized type comes from its storage integers."""
        shaped = TensorType(array.shape, type_.element_type)
        if type_.element_type.kind is Kind.QUANTIZED:
            stored = _signless(type_.element_type)
            bits = self.constant(np.asarray(array).view(stored.dtype), TensorType(array.shape, stored))
            cast = (
                f"stablehlo.bitcast_convert {bits} : (tensor<{_shape(array)}{stored}>) -> {spelled or shaped}"
            )
            return self.value(cast)
        return self.value(f"stablehlo.constant {literal(array, shaped)}")


def literal(array: Array, type_: TensorType) -> str:
    """A dense attribute with its type."""
    return str(elements_attribute(np.array(array, order="C"), type_, to_mlir_type(type_)))


def _shape(array: Array) -> str:
    return "".join(f"{size}x" for size in array.shape)


def _signless(type_: ElementType) -> ElementType:
    return ELEMENT_TYPES[f"i{type_.stored.width}"]


def _check(
    body: _Body, name: str, spelled: str, expected: Array, type_: TensorType, rule: tuple[Allowance, bool]
) -> None:
    """Compare a result with its expected values.

    Args:
      rule: the allowed difference, and whether its alternatives have the opposite sign.
    """
    bound, is_turned = rule
    element, shape = type_.element_type, _shape(expected)
    if "?" in spelled:
        static = f"tensor<{shape}{element}>"
        name = body.value(f"stablehlo.convert {name} : ({spelled}) -> {static}")
    if element.kind is Kind.QUANTIZED:
        stored = _signless(element)
        name = body.value(
            f"stablehlo.bitcast_convert {name} : (tensor<{shape}{element}>) -> tensor<{shape}{stored}>"
        )
        expected, element = expected.view(stored.dtype), stored
    if element.kind is Kind.COMPLEX:
        part = element.part
        for word, values in (("real", np.real(expected)), ("imag", np.imag(expected))):
            half = body.value(
                f"stablehlo.{word} {name} : (tensor<{shape}{element}>) -> tensor<{shape}{part}>"
            )
            _check_real(
                body,
                half,
                np.array(values, order="C"),
                part,
                (bound, np.real if word == "real" else np.imag, is_turned),
            )
        return
    _check_real(body, name, expected, element, (bound, np.asarray, is_turned))


def _check_real(
    body: _Body, name: str, expected: Array, element: ElementType, rule: tuple[Allowance, Any, bool]
) -> None:
    """Values that differ exactly as far as is bound: the others are replaced by what is expected."""
    bound, half, is_turned = rule
    tensor = f"tensor<{_shape(expected)}{element}>"
    truths = f"tensor<{_shape(expected)}i1>"
    own = TensorType(expected.shape, element)
    truth = TensorType(expected.shape, ELEMENT_TYPES["i1"])
    wanted = body.constant(expected, own)
    for kind, mask in _accepted(expected, element, bound):
        if not mask.any():
            continue
        where = body.constant(mask, truth)
        if kind == "nan":
            right = body.value(f"stablehlo.compare NE, {name}, {name} : ({tensor}, {tensor}) -> {truths}")
            where = body.value(f"stablehlo.and {where}, {right} : {truths}")
        elif kind == "interval":
            low, high = _ends(expected, element, bound, half, is_turned)
            for direction, end in (("GE", low), ("LE", high)):
                limit = body.constant(end, own)
                right = body.value(
                    f"stablehlo.compare {direction}, {name}, {limit} : ({tensor}, {tensor}) -> {truths}"
                )
                where = body.value(f"stablehlo.and {where}, {right} : {truths}")
        name = body.value(f"stablehlo.select {where}, {wanted}, {name} : {truths}, {tensor}")
    body.lines.append(f"check.expect_eq_const {name}, {literal(expected, own)}")


def _accepted(expected: Array, element: ElementType, bound: Allowance) -> Iterator[tuple[str, Array]]:
    """The elements for which more than the expected bits is right: open ones, NaNs, intervals."""
    if bound.open is not None:
        yield "open", np.broadcast_to(bound.open, expected.shape)
    error = np.broadcast_to(np.asarray(bound.error), expected.shape)
    if element.kind is not Kind.FLOAT:
        yield "interval", error > 0
        return
    is_nan = np.isnan(expected)
    # Terms that are infinite in one order may have infinite partial sums of the other sign in another.
    yield "nan", is_nan | (np.isinf(expected) & np.isinf(error))
    yield "interval", ~is_nan & ((error > 0) | bound.may_flush)


def _ends(
    expected: Array, element: ElementType, bound: Allowance, half: Any, is_turned: bool
) -> tuple[Array, Array]:
    """The lowest and the highest right values."""
    with np.errstate(all="ignore"):
        error = np.broadcast_to(np.asarray(bound.error, np.float64), expected.shape)
        if element.kind is not Kind.FLOAT:
            exact = expected.astype(np.int64)
            steps = np.floor(error).astype(np.int64)
            info = [1 << (element.width - 1), (1 << (element.width - 1)) - 1]
            low, high = np.maximum(exact - steps, -info[0]), np.minimum(exact + steps, info[1])
            return low.astype(expected.dtype), high.astype(expected.dtype)
        wide = expected.astype(np.float64)
        error = np.where(np.isfinite(wide), np.where(np.isnan(error), np.inf, error), 0.0)
        low, high = wide - error, wide + error
        for value, slack in bound.alternatives:
            other = np.broadcast_to(half(value) * (-1 if is_turned else 1), expected.shape).astype(np.float64)
            room = np.broadcast_to(np.asarray(slack, np.float64), expected.shape)
            low, high = np.fmin(low, other - room), np.fmax(high, other + room)
        layout = float_format(element)
        if bound.may_flush and flushes_results():
            is_small = np.abs(wide) <= 2.0 ** (1 - layout.bias)
            low, high = (
                np.where(is_small, np.minimum(low, 0.0), low),
                np.where(is_small, np.maximum(high, 0.0), high),
            )
        # What is near overflow may overflow.
        largest = layout.decode(layout.largest)
        low = np.where(wide == np.inf, np.minimum(low, largest), low)
        high = np.where(wide == -np.inf, np.maximum(high, -largest), high)
        return _outward(low, element, -np.inf), _outward(high, element, np.inf)


def _outward(values: Array, element: ElementType, direction: float) -> Array:
    """Values of a type, rounded away from the middle of the interval."""
    rounded = values.astype(element.dtype)
    back = rounded.astype(np.float64)
    is_inside = back > values if direction < 0 else back < values
    beyond = np.nextafter(rounded, np.asarray(direction).astype(element.dtype))
    return np.where(is_inside, beyond, rounded).astype(element.dtype)
