"""The planner: builds the plan of each block of a module once, when the block first runs.

The native reader (`mlir.queries.structure`) returns the operands and results of all operations of a block,
and numbers the kinds of equal operations. The planner uses MLIR's bindings, which are slow, only for one
operation of each kind, and for locations.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn, cast

from hlokit import _bytecode
from hlokit.engine.contract.lazy_modules import import_custom_calls
from hlokit.engine.contract.nan_bits import COMPUTES
from hlokit.engine.contract.registry import (
    Constant,
    Kernel,
    Operation,
    Value,
    bind_quantized,
    find,
    import_kernels,
)
from hlokit.engine.contract.stored import BlockPath, StoredBlock, cache_folder
from hlokit.engine.interpreter.checked_types import (
    set_receivers,
    with_checked_state,
    with_checked_types,
)
from hlokit.engine.interpreter.nan_bits import nan_bits, with_canonical_results, with_canonical_steps
from hlokit.engine.interpreter.settings import Settings, Variant
from hlokit.engine.interpreter.tiers import unobserved
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.index_components import with_index_components
from hlokit.engine.plan.plan import Plan, Step
from hlokit.engine.plan.sums_of_pads import with_sums_of_pads
from hlokit.errors import EvaluationError, HlokitError, UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import function_places, functions, signature
from hlokit.mlir.queries.structure import (
    LooseRegion,
    Operations,
    Structure,
    captured_values,
    read_structure,
)
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import Kind
from hlokit.values.types import BEYOND_ARRAYS, TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.engine.contract.store import Store

DEFAULT_SETTINGS = Settings()

# The common properties of operations of one kind: name, kernel, types of operands and results, and the effect
# on the bits of NaNs.
_Bound = tuple[str, Kernel | Constant, tuple[ValueType, ...], tuple[ValueType, ...], int]


@cache
def memory_limit() -> int:
    """The default limit of the bytes of one value: the memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 36


class Planner:
    """Plans of the functions of one module.

    Args:
      settings: tiers, limits, thresholds, and what else a planner needs.

    Attributes:
      operation_names: of the module; none before the first block.
    """

    def __init__(self, module: ir.Module, settings: Settings = DEFAULT_SETTINGS) -> None:
        self._settings = settings
        self._variant = settings.variant
        self._shared = settings.is_precise, settings.thresholds, settings.callbacks  # by all operations
        self._tiers = settings.tiers or unobserved(settings.thresholds)
        self._value_types: dict[ir.Type, ValueType] = {}
        self._bound: dict[int, _Bound] = {}
        self._blocks: dict[str, Block] = {}
        self._module = module  # keeps the operations of the module alive
        self._functions = functions(module)
        self._regions: dict[str, _bytecode.Region] | None = None
        self.operation_names: frozenset[str] = frozenset()
        self._store: Store | None = None
        self._memory_limit = memory_limit() if settings.limit is None else settings.limit
        self._too_large: set[TensorType] = set()
        self._quantized: set[ValueType] = set()
        self._dynamic: set[ValueType] = set()

    def function(self, name: str) -> Block:
        """The block of a function.

        Raises:
          UnsupportedError: the module has no such function, or only its declaration.
        """
        block = self._blocks.get(name)
        if block is None:
            block = self._blocks.setdefault(name, self._function_block(name))
        return block

    @property
    def is_dynamic(self) -> bool:
        """Whether a plan so far has operations with unknown dimensions."""
        return bool(self._dynamic)

    def forget(self) -> None:
        """Drop all plans, which also refer to this planner. The planner builds plans again if necessary."""
        self._blocks.clear()
        self._bound.clear()

    def operation(self, operation: ir.Operation) -> tuple[Kernel | Constant, tuple[ir.Value, ...]]:
        """Plan a single operation: its kernel, and the values that its regions capture.

        If hlokit does not evaluate the operation, the kernel raises an error when it is called.
        """
        captured, attributes = captured_values(operation.regions), Attributes(operation)
        operand_types = tuple([self._type(operand.type) for operand in operation.operands])
        result_types = tuple([self._type(result.type) for result in operation.results])
        blocks = tuple([self._loose_block(region, captured) for region in operation.regions])
        types = operand_types, result_types
        described = Operation(
            operation.name, *types, attributes, blocks, len(captured), "", self.function, *self._shared
        )
        bound = self._bind(described, operation)
        bits = nan_bits(operation.name, operand_types, result_types, attributes, blocks)
        if bits == COMPUTES and isinstance(bound, Kernel):
            bound = with_canonical_results(bound, result_types)
        return bound, captured

    def region(self, region: ir.Region) -> tuple[Block, tuple[ir.Value, ...]]:
        """Plan a single region: its block, and the values that the region captures."""
        captured = captured_values((region,))
        return self._loose_block(region, captured), captured

    def _loose_block(self, region: ir.Region, captured: tuple[ir.Value, ...]) -> Block:
        types = tuple([self._type(value.type) for value in captured])
        return self._block(region, LooseRegion(region, captured), BlockPath(""), types)

    def signature(self, name: str) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]] | None:
        """The input and output types of a function; None if the module has no such function."""
        function = self._functions.get(name)
        return None if function is None else signature(function, self._type)

    def _function_block(self, name: str) -> Block:
        function = self._functions.get(name)
        if function is None or not function.regions[0].blocks:
            raise UnsupportedError(f"there is no function @{name} with a body")
        if self._regions is None:
            structure = self._read_structure()
            self.operation_names = frozenset(structure.operation_names())
            import_kernels(self.operation_names)
            regions = structure.regions()
            self._regions = {name: regions[index][0] for name, index in function_places(self._module).items()}
        return self._block(function.regions[0], self._regions[name], BlockPath(name), ())

    def _read_structure(self) -> _bytecode.StructureReader:
        """The native reader of the module. If there is a folder, opens what is stored of the module."""
        settings = self._settings
        directory = cache_folder()
        if directory is None or settings.tiers or settings.callbacks or type(self._variant) is not Variant:
            return read_structure(self._module)
        import hashlib  # few processes have a folder

        from hlokit.engine.contract.store import Store

        digest = hashlib.sha256()
        structure = read_structure(self._module, digest.update)
        others = self._memory_limit, settings.is_precise, *settings.thresholds
        self._store = Store(directory, digest.hexdigest(), others)
        return structure

    def _block(
        self,
        region: ir.Region,
        structure: _bytecode.Region | LooseRegion,
        path: BlockPath,
        captured: tuple[ValueType, ...],
    ) -> Block:
        """The block of a region; `captured` are the types of the values that the region captures."""
        if structure.block_count != 1:
            raise UnsupportedError(f"a region must have one block, got {structure.block_count}")
        block = region.blocks[0]
        types = tuple([self._type(argument.type) for argument in block.arguments])
        make_plan = partial(self._plan, block, structure, path, (*types, *captured))
        return Block(types, make_plan, self._tiers)

    def _type(self, type_: ir.Type) -> ValueType:
        planned = self._value_types.get(type_)
        if planned is None:
            planned = self._value_types[type_] = self._variant.value_type(value_type(type_))
            if isinstance(planned, TensorType):
                if planned.is_static and (planned.nbytes > self._memory_limit or planned.is_beyond_arrays):
                    self._too_large.add(planned)
                if not planned.is_static:
                    self._dynamic.add(planned)
                if planned.element_type.kind is Kind.QUANTIZED:
                    self._quantized.add(planned)
        return planned

    def _plan(
        self,
        block: ir.Block,
        structure: _bytecode.Region | LooseRegion,
        path: BlockPath,
        types: tuple[ValueType, ...],
    ) -> Plan:
        # All the thousands of small objects of a plan live on: the garbage collector would find nothing.
        collecting = gc.isenabled()
        gc.disable()
        try:
            operations = Operations(self._module, block, self._settings.filename)
            plan = self._variant.plan(self._build(operations, structure, path, types), block)
            is_plain = type(self._variant) is Variant and not self._tiers.is_observed
            if not is_plain:
                return plan
            return with_index_components(with_sums_of_pads(plan, self.operation_names), self.operation_names)
        finally:
            if collecting:
                gc.enable()

    def _build(
        self,
        operations: Operations,
        region: _bytecode.Region | LooseRegion,
        path: BlockPath,
        types: tuple[ValueType, ...],
    ) -> Plan:
        """The plan of a block whose first slots have these types."""
        block = region.read()
        if not traits_of(block.terminator).terminator:
            raise UnsupportedError(f"a block must end in a return, got {block.terminator}")
        # Numbers of kinds and paths of blocks are valid in all blocks of a module, but not outside of it.
        is_loose = not isinstance(region, _bytecode.Region)
        bound = {} if is_loose else self._bound
        slot_types = list(types)
        own: set[int] = set()
        typed = 0  # operations whose results are in `slot_types`
        for kind, position in block.firsts:
            if kind in bound:
                continue
            slot_types += chain.from_iterable([bound[kind][3] for kind in block.kinds[typed:position]])
            typed = position
            bound[kind], is_own = self._bind_at(operations, block, position, slot_types, path)
            if is_own:
                own.add(kind)
        slot_types += chain.from_iterable([bound[kind][3] for kind in block.kinds[typed:]])
        rows = [bound[kind] for kind in block.kinds]
        if own:
            for position, kind in enumerate(block.kinds):
                if kind in own:
                    rows[position], _ = self._bind_at(operations, block, position, slot_types, path)
            for kind in own:
                del bound[kind]
        operands, results = block.operands, block.results
        constants: list[tuple[int, Value]] = []
        steps = [
            _make_step(Step, (name, kernel, read, written, operand_types, result_types, operations, position))
            for position, ((name, kernel, operand_types, result_types, _), read, written) in enumerate(
                zip(rows, operands, results, strict=True)
            )
            if kernel.__class__ is Kernel
        ]
        if len(steps) < len(rows):
            pairs = zip(rows, results, strict=True)
            constants = [(slots[0], row[1].value) for row, slots in pairs if isinstance(row[1], Constant)]
            operands, results = [step.operands for step in steps], [step.results for step in steps]
            rows = [row for row in rows if row[1].__class__ is Kernel]
        bits = bytes([row[4] for row in rows])
        if COMPUTES in bits and not self._tiers.is_observed:
            demanded = _bytecode.demanded_nans(operands, results, bits, block.outputs)
            if demanded:
                steps = with_canonical_steps(steps, demanded, slot_types)
                operands, results = [step.operands for step in steps], [step.results for step in steps]
        kept = (*block.outputs, *[slot for slot, _ in constants])
        return Plan(
            path.function_name,
            len(types),
            len(slot_types),
            tuple(constants),
            tuple(steps),
            tuple(_bytecode.last_uses(operands, results, kept)),
            block.outputs,
            tuple(slot_types),
            stored=None if is_loose or self._store is None else StoredBlock(self._store, str(path)),
        )

    def _bind_at(
        self,
        operations: Operations,
        block: Structure,
        position: int,
        slot_types: Sequence[ValueType],
        path: BlockPath,
    ) -> tuple[_Bound, bool]:
        """Bind an operation of a block; also returns whether other operations of its kind must be bound
        separately."""
        operation = operations[position]
        regions = block.regions.get(position, [])
        types = [slot_types[slot] for slot in block.operands[position]]
        operand_count = len(types) - (regions[0].capture_count if regions else 0)
        operand_types, captured = tuple(types[:operand_count]), tuple(types[operand_count:])
        result_types = tuple([self._type(result.type) for result in operation.results])
        blocks = [
            self._block(region, structure, path.inner(position, number), captured)
            for number, (region, structure) in enumerate(zip(operation.regions, regions, strict=True))
        ]
        attributes, name = Attributes(operation), operation.name
        context = len(captured), path.function_name, self.function, *self._shared
        described = Operation(name, operand_types, result_types, attributes, tuple(blocks), *context)
        kernel = self._bind(described, operation)
        bits = nan_bits(name, operand_types, result_types, attributes, blocks)
        if self._tiers.is_observed and bits == COMPUTES and isinstance(kernel, Kernel):
            kernel = with_canonical_results(kernel, result_types)
        return (name, kernel, operand_types, result_types, bits), attributes.is_own

    def _bind(self, operation: Operation, source: ir.Operation) -> Kernel | Constant:
        """The kernel of an operation; for unsupported operations, a kernel that raises an error when the
        program reaches it."""
        is_flow = traits_of(operation.name).control
        if is_flow:
            set_receivers(operation)
            # Later runs may plan the calls in a region.
            if "stablehlo.custom_call" in self.operation_names and operation.regions:
                import_custom_calls()
        bind = find(operation.name)
        if bind is None:
            return _trap(UnsupportedError(f"hlokit does not evaluate {operation.name}"))
        if self._too_large:
            for type_ in self._too_large.intersection(operation.result_types):
                is_large = type_.nbytes > self._memory_limit
                reason = "takes more memory than this machine has" if is_large else BEYOND_ARRAYS
                return _trap(EvaluationError(f"a result of type {type_} {reason}"))
        types = (*operation.operand_types, *operation.result_types)
        if self._quantized and not self._quantized.isdisjoint(types):
            bind = partial(bind_quantized, bind)
        try:
            kernel = self._variant.bind(bind, operation)
        except HlokitError as error:
            return _trap(error)
        if not isinstance(kernel, Kernel):
            return kernel
        if is_flow:
            return with_checked_state(kernel, operation)
        if self._dynamic and not self._dynamic.isdisjoint(types):
            return with_checked_types(kernel, operation, source)
        return kernel


# A step is a named tuple: `tuple.__new__` creates one in a third of the time.
_make_step = cast("Callable[[type[Step], tuple[Any, ...]], Step]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType] # of any tuple


def operation_of(step: Step) -> ir.Operation:
    """The MLIR operation of a step."""
    assert isinstance(step.origin, Operations), "planners make all steps"
    return step.origin[step.position]


class StepNumbers:
    """Numbers of steps, which are determined once for each step.

    Args:
      number_of: returns the number of an operation.
    """

    def __init__(self, number_of: Callable[[ir.Operation], int]) -> None:
        self._number_of = number_of
        # Keyed by the identity of the step, which the value keeps alive.
        self._numbered: dict[int, tuple[int, Step]] = {}

    def number(self, step: Step) -> int:
        """The number of the operation of a step."""
        numbered = self._numbered.get(id(step))
        if numbered is None:
            numbered = self._numbered[id(step)] = (self._number_of(operation_of(step)), step)
        return numbered[0]


def _trap(error: HlokitError) -> Kernel:
    def trap(*_: Value) -> NoReturn:
        raise type(error)(*error.args)

    return Kernel(trap)
