"""The kinds of cards: one function each, which requires the parts that operations of the kind need.

A forgotten part is an error for the type checker, and an error when the card is made.
"""

from __future__ import annotations

from hlokit.engine.contract.registry import BindFunction
from hlokit.kernels.elementwise import chlo_broadcast
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import (
    ANY_WIDTH,
    F64_ONLY,
    KEEPS_SIZES,
    NO_BOUND,
    NO_FLOPS,
    NO_PROBE,
    NOT_MEASURED,
    SENDS_NOTHING,
    UNKNOWN_SHAPE,
    Bound,
    ByElement,
    Card,
    Extended,
    NotAgain,
    OfArrays,
    OfOperands,
    Shadow,
    Without,
)
from hlokit.operations.cards.probes import Probe
from hlokit.operations.traits import NO_TRAITS, Nans, Traits, implied
from hlokit.passes.rules import shapes
from hlokit.passes.rules.components import Components
from hlokit.passes.rules.guards import Guard
from hlokit.passes.rules.shapes import Reifier
from hlokit.reference.dialects.chlo_broadcast import broadcast
from hlokit.reference.model.calls import Row
from hlokit.tools.numerics.rules import bound_sums
from hlokit.tools.numerics.rules.samples import Samples
from hlokit.tools.reduce.rules import resizing
from hlokit.tools.reduce.rules.resizing import Resize
from hlokit.tools.shard.prices import flops as flops_of
from hlokit.tools.shard.prices.flops import Flops
from hlokit.tools.shard.prices.traffic import Traffic


def elementwise(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    opcodes: tuple[str, ...],
    shadow: Shadow,
    bound: Bound,
    samples: tuple[Samples, ...] | Without,
    guard: Guard | None,
    operands: int = 1,
    shape: Reifier | Without | None = None,
    probe: tuple[Probe, ...] | None = None,
) -> Card:
    """An operation whose results depend on the elements of operands at the same index.

    Args:
      shape: if it is not that of the first operand.
      probe: if operands and result have several types, or the operation has attributes.
    """
    return Card(
        name=name,
        formula=formula,
        traits=implied(traits._replace(elementwise=True)),
        kernel=kernel,
        reference=reference,
        opcodes=opcodes,
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
    )


def function(
    name: str,
    *,
    formula: str,
    ulps: int,
    kernel: BindFunction,
    reference: Row,
    opcode: str,
    shadow: Extended,
    bound: ByElement | Without,
    samples: tuple[Samples, ...],
    guard: Guard | None,
    traits: Traits = NO_TRAITS,
    operands: int = 1,
    shape: Reifier | Without | None = None,
) -> Card:
    """An elementwise function that libraries approximate.

    Args:
      ulps: the error of good libraries, in units in the last place.
    """
    if not samples or ulps < 1:
        raise ValueError(f"{name}: a function must have samples and an error in ULP")
    return elementwise(
        name,
        formula=formula,
        operands=operands,
        traits=traits._replace(ulps=ulps),
        kernel=kernel,
        reference=reference,
        opcodes=(opcode,),
        shadow=shadow,
        bound=bound,
        samples=samples,
        guard=guard,
        shape=shape,
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
) -> Card:
    """A CHLO operation that broadcasts its operands to one shape, then is elementwise.

    Args:
      traits, reference, guard: those of the plain operation.
    """
    plain = name.removeprefix("chlo.broadcast_").replace("_", " ")
    return elementwise(
        name,
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
    )


def whole(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...] | Without,
    shadow: Shadow,
    bound: Bound,
    shape: Reifier | Without,
    resize: Resize | Without,
    flops: Flops | Without,
    opcodes: tuple[str, ...] = (),
    components: Components | None = None,
) -> Card:
    """An operation on whole arrays."""
    return Card(
        name=name,
        formula=formula,
        traits=implied(traits),
        kernel=kernel,
        reference=reference,
        opcodes=opcodes,
        probes=probe,
        shadow=shadow,
        bound=bound,
        samples=NOT_MEASURED,
        shape=shape,
        components=components,
        guard=None,
        resize=resize,
        traffic=SENDS_NOTHING,
        flops=flops,
    )


def movement(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    shape: Reifier | Without,
    resize: Resize | Without,
) -> Card:
    """An operation that moves elements: shadows and bounds move with them."""
    if implied(traits).moves is None:
        raise ValueError(f"{name}: a movement must say which operands it moves")
    return whole(
        name,
        formula=formula,
        traits=traits,
        kernel=kernel,
        reference=reference,
        probe=probe,
        shadow=ANY_WIDTH,
        bound=OfOperands(),
        shape=shape,
        resize=resize,
        flops=NO_FLOPS,
    )


def contraction(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    shadow: Shadow,
    shape: Reifier | Without,
    components: Components | None,
    resize: Resize | Without,
    flops: Flops | Without,
) -> Card:
    """Sums of products."""
    return whole(
        name,
        formula=formula,
        traits=traits._replace(nans=Nans.ONE),
        kernel=kernel,
        reference=reference,
        probe=probe,
        shadow=shadow,
        bound=OfArrays(bound_sums.contraction),
        shape=shape,
        components=components,
        resize=resize,
        flops=flops,
    )


def combination(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    shadow: Shadow,
    shape: Reifier | Without,
    resize: Resize | Without,
    flops: Flops,
) -> Card:
    """An operation that combines elements with its region."""
    return whole(
        name,
        formula=formula,
        traits=traits._replace(combines=True),
        kernel=kernel,
        reference=reference,
        probe=probe,
        shadow=shadow,
        bound=OfArrays(bound_sums.combination),
        shape=shape,
        resize=resize,
        flops=flops,
    )


def collective(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    traffic: Traffic,
    flops: Flops | Without,
) -> Card:
    """An operation of several processes, which returns their operands or a combination of them."""
    all_traits = implied(traits._replace(collective=True, not_folded="its results depend on processes"))
    return Card(
        name=name,
        formula=formula,
        traits=all_traits,
        kernel=kernel,
        reference=reference,
        opcodes=(),
        probes=probe,
        shadow=NotAgain("receives values of other processes, whose shadows are in those processes"),
        bound=OfArrays(bound_sums.combination) if all_traits.combines else OfOperands(),
        samples=NOT_MEASURED,
        shape=UNKNOWN_SHAPE,
        components=None,
        guard=None,
        resize=KEEPS_SIZES,
        traffic=traffic,
        flops=flops,
    )


def structure(
    name: str,
    *,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...] | Without,
    shadow: Shadow,
) -> Card:
    """Control flow, tuples, tokens, transfers: operations that hand on values."""
    return whole(
        name,
        formula=formula,
        traits=traits,
        kernel=kernel,
        reference=reference,
        probe=probe,
        shadow=shadow,
        bound=NO_BOUND if implied(traits).moves is None else OfOperands(),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    )


def of_dialect(
    name: str,
    *,
    kernel: BindFunction,
    reference: Row | Without,
    shadow: Shadow,
    traits: Traits = NO_TRAITS,
) -> Card:
    """An operation of a dialect that programs use beside StableHLO's and CHLO's."""
    return Card(
        name=name,
        formula=" ".join((kernel.__doc__ or "").split("\n\n")[0].split()),
        traits=implied(traits),
        kernel=kernel,
        reference=reference,
        opcodes=(),
        probes=NO_PROBE,
        shadow=shadow,
        bound=NO_BOUND,
        samples=NOT_MEASURED,
        shape=UNKNOWN_SHAPE,
        components=None,
        guard=None,
        resize=KEEPS_SIZES,
        traffic=SENDS_NOTHING,
        flops=NO_FLOPS,
    )


def unevaluated(name: str, *, reason: str, traits: Traits, opcodes: tuple[str, ...]) -> Card:
    """An operation without a kernel of its own."""
    return Card(
        name=name,
        formula="",
        traits=implied(traits),
        kernel=Without(reason),
        reference=Without(reason),
        opcodes=opcodes,
        probes=Without(reason),
        shadow=Without(reason),
        bound=NO_BOUND,
        samples=NOT_MEASURED,
        shape=UNKNOWN_SHAPE,
        components=None,
        guard=None,
        resize=KEEPS_SIZES,
        traffic=SENDS_NOTHING,
        flops=NO_FLOPS,
    )
