"""The exception of the code that runs in the child process."""

from __future__ import annotations

from hlokit.sharding.answers import Refusal


class Refused(Exception):
    """A partitioner does not do that; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal
