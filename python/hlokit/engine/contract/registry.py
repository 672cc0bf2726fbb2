"""Operations, kernels, and the table of bind functions.

A *bind function* takes an `Operation` (types, attributes, regions: everything that is known before the
program runs) and returns a `Kernel` or a `Constant`. The bind function runs once for each operation, when the
plan is built, and reads all attributes. A *kernel* is a pure function of arrays:

- a tensor is a NumPy array of its element type's dtype, in any memory layout and possibly read-only; a
  rank-0 tensor may also be a NumPy scalar. Kernels never write into an operand;
- the kernel of an operation with one result returns that value; otherwise it returns a tuple;
- a kernel checks nothing that the verifier has checked, and raises only for run-time faults of a valid
  program (an `EvaluationError`).

    def transpose(operation: Operation) -> Kernel:
        permutation = operation.attributes.ints("permutation")
        return Kernel(lambda operand: np.transpose(operand, permutation))

The card of an operation (`operations.cards`) names its bind function; `find` imports the function's module
when the operation is first planned.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlokit.engine.contract.array_ops import ArrayOp
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.errors import UnsupportedError
from hlokit.operations.index import INDEX
from hlokit.values.types import TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.engine.contract.region import Region
    from hlokit.mlir.conversion.attributes import Attributes

# A value while a program runs: ndarray or NumPy scalar, Token, tuple of values.
Value = Any
KernelFunction = Callable[..., Any]


class PartialSort(NamedTuple):
    """Creates kernels that compute only the first elements along a dimension: `make(count)` computes `count`
    of them."""

    dimension: int
    make: Callable[[int], KernelFunction]


class Kernel(NamedTuple):
    """The evaluation of a planned operation.

    Attributes:
      function: a function from operands to the result (one result) or a tuple of results (none or several).
        For an operation with regions, the values that the regions capture from outside follow the operands
        (`Operation.capture_count` values); each region takes these values after its own arguments.
      pointwise: whether the function works elementwise on arrays of one shape (or rank 0) instead of scalars.
        Regions made of such kernels are evaluated once over whole arrays.
      ufunc: the NumPy ufunc with the same results on the same operands, if there is one; reductions then use
        `ufunc.reduce`.
      source: a Python expression for the same value, e.g. `"{0} + {1}"`, which generated code contains
        instead of a call.
      native: the native VM's name of the operation, if it differs from the name in the table
        (`operations.lookup.opcode_name`).
      regions: the regions of control flow, which native loops inline.
      array_op: a description of the function as data, if it moves, selects or combines elements of arrays.
      in_place: a variant of the function that writes its only result into its first operand, an array in
        row-major order, and returns this operand; for loops that have the only reference to the operand.
      partial_sort: the same function, for only the first elements.
    """

    function: KernelFunction
    pointwise: bool = False
    ufunc: np.ufunc | None = None
    source: str | None = None
    native: str | None = None
    regions: tuple["Region", ...] = ()
    in_place: KernelFunction | None = None
    array_op: ArrayOp | None = None
    partial_sort: PartialSort | None = None


def _first(operand: Value, *_: Value) -> Value:
    return operand


# Returns the first operand. The kernel is pointwise, so that a region that treats a scalar as a tensor stays
# pointwise.
IDENTITY = Kernel(_first, pointwise=True, source="{0}")


class Constant:
    """An operation without operands whose only result is known when the plan is built.

    All runs share the value, so an array becomes read-only.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value: Value = value
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


def _no_function(name: str) -> "Region":
    raise UnsupportedError(f"there is no function @{name} with a body")


class Operation(NamedTuple):
    """The description of one operation for its bind function.

    Attributes:
      regions: the regions, callable on values.
      capture_count: the number of values that the regions capture from outside.
      function_name: the name of the function that contains the operation.
      function: returns a function of the module by name.
      is_precise: whether sums accumulate in higher precision than that of the types (`precision="high"`).
      is_pairwise: whether values are added in pairs, pairs in pairs, ... (`precision="pairwise"`).
      thresholds: sizes above which fast paths are faster.
      callbacks: Python functions of this process that custom calls name by number.
    """

    name: str
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    attributes: "Attributes"
    regions: tuple["Region", ...] = ()
    capture_count: int = 0
    function_name: str = ""
    function: Callable[[str], "Region"] = _no_function
    is_precise: bool = False
    thresholds: Thresholds = DEFAULTS
    callbacks: tuple[Callable[..., Any], ...] = ()
    is_pairwise: bool = False

    def operand(self, index: int = 0) -> TensorType:
        """The type of a tensor operand."""
        return self._tensor(self.operand_types[index], f"operand {index}")

    def result(self, index: int = 0) -> TensorType:
        """The type of a tensor result."""
        return self._tensor(self.result_types[index], f"result {index}")

    def _tensor(self, type_: ValueType, what: str) -> TensorType:
        if not isinstance(type_, TensorType):
            raise UnsupportedError(f"{what} has type {type_}, which hlokit does not evaluate")
        return type_


BindFunction = Callable[[Operation], Kernel | Constant]
# A function that binds an operation with quantized types, given the bind function for other types.
QuantizedBindFunction = Callable[[BindFunction, Operation], Kernel | Constant]

_BIND_FUNCTIONS: dict[str, BindFunction] = {}
_QUANTIZED_BIND_FUNCTIONS: dict[str, QuantizedBindFunction] = {}


def find(name: str) -> BindFunction | None:
    """The bind function of an operation; None if there is none."""
    bind = _BIND_FUNCTIONS.get(name)
    if bind is None:
        entry = INDEX.get(name)
        if entry is None or entry.kernel is None:
            return None
        bind = _BIND_FUNCTIONS[name] = bind_function(entry.kernel)
    return bind


def bind_function(place: tuple[str, str]) -> BindFunction:
    """The bind function of this name in this module, as the index of operations names it."""
    module, function = place
    return getattr(import_module(module), function)


def import_kernels(names: Iterable[str]) -> None:
    """Import what the operations of a module need.

    A planner calls this before its first plan. Otherwise a run that reaches a region for the first time would
    import modules, perhaps beside a fork, whose process could never complete the import.
    """
    for name in names:
        find(name)


def register_quantized(bind: QuantizedBindFunction, *names: str) -> None:
    """Register a bind function for operations with operands or results of quantized types."""
    for name in names:
        if name in _QUANTIZED_BIND_FUNCTIONS:
            raise ValueError(f"operation {name} is registered twice for quantized types")
        _QUANTIZED_BIND_FUNCTIONS[name] = bind


def bind_quantized(bind: BindFunction, operation: Operation) -> Kernel | Constant:
    """The kernel of an operation that has operands or results of quantized types."""
    _import_quantized()
    quantized = _QUANTIZED_BIND_FUNCTIONS.get(operation.name)
    if quantized is None:
        raise UnsupportedError(f"hlokit does not evaluate {operation.name} of quantized types")
    return quantized(bind, operation)


def _import_quantized() -> None:
    """Import the only module that fills the table."""
    find("stablehlo.uniform_quantize")


def quantized_operations() -> tuple[str, ...]:
    """The names of all operations that may have operands or results of quantized types, sorted."""
    _import_quantized()
    return tuple(sorted(_QUANTIZED_BIND_FUNCTIONS))


def registered_operations() -> tuple[str, ...]:
    """The names of all operations that have a bind function, sorted."""
    return tuple(sorted([name for name, entry in INDEX.items() if entry.kernel is not None]))
