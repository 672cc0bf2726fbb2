"""A side that repeats a run which failed, before anything is concluded from the failure."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.tools.backends.side import Array, FailureKind, Side, SideFailed

# Failures that another run may not have. A time-out is not repeated, since that takes as long again.
_REPEATED: tuple[FailureKind, ...] = ("crash", "error", "killed")


class RepeatingSide:
    """Another side, with a second run after a failure.

    Attributes:
      passing: the failures that the second run did not have.
    """

    def __init__(self, side: Side) -> None:
        self.passing: list[SideFailed] = []
        self._side = side

    @property
    def name(self) -> str:
        """See `Side`."""
        return self._side.name

    @property
    def batch(self) -> int:
        """See `Side`."""
        return self._side.batch

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """See `Side`."""
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """See `Side`."""
        try:
            return self._side.run_each(module, inputs, function)
        except SideFailed as failure:
            if failure.kind not in _REPEATED:
                raise
            results = self._side.run_each(module, inputs, function)
            self.passing.append(failure)
            return results

    def close(self) -> None:
        """See `Side`."""
        self._side.close()
