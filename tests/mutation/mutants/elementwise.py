"""Mistakes in element-wise kernels, their scalars, and the sources of generated code."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

ARITHMETIC = "hlokit.kernels.elementwise.arithmetic"
CHLO = "hlokit.kernels.elementwise.chlo"
CHOICES = "hlokit.kernels.elementwise.compare_and_select"
CONVERT = "hlokit.kernels.elementwise.convert"
FACTORIES = "hlokit.kernels.elementwise.kernel_factories"
INTEGERS = "hlokit.kernels.elementwise.integer_functions"
TIERS = "tests/reference/test_tiers_of_operations.py::test_every_tier_agrees_with_the_reference[{}]".format
RANKS = "tests/unit/kernels/elementwise/test_ranks_agree.py"

MUTANTS: tuple[Mutant, ...] = (
    # Arrays
    mutant(
        "round_nearest_afz rounds halves up",
        f"{ARITHMETIC}:_round_nearest_afz",
        "np.trunc(operand + np.copysign(below_half, operand))",
        "np.floor(operand + operand.dtype.type(0.5))",
        "tests/interpret/round_nearest_afz.mlir",
    ),
    mutant(
        "maximum leaves the sign of 0 open",
        f"{ARITHMETIC}:maximum",
        "result = np.maximum(lhs, rhs)",
        "return np.maximum(lhs, rhs)",
        "tests/interpret/maximum.mlir",
    ),
    mutant(
        "minimum leaves the sign of 0 open",
        f"{ARITHMETIC}:minimum",
        "result = np.minimum(lhs, rhs)",
        "return np.minimum(lhs, rhs)",
        "tests/interpret/minimum.mlir",
    ),
    mutant(
        "the sign of -0 is 0",
        f"{ARITHMETIC}:_sign",
        "np.copysign(np.sign(operand), operand)",
        "np.sign(operand) + 0",
        "tests/interpret/sign.mlir",
    ),
    mutant(
        "remainder of floats rounds down",
        f"{ARITHMETIC}:_remainder",
        "np.trunc(dividend / divisor)",
        "np.floor(dividend / divisor)",
        "tests/interpret/remainder.mlir",
    ),
    mutant(
        "division of integers rounds down",
        f"{INTEGERS}:divide_signed",
        "(quotient ^ sign) - sign",
        "np.floor_divide(lhs, rhs)",
        "tests/interpret/divide.mlir",
    ),
    mutant(
        "remainder of integers rounds down",
        f"{INTEGERS}:remainder",
        "np.fmod",
        "np.mod",
        "tests/interpret/remainder.mlir",
    ),
    mutant(
        "logical shifts keep the sign",
        f"{INTEGERS}:shift_right_logical",
        "np.right_shift(as_unsigned(lhs), as_unsigned(rhs))",
        "np.right_shift(lhs, rhs)",
        "tests/interpret/shift_right_logical.mlir",
    ),
    mutant(
        "popcnt is off by one",
        f"{INTEGERS}:popcnt",
        "np.bitwise_count(as_unsigned(operand))",
        "(np.bitwise_count(as_unsigned(operand)) + 1)",
        "tests/interpret/popcnt.mlir",
    ),
    mutant(
        "-1 to a negative power is 0",
        f"{INTEGERS}:power",
        " | (lhs == -1)",
        "",
        "tests/interpret/power.mlir",
    ),
    mutant(
        "the quotient of integers and 0 is 0",
        f"{INTEGERS}:divide_unsigned",
        "~np.zeros((), lhs.dtype)",
        "np.zeros((), lhs.dtype)",
        "tests/interpret/divide.mlir",
    ),
    mutant(
        "complex numbers are not <= themselves",
        f"{CHOICES}:_less_or_equal",
        " | (lhs == rhs)",
        "",
        "tests/interpret/compare.mlir",
    ),
    mutant(
        "the total order ignores that larger negative bits are smaller numbers",
        f"{CHOICES}:total_order_key",
        "bits ^ ((bits >> (8 * signed.itemsize - 1)) & magnitude)",
        "bits",
        "tests/interpret/compare.mlir",
    ),
    mutant(
        "a scalar pred selects the other operand",
        f"{CHOICES}:select",
        "on_true if pred else on_false",
        "on_false if pred else on_true",
        "tests/interpret/select.mlir",
    ),
    mutant(
        "clamp prefers min where min > max",
        f"{CHOICES}:_clamp_integer",
        "np.minimum(np.maximum(operand, min_), max_)",
        "np.maximum(np.minimum(operand, max_), min_)",
        "tests/unit/kernels/elementwise/test_compare_and_select.py::test_clamp",
    ),
    mutant(
        "floats above the range of integers wrap",
        f"{CONVERT}:_saturated",
        "np.where(operand > high, target.type(most), inside)",
        "inside",
        "tests/interpret/convert.mlir",
    ),
    mutant(
        "NaN as an integer is not 0",
        f"{CONVERT}:_saturated",
        "np.where(np.isnan(operand), source.type(0), operand)",
        "operand",
        "tests/interpret/convert.mlir",
    ),
    mutant(
        "integers of 64 bits are rounded twice",
        f"{CONVERT}:_with_sticky_bit",
        "(low != 0)",
        "(low < 0)",
        "tests/unit/kernels/elementwise/test_convert.py::test_ties_are_decided_once",
    ),
    mutant(
        "the greatest signed integer is one too great",
        f"{CONVERT}:_range",
        "(1 << (target.width - 1)) - 1\n",
        "1 << (target.width - 1)\n",
        "tests/interpret/convert.mlir",
    ),
    mutant(
        "a complex number converts by its size",
        f"{CONVERT}:_real_part",
        "operand.real",
        "abs(operand)",
        "tests/interpret/convert.mlir",
    ),
    mutant(
        "reduce_precision rounds ties down",
        "hlokit.kernels.elementwise.bits:_rounded",
        "magnitude + half + odd",
        "magnitude + half",
        "tests/interpret/reduce_precision.mlir",
    ),
    mutant(
        "reduce_precision keeps exponents that are too large",
        "hlokit.kernels.elementwise.bits:reduce_precision",
        "overflows |= exponent > layout.bias + range_",
        "overflows |= exponent > layout.bias + range_ + 1",
        "tests/interpret/reduce_precision.mlir",
    ),
    mutant(
        "the first element of packed bits is in the highest ones",
        "hlokit.kernels.elementwise.bits:_repack",
        'bitorder="little")[:, : source.width]',
        'bitorder="big")[:, : source.width]',
        "tests/interpret/bitcast_convert.mlir",
    ),
    mutant(
        "narrow integers lose their sign",
        f"{FACTORIES}:sign_extend",
        "1 << (width - 1)",
        "1 << width",
        "tests/interpret/shift_right_arithmetic.mlir",
    ),
    mutant(
        "the upper half of a product has one bit of the lower",
        f"{CHLO}:_mulhi",
        "wide.type(width)",
        "wide.type(width - 1)",
        "tests/interpret/chlo/mulhi.mlir",
    ),
    mutant(
        "next_after of narrow floats goes away from the target",
        f"{CHLO}:_next_after_narrow",
        "np.where(upward, 1, -1)",
        "np.where(upward, -1, 1)",
        "tests/interpret/chlo/next_after.mlir",
    ),
    # Scalars
    mutant(
        "maximum of scalars ignores NaN",
        f"{ARITHMETIC}:_greater",
        "rhs if rhs > lhs else None",
        "rhs",
        "tests/reference/test_tiers_of_operations.py::test_every_tier_agrees_with_the_reference",
    ),
    mutant(
        "minimum of scalars ignores NaN",
        f"{ARITHMETIC}:_smaller",
        "rhs if rhs < lhs else None",
        "rhs",
        "tests/reference/test_tiers_of_operations.py::test_every_tier_agrees_with_the_reference",
    ),
    mutant(
        "clamp of scalars has no upper bound",
        f"{CHOICES}:_clamp_of_floats",
        "max_ if result > max_ else None",
        "result",
        "tests/unit/kernels/elementwise/test_compare_and_select.py::test_clamp_with_one_bound_for_all",
    ),
    mutant(
        "leading zeros of negative scalars are those of their size",
        f"{ARITHMETIC}:_count_leading_zeros_of_scalar",
        "_bits(operand).bit_length()",
        "int(abs(operand)).bit_length()",
        "tests/reference/test_tiers_of_operations.py::test_every_tier_agrees_with_the_reference",
    ),
    mutant(
        "the operator of subtract swaps scalars",
        f"{FACTORIES}:_OPERATORS",
        "operator.sub",
        "lambda lhs, rhs: rhs - lhs",
        "tests/reference/test_tiers_of_operations.py::test_every_tier_agrees_with_the_reference",
    ),
    mutant(
        "scalars of floats are converted to integers by the nearest one",
        f"{CONVERT}:_fast_path_converter",
        "zero + int(operand)",
        "zero + round(operand)",
        "tests/unit/kernels/elementwise/test_convert.py::test_numpy_scalars_become_integers_towards_zero",
    ),
    # Sources of generated code
    mutant(
        "the source of subtract has its operands swapped",
        f"{ARITHMETIC}:subtract",
        'float_=arithmetic(np.subtract, "{0} - {1}")',
        'float_=arithmetic(np.subtract, "{1} - {0}")',
        TIERS("f32"),
    ),
    mutant(
        "the source of abs is that of negate",
        f"{ARITHMETIC}:abs_",
        'sign_bit(np.absolute, np.bitwise_and, "abs({0})")',
        'sign_bit(np.absolute, np.bitwise_and, "-{0}")',
        TIERS("f32"),
    ),
    mutant(
        "the source of xor is that of or",
        f"{ARITHMETIC}:xor",
        'integer(np.bitwise_xor, "{0} ^ {1}")',
        'integer(np.bitwise_xor, "{0} | {1}")',
        TIERS("i32"),
    ),
)
