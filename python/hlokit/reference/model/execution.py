"""One run of a program: what all its processes share, and what it leaves behind besides its results."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from hlokit.reference.numbers.rules import RandomStream
from hlokit.values.tensor import Tensor, Token, Tuple


def _discard(text: str) -> None:
    del text


@dataclass(slots=True)
class Execution:
    """Attributes:
    checks: how many checks were done.
    write: takes what `interpreter.print` prints.
    probes: what `interpreter.probe` stored, by `probe_id`, one after the other.
    outfeed: what processes sent there, with their ids.
    stream: what `rng` draws from.
    """

    checks: int = 0
    write: Callable[[str], None] = _discard
    probes: dict[str, list[Tensor]] = field(default_factory=lambda: {})
    outfeed: list[tuple[Hashable, tuple[Tensor | Token | Tuple, ...]]] = field(default_factory=lambda: [])
    stream: RandomStream = field(default_factory=RandomStream)
