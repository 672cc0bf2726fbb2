"""The kinds of cards of elementwise operations, as `kinds`.

A forgotten part is an error for the type checker, and an error when the card is made.
"""

from __future__ import annotations

from hlokit.engine.contract.registry import BindFunction
from hlokit.kernels.elementwise import chlo_broadcast
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import (
    F64_ONLY,
    IN_ORDER,
    NO_BOUND,
    NOT_MEASURED,
    SENDS_NOTHING,
    Bound,
    ByElement,
    Card,
    Extended,
    Shadow,
    Without,
    usual_meaning,
)
from hlokit.operations.cards.native import Native
from hlokit.operations.cards.probes import Probe
from hlokit.operations.cards.variants.elements import BROADCASTING
from hlokit.operations.cards.variants.variant import Variant
from hlokit.operations.traits import NO_TRAITS, Traits, implied
from hlokit.passes.rules import shapes
from hlokit.passes.rules.guards import Guard
from hlokit.passes.rules.shapes import Reifier
from hlokit.reference.dialects.chlo_broadcast import broadcast
from hlokit.reference.model.calls import Row
from hlokit.tools.diff.rules.open_values import Open
from hlokit.tools.equal.rules.bit_formulas import BitFormula
from hlokit.tools.equal.rules.formulas import FUNCTION
from hlokit.tools.equal.rules.meanings import Meaning
from hlokit.tools.numerics.rules.samples import Samples
from hlokit.tools.reduce.rules import resizing
from hlokit.tools.shard.prices import flops as flops_of


def elementwise(
    name: str,
    *,
    summary: str,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    opcodes: tuple[str, ...],
    shadow: Shadow,
    bound: Bound,
    samples: tuple[Samples, ...] | Without,
    guard: Guard | None,
    native: tuple[Native, ...] = (),
    operands: int = 1,
    shape: Reifier | Without | None = None,
    probe: tuple[Probe, ...] | None = None,
    open: tuple[Open, ...] = (),
    exact: Meaning | None = None,
    bits: BitFormula | None = None,
    variants: tuple[Variant, ...] = (),
    sequential: BindFunction | Without = IN_ORDER,
) -> Card:
    """An operation whose results depend on the elements of operands at the same index.

    Args:
      shape: if it is not that of the first operand.
      probe: if operands and result have several types, or the operation has attributes.
    """
    return Card(
        name=name,
        summary=summary,
        formula=formula,
        traits=implied(traits._replace(elementwise=True)),
        kernel=kernel,
        reference=reference,
        opcodes=opcodes,
        native=native,
        probes=probe or probes.of_one_type(operands),
        shadow=shadow,
        bound=bound,
        samples=samples,
        shape=shape or shapes.shape_of_operand(1 if traits.scalars else 0),
        components=None,
        guard=guard,
        resize=resizing.like_operands,
        traffic=SENDS_NOTHING,
        flops=flops_of.of_results,
        exact=exact or usual_meaning(implied(traits)),
        bits=bits,
        open=open,
        variants=variants,
        sequential=sequential,
    )


def function(
    name: str,
    *,
    summary: str,
    formula: str,
    ulps: int,
    kernel: BindFunction,
    reference: Row,
    opcode: str,
    native: tuple[Native, ...],
    shadow: Extended,
    bound: ByElement | Without,
    samples: tuple[Samples, ...],
    guard: Guard | None,
    traits: Traits = NO_TRAITS,
    operands: int = 1,
    shape: Reifier | Without | None = None,
    open: tuple[Open, ...] = (),
    exact: Meaning = FUNCTION,
    bits: BitFormula | None = None,
) -> Card:
    """An elementwise function that libraries approximate.

    Args:
      ulps: the error of good libraries, in units in the last place.
    """
    if not samples or not native or ulps < 1:
        raise ValueError(f"{name}: a function must have samples, native functions and an error in ULP")
    return elementwise(
        name,
        summary=summary,
        formula=formula,
        operands=operands,
        traits=traits._replace(ulps=ulps),
        kernel=kernel,
        reference=reference,
        opcodes=(opcode,),
        native=native,
        shadow=shadow,
        bound=bound,
        samples=samples,
        guard=guard,
        shape=shape,
        open=open,
        exact=exact,
        bits=bits,
    )


def broadcasting(
    name: str,
    *,
    traits: Traits,
    reference: Row,
    guard: Guard | None,
    kernel: BindFunction = chlo_broadcast.broadcast_binary,
    shadow: Shadow = F64_ONLY,
    operands: int = 2,
    probe: tuple[Probe, ...] | None = None,
    exact: Meaning | None = None,
    bits: BitFormula | None = None,
    variants: tuple[Variant, ...] = BROADCASTING,
) -> Card:
    """A CHLO operation that broadcasts its operands to one shape, then is elementwise.

    Args:
      traits, reference, guard, exact, bits: those of the plain operation.
    """
    plain = name.removeprefix("chlo.broadcast_").replace("_", " ")
    return elementwise(
        name,
        summary=f"Repeats its operands until they have one shape, as NumPy does, then is `{plain}`, element by element.",
        formula=f"{plain} of operands that are broadcast to one shape",
        operands=operands,
        traits=traits._replace(broadcasting=True),
        kernel=kernel,
        reference=broadcast(reference),
        opcodes=(),
        shadow=shadow,
        bound=NO_BOUND,
        samples=NOT_MEASURED,
        guard=guard,
        shape=shapes.broadcasting,
        probe=probe,
        exact=exact,
        bits=bits,
        variants=variants,
    )
