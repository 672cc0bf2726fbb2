"""Every opcode of the native VM gives the reference's bytes: in fused code, in a native loop, and in a region.

A new opcode fails here until the card of an operation (`operations/cards`) names it; the card gives the program
for the reference. An opcode that belongs to no operation needs a formula in FORMULAS.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels
from hlokit.engine.native.ir.target import TYPES, VM_TYPES, bits_of, encode_instruction
from hlokit.operations import lookup as traits
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from reference.evaluating import results
from reference.special_values import picked
from tests.unit.lib.vm.scalar_programs import scalar_program

Array = npt.NDArray[Any]

SIZE = 48
OPCODES = _kernels.opcodes()
NAMES = sorted({name for _, name, _, _ in OPCODES})
OPERATIONS = {opcode: name for name in reversed(traits.operations()) for opcode in traits.opcode_names(name)}

# Definitions of opcodes that belong to no operation: %0, %1, ... are the operands of type $, %r is the
# result. # is the type of their bits, ! that of predicates; MIXER and HALF are numbers of BITS.
FORMULAS = {
    "canonical_nan": """
        %false = stablehlo.constant dense<false> : !
        %zero = stablehlo.convert %false : (!) -> $
        %r = stablehlo.subtract %0, %zero : $
    """,
    "disturb": """
        %mixer = stablehlo.constant dense<MIXER> : #
        %half = stablehlo.constant dense<HALF> : #
        %one = stablehlo.constant dense<1.0> : $
        %bits0 = stablehlo.bitcast_convert %0 : ($) -> #
        %bits1 = stablehlo.bitcast_convert %1 : ($) -> #
        %amount = stablehlo.multiply %bits1, %mixer : #
        %both = stablehlo.xor %bits0, %amount : #
        %mixed = stablehlo.multiply %both, %mixer : #
        %upper = stablehlo.shift_right_logical %mixed, %half : #
        %folded = stablehlo.xor %mixed, %upper : #
        %random = stablehlo.multiply %folded, %mixer : #
        %minus_one = stablehlo.constant dense<-1.0> : $
        %bits_of_minus = stablehlo.bitcast_convert %minus_one : ($) -> #
        %bits_of_one = stablehlo.bitcast_convert %one : ($) -> #
        %sign = stablehlo.xor %bits_of_minus, %bits_of_one : #
        %flip = stablehlo.and %random, %sign : #
        %turned = stablehlo.xor %bits1, %flip : #
        %change = stablehlo.bitcast_convert %turned : (#) -> $
        %factor = stablehlo.add %one, %change : $
        %moved = stablehlo.multiply %0, %factor : $
        %finite = stablehlo.is_finite %moved : ($) -> !
        %r = stablehlo.select %finite, %moved, %0 : !, $
    """,
    "floor_divide": """
        %q = stablehlo.divide %0, %1 : $
        %m = stablehlo.remainder %0, %1 : $
        %zero = stablehlo.subtract %0, %0 : $
        %one = stablehlo.constant dense<1> : $
        %inexact = stablehlo.compare NE, %m, %zero : ($, $) -> !
        %sign0 = stablehlo.sign %0 : $
        %sign1 = stablehlo.sign %1 : $
        %differ = stablehlo.compare NE, %sign0, %sign1 : ($, $) -> !
        %both = stablehlo.and %inexact, %differ : !
        %below = stablehlo.subtract %q, %one : $
        %r = stablehlo.select %both, %below, %q : !, $
    """,
    "floor_remainder": """
        %m = stablehlo.remainder %0, %1 : $
        %zero = stablehlo.subtract %0, %0 : $
        %inexact = stablehlo.compare NE, %m, %zero : ($, $) -> !
        %below0 = stablehlo.compare LT, %m, %zero : ($, $) -> !
        %below1 = stablehlo.compare LT, %1, %zero : ($, $) -> !
        %differ = stablehlo.compare NE, %below0, %below1 : (!, !) -> !
        %both = stablehlo.and %inexact, %differ : !
        %corrected = stablehlo.add %m, %1 : $
        %r = stablehlo.select %both, %corrected, %m : !, $
    """,
    "normalize_index": """
        %zero = stablehlo.subtract %0, %0 : $
        %negative = stablehlo.compare LT, %0, %zero : ($, $) -> !
        %from_end = stablehlo.add %0, %1 : $
        %r = stablehlo.select %negative, %from_end, %0 : !, $
    """,
    "rotate": """
        %up = stablehlo.shift_left %0, %1 : $
        %down = stablehlo.shift_right_logical %0, %2 : $
        %r = stablehlo.or %up, %down : $
    """,
}
# Opcodes that return their third operand, or 0 where the operation on the others is exact.
ROUNDING: dict[str, Callable[[Any, Any], Any]] = {
    "add_rounds": operator.add,
    "subtract_rounds": operator.sub,
    "multiply_rounds": operator.mul,
    "divide_rounds": operator.truediv,
}
# The constants of hashes, by the width of their words.
BITS = {32: ("0x7F4A7C15", "16"), 64: ("0x9E3779B97F4A7C15", "32")}


def program(name: str, result: str, operands: tuple[str, ...]) -> str:
    """The computation of an opcode, as a program."""
    shaped = [f"tensor<{SIZE}x{type_}>" for type_ in (*operands, result)]
    arguments = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(shaped[:-1]))
    if name in FORMULAS:
        body = FORMULAS[name].replace("$", shaped[0]).replace("!", f"tensor<{SIZE}xi1>")
        width = ELEMENT_TYPES[result].width
        mixer, half = BITS.get(width, ("", ""))
        body = body.replace("#", f"tensor<{SIZE}xui{width}>").replace("MIXER", mixer).replace("HALF", half)
    else:
        used = ", ".join(f"%{index}" for index in range(len(operands)))
        types = f"({', '.join(shaped[:-1])}) -> {shaped[-1]}"
        body = f'%r = "{OPERATIONS[name]}"({used}) {attributes(name, operands[0])} : {types}'
    return f"func.func @main({arguments}) -> {shaped[-1]} {{\n{body}\nreturn %r : {shaped[-1]}\n}}"


def amounts_where_rounded(name: str, operands: list[Array]) -> Array:
    """What an opcode of `ROUNDING` returns, by rational numbers."""
    apply, (lhs, rhs, amounts) = ROUNDING[name], operands
    one, largest = lhs.dtype.type(1), np.finfo(lhs.dtype).max

    def is_exact(a: Any, b: Any) -> bool:
        if name == "divide_rounds" and b == 0:
            return False
        exact = apply(Fraction(float(a)), Fraction(float(b)))
        rounded = apply(a, b)
        # Products of f64 next to zero have errors that are no f64.
        tiny = Fraction(float(a)) if name == "divide_rounds" else exact if name == "multiply_rounds" else 1
        if lhs.dtype == np.float64 and abs(tiny) <= 2.0**-960:
            return False
        by_reciprocal = name != "divide_rounds" or a * (one / b) == rounded
        return bool(abs(exact) <= largest and Fraction(float(rounded)) == exact and by_reciprocal)

    with np.errstate(all="ignore"):
        exact = [is_exact(a, b) for a, b in zip(lhs, rhs, strict=True)]
    return np.where(exact, lhs.dtype.type(0), amounts)


def attributes(name: str, operand: str) -> str:
    if OPERATIONS[name] != "stablehlo.compare":
        return ""
    *order, direction = name.split()
    kind = ELEMENT_TYPES[operand].kind
    usual = {Kind.SIGNED: "SIGNED", Kind.UNSIGNED: "UNSIGNED", Kind.BOOL: "UNSIGNED"}.get(kind, "FLOAT")
    return (
        f"{{comparison_direction = #stablehlo<comparison_direction {direction}>, "
        f"compare_type = #stablehlo<comparison_type {(*order, usual)[0]}>}}"
    )


def in_fused_code(number: int, result: str, types: tuple[str, ...], operands: list[Array]) -> Array:
    count = len(operands)
    inputs = [(register, 2, (), ()) for register in range(count)]
    code = [encode_instruction(number, count, list(range(count)))]
    made = np.empty(SIZE, ELEMENT_TYPES[result].dtype)
    assert _kernels.FusedProgram([*types, result], code, inputs, [count]).run(
        [bits_of(each) for each in operands], [bits_of(made)]
    )
    return made


def in_loop(number: int, result: str, types: tuple[str, ...], operands: list[Array]) -> Array:
    count = len(operands)
    dtype = ELEMENT_TYPES[result].dtype
    code = [encode_instruction(number, count, list(range(count)))]
    program = scalar_program([*types, result], code, dtype)
    return np.array([program.run(each) for each in zip(*operands, strict=True)], dtype)


def in_region(number: int, result: str, types: tuple[str, ...], operands: list[Array]) -> Array:
    """Reductions of one element each: (initial values, values) -> (operands, unchanged; result)."""
    count, kinds = len(operands), [*types, result]
    register = 2 * (count + 1)
    values = list(range(count + 1, register))
    code = [encode_instruction(number, register, values[:count])]
    body = _kernels.Body([*kinds, *kinds, result], code, list(range(register)), [*values[:-1], register])
    arrays = [*operands, np.zeros(SIZE, ELEMENT_TYPES[result].dtype)]
    made = [np.empty_like(array) for array in arrays]
    image, inits = np.zeros(register + 1, np.uint64), np.zeros(count + 1, np.uint64)
    buffers = [[bits_of(each) for each in group] for group in (arrays, made)]
    body.reduce(image, buffers[0], inits, buffers[1], (1, 1, SIZE))
    return made[-1]


def canonical(array: Array) -> bytes:
    """The bytes, with one NaN in place of all NaNs: `canonical_nan` makes NaNs canonical in the VM."""
    parts = array.view(array.real.dtype) if array.dtype.kind == "c" else array
    if parts.dtype.kind == "f" or parts.dtype.num > 23:
        parts = parts.copy()
        parts[np.isnan(parts)] = np.nan
    return parts.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_opcode_gives_the_bytes_of_the_reference(name: str) -> None:
    assert name in FORMULAS or name in ROUNDING or name in OPERATIONS, f"no card has the opcode {name}"
    for number, _, result, types in (row for row in OPCODES if row[1] == name):
        operands = picked(types, SIZE, len(types))
        # Functions of f32 whose result is the f64 before rounding.
        is_unrounded = (
            result == "f64" and types[0] == "f32" and traits.traits_of(OPERATIONS.get(name, "")).ulps
        )
        if name in ROUNDING:
            operands = [
                np.where(np.isfinite(operand), operand, 1).astype(operand.dtype) for operand in operands
            ]
            expected = amounts_where_rounded(name, operands)
        else:
            (expected,) = results(program(name, "f32" if is_unrounded else result, types), *operands)
        tiers = [in_fused_code]
        if {result, *types} <= TYPES:
            tiers += [in_loop, in_region]
        for tier in tiers:
            with np.errstate(all="ignore"):
                made = tier(number, result, types, operands).astype(expected.dtype)
            in_bytes = np.ndarray.tobytes if name == "canonical_nan" else canonical
            wrong = [
                index
                for index in range(SIZE)
                if in_bytes(made[index : index + 1]) != in_bytes(expected[index : index + 1])
            ]
            detail = [([each[i] for each in operands], made[i], expected[i]) for i in wrong[:3]]
            assert not wrong, f"{name} {types} -> {result} {tier.__name__}: {detail}"


def test_only_complex_numbers_are_unknown_to_loops_and_regions() -> None:
    complexes = {type_ for _, _, result, types in OPCODES for type_ in (result, *types)} - TYPES
    assert complexes == VM_TYPES - TYPES == {"complex<f32>", "complex<f64>"}
    for number, _, result, types in OPCODES:
        if complexes.isdisjoint((result, *types)):
            continue
        code = [encode_instruction(number, len(types), list(range(len(types))))]
        with pytest.raises(ValueError):
            _kernels.Program([*types, result], code)
        with pytest.raises(ValueError):
            _kernels.Body([*types, result], code, list(range(len(types))), [len(types)])
