"""The report on a sharded program: memory, FLOPs and traffic of each device, and estimated times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hlokit.display.printable import printable_line
from hlokit.display.shown import Shown
from hlokit.engine.plan.locations import source_text
from hlokit.mlir.queries.module import in_file
from hlokit.tools.shard.cost_model.costs import Costs, costs_of
from hlokit.tools.shard.cost_model.estimates import Machine
from hlokit.tools.shard.cost_model.traffic import Collective, collectives_of
from hlokit.tools.shard.notation.annotations import entry
from hlokit.tools.shard.notation.layout import Layout, axes_along
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.partitioners.answers import Kept, Reshard

if TYPE_CHECKING:
    from hlokit.tools.shard.partitioners.partition import Partitioned

# The part of a device's memory from which on the report lists a replicated value.
_LARGE = 0.01
_LINES = 12


@dataclass(frozen=True, slots=True)
class Tensor:
    """A parameter or result.

    Attributes:
      name: the front end's name.
      spec: sharding of the tensor.
      bytes: size of the whole tensor in bytes.
      per_device: bytes that each device holds, padding included.
      used: bytes that are not padding, for each device.
    """

    name: str
    spec: str
    bytes: int
    per_device: int
    used: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        return self.per_device >= self.bytes


@dataclass(frozen=True, slots=True, repr=False)
class Report(Shown):
    """The costs of a sharding.

    Attributes:
      mesh, partitioner: see `Sharded`.
      machine: the assumptions for times.
      parameters, results: parameters and results of the whole program.
      costs: costs of each device; all devices run the same program.
      whole: costs of the program on one device.
      collectives: collectives in the order of the program.
      reshards, kept, notes: see `Answer`.
    """

    mesh: Mesh
    partitioner: str
    machine: Machine
    parameters: tuple[Tensor, ...]
    results: tuple[Tensor, ...]
    costs: Costs
    whole: Costs
    collectives: tuple[Collective, ...]
    reshards: tuple[Reshard, ...]
    kept: tuple[Kept, ...]
    notes: tuple[str, ...]

    @property
    def sent(self) -> list[int]:
        """Bytes that each device sends in a run."""
        totals = [0] * self.mesh.count
        for collective in self.collectives:
            for device, size in collective.sent.items():
                totals[device] += collective.runs * size
        return totals

    @property
    def received(self) -> list[int]:
        """Bytes that each device receives in a run."""
        totals = [0] * self.mesh.count
        for collective in self.collectives:
            for device, size in collective.received.items():
                totals[device] += collective.runs * size
        return totals

    @property
    def imbalance(self) -> float:
        """The largest number of bytes of parameters and results that a device holds, without padding, divided
        by the mean."""
        loads = [
            sum(tensor.used[device] for tensor in (*self.parameters, *self.results))
            for device in range(self.mesh.count)
        ]
        mean = sum(loads) / len(loads)
        return max(loads) / mean if mean else 1.0

    @property
    def communication_seconds(self) -> float:
        return sum(collective.runs * self.machine.seconds(collective) for collective in self.collectives)

    @property
    def compute_seconds(self) -> float:
        return self.costs.flops / self.machine.flops

    @property
    def seconds(self) -> float:
        """The time of a run without overlap."""
        return self.communication_seconds + self.compute_seconds

    @property
    def by_line(self) -> list[tuple[str, int, float, list[Collective]]]:
        """For each source line that communicates: bytes that all devices send, seconds, collectives; sorted
        by bytes, the most first."""
        lines: dict[str, list[Collective]] = {}
        for collective in self.collectives:
            lines.setdefault(collective.line, []).append(collective)
        rows = [
            (
                line,
                sum(collective.runs * sum(collective.sent.values()) for collective in of_line),
                sum(collective.runs * self.machine.seconds(collective) for collective in of_line),
                of_line,
            )
            for line, of_line in lines.items()
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    @property
    def unrequested(self) -> list[Reshard]:
        """Reshards that the program does not request; the largest first."""
        return sorted(
            (reshard for reshard in self.reshards if not reshard.is_requested),
            key=lambda reshard: -reshard.bytes,
        )

    @property
    def large_whole(self) -> list[tuple[str, str, int]]:
        """Parameters and values that every device holds as a whole and that are large: name,
        location, bytes."""
        least = max(1, int(_LARGE * self.costs.peak))
        rows = [
            (f"parameter {tensor.name}", "", tensor.bytes) for tensor in self.parameters if tensor.is_whole
        ]
        rows += [(value.value, source_text(value.location), value.bytes) for value in self.kept]
        return sorted((row for row in rows if row[2] >= least), key=lambda row: -row[2])

    def as_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        return {
            "mesh": self.mesh.sizes,
            "devices": self.mesh.count,
            "partitioner": self.partitioner,
            "parameters": [_tensor(tensor) for tensor in self.parameters],
            "results": [_tensor(tensor) for tensor in self.results],
            "per_device": {
                "parameter_bytes": self.costs.parameters,
                "peak_bytes": self.costs.peak,
                "peak_at": self.costs.where,
                "flops": self.costs.flops,
                "sent_bytes": self.sent,
                "received_bytes": self.received,
            },
            "whole": {
                "parameter_bytes": self.whole.parameters,
                "peak_bytes": self.whole.peak,
                "flops": self.whole.flops,
            },
            "imbalance": self.imbalance,
            "collectives": [
                _collective(collective, self.machine, self.mesh) for collective in self.collectives
            ],
            "lines": [
                {"line": line, "sent_bytes": sent, "seconds": seconds, "collectives": len(of_line)}
                for line, sent, seconds, of_line in self.by_line
            ],
            "reshards": [
                {
                    "value": reshard.value,
                    "before": reshard.before,
                    "after": reshard.after,
                    "bytes": reshard.bytes,
                    "at": source_text(reshard.location),
                    "is_requested": reshard.is_requested,
                }
                for reshard in self.reshards
            ],
            "whole_values": [
                {"value": value, "at": at, "bytes": size} for value, at, size in self.large_whole
            ],
            "estimate": {
                "bandwidth": self.machine.bandwidth,
                "latency": self.machine.latency,
                "flops": self.machine.flops,
                "algorithm": self.machine.algorithm,
                "communication_seconds": self.communication_seconds,
                "compute_seconds": self.compute_seconds,
            },
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> list[str]:
        devices = self.mesh.count
        lines = [f"mesh {self.mesh}: {devices} devices, partitioned by {self.partitioner}", ""]
        lines += table_lines(
            ["", "each device", "one device alone"],
            [
                ["parameters", size_text(self.costs.parameters), size_text(self.whole.parameters)],
                ["peak of values", size_text(self.costs.peak), size_text(self.whole.peak)],
                ["FLOPs", count_text(self.costs.flops), count_text(self.whole.flops)],
                ["sent, at most", size_text(max(self.sent, default=0)), "0 B"],
                ["received, at most", size_text(max(self.received, default=0)), "0 B"],
            ],
        )
        lines += [f"imbalance of what devices hold: {self.imbalance:.2f}", "", "parameters and results:"]
        rows = [
            [f"  {tensor.name}", tensor.spec, size_text(tensor.bytes), f"{size_text(tensor.per_device)} each"]
            for tensor in (*self.parameters, *self.results)
        ]
        lines += _shortened(table_lines(None, rows))
        lines.append("")
        if self.collectives:
            lines.append("collectives, by source line (bytes that all devices send in a run):")
            rows = [
                [f"  {printable_line(line)}", size_text(sent), time_text(seconds), self._kinds(of_line)]
                for line, sent, seconds, of_line in self.by_line
            ]
            lines += _shortened(table_lines(None, rows))
        else:
            lines.append("no collectives")
        if self.unrequested:
            lines += ["", "reshards that the program does not request:"]
            lines += _shortened(
                [
                    f"  {reshard.value}, {size_text(reshard.bytes)}: {reshard.before} -> {reshard.after}"
                    + _at(source_text(reshard.location))
                    for reshard in self.unrequested
                ]
            )
        if self.large_whole:
            lines += ["", "large values that every device holds as a whole:"]
            lines += _shortened(
                [f"  {value}, {size_text(size)}{_at(where)}" for value, where, size in self.large_whole]
            )
        if self.notes:
            lines += ["", "notes:", *_shortened([f"  {note}" for note in self.notes])]
        machine = self.machine
        lines += [
            "",
            f"estimate: {time_text(self.communication_seconds)} communication + "
            f"{time_text(self.compute_seconds)} compute",
            f"  at {count_text(machine.bandwidth)}B/s, {time_text(machine.latency)} a message, "
            f"{count_text(machine.flops)}FLOP/s, {machine.algorithm} algorithms",
        ]
        return lines

    def _kinds(self, collectives: Sequence[Collective]) -> str:
        counts: dict[str, int] = {}
        for collective in collectives:
            text = collective.kind
            if collective.kind != "collective_permute":
                axes = " and ".join(axes_along(collective.groups, self.mesh))
                text += f" of {collective.group_size}" + (f" along {axes}" if axes else "")
            counts[text] = counts.get(text, 0) + collective.runs
        return ", ".join(f"{count} x {text}" for text, count in counts.items())


def report(sharded: Partitioned, machine: Machine | None = None) -> Report:
    """The report on a sharded program."""
    module, whole, filename = sharded.program.module, sharded.whole.module, sharded.whole.filename
    main = entry(module)
    return Report(
        sharded.mesh,
        sharded.partitioner,
        machine or Machine(),
        _tensors(sharded.names, sharded.specs[0], sharded.inputs, sharded.whole.signature().inputs),
        _tensors(sharded.results, sharded.specs[1], sharded.outputs, sharded.whole.signature().outputs),
        costs_of(module, main, filename),
        costs_of(whole, entry(whole), filename),
        tuple(collectives_of(module, main, (1, sharded.mesh.count), filename)),
        tuple(replace(reshard, location=in_file(reshard.location, filename)) for reshard in sharded.reshards),
        tuple(replace(value, location=in_file(value.location, filename)) for value in sharded.kept),
        tuple(sharded.notes),
    )


def _tensors(
    names: Sequence[str], specs: Sequence[str], layouts: Sequence[Layout], types: Sequence[Any]
) -> tuple[Tensor, ...]:
    tensors: list[Tensor] = []
    for name, spec, layout, type_ in zip(names, specs, layouts, types, strict=True):
        size = type_.element_type.dtype.itemsize
        piece = size
        for length in layout.piece_shape:
            piece *= length
        used = tuple(size * layout.elements(device) for device in range(len(layout.pieces)))
        tensors.append(Tensor(name, spec, type_.nbytes, piece, used))
    return tuple(tensors)


def _tensor(tensor: Tensor) -> dict[str, Any]:
    return {
        "name": tensor.name,
        "sharding": tensor.spec,
        "bytes": tensor.bytes,
        "device_bytes": tensor.per_device,
    }


def _collective(collective: Collective, machine: Machine, mesh: Mesh) -> dict[str, Any]:
    return {
        "kind": collective.kind,
        "groups": [list(group) for group in collective.groups],
        "axes": list(axes_along(collective.groups, mesh)),
        "operand_bytes": collective.bytes,
        "result_bytes": collective.result_bytes,
        "turns": collective.runs,
        "sent_bytes": [collective.sent.get(device, 0) for device in range(mesh.count)],
        "received_bytes": [collective.received.get(device, 0) for device in range(mesh.count)],
        "line": collective.line,
        "seconds": machine.seconds(collective),
    }


def _at(where: str) -> str:
    return f" at {where}" if where else ""


def _shortened(lines: list[str]) -> list[str]:
    if len(lines) <= _LINES:
        return lines
    return [*lines[:_LINES], f"  ... and {len(lines) - _LINES} more"]


def table_lines(head: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as lines of text, with columns of equal width."""
    every = [*([head] if head else []), *rows]
    if not every:
        return []
    widths = [max(len(row[i]) for row in every) for i in range(len(every[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in every
    ]


def size_text(size: float) -> str:
    """Bytes for display: `1.5 MiB`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.0f} B" if unit == "B" else f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} TiB"


def count_text(count: float) -> str:
    """A number for display: `1.5 G`."""
    for unit in ("", "k", "M", "G", "T"):
        if abs(count) < 1000:
            return f"{count:.4g} {unit}" if unit else f"{count:.4g}"
        count /= 1000
    return f"{count:.4g} P"


def time_text(seconds: float) -> str:
    """Seconds for display: `12.3 us`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
