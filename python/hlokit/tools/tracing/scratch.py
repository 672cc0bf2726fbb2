"""The memory of a run: its live values, and the scratch memory of each kernel, as the system counts it.

The figures are those of the steps that are left after all rewrites, in the first run of a process. Only Linux
tells a process its own peak, and lets the process forget the peak before each step.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hlokit import _kernels
from hlokit.display.html import short_bytes
from hlokit.display.locations import source_of
from hlokit.engine.contract.registry import Value
from hlokit.engine.observe.memory import LiveMemory
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import UnsupportedError

_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_MAPS = Path("/proc/self/maps")
# From mman.h: read pages now, instead of when they are used for the first time.
_POPULATE_READ = 22
# From malloc.h: larger blocks than so many bytes go back to the system as soon as they are free.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _MAPPED = -1, -3, 1 << 16
# The counters of the system lag behind by some pages.
_LEAST = 1 << 18
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Scratch:
    """The memory that the kernel of a step takes beside its operands and results.

    Attributes:
      op: the name of the operation; of fused operations, of the last one.
      source: the user's source line.
      bytes: the most of all runs of the step.
    """

    op: str
    source: str
    bytes: int

    def __str__(self) -> str:
        return f"{short_bytes(self.bytes):>9}  {' '.join(filter(None, (self.op, self.source)))}"


@dataclass(frozen=True, slots=True)
class RunMemory:
    """The memory of the first run of a program.

    Attributes:
      arguments, results: their bytes.
      values: the largest number of bytes of values, arguments and constants that are alive at once.
      scratch: the scratch memory of kernels, the largest first. A kernel may keep its memory for the next
        kernel, so that only the first one is listed.
    """

    arguments: int
    results: int
    values: int
    scratch: tuple[Scratch, ...]

    @property
    def peak(self) -> int:
        """The most that a run takes: the values, and the scratch memory of one kernel."""
        return self.values + max((item.bytes for item in self.scratch), default=0)

    def __str__(self) -> str:
        lines = [
            f"arguments          {short_bytes(self.arguments)}",
            f"results            {short_bytes(self.results)}",
            f"values at the peak {short_bytes(self.values)}, arguments and constants included",
            f"peak, at most      {short_bytes(self.peak)}",
            f"scratch of kernels {len(self.scratch):,} above {short_bytes(_LEAST)}",
            *map(str, self.scratch[:_SHOWN]),
        ]
        if len(self.scratch) > _SHOWN:
            lines.append(f"and {len(self.scratch) - _SHOWN:,} more")
        return "\n".join(lines)


def memory_of_run(call: Callable[[Observer], Any], arguments: Sequence[Value]) -> RunMemory:
    """Measure the memory of a run. The process should do nothing else, before and afterwards.

    Args:
      call: runs a program with an observer, and returns the results.

    Raises:
      UnsupportedError: the system does not tell the peak of a process.
    """
    try:
        _FORGET.write_text("5")
        library = ctypes.CDLL(None)
        mallopt, malloc_trim = library.mallopt, library.malloc_trim
        _read_code(library.madvise)
    except (OSError, AttributeError):
        raise UnsupportedError("the memory of kernels is measured on Linux only") from None
    mallopt(_M_MMAP_THRESHOLD, _MAPPED)
    mallopt(_M_TRIM_THRESHOLD, 0)
    malloc_trim(0)
    meter = _Meter()
    results = call(meter)
    scratch = [
        Scratch(step.name, source_of(step.location()).text, size)
        for step, size in meter.scratch.values()
        if size >= _LEAST
    ]
    scratch.sort(key=lambda item: -item.bytes)
    return RunMemory(_bytes(arguments), _bytes(results), meter.memory.peak, tuple(scratch))


def _read_code(madvise: Callable[..., int]) -> None:
    """Read the code of all kernels: it is no memory of the kernel that needs a page of it first.

    Before Linux 5.14, code counts nonetheless.
    """
    for line in _MAPS.read_text().splitlines():
        if line.endswith(str(_kernels.__file__)):
            start, end = (int(text, 16) for text in line.split()[0].split("-"))
            madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _POPULATE_READ)


def _bytes(values: Sequence[Any]) -> int:
    return sum(int(getattr(value, "nbytes", 0)) for value in values)


def _resident(name: str) -> int:
    """Bytes of this process that are in memory now (VmRSS), or were at the peak (VmHWM)."""
    text = _STATUS.read_text()
    start = text.index(name) + len(name) + 1
    return int(text[start : text.index("kB", start)]) * 1024


def _runs_blocks(step: Step) -> bool:
    return bool(step.kernel.regions) or isinstance(step.kernel.function, Block)


class _Meter:
    """An observer that measures the scratch memory of steps that run no block.

    Attributes:
      memory: the live values.
      scratch: by the identity of steps: the step, and the most bytes of a run.
    """

    def __init__(self) -> None:
        self.memory = LiveMemory()
        self.scratch: dict[int, tuple[Step, int]] = {}
        self._before = self._alive = 0

    def entered(self, plan: Plan, arguments: Sequence[Value]) -> None:
        self.memory.entered(plan, arguments)

    def left(self) -> None:
        self.memory.left()

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        if not _runs_blocks(step):
            self._alive = self.memory.bytes
            _FORGET.write_text("5")
            self._before = _resident("VmRSS")

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        peak = _resident("VmHWM")
        alive = self.memory.ran(step, results)
        if not _runs_blocks(step):
            size = peak - self._before - (alive - self._alive)
            self.scratch[id(step)] = step, max(size, self.scratch.get(id(step), (step, 0))[1])
