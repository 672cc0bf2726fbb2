"""The layouts of values inside of a partitioned program: the pieces that each device holds.

Shardy states the sharding of each value. XLA's partitioner does not; with XLA, layouts follow from the
layouts of the parameters, through elementwise operations and collectives, and the remaining layouts are
unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.operations.lookup import traits_of
from hlokit.tools.shard.cost_model.traffic import Groups, read_collective
from hlokit.tools.shard.notation.annotations import entry
from hlokit.tools.shard.notation.layout import Layout, layout_of
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.partitioners.answers import Stated

_SUMS = ("stablehlo.all_reduce", "stablehlo.reduce_scatter")


@dataclass(frozen=True, slots=True)
class Placed:
    """The layouts of an operation's operands and results; None where a layout is unknown."""

    operands: tuple[Layout | None, ...]
    results: tuple[Layout | None, ...]


def placements(
    module: ir.Module, mesh: Mesh, inputs: Sequence[Layout], stated: Sequence[Stated]
) -> dict[ir.Operation, Placed]:
    """The layouts around the operations of the entry function."""
    main = entry(module)
    numbers: dict[ir.Operation, int] = {}
    walk(module.operation, lambda operation: numbers.update({operation: len(numbers)}))
    laid_out = cache(partial(layout_of, mesh=mesh))
    result_layouts: dict[tuple[int, int], Layout] = {}
    for value in stated:
        sharding = value.sharding.of_rank(len(value.shape))
        counts = sharding.counts(mesh)
        shape = tuple(size * count for size, count in zip(value.shape, counts, strict=True))
        result_layouts[value.operation, value.result] = laid_out(sharding, shape=shape)
    _mark_terms(main, numbers, result_layouts, mesh.count)
    layouts: dict[Any, Layout] = dict(zip(main.regions[0].blocks[0].arguments, inputs, strict=True))
    placed: dict[ir.Operation, Placed] = {}
    for view in main.regions[0].blocks[0].operations:
        operation = view.operation
        number = numbers[operation]
        operands = tuple(layouts.get(operand) for operand in operation.operands)
        results: list[Layout | None] = []
        for index, result in enumerate(operation.results):
            layout = result_layouts.get((number, index)) or _follows(operation, index, operands, mesh.count)
            if layout is not None and tuple(ir.ShapedType(result.type).shape) != layout.piece_shape:
                layout = None
            if layout is not None:
                layouts[result] = layout
            results.append(layout)
        placed[operation] = Placed(operands, tuple(results))
    return placed


def _mark_terms(
    main: ir.Operation, numbers: dict[ir.Operation, int], layouts: dict[tuple[int, int], Layout], count: int
) -> None:
    """Mark the operands of sums that the partitioner inserted: each device holds a term of such an operand.
    These sums are those without a stated sharding."""
    for view in main.regions[0].blocks[0].operations:
        operation = view.operation
        if operation.name not in _SUMS or (numbers[operation], 0) in layouts:
            continue
        terms = [0] * count
        for group in read_collective(operation, (1, count)).groups:
            for position, device in enumerate(group):
                terms[device] = position
        for operand in operation.operands:
            owner = operand.owner
            if not isinstance(owner, ir.Block):
                key = (numbers[owner.operation], ir.OpResult(operand).result_number)
                if key in layouts:
                    layouts[key] = replace(layouts[key], terms=tuple(terms))


def _follows(
    operation: ir.Operation, index: int, operands: Sequence[Layout | None], count: int
) -> Layout | None:
    """The layout of a result that follows from the layouts of the operands."""
    if traits_of(operation.name).collective:
        operand = operands[index] if index < len(operands) else None
        return None if operand is None else moved(operation, operand, count)
    if traits_of(operation.name).elementwise and operands and operands[0] is not None:
        return operands[0] if all(operand == operands[0] for operand in operands) else None
    return None


def moved(operation: ir.Operation, before: Layout, count: int) -> Layout | None:
    """The layout of the result of a collective; None if its pieces are not of equal size.

    Args:
      count: the number of devices.
    """
    groups = read_collective(operation, (1, count)).groups
    attributes = Attributes(operation)
    match operation.name.partition(".")[2]:
        case "all_reduce":
            return replace(before, terms=()) if before.terms else None
        case "all_gather":
            return gathered(before, groups, attributes.int_("all_gather_dim"))
        case "reduce_scatter":
            whole = replace(before, terms=())
            return scattered(whole, groups, attributes.int_("scatter_dimension")) if before.terms else None
        case "all_to_all" if not before.terms:
            whole = gathered(before, groups, attributes.int_("concat_dimension"))
            return None if whole is None else scattered(whole, groups, attributes.int_("split_dimension"))
        case "collective_permute" if not before.terms:
            source = {group[-1]: group[0] for group in groups}
            if len(source) < count:
                return None
            return replace(before, pieces=tuple(before.pieces[source[device]] for device in range(count)))
        case _:
            return None


def gathered(before: Layout, groups: Groups, dimension: int) -> Layout | None:
    """The layout after each group has joined its pieces along a dimension, in the order of the group."""
    size = max((len(group) for group in groups), default=1)
    if before.terms or before.counts[dimension] % size or before.shape[dimension] % before.counts[dimension]:
        return None
    pieces = list(before.pieces)
    for group in groups:
        first = before.pieces[group[0]]
        for position, device in enumerate(group):
            piece = before.pieces[device]
            if piece[dimension] != first[dimension] + position or first[dimension] % size:
                return None
            pieces[device] = _with(piece, dimension, piece[dimension] // size)
    return replace(
        before,
        counts=_with(before.counts, dimension, before.counts[dimension] // size),
        pieces=tuple(pieces),
    )


def scattered(before: Layout, groups: Groups, dimension: int) -> Layout | None:
    """The layout after each device of a group has kept one of equal parts along a dimension."""
    size = max((len(group) for group in groups), default=1)
    counts = _with(before.counts, dimension, before.counts[dimension] * size)
    if before.shape[dimension] % counts[dimension]:
        return None
    pieces = list(before.pieces)
    for group in groups:
        for position, device in enumerate(group):
            piece = before.pieces[device]
            pieces[device] = _with(piece, dimension, piece[dimension] * size + position)
    return replace(before, counts=counts, pieces=tuple(pieces))


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
