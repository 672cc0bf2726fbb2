"""Follows operations through a partitioner, by numbers in their locations.

Before the partitioner runs, each operation of the whole program gets its number as the name of its location.
The operations that the partitioner makes of an operation keep this location. Afterwards, the locations in the
program for a device identify the operations of the whole program whose results they have, and hlokit restores
the locations of the source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import operations_within, walk
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.notation.annotations import read_sharding
from hlokit.tools.shard.notation.gspmd import parse_tiling
from hlokit.tools.shard.notation.layout import Layout, layout_of
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import Sharding
from hlokit.tools.shard.partitioners.answers import SMALL, Kept, Traced
from hlokit.tools.shard.prices.flops import size_of

# The shardings of an operation's results: in Shardy's form, or as text in GSPMD's.
Shardings = Sequence[Sharding | str]

_NAME = "hlokit."
_NUMBER = re.compile(r'loc\("hlokit\.(\d+)')


class Tracks:
    """The operations of a whole program. The constructor writes their numbers into their locations, in place.

    Calls must be inlined, because a number identifies one place in a run.
    """

    def __init__(self, module: ir.Module) -> None:
        self._locations: list[ir.Location] = []
        operations: list[ir.Operation] = []
        walk(module.operation, operations.append)
        for operation in operations:
            self._mark(operation)
        # Preparations replace operations, which must not be asked later.
        self.shapes = [_shapes(operation) for operation in operations]
        self._names = [operation.name for operation in operations]
        self._sizes = [[size_of(result) for result in operation.results] for operation in operations]
        self._is_in_control_flow = [in_control_flow(operation) for operation in operations]

    def _mark(self, operation: ir.Operation) -> None:
        number = len(self._locations)
        self._locations.append(operation.location)
        operation.location = ir.Location.name(f"{_NAME}{number}", operation.location, operation.context)

    def location(self, operation: ir.Operation) -> str:
        """The location of the source, in MLIR's syntax."""
        number = number_of(operation)
        return str(operation.location if number is None else self._locations[number])

    def constrained(self, module: ir.Module) -> set[tuple[int, str]]:
        """The requests of sharding constraints: the number of the operation that computes the value, and the
        sharding, as `PartitionSpec` prints it."""
        requests: set[tuple[int, str]] = set()

        def visit(operation: ir.Operation) -> None:
            if operation.name == "sdy.sharding_constraint":
                owner = operation.operands[0].owner
                number = None if isinstance(owner, ir.Block) else number_of(owner)
                if number is not None:
                    requests.add((number, str(read_sharding(operation.attributes["sharding"]))))

        walk(module.operation, visit)
        return requests

    def source_of(self, number: int) -> str:
        """The location of the source of an operation of the whole program, in MLIR's syntax."""
        return str(self._locations[number])

    def restore(self, module: ir.Module) -> None:
        """Restore the locations of the source in a module."""

        def visit(operation: ir.Operation) -> None:
            number = number_of(operation)
            if number is not None:
                operation.location = self._locations[number]
            for region in operation.regions:
                for block in region.blocks:
                    for argument in block.arguments:
                        of_argument = _number_in(argument.location)
                        if of_argument is not None:
                            argument.set_location(self._locations[of_argument])

        walk(module.operation, visit)

    def followed(self, module: ir.Module, shardings: Mapping[int, Shardings], mesh: Mesh) -> list[Traced]:
        """The operations of a program for a device that have the results of operations of the whole program.

        If several operations have one number, the last one counts: a sum of terms follows the terms.

        Args:
          shardings: the shardings of the results of the whole program's operations, by number.
        """
        traced: dict[int, Traced] = {}
        for position, operation in enumerate(operations_within(module.operation)):
            number = number_of(operation)
            if number is None or number not in shardings or not self._is_in_control_flow[number]:
                continue
            listed = shardings[number]
            if _shapes(operation) == self._pieces(number, listed, mesh) and in_control_flow(operation):
                traced[number] = Traced(number, position, tuple(listed))
        return list(traced.values())

    def layouts(self, module: ir.Module, traced: Sequence[Traced], mesh: Mesh) -> dict[ir.Value, Layout]:
        """The layouts of the traced values of a program for a device."""
        operations = operations_within(module.operation)
        layouts: dict[ir.Value, Layout] = {}
        for pair in traced:
            results, shapes = operations[pair.operation].results, self.shapes[pair.whole]
            for result, sharding, shape in zip(results, pair.shardings, shapes, strict=True):
                layout = None if shape is None else layout_in(mesh, sharding, shape)
                if layout is not None:
                    layouts[result] = layout
        return layouts

    def kept(self, shardings: Mapping[int, Shardings]) -> list[Kept]:
        """Values of the whole program that no sharding splits; the largest first."""
        values: list[Kept] = []
        for number, listed in shardings.items():
            sizes = self._sizes[number]
            if not self._is_in_control_flow[number] or len(listed) != len(sizes):
                continue
            for size, sharding in zip(sizes, listed, strict=True):
                if size >= SMALL and not _splits(sharding):
                    values.append(Kept(self._names[number], str(self._locations[number]), size))
        return sorted(values, key=lambda kept: -kept.bytes)

    def _pieces(self, number: int, shardings: Shardings, mesh: Mesh) -> list[tuple[int, ...] | None]:
        """The shapes of a device's pieces of results."""
        shapes = self.shapes[number]
        if len(shapes) != len(shardings):
            return [None, None]  # no operation has these shapes
        return [
            None if shape is None else _piece(shape, sharding, mesh)
            for shape, sharding in zip(shapes, shardings, strict=True)
        ]


def number_of(operation: ir.Operation) -> int | None:
    """The number in an operation's location."""
    return _number_in(operation.location)


def _number_in(location: ir.Location) -> int | None:
    match = _NUMBER.match(str(location))
    return None if match is None else int(match[1])


def in_control_flow(operation: ir.Operation) -> bool:
    """Whether only functions, loops and branches enclose an operation."""
    parent = operation.parent
    while parent is not None:
        name = parent.operation.name
        if name not in ("func.func", "builtin.module") and (
            not traits_of(name).control or traits_of(name).makes_grid
        ):
            return False
        parent = parent.operation.parent
    return True


@cache
def layout_in(mesh: Mesh, sharding: Sharding | str, shape: tuple[int, ...]) -> Layout | None:
    """The layout of a value; None if devices hold terms of the value."""
    if isinstance(sharding, Sharding):
        layout = layout_of(sharding.of_rank(len(shape)), mesh, shape)
    else:
        layout = parse_tiling(sharding).layout(shape, mesh.count)
    return None if layout.terms else layout


def _splits(sharding: Sharding | str) -> bool:
    if isinstance(sharding, Sharding):
        return sharding.is_split or bool(sharding.unreduced)
    tiling = parse_tiling(sharding)
    return (
        tiling.devices is not None
        and max(tiling.tiles[: len(tiling.tiles) - len(tiling.subgroups)], default=1) > 1
    )


def _shapes(operation: ir.Operation) -> list[tuple[int, ...] | None]:
    return [
        tuple(ir.RankedTensorType(result.type).shape)
        if isinstance(result.type, ir.RankedTensorType)
        else None
        for result in operation.results
    ]


def _piece(shape: tuple[int, ...], sharding: Sharding | str, mesh: Mesh) -> tuple[int, ...] | None:
    if isinstance(sharding, Sharding):
        counts = sharding.of_rank(len(shape)).counts(mesh)
    else:
        tiling = parse_tiling(sharding)
        counts = tiling.tiles[: len(shape)] if tiling.devices is not None else (1,) * len(shape)
    if len(counts) != len(shape):
        return None
    return tuple(-(-size // count) for size, count in zip(shape, counts, strict=True))
