"""The page of `Sharded.view`: the devices, their pieces, and the data of each collective, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hlokit.tools.shard.cost_model.traffic import collective_operations
from hlokit.tools.shard.notation.annotations import entry
from hlokit.tools.shard.notation.layout import Layout, spec_text
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.partitioners.placement import placements
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.view.page import Reports, RunData, Subject, page
from hlokit.tools.view.viewing import Page

if TYPE_CHECKING:
    from hlokit.tools.shard.partitioners.partition import Partitioned
    from hlokit.tools.shard.reports.report import Report
    from hlokit.tools.tracing.run_trace import RunTrace


def sharded_page(
    sharded: Partitioned, report: Report, comparison: str = "", trace: RunTrace | None = None
) -> Page:
    """The program of a device with its sharding.

    Args:
      report: report on the sharding.
      comparison, trace: comparison and trace of a run of all devices.
    """
    listing = sharded.program.listing
    texts = [("Sharding", str(report))]
    if comparison:
        texts.insert(0, ("Comparison", comparison))
    name = sharded.whole.filename
    title = "program" if name == "-" else name.rpartition("/")[2]
    program = sharded.program
    signature = program.signature()
    subject = Subject(
        listing,
        f"{title} on {sharded.mesh.count} devices",
        program.entry(),
        signature.inputs,
        signature.outputs,
        program.filename,
    )
    reports = Reports(texts=texts, devices=_data(sharded, report, listing))
    return Page(page(subject, None if trace is None else RunData(trace), reports))


class _Layouts:
    """Layouts by number, each stored once."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self.items: list[dict[str, Any]] = []
        self._numbers: dict[Layout, int] = {}

    def __call__(self, layout: Layout | None) -> int:
        if layout is None:
            return -1
        number = self._numbers.get(layout)
        if number is None:
            number = self._numbers[layout] = len(self.items)
            self.items.append(
                {
                    "spec": spec_text(layout, self._mesh),
                    "shape": layout.shape,
                    "counts": layout.counts,
                    "piece": layout.piece_shape,
                    "pieces": layout.pieces,
                    "terms": layout.terms,
                }
            )
        return number


def _data(sharded: Partitioned, report: Report, listing: ProgramListing) -> dict[str, Any]:
    module, mesh = sharded.program.module, sharded.mesh
    main, layouts = entry(module), _Layouts(mesh)
    placed = placements(module, mesh, sharded.inputs, sharded.stated)
    values: dict[int, Any] = {}
    for operation, around in placed.items():
        if any(layout is not None for layout in (*around.operands, *around.results)):
            shown = listing.number(operation)
            values[shown] = [list(map(layouts, around.operands)), list(map(layouts, around.results))]
    collectives = [
        {
            "op": listing.number(operation),
            "kind": collective.kind,
            "groups": collective.groups,
            "bytes": collective.bytes,
            "turns": collective.runs,
            "line": collective.line,
            "seconds": report.machine.seconds(collective),
            "sent": [collective.sent.get(device, 0) for device in range(mesh.count)],
            "received": [collective.received.get(device, 0) for device in range(mesh.count)],
        }
        for operation, collective in collective_operations(
            module, main, (1, mesh.count), sharded.whole.filename
        )
    ]
    return {
        "mesh": str(mesh),
        "axes": mesh.axes,
        "devices": mesh.devices,
        "partitioner": sharded.partitioner,
        "tensors": [
            *_tensors("argument", sharded.names, report.parameters, sharded.inputs, layouts),
            *_tensors("result", sharded.results, report.results, sharded.outputs, layouts),
        ],
        "values": values,
        "collectives": collectives,
        "layouts": layouts.items,
    }


def _tensors(
    kind: str,
    names: Sequence[str],
    tensors: Sequence[Any],
    value_layouts: Sequence[Layout],
    layouts: _Layouts,
) -> list[dict[str, Any]]:
    return [
        {
            "kind": kind,
            "name": name,
            "spec": tensor.spec,
            "layout": layouts(layout),
            "bytes": tensor.bytes,
            "each": tensor.per_device,
        }
        for name, tensor, layout in zip(names, tensors, value_layouts, strict=True)
    ]
