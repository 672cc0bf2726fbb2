"""One run of a program: the state that its processes share, and effects other than results."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from hlokit.reference.numbers.rules import RandomStream
from hlokit.values.tensor import Tensor, Token, Tuple


def _discard(text: str) -> None:
    del text


@dataclass(slots=True)
class Execution:
    """The shared state and effects of a run.

    Attributes:
      checks: the number of evaluated checks.
      write: called with the output of `interpreter.print`.
      probes: the values that `interpreter.probe` stored, by `probe_id`, in order.
      outfeed: the values that processes wrote, with the process ids.
      stream: the random numbers of `rng`.
      wholes: what set_dimension_size has returned parts of, by the identity of the part: the part, the
        dimension, and the whole tensor.
    """

    checks: int = 0
    write: Callable[[str], None] = _discard
    probes: dict[str, list[Tensor]] = field(default_factory=lambda: {})
    outfeed: list[tuple[Hashable, tuple[Tensor | Token | Tuple, ...]]] = field(default_factory=lambda: [])
    stream: RandomStream = field(default_factory=RandomStream)
    wholes: dict[int, tuple[Tensor, int, Tensor]] = field(default_factory=lambda: {})
