"""What the operations of a function ask of its parameters: indices within bounds, positive numbers, ...

A parameter is followed through calls, loops and operations that move elements, to the operations that use it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from hlokit.kernels.custom_calls.lapack import factorised_operand
from hlokit.mlir.provider.bindings import import_classes, ir
from hlokit.mlir.queries.module import callee_names, functions, has_body
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.operations.traits import Domain, Traits
from hlokit.programs.examples.indices import index_bound
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Values that are followed from one parameter, and from all of them: each of 1,000 parameters may reach nearly
# all of a long program. Demands on a parameter are near it, so the nearest values come first.
_MOST_VALUES = 2000
_MOST_OF_ALL = 100_000


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
    most = min(_MOST_VALUES, _MOST_OF_ALL // max(len(block.arguments), 1))
    return [_demands(argument, every_function, most) for argument in block.arguments]


def _demands(parameter: ir.Value, every_function: dict[str, ir.Operation], most: int) -> Demands:
    demands, calls = Demands(), _Calls(every_function)
    waiting = deque([_Followed(parameter)])
    reached: set[ir.Value] = {parameter}
    while waiting and len(reached) <= most:
        value, is_copy, is_positive = waiting.popleft()
        for use in value.uses:
            operation = use.owner.operation
            for domain, operand in domains_of(operation):
                # A definite matrix plus its transpose is definite, and positive numbers times a constant are
                # positive; other demands hold for copies only.
                kept = (Domain.DEFINITE, Domain.POSITIVE) if is_positive else (Domain.DEFINITE,)
                if operand == value and (is_copy or domain in kept):
                    demands.add(domain, _below(operation, domain, value))
            copies = _copies(operation, use.operand_number, calls)
            others = [_Followed(copy, is_copy, is_positive) for copy in copies]
            for other in others or _computed(operation, value, parameter, is_positive=is_positive):
                if other.value not in reached:
                    reached.add(other.value)
                    waiting.append(other)
    return demands


def are_factors(function: ir.Operation, module: ir.Module) -> list[bool]:
    """Whether sums of products take each parameter, or what arithmetic makes of it: scaled, shifted by a zero
    point, unpacked. Results of comparisons and functions such as exp do not count: it may be a mask."""
    every_function = functions(module)
    return [_is_factor(argument, every_function) for argument in function.regions[0].blocks[0].arguments]


def _is_factor(parameter: ir.Value, every_function: dict[str, ir.Operation]) -> bool:
    calls = _Calls(every_function)
    waiting = [parameter]
    reached: set[ir.Value] = {parameter}
    while waiting and len(reached) < _MOST_VALUES:
        for use in waiting.pop().uses:
            operation = use.owner.operation
            traits = traits_of(operation.name)
            if traits.contraction:
                return True
            is_arithmetic = traits.elementwise and not traits.ulps
            copies = operation.results if is_arithmetic else _copies(operation, use.operand_number, calls)
            others = [copy for copy in copies if copy not in reached and not _is_boolean(copy)]
            reached.update(others)
            waiting += others
    return False


def _is_boolean(value: ir.Value) -> bool:
    type_ = value_type(value.type)
    return isinstance(type_, TensorType) and type_.element_type.kind is Kind.BOOL


class _Followed(NamedTuple):
    """A value, whether it holds elements of the parameter, not numbers computed from them, and whether it is
    positive if the parameter is."""

    value: ir.Value
    is_copy: bool = True
    is_positive: bool = True


def _computed(
    operation: ir.Operation, value: ir.Value, parameter: ir.Value, *, is_positive: bool
) -> list[_Followed]:
    """The results of an elementwise operation that have the parameter's type."""
    traits = traits_of(operation.name)
    # Squares are positive for any number.
    is_positive = is_positive and traits.keeps_positive and list(operation.operands).count(value) == 1
    return [
        _Followed(result, is_copy=False, is_positive=is_positive)
        for result in operation.results
        if traits.elementwise and result.type == parameter.type
    ]


def domains_of(operation: ir.Operation) -> Iterator[tuple[Domain, ir.Value]]:
    """The operands for which some values make sense, and others do not."""
    if traits_of(operation.name).foreign and "call_target_name" in operation.attributes:
        target = ir.StringAttr(operation.attributes["call_target_name"]).value
        position = factorised_operand(target)
        if position is not None and position < len(operation.operands):
            yield Domain.DEFINITE, operation.operands[position]
    for name, domain in traits_of(operation.name).domains:
        operands = getattr(operation.opview, name)
        for operand in [operands] if isinstance(operands, ir.Value) else operands:
            yield domain, operand


class _Calls:
    """The calls that hand on a parameter, and the results with which the called functions return it."""

    def __init__(self, every_function: dict[str, ir.Operation]) -> None:
        self._functions = every_function
        self._calls: dict[str, list[ir.Operation]] = defaultdict(list)
        self._returned: dict[str, set[int]] = defaultdict(set)

    def enter(self, call: ir.Operation, number: int) -> Iterator[ir.Value]:
        """What an operand of a call is in the functions and, if they return it, after the call."""
        for name in callee_names(call):
            callee = self._functions.get(name)
            if callee is None or not has_body(callee):
                continue
            arguments = callee.regions[0].blocks[0].arguments
            if number < len(arguments):  # a process of a grid takes some of the operands
                self._calls[name].append(call)
                yield arguments[number]
                yield from [call.results[n] for n in self._returned[name] if n < len(call.results)]

    def leave(self, function: ir.Operation, number: int) -> Iterator[ir.Value]:
        """What a value that a function returns is after the calls."""
        name = ir.StringAttr(function.attributes["sym_name"]).value
        self._returned[name].add(number)
        yield from [call.results[number] for call in self._calls[name] if number < len(call.results)]


def _copies(operation: ir.Operation, number: int, calls: _Calls) -> Iterator[ir.Value]:
    """The values that hold elements of an operand, or integers computed from them."""
    traits = traits_of(operation.name)
    if traits.terminator:
        yield from _returned(operation, number, calls)
    elif traits.control and operation.regions:
        for region in operation.regions:
            if number < len(region.blocks[0].arguments):  # of a loop
                yield region.blocks[0].arguments[number]
                yield operation.results[number]
    elif traits.control:
        yield from calls.enter(operation, number)
    elif _moves(traits, operation, number) or (traits.elementwise and _holds_integers(operation, number)):
        yield from operation.results


def _returned(terminator: ir.Operation, number: int, calls: _Calls) -> Iterator[ir.Value]:
    """The result of a loop, branch or call that a terminator's operand becomes."""
    parent = terminator.parent
    if parent is not None and parent.name == "func.func":
        yield from calls.leave(parent.operation, number)
    elif parent is not None and number < len(parent.results) == len(terminator.operands):
        yield parent.results[number]


def _moves(traits: Traits, operation: ir.Operation, number: int) -> bool:
    return traits.moves is not None and number in range(len(operation.operands))[traits.moves]


def _holds_integers(operation: ir.Operation, number: int) -> bool:
    """Whether an operand and the results are tensors of integers."""
    types = (value_type(value.type) for value in (operation.operands[number], *operation.results))
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
