"""Time of communication and computation by the alpha-beta model: a message takes latency + bytes / bandwidth.

With n devices in a group and m bytes on each (for an all-gather: in each piece), a ring takes

    all_reduce        2 (n - 1) (latency + m / n / bandwidth)
    reduce_scatter    (n - 1) (latency + m / n / bandwidth)
    all_gather        (n - 1) (latency + m / bandwidth)
    all_to_all        (n - 1) (latency + m / n / bandwidth)

and a tree, for collectives with a tree algorithm,

    all_reduce        2 ceil(log2 n) (latency + m / bandwidth)
    all_gather        ceil(log2 n) latency + (n - 1) m / bandwidth      (recursive doubling)
    reduce_scatter    ceil(log2 n) latency + (n - 1) / n m / bandwidth  (recursive halving)
    broadcast         ceil(log2 n) (latency + m / bandwidth)

Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH" (2005).
The model assumes neither overlap nor contention of links: its estimates rank shardings, and do not predict
times.
"""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.errors import ArgumentError
from hlokit.tools.shard.cost_model.traffic import Collective

ALGORITHMS = ("ring", "tree", "best")


@dataclass(frozen=True, slots=True)
class Machine:
    """The assumptions of estimates about devices and links.

    Attributes:
      bandwidth: bytes per second that a device can send while it receives as many.
      latency: seconds until the first byte arrives.
      flops: floating-point operations per second of a device.
      algorithm: `ring`, `tree`, or the better of both for each collective.
    """

    bandwidth: float = 100e9
    latency: float = 1e-6
    flops: float = 100e12
    algorithm: str = "best"

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ArgumentError(f"algorithm must be {', '.join(ALGORITHMS)}, got {self.algorithm}")
        for name in ("bandwidth", "flops"):
            if not getattr(self, name) > 0:
                raise ArgumentError(f"{name} must be positive, got {getattr(self, name)}")
        if not self.latency >= 0:
            raise ArgumentError(f"latency must not be negative, got {self.latency}")

    def seconds(self, collective: Collective) -> float:
        """The time that one run of a collective takes."""
        count, size = collective.group_size, collective.bytes
        if collective.kind == "collective_permute":
            moves = any(group[0] != group[-1] for group in collective.groups)
            return self.latency + size / self.bandwidth if moves else 0.0
        if count < 2:
            return 0.0
        ring, tree = self._ring(collective.kind, count, size), self._tree(collective.kind, count, size)
        if self.algorithm == "ring":
            return ring
        return tree if self.algorithm == "tree" else min(ring, tree)

    def _ring(self, kind: str, count: int, size: int) -> float:
        piece = size if kind in ("all_gather", "collective_broadcast") else size / count
        steps = (2 if kind in ("all_reduce", "cross-replica-sum") else 1) * (count - 1)
        return steps * (self.latency + piece / self.bandwidth)

    def _tree(self, kind: str, count: int, size: int) -> float:
        depth = (count - 1).bit_length()
        match kind:
            case "all_reduce" | "cross-replica-sum":
                return 2 * depth * (self.latency + size / self.bandwidth)
            case "all_gather":
                return depth * self.latency + (count - 1) * size / self.bandwidth
            case "reduce_scatter":
                return depth * self.latency + (count - 1) / count * size / self.bandwidth
            case "all_to_all":
                return depth * (self.latency + size / 2 / self.bandwidth)
            case _:
                return depth * (self.latency + size / self.bandwidth)
