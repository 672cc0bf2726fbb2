"""Uses and definitions in blocks, read in bulk for the planner: asking the bindings takes a microsecond per
operand.

The bindings write a module as bytecode, without its constants, and the native reader finds the operands of
each operation and the operations that are equal. `LooseRegion` has the same interface for regions outside of
a module, or in a module that a pass is changing; it walks the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from hlokit import _bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import location_of


class Structure(Protocol):
    """The uses and definitions in a block; see `hlokit._bytecode.Block`."""

    @property
    def kinds(self) -> Sequence[int]: ...
    @property
    def firsts(self) -> Sequence[tuple[int, int]]: ...
    @property
    def operands(self) -> list[tuple[int, ...]]: ...
    @property
    def results(self) -> list[tuple[int, ...]]: ...
    @property
    def regions(self) -> dict[int, list[_bytecode.Region]] | dict[int, list[LooseRegion]]: ...
    @property
    def outputs(self) -> tuple[int, ...]: ...
    @property
    def terminator(self) -> str: ...
    @property
    def slot_count(self) -> int: ...


class _Pieces:
    """A file that passes on what is written."""

    def __init__(self, *receivers: Callable[[bytes], object]) -> None:
        self._receivers = receivers

    def write(self, piece: bytes) -> int:
        for receiver in self._receivers:
            receiver(piece)
        return len(piece)


def read_structure(
    module: ir.Module, also: Callable[[bytes], object] | None = None
) -> _bytecode.StructureReader:
    """The native reader of a module.

    Args:
      also: called with the pieces of the module's bytecode.
    """
    reader = _bytecode.StructureReader()
    module.operation.write_bytecode(reader if also is None else _Pieces(reader.write, also))
    return reader


class LooseBlock(NamedTuple):
    """A `Structure` in which every operation has a different kind."""

    kinds: Sequence[int]
    firsts: Sequence[tuple[int, int]]
    operands: list[tuple[int, ...]]
    results: list[tuple[int, ...]]
    regions: dict[int, list[LooseRegion]]
    outputs: tuple[int, ...]
    terminator: str
    slot_count: int


class LooseRegion:
    """A region, and the outside values that the region and its sibling regions use."""

    def __init__(self, region: ir.Region, captured: Sequence[ir.Value]) -> None:
        self._region = region
        self._captured = captured
        self.block_count = len(region.blocks)
        self.capture_count = len(captured)

    def read(self) -> LooseBlock:
        block = self._region.blocks[0]
        slots: dict[ir.Value, int] = {}
        for value in (*block.arguments, *self._captured):
            slots[value] = len(slots)
        operands: list[tuple[int, ...]] = []
        results: list[tuple[int, ...]] = []
        regions: dict[int, list[LooseRegion]] = {}
        *body, terminator = block.operations
        for position, view in enumerate(body):
            operation = view.operation
            used = list(operation.operands)
            if len(operation.regions):
                captured = captured_values(operation.regions)
                regions[position] = [LooseRegion(region, captured) for region in operation.regions]
                used += captured
            operands.append(tuple([slots[value] for value in used]))
            first = len(slots)
            for result in operation.results:
                slots[result] = len(slots)
            results.append(tuple(range(first, len(slots))))
        kinds = range(len(body))
        outputs = tuple([slots[value] for value in terminator.operation.operands])
        return LooseBlock(
            kinds,
            list(enumerate(kinds)),
            operands,
            results,
            regions,
            outputs,
            terminator.operation.name,
            len(slots),
        )


def captured_values(regions: Iterable[ir.Region]) -> tuple[ir.Value, ...]:
    """The outside values that the regions of an operation use, each once, in order of use."""
    captured: dict[ir.Value, None] = {}
    _collect_captured(regions, set(), captured)
    return tuple(captured)


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


class Operations:
    """The operations of a block by position. Operations die with their module, so this object keeps the
    module alive."""

    __slots__ = ("_asked", "_block", "_filename", "_list", "_module")

    # Finding one operation takes time proportional to its position; listing all takes a hundred times as
    # long.
    _MOST_ASKED = 32

    def __init__(self, module: ir.Module, block: ir.Block, filename: str = "-") -> None:
        self._module = module
        self._block = block
        self._filename = filename
        self._asked = 0
        self._list: list[ir.Operation] | None = None

    def __getitem__(self, position: int) -> ir.Operation:
        if self._list is None:
            self._asked += 1
            if self._asked <= self._MOST_ASKED:
                return self._block.operations[position].operation
            self._list = [view.operation for view in self._block.operations]
        return self._list[position]

    def location(self, position: int) -> str:
        """The location of an operation in MLIR's spelling."""
        return location_of(self[position], self._filename)
