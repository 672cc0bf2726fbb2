"""Lowering of steps on types that the VM lacks: integers of 2 and 4 bits, floats of up to 8 bits.

Registers hold the bytes of such types, as ui8. To move elements is to move bytes. Conversions extend integers
to 8 bits, and truncate them. A function of one byte, or of two, is a table of its results, which the step's
own kernel computes; that of f32 to a narrow float is the table of the upper halves, see `_upper_half`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.canonical_nan import is_canonical
from hlokit.engine.contract.nan_bits import CANONICAL_NAN
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.target import NotLowerable, is_narrow
from hlokit.engine.native.lowerings import windows
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import ELEMENT_TYPES, F32, ElementType, Kind
from hlokit.values.types import TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.engine.native.ir.views import View
    from hlokit.engine.native.lowerings.builder import ProgramBuilder
    from hlokit.engine.plan.plan import Step


def concerns(step: Step) -> bool:
    """Whether a step has an operand or a result of a narrow type."""
    return any(map(is_narrow, step.operand_types)) or any(map(is_narrow, step.result_types))


def is_lowerable(step: Step) -> bool:
    """Whether a step that a narrow type concerns may have a lowering."""
    if step.kernel.array_op is not None:
        return is_move(step)
    return step.name == "stablehlo.select" or (
        step.kernel.pointwise and len(step.operands) == len(step.results) == 1
    )


def is_move(step: Step) -> bool:
    """Whether only elements that a step moves are narrow, not its indices, say."""
    traits, array_op = traits_of(step.name), step.kernel.array_op
    if isinstance(array_op, array_ops.Scatter) and array_op.operation is None:
        return not is_narrow(step.operand_types[1])
    if traits.moves is None or traits.applies:
        return False
    places = range(len(step.operand_types))
    others = set(places).difference(places[traits.moves])
    return not any(is_narrow(step.operand_types[place]) for place in others)


def restored(value: Value, type_: ValueType) -> Value:
    """A known value in the dtype of its type."""
    return value.view(_element(type_).dtype) if is_narrow(type_) else value


class Tables:
    """The tables of a program.

    Attributes:
      views: by the identity of kernels, and the types of operands and results.
      canonical: the registers of bytes whose NaNs are canonical.
    """

    def __init__(self) -> None:
        self.views: dict[tuple[int, str, str], View] = {}
        self.canonical: set[int] = set()


def lower(program: ProgramBuilder, tables: Tables, step: Step, operands: list[View]) -> View:
    """The result of a step that computes, selects or converts narrow values.

    Raises:
      NotLowerable: the step has no lowering.
    """
    if not is_lowerable(step):
        raise NotLowerable
    if step.name == "stablehlo.select":
        return program.apply("select", "ui8", *operands)
    if step.name == CANONICAL_NAN and operands[0].register in tables.canonical:
        return operands[0]
    source, target = (_element(types[0]) for types in (step.operand_types, step.result_types))
    if step.name == "stablehlo.convert":
        if source.is_narrow_integer and not is_narrow(step.result_types[0]):
            real = program.converted(_extended(program, operands[0], source), target.part.name)
            return program.converted(real, target.name)
        if target.is_narrow_integer and not is_narrow(step.operand_types[0]):
            return _truncated(program, operands[0], source, target)
    return _looked_up(program, tables, step, operands[0])


# Integers ----------------------------------------------------------------------------------------


def _extended(program: ProgramBuilder, x: View, type_: ElementType) -> View:
    """Narrow integers as i8 or ui8."""
    x = _with_constant(program, "and", x, (1 << type_.width) - 1)
    if type_.kind is Kind.UNSIGNED:
        return x
    # Processors have no vectors of shifted bytes: the sign goes up by a difference.
    sign = 1 << (type_.width - 1)
    x = _with_constant(program, "subtract", _with_constant(program, "xor", x, sign), sign)
    return program.apply("bitcast_convert", "i8", x)


def _truncated(program: ProgramBuilder, x: View, source: ElementType, target: ElementType) -> View:
    """Numbers as narrow integers: floats saturate, integers wrap."""
    if source.kind is Kind.FLOAT:
        is_signed = target.kind is Kind.SIGNED
        least = -(1 << (target.width - 1)) if is_signed else 0
        x = program.converted(x, "i8" if is_signed else "ui8")
        x = _with_constant(program, "maximum", x, least)
        x = _with_constant(program, "minimum", x, least + (1 << target.width) - 1)
    return _with_constant(program, "and", program.converted(x, "ui8"), (1 << target.width) - 1)


def _with_constant(program: ProgramBuilder, name: str, x: View, constant: int) -> View:
    type_ = ELEMENT_TYPES[program.registers[x.register].type]
    value = program.constant(TensorType((), type_), type_.dtype.type(constant))
    return program.apply(name, type_.name, x, value)


# Tables ------------------------------------------------------------------------------------------


def _looked_up(program: ProgramBuilder, tables: Tables, step: Step, x: View) -> View:
    """A function of one operand, by a table."""
    source, target = _element(step.operand_types[0]), _element(step.result_types[0])
    if source is F32 and step.name == "stablehlo.convert":
        values = (np.arange(1 << 16, dtype=np.uint32) << np.uint32(16)).view(np.float32)
        index = _upper_half(program, x)
    elif source.dtype.itemsize <= 2 and source.kind is not Kind.BOOL:
        bits = source.bits_dtype
        values = np.arange(1 << 8 * bits.itemsize).astype(bits).view(source.dtype)
        name = f"ui{8 * bits.itemsize}"
        is_held = program.registers[x.register].type == name
        index = x if is_held else program.apply("bitcast_convert", name, x)
    else:
        raise NotLowerable
    key = id(step.kernel), source.name, target.name
    table = tables.views.get(key)
    if table is None:
        with np.errstate(all="ignore"):
            results = np.asarray(step.kernel.function(values))
        table = tables.views[key] = program.constant(TensorType(results.shape, target), results)
        if is_canonical(results):
            tables.canonical.add(table.register)
    result = windows.take(program, table, index)
    if table.register in tables.canonical:
        tables.canonical.add(result.register)
    return result


def _upper_half(program: ProgramBuilder, x: View) -> View:
    """The upper 16 bits of f32, of which the last is set if a lower bit is.

    This is all that a rounding to few bits needs: a value of 16 bits, and whether the number is above it.
    """
    bits = program.apply("bitcast_convert", "ui32", x)
    lower = _with_constant(program, "and", bits, 0xFFFF)
    # To add 0xFFFF to what is not 0 sets bit 16.
    last = _with_constant(program, "shift_right_logical", _with_constant(program, "add", lower, 0xFFFF), 16)
    upper = _with_constant(program, "shift_right_logical", bits, 16)
    return program.converted(program.apply("or", "ui32", upper, last), "ui16")


def _element(type_: ValueType) -> ElementType:
    assert isinstance(type_, TensorType)
    return type_.element_type
