"""Time of communication and computation, by the prices of `tools.shard.prices.traffic`.

The model assumes neither overlap nor contention of links: its estimates rank shardings, and do not predict
times.
"""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.errors import ArgumentError
from hlokit.tools.shard.cost_model.traffic import Collective, traffic_of

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
        if not any(group and group[0] != group[-1] for group in collective.groups):
            return 0.0
        traffic, count, size = traffic_of(collective.kind), collective.group_size, collective.bytes
        ring, tree = traffic.ring(size, count, self), traffic.tree(size, count, self)
        if self.algorithm == "ring":
            return ring
        return tree if self.algorithm == "tree" else min(ring, tree)
