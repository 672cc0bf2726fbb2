"""Groups of devices in HLO's text, for collectives whose groups the converter to StableHLO loses.

HLO writes groups as axes of a mesh with an order of devices:
`mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'a'}`. The converter of the bindings makes a mesh without this
order. This module makes lists of such groups.
"""

from __future__ import annotations

import re
from itertools import pairwise

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.tools.shard.notation.gspmd import axis_refs, named_mesh
from hlokit.tools.shard.notation.layout import numbers_along
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import AxisRef
from hlokit.tools.shard.partitioners.answers import Refusal
from hlokit.tools.shard.partitioners.refusal import Refused

_LINE = re.compile(
    r"(?:channel_id=(?P<id>\d+), )?replica_groups=mesh\[(?P<mesh>[^\]]*)\]"
    r"(?:, device_ids=\((?P<order>[^)]*(?:\([^)]*\))?[^)]*)\))? ?\{(?P<axes>[^}]*)\}"
)
_STAGE = "conversion to StableHLO"

Groups = tuple[tuple[int, ...], ...]


def groups_in(hlo: str) -> dict[int, Groups]:
    """The groups of collectives that write them as axes of a mesh with an order of devices, by channel.

    Raises:
      Refused: such a collective has no channel, or two of one channel have different groups.
    """
    by_channel: dict[int, Groups] = {}
    for match in _LINE.finditer(hlo):
        if match["order"] is None:
            continue
        groups = _groups(match["mesh"], match["order"], match["axes"])
        if match["id"] is None or by_channel.setdefault(int(match["id"]), groups) != groups:
            raise Refused(Refusal(_STAGE, "the channel of a collective does not identify its groups"))
    return by_channel


def _groups(mesh: str, order: str, axes: str) -> Groups:
    ordered_mesh = named_mesh(mesh, order)
    chosen = list(axis_refs(axes))
    along = numbers_along(chosen, ordered_mesh)
    groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    rest = [numbers_along(part, ordered_mesh) for part in _others(chosen, ordered_mesh)]
    for position, device in enumerate(ordered_mesh.devices):
        groups.setdefault(tuple(int(numbers[position]) for numbers in rest), []).append(
            (int(along[position]), device)
        )
    return tuple(tuple(device for _, device in sorted(group)) for group in groups.values())


def _others(chosen: list[AxisRef], mesh: Mesh) -> list[list[AxisRef]]:
    """The parts of the mesh's axes that are not chosen."""
    parts: list[list[AxisRef]] = []
    for name, size in mesh.axes:
        cuts = {1, size}
        taken: list[tuple[int, int]] = []
        for axis in chosen:
            if axis.name == name:
                ends = (axis.before, axis.before * axis.count(mesh))
                cuts.update(ends)
                taken.append(ends)
        ordered = sorted(cuts)
        for low, high in pairwise(ordered):
            if not any(first <= low and high <= last for first, last in taken):
                parts.append([AxisRef(name, low, high // low)])
    return parts


def restore_groups(module: ir.Module, hlo: str) -> None:
    """Replace the groups that the converter loses by lists."""
    by_channel = groups_in(hlo)
    if not by_channel:
        return

    def visit(operation: ir.Operation) -> None:
        attributes = operation.attributes
        if "replica_groups" not in attributes or "channel_handle" not in attributes:
            return
        channel = re.search(r"handle = (\d+)", str(attributes["channel_handle"]))
        groups = by_channel.get(int(channel[1])) if channel is not None else None
        if groups is not None:
            text = f"dense<{[list(group) for group in groups]}> : tensor<{len(groups)}x{len(groups[0])}xi64>"
            attributes["replica_groups"] = ir.Attribute.parse(text, module.context)

    walk(module.operation, visit)
