"""Lowering of operations on bits: conversions to types of other widths, and generators of random bits."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.engine.contract import array_ops
from hlokit.engine.native.ir.array_parameters import RandomBits
from hlokit.engine.native.ir.instructions import RANDOM_BITS, Instruction
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.engine.plan.plan import Step
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.types import TensorType

# The cost of an item of random bits, in elements of other instructions.
_RANDOM_COST = 4


def bitcast(program: ProgramBuilder, step: Step, operand: View) -> View:
    """spec "bitcast_convert" of several elements to one, or of one to several: the lowest bits first."""
    source, result = (tensor_type(types[0]).element_type for types in (step.operand_types, step.result_types))
    narrow, wide = sorted((source.width, result.width))
    if narrow < 8 or wide > 64 or not operand.size:
        raise NotLowerable
    bits = _cast(program, operand, source, _unsigned(source.width))
    if source.width == narrow:
        bits = _joined(program, bits, narrow, wide)
    else:
        parts = [_shifted(program, bits, wide, -narrow * n) for n in range(wide // narrow)]
        bits = _stacked(program, [program.converted(part, f"ui{narrow}") for part in parts], narrow)
    return _cast(program, bits, _unsigned(result.width), result)


def random_bits(
    program: ProgramBuilder, array_op: array_ops.RandomBits, step: Step, state: View
) -> list[View]:
    """spec "rng_bit_generator": the next state and the bits."""
    state_type, result = map(tensor_type, step.result_types)
    element_type = result.element_type
    is_known = state_type.element_type.name == "ui64" and array_op.has_state(state.shape)
    if not is_known or not 8 <= element_type.width <= 64 or element_type.kind is Kind.COMPLEX:
        raise NotLowerable
    next_state = program.new(state_type)
    bits = program.new(result._replace(element_type=_unsigned(element_type.width)))
    results, operands = (next_state.register, bits.register), (program.whole(state),)
    generator = RandomBits(not array_op.is_threefry, *array_op.pairs_of(result.dims))
    program.add(Instruction(RANDOM_BITS, results, operands, generator, work=result.size * _RANDOM_COST))
    return [next_state, _cast(program, bits, _unsigned(element_type.width), element_type)]


def _cast(program: ProgramBuilder, x: View, type_: ElementType, to: ElementType) -> View:
    """The same bits in another type of the same width."""
    return x if type_ == to else program.apply("bitcast_convert", to.name, x)


def _joined(program: ProgramBuilder, digits: View, narrow: int, wide: int) -> View:
    """Integers whose digits are the elements of the last dimension, the lowest digit first."""
    shape, strides, total = digits.shape[:-1], digits.strides[:-1], None
    for n in range(digits.shape[-1]):
        digit = View(digits.register, digits.offset + n * digits.strides[-1], shape, strides)
        shifted = _shifted(program, program.converted(digit, f"ui{wide}"), wide, narrow * n)
        total = shifted if total is None else program.apply("or", f"ui{wide}", total, shifted)
    assert total is not None
    return total


def _stacked(program: ProgramBuilder, parts: Sequence[View], width: int) -> View:
    """Arrays of one shape, stacked along a new last dimension."""
    shape = parts[0].shape
    result = program.new_in_parts(TensorType((*shape, len(parts)), _unsigned(width)))
    for n, part in enumerate(parts):
        program.store(View(result.register, n, shape, result.strides[:-1]), part)
    return result


def _shifted(program: ProgramBuilder, x: View, width: int, distance: int) -> View:
    """Shifted to the left, or to the right by a negative distance."""
    if not distance:
        return x
    type_ = TensorType((), _unsigned(width))
    amount = program.constant(type_, type_.element_type.dtype.type(abs(distance)))
    return program.apply("shift_left" if distance > 0 else "shift_right_logical", f"ui{width}", x, amount)


def _unsigned(width: int) -> ElementType:
    return ELEMENT_TYPES[f"ui{width}"]
