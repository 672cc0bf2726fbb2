"""CHLO's operations with implicit broadcasting."""

from __future__ import annotations

from hlokit.kernels.elementwise import chlo_broadcast
from hlokit.operations.cards.card import ANY_WIDTH, Card, NotAgain
from hlokit.operations.cards.elementwise_kinds import broadcasting
from hlokit.operations.cards.variants import elements as variants
from hlokit.operations.traits import NO_TRAITS, Domain, Nans, Quantized, Traits
from hlokit.passes.rules import guards
from hlokit.reference.dialects import chlo_functions as ref_chlo_functions
from hlokit.reference.model.calls import binary, of_elements
from hlokit.reference.numbers import special_functions as ref_special_functions
from hlokit.reference.stablehlo import elementwise as ref_elementwise
from hlokit.reference.stablehlo import functions as ref_functions
from hlokit.tools.equal.rules import arrays as exact_arrays
from hlokit.tools.equal.rules import bit_formulas, formulas

CARDS: tuple[Card, ...] = (
    broadcasting(
        "chlo.broadcast_add",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.add),
        guard=None,
        exact=formulas.ADD,
        bits=bit_formulas.ADD,
    ),
    broadcasting(
        "chlo.broadcast_and",
        traits=NO_TRAITS,
        reference=binary(ref_elementwise.and_),
        guard=None,
        bits=bit_formulas.AND,
    ),
    broadcasting(
        "chlo.broadcast_atan2",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_functions.atan2),
        guard=None,
        exact=formulas.FUNCTION,
    ),
    broadcasting(
        "chlo.broadcast_compare",
        traits=Traits(exact=True, quantized=Quantized.DEQUANTIZES, nans=Nans.BY_COMPARISON),
        reference=ref_elementwise.call_compare,
        guard=None,
        exact=exact_arrays.COMPARE,
        variants=variants.BROADCAST_COMPARE,
        probe=(("2x$, 2x$ -> 2xi1", "{comparison_direction = #chlo<comparison_direction EQ>}"),),
        bits=bit_formulas.COMPARE,
    ),
    broadcasting(
        "chlo.broadcast_complex",
        traits=Traits(nans=Nans.PASS),
        reference=binary(ref_elementwise.complex_),
        guard=None,
        exact=formulas.COMPLEX,
        probe=(("2xf32, 2xf32 -> 2x$", ""),),
        bits=bit_formulas.COMPLEX,
    ),
    broadcasting(
        "chlo.broadcast_divide",
        traits=Traits(domains=(("rhs", Domain.POSITIVE),), quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.divide),
        guard=guards.divides_by_nonzero,
        exact=formulas.DIVIDE,
        bits=bit_formulas.DIVIDE,
    ),
    broadcasting(
        "chlo.broadcast_maximum",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.maximum),
        guard=None,
        exact=formulas.EXTREMUM,
        bits=bit_formulas.MAXIMUM,
    ),
    broadcasting(
        "chlo.broadcast_minimum",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.minimum),
        guard=None,
        exact=formulas.EXTREMUM,
        bits=bit_formulas.MINIMUM,
    ),
    broadcasting(
        "chlo.broadcast_multiply",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.multiply),
        guard=None,
        exact=formulas.MULTIPLY,
        bits=bit_formulas.MULTIPLY,
    ),
    broadcasting(
        "chlo.broadcast_next_after",
        traits=Traits(nans=Nans.ONE),
        reference=binary(ref_chlo_functions.next_after),
        shadow=NotAgain("returns the neighbour in its own type"),
        guard=None,
    ),
    broadcasting(
        "chlo.broadcast_or",
        traits=NO_TRAITS,
        reference=binary(ref_elementwise.or_),
        guard=None,
        bits=bit_formulas.OR,
    ),
    broadcasting(
        "chlo.broadcast_polygamma",
        traits=Traits(
            domains=(
                ("lhs", Domain.POSITIVE),
                ("rhs", Domain.POSITIVE),
            ),
            nans=Nans.ONE,
        ),
        reference=of_elements(ref_special_functions.polygamma),
        guard=guards.is_defined,
        exact=formulas.FUNCTION,
    ),
    broadcasting(
        "chlo.broadcast_power",
        traits=Traits(domains=(("lhs", Domain.POSITIVE),), quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_functions.power),
        guard=guards.power_is_defined,
        exact=formulas.POWER,
        bits=bit_formulas.POWER,
    ),
    broadcasting(
        "chlo.broadcast_remainder",
        traits=Traits(domains=(("rhs", Domain.POSITIVE),), quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.remainder),
        guard=guards.divides_by_nonzero,
        exact=formulas.REMAINDER,
        bits=bit_formulas.REMAINDER,
    ),
    broadcasting(
        "chlo.broadcast_select",
        operands=3,
        traits=Traits(moves=slice(1, 3), quantized=Quantized.DEQUANTIZES, nans=Nans.PASS),
        kernel=chlo_broadcast.broadcast_select,
        reference=lambda call: ref_elementwise.select(*call.tensors),
        shadow=ANY_WIDTH,
        guard=None,
        exact=exact_arrays.SELECT,
        probe=(("2xi1, 2x$, 2x$ -> 2x$", ""),),
        bits=bit_formulas.SELECT,
    ),
    broadcasting(
        "chlo.broadcast_shift_left",
        traits=Traits(domains=(("rhs", Domain.AMOUNT),)),
        reference=binary(ref_elementwise.shift_left),
        guard=None,
        bits=bit_formulas.SHIFT_LEFT,
    ),
    broadcasting(
        "chlo.broadcast_shift_right_arithmetic",
        traits=Traits(domains=(("rhs", Domain.AMOUNT),)),
        reference=binary(ref_elementwise.shift_right_arithmetic),
        guard=None,
        bits=bit_formulas.SHIFT_RIGHT_ARITHMETIC,
    ),
    broadcasting(
        "chlo.broadcast_shift_right_logical",
        traits=Traits(domains=(("rhs", Domain.AMOUNT),)),
        reference=binary(ref_elementwise.shift_right_logical),
        guard=None,
        bits=bit_formulas.SHIFT_RIGHT_LOGICAL,
    ),
    broadcasting(
        "chlo.broadcast_subtract",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        reference=binary(ref_elementwise.subtract),
        guard=None,
        exact=formulas.SUBTRACT,
        bits=bit_formulas.SUBTRACT,
    ),
    broadcasting(
        "chlo.broadcast_xor",
        traits=NO_TRAITS,
        reference=binary(ref_elementwise.xor),
        guard=None,
        bits=bit_formulas.XOR,
    ),
    broadcasting(
        "chlo.broadcast_zeta",
        traits=Traits(
            domains=(
                ("lhs", Domain.ABOVE_ONE),
                ("rhs", Domain.POSITIVE),
            ),
            nans=Nans.ONE,
        ),
        reference=of_elements(ref_special_functions.zeta),
        guard=guards.is_defined,
        exact=formulas.FUNCTION,
    ),
)
