"""What the operations of a function ask of its parameters: indices within bounds, positive numbers, ...

A parameter is followed through calls, loops and operations that move elements, to the operations that use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hlokit.mlir.provider.bindings import import_classes, ir
from hlokit.mlir.queries.module import called_functions, functions
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import Domain, Traits
from hlokit.programs.examples.indices import index_bound
from hlokit.values.types import TensorType

# Values that are followed from one parameter. Very large programs have most uses near the parameters.
_MOST_VALUES = 2000


@dataclass(slots=True)
class Demands:
    """What operations ask of a parameter.

    Attributes:
      domains: the domains of operands that it, or parts of it, become.
      below: the least upper bound of indices; None without such a use.
    """

    domains: set[Domain] = field(default_factory=set[Domain])
    below: int | None = None

    def add(self, domain: Domain, below: int | None) -> None:
        self.domains.add(domain)
        if below is not None:
            self.below = below if self.below is None else min(self.below, below)


def demands_of(function: ir.Operation, module: ir.Module) -> list[Demands]:
    """What the operations of a function ask of each of its parameters."""
    import_classes()  # which name operands
    every_function = functions(module)
    block = function.regions[0].blocks[0]
    return [_demands(argument, every_function) for argument in block.arguments]


def _demands(parameter: ir.Value, every_function: dict[str, ir.Operation]) -> Demands:
    demands = Demands()
    waiting: list[ir.Value] = [parameter]
    followed: set[ir.Value] = {parameter}
    while waiting and len(followed) < _MOST_VALUES:
        value = waiting.pop()
        for use in value.uses:
            operation = use.owner.operation
            for domain, operand in _asked(operation):
                if operand == value:
                    demands.add(domain, _below(operation, domain, value))
            for other in _copies(operation, use.operand_number, every_function):
                if other not in followed:
                    followed.add(other)
                    waiting.append(other)
    return demands


def _asked(operation: ir.Operation) -> Iterator[tuple[Domain, ir.Value]]:
    """The operands for which some values make sense, and others do not."""
    for name, domain in traits_of(operation.name).domains:
        operands = getattr(operation.opview, name)
        for operand in [operands] if isinstance(operands, ir.Value) else operands:
            yield domain, operand


def _copies(
    operation: ir.Operation, number: int, every_function: dict[str, ir.Operation]
) -> Iterator[ir.Value]:
    """The values that hold elements of an operand, or integers computed from them."""
    traits = traits_of(operation.name)
    callees = [every_function[name] for name in called_functions(operation) if name in every_function]
    if traits.terminator:
        yield from _returned(operation, number)
    elif traits.control and operation.regions:
        for region in operation.regions:
            if number < len(region.blocks[0].arguments):  # of a loop
                yield region.blocks[0].arguments[number]
                yield operation.results[number]
    elif callees and traits.control:
        for callee in callees:
            yield callee.regions[0].blocks[0].arguments[number]
    elif _moves(traits, operation, number) or (traits.elementwise and _holds_integers(operation, number)):
        yield from operation.results


def _returned(terminator: ir.Operation, number: int) -> Iterator[ir.Value]:
    """The result of a loop or branch that a terminator's operand becomes."""
    parent = terminator.parent
    if parent is not None and number < len(parent.results) == len(terminator.operands):
        yield parent.results[number]


def _moves(traits: Traits, operation: ir.Operation, number: int) -> bool:
    return traits.moves is not None and number in range(len(operation.operands))[traits.moves]


def _holds_integers(operation: ir.Operation, number: int) -> bool:
    """Whether an operand and the results are tensors of integers."""
    types = [value_type(value.type) for value in (operation.operands[number], *operation.results)]
    return all(isinstance(type_, TensorType) and type_.element_type.kind.is_integer for type_ in types)


def _below(operation: ir.Operation, domain: Domain, operand: ir.Value) -> int | None:
    """The least upper bound of an index or of the number of a branch; None for other domains."""
    match domain:
        case Domain.BRANCH:
            return len(operation.regions)
        case Domain.INDEX:
            return index_bound(operation, operand)
        case _:
            return None
