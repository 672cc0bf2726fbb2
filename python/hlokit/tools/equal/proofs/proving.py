"""`prove`: whether two programs give the same bits for all arguments of their types.

Programs whose arguments have few bits run on all of them. Others run on terms of z3 over the bits of the
arguments (`bit_vectors`), path by path: a run follows the branches that its arguments take, z3 decides
whether results can differ for any arguments on this path, and then gives arguments of another path, until
there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError, for_callers
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import called_functions, functions, operations_within
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.tools.equal.proofs.bit_vectors import quantized_types
from hlokit.tools.equal.proofs.exhaustive import Exhaustive
from hlokit.tools.equal.proofs.functions import Functions
from hlokit.tools.equal.proofs.proof import Proof
from hlokit.tools.equal.proofs.search import Search
from hlokit.tools.equal.sides import Pairing, WholeProgram, paired, side_of
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

# Arguments of at most so many bits are all tried.
_MOST_BITS = 16
# Elements of all arguments together.
_MOST_ELEMENTS = 1 << 14
SECONDS = 60


@for_callers
def prove(
    one: Any,
    other: Any,
    *arguments: Any,
    function: str | None = None,
    other_function: str | None = None,
    map: Mapping[str, Mapping[int, int]] | None = None,  # as the flag
    seconds: float = SECONDS,
    **keywords: Any,
) -> Proof:
    """Whether two programs give the same bits for all arguments of their types (docs/equal.md).

        hlokit.prove(before, after).require()

    Integers and booleans are computed bit by bit. Of operations on floats, only that equal operands give
    equal results is used, unless the arguments have so few bits that both programs run on all of them.
    Programs that compute each element alone are proved for one element, which is any.

    Args:
      one, other: programs, files, or functions of JAX, which need example arguments.
      arguments, keywords: that give sizes to unknown dimensions, and where to begin.
      function, other_function: the names of the functions; by default the entry functions.
      map: `arguments` and `results`: numbers of the first program to those of the second.
      seconds: the most time.

    Raises:
      ArgumentError: the programs' types do not fit each other, or are too large; z3 is not installed.
      EvaluationError, UnsupportedError: a program does not run.
    """
    sides = (
        side_of(one, function, arguments, keywords),
        side_of(other, other_function or function, arguments, keywords),
    )
    first, second = sides
    if not isinstance(first, WholeProgram) or not isinstance(second, WholeProgram):
        raise ArgumentError("programs for several processes cannot be proved equal: use equal")
    pairing = paired(first, second, map)
    if not _have_one_type(first, second, pairing):
        raise ArgumentError(
            f"programs must have the same types to be proved equal, got {_shown(first)} and {_shown(second)}"
        )
    operations = [operation for side in (first, second) for operation in _operations(side)]
    for operation in operations:
        traits = traits_of(operation.name)
        if traits.random or traits.receives:
            raise ArgumentError(
                f"results must depend on arguments alone to be proved equal, got {operation.name}"
            )
    values = first.values(arguments, keywords) if arguments or keywords else first.examples(0)
    types = tuple([_sized(type_, value) for type_, value in zip(first.types[0], values, strict=True)])
    is_by_element = all([_has_no_index(operation) for operation in operations])
    both = Functions(first, second, pairing.arguments, pairing.results, types, is_by_element)
    deadline, exhaustive = monotonic() + seconds, Exhaustive(both)
    if exhaustive.bits <= _MOST_BITS:
        return exhaustive.proof(deadline)
    if sum(type_.size for type_ in types) > _MOST_ELEMENTS and not is_by_element:
        raise ArgumentError(f"arguments must have at most {_MOST_ELEMENTS:,} elements to be proved equal")
    return Search(both, values, deadline).proof()


def _have_one_type(one: WholeProgram, other: WholeProgram, pairing: Pairing) -> bool:
    arguments = [one.types[0][number] for number in pairing.arguments]
    results = [other.types[1][number] for number in pairing.results]
    return arguments == list(other.types[0]) and list(one.types[1]) == results


def _shown(side: WholeProgram) -> str:
    inputs, outputs = (", ".join(map(str, types)) for types in side.types)
    return f"({inputs}) -> ({outputs})"


def _sized(type_: ValueType, value: Any) -> TensorType:
    """The type with the sizes of a value."""
    if not isinstance(type_, TensorType) or type_.element_type.kind is Kind.QUANTIZED:
        raise ArgumentError(f"arguments must be tensors of numbers to be proved equal, got {type_}")
    return TensorType(np.shape(value), type_.element_type)


def _operations(side: WholeProgram) -> list[ir.Operation]:
    """The operations of the function and of those that it calls."""
    function = functions(side.program.module)[side.function]
    called = (function, *called_functions(function).values())
    return [
        operation for body in called for operation in operations_within(body) if operation.name != "func.func"
    ]


def _has_no_index(operation: ir.Operation) -> bool:
    """Whether an element of a result is computed from the elements of the operands at the same index."""
    traits = traits_of(operation.name)
    if traits.constant:
        value = Attributes(operation).elements("value")
        return value.size == 1 or not any(value.strides)
    types = [value_type(operand.type) for operand in operation.operands]
    results = [value_type(result.type) for result in operation.results]
    if any(element.axis is not None for element in quantized_types([*types, *results])):
        return False
    if traits.view:  # a scalar everywhere
        return isinstance(types[0], TensorType) and types[0].rank == 0
    if traits.broadcasting:  # dimensions at an index of another place
        return len({type_.rank for type_ in [*types, results[0]] if isinstance(type_, TensorType)} - {0}) <= 1
    return traits.elementwise or traits.terminator or operation.name == "func.call"
