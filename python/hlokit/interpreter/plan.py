"""From MLIR to plans: walks `mlir.ir` once per block, when the block is first run."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false, reportAttributeAccessIssue=false
# (the bindings' classes are partly untyped, and attributes come as the base class)

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, NoReturn

from hlokit.errors import EvaluationError, HlokitError, UnsupportedError
from hlokit.interpreter.block import Block
from hlokit.interpreter.registry import Constant, Kernel, Operation, Value, bind_quantized, find
from hlokit.interpreter.run import Observer
from hlokit.interpreter.steps import Plan, Step, frees
from hlokit.mlir.attributes import Attributes
from hlokit.mlir.bindings import ir
from hlokit.mlir.module import functions
from hlokit.mlir.types import value_type
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

TERMINATORS = ("func.return", "stablehlo.return", "chlo.return", "sdy.return", "shape.assuming_yield")


# An operation's name, how many operands it has, and the numbers of the types of operands and results.
_Key = tuple[Any, ...]
# A kernel, the types of operands and results, and the values that regions capture.
_Bound = tuple[Kernel | Constant, tuple[ValueType, ...], tuple[ValueType, ...], tuple[ir.Value, ...]]


def memory_limit() -> int:
    """Bytes that one value may take: all of this machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 36


class Planner:
    """Plans of the functions of one module.

    Args:
      observer: is told about each step of every block.
      limit: bytes that one value may take; by default all of this machine's memory.
      is_precise: of the operations, see `Operation`.
    """

    def __init__(
        self,
        module: ir.Module,
        observer: Observer | None = None,
        limit: int | None = None,
        *,
        is_precise: bool = False,
    ) -> None:
        self._is_precise = is_precise
        self._observer = observer
        self._kinds: dict[ir.Type, int] = {}
        self._value_types: list[ValueType] = []
        self._bound: dict[_Key, _Bound] = {}
        self._blocks: dict[str, Block] = {}
        self._module = module  # its operations die with it, whoever holds them
        self._functions = functions(module)
        self._memory_limit = memory_limit() if limit is None else limit
        self._too_large: set[ValueType] = set()
        self._quantized: set[ValueType] = set()

    def function(self, name: str) -> Block:
        """The block of a function.

        Raises:
          UnsupportedError: the module has no such function, or only its declaration.
        """
        block = self._blocks.get(name)
        if block is None:
            block = self._blocks.setdefault(name, self._function_block(name))
        return block

    def operation(self, operation: ir.Operation) -> tuple[Kernel | Constant, tuple[ir.Value, ...]]:
        """One operation by itself, wherever it stands: its kernel, and the values that its regions capture.

        The kernel raises when it is called if hlokit does not evaluate the operation.
        """
        regions = tuple(operation.regions)
        captured = tuple(_captured_values(operation)) if regions else ()
        bound = self._bind(
            Attributes(operation),
            operation.name,
            "",
            tuple([self._type(operand.type) for operand in operation.operands]),
            tuple([self._type(result.type) for result in operation.results]),
            tuple([self._block(region, "", captured) for region in regions]),
            len(captured),
        )
        return bound, captured

    def region(self, region: ir.Region) -> tuple[Block, tuple[ir.Value, ...]]:
        """The block of a region by itself, and the values that it captures."""
        captured: dict[ir.Value, None] = {}
        _collect_captured((region,), set(), captured)
        return self._block(region, "", tuple(captured)), tuple(captured)

    def _function_block(self, name: str) -> Block:
        function = self._functions.get(name)
        if function is None or not function.regions[0].blocks:
            raise UnsupportedError(f"there is no function @{name} with a body")
        return self._block(function.regions[0], name, ())

    def _block(self, region: ir.Region, function_name: str, captured: Sequence[ir.Value]) -> Block:
        if len(region.blocks) != 1:
            raise UnsupportedError(f"a region must have one block, got {len(region.blocks)}")
        block = region.blocks[0]
        types = tuple(self._type(argument.type) for argument in block.arguments)
        return Block(types, partial(self._plan, block, function_name, captured), self._observer)

    def _type(self, type_: ir.Type) -> ValueType:
        return self._value_types[self._kind(type_)]

    def _kind(self, type_: ir.Type) -> int:
        """The number of a type: an index into `_value_types`."""
        kind = self._kinds.get(type_)
        if kind is None:
            kind = self._kinds[type_] = len(self._value_types)
            found = self._value_type(type_)
            self._value_types.append(found)
            if isinstance(found, TensorType):
                if found.nbytes > self._memory_limit:
                    self._too_large.add(found)
                if found.element_type.kind is Kind.QUANTIZED:
                    self._quantized.add(found)
        return kind

    def _value_type(self, type_: ir.Type) -> ValueType:
        return value_type(type_)

    def _plan(self, block: ir.Block, function_name: str, captured: Sequence[ir.Value]) -> Plan:
        # A plan is thousands of small objects that all stay: collecting garbage meanwhile finds none.
        collecting = gc.isenabled()
        gc.disable()
        try:
            return self._walk(block, function_name, captured)
        finally:
            if collecting:
                gc.enable()

    def _walk(self, block: ir.Block, function_name: str, captured: Sequence[ir.Value]) -> Plan:
        slots: dict[ir.Value, int] = {}
        kinds: list[int] = []  # types by number
        for value in (*block.arguments, *captured):
            slots[value] = len(kinds)
            kinds.append(self._kind(value.type))
        argument_count = len(kinds)
        constants: list[tuple[int, Value]] = []
        steps: list[Step] = []
        *body, terminator = block.operations
        for view in body:
            operation = view.operation
            name = operation.name
            operands = [slots[operand] for operand in operation.operands]
            first = len(kinds)
            for result in operation.results:
                slots[result] = len(kinds)
                kinds.append(self._kind(result.type))
            regions = tuple(operation.regions)
            # What depends on types alone is bound once for all operations of these types.
            key = (name, len(operands), *[kinds[slot] for slot in operands], *kinds[first:])
            known = None if regions else self._bound.get(key)
            if known is None:
                known = self._bind_step(operation, function_name, key, regions)
            bound, operand_types, result_types, inner = known
            if isinstance(bound, Constant):
                constants.append((first, bound.value))
                continue
            operands += [slots[value] for value in inner]
            results = (first,) if first + 1 == len(kinds) else tuple(range(first, len(kinds)))
            location = partial(_location, operation)
            steps.append(Step(name, bound, tuple(operands), results, operand_types, result_types, location))
        if terminator.operation.name not in TERMINATORS:
            raise UnsupportedError(f"a block must end in a return, got {terminator.operation.name}")
        outputs = tuple(slots[operand] for operand in terminator.operation.operands)
        return Plan(
            function_name,
            argument_count,
            len(kinds),
            tuple(constants),
            tuple(steps),
            frees(steps, {*outputs, *(slot for slot, _ in constants)}),
            outputs,
            tuple([self._value_types[kind] for kind in kinds]),
        )

    def _bind_step(
        self, operation: ir.Operation, function_name: str, key: _Key, regions: tuple[ir.Region, ...]
    ) -> _Bound:
        """Bind an operation, and remember it for others if it depends on its types alone."""
        operand_count = key[1]
        types = [self._value_types[kind] for kind in key[2:]]
        inner = tuple(_captured_values(operation)) if regions else ()
        blocks = tuple([self._block(region, function_name, inner) for region in regions])
        attributes = Attributes(operation)
        operand_types, result_types = tuple(types[:operand_count]), tuple(types[operand_count:])
        kernel = self._bind(
            attributes, operation.name, function_name, operand_types, result_types, blocks, len(inner)
        )
        bound = kernel, operand_types, result_types, inner
        if not regions and not attributes.was_asked:
            self._bound[key] = bound
        return bound

    def _bind(
        self,
        attributes: Attributes,
        name: str,
        function_name: str,
        operand_types: tuple[ValueType, ...],
        result_types: tuple[ValueType, ...],
        regions: tuple[Block, ...],
        capture_count: int,
    ) -> Kernel | Constant:
        """The kernel of an operation; one that raises when it is reached if there is none."""
        bind = find(name)
        if bind is None:
            return _trap(UnsupportedError(f"hlokit does not evaluate {name}"))
        if self._too_large:
            for type_ in self._too_large.intersection(result_types):
                return _trap(
                    EvaluationError(f"a result of type {type_} takes more memory than this machine has")
                )
        if self._quantized and not self._quantized.isdisjoint((*operand_types, *result_types)):
            bind = partial(bind_quantized, bind)
        try:
            return bind(
                Operation(
                    name,
                    operand_types,
                    result_types,
                    attributes,
                    regions,
                    capture_count,
                    function_name,
                    self.function,
                    self._is_precise,
                )
            )
        except HlokitError as error:
            return _trap(error)


def _location(operation: ir.Operation) -> str:
    return str(operation.location)


def operation_of(step: Step) -> ir.Operation:
    """The operation that a step of a plan was made of."""
    assert isinstance(step.location, partial), "a planner makes steps so"
    return step.location.args[0]


def _trap(error: HlokitError) -> Kernel:
    def trap(*_: Value) -> NoReturn:
        raise type(error)(*error.args)

    return Kernel(trap)


def _captured_values(operation: ir.Operation) -> list[ir.Value]:
    """Values from outside that the regions of an operation use, each once, in order of use."""
    captured: dict[ir.Value, None] = {}
    _collect_captured(operation.regions, set(), captured)
    return list(captured)


def _collect_captured(
    regions: Iterable[ir.Region], defined: set[ir.Value], captured: dict[ir.Value, None]
) -> None:
    for region in regions:
        for block in region.blocks:
            defined.update(block.arguments)
            for view in block.operations:
                inner = view.operation
                captured.update((operand, None) for operand in inner.operands if operand not in defined)
                _collect_captured(inner.regions, defined, captured)
                defined.update(inner.results)
