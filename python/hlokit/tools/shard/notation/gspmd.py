"""Shardings in the syntax of XLA's HLO: `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`.

Source: `HloSharding::ToString` in XLA's documentation of shardings: V1 lists devices, V2 is an iota, and V3
names axes, `{mesh['data'=2,'model'=4], [{'data'}, {}]}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice, pairwise, product
from math import isqrt, prod
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError
from hlokit.mlir.conversion.meshes import MOST_DEVICES, device_count
from hlokit.tools.shard.notation.layout import Layout, layout_of
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import AxisRef, Sharding

_TILES = re.compile(r"devices=\[([\d,]*)\](?:<=\[([\d,]*)\](?:T\(([\d,]*)\))?|([\d,]+))")
_NAMED = re.compile(
    r"mesh\[(?P<mesh>[^\]]*)\](?:, ?device_ids=\((?P<order>[^()]*(?:\([^()]*\))?[^()]*)\))?,? ?"
)
_DIMENSIONS = re.compile(r"\[((?:[^\[\]])*)\]")
_AXIS = re.compile(r"'([^']*)'=(\d+)")
_REF = re.compile(r"'([^']*)'(?::\((\d+)\)(\d+))?")
_IOTA = re.compile(r"\[([\d,]*)\](?:T\(([\d,]*)\))?")
_KINDS = re.compile(r"last_tile_dims=\{([\w, ]*)\}")
# The orders of prime factors that may be those of a mesh: 360 devices have 60, 5,040 devices 840.
_MOST_ORDERS = 100


@dataclass(frozen=True, slots=True)
class Tiling:
    """A sharding of HLO.

    Attributes:
      kind: `tiled`, `replicated`, `maximal`, `manual` or `unreduced`.
      tiles: the number of tiles along each dimension, then along subgroup dimensions.
      devices: the id of each tile's device, in an array of the shape `tiles`.
      subgroups: the kinds of the trailing dimensions: `replicated`, `manual`, `unreduced`.
      iota: the sizes whose product the devices' numbers count, `2,3,2` of `<=[2,3,2]T(1,0,2)`; () in a list.
    """

    kind: str
    tiles: tuple[int, ...] = ()
    devices: npt.NDArray[np.int64] | None = None
    subgroups: tuple[str, ...] = ()
    iota: tuple[int, ...] = ()

    def layout(self, shape: Sequence[int], count: int) -> Layout:
        """The layout of a tensor on `count` devices. A scalar of a maximal sharding counts as replicated."""
        rank = len(shape)
        if self.devices is None or not rank:
            return Layout(tuple(shape), (1,) * rank, ((0,) * rank,) * count)
        pieces: list[tuple[int, ...]] = [(0,) * rank] * count
        terms = [0] * count
        at_terms = [
            rank + i
            for i, kind in enumerate(self.subgroups)
            if kind == "unreduced" and self.tiles[rank + i] > 1
        ]
        for index in np.ndindex(*self.tiles):
            device = int(self.devices[index])
            pieces[device] = tuple(index[:rank])
            terms[device] = int(sum(index[i] for i in at_terms))
        return Layout(tuple(shape), self.tiles[:rank], tuple(pieces), tuple(terms) if at_terms else ())


@lru_cache(maxsize=1000)  # thousands of values have the same few shardings
def parse_tiling(text: str) -> Tiling:
    """The sharding in a text of HLO.

    Raises:
      ArgumentError: the text is not a sharding of one tensor.
    """
    inner = text.strip().removeprefix("{").removesuffix("}").strip()
    for kind in ("replicated", "manual", "unreduced", "unknown"):
        if inner == kind or inner.startswith(f"{kind} "):
            return Tiling("replicated" if kind == "unknown" else kind)
    if inner.startswith(("maximal", "single_device")):
        return Tiling("maximal")
    if inner.startswith("mesh["):
        return _named_tiling(inner, text)
    match = _TILES.search(inner)
    if match is None:
        raise ArgumentError(f"sharding must be like {{devices=[2,4]<=[8]}} or {{replicated}}, got {text!r}")
    tiles = _ints(match[1])
    sizes = tiles if match[2] is None else _ints(match[2])
    if not 1 <= prod(sizes) <= MOST_DEVICES:
        raise ArgumentError(f"sharding must be for 1 to {MOST_DEVICES:,} devices, got {text[:200]!r}")
    if match[4] is not None:
        order = np.array(_ints(match[4]), np.int64)
    else:
        dims = _ints(match[2])
        order = np.arange(prod(dims), dtype=np.int64).reshape(dims)
        if match[3] is not None:
            _check_order(_ints(match[3]), dims, text)
            order = order.transpose(_ints(match[3]))
    if order.size != prod(tiles) or sorted(order.ravel()) != list(range(order.size)):
        raise ArgumentError(f"sharding must name a device for each of {prod(tiles)} tiles, got {text!r}")
    if "last_tile_dim_replicate" in inner:
        subgroups: tuple[str, ...] = ("replicated",)
    elif (kinds := _KINDS.search(inner)) is not None:
        subgroups = tuple(kind.strip() for kind in kinds[1].split(","))
    else:
        subgroups = ()
    iota = () if match[4] is not None else _ints(match[2])
    return Tiling("tiled", tiles, order.reshape(tiles), subgroups, iota)


def _check_order(order: tuple[int, ...], dims: tuple[int, ...], text: str) -> None:
    if sorted(order) != list(range(len(dims))):
        raise ArgumentError(f"sharding must transpose each dimension once, got {text[:200]!r}")


def named_mesh(sizes: str, order: str | None) -> Mesh:
    """A mesh of HLO: `'data'=2,'model'=4` and an order of devices, `[2,4]T(1,0)` or `3,2,1,0`."""
    axes = tuple((name, int(size)) for name, size in _AXIS.findall(sizes))
    device_count(size for _, size in axes)
    if order is None:
        return Mesh(axes)
    iota = _IOTA.fullmatch(order.strip())
    if iota is None:
        return Mesh(axes, _ints(order.replace(" ", "")))
    ids = np.arange(device_count(_ints(iota[1]))).reshape(_ints(iota[1]))
    if iota[2] is not None:
        ids = ids.transpose(_ints(iota[2]))
    return Mesh(axes, tuple(int(device) for device in ids.ravel()))


def axis_refs(text: str) -> tuple[AxisRef, ...]:
    """Axes of HLO: `'data', 'model':(1)2`."""
    return tuple(
        AxisRef(name, int(before), int(size)) if size else AxisRef(name)
        for name, before, size in _REF.findall(text)
    )


def _named_tiling(inner: str, text: str) -> Tiling:
    match = _NAMED.match(inner)
    if match is None:
        raise ArgumentError(f"sharding must be like {{mesh['a'=2], [{{'a'}}, {{}}]}}, got {text!r}")
    mesh = named_mesh(match["mesh"], match["order"])
    rest = inner[match.end() :]
    listed = _DIMENSIONS.match(rest)
    if listed is None:
        kind = next((kind for kind in ("manual", "maximal", "unreduced") if kind in rest), "replicated")
        return Tiling(kind)
    dimensions = tuple(axis_refs(part) for part in re.findall(r"\{([^}]*)\}", listed[1]))
    unreduced = re.search(r"unreduced=\{([^}]*)\}", rest)
    manual = re.search(r"manual=\{([^}]*)\}", rest)
    sharding = Sharding(dimensions, (), axis_refs(unreduced[1]) if unreduced else ())
    counts = sharding.counts(mesh)
    layout = layout_of(sharding, mesh, counts)
    holders: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for device, piece in enumerate(layout.pieces):
        term = layout.terms[device] if layout.terms else 0
        holders.setdefault(piece, []).append((term, device))
    terms = prod(axis.count(mesh) for axis in sharding.unreduced)
    copies = mesh.count // prod((*counts, terms))
    devices = np.empty((*counts, terms, copies), np.int64)
    for piece, held in holders.items():
        devices[piece] = np.array([device for _, device in sorted(held)]).reshape(terms, copies)
    return Tiling("tiled", devices.shape, devices, ("unreduced", "manual" if manual else "replicated"))


def parse_tilings(text: str) -> list[str]:
    """The texts of the shardings in that of a tuple, `{{replicated}, {devices=[2]<=[2]}}`; one for a plain
    sharding."""
    stripped = text.strip()
    if not stripped.startswith("{{"):
        return [stripped]
    parts: list[str] = []
    depth = start = 0
    for position, character in enumerate(stripped[1:-1], 1):
        if character == "{":
            if depth == 0:
                start = position
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                parts.append(stripped[start : position + 1])
    return parts


def _ints(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part)


def mesh_of(tilings: Sequence[Tiling], count: int) -> Mesh:
    """A mesh whose axes express all tilings of `count` devices: the axes that iotas state, if they suffice.

    Otherwise the mesh has an axis for each prime factor, in the first order that expresses the tilings, with
    the devices in ascending order or in that of a list.

    Raises:
      ArgumentError: there are too many devices.
    """
    if count > MOST_DEVICES:
        raise ArgumentError(f"a mesh must have at most {MOST_DEVICES:,} devices, got {count:,}")
    split = [tiling for tiling in tilings if tiling.devices is not None and tiling.devices.size == count]
    stated = _stated_axes(split, count)
    lists = [tuple(t.devices.ravel().tolist()) for t in split if t.devices is not None and not t.iota]
    orders = list(islice(_factorizations(count), _MOST_ORDERS))
    for devices, sizes in product(dict.fromkeys([(), *lists]), [stated, *orders] if stated else orders):
        mesh = _mesh_of_sizes(sizes, devices)
        if all(_expresses(mesh, tiling) for tiling in split):
            return mesh
    return _mesh_of_sizes(orders[0])


def _mesh_of_sizes(sizes: Sequence[int], devices: tuple[int, ...] = ()) -> Mesh:
    axes = tuple((f"axis_{i}", size) for i, size in enumerate(sizes))
    return Mesh(axes, devices) if devices else Mesh(axes)


def _stated_axes(tilings: Sequence[Tiling], count: int) -> tuple[int, ...]:
    """The sizes of the coarsest mesh that all iotas divide; () if they cut the numbers differently."""
    cuts = {1, count}
    for tiling in tilings:
        sizes = tiling.iota if len(tiling.iota) > 1 else tiling.tiles
        cuts.update(accumulate(reversed(sizes), mul))
    ordered = sorted(cuts)
    if any(high % low for low, high in pairwise(ordered)):
        return ()
    return tuple(high // low for low, high in pairwise(ordered))[::-1]


def _expresses(mesh: Mesh, tiling: Tiling) -> bool:
    try:
        as_sharding(tiling, mesh, len(tiling.tiles) - len(tiling.subgroups), "")
    except ArgumentError:
        return False
    return True


def _factorizations(count: int) -> Iterator[tuple[int, ...]]:
    """The prime factors of a number, in all their orders; the ascending order comes first."""
    if count == 1:
        yield ()
    for factor in sorted(set(_prime_factors(count))):
        for rest in _factorizations(count // factor):
            yield (factor, *rest)


def _prime_factors(count: int) -> list[int]:
    for factor in range(2, isqrt(count) + 1):
        if count % factor == 0:
            return [factor, *_prime_factors(count // factor)]
    return [count] if count > 1 else []


def as_sharding(tiling: Tiling, mesh: Mesh, rank: int, what: str) -> Sharding:
    """A tiling as a sharding over the axes of a mesh.

    Raises:
      ArgumentError: the axes of the mesh cannot express the order of its devices.
    """
    if tiling.devices is None:
        return Sharding(((),) * rank, (False,) * rank)
    if len(tiling.tiles) != rank + len(tiling.subgroups):
        dims = len(tiling.tiles) - len(tiling.subgroups)
        raise ArgumentError(f"{what}: its mhlo.sharding is for {dims} dimensions, the tensor has {rank}")
    # The coordinates of each tile's device along each axis of the mesh.
    places = np.empty(mesh.count, np.int64)
    places[list(mesh.devices)] = np.arange(mesh.count)
    coordinates = np.array(np.unravel_index(places[tiling.devices], [size for _, size in mesh.axes]))
    dimensions: list[tuple[AxisRef, ...]] = []
    used: set[str] = set()
    for dimension, tiles in enumerate(tiling.tiles):
        axes: list[tuple[int, str]] = []
        if tiles > 1:
            along = np.moveaxis(coordinates, dimension + 1, -1).reshape(len(mesh.axes), -1, tiles)
            for (name, size), values in zip(mesh.axes, along, strict=True):
                row = values[0]
                if size > 1 and (row != row[0]).any():
                    axes.append((int(np.argmax(row != row[0])), name))
        # The most significant axis changes last.
        chosen = tuple(AxisRef(name) for _, name in sorted(axes, reverse=True))
        dimensions.append(chosen)
        used.update(axis.name for axis in chosen)
    unreduced = tuple(
        axis
        for axes, kind in zip(dimensions[rank:], tiling.subgroups, strict=False)
        for axis in axes
        if kind == "unreduced"
    )
    sharding = Sharding(tuple(dimensions[:rank]), (False,) * rank, unreduced)
    if not _agrees(sharding, tiling, mesh, rank):
        raise ArgumentError(
            f"{what}: the order of devices in its mhlo.sharding fits no axes of the mesh {mesh}"
        )
    return sharding


def _agrees(sharding: Sharding, tiling: Tiling, mesh: Mesh, rank: int) -> bool:
    shape = tiling.tiles[:rank]
    layout: Any = layout_of(sharding, mesh, shape)
    return layout.counts == shape and layout.pieces == tiling.layout(shape, mesh.count).pieces
