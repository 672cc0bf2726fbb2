"""Shardings of tensors: for each dimension, the axes of a mesh that split the dimension.

The notation is that of JAX's `PartitionSpec`: `P('data', None)`, `P(('data', 'model'))`, `P(None, 'model',
unreduced={'data'})`. A part of an axis is `'data':(1)2`, as in Shardy's dialect.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from hlokit.errors import ArgumentError
from hlokit.tools.shard.notation.meshes import Mesh

_PLAIN = re.compile(r"[A-Za-z_][\w.\-]*")


@dataclass(frozen=True, slots=True)
class AxisRef:
    """An axis of a mesh, or a part of one: a coordinate along the axis consists, from most to least
    significant, of parts of sizes `before`, `size` and the rest. `size` 0 means the whole axis."""

    name: str
    before: int = 1
    size: int = 0

    def count(self, mesh: Mesh) -> int:
        """The number of pieces along the axis."""
        return self.size or mesh.size(self.name)

    def sdy(self) -> str:
        part = f":({self.before}){self.size}" if self.size else ""
        return f'"{self.name}"{part}'

    def __str__(self) -> str:
        part = f":({self.before}){self.size}" if self.size else ""
        return f"'{self.name}'{part}"


@dataclass(frozen=True, slots=True)
class Sharding:
    """The distribution of a tensor over the devices of a mesh.

    Attributes:
      dimensions: for each dimension the axes that split it, from the most to the least significant.
      is_open: for each dimension whether a partitioner may split it further.
      unreduced: each device along one of these axes holds a term of the sum that is the value.
      replicated: no partitioner may split the tensor along one of these axes.
    """

    dimensions: tuple[tuple[AxisRef, ...], ...]
    is_open: tuple[bool, ...] = ()
    unreduced: tuple[AxisRef, ...] = ()
    replicated: tuple[AxisRef, ...] = ()

    def counts(self, mesh: Mesh) -> tuple[int, ...]:
        """The number of pieces along each dimension."""
        return tuple(prod(axis.count(mesh) for axis in axes) for axes in self.dimensions)

    @property
    def is_split(self) -> bool:
        return any(self.dimensions)

    def closed(self) -> Sharding:
        return replace(self, is_open=(False,) * len(self.dimensions))

    def of_rank(self, rank: int) -> Sharding:
        """The sharding with unsplit dimensions appended."""
        missing = rank - len(self.dimensions)
        return replace(
            self,
            dimensions=self.dimensions + ((),) * missing,
            is_open=self.is_open + (False,) * (rank - len(self.is_open)),
        )

    def sdy(self, mesh: str = "mesh") -> str:
        """The sharding in the syntax of Shardy's dialect, with a mesh of that name."""
        flags = self.is_open or (False,) * len(self.dimensions)
        dimensions = ", ".join(
            "{" + ", ".join([axis.sdy() for axis in axes] + ["?"] * is_open) + "}"
            for axes, is_open in zip(self.dimensions, flags, strict=True)
        )
        sets = "".join(
            f", {name}={{{', '.join(axis.sdy() for axis in axes)}}}"
            for name, axes in (("replicated", self.replicated), ("unreduced", self.unreduced))
            if axes
        )
        return f"#sdy.sharding<@{mesh}, [{dimensions}]{sets}>"

    def __str__(self) -> str:
        parts = [
            "None"
            if not axes
            else str(axes[0])
            if len(axes) == 1
            else f"({', '.join(str(axis) for axis in axes)})"
            for axes in self.dimensions
        ]
        if self.unreduced:
            parts.append(f"unreduced={{{', '.join(str(axis) for axis in self.unreduced)}}}")
        return f"P({', '.join(parts)})"


def sharding_from(value: Any, mesh: Mesh, what: str) -> Sharding | None:
    """A sharding from text, a `PartitionSpec`, a `NamedSharding` or a sequence; None for None, which leaves
    the sharding to the partitioner.

    Args:
      what: the name of the sharded value, for messages.

    Raises:
      ArgumentError: the value is none of these, or does not fit the mesh.
    """
    if value is None or isinstance(value, Sharding):
        return value
    if isinstance(value, str):
        if value.strip() in ("?", "UNSPECIFIED"):
            return None
        value = _parse(value, what)
    spec: Any = getattr(value, "spec", value)  # of a NamedSharding
    if not (type(spec) in (tuple, list, _Parsed) or hasattr(spec, "unreduced")):
        raise ArgumentError(f"{what}: a sharding must be like P('data', None), got {value!r}")
    own_mesh = getattr(value, "mesh", None)
    if own_mesh is not None:
        sizes = {str(name): int(size) for name, size in dict(own_mesh.shape).items()}
        if sizes != mesh.sizes:
            own_sizes = ",".join(f"{name}={size}" for name, size in sizes.items())
            raise ArgumentError(
                f"{what}: its sharding is for the mesh {own_sizes}, the program is for {mesh}"
            )
    items = tuple(spec)
    unreduced = [AxisRef(str(name)) for name in sorted(getattr(spec, "unreduced", None) or ())]
    dimensions = [_axes(item) for item in items]
    flags = tuple(str(item) == "UNCONSTRAINED" or item is ... for item in items)
    sharding = Sharding(tuple(dimensions), flags, tuple(unreduced))
    _check(sharding, mesh, what)
    return sharding


def _axes(item: Any) -> tuple[AxisRef, ...]:
    if item is None or item is ... or str(item) == "UNCONSTRAINED":
        return ()
    if isinstance(item, AxisRef):
        return (item,)
    if isinstance(item, str):
        return (AxisRef(item),)
    return tuple(AxisRef(name) if isinstance(name, str) else name for name in item)


def _check(sharding: Sharding, mesh: Mesh, what: str) -> None:
    seen: set[str] = set()
    for axis in [axis for axes in sharding.dimensions for axis in axes] + list(sharding.unreduced):
        try:
            mesh.size(axis.name)
        except ArgumentError as error:
            raise ArgumentError(f"{what}: {error}") from None
        if axis.name in seen:
            raise ArgumentError(f"{what}: an axis may split one dimension only, got {axis.name!r} twice")
        seen.add(axis.name)


def check_shape(
    sharding: Sharding, mesh: Mesh, shape: Sequence[int], what: str, *, pads: bool = False
) -> Sharding:
    """The sharding of a tensor of this shape, with a set of axes for each dimension.

    Args:
      pads: whether the last pieces of a dimension may be padded.

    Raises:
      ArgumentError: the sharding has more dimensions than the shape, or pieces would not be equal.
    """
    if len(sharding.dimensions) > len(shape):
        raise ArgumentError(
            f"{what}: {sharding} has {len(sharding.dimensions)} dimensions, the tensor has {len(shape)}: "
            f"{'x'.join(map(str, shape)) or 'a scalar'}"
        )
    sharding = sharding.of_rank(len(shape))
    for dimension, (size, count) in enumerate(zip(shape, sharding.counts(mesh), strict=True)):
        if size % count and not pads:
            axes = ", ".join(axis.name for axis in sharding.dimensions[dimension])
            fitting = [str(n) for n in range(2, count + 1) if size % n == 0 and mesh.count % n == 0]
            would = f", use axes of size {' or '.join(fitting)}" if fitting else ""
            raise ArgumentError(
                f"{what}: dimension {dimension} has {size} elements, which {axes} ({count} pieces) does not "
                f"divide: pad the dimension to {-(-size // count) * count}{would}, or use --partitioner=xla, "
                f"which splits the dimension as far as possible"
            )
    return sharding


@dataclass(frozen=True, slots=True)
class _Parsed(Sequence[Any]):
    items: tuple[Any, ...]
    unreduced: tuple[str, ...]

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)


def _parse(text: str, what: str) -> _Parsed:
    """The items of `P('data', None)`, `PartitionSpec(...)`, `('data', None)` or `data,None`."""
    stripped = text.strip()
    if stripped and "(" not in stripped and "'" not in stripped and '"' not in stripped:
        words = [word.strip() for word in stripped.split(",")]
        if all(_PLAIN.fullmatch(word) for word in words):
            return _Parsed(tuple(None if word == "None" else word for word in words), ())
    wrong = ArgumentError(f"{what}: a sharding must be like P('data', None), got {text[:200]!r}")
    try:
        node = ast.parse(stripped, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise wrong from None
    unreduced: tuple[str, ...] = ()
    if isinstance(node, ast.Call):
        if not isinstance(node.func, ast.Name) or node.func.id not in ("P", "PartitionSpec"):
            raise wrong
        items = node.args
        for keyword in node.keywords:
            if keyword.arg != "unreduced" or not isinstance(keyword.value, ast.Set | ast.Tuple | ast.List):
                raise wrong
            unreduced = tuple(_name(element, wrong) for element in keyword.value.elts)
    elif isinstance(node, ast.Tuple):
        items = node.elts
    else:
        items = [node]
    return _Parsed(tuple(_item(element, wrong) for element in items), unreduced)


def _item(node: ast.expr, wrong: ArgumentError) -> Any:
    if isinstance(node, ast.Constant) and (node.value is None or node.value is ...):
        return node.value
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_name(element, wrong) for element in node.elts)
    if isinstance(node, ast.Attribute | ast.Name) and ast.unparse(node).endswith("UNCONSTRAINED"):
        return ...
    return _name(node, wrong)


def _name(node: ast.expr, wrong: ArgumentError) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return node.id
    raise wrong
