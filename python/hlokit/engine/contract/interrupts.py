"""Long calls of NumPy that an interrupt need not wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

# Calls for smaller arrays end before a user notices.
_LARGE = 1 << 22
# Seconds after which the main thread handles the signals that have come.
_BETWEEN_SIGNALS = 0.05


def interruptible(function: Callable[..., Any], array: Any, *arguments: Any) -> Any:
    """`function(array, *arguments)`; for a large array in a thread, for which the main thread waits.

    Python handles signals in the main thread, and not during a call of NumPy. An interrupt ends the wait; the
    call itself ends later, and nobody reads its result.
    """
    if array.size < _LARGE or threading.current_thread() is not threading.main_thread():
        return function(array, *arguments)
    from concurrent.futures import Future  # few arrays are large

    result: Future[Any] = Future()

    def work() -> None:
        try:
            result.set_result(function(array, *arguments))
        except BaseException as error:  # of any kind: the main thread raises it
            result.set_exception(error)

    # NumPy's settings of warnings belong to the context.
    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_BETWEEN_SIGNALS)  # the system may deliver a signal to another thread, which ends no wait
    return result.result()
