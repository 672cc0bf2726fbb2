"""The progress of runs that take seconds: a thread samples the position of the main thread twice a second.

A run does no work for its progress display, so neither short nor long runs become slower.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any

from hlokit.engine.native.program import NativeProgram
from hlokit.engine.plan import executors
from hlokit.engine.plan.executors import step_of_frame
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step

# Seconds between two looks at a run.
INTERVAL = 0.5
# Seconds of runs that show no progress.
PATIENCE = 2.0


class Watcher:
    """Shows the progress of runs of the main thread, after two seconds.

    Args:
      show: displays a line, which replaces the previous line.
      clear: removes the line.
      patience: seconds of runs that show nothing.
      interval: seconds between two looks at the run.
    """

    def __init__(
        self,
        show: Callable[[str], None],
        clear: Callable[[], None],
        *,
        patience: float = PATIENCE,
        interval: float = INTERVAL,
    ) -> None:
        self._show, self._clear = show, clear
        self._patience, self._interval = patience, interval
        self._ended = threading.Event()
        self._is_shown = False
        self._thread = threading.Thread(target=self._watch, name="hlokit progress", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop watching, and remove the line."""
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        main = threading.main_thread().ident
        run: FrameType | None = None
        began = time.monotonic()
        while not self._ended.wait(self._interval):
            frames = list(_frames(sys._current_frames().get(main or 0)))  # pyright: ignore[reportPrivateUsage] # documented
            outermost = frames[-1] if frames else None
            if outermost is not run:
                run, began = outermost, time.monotonic() - self._interval / 2
                self._remove()
            elif outermost is not None and (seconds := time.monotonic() - began) >= self._patience:
                text = ""
                with suppress(Exception):  # a frame may end during the access
                    text = _described(frames)
                self._show(f"{seconds:.0f} s: {text}" if text else f"{seconds:.0f} s")
                self._is_shown = True
            del frames, outermost
        self._remove()

    def _remove(self) -> None:
        if self._is_shown:
            self._clear()
        self._is_shown = False


def _frames(innermost: FrameType | None) -> Iterator[FrameType]:
    """The frames that evaluate plans and loops, the innermost first."""
    frame = innermost
    while frame is not None and frame.f_trace is None:  # a debugger may use the variables of a frame
        if _is_executor(frame) or frame.f_code is NativeProgram.run.__code__:
            yield frame
        frame = frame.f_back


def _is_executor(frame: FrameType) -> bool:
    return frame.f_code.co_filename == executors.__file__ or frame.f_code.co_filename.startswith("<hlokit")


def _described(frames: list[FrameType]) -> str:
    """The position of a run: the operation of the outermost block, the innermost operation, and iterations of
    loops."""
    active: list[tuple[Plan, Step]] = []
    iterations: list[str] = []
    for frame in reversed(frames):
        if frame.f_code is NativeProgram.run.__code__:
            iterations.append(_iteration(frame))
            continue
        step = step_of_frame(frame, frame.f_lineno)
        _forget(frame)
        if step is not None:
            active.append(step)
    if not active:
        return ""
    plan, outer = active[0]
    number = next((n for n, step in enumerate(plan.steps, 1) if step is outer), 0)
    inner = active[-1][1]
    where = source_text(inner.location())
    parts = [
        f"operation {number:,} of {len(plan.steps):,} in @{plan.function_name}",
        inner.name.partition(".")[2],
    ]
    parts += [iteration for iteration in iterations if iteration]
    return ", ".join([*parts, *([where] if where else [])])


def _iteration(frame: FrameType) -> str:
    """The counter of a native loop and its limit, `at 5,000 of 100,000`; "" for other conditions."""
    program = frame.f_locals["self"]
    _forget(frame)
    counter = program.counter
    return f"at {counter[0]:,} of {counter[1]:,}" if counter and 0 <= counter[0] <= counter[1] else ""


def _forget(frame: FrameType, values: Any = None) -> None:
    """Clear the copy of a frame's variables, which before Python 3.13 would keep arrays alive."""
    if frame.f_locals is not frame.f_globals:
        values = frame.f_locals if values is None else values
        if isinstance(values, dict):
            values.clear()


def watch_notebook(*, patience: float = PATIENCE, interval: float = INTERVAL) -> None:
    """In a notebook, show the progress of long runs under the cell. Only the first call in a kernel has an
    effect."""
    global _notebook  # noqa: PLW0603 # one kernel
    if _notebook is not None or "ipykernel" not in sys.modules:
        return
    shell: Any = import_module("IPython").get_ipython()
    if getattr(shell, "kernel", None) is None:  # a module of the kernel is loaded, but no kernel runs
        return
    make_handle: Any = import_module("IPython.display").DisplayHandle

    handles: list[Any] = []

    def show(text: str) -> None:
        if handles:
            handles[0].update({"text/plain": text}, raw=True)
        else:
            handle = make_handle()
            handle.display({"text/plain": text}, raw=True)
            handles.append(handle)

    def clear() -> None:
        handles.pop().update({"text/plain": ""}, raw=True)

    _notebook = Watcher(show, clear, patience=patience, interval=interval)


_notebook: Watcher | None = None
