"""Arithmetic: operations of numbers that are exact or rounded once."""

from __future__ import annotations

import numpy as np

from hlokit.kernels.elementwise import arithmetic, compare_and_select
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import NO_BOUND, NOT_MEASURED, ByElement, Card, Extended
from hlokit.operations.cards.elementwise_kinds import elementwise
from hlokit.operations.cards.native import Hole, OfComplex, Part
from hlokit.operations.cards.variants import elements as variants
from hlokit.operations.traits import Domain, Nans, Quantized, Traits
from hlokit.passes.rules import guards
from hlokit.reference.model.calls import binary, unary
from hlokit.reference.stablehlo import elementwise as ref_elementwise
from hlokit.reference.stablehlo import functions as ref_functions
from hlokit.tools.bounds.rules import bound_complex, bound_rules
from hlokit.tools.diff.rules import open_values
from hlokit.tools.equal.rules import bit_formulas, formulas
from hlokit.tools.numerics.rules import exact, extended, samples, sequential

CARDS: tuple[Card, ...] = (
    elementwise(
        "stablehlo.abs",
        formula="|operand|; the smallest integer wraps to itself",
        opcodes=("abs",),
        traits=Traits(
            aliases=("absolute", "fabs"),
            projection=True,
            even=True,
            folds=True,
            no_components=True,
            vm_complex=True,
            quantized=Quantized.DEQUANTIZES,
            nans=Nans.BY_TYPE,
        ),
        kernel=arithmetic.abs_,
        exact=formulas.ABSOLUTE,
        reference=unary(ref_elementwise.abs_),
        shadow=Extended(np.abs),
        bound=ByElement(bound_rules.same_radius, bound_rules.same_radius),
        samples=(
            samples.Samples(exact=None, quick=np.absolute, takes_complex=False),
            samples.Samples(exact=lambda x: exact.mp().fabs(x), quick=np.absolute, takes_float=False),
        ),
        guard=None,
        probe=((probes.SAME, ""), ("2xcomplex<f32> -> 2x$", "")),
        bits=bit_formulas.ABSOLUTE,
    ),
    elementwise(
        "stablehlo.add",
        formula="lhs + rhs; lhs or rhs for booleans",
        operands=2,
        opcodes=("add",),
        traits=Traits(
            aliases=("plus", "add_any"),
            identity=0,
            rounded=True,
            allocates=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=arithmetic.add,
        exact=formulas.ADD,
        reference=binary(ref_elementwise.add),
        shadow=Extended(np.add),
        bound=ByElement(bound_rules.add, bound_rules.add),
        samples=(
            samples.Samples(exact=lambda x, y: exact.mp().fadd(x, y, exact=True), quick=np.add, operands=2),
        ),
        guard=None,
        bits=bit_formulas.ADD,
    ),
    elementwise(
        "stablehlo.complex",
        formula="lhs + i rhs",
        operands=2,
        opcodes=("complex",),
        traits=Traits(exact=True, no_components=True, vm_complex=True, nans=Nans.PASS),
        kernel=arithmetic.complex_,
        exact=formulas.COMPLEX,
        reference=binary(ref_elementwise.complex_),
        shadow=Extended(extended.complex_),
        bound=ByElement(bound_rules.parts, NO_BOUND),
        samples=NOT_MEASURED,
        guard=None,
        probe=(("2xf32, 2xf32 -> 2x$", ""),),
        bits=bit_formulas.COMPLEX,
    ),
    elementwise(
        "stablehlo.divide",
        formula="lhs / rhs; of integers truncated toward zero, with all bits set for rhs = 0",
        operands=2,
        opcodes=("divide",),
        traits=Traits(
            aliases=("div", "truediv", "true_divide", "quotient"),
            domains=(("rhs", Domain.POSITIVE),),
            rounded=True,
            allocates=True,
            choices=True,
            vm_complex=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=arithmetic.divide,
        exact=formulas.DIVIDE,
        reference=binary(ref_elementwise.divide),
        shadow=Extended(np.divide),
        bound=ByElement(bound_rules.divide, bound_rules.divide),
        samples=(samples.Samples(exact=lambda x, y: x / y, quick=np.divide, operands=2),),
        guard=guards.divides_by_nonzero,
        open=(open_values.ZERO_DIVISOR,),
        bits=bit_formulas.DIVIDE,
    ),
    elementwise(
        "stablehlo.imag",
        formula="imaginary part of operand, 0 for a float",
        opcodes=("imag",),
        traits=Traits(aliases=("imaginary",), exact=True, no_components=True, nans=Nans.PASS),
        kernel=arithmetic.imag,
        exact=formulas.IMAGINARY,
        reference=unary(ref_elementwise.imag),
        shadow=Extended(np.imag),
        bound=ByElement(NO_BOUND, bound_rules.same_radius),
        samples=NOT_MEASURED,
        guard=None,
        probe=((probes.SAME, ""), ("2x$ -> 2xf32", "")),
        bits=bit_formulas.IMAGINARY,
    ),
    elementwise(
        "stablehlo.maximum",
        formula=(
            "the greater of lhs and rhs; NaN if either is; +0 > -0; complex numbers in lexicographic order"
        ),
        operands=2,
        opcodes=("maximum",),
        traits=Traits(
            aliases=("max", "relu"), extremum=True, vm_faster=True, quantized=Quantized.DEQUANTIZES
        ),
        kernel=arithmetic.maximum_,
        exact=formulas.EXTREMUM,
        reference=binary(ref_elementwise.maximum),
        shadow=Extended(np.maximum),
        bound=ByElement(bound_rules.extremum, NO_BOUND),
        samples=(samples.Samples(exact=None, quick=samples.maximum, operands=2, takes_complex=False),),
        guard=None,
        open=(open_values.COMPLEX_TIES,),
        bits=bit_formulas.MAXIMUM,
    ),
    elementwise(
        "stablehlo.minimum",
        formula=(
            "the smaller of lhs and rhs; NaN if either is; -0 < +0; complex numbers in lexicographic order"
        ),
        operands=2,
        opcodes=("minimum",),
        traits=Traits(aliases=("min",), extremum=True, vm_faster=True, quantized=Quantized.DEQUANTIZES),
        kernel=arithmetic.minimum_,
        exact=formulas.EXTREMUM,
        reference=binary(ref_elementwise.minimum),
        shadow=Extended(np.minimum),
        bound=ByElement(bound_rules.extremum, NO_BOUND),
        samples=(samples.Samples(exact=None, quick=samples.minimum, operands=2, takes_complex=False),),
        guard=None,
        open=(open_values.COMPLEX_TIES,),
        bits=bit_formulas.MINIMUM,
    ),
    elementwise(
        "stablehlo.multiply",
        formula="lhs * rhs; lhs and rhs for booleans",
        operands=2,
        opcodes=("multiply",),
        traits=Traits(
            aliases=("mul", "times"),
            identity=1,
            rounded=True,
            allocates=True,
            vm_complex=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=arithmetic.multiply,
        sequential=sequential.multiply,
        exact=formulas.MULTIPLY,
        reference=binary(ref_elementwise.multiply),
        shadow=Extended(np.multiply),
        bound=ByElement(bound_rules.multiply, bound_rules.multiply),
        samples=(
            samples.Samples(
                exact=lambda x, y: exact.mp().fmul(x, y, exact=True), quick=np.multiply, operands=2
            ),
        ),
        guard=None,
        bits=bit_formulas.MULTIPLY,
    ),
    elementwise(
        "stablehlo.negate",
        formula="-operand",
        opcodes=("negate",),
        traits=Traits(aliases=("neg", "negative"), exact=True, folds=True, quantized=Quantized.DEQUANTIZES),
        kernel=arithmetic.negate,
        exact=formulas.NEGATE,
        reference=unary(ref_elementwise.negate),
        shadow=Extended(np.negative),
        bound=ByElement(bound_rules.same_radius, bound_rules.same_radius),
        samples=(samples.Samples(exact=None, quick=np.negative, takes_complex=False),),
        guard=None,
        bits=bit_formulas.NEGATE,
    ),
    elementwise(
        "stablehlo.real",
        formula="real part of operand",
        opcodes=("real",),
        traits=Traits(exact=True, no_components=True, nans=Nans.PASS),
        kernel=arithmetic.real_,
        exact=formulas.REAL,
        reference=unary(ref_elementwise.real),
        shadow=Extended(np.real),
        bound=ByElement(NO_BOUND, bound_rules.same_radius),
        samples=NOT_MEASURED,
        guard=None,
        probe=((probes.SAME, ""), ("2x$ -> 2xf32", "")),
        bits=bit_formulas.REAL,
    ),
    elementwise(
        "stablehlo.remainder",
        formula="lhs - d * rhs, d being lhs / rhs truncated toward zero; lhs for an integer rhs = 0",
        operands=2,
        opcodes=("remainder",),
        traits=Traits(
            aliases=("rem", "mod", "fmod"),
            domains=(("rhs", Domain.POSITIVE),),
            exact=True,
            choices=True,
            quantized=Quantized.DEQUANTIZES,
            nans=Nans.ONE,
            vm_faster=True,
        ),
        kernel=arithmetic.remainder,
        exact=formulas.REMAINDER,
        reference=binary(ref_elementwise.remainder),
        shadow=Extended(np.fmod),
        bound=ByElement(bound_rules.remainder, NO_BOUND),
        samples=(samples.Samples(exact=None, quick=np.fmod, operands=2, takes_complex=False),),
        guard=guards.divides_by_nonzero,
        open=(open_values.ZERO_MODULUS,),
        bits=bit_formulas.REMAINDER,
    ),
    elementwise(
        "stablehlo.sign",
        formula=("-1, 0 or 1 with the sign of operand; zeros and NaN stay; z / |z| for complex numbers"),
        opcodes=("sign",),
        native=(OfComplex(Part.NONE, Hole.ZERO),),
        traits=Traits(
            aliases=("signum",),
            projection=True,
            vm_faster=True,
            quantized=Quantized.DEQUANTIZES,
            nans=Nans.BY_TYPE,
        ),
        kernel=arithmetic.sign,
        exact=formulas.SIGN,
        reference=unary(ref_elementwise.sign),
        shadow=Extended(np.sign),
        bound=ByElement(bound_rules.stepwise, bound_complex.sign),
        samples=(
            samples.Samples(exact=None, quick=samples.sign, takes_complex=False),
            samples.Samples(exact=exact.sign, quick=None, takes_float=False),
        ),
        guard=guards.sign_is_defined,
        bits=bit_formulas.SIGN,
    ),
    elementwise(
        "stablehlo.sqrt",
        formula="the square root of operand",
        opcodes=("sqrt",),
        native=(OfComplex(Part.NONE, Hole.NEVER),),
        traits=Traits(
            aliases=("square_root",),
            domains=(("operand", Domain.POSITIVE),),
            rounded=True,
            allocates=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=arithmetic.sqrt,
        exact=formulas.FUNCTION,
        reference=unary(ref_functions.sqrt),
        shadow=Extended(np.sqrt),
        bound=ByElement(bound_rules.monotone, bound_complex.sqrt),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().sqrt(x), quick=np.sqrt, ranges=((0.0, 8.0), (0.0, 1e6))
            ),
        ),
        guard=guards.is_defined,
    ),
    elementwise(
        "stablehlo.subtract",
        formula="lhs - rhs",
        operands=2,
        opcodes=("subtract",),
        traits=Traits(
            aliases=("sub", "minus"), rounded=True, allocates=True, quantized=Quantized.DEQUANTIZES
        ),
        kernel=arithmetic.subtract,
        exact=formulas.SUBTRACT,
        reference=binary(ref_elementwise.subtract),
        shadow=Extended(np.subtract),
        bound=ByElement(bound_rules.add, bound_rules.add),
        samples=(
            samples.Samples(
                exact=lambda x, y: exact.mp().fsub(x, y, exact=True), quick=np.subtract, operands=2
            ),
        ),
        guard=None,
        bits=bit_formulas.SUBTRACT,
    ),
    elementwise(
        "stablehlo.clamp",
        formula=(
            "result[i] = minimum(maximum(operand[i], min[i]), max[i]); bounds of rank 0 apply everywhere"
        ),
        operands=3,
        opcodes=("clamp",),
        traits=Traits(
            aliases=("clip",),
            scalars=True,
            exact=True,
            vm_faster=True,
            quantized=Quantized.DEQUANTIZES,
            nans=Nans.ONE,
        ),
        variants=variants.CLAMP,
        kernel=compare_and_select.clamp,
        exact=formulas.CLAMP,
        reference=lambda call: ref_elementwise.clamp(*call.tensors),
        shadow=Extended(extended.clamp),
        bound=ByElement(bound_rules.clamp, NO_BOUND),
        samples=NOT_MEASURED,
        guard=None,
        probe=(("2x$, 2x$, 2x$ -> 2x$", ""),),
        open=(open_values.COMPLEX_TIES,),
        bits=bit_formulas.CLAMP,
    ),
)
