"""Lowering of operations on bits: conversions to types of other widths, and generators of random bits."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.contract import array_ops
from hlokit.native.ir.instructions import RANDOM_BITS, Instruction
from hlokit.native.ir.target import NotLowerable, operation
from hlokit.native.ir.views import View
from hlokit.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.plan.plan import Step
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.types import TensorType

# The cost of an item of random bits, in elements of other instructions.
_RANDOM_COST = 4


class BitLowering:
    """Lowers operations on bits.

    Raises:
      NotLowerable: the VM cannot compute the step.
    """

    def __init__(self, program: ProgramBuilder) -> None:
        self._program = program

    # Types of different widths ---------------------------------------------------------------------

    def bitcast(self, step: Step, operand: View) -> View:
        """spec "bitcast_convert" of several elements to one, or of one to several: the lowest bits first."""
        source, result = (tensor_type(types[0]) for types in (step.operand_types, step.result_types))
        narrow, wide = sorted((source.element_type.width, result.element_type.width))
        if narrow < 8 or wide > 64 or not operand.size:
            raise NotLowerable
        operand = self._cast(operand, source.element_type, _unsigned(source.element_type.width))
        if source.element_type.width == narrow:
            return self._cast(self._joined(operand, narrow, wide), _unsigned(wide), result.element_type)
        parts = [
            self._converted(self._shifted(operand, wide, -narrow * n), narrow) for n in range(wide // narrow)
        ]
        return self._cast(self._stacked(parts, narrow), _unsigned(narrow), result.element_type)

    def _joined(self, operand: View, narrow: int, wide: int) -> View:
        """Integers whose digits are the elements of the last dimension, the lowest digit first."""
        shape, last = operand.shape[:-1], operand.strides[-1]
        total: View | None = None
        for n in range(operand.shape[-1]):
            digit = View(operand.register, operand.offset + n * last, shape, operand.strides[:-1])
            shifted = self._shifted(self._converted(digit, wide), wide, narrow * n)
            total = shifted if total is None else self._apply("or", wide, total, shifted)
        assert total is not None
        return total

    def _stacked(self, parts: Sequence[View], width: int) -> View:
        """Arrays of one shape, stacked along a new last dimension."""
        shape = (*parts[0].shape, len(parts))
        result = self._program.new_in_parts(TensorType(shape, _unsigned(width)))
        for n, part in enumerate(parts):
            target = View(result.register, result.offset + n, part.shape, result.strides[:-1])
            self._program.store(target, part)
        return result

    # Random bits -----------------------------------------------------------------------------------

    def random_bits(self, array_op: array_ops.RandomBits, step: Step, state: View) -> list[View]:
        """spec "rng_bit_generator": the next state and the bits."""
        program, (state_type, result) = self._program, map(tensor_type, step.result_types)
        element_type = result.element_type
        is_known = state_type.element_type.name == "ui64" and array_op.has_state(state.shape)
        if not is_known or not 8 <= element_type.width <= 64 or element_type.kind is Kind.COMPLEX:
            raise NotLowerable
        next_state = program.new(state_type)
        bits = program.new(result._replace(element_type=_unsigned(element_type.width)))
        program.add(
            Instruction(
                RANDOM_BITS,
                next_state.register,
                (program.whole(state),),
                [int(not array_op.is_threefry), *array_op.pairs_of(result.dims)],
                is_early_clobber=True,
                work=result.size * _RANDOM_COST,
                more_results=(bits.register,),
            )
        )
        return [next_state, self._cast(bits, _unsigned(element_type.width), element_type)]

    # Operations on unsigned integers ---------------------------------------------------------------

    def _number(self, value: int, width: int) -> View:
        type_ = TensorType((), _unsigned(width))
        return self._program.constant(type_, type_.element_type.dtype.type(value))

    def _shifted(self, x: View, width: int, distance: int) -> View:
        """Shifted to the left, or to the right by a negative distance."""
        if distance == 0:
            return x
        name = "shift_left" if distance > 0 else "shift_right_logical"
        return self._apply(name, width, x, self._number(abs(distance), width))

    def _apply(self, name: str, width: int, *operands: View) -> View:
        type_ = f"ui{width}"
        shape = next((view.shape for view in operands if view.shape), ())
        registers = tuple(map(self._register, operands))
        return self._program.pointwise(operation(name, type_, type_), type_, shape, registers)

    def _converted(self, x: View, to: int) -> View:
        return self._program.converted(x, f"ui{to}")

    def _cast(self, x: View, type_: ElementType, to: ElementType) -> View:
        """The same bits in another type of the same width."""
        return x if type_ == to else self._program.unary("bitcast_convert", to.name, x)

    def _register(self, view: View) -> int:
        return self._program.scalar(view) if view.size == 1 else self._program.splat_or_whole(view)


def _unsigned(width: int) -> ElementType:
    return ELEMENT_TYPES[f"ui{width}"]
