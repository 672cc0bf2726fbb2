"""Backends with one mistake: XLA:CPU, which gets every module with all operations of a kind changed.

A breakage lists the operations at fault; where a sentence explains it (operands rounded to bf16, results flushed),
the report may say so instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.tools.backends.side import Array, Side
from tests.verdict.faults.structure import is_in_condition, operations_of, region_of

Change = Callable[[Any], None]


@dataclass(frozen=True)
class Breakage:
    """A mistake of a backend.

    Attributes:
      operations: the names of operations that may be named.
      change: changes one of these operations in place.
      models: programs in which it shows.
      words: one of these in the report explains the mistake.
    """

    name: str
    operations: tuple[str, ...]
    change: Change
    models: tuple[str, ...]
    words: tuple[str, ...] = ()


class BrokenSide:
    """Another side, which compiles each module with a breakage."""

    batch = 128

    def __init__(self, breakage: Breakage, side: Side) -> None:
        self.name = f"{side.name}, {breakage.name}"
        self._breakage = breakage
        self._side = side

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        assert isinstance(module, bytes)
        return self._side.run_each(broken(module, self._breakage), inputs, function)

    def close(self) -> None:
        """The other side stays open: it belongs to the caller."""


def broken(module: bytes, breakage: Breakage) -> bytes:
    """A module as the backend misreads it."""
    parsed = parse_bytecode(None, module, "-", is_trusted=True)
    names = {f"stablehlo.{name}" for name in breakage.operations}
    with parsed.context, ir.Location.unknown():
        for operation in operations_of(parsed.operation):
            if operation.name in names:
                breakage.change(operation)
    return write_bytecode(parsed)


# Helpers ------------------------------------------------------------------------------------------


def _element(value: Any) -> str:
    return str(ir.RankedTensorType(value.type).element_type)


def _with_element(value: Any, element: str) -> ir.Type:
    type_ = ir.RankedTensorType(value.type)
    return ir.RankedTensorType.get(type_.shape, ir.Type.parse(element))


def _new(name: str, type_: Any, operands: Sequence[Any], point: Any, **attributes: str) -> Any:
    parsed = {key: ir.Attribute.parse(text) for key, text in attributes.items()}
    return ir.Operation.create(f"stablehlo.{name}", [type_], list(operands), parsed, ip=point).results[0]


def _constant(like: Any, number: str, point: Any) -> Any:
    return _new("constant", like.type, (), point, value=f"dense<{number}> : {like.type}")


def renamed(other: str, elements: Sequence[str] = ("f32",)) -> Change:
    """The operation computed as another one."""

    def change(operation: Any) -> None:
        result = operation.results[0]
        if _element(result) in elements:
            new = _new(other, result.type, list(operation.operands), ir.InsertionPoint(operation))
            result.replace_all_uses_with(new)
            operation.erase()

    return change


def rewritten(attribute: str, old: str, new: str) -> Change:
    """A piece of an attribute's spelling replaced."""

    def change(operation: Any) -> None:
        if attribute in operation.attributes:
            text = str(operation.attributes[attribute]).replace(old, new)
            operation.attributes[attribute] = ir.Attribute.parse(text)

    return change


def scaled(factor: str) -> Change:
    """Results of f32 off by a factor."""

    def change(operation: Any) -> None:
        result = operation.results[0]
        if _element(result) != "f32":
            return
        point = ir.InsertionPoint.after(operation)
        number = _constant(result, factor, point)
        product = _new("multiply", result.type, (result, number), point)
        result.replace_all_uses_except(product, product.owner.operation)

    return change


def shifted(*numbers: int) -> Change:
    """Operands of integers (by number, from the first that is given on) too large by one."""

    def change(operation: Any) -> None:
        for number in numbers:
            if number < len(operation.operands):
                point = ir.InsertionPoint(operation)
                operand = operation.operands[number]
                one = _constant(operand, "1", point)
                operation.operands[number] = _new("add", operand.type, (operand, one), point)

    return change


def narrowed(*elements: str) -> Change:
    """Operands of f32 rounded to a narrower type, and widened again."""

    def change(operation: Any) -> None:
        point = ir.InsertionPoint(operation)
        for number, operand in enumerate(operation.operands):
            if _element(operand) == "f32":
                narrow = operand
                for element in elements:
                    narrow = _new("convert", _with_element(operand, element), [narrow], point)
                operation.operands[number] = _new("convert", operand.type, [narrow], point)

    return change


def _tf32(operation: Any) -> None:
    """Operands of ten bits of mantissa."""
    point = ir.InsertionPoint(operation)
    for number, operand in enumerate(operation.operands):
        if _element(operand) == "f32":
            operation.operands[number] = _new(
                "reduce_precision",
                operand.type,
                [operand],
                point,
                exponent_bits="8 : i32",
                mantissa_bits="10 : i32",
            )


def _accumulated_in_f16(operation: Any) -> None:
    """A product whose operands and sums are of f16."""
    result = operation.results[0]
    if _element(result) != "f32" or any(_element(operand) != "f32" for operand in operation.operands):
        return
    point = ir.InsertionPoint(operation)
    narrow = [_new("convert", _with_element(value, "f16"), [value], point) for value in operation.operands]
    attributes = {name: operation.attributes[name] for name in ("dot_dimension_numbers",)}
    product = ir.Operation.create(
        "stablehlo.dot_general", [_with_element(result, "f16")], narrow, attributes, ip=point
    )
    wide = _new("convert", result.type, [product.results[0]], point)
    result.replace_all_uses_with(wide)
    operation.erase()


def _flushed(operation: Any) -> None:
    """Subnormal results become zero."""
    result = operation.results[0]
    if _element(result) != "f32":
        return
    point = ir.InsertionPoint.after(operation)
    flags = _with_element(result, "i1")
    magnitude = _new("abs", result.type, [result], point)
    least = _constant(result, "1.17549435E-38", point)
    zero = _constant(result, "0.0", point)
    is_small = _new(
        "compare",
        flags,
        (magnitude, least),
        point,
        comparison_direction="#stablehlo<comparison_direction LT>",
    )
    flushed = _new("select", result.type, (is_small, zero, result), point)
    result.replace_all_uses_except(flushed, [magnitude.owner.operation, flushed.owner.operation])


def _one_more_turn(operation: Any) -> None:
    """A loop's comparison that includes its bound."""
    if is_in_condition(operation):
        rewritten("comparison_direction", "LT", "LE")(operation)


def _descending(operation: Any) -> None:
    """A comparator that is turned around."""
    if region_of(operation)[0] == "stablehlo.sort":
        swap = {"LT": "GT", "GT": "LT"}
        text = str(operation.attributes["comparison_direction"])
        for old, new in swap.items():
            if f" {old}>" in text:
                operation.attributes["comparison_direction"] = ir.Attribute.parse(
                    text.replace(f" {old}>", f" {new}>")
                )
                return


def _rounded_first(operation: Any) -> None:
    """Numbers rounded to the nearest integer instead of towards zero."""
    operand = operation.operands[0]
    if _element(operand) == "f32" and _element(operation.results[0]) in ("i8", "i32", "ui32"):
        point = ir.InsertionPoint(operation)
        operation.operands[0] = _new("round_nearest_even", operand.type, [operand], point)


def _without_minimum(operation: Any) -> None:
    """A clamp that forgets its lower bound."""
    operand = operation.operands[1]
    if operation.operands[2].type == operand.type:
        new = _new("minimum", operand.type, list(operation.operands)[1:], ir.InsertionPoint(operation))
        operation.results[0].replace_all_uses_with(new)
        operation.erase()


def _skipped(operation: Any) -> None:
    """An operation that returns its operand."""
    operation.results[0].replace_all_uses_with(operation.operands[0])
    operation.erase()


def _exchanged(first: int, second: int) -> Change:
    def change(operation: Any) -> None:
        one, other = operation.operands[first], operation.operands[second]
        if one.type == other.type:
            operation.operands[first], operation.operands[second] = other, one

    return change


def _other_dimension(operation: Any) -> None:
    """An iota along the next dimension."""
    rank = ir.RankedTensorType(operation.results[0].type).rank
    dimension = int(str(operation.attributes["iota_dimension"]).partition(" ")[0])
    if rank > 1:
        operation.attributes["iota_dimension"] = ir.Attribute.parse(f"{(dimension + 1) % rank} : i64")


def _conjugated(operation: Any) -> None:
    """Products of complex numbers with the wrong sign of the imaginary part."""
    result = operation.results[0]
    if not _element(result).startswith("complex"):
        return
    point = ir.InsertionPoint.after(operation)
    part = _with_element(result, "f32")
    real = _new("real", part, [result], point)
    imag = _new("imag", part, [result], point)
    wrong = _new("negate", part, [imag], point)
    new = _new("complex", result.type, (real, wrong), point)
    result.replace_all_uses_except(new, [real.owner.operation, imag.owner.operation])


BREAKAGES = (
    Breakage("sines for tanh", ("tanh",), renamed("sine"), ("recurrent", "flow")),
    Breakage("sums for differences", ("subtract",), renamed("add"), ("kalman", "equation")),
    Breakage("minimum for maximum", ("maximum",), renamed("minimum"), ("attention", "gaussian_process")),
    Breakage(
        "rounding half away from zero",
        ("round_nearest_even",),
        renamed("round_nearest_afz"),
        ("halves",),
    ),
    Breakage(
        "shifts that keep the sign",
        ("shift_right_logical",),
        renamed("shift_right_arithmetic", ("ui32", "i32")),
        ("random_numbers", "alignment"),
    ),
    Breakage(
        "LT for GT",
        ("compare",),
        rewritten("comparison_direction", " GT>", " LT>"),
        ("reductions", "machine"),
    ),
    Breakage("iota along the next dimension", ("iota",), _other_dimension, ("alignment", "reductions")),
    Breakage(
        "the other triangle",
        ("triangular_solve",),
        rewritten("transpose_a", "NO_", ""),
        ("gaussian_process",),
    ),
    Breakage("comparators turned around", ("sort", "compare"), _descending, ("experts", "random_numbers")),
    Breakage("gathers one row further", ("gather",), shifted(1), ("beam_search", "transformer")),
    Breakage(
        "updates one row further", ("dynamic_update_slice",), shifted(2), ("machine", "recurrent", "training")
    ),
    Breakage(
        "windows of a convolution reversed",
        ("convolution",),
        rewritten("dimension_numbers", "[0, 1, i, o]", "[1, 0, i, o]"),
        ("convolutional",),
    ),
    Breakage("products of bf16", ("dot_general",), narrowed("bf16"), ("transformer", "recurrent"), ("bf16",)),
    Breakage("products of TF32", ("dot_general",), _tf32, ("kalman", "training"), ("TF32", "tf32")),
    Breakage(
        "accumulation in f16", ("dot_general",), _accumulated_in_f16, ("gaussian_process", "flow"), ("f16",)
    ),
    Breakage("flushed results", ("multiply", "add"), _flushed, ("subnormal",), ("flush",)),
    Breakage(
        "one more turn",
        ("compare", "while"),
        _one_more_turn,
        ("kalman", "mandelbrot"),
    ),
    Breakage("a rough exponential", ("exponential",), scaled("1.0001"), ("attention", "reductions")),
    Breakage("a rough reciprocal root", ("rsqrt", "sqrt"), scaled("0.9995"), ("transformer", "rigid_body")),
    Breakage("conversions that round", ("convert",), _rounded_first, ("truncation",)),
    Breakage("clamps without a minimum", ("clamp",), _without_minimum, ("clamped",)),
    Breakage("reversals forgotten", ("reverse",), _skipped, ("convolutional",)),
    Breakage("branches off by one", ("case",), shifted(0), ("machine",)),
    Breakage("conjugated products", ("multiply",), _conjugated, ("mandelbrot", "spectrum")),
    Breakage("selections inverted", ("select",), _exchanged(1, 2), ("kalman", "beam_search")),
)
