"""Special functions of CHLO."""

from __future__ import annotations

from hlokit.kernels.elementwise import chlo, special_functions, transcendental
from hlokit.operations.cards.card import NO_BOUND, UNKNOWN_SHAPE, ByElement, Card, Extended
from hlokit.operations.cards.elementwise_kinds import function
from hlokit.operations.cards.native import Formulas, Narrow, OfFloats
from hlokit.operations.traits import Domain, Traits
from hlokit.passes.rules import guards
from hlokit.reference.model.calls import of_elements
from hlokit.reference.numbers import special_functions as ref_special_functions
from hlokit.tools.bounds.rules import bound_rules
from hlokit.tools.equal.rules import formulas
from hlokit.tools.numerics.rules import exact, extended, samples

CARDS: tuple[Card, ...] = (
    function(
        "chlo.bessel_i1e",
        formula="exp(-|operand|) I1(operand), I1 being the modified Bessel function of order 1",
        ulps=48,
        opcode="bessel_i1e",
        native=(OfFloats(Formulas.SPECIAL, Narrow.NONE),),
        kernel=chlo.bessel_i1e,
        reference=of_elements(ref_special_functions.bessel_i1e),
        shadow=Extended(extended.of_any_rank(special_functions.bessel_i1e)),
        bound=ByElement(bound_rules.scaled_bessel, NO_BOUND),
        samples=(
            samples.Samples(
                exact=exact.bessel_i1e,
                quick=special_functions.bessel_i1e,
                ranges=((-10.0, 10.0), (-200.0, 200.0)),
                points=(8.0, -8.0),
                is_shared=True,
                takes_complex=False,
                cost=4,
            ),
        ),
        guard=None,
    ),
    function(
        "chlo.digamma",
        formula="the derivative of log(gamma(operand))",
        ulps=512,
        opcode="digamma",
        native=(OfFloats(Formulas.SPECIAL, Narrow.NONE),),
        traits=Traits(domains=(("operand", Domain.POSITIVE),)),
        kernel=chlo.digamma,
        reference=of_elements(ref_special_functions.digamma),
        shadow=Extended(extended.of_any_rank(special_functions.digamma)),
        bound=ByElement(bound_rules.increasing_right_of_zero, NO_BOUND),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().digamma(x),
                quick=special_functions.digamma,
                ranges=((-8.0, 8.0), (1.3, 1.6), (0.0, 200.0)),
                points=(1.4616321449683622, -0.504083008264455, -1.573498473162391, 1.0),
                is_shared=True,
                takes_complex=False,
                cost=4,
                trusted=4096,
            ),
        ),
        guard=guards.is_defined,
    ),
    function(
        "chlo.erf",
        formula="erf(operand)",
        ulps=48,
        opcode="erf",
        native=(OfFloats(Formulas.SPECIAL, Narrow.PLAIN),),
        traits=Traits(encoded=True),
        kernel=transcendental.real_function,
        reference=of_elements(ref_special_functions.erf),
        shadow=Extended(extended.of_any_rank(special_functions.erf)),
        bound=ByElement(bound_rules.monotone, NO_BOUND),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().erf(x),
                quick=special_functions.erf,
                ranges=((-1.0, 1.0), (-6.0, 6.0)),
                is_shared=True,
                takes_complex=False,
                cost=4,
            ),
        ),
        guard=None,
    ),
    function(
        "chlo.erf_inv",
        formula="the number whose erf is operand",
        ulps=160,
        opcode="erf_inv",
        native=(OfFloats(Formulas.SPECIAL, Narrow.PLAIN),),
        kernel=transcendental.real_function,
        reference=of_elements(ref_special_functions.erf_inv),
        shadow=Extended(extended.of_any_rank(special_functions.erf_inv)),
        bound=ByElement(bound_rules.monotone, NO_BOUND),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().erfinv(x),
                quick=special_functions.erf_inv,
                ranges=samples.UNIT,
                points=samples.HALVES,
                is_shared=True,
                takes_complex=False,
                cost=40,
            ),
        ),
        guard=guards.is_defined,
    ),
    function(
        "chlo.erfc",
        formula="1 - erf(operand)",
        ulps=160,
        opcode="erfc",
        native=(OfFloats(Formulas.SPECIAL, Narrow.PLAIN),),
        kernel=transcendental.real_function,
        exact=formulas.ERFC,
        reference=of_elements(ref_special_functions.erfc),
        shadow=Extended(extended.of_any_rank(special_functions.erfc)),
        bound=ByElement(bound_rules.monotone, NO_BOUND),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().erfc(x),
                quick=special_functions.erfc,
                ranges=((-1.0, 1.0), (-6.0, 28.0)),
                is_shared=True,
                takes_complex=False,
                cost=4,
            ),
        ),
        guard=None,
    ),
    function(
        "chlo.lgamma",
        formula="log(|gamma(operand)|)",
        ulps=512,
        opcode="lgamma",
        native=(OfFloats(Formulas.SPECIAL, Narrow.NONE),),
        traits=Traits(aliases=("gammaln",), domains=(("operand", Domain.POSITIVE),)),
        kernel=chlo.lgamma,
        reference=of_elements(ref_special_functions.lgamma),
        shadow=Extended(extended.of_any_rank(special_functions.lgamma)),
        bound=ByElement(bound_rules.log_gamma, NO_BOUND),
        samples=(
            samples.Samples(
                exact=lambda x: exact.mp().re(exact.mp().loggamma(x)),
                quick=special_functions.lgamma,
                ranges=((-8.0, 8.0), (0.5, 2.5), (0.0, 200.0)),
                points=(1.0, 2.0, -1.0, -2.0, 0.5, -2.457024738220801, -2.7476826467274127),
                is_shared=True,
                takes_complex=False,
                cost=4,
                trusted=4096,
            ),
        ),
        guard=guards.is_defined,
    ),
    function(
        "chlo.polygamma",
        formula="the derivative of order n of digamma(x)",
        operands=2,
        ulps=512,
        opcode="polygamma",
        native=(OfFloats(Formulas.SPECIAL, Narrow.NONE),),
        traits=Traits(domains=(("n", Domain.POSITIVE), ("x", Domain.POSITIVE))),
        kernel=transcendental.real_function,
        reference=of_elements(ref_special_functions.polygamma),
        shadow=Extended(extended.of_any_rank(special_functions.polygamma)),
        bound=NO_BOUND,
        samples=(
            samples.Samples(
                exact=exact.polygamma,
                quick=special_functions.polygamma,
                operands=2,
                ranges=((0.0, 20.0),),
                points=(1.0, 2.0, 3.0),
                is_shared=True,
                takes_complex=False,
                cost=200,
            ),
        ),
        guard=guards.is_defined,
        shape=UNKNOWN_SHAPE,
    ),
    function(
        "chlo.zeta",
        formula="sum((q + n)**-x for n = 0, 1, ...)",
        operands=2,
        ulps=512,
        opcode="zeta",
        native=(OfFloats(Formulas.SPECIAL, Narrow.NONE),),
        traits=Traits(domains=(("x", Domain.ABOVE_ONE), ("q", Domain.POSITIVE))),
        kernel=transcendental.real_function,
        reference=of_elements(ref_special_functions.zeta),
        shadow=Extended(extended.of_any_rank(special_functions.zeta)),
        bound=NO_BOUND,
        samples=(
            samples.Samples(
                exact=exact.zeta,
                quick=special_functions.zeta,
                operands=2,
                ranges=((1.0, 20.0),),
                points=(2.0, 3.0, 1.0),
                is_shared=True,
                takes_complex=False,
                cost=200,
            ),
        ),
        guard=guards.is_defined,
        shape=UNKNOWN_SHAPE,
    ),
)
