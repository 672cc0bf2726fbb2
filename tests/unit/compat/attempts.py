"""What a guarded process may do to itself."""

from __future__ import annotations

import os
import time


def live(data: bytes) -> None:
    assert data == b"data"


def fail(data: bytes) -> None:
    raise ValueError


def allocate(data: bytes) -> None:
    bytearray(1 << 40)


def abort(data: bytes) -> None:
    os.abort()


def sleep(data: bytes) -> None:
    time.sleep(60)


def compute(data: bytes) -> None:
    while True:
        pass
