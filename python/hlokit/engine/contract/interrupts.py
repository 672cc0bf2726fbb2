"""Exceptions that a thread raises in another one; calls of NumPy that an interrupt need not wait for."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

# Bytes of arrays whose copy may take a tenth of a second.
HUGE = 1 << 25
# Calls for smaller arrays end before a user notices.
_LARGE = 1 << 22
# Seconds after which the main thread handles the signals that have come.
_BETWEEN_SIGNALS = 0.05


def raise_in_thread(thread: int | None, exception: type[BaseException]) -> None:
    """Raise an exception in a thread: at its next line of Python, or where compiled code asks for interrupts.

    Args:
      thread: the thread's `ident`.
    """
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread or 0), ctypes.py_object(exception))


def interruptible(function: Callable[..., Any], array: Any, *arguments: Any) -> Any:
    """`function(array, *arguments)`; for a large array in a thread, for which the main thread waits."""
    if array.size < _LARGE:
        return function(array, *arguments)
    return beside_main_thread(function, array, *arguments)


def beside_main_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """`function(*arguments)`; the main thread waits for another one that makes the call.

    Python handles signals in the main thread, and not during a call of NumPy. An interrupt ends the wait; the
    call itself ends later, and nobody reads its result.
    """
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    from concurrent.futures import Future  # few arrays are large

    result: Future[Any] = Future()

    def work() -> None:
        try:
            result.set_result(function(*arguments))
        except BaseException as error:  # of any kind: the main thread raises it
            result.set_exception(error)

    # NumPy's settings of warnings, and the context of the run, belong to the context.
    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            # The system may deliver a signal to another thread, which ends no wait.
            thread.join(_BETWEEN_SIGNALS)
    except BaseException:
        raise_in_thread(thread.ident, SystemExit)
        raise
    return result.result()
