"""The peak of the memory of a run: the operation at the peak, and the values that are live there."""

from __future__ import annotations

from dataclasses import dataclass

from hlokit.display.html import escape, facts, fragment, short_bytes, table
from hlokit.display.locations import source_of
from hlokit.engine.observe.memory import Buffer
from hlokit.engine.plan.plan import Step
from hlokit.tools.tracing.collector import Collector
from hlokit.tools.tracing.listings import ProgramListing

_LISTED = 12


@dataclass(frozen=True, slots=True)
class Alive:
    """A value that is live at the peak, with all views of its memory.

    Attributes:
      label: the name in the program's text, `argument 0 of @main`, or `a constant of @main`.
      op: the operation that computed the value; "" for arguments and constants.
      source: the user's source line.
      bytes: the size of the memory.
      number: the number of the operation in the listing; -1 if there is none.
    """

    label: str
    op: str
    source: str
    bytes: int
    number: int = -1

    def __str__(self) -> str:
        return f"{short_bytes(self.bytes):>9}  {' '.join(filter(None, (self.label, self.op, self.source)))}"


@dataclass(frozen=True, slots=True, repr=False)
class Peak:
    """The largest number of bytes of simultaneously live values of a run. `trace.peak` returns it.

    Attributes:
      bytes: the bytes of arguments, constants, and results that a later operation reads. Memory that several
        values share counts once.
      at: the operation at whose end the memory was at its peak; None for a run without operations.
      alive: the values, the largest first.
    """

    bytes: int
    at: Alive | None
    alive: tuple[Alive, ...]

    def __str__(self) -> str:
        where = "" if self.at is None else " ".join(filter(None, (self.at.label, self.at.op, self.at.source)))
        lines = [f"{short_bytes(self.bytes)} alive{f' at the end of {where}' if where else ''}"]
        lines += map(str, self.alive[:_LISTED])
        if len(self.alive) > _LISTED:
            lines.append(f"and {len(self.alive) - _LISTED:,} more values")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        at = (
            ""
            if self.at is None
            else f"{escape(self.at.label)} {escape(self.at.op)} {escape(self.at.source)}"
        )
        rows = [(short_bytes(value.bytes), value.label, value.op, value.source) for value in self.alive]
        head = facts(("peak", short_bytes(self.bytes)), ("at", at))
        return fragment(f"{head}{table(('bytes', 'value', 'operation', 'source'), rows)}")


def peak_of(collector: Collector, listing: ProgramListing) -> Peak:
    """The peak of a run; for several processes, the largest peak of a process."""
    memory = max(collector.memories, key=lambda memory: memory.peak, default=None)
    if memory is None:
        return Peak(0, None, ())

    def of_step(step: Step, size: int) -> Alive:
        number = collector.number(step)
        label = listing.ops[number].label if number >= 0 and listing.ops[number].name == step.name else ""
        return Alive(label, step.name, source_of(step.location()).text, size, number)

    def alive(buffer: Buffer) -> Alive:
        if buffer.step is not None:
            return of_step(buffer.step, buffer.bytes)
        is_argument = buffer.slot < buffer.plan.argument_count
        what = f"argument {buffer.slot}" if is_argument else "a constant"
        return Alive(f"{what} of @{buffer.plan.function_name}", "", "", buffer.bytes)

    step = memory.peak_step
    at = None if step is None else of_step(step, memory.peak)
    return Peak(memory.peak, at, tuple(map(alive, memory.alive_at_peak())))
