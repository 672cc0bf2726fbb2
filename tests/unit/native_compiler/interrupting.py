"""Ends by Ctrl-C what would not end by itself."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def interrupted_after(seconds: float, *, at_most: float) -> Iterator[None]:
    """Interrupt the body by Ctrl-C after some seconds, and require that it ends within `at_most` seconds."""

    def interrupt() -> None:
        time.sleep(seconds)
        signal.raise_signal(signal.SIGINT)

    def handle(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handle)
    thread = threading.Thread(target=interrupt)
    try:
        thread.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            yield
        assert time.monotonic() - start < at_most
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
