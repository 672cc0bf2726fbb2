"""Lowering of operations on bits: conversions to types of other widths, and generators of random bits.

The generators are those of `ops.random.bit_generators`, as pointwise operations on integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from hlokit.contract import array_ops
from hlokit.contract.generators import (
    PHILOX_MULTIPLIERS,
    PHILOX_WEYL,
    THREEFRY_PARITY,
)
from hlokit.native.ir.instructions import THREEFRY, Instruction
from hlokit.native.ir.target import NotLowerable, operation
from hlokit.native.ir.views import Ints, View
from hlokit.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.plan.plan import Step
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.types import TensorType

# For more counters, kernels are faster: they compute blocks that stay in the cache.
_MOST_COUNTERS = 1 << 12
_WORD = 32


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
        """spec "rng_bit_generator"."""
        state_type, result = map(tensor_type, step.result_types)
        name, width = state_type.element_type.name, result.element_type.width
        is_threefry = array_op.algorithm == "THREE_FRY"
        if name != "ui64" or state.shape not in ([(2,)] if is_threefry else [(2,), (3,)]):
            raise NotLowerable
        if width < 8 or width > 64 or not result.size or result.element_type.kind is Kind.COMPLEX:
            raise NotLowerable
        words = [state.sliced((n,), (1,), (1,)) for n in range(state.shape[0])]
        words = [View(word.register, word.offset, (), ()) for word in words]
        generate = self._threefry if is_threefry else self._philox
        bits, used = generate(words, result.dims, 64 if width == 64 else _WORD)
        output = self._cast(self._converted(bits, width), _unsigned(width), result.element_type)
        return [self._next_state(words, used), output]

    def _next_state(self, words: Sequence[View], used: int) -> View:
        """The state after `used` counters: the same key, and the next counter."""
        count = self._number(used, 64)
        low = self._apply("add", 64, words[1], count)
        new = [words[0], low]
        if len(words) == 3:
            new.append(self._apply("add", 64, words[2], self._carry(low, count)))
        return self._stacked(new, 64)

    def _counters(self, first: View, count: int) -> View:
        if not 0 < count <= _MOST_COUNTERS:
            raise NotLowerable
        steps = np.arange(count, dtype=np.uint64)
        return self._apply("add", 64, self._program.constant(_array(count, 64), steps), first)

    def _carry(self, total: View, addend: View) -> View:
        """The carry of a sum: 1 where it is less than one of its addends."""
        register = self._register(total), self._register(addend)
        wrapped = self._program.pointwise(operation("LT", "i1", "ui64"), "i1", total.shape, register)
        return self._program.converted(wrapped, "ui64")

    def _threefry(self, words: Sequence[View], shape: Ints, width: int) -> tuple[View, int]:
        """Random words, and the number of counters that they require."""
        key, first = words
        whole = shape or (1,)
        even = [d for d, size in enumerate(whole) if size % 2 == 0]
        dimension = even[0] if even else int(np.argmax(whole))
        size, before, after = whole[dimension], prod(whole[:dimension]), prod(whole[dimension + 1 :])
        pairs = (size + 1) // 2
        count = prod(shape) if width == 64 else before * pairs * after
        counters = self._counters(first, count)
        low, high = self._halves(counters)
        schedule = [*self._halves(key)]
        parity = self._number(THREEFRY_PARITY, _WORD)
        schedule.append(self._apply("xor", _WORD, self._apply("xor", _WORD, *schedule), parity))
        low, high = (self._apply("add", _WORD, x, k) for x, k in zip((low, high), schedule[:2], strict=True))
        registers = tuple(map(self._register, (low, high, *schedule)))
        low, high = (self._program.new(_array(count, _WORD)) for _ in range(2))
        self._program.add(
            Instruction(
                THREEFRY,
                low.register,
                registers,
                [0],
                is_early_clobber=True,
                work=count,
                more_results=(high.register,),
            )
        )
        if width == 64:
            wide = self._joined(self._stacked([low, high], _WORD), _WORD, 64)
            return self._program.reshaped(wide, shape), count
        both = self._program.new_in_parts(TensorType((before, pairs, 2, after), _unsigned(_WORD)))
        for n, half in enumerate((low, high)):
            target = both.sliced((0, 0, n, 0), (1, 1, 1, 1), (before, pairs, 1, after))
            self._program.store(target, self._program.reshaped(half, target.shape))
        flat = self._program.reshaped(both, (before, 2 * pairs, after))
        return self._program.reshaped(flat.sliced((0, 0, 0), (1, 1, 1), (before, size, after)), shape), count

    def _philox(self, words: Sequence[View], shape: Ints, width: int) -> tuple[View, int]:
        """Random words, and the number of counters that they require."""
        key, first, upper = words[0], words[1], words[-1] if len(words) == 3 else words[0]
        each = 128 // width
        count = -(-prod(shape) // each)
        counters = self._counters(first, count)
        ab = self._rotated(counters, 64, _WORD)
        cd = self._rotated(self._apply("add", 64, self._carry(counters, first), upper), 64, _WORD)
        keys = [self._apply("and", 64, key, self._number(_LOW, 64)), self._shifted(key, 64, -_WORD)]
        for _ in range(10):
            products = [
                self._apply("multiply", 64, self._shifted(x, 64, -_WORD), self._number(multiplier, 64))
                for x, multiplier in zip((ab, cd), PHILOX_MULTIPLIERS, strict=True)
            ]
            mixed = [self._apply("xor", 64, x, k) for x, k in zip((ab, cd), keys, strict=True)]
            upper_halves = [self._shifted(x, 64, _WORD) for x in mixed]
            ab = self._apply("xor", 64, upper_halves[0], products[1])
            cd = self._apply("xor", 64, upper_halves[1], products[0])
            keys = [
                self._apply(
                    "and", 64, self._apply("add", 64, k, self._number(weyl, 64)), self._number(_LOW, 64)
                )
                for k, weyl in zip(keys, PHILOX_WEYL, strict=True)
            ]
        if width == 64:
            parts = [self._rotated(x, 64, _WORD) for x in (ab, cd)]
        else:
            parts = [half for x in (ab, cd) for half in reversed(self._halves(x))]
        flat = self._program.reshaped(self._stacked(parts, width), (each * count,))
        return self._program.reshaped(flat.sliced((0,), (1,), (prod(shape),)), shape), count

    # Operations on unsigned integers ---------------------------------------------------------------

    def _halves(self, x: View) -> tuple[View, View]:
        """The lower and the upper words of 64-bit numbers."""
        return self._converted(x, _WORD), self._converted(self._shifted(x, 64, -_WORD), _WORD)

    def _number(self, value: int, width: int) -> View:
        type_ = TensorType((), _unsigned(width))
        return self._program.constant(type_, type_.element_type.dtype.type(value))

    def _rotated(self, x: View, width: int, distance: int) -> View:
        return self._apply(
            "rotate", width, x, self._number(distance, width), self._number(width - distance, width)
        )

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


_LOW = (1 << _WORD) - 1


def _unsigned(width: int) -> ElementType:
    return ELEMENT_TYPES[f"ui{width}"]


def _array(count: int, width: int) -> TensorType:
    return TensorType((count,), _unsigned(width))
