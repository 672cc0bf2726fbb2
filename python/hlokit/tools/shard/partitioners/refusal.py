"""The exception that ends the partitioning in the child process."""

from __future__ import annotations

from hlokit.tools.shard.partitioners.answers import Refusal


class Refused(Exception):
    """A partitioner rejects a program; `refusal` has the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal
