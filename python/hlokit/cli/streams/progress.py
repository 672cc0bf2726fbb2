"""Progress: of an evaluation with `--progress`, of long runs on a terminal, and of a search."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TextIO

from hlokit.cli.frame.standard_streams import write_styled
from hlokit.cli.frame.verbosity import IS_QUIET
from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step


class Progress:
    """An observer that writes counts of evaluated operations; on a terminal, into one line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._on_terminal = stream.isatty()
        self._interval = 0.1 if self._on_terminal else 1.0
        self._start = self._shown = time.monotonic()
        self._count = 0

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        now = time.monotonic()
        if now - self._shown >= self._interval:
            self._shown = now
            self._show(f"{self._totals(now)}, at {step.name} in @{plan.function_name}", last=False)

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self._count += 1

    def finish(self) -> None:
        """Write the totals."""
        self._show(self._totals(time.monotonic()), last=True)

    def _totals(self, now: float) -> str:
        return f"{self._count:,} operations in {now - self._start:.1f} s"

    def _show(self, text: str, *, last: bool) -> None:
        if self._on_terminal:
            write_styled(self._stream, f"\r\x1b[K{text}" + "\n" * last)
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()


class SearchProgress:
    """The current step of a search, on an overwritten line of a terminal; no output elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._on_terminal = stream.isatty() and not IS_QUIET.get()
        self._start = time.monotonic()
        self._is_shown = False

    def __call__(self, what: str, done: int, total: int | None) -> None:
        if self._on_terminal:
            seconds = time.monotonic() - self._start
            whole = " tried" if total is None else f" of {total:,}"
            write_styled(self._stream, f"\r\x1b[K{what}: {done:,}{whole}, {seconds:.1f} s")
            self._stream.flush()
            self._is_shown = True

    def finish(self) -> None:
        """Remove the line."""
        if self._is_shown:
            write_styled(self._stream, "\r\x1b[K")
            self._stream.flush()


# A longer line would wrap on a terminal of 80 columns, and its first part would stay.
_COLUMNS = 79


@contextmanager
def watched(stream: TextIO, **times: float) -> Generator[None]:
    """Within the context, a run of more than two seconds shows its progress if the stream is a terminal.

    Args:
      times: times that replace the watcher's defaults.
    """
    if not stream.isatty() or IS_QUIET.get():
        yield
        return
    from hlokit.display.printable import printable_line
    from hlokit.tools.tracing.progress import Watcher  # few runs are on a terminal

    def show(text: str) -> None:
        write_styled(stream, f"\r\x1b[K{printable_line(text)[:_COLUMNS]}")
        stream.flush()

    def clear() -> None:
        write_styled(stream, "\r\x1b[K")
        stream.flush()

    watcher = Watcher(show, clear, **times)
    try:
        yield
    finally:
        watcher.end()
