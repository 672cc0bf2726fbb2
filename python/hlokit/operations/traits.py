"""The traits of operations: properties that hold for all operands."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from enum import Enum
from typing import NamedTuple, NoReturn


class Nans(Enum):
    """The bits of the NaNs in results."""

    KEPT = "results keep the bits of NaNs in operands"
    ONE = "results have one canonical NaN"
    PASS = "results are elements of operands, NaNs included"
    BLIND = "no bit of a NaN matters"
    BY_TYPE = "the element types decide"
    BY_COMPARISON = "the kind of comparison decides"
    BY_BODY = "the body decides"
    BY_TARGET = "the target of the call decides"


class Quantized(Enum):
    """How an operation handles quantized types."""

    DEQUANTIZES = "computes in the expressed type: dequantize, compute, quantize"
    ON_STORAGE = "moves storage integers without interpreting them"
    REQUANTIZES = "as ON_STORAGE, after operands are requantized to the results' types"
    FILLS = "as ON_STORAGE; a process that receives nothing gets the code of zero"
    REQUANTIZES_AND_FILLS = "as REQUANTIZES; a process that receives nothing gets the code of zero"
    KNOWN = "does not depend on values, or handles quantized types itself"


class Domain(Enum):
    """The values of an operand that make sense, for example inputs."""

    POSITIVE = "positive numbers"
    ABOVE_ONE = "numbers above 1"
    AMOUNT = "numbers of bits, below the width of the type"
    INDEX = "indices into the first operand"
    BRANCH = "numbers of regions"
    DEFINITE = "symmetric matrices whose diagonal dominates, so that they are positive definite"


class RegionValues(Enum):
    """How `hlokit diff` observes values in a region."""

    CARRIED = "as results"
    BESIDE = "computed beside it"


class Traits(NamedTuple):
    """The traits of an operation. `implied` adds those that follow from others."""

    # Elements of results --------------------------------------------------------------------------

    elementwise: bool = False
    """An element of the result is a function of the elements of the operands at the same index."""
    scalars: bool = False
    """Elementwise, but some operands may be scalars although others are tensors."""
    broadcasting: bool = False
    """Elementwise after dimensions of size 1 are stretched."""
    same_shape: bool = False
    """Not elementwise, but the result has the shape of the first operand."""
    lanes: bool = False
    """Each lane along the last dimension is computed by itself; results keep the other dimensions."""
    commutative: bool = False
    """Elementwise, and f(x, y) = f(y, x)."""
    idempotent: bool = False
    """Commutative, and f(x, x) = x, except for complex numbers with a NaN part."""
    identity: int | None = None
    """Commutative, and f(x, this value) = x for integers and booleans; -1 has all bits set."""
    extremum: bool = False
    """Idempotent: the greater or lesser of two."""
    projection: bool = False
    """Elementwise, and f(f(x)) = f(x)."""
    even: bool = False
    """Elementwise, and f(-x) = f(x)."""
    keeps_positive: bool = False
    """Elementwise, and results of positive numbers are positive."""
    bitwise: bool = False
    """Elementwise on single bits."""
    moves: slice | None = None
    """Elements of results are elements of these operands."""
    view: bool = False
    """Moves elements of one operand to places that attributes and shapes alone determine."""
    layout: bool = False
    """A view that fused computations include without copying."""
    rearranges: bool = False
    """A view with every element of the operand once."""
    ranked: bool = False
    """The operation on whole arrays is not the same operation as on their elements."""
    constant: bool = False
    """Its value is an attribute."""
    tuples: bool = False
    """Creates tuples or extracts their items."""

    # Numbers --------------------------------------------------------------------------------------

    exact: bool = False
    """No rounding: all implementations give the same results."""
    rounded: bool = False
    """Elementwise, and rounded once, by IEEE 754."""
    ulps: int = 0
    """Elementwise; the error of good libraries is at most this number of units in the last place. 0: not
    such a function."""
    contraction: bool = False
    """Sums of products."""
    choices: bool = False
    """Some results of integers are implementation-defined."""
    nans: Nans = Nans.KEPT
    """The bits of the NaNs in results."""

    # Regions --------------------------------------------------------------------------------------

    applies: bool = False
    """Applies its region to elements."""
    combines: bool = False
    """Applies its region, and combines elements with it."""
    region_values: RegionValues | None = None
    """How diff observes values in its region."""
    control: bool = False
    """Control flow: returns results of operations in its regions."""
    terminator: bool = False
    """Ends a region, and names the returned values."""

    # Effects, processes ---------------------------------------------------------------------------

    collective: bool = False
    """Communicates with other processes, and returns their operands or a combination of them."""
    channel: bool = False
    """Communicates with one other process, or with the host."""
    feed: bool = False
    """Reads the infeed of a process, or writes its outfeed."""
    receives: bool = False
    """Results come from outside of the program."""
    makes_grid: bool = False
    """Runs functions on its own process grid."""
    process_id: bool = False
    """Depends on the process that evaluates it."""
    asynchronous: bool = False
    """Starts or awaits another operation."""
    ordering: bool = False
    """Only orders other operations."""
    random: bool = False
    """Different results in each evaluation."""
    foreign: bool = False
    """Foreign code, which may keep references to operands."""

    # Compilers ------------------------------------------------------------------------------------

    allocates: bool = False
    """The result shares no memory with an operand."""
    sizes: tuple[int, ...] = ()
    """The operands that give shapes and other sizes, by position."""
    vm_faster: bool = False
    """The native VM is faster than NumPy on large arrays."""
    vm_complex: bool = False
    """The native VM is faster than NumPy on complex numbers."""

    # Passes ---------------------------------------------------------------------------------------

    folds: bool = False
    """Passes fold floats with any options, since all implementations give the same result."""
    not_folded: str = ""
    """Why passes do not fold the operation; "" if they fold it."""
    own_folding: bool = False
    """Passes fold the operation by its own patterns, or not at all."""
    refines: bool = False
    """Accepts operands with more precise types (more known dimensions) without any other change."""
    no_components: bool = False
    """The bindings infer types, but no components of types."""
    encoded: bool = False
    """Other versions write the operation as a custom call, @mhlo.<name>."""

    # Quantized types ------------------------------------------------------------------------------

    quantized: Quantized | None = None
    """How the operation handles quantized types."""

    # Reading --------------------------------------------------------------------------------------

    may_not_run: bool = False
    """Some attributes that the bindings verify cannot run: constraints/runnable.py refuses them."""

    # Example inputs -------------------------------------------------------------------------------

    domains: tuple[tuple[str, Domain], ...] = ()
    """The values that make sense for some operands, by the operands' names in ODS."""

    # Names ----------------------------------------------------------------------------------------

    aliases: tuple[str, ...] = ()
    """What JAX, NumPy, HLO or ONNX call the operation, or what users of these look for: for suggestions."""

    def __contains__(self, trait: object) -> NoReturn:
        # Of a tuple, this would ask for a value: "exact" would never be in it.
        raise TypeError(f"a trait is a field of the traits, got `{trait!r} in traits`")


NO_TRAITS = Traits()
_STRUCTURE = "its types have no constants, or it has a pattern of its own"


def implied(traits: Traits) -> Traits:
    """The traits, and those that they imply."""
    is_view = traits.view or traits.layout or traits.rearranges
    idempotent = traits.idempotent or traits.extremum
    commutative = traits.commutative or idempotent or traits.identity is not None
    elementwise = (
        traits.elementwise
        or traits.scalars
        or traits.broadcasting
        or commutative
        or traits.bitwise
        or traits.projection
        or traits.even
        or traits.rounded
        or traits.ulps > 0
    )
    computes = traits.extremum or traits.rounded or traits.ulps > 0
    nans = Nans.ONE if computes else Nans.PASS if is_view else Nans.KEPT
    moves = slice(None, 1) if is_view and traits.moves is None else traits.moves
    is_exact = (
        traits.extremum
        or traits.bitwise
        or traits.projection
        or moves is not None
        or traits.constant
        or traits.process_id
    )
    is_structure = traits.own_folding or traits.tuples or traits.constant
    return traits._replace(
        idempotent=idempotent,
        commutative=commutative,
        elementwise=elementwise,
        moves=moves,
        view=is_view,
        exact=traits.exact or is_exact,
        nans=traits.nans if traits.nans is not Nans.KEPT else nans,
        applies=traits.applies or traits.combines,
        ranked=traits.ranked or traits.layout,
        refines=traits.refines or elementwise,
        may_not_run=traits.may_not_run or traits.broadcasting,
        not_folded=traits.not_folded or _STRUCTURE * is_structure,
    )


class Entry(NamedTuple):
    """What start-up and planning need of a card: a row of the index.

    Attributes:
      chapter: the module of `operations.cards` that has the card.
      kernel: module and name of the bind function; None if there is none.
      opcodes: the native VM's names of the operation; attributes and types select one of them.
      sequential: module and name of the bind function for sums one by one; None if the kernel has this order.
    """

    chapter: str
    kernel: tuple[str, str] | None
    opcodes: tuple[str, ...]
    traits: Traits
    sequential: tuple[str, str] | None = None
