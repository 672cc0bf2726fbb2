"""Rewrites programs with several meshes of the same devices to one mesh, whose axes divide all axes.

`a=4,b=2` and `x=2,y=4` are both `x=2,a0=2,b=2`: `a` is `x` and `a0`, `y` is `a0` and `b`. An axis steps
through the devices with a constant stride. Meshes therefore have a common refinement if each stride among all
meshes divides the next larger stride, for any order of the axes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.tools.shard.notation.annotations import (
    SDY,
    meshes_of,
    put_mesh,
    set_value_attributes,
    value_attributes,
)
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import AxisRef, Sharding

# In the text of an attribute: a mesh, or an axis or a part of one.
_TOKEN = re.compile(
    r'@(?P<mesh>"(?:[^"\\]|\\.)*"|[\w.$-]+)|"(?P<axis>[^"]*)"(?::\((?P<before>\d+)\)(?P<size>\d+))?'
)
_RULE = "all meshes of a program must have the same devices, and axes that are parts of the axes of one mesh"


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis in one mesh: `coordinate * stride` is its contribution to the position of a device."""

    stride: int
    size: int

    def holds(self, stride: int) -> bool:
        """Whether steps of `stride` devices are within the axis."""
        return self.stride <= stride < self.stride * self.size

    def part(self, axis: AxisRef) -> Axis:
        """A part of the axis: see `AxisRef`."""
        if not axis.size:
            return self
        return Axis(self.stride * (self.size // (axis.before * axis.size)), axis.size)


@dataclass(frozen=True, slots=True)
class Meshes:
    """The meshes of a program.

    Attributes:
      common: the mesh that replaces all meshes.
      axes: for each mesh of the program, its axes in `common`.
      all: the meshes of the program.
    """

    common: Mesh
    axes: Mapping[str, Mapping[str, Axis]]
    all: Mapping[str, Mesh]

    def names(self, axis: Axis) -> list[str]:
        """The axes of the common mesh of which an axis consists, from the most to the least significant."""
        names: list[str] = []
        stride = self.common.count
        for name, size in self.common.axes:
            stride //= size
            if axis.holds(stride):
                names.append(name)
        return names

    def __str__(self) -> str:
        replacements = [
            f"@{mesh} ({', '.join(f'{name} is {self._parts(axis)}' for name, axis in axes.items())})"
            for mesh, axes in self.axes.items()
        ]
        return f"{self.common} replaces the meshes {' and '.join(replacements)}"

    def _parts(self, axis: Axis) -> str:
        return " * ".join(self.names(axis)) or "1"

    def sharding(self, mesh: Mesh, sharding: Sharding) -> Sharding:
        """A sharding over one of the meshes, converted to the common mesh."""
        own_axes = self.axes[next(name for name, own in self.all.items() if own == mesh)]

        def parts(axes: Sequence[AxisRef]) -> tuple[AxisRef, ...]:
            return tuple(
                AxisRef(name) for axis in axes for name in self.names(own_axes[axis.name].part(axis))
            )

        return replace(
            sharding,
            dimensions=tuple(map(parts, sharding.dimensions)),
            unreduced=parts(sharding.unreduced),
            replicated=parts(sharding.replicated),
        )


def unite(module: ir.Module) -> Meshes | None:
    """Rewrite all shardings of a program to one mesh; None if the program has fewer than two meshes.

    Raises:
      UnsupportedError: there is no common mesh.
    """
    meshes = meshes_of(module)
    if len(set(meshes.values())) < 2:
        return None
    texts = _Texts()
    _rewrite(module, texts.collect)
    united = _common(meshes, texts.parts)
    name = put_mesh(module, united.common)
    _rewrite(module, lambda text: _united(text, united, name))
    _erase_unused(module, [mesh for mesh in meshes if mesh != name])
    return united


def _common(meshes: Mapping[str, Mesh], parts: Mapping[str, set[AxisRef]]) -> Meshes:
    listed = "; ".join(f"@{name}: {mesh}" for name, mesh in meshes.items())
    first = next(iter(meshes.values()))
    for mesh in meshes.values():
        if mesh.count != first.count:
            raise UnsupportedError(
                f"{_RULE}, got {first.count} and {mesh.count} devices ({listed}): use a sharding over some "
                "axes of the larger mesh instead of a mesh of fewer devices"
            )
    position = {device: index for index, device in enumerate(first.devices)}
    axes = {name: _axes(name, mesh, position, listed) for name, mesh in meshes.items()}
    strides = {1, first.count}
    for name, own_axes in axes.items():
        for axis in (*own_axes.values(), *(own_axes[part.name].part(part) for part in parts.get(name, ()))):
            strides |= {axis.stride, axis.stride * axis.size}
    ordered = sorted(strides)
    for short, long in pairwise(ordered):
        if long % short:
            raise UnsupportedError(
                f"{_RULE}, got {listed}: {long} devices, a step along one axis, are not a multiple of {short}"
            )
    pieces = [Axis(short, long // short) for short, long in pairwise(ordered)][::-1]
    reserved = {name for own_axes in axes.values() for name in own_axes}
    named: list[tuple[str, int]] = []
    for piece in pieces:
        used = {name for name, _ in named}
        whole = [
            name
            for own_axes in axes.values()
            for name, axis in own_axes.items()
            if axis == piece and name not in used
        ]
        around = next(name for name, axis in axes[next(iter(meshes))].items() if axis.holds(piece.stride))
        numbered = (f"{around}{number}" for number in count())
        fresh = next(name for name in numbered if name not in reserved | used)
        named.append((whole[0] if whole else fresh, piece.size))
    return Meshes(Mesh(tuple(named), first.device_ids), axes, meshes)


def _axes(name: str, mesh: Mesh, position: Mapping[int, int], listed: str) -> dict[str, Axis]:
    places = np.array([position.get(device, -1) for device in mesh.devices])
    axes: dict[str, Axis] = {}
    expected = np.zeros(mesh.count, np.int64)
    for axis, size in mesh.axes:
        coordinates = mesh.coordinates(axis)
        # The device at coordinate 1 of this axis, and 0 of all other axes.
        others = sum(
            (mesh.coordinates(axis_name) for axis_name, _ in mesh.axes if axis_name != axis),
            np.zeros_like(places),
        )
        stride = int(places[(others == 0) & (coordinates == 1)][0]) if size > 1 else 1
        expected += coordinates * stride
        axes[axis] = Axis(stride, size)
    if not np.array_equal(places, expected):
        raise UnsupportedError(
            f"{_RULE}, got {listed}: the devices of @{name} have another order, which is not a "
            "transposition: give both meshes the devices in the same order"
        )
    return axes


class _Texts:
    """The parts of axes that occur in a program, by mesh."""

    def __init__(self) -> None:
        self.parts: dict[str, set[AxisRef]] = {}

    def collect(self, text: str) -> str:
        """Collect the parts of axes in the text of an attribute, which stays the same."""
        mesh = ""
        for match in _TOKEN.finditer(text):
            if match["mesh"]:
                mesh = match["mesh"].strip('"')
            elif match["size"]:
                part = AxisRef(match["axis"], int(match["before"]), int(match["size"]))
                self.parts.setdefault(mesh, set()).add(part)
        return text


class _Uniter:
    """Rewrites the text of an attribute to the common mesh, from left to right: axes follow their mesh."""

    def __init__(self, meshes: Meshes, common: str) -> None:
        self._meshes, self._common = meshes, common
        self._axes: Mapping[str, Axis] = {}  # of the last mesh

    def replaced(self, match: re.Match[str]) -> str:
        """The text for a mesh or an axis."""
        if match["mesh"]:
            self._axes = self._meshes.axes.get(match["mesh"].strip('"'), {})
            return f"@{self._common}" if self._axes else match[0]
        axis = AxisRef(match["axis"], int(match["before"] or 1), int(match["size"] or 0))
        if axis.name not in self._axes:
            return match[0]
        return ", ".join(f'"{name}"' for name in self._meshes.names(self._axes[axis.name].part(axis)))


def _united(text: str, meshes: Meshes, common: str) -> str:
    """The text of an attribute, rewritten to the common mesh."""
    return _TOKEN.sub(_Uniter(meshes, common).replaced, text)


def _rewrite(module: ir.Module, change: Callable[[str], str]) -> None:
    """Change the texts of all attributes that name axes."""
    context = module.context

    def changed(attribute: ir.Attribute, prefix: str = "") -> ir.Attribute:
        text = f"{prefix}{attribute}"
        new_text = change(text)
        return (
            attribute if new_text == text else ir.Attribute.parse(new_text[new_text.index("#sdy") :], context)
        )

    def visit(operation: ir.Operation) -> None:
        for key in ("arg_attrs", "res_attrs"):
            if operation.name == "func.func" and key in operation.attributes:
                values = value_attributes(operation, key, 0)
                new = [
                    {name: changed(at) if name == SDY else at for name, at in attributes.items()}
                    for attributes in values
                ]
                set_value_attributes(operation, key, new)
        names = (SDY, "sharding", "in_shardings", "out_shardings", "manual_axes")
        attributes = {name: operation.attributes[name] for name in names if name in operation.attributes}
        if operation.name == "sdy.manual_computation":
            shardings = f"{attributes['in_shardings']}{attributes['out_shardings']}"
            meshes = [match["mesh"] for match in _TOKEN.finditer(shardings) if match["mesh"]]
            prefix = f"@{meshes[0]} " if meshes else ""
            operation.attributes["manual_axes"] = changed(attributes["manual_axes"], prefix)
        for name, attribute in attributes.items():
            if str(attribute).startswith("#sdy.sharding"):
                operation.attributes[name] = changed(attribute)

    walk(module.operation, visit)


def _erase_unused(module: ir.Module, names: Sequence[str]) -> None:
    """Erase meshes without uses; groups of collectives may still name a mesh."""
    text = str(module.operation.get_asm(large_elements_limit=4))
    for view in list(module.body.operations):
        operation = view.operation
        if operation.name == "sdy.mesh":
            name = str(operation.attributes["sym_name"].value)
            if name in names and len(re.findall(rf"@{re.escape(name)}\b", text)) == 1:
                operation.erase()
