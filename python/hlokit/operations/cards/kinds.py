"""The kinds of cards: one function each, which requires the parts that operations of the kind need. Those of
elementwise operations are in `elementwise_kinds`.

A forgotten part is an error for the type checker, and an error when the card is made.
"""

from __future__ import annotations

from hlokit.engine.contract.registry import BindFunction
from hlokit.operations.cards.card import (
    ANY_WIDTH,
    IN_ORDER,
    KEEPS_SIZES,
    NO_BOUND,
    NO_FLOPS,
    NO_PROBE,
    NOT_MEASURED,
    SENDS_NOTHING,
    UNKNOWN_SHAPE,
    Bound,
    Card,
    NotAgain,
    OfArrays,
    OfOperands,
    Shadow,
    Without,
    usual_meaning,
)
from hlokit.operations.cards.probes import Probe
from hlokit.operations.cards.variants.variant import Variant
from hlokit.operations.traits import NO_TRAITS, Nans, Traits, implied
from hlokit.passes.rules.components import Components
from hlokit.passes.rules.shapes import Reifier
from hlokit.reference.model.calls import Row
from hlokit.tools.bounds.rules import bound_sums
from hlokit.tools.diff.rules.open_values import Open
from hlokit.tools.equal.rules.bit_arrays import BitKernel
from hlokit.tools.equal.rules.meanings import Meaning, Moved
from hlokit.tools.reduce.rules.resizing import Resize
from hlokit.tools.shard.prices.flops import Flops
from hlokit.tools.shard.prices.traffic import Traffic


def whole(
    name: str,
    *,
    summary: str,
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
    open: tuple[Open, ...] = (),
    exact: Meaning | None = None,
    variants: tuple[Variant, ...] = (),
    sequential: BindFunction | Without = IN_ORDER,
    bits: BitKernel | None = None,
) -> Card:
    """An operation on whole arrays."""
    return Card(
        name=name,
        summary=summary,
        formula=formula,
        traits=implied(traits),
        kernel=kernel,
        reference=reference,
        opcodes=opcodes,
        native=(),
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
        exact=exact or usual_meaning(implied(traits)),
        open=open,
        variants=variants,
        sequential=sequential,
        bits=bits,
    )


def movement(
    name: str,
    *,
    summary: str,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    shape: Reifier | Without,
    resize: Resize | Without,
    variants: tuple[Variant, ...] = (),
    bits: BitKernel | None = None,
) -> Card:
    """An operation that moves elements: shadows and bounds move with them."""
    if implied(traits).moves is None:
        raise ValueError(f"{name}: a movement must say which operands it moves")
    return whole(
        name,
        summary=summary,
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
        variants=variants,
        bits=bits,
    )


def contraction(
    name: str,
    *,
    summary: str,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    sequential: BindFunction | Without,
    shadow: Shadow,
    shape: Reifier | Without,
    components: Components | None,
    resize: Resize | Without,
    flops: Flops | Without,
    exact: Meaning,
    variants: tuple[Variant, ...] = (),
    bits: BitKernel | None = None,
) -> Card:
    """Sums of products."""
    return whole(
        name,
        summary=summary,
        formula=formula,
        traits=traits._replace(contraction=True, nans=Nans.ONE),
        kernel=kernel,
        reference=reference,
        probe=probe,
        shadow=shadow,
        bound=OfArrays(bound_sums.contraction),
        shape=shape,
        components=components,
        resize=resize,
        flops=flops,
        exact=exact,
        variants=variants,
        sequential=sequential,
        bits=bits,
    )


def combination(
    name: str,
    *,
    summary: str,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    sequential: BindFunction | Without,
    shadow: Shadow,
    shape: Reifier | Without,
    resize: Resize | Without,
    flops: Flops,
    open: tuple[Open, ...] = (),
    variants: tuple[Variant, ...] = (),
    bits: BitKernel | None = None,
    exact: Meaning | None = None,
) -> Card:
    """An operation that combines elements with its region."""
    return whole(
        name,
        summary=summary,
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
        open=open,
        variants=variants,
        sequential=sequential,
        bits=bits,
        exact=exact,
    )


def collective(
    name: str,
    *,
    summary: str,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...],
    traffic: Traffic,
    flops: Flops | Without,
    variants: tuple[Variant, ...] = (),
) -> Card:
    """An operation of several processes, which returns their operands or a combination of them."""
    all_traits = implied(traits._replace(collective=True, not_folded="its results depend on processes"))
    return Card(
        name=name,
        summary=summary,
        formula=formula,
        traits=all_traits,
        kernel=kernel,
        reference=reference,
        opcodes=(),
        native=(),
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
        exact=Moved(),
        variants=variants,
    )


def structure(
    name: str,
    *,
    summary: str,
    formula: str,
    traits: Traits,
    kernel: BindFunction,
    reference: Row,
    probe: tuple[Probe, ...] | Without,
    shadow: Shadow,
    open: tuple[Open, ...] = (),
    exact: Meaning | None = None,
    variants: tuple[Variant, ...] = (),
    bits: BitKernel | None = None,
) -> Card:
    """Control flow, tuples, tokens, transfers: operations that hand on values."""
    return whole(
        name,
        summary=summary,
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
        open=open,
        exact=exact,
        variants=variants,
        bits=bits,
    )


def of_dialect(
    name: str,
    *,
    kernel: BindFunction,
    reference: Row | Without,
    shadow: Shadow,
    traits: Traits = NO_TRAITS,
    exact: Meaning | None = None,
) -> Card:
    """An operation of a dialect that programs use beside StableHLO's and CHLO's."""
    return Card(
        name=name,
        summary="",
        formula=" ".join((kernel.__doc__ or "").split("\n\n")[0].split()),
        traits=implied(traits),
        kernel=kernel,
        reference=reference,
        opcodes=(),
        native=(),
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
        exact=exact or usual_meaning(implied(traits)),
    )


def unevaluated(
    name: str, *, reason: str, traits: Traits, opcodes: tuple[str, ...], summary: str = ""
) -> Card:
    """An operation without a kernel of its own."""
    return Card(
        name=name,
        summary=summary,
        formula="",
        traits=implied(traits),
        kernel=Without(reason),
        reference=Without(reason),
        opcodes=opcodes,
        native=(),
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
        exact=usual_meaning(implied(traits)),
    )
