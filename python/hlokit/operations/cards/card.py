"""`Card`: everything about one operation, and the types of its parts.

`kinds` makes cards. A part that an operation cannot have is `Without` a reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from hlokit.engine.contract.registry import BindFunction, Kernel
from hlokit.engine.contract.registry import Operation as PlannedOperation
from hlokit.operations.cards.native import Native
from hlokit.operations.cards.probes import Probe
from hlokit.operations.cards.variants.variant import Variant
from hlokit.operations.traits import Traits
from hlokit.passes.rules.components import Components
from hlokit.passes.rules.guards import Guard
from hlokit.passes.rules.shapes import Reifier
from hlokit.reference.model.calls import Row
from hlokit.tools.bounds.rules import bound_arrays, bound_rules
from hlokit.tools.diff.rules.open_values import Open
from hlokit.tools.equal.rules.bit_arrays import BitMeaning
from hlokit.tools.equal.rules.meanings import Followed, Meaning, Moved
from hlokit.tools.numerics.rules.extended import Function
from hlokit.tools.numerics.rules.samples import Samples
from hlokit.tools.reduce.rules.resizing import Resize
from hlokit.tools.shard.prices.flops import Flops
from hlokit.tools.shard.prices.traffic import Traffic


class Without(NamedTuple):
    """The reason why an operation does not have a part."""

    reason: str


# Shadows --------------------------------------------------------------------------------------------


class Extended(NamedTuple):
    """The shadow is a function of longdouble and clongdouble arrays, element by element."""

    function: Function


class Wider(NamedTuple):
    """The shadow is a kernel of its own.

    Attributes:
      bind: returns the kernel of an operation whose types are wider.
      is_for_all_types: also where the wider type is f64.
    """

    bind: Callable[[PlannedOperation], Kernel]
    is_for_all_types: bool = False


class OwnKernel(NamedTuple):
    """The shadow is the operation's kernel, which takes any width."""


class NotAgain(NamedTuple):
    """The operation is not evaluated again, for a reason."""

    reason: str


Shadow = Extended | Wider | OwnKernel | NotAgain | Without


# Bounds ---------------------------------------------------------------------------------------------


class ByElement(NamedTuple):
    """Rules for the radius of an element of the result: of floats, and of complex numbers."""

    real: bound_rules.Rule | Without
    complex: bound_rules.Rule | Without


class OfArrays(NamedTuple):
    """A rule for the radii of all results."""

    rule: bound_arrays.Rule


class OfOperands(NamedTuple):
    """The radii move with the elements; exact operations on exact operands have radii of 0."""


Bound = ByElement | OfArrays | OfOperands | Without


# Cards ----------------------------------------------------------------------------------------------

IN_ORDER = Without("its kernel sums nothing, or from left to right with a rounding at every step")
NOT_IN_CPP = Without("the C++ interpreter does not evaluate it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One operation.

    Attributes:
      name: with its dialect.
      summary: what it does, for readers who do not know it; "" for operations of other dialects.
      formula: a result, in the words of the specification.
      kernel: the bind function.
      reference: the function of the reference that defines the operation.
      opcodes: the native VM's names of the operation; attributes and types select one of them.
      native: its native functions, of which the opcode's rows are made; none if lib/vm/opcodes.inc has the rows.
      probes: tiny programs of the operation.
      shadow: its evaluation in a wider type.
      bound: the rule for proven bounds of results.
      samples: the inputs on which its accuracy is measured.
      shape: builds the shapes of its results.
      components: infers shapes of its results as the bindings do not.
      guard: whether constants may be folded; None: always.
      resize: the shape of its result after operands became smaller.
      traffic: the bytes that it sends to other devices.
      flops: its arithmetic operations.
      exact: what it does with exact numbers instead of floats.
      bits: what it does with bit vectors in proofs; None if traits say it, or if no formula is known.
      open: the values that the specification leaves open.
      variants: the shapes and attributes of its conformance cases.
      sequential: its bind function for sums in the order of the C++ interpreter; without one, the kernel has
        that order, or the C++ interpreter does not evaluate the operation.
    """

    name: str
    summary: str
    formula: str
    traits: Traits
    kernel: BindFunction | Without
    reference: Row | Without
    opcodes: tuple[str, ...]
    native: tuple[Native, ...]
    probes: tuple[Probe, ...] | Without
    shadow: Shadow
    bound: Bound
    samples: tuple[Samples, ...] | Without
    shape: Reifier | Without
    components: Components | None
    guard: Guard | None
    resize: Resize | Without
    traffic: Traffic | Without
    flops: Flops | Without
    exact: Meaning
    bits: BitMeaning | None = None
    open: tuple[Open, ...] = ()
    variants: tuple[Variant, ...] = ()
    sequential: BindFunction | Without = IN_ORDER


# Parts that many operations have, or lack --------------------------------------------------------

ANY_WIDTH = OwnKernel()
F64_ONLY = Without("hlokit computes it in f64 only")
INTEGERS = Without("takes integers, which are exact")
NO_BOUND = Without("no bound is known for it")
NOT_MEASURED = Without("its accuracy is not measured")
SENDS_NOTHING = Without("communicates with no other device")
NO_FLOPS = Without("its arithmetic, if there is some, is not counted")
UNKNOWN_SHAPE = Without("the bindings do not compute its shape as a value")
KEEPS_SIZES = Without("its result keeps its shape, apart from replaced sizes")
NO_PROBE = Without("needs more than one operation, or its element type plays no part")


# Exact numbers -----------------------------------------------------------------------------------


def usual_meaning(traits: Traits) -> Meaning:
    """What operations with these traits do with exact numbers, unless their cards say otherwise."""
    hands_on = traits.control or traits.terminator or traits.ordering or traits.asynchronous
    communicates = traits.collective or traits.channel or traits.feed
    if traits.moves is not None or traits.applies or hands_on or communicates or traits.tuples:
        return Moved()
    return Followed("its exact meaning is not known")
