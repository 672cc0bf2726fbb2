"""Functions of StableHLO."""

from __future__ import annotations

import numpy as np

from hlokit.kernels.elementwise import transcendental
from hlokit.operations.cards.card import NO_BOUND, ByElement, Card, Extended
from hlokit.operations.cards.elementwise_kinds import function
from hlokit.operations.cards.native import Formulas, Hole, Narrow, OfComplex, OfFloats, Part
from hlokit.operations.traits import Domain, Quantized, Traits
from hlokit.passes.rules import guards
from hlokit.reference.model.calls import binary, unary
from hlokit.reference.stablehlo import functions as ref_functions
from hlokit.tools.bounds.rules import bound_complex, bound_rules
from hlokit.tools.diff.rules import open_values
from hlokit.tools.equal.rules import bit_formulas, formulas
from hlokit.tools.numerics.rules import exact, extended, samples

CARDS: tuple[Card, ...] = (
    function(
        "stablehlo.atan2",
        summary="The angle between the x axis and the point whose y coordinate is `lhs` and whose x coordinate is `rhs`, in radians. Unlike the arctangent of a quotient it knows all four quadrants.",
        formula="angle of the point (rhs, lhs)",
        operands=2,
        ulps=8,
        opcode="atan2",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.NONE, Hole.NEVER)),
        traits=Traits(aliases=("arctan2",), quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        reference=binary(ref_functions.atan2),
        shadow=Extended(extended.atan2),
        bound=ByElement(bound_rules.angle, NO_BOUND),
        samples=(
            samples.Samples(exact=exact.atan2, quick=np.arctan2, operands=2, takes_complex=False),
            samples.Samples(exact=exact.atan2, quick=None, operands=2, takes_float=False),
        ),
        guard=None,
    ),
    function(
        "stablehlo.cbrt",
        summary="The cube root of each element, which negative numbers have, too.",
        formula="the cube root of operand",
        ulps=8,
        opcode="cbrt",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.NONE, Hole.ZERO)),
        traits=Traits(quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        exact=formulas.CBRT,
        reference=unary(ref_functions.cbrt),
        shadow=Extended(extended.cbrt),
        bound=ByElement(bound_rules.monotone, bound_complex.cbrt),
        samples=(
            samples.Samples(
                exact=exact.cbrt,
                quick=samples.cbrt,
                ranges=((-8.0, 8.0), (-1e6, 1e6)),
                points=(1.0, -1.0, 8.0, 27.0),
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.cosine",
        summary="The cosine of each element, an angle in radians.",
        formula="cos(operand)",
        ulps=8,
        opcode="cosine",
        native=(OfFloats(Formulas.FAST, Narrow.ANGLE), OfComplex(Part.IMAG, Hole.NEVER)),
        traits=Traits(aliases=("cos",), even=True, allocates=True, quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        reference=unary(ref_functions.cosine),
        shadow=Extended(np.cos),
        bound=ByElement(bound_rules.sine_or_cosine, bound_complex.sine_or_cosine),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().cos(x),
                quick=np.cos,
                ranges=samples.ANGLES,
                points=samples.QUARTER_TURNS,
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.exponential",
        summary="e to the power of each element.",
        formula="exp(operand)",
        ulps=8,
        opcode="exponential",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.REAL, Hole.NEVER)),
        traits=Traits(aliases=("exp",), allocates=True, quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        exact=formulas.EXPONENTIAL,
        reference=unary(ref_functions.exponential),
        shadow=Extended(np.exp),
        bound=ByElement(bound_rules.monotone, bound_complex.exponential),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().exp(x),
                quick=np.exp,
                ranges=((-1.0, 1.0), (-110.0, 90.0), (-750.0, 711.0)),
                points=(
                    88.7228,
                    -87.3365,
                    -103.2789,
                    -103.972,
                    709.7827128933841,
                    -708.3964185322641,
                    -745.1332,
                    0.0,
                ),
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.exponential_minus_one",
        summary="e to the power of each element, less 1; exact also near 0, where the subtraction would lose all digits.",
        formula="exp(operand) - 1",
        ulps=8,
        opcode="exponential_minus_one",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.REAL, Hole.NEVER)),
        traits=Traits(aliases=("expm1",), quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        exact=formulas.EXPONENTIAL_MINUS_ONE,
        reference=unary(ref_functions.exponential_minus_one),
        shadow=Extended(np.expm1),
        bound=ByElement(bound_rules.monotone, bound_complex.exponential),
        samples=(
            samples.Samples(
                exact=exact.exponential_minus_one,
                quick=np.expm1,
                ranges=((-0.01, 0.01), (-1.0, 1.0), (-40.0, 90.0), (-40.0, 711.0)),
                points=(88.7228, 709.7827128933841, -17.33, -37.43, 0.6931, -0.6931),
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.log",
        summary="The natural logarithm of each element: -infinity of 0, NaN of negative numbers.",
        formula="log(operand)",
        ulps=8,
        opcode="log",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.NONE, Hole.ZERO)),
        traits=Traits(
            aliases=("ln",),
            domains=(("operand", Domain.POSITIVE),),
            allocates=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=transcendental.function,
        exact=formulas.LOG,
        reference=unary(ref_functions.log),
        shadow=Extended(np.log),
        bound=ByElement(bound_rules.monotone, bound_complex.log),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().log(x),
                quick=np.log,
                ranges=((0.0, 4.0), (0.95, 1.05), (0.0, 1e6)),
                points=(1.0, 2.0, 0.5),
            ),
        ),
        guard=guards.is_defined,
    ),
    function(
        "stablehlo.log_plus_one",
        summary="The natural logarithm of 1 + x; exact also near 0, where the addition would lose all digits.",
        formula="log(1 + operand)",
        ulps=8,
        opcode="log_plus_one",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.NONE, Hole.MINUS_ONE)),
        traits=Traits(
            aliases=("log1p",), domains=(("operand", Domain.POSITIVE),), quantized=Quantized.DEQUANTIZES
        ),
        kernel=transcendental.function,
        exact=formulas.LOG_PLUS_ONE,
        reference=unary(ref_functions.log_plus_one),
        shadow=Extended(np.log1p),
        bound=ByElement(bound_rules.monotone, bound_complex.log_plus_one),
        samples=(
            samples.Samples(
                exact=exact.log_plus_one,
                quick=samples.log_plus_one,
                ranges=((-1.0, 1.0), (-0.01, 0.01), (-1.0, 1e6)),
                points=(-1.0, 1.0, -0.5),
            ),
        ),
        guard=guards.is_defined,
    ),
    function(
        "stablehlo.logistic",
        summary="The sigmoid function, which maps all numbers to the range from 0 to 1.",
        formula="1 / (1 + exp(-operand))",
        ulps=8,
        opcode="logistic",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.REAL, Hole.NEVER)),
        traits=Traits(aliases=("sigmoid", "expit"), allocates=True, quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        exact=formulas.LOGISTIC,
        reference=unary(ref_functions.logistic),
        shadow=Extended(extended.logistic),
        bound=ByElement(bound_rules.monotone, bound_complex.logistic),
        samples=(
            samples.Samples(
                exact=lambda x: 1 / (1 + exact.mp().exp(-x)),
                quick=samples.logistic,
                ranges=((-8.0, 8.0), (-110.0, 40.0), (-750.0, 40.0)),
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.power",
        summary="`lhs` to the power of `rhs`, element by element. An integer to a negative power is 0, except for 1 and -1.",
        formula="lhs ** rhs",
        operands=2,
        ulps=8,
        opcode="power",
        native=(OfFloats(Formulas.FAST, Narrow.POWER), OfComplex(Part.NONE, Hole.NEVER)),
        traits=Traits(
            aliases=("pow",),
            domains=(("lhs", Domain.POSITIVE),),
            allocates=True,
            choices=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=transcendental.power,
        exact=formulas.POWER,
        reference=binary(ref_functions.power),
        shadow=Extended(np.power),
        bound=ByElement(bound_rules.power, bound_complex.power),
        samples=(
            samples.Samples(
                exact=exact.power,
                quick=np.power,
                operands=2,
                ranges=((0.0, 4.0), (0.99, 1.01), (-30.0, 30.0)),
                points=(1.0, -1.0, 2.0, 0.5, 3.0),
            ),
        ),
        guard=guards.power_is_defined,
        open=(open_values.NEGATIVE_EXPONENT,),
        bits=bit_formulas.POWER,
    ),
    function(
        "stablehlo.rsqrt",
        summary="One over the square root of each element, rounded once.",
        formula="1 / sqrt(operand)",
        ulps=8,
        opcode="rsqrt",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.ROOTS, Hole.ZERO)),
        traits=Traits(
            domains=(("operand", Domain.POSITIVE),), allocates=True, quantized=Quantized.DEQUANTIZES
        ),
        kernel=transcendental.function,
        exact=formulas.RSQRT,
        reference=unary(ref_functions.rsqrt),
        shadow=Extended(extended.rsqrt),
        bound=ByElement(bound_rules.monotone, bound_complex.rsqrt),
        samples=(
            samples.Samples(
                exact=lambda x: 1 / exact.mp().sqrt(x), quick=samples.rsqrt, ranges=((0.0, 8.0), (0.0, 1e6))
            ),
        ),
        guard=guards.is_defined,
    ),
    function(
        "stablehlo.sine",
        summary="The sine of each element, an angle in radians.",
        formula="sin(operand)",
        ulps=8,
        opcode="sine",
        native=(OfFloats(Formulas.FAST, Narrow.ANGLE), OfComplex(Part.IMAG, Hole.NEVER)),
        traits=Traits(aliases=("sin",), allocates=True, quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        reference=unary(ref_functions.sine),
        shadow=Extended(np.sin),
        bound=ByElement(bound_rules.sine_or_cosine, bound_complex.sine_or_cosine),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().sin(x),
                quick=np.sin,
                ranges=samples.ANGLES,
                points=samples.QUARTER_TURNS,
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.tan",
        summary="The tangent of each element, an angle in radians.",
        formula="tan(operand)",
        ulps=8,
        opcode="tan",
        native=(OfFloats(Formulas.FAST, Narrow.ANGLE), OfComplex(Part.IMAG, Hole.NEVER)),
        traits=Traits(quantized=Quantized.DEQUANTIZES, encoded=True),
        kernel=transcendental.function,
        exact=formulas.TAN,
        reference=unary(ref_functions.tan),
        shadow=Extended(np.tan),
        bound=ByElement(bound_rules.tangent, bound_complex.tangent),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().tan(x),
                quick=np.tan,
                ranges=samples.ANGLES,
                points=samples.QUARTER_TURNS,
            ),
        ),
        guard=None,
    ),
    function(
        "stablehlo.tanh",
        summary="The hyperbolic tangent of each element, which maps all numbers to the range from -1 to 1.",
        formula="tanh(operand)",
        ulps=8,
        opcode="tanh",
        native=(OfFloats(Formulas.FAST, Narrow.PLAIN), OfComplex(Part.REAL, Hole.NEVER)),
        traits=Traits(allocates=True, quantized=Quantized.DEQUANTIZES),
        kernel=transcendental.function,
        exact=formulas.TANH,
        reference=unary(ref_functions.tanh),
        shadow=Extended(np.tanh),
        bound=ByElement(bound_rules.monotone, bound_complex.tangent),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().tanh(x),
                quick=np.tanh,
                ranges=((-0.1, 0.1), (-1.0, 1.0), (-20.0, 20.0)),
                points=(9.01, 19.06),
            ),
        ),
        guard=None,
    ),
)
