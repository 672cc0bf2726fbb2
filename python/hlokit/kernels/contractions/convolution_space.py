"""The spatial dimensions of a convolution: which elements of input, kernel and result meet.

Dilation of the input becomes several convolutions with parts of the kernel (`Phase`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product as combinations
from math import gcd
from typing import NamedTuple

from hlokit.engine.contract.array_ops import Phase
from hlokit.mlir.conversion.dimension_numbers import Ints

Pairs = tuple[tuple[int, int], ...]
Slices = tuple[slice, ...]

# One spatial dimension ---------------------------------------------------------------------------


@lru_cache(1024)
def _phases(
    space: int, window: int, stride: int, padding: tuple[int, int], lhs_dilation: int, rhs_dilation: int
) -> tuple[Phase, ...]:
    """The phases of a dimension: convolutions without `lhs_dilation`.

    Output o and tap t meet at element (o stride + t rhs_dilation - low) / lhs_dilation of the input, if that
    is an integer. For the outputs o = first + step i, only t determines whether the element exists: for t =
    tap + tap_step j.
    """
    low, high = padding
    padded = low + ((space - 1) * lhs_dilation + 1 if space else 0) + high
    extent = (window - 1) * rhs_dilation + 1 if window else 0
    size = (padded - extent) // stride + 1 if padded > 0 and extent <= padded else 0
    step = lhs_dilation // gcd(stride, lhs_dilation)
    tap_step = lhs_dilation // gcd(rhs_dilation, lhs_dilation)
    phases: list[Phase] = []
    for first in range(min(step, size) or 1):
        offsets = (first * stride + tap * rhs_dilation - low for tap in range(min(tap_step, window)))
        met = [(tap, offset) for tap, offset in enumerate(offsets) if offset % lhs_dilation == 0]
        tap, offset = met[0] if met else (window, 0)
        phases.append(
            Phase(
                slice(first, None, step),
                -(-(size - first) // step) if size else 0,
                slice(tap, None, tap_step),
                step * stride // lhs_dilation,
                tap_step * rhs_dilation // lhs_dilation,
                -(offset // lhs_dilation),
            )
        )
    return tuple(phases)


def _needed(phases: Sequence[Phase], low: int, window: int) -> int:
    """The elements of a dimension, with `low` zeros in front, that the phases read."""
    taps = [len(range(window)[phase.taps]) for phase in phases]
    return max(
        low - phase.low + (phase.size - 1) * phase.stride + (count - 1) * phase.dilation + 1 if count else 0
        for phase, count in zip(phases, taps, strict=True)
    )


# All spatial dimensions --------------------------------------------------------------------------


class Part(NamedTuple):
    """A phase of each dimension. Slices have the dimensions in front of the spatial ones, too.

    Attributes:
      outputs, taps: of the result and of the kernel.
      inputs: of the padded input; None if the part needs all of it.
      size: of the outputs.
      strides, dilations: between windows, and between the elements of a window, in elements of the input.
    """

    outputs: Slices
    taps: Slices
    inputs: Slices | None
    size: Ints
    strides: Ints
    dilations: Ints


class Space(NamedTuple):
    """The spatial dimensions of a convolution.

    Attributes:
      phases: of each dimension.
      lows: the zeros in front of each dimension of the input, for the phase that needs most.
      only_part: the part that is the whole result, if there is one.
      sizes: of the result.
      kept: the elements of the input that are used; None if they are all.
      padded: sizes of the input with zeros around it; None without zeros.
      places: of the input in the padded one.
    """

    phases: tuple[tuple[Phase, ...], ...]
    lows: Ints
    only_part: Part | None
    sizes: Ints
    kept: Slices | None
    padded: Ints | None
    places: Slices

    def parts(self) -> Iterator[Part]:
        """The parts that together are the result: possibly very many."""
        if self.only_part is not None:
            yield self.only_part
            return
        for phases in combinations(*self.phases):
            yield _part(phases, self.lows)


def _part(phases: Sequence[Phase], lows: Ints) -> Part:
    starts = tuple([low - phase.low for low, phase in zip(lows, phases, strict=True)])
    every = slice(None)
    return Part(
        (every, every, *[phase.outputs for phase in phases]),
        (every, *[phase.taps for phase in phases]),
        (every, every, *[slice(start, None) for start in starts]) if any(starts) else None,
        tuple([phase.size for phase in phases]),
        tuple([phase.stride for phase in phases]),
        tuple([phase.dilation for phase in phases]),
    )


@lru_cache(1024)
def space_of(
    space: Ints, window: Ints, strides: Ints, padding: Pairs, lhs_dilations: Ints, rhs_dilations: Ints
) -> Space:
    """The dimensions of an input and a kernel of these sizes."""
    every = slice(None)
    phases = tuple(map(_phases, space, window, strides, padding, lhs_dilations, rhs_dilations))
    lows = tuple([max(phase.low for phase in phases_of_dimension) for phases_of_dimension in phases])
    needed = tuple(map(_needed, phases, lows, window))
    firsts = [phases_of_dimension[0] for phases_of_dimension in phases]
    has_one = all(len(phases_of_dimension) == 1 for phases_of_dimension in phases)
    # Spatial dimensions have `low` leading zeros (or -low elements removed), and are
    # cut or padded to `needed`.
    kept = [slice(max(-low, 0), max(size - low, 0)) for low, size in zip(lows, needed, strict=True)]
    left = tuple([len(range(size)[part]) for size, part in zip(space, kept, strict=True)])
    places = [slice(max(low, 0), max(low, 0) + size) for low, size in zip(lows, left, strict=True)]
    return Space(
        phases,
        lows,
        _part(firsts, lows) if has_one else None,
        tuple([sum(phase.size for phase in phases_of_dimension) for phases_of_dimension in phases]),
        None if left == space else (every, every, *kept),
        None if all(low <= 0 for low in lows) and left == needed else needed,
        (every, every, *places),
    )
