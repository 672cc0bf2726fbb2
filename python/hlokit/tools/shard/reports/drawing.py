"""A sharded program drawn for notebooks: the mesh, and the pieces of each tensor in the colours of
their devices."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from hlokit.tools.shard.notation.layout import Layout
from hlokit.tools.shard.notation.meshes import Mesh

if TYPE_CHECKING:
    from hlokit.tools.shard.partitioners.partition import Partitioned

_CELL = 34
_MOST_TENSORS = 24
# The number of pieces drawn along a dimension; if there are more pieces, the drawing shows the first pieces
# and their number.
_MOST_PIECES = 16


def drawing(sharded: Partitioned) -> str:
    """HTML without scripts: the mesh and each tensor as SVG."""
    parts = [
        "<div style='font-family:sans-serif;font-size:12px'>",
        f"<div><b>mesh {escape(str(sharded.mesh))}</b>, partitioned by {escape(sharded.partitioner)}</div>",
        mesh_drawing(sharded.mesh),
        "<div style='display:flex;flex-wrap:wrap;gap:16px'>",
    ]
    tensors = [
        *zip(sharded.names, sharded.specs[0], sharded.inputs, strict=True),
        *zip(sharded.results, sharded.specs[1], sharded.outputs, strict=True),
    ]
    for name, spec, layout in tensors[:_MOST_TENSORS]:
        shape = "x".join(map(str, layout.shape)) or "scalar"
        parts.append(
            f"<div><div><b>{escape(name)}</b> {shape}</div><div><code>{escape(spec)}</code></div>"
            f"{layout_drawing(layout)}</div>"
        )
    if len(tensors) > _MOST_TENSORS:
        parts.append(f"<div>and {len(tensors) - _MOST_TENSORS} more</div>")
    parts.append("</div></div>")
    return "".join(parts)


def colour(device: int, count: int) -> str:
    """The colour of a device."""
    return f"hsl({device * 360 // max(1, count)},65%,78%)"


def _svg(width: int, height: int, items: Sequence[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
        f"viewBox='0 0 {width} {height}' style='background:white'>{''.join(items)}</svg>"
    )


class _Rectangle(NamedTuple):
    """The position and the size of a cell."""

    x: int
    y: int
    width: int
    height: int


def _cell(rectangle: _Rectangle, fill: str, label: str, title: str) -> str:
    x, y, width, height = rectangle
    return (
        f"<g><title>{escape(title)}</title>"
        f"<rect x='{x}' y='{y}' width='{width}' height='{height}' fill='{fill}' stroke='#555'/>"
        f"<text x='{x + width // 2}' y='{y + height // 2 + 4}' font-size='10' text-anchor='middle' "
        f"fill='#222'>"
        f"{escape(label)}</text></g>"
    )


def mesh_drawing(mesh: Mesh) -> str:
    """The devices: the last axis from left to right, all other axes downwards."""
    columns = mesh.axes[-1][1] if mesh.axes else 1
    rows = mesh.count // columns
    items = [
        _cell(
            _Rectangle(column * _CELL + 1, row * _CELL + 1, _CELL, _CELL),
            colour(device, mesh.count),
            str(device),
            f"device {device}",
        )
        for row in range(min(rows, _MOST_PIECES))
        for column in range(min(columns, _MOST_PIECES))
        for device in [mesh.devices[row * columns + column]]
    ]
    return _svg(min(columns, _MOST_PIECES) * _CELL + 2, min(rows, _MOST_PIECES) * _CELL + 2, items)


def layout_drawing(layout: Layout) -> str:
    """The pieces of a tensor with the devices that hold them: the last dimension from left to right, the one
    before it downwards; further split dimensions one after the other."""
    counts = layout.counts or (1,)
    columns = counts[-1]
    rows = 1
    for count in counts[:-1]:
        rows *= count
    holders: dict[tuple[int, int], list[int]] = {}
    for device, piece in enumerate(layout.pieces):
        row = 0
        for count, number in zip(counts[:-1], piece[:-1], strict=False):
            row = row * count + number
        holders.setdefault((row, piece[-1] if piece else 0), []).append(device)
    shown_rows, shown_columns = min(rows, _MOST_PIECES), min(columns, _MOST_PIECES)
    width, height = max(_CELL, 160 // shown_columns), max(22, 96 // shown_rows)
    items = [
        _cell(
            _Rectangle(column * width + 1, row * height + 1, width, height),
            colour(devices[0], len(layout.pieces)) if len(holders) > 1 else "#e8e8e8",
            _devices(devices),
            f"piece {row},{column} of {'x'.join(map(str, layout.piece_shape))} on devices "
            f"{', '.join(map(str, devices))}",
        )
        for (row, column), devices in sorted(holders.items())
        if row < shown_rows and column < shown_columns
    ]
    return _svg(shown_columns * width + 2, shown_rows * height + 2, items)


def _devices(devices: Sequence[int]) -> str:
    """`0,4`, `0-3`, or their number."""
    if len(devices) > 1 and list(devices) == list(range(devices[0], devices[-1] + 1)):
        return f"{devices[0]}-{devices[-1]}"
    return ",".join(map(str, devices)) if len(devices) <= 3 else f"{devices[0]},... ({len(devices)})"
