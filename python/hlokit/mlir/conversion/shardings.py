"""The distribution of tensors among the devices of a mesh, by attributes of Shardy's dialect.

Source: the representation of shardings in the documentation of Shardy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.meshes import device_count
from hlokit.mlir.provider.bindings import ir, sdy
from hlokit.mlir.queries.module import symbol


@dataclass(frozen=True, slots=True)
class Split:
    """The distribution of a tensor among the devices of a mesh.

    Attributes:
      counts: the number of pieces along each dimension.
      pieces: the index of each device's piece, along each dimension.
      terms: the number of each device's term, if the tensor is the sum of the devices' values (unreduced
        axes); () if values are whole.
    """

    counts: tuple[int, ...]
    pieces: tuple[tuple[int, ...], ...]
    terms: tuple[int, ...] = ()

    def positions_by_term(self, positions: Sequence[int]) -> list[list[int]]:
        """The indices into positions of the mesh of those with each term."""
        if not self.terms:
            return [list(range(len(positions)))]
        return [
            [index for index, position in enumerate(positions) if self.terms[position] == term]
            for term in range(max(self.terms) + 1)
        ]


@dataclass(frozen=True, slots=True)
class ManualComputation:
    """The devices of an `sdy.manual_computation`, in the order of the mesh.

    Attributes:
      devices: the id of each device, which is its partition id.
      groups: groups of devices that differ along manual axes only, as positions in the mesh.
      operands, results: the distribution of each value along manual axes.
    """

    devices: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    operands: tuple[Split, ...]
    results: tuple[Split, ...]


@dataclass(frozen=True, slots=True)
class _Mesh:
    """Axis names and sizes, and each device's id and coordinates."""

    sizes: dict[str, int]
    devices: tuple[int, ...]
    coordinates: dict[str, tuple[int, ...]]


def read_manual_computation(operation: ir.Operation) -> ManualComputation:
    """The devices of an `sdy.manual_computation`, and the distribution of its operands and results.

    Raises:
      UnsupportedError: the module lacks the mesh.
    """
    attributes = operation.attributes
    operands, results = (
        [sdy.TensorShardingAttr(item) for item in sdy.TensorShardingPerValueAttr(attributes[name]).shardings]
        for name in ("in_shardings", "out_shardings")
    )
    every = operands + results
    if not every:
        return ManualComputation((0,), ((0,),), (), ())
    mesh = _read_mesh(every[0].mesh_or_ref, operation)
    listed = sdy.ManualAxesAttr(attributes["manual_axes"])
    manual = {str(listed[i]) for i in range(len(listed))}
    free = [coordinates for name, coordinates in mesh.coordinates.items() if name not in manual]
    groups: dict[tuple[int, ...], list[int]] = {}
    for position in range(len(mesh.devices)):
        groups.setdefault(tuple(coordinates[position] for coordinates in free), []).append(position)
    return ManualComputation(
        mesh.devices,
        tuple(map(tuple, groups.values())),
        tuple(_split(sharding, mesh, manual) for sharding in operands),
        tuple(_split(sharding, mesh, manual) for sharding in results),
    )


def _read_mesh(attribute: ir.Attribute, operation: ir.Operation) -> _Mesh:
    mesh = sdy.MeshAttr(_find_mesh(attribute, operation))
    sizes = {axis.name: axis.size for axis in map(sdy.MeshAxisAttr, mesh.axes)}
    count = device_count(sizes.values())
    coordinates = np.indices(tuple(sizes.values())).reshape(len(sizes), count)
    return _Mesh(
        sizes,
        tuple(map(int, mesh.device_ids)) or tuple(range(count)),
        {name: tuple(map(int, row)) for name, row in zip(sizes, coordinates, strict=True)},
    )


def _find_mesh(attribute: ir.Attribute, operation: ir.Operation) -> ir.Attribute:
    """An inlined mesh, or the mesh of the operation that a symbol names."""
    if not isinstance(attribute, ir.FlatSymbolRefAttr):
        return attribute
    named = symbol(operation, attribute.value)
    if named is None or named.name != "sdy.mesh":
        raise UnsupportedError(f"there is no mesh @{attribute.value}")
    return named.attributes["mesh"]


def _split(sharding: sdy.TensorShardingAttr, mesh: _Mesh, manual: set[str]) -> Split:
    """The distribution of a tensor along manual axes, which a sharding lists from the most to the least
    significant."""
    dimensions = [sdy.DimensionShardingAttr(dimension) for dimension in sharding.dimension_shardings]
    axes = [
        [axis for axis in map(sdy.AxisRefAttr, dimension.axes) if axis.name in manual]
        for dimension in dimensions
    ]
    numbers = [[_numbers(axis, mesh) for axis in of_dimension] for of_dimension in axes]
    counts = tuple(prod(count for count, _ in of_dimension) for of_dimension in numbers)
    pieces = tuple(
        tuple(_piece(of_dimension, position) for of_dimension in numbers)
        for position in range(len(mesh.devices))
    )
    unreduced = [axis for axis in map(sdy.AxisRefAttr, sharding.unreduced_axes) if axis.name in manual]
    summed = [_numbers(axis, mesh) for axis in unreduced]
    terms = tuple(_piece(summed, position) for position in range(len(mesh.devices))) if summed else ()
    return Split(counts, pieces, terms)


def _numbers(axis: sdy.AxisRefAttr, mesh: _Mesh) -> tuple[int, list[int]]:
    """The size of an axis or sub-axis, and each device's coordinate along it.

    A sub-axis is a part of its axis: a coordinate along the axis consists, from most to least significant, of
    parts of sizes `pre_size`, `size` and the rest.
    """
    whole, coordinates = mesh.sizes[axis.name], mesh.coordinates[axis.name]
    if axis.sub_axis_info is None:
        return whole, list(coordinates)
    info = sdy.SubAxisInfoAttr(axis.sub_axis_info)
    rest = whole // (info.pre_size * info.size)
    return info.size, [coordinate // rest % info.size for coordinate in coordinates]


def _piece(numbers: Sequence[tuple[int, list[int]]], position: int) -> int:
    piece = 0
    for count, of_devices in numbers:
        piece = piece * count + of_devices[position]
    return piece
