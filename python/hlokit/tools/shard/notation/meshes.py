"""Meshes: named axes of devices.

Source: the representation of meshes in the documentation of Shardy; `jax.sharding.Mesh`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.mlir.conversion.meshes import MOST_DEVICES

_AXIS = re.compile(r"\s*([A-Za-z_][\w.\-]*)\s*[=:]\s*(\d{1,18})\s*")


@dataclass(frozen=True, slots=True)
class Mesh:
    """Axes of devices, from the most to the least significant.

    Attributes:
      axes: name and size of each.
      device_ids: the id of each device in the order of coordinates; () for 0, 1, ...
    """

    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """The number of devices."""
        return prod(size for _, size in self.axes)

    @property
    def sizes(self) -> dict[str, int]:
        return dict(self.axes)

    @property
    def devices(self) -> tuple[int, ...]:
        """The id of each device in the order of coordinates."""
        return self.device_ids or tuple(range(self.count))

    def size(self, name: str) -> int:
        """The size of an axis.

        Raises:
          ArgumentError: there is no such axis.
        """
        sizes = self.sizes
        if name not in sizes:
            hint = did_you_mean(name, list(sizes)) or f"; the mesh is {self}"
            raise ArgumentError(f"mesh has no axis {name!r}{hint}")
        return sizes[name]

    def coordinates(self, name: str) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The coordinate of each device along an axis, in the order of coordinates."""
        names = [axis for axis, _ in self.axes]
        grid = np.indices([size for _, size in self.axes]).reshape(len(names), self.count)
        return grid[names.index(name)]

    def sdy(self) -> str:
        """The mesh in the syntax of Shardy's dialect."""
        axes = ", ".join(f'"{name}"={size}' for name, size in self.axes)
        ids = f", device_ids=[{', '.join(map(str, self.device_ids))}]" if self.device_ids else ""
        return f"<[{axes}]{ids}>"

    def __str__(self) -> str:
        return ",".join(f"{name}={size}" for name, size in self.axes)


def mesh_from(value: Any) -> Mesh:
    """A mesh from `data=2,model=4`, a mapping of sizes by name, a `jax.sharding.Mesh` or `AbstractMesh`.

    Raises:
      ArgumentError: the value is none of these, an axis occurs twice, a size is not a positive integer, or
        there are too many devices.
    """
    if isinstance(value, Mesh):
        return value
    if isinstance(value, str):
        return _parsed(value)
    names, shape = getattr(value, "axis_names", None), getattr(value, "shape", None)
    if names is not None and shape is not None:  # JAX's
        sizes = dict(shape.items() if hasattr(shape, "items") else zip(names, shape, strict=True))
        devices = getattr(value, "devices", None) if hasattr(value, "device_ids") else None
        ids = () if devices is None else tuple(int(device.id) for device in np.ravel(devices))
        return checked_mesh([(str(name), int(sizes[name])) for name in names], ids)
    if hasattr(value, "items"):
        return checked_mesh([(str(name), size) for name, size in value.items()])
    raise ArgumentError(
        f"mesh must be text such as 'data=2,model=4', a dict or a jax.sharding.Mesh, got {value!r}"
    )


def _parsed(text: str) -> Mesh:
    axes: list[tuple[str, int]] = []
    for part in text.split(","):
        match = _AXIS.fullmatch(part)
        if match is None:
            raise ArgumentError(
                f"mesh must be axes with sizes, such as data=2,model=4, got {part.strip()!r} in {text!r}"
            )
        axes.append((match[1], int(match[2])))
    return checked_mesh(axes)


def checked_mesh(axes: list[tuple[str, Any]], device_ids: tuple[int, ...] = ()) -> Mesh:
    """A checked mesh. Ids in their natural order are omitted."""
    names = [name for name, _ in axes]
    for name, size in axes:
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ArgumentError(f"mesh: the size of axis {name} must be a positive integer, got {size!r}")
        if names.count(name) > 1:
            raise ArgumentError(f"mesh: axes must have different names, got {name} twice")
    mesh = Mesh(tuple(axes), () if device_ids == tuple(range(len(device_ids))) else device_ids)
    if mesh.count > MOST_DEVICES:
        raise ArgumentError(f"a mesh must have at most {MOST_DEVICES:,} devices, got {mesh.count:,}")
    if mesh.device_ids and sorted(mesh.device_ids) != list(range(mesh.count)):
        raise ArgumentError(f"mesh: device ids must be 0 to {mesh.count - 1}, each once")
    return mesh
