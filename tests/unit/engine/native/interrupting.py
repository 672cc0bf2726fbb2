"""Interrupts endless programs by Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

# The body ends within this many seconds, even on a busy machine.
SOON = 60


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Interrupt the body, which does not end by itself, by Ctrl-C after some seconds."""

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
        assert time.monotonic() - start < SOON
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
