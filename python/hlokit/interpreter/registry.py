"""What an operation is to the interpreter, and the table of those that it knows.

A *bind function* takes an `Operation` (types, attributes, regions: everything known before the program
runs) and gives a `Kernel` or a `Constant`. It runs once per operation, when the plan is built, and reads
every attribute there. A *kernel* is a pure function of arrays:

- a tensor is a NumPy array of its element type's dtype, in any memory layout and possibly read-only; a
  rank-0 tensor may also be a NumPy scalar. Kernels never write into an operand;
- a kernel of an operation with one result returns that value, one with none or several returns a tuple;
- it checks nothing that the verifier has checked, and raises only what the program may do wrong (an
  `EvaluationError`).

    @op("stablehlo.transpose")
    def transpose(operation: Operation) -> Kernel:
        permutation = operation.attributes.ints("permutation")
        return Kernel(lambda operand: np.transpose(operand, permutation))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.interpreter import homes
from hlokit.interpreter.forms import Form
from hlokit.values.types import TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.interpreter.block import Block
    from hlokit.mlir.attributes import Attributes

# A value while a program runs: ndarray or NumPy scalar, Token, tuple of values.
Value = Any
KernelFunction = Callable[..., Any]


class Head(NamedTuple):
    """What gives only the first elements of all results along a dimension: `make(count)` gives so many."""

    dimension: int
    make: Callable[[int], KernelFunction]


@dataclass(frozen=True, slots=True)
class Kernel:
    """How a planned operation is evaluated.

    Attributes:
      function: from operands to the result (one result) or a tuple of results (none or several).
        The operands of an operation with regions are followed by the values that its regions capture
        from outside (`Operation.capture_count` of them); each region takes them after its own arguments.
      pointwise: applied to arrays of one common shape (or rank 0) instead of scalars, it computes
        elementwise. Regions made of such kernels are evaluated once over whole arrays.
      ufunc: the NumPy ufunc that it equals on its operands as they are, if there is one: lets
        reductions use `ufunc.reduce`.
      source: a Python expression that it equals, e.g. `"{0} + {1}"`: lets generated code skip the call.
      native: what the native machines call it, if that does not follow from the operation's name.
      regions: of control flow, so that a native loop can include them.
      form: what it does, as data, if operations of its kind have a form.
      in_place: the same, but writes its only result into the first operand, an array in row-major order, and
        gives that; for loops that have the operand for themselves.
      head: the same, but gives only the first elements; for programs that slice these off.
    """

    function: KernelFunction
    pointwise: bool = False
    ufunc: np.ufunc | None = None
    source: str | None = None
    native: str | None = None
    regions: tuple[Block, ...] = ()
    in_place: KernelFunction | None = None
    form: Form | None = None
    head: Head | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """An operation without operands whose only result is known when the plan is built.

    Every run has the same value: an array becomes read-only.
    """

    value: Value

    def __post_init__(self) -> None:
        value = self.value
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


def _no_function(name: str) -> Block:
    raise UnsupportedError(f"there is no function @{name} with a body")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation as a bind function sees it.

    Attributes:
      regions: its regions, callable on values (`Block`).
      capture_count: how many values the regions capture from outside.
      function_name: of the function that it stands in.
      function: gives the block of another function of the module by name.
      is_precise: sums are accumulated in more precision than the types have (`precision="high"`).
    """

    name: str
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    attributes: Attributes
    regions: tuple[Block, ...] = ()
    capture_count: int = 0
    function_name: str = ""
    function: Callable[[str], Block] = _no_function
    is_precise: bool = False

    def operand(self, index: int = 0) -> TensorType:
        """Type of a tensor operand."""
        return self._tensor(self.operand_types[index], f"operand {index}")

    def result(self, index: int = 0) -> TensorType:
        """Type of a tensor result."""
        return self._tensor(self.result_types[index], f"result {index}")

    def _tensor(self, type_: ValueType, what: str) -> TensorType:
        if not isinstance(type_, TensorType):
            raise UnsupportedError(f"{what} has type {type_}, which hlokit does not evaluate")
        return type_


BindFunction = Callable[[Operation], Kernel | Constant]
# How an operation with quantized types is bound, given how it is bound with others.
QuantizedBindFunction = Callable[[BindFunction, Operation], Kernel | Constant]

_BIND_FUNCTIONS: dict[str, BindFunction] = {}
_QUANTIZED_BIND_FUNCTIONS: dict[str, QuantizedBindFunction] = {}


def op(*names: str) -> Callable[[BindFunction], BindFunction]:
    """Register a bind function under operation names, e.g. `@op("stablehlo.add")`."""

    def register(bind: BindFunction) -> BindFunction:
        for name in names:
            if name in _BIND_FUNCTIONS:
                raise ValueError(f"operation {name} is registered twice")
            _BIND_FUNCTIONS[name] = bind
        return bind

    return register


def find(name: str) -> BindFunction | None:
    """The bind function of an operation, None if there is none."""
    if name not in _BIND_FUNCTIONS:
        homes.import_operation(name)
    return _BIND_FUNCTIONS.get(name)


def op_of_quantized(bind: QuantizedBindFunction, *names: str) -> None:
    """Register how operations are bound that have operands or results of quantized types."""
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
    """One module has all of this table."""
    homes.import_operation("stablehlo.uniform_quantize")


def quantized_operations() -> tuple[str, ...]:
    """Names of all operations that may have operands or results of quantized types, sorted."""
    _import_quantized()
    return tuple(sorted(_QUANTIZED_BIND_FUNCTIONS))


def registered_operations() -> tuple[str, ...]:
    """Names of all operations that have a bind function, sorted."""
    homes.import_operations()
    return tuple(sorted(_BIND_FUNCTIONS))
