"""Process groups in attributes of collective operations: lists of ids, or axes of a mesh.

Source: spec "Replica groups".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import ir, sdy, stablehlo
from hlokit.mlir.queries.module import symbol

Groups = tuple[tuple[int, ...], ...]


class InvalidGroupsError(Exception):
    """An attribute that the verifier accepts describes no groups. `constraints.runnable` refuses it."""


# Pads groups that are shorter than others.
_PADDING_ID = -1


def read_replica_groups(attribute: ir.Attribute, operation: ir.Operation) -> Groups | None:
    """The groups of an operation's attribute; None for an empty attribute, which means one group of all
    processes.

    Raises:
      InvalidGroupsError: the attribute describes no groups.
      UnsupportedError: the module lacks the mesh that the attribute names.
    """
    if isinstance(attribute, ir.DenseElementsAttr):
        shape = tuple(attribute.type.shape)
        if len(shape) != 2:
            raise InvalidGroupsError(f"replica_groups must have 2 dimensions, got {len(shape)}")
        rows, columns = shape
        ids = np.array(list(map(int, attribute)), np.int64).reshape(rows, columns)
        groups = (tuple(int(id_) for id_ in row if id_ != _PADDING_ID) for row in ids)
        return tuple(group for group in groups if group) or None
    axes = stablehlo.ReplicaGroupMeshAxesAttr(attribute)
    return _mesh_groups(_mesh(axes.mesh, operation), list(axes.axes))


@dataclass(frozen=True, slots=True)
class _Mesh:
    """Axis sizes by name, and device ids in the order of their coordinates; None means 0, 1, ..."""

    sizes: dict[str, int]
    device_ids: tuple[int, ...] | None


def _mesh(attribute: ir.Attribute, operation: ir.Operation) -> _Mesh:
    """An inlined mesh, or the mesh of the operation that a symbol names."""
    if not isinstance(attribute, ir.FlatSymbolRefAttr):
        return _read_mesh(attribute)
    named = symbol(operation, attribute.value)
    for name in ("mesh", "stablehlo.mesh"):
        if named is not None and name in named.attributes and _is_mesh(named.attributes[name]):
            return _read_mesh(named.attributes[name])
    if named is not None and named.name == "sdy.mesh":
        return _read_shardy_mesh(named.attributes["mesh"])
    raise UnsupportedError(f"replica_groups: there is no mesh @{attribute.value}")


def _is_mesh(attribute: ir.Attribute) -> bool:
    """Whether the attribute is a mesh: StableHLO's attribute, or the dictionary that replaces it in other
    dialects."""
    return (isinstance(attribute, ir.DictAttr) and "axes" in attribute) or stablehlo.MeshAttr.isinstance(
        attribute
    )


def _read_mesh(attribute: ir.Attribute) -> _Mesh:
    if isinstance(attribute, ir.DictAttr):
        entries: dict[str, Any] = {entry.name: entry.attr for entry in attribute}
        sizes = {axis["name"].value: axis["size"].value for axis in entries["axes"]}
        listed = entries.get("device_ids")
    else:
        mesh = stablehlo.MeshAttr(attribute)
        sizes = {axis.name: axis.size for axis in map(stablehlo.MeshAxisAttr, mesh.axes)}
        listed = mesh.device_ids
    return _Mesh(sizes, None if listed is None else tuple(map(int, listed)))


def _read_shardy_mesh(attribute: ir.Attribute) -> _Mesh:
    """A mesh of Shardy's dialect, for which XLA's converter writes no attribute of StableHLO."""
    mesh = sdy.MeshAttr(attribute)
    ids = tuple(map(int, mesh.device_ids))
    return _Mesh({axis.name: axis.size for axis in map(sdy.MeshAxisAttr, mesh.axes)}, ids or None)


def _mesh_groups(mesh: _Mesh, axes: list[ir.Attribute]) -> Groups:
    """The devices of a mesh whose coordinates differ along `axes` only, in the order of `axes`.

    A sub-axis is a part of its axis: the coordinate along the axis consists, from most to least significant,
    of parts of sizes `pre_size`, `size` and the rest.
    """
    from hlokit.mlir.conversion.meshes import device_count  # few programs have meshes

    sizes = mesh.sizes
    for name, size in sizes.items():
        if size < 1:
            raise InvalidGroupsError(f"the size of axis {name!r} of a mesh must be positive, got {size}")
    count = device_count(sizes.values())
    if mesh.device_ids is not None and sorted(mesh.device_ids) != list(range(count)):
        raise InvalidGroupsError(f"device_ids of a mesh must be 0 to {count - 1} in any order")
    wanted = [_range_in_axis(stablehlo.AxisRefAttr(axis), sizes) for axis in axes]
    # Axes are divided where a sub-axis begins or ends: (axis, product of the preceding sizes, this product
    # times the size).
    parts = [
        (name, low, high)
        for name, size in sizes.items()
        for low, high in pairwise(sorted({1, size}.union(*(ends for axis, *ends in wanted if axis == name))))
    ]
    shape = [high // low for _, low, high in parts]
    chosen = [
        position
        for axis, first, last in wanted
        for position, (name, low, high) in enumerate(parts)
        if name == axis and first <= low and high <= last
    ]
    others = [position for position in range(len(parts)) if position not in chosen]
    ids = np.arange(prod(shape)) if mesh.device_ids is None else np.array(mesh.device_ids)
    size = prod(shape[position] for position in chosen)
    rows = ids.reshape(shape).transpose(*others, *chosen).reshape(-1, size)
    return tuple(tuple(map(int, row)) for row in rows)


def _range_in_axis(reference: stablehlo.AxisRefAttr, sizes: dict[str, int]) -> tuple[str, int, int]:
    """The name of an axis, and the products of the sizes of its parts before and up to the referenced one."""
    if reference.name not in sizes:
        raise InvalidGroupsError(f"the axes of replica_groups must be in the mesh, got {reference.name!r}")
    if reference.sub_axis_info is None:
        return reference.name, 1, sizes[reference.name]
    info = stablehlo.SubAxisInfoAttr(reference.sub_axis_info)
    if info.pre_size < 1 or info.size < 1 or sizes[reference.name] % (info.pre_size * info.size):
        raise InvalidGroupsError(
            f"the sizes of a sub-axis must divide the size of axis {reference.name!r}, "
            f"{sizes[reference.name]}, got {info.pre_size} and {info.size}"
        )
    return reference.name, info.pre_size, info.pre_size * info.size
