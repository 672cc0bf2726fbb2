"""The memory that the values of a run keep alive: bytes by step, and the live values at the peak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory that values share: a view shares the memory of its array.

    Attributes:
      bytes: the size of the memory.
      step: the operation that allocated the memory; None for an argument or a constant.
      slot: the slot of the first value in the memory.
      plan: the plan of the block.
    """

    bytes: int
    step: Step | None
    slot: int
    plan: Plan


class LiveMemory:
    """Counts the memory of all values that a later step of their block reads, or that the block returns.

    Arguments count while their block runs, since the caller keeps them, and so do constants. Temporary memory
    of kernels does not count. `entered`, `ran` and `left` must be called for each run of a block; for a
    nested block, within the step that runs it.

    Attributes:
      bytes: the number of live bytes.
      peak: the largest number of bytes that were alive at once.
      peak_step: the step at whose end the peak occurred.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self.peak = 0
        self.peak_step: Step | None = None
        # For each running block, the keys of the buffers by slot.
        self._blocks: list[tuple[Plan, dict[int, list[int]], dict[int, int]]] = []
        self._positions: dict[int, tuple[Plan, dict[int, int]]] = {}
        # For each buffer, the number of slots that refer to it.
        self._counts: dict[int, int] = {}
        self._buffers: dict[int, Buffer] = {}
        # A log of the buffers that became live (or, with None, died), by key, and the length of the log at
        # the peak.
        self._log: list[tuple[int, Buffer | None]] = []
        self._at_peak = 0
        # The buffers of the last block that ended: the next block may take them as arguments, or a step may
        # return them.
        self._returned: dict[int, Buffer] = {}

    def entered(self, plan: Plan, arguments: Sequence[Value]) -> None:
        """Record the beginning of a block."""
        plan_positions = self._positions.get(id(plan))
        if plan_positions is None:
            positions = {id(step): number for number, step in enumerate(plan.steps)}
            plan_positions = self._positions[id(plan)] = (plan, positions)
        self._blocks.append((plan, {}, plan_positions[1]))
        for slot, value in (*enumerate(arguments), *plan.constants):
            self._add(slot, value, None)

    def ran(self, step: Step, results: Sequence[Value]) -> int:
        """Record the end of a step of the innermost block; returns the live bytes before its operands are
        freed."""
        plan, slots, positions = self._blocks[-1]
        for slot, value in zip(step.results, results, strict=True):
            self._add(slot, value, step)
        self._returned.clear()
        now = self.bytes
        if now > self.peak:
            self.peak, self.peak_step, self._at_peak = now, step, len(self._log)
        for slot in plan.frees[positions[id(step)]]:
            if slot >= plan.argument_count:
                self._drop(slots.pop(slot, []))
        return now

    def left(self) -> None:
        """Record the end of the innermost block."""
        slots = self._blocks.pop()[1]
        self._returned = {key: self._buffers[key] for keys in slots.values() for key in keys}
        for keys in slots.values():
            self._drop(keys)

    def alive_at_peak(self) -> list[Buffer]:
        """The buffers that were alive at the peak, the largest first."""
        alive: dict[int, Buffer] = {}
        for key, buffer in self._log[: self._at_peak]:
            if buffer is None:
                del alive[key]
            else:
                alive[key] = buffer
        return sorted(alive.values(), key=lambda buffer: -buffer.bytes)

    def _add(self, slot: int, value: Value, step: Step | None) -> None:
        plan, slots, _ = self._blocks[-1]
        for array in _arrays(value):
            key = id(array)
            count = self._counts[key] = self._counts.get(key, 0) + 1
            if count == 1:
                buffer = self._returned.get(key) or Buffer(_bytes(array), step, slot, plan)
                self._buffers[key] = buffer
                self.bytes += buffer.bytes
                self._log.append((key, buffer))
            slots.setdefault(slot, []).append(key)

    def _drop(self, keys: Sequence[int]) -> None:
        for key in keys:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]
                self.bytes -= self._buffers.pop(key).bytes
                self._log.append((key, None))


def _arrays(value: Any) -> list[Any]:
    """The arrays that own the memory of a value."""
    if isinstance(value, tuple):
        return [array for item in value for array in _arrays(item)]  # pyright: ignore[reportUnknownVariableType] # of values
    if not isinstance(value, np.ndarray):
        return [value] if isinstance(value, np.generic) else []
    array: Any = cast("Any", value)
    while isinstance(array.base, np.ndarray):
        array = cast("Any", array.base)
    return [array]


def _bytes(array: Any) -> int:
    """The bytes of an array; elements that share memory count once."""
    if 0 not in getattr(array, "strides", ()):
        return int(array.nbytes)
    lengths = [length for length, stride in zip(array.shape, array.strides, strict=True) if stride]
    return int(np.prod(lengths, dtype=np.int64)) * int(array.itemsize) if array.size else 0
