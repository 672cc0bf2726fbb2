"""Ways in which a child process may end."""

from __future__ import annotations

import os
import time
from typing import BinaryIO


def live(data: bytes, file: BinaryIO) -> None:
    print("not the answer", flush=True)
    file.write(data * 2)


def fail(data: bytes, file: BinaryIO) -> None:
    raise ValueError


def allocate(data: bytes, file: BinaryIO) -> None:
    bytearray(1 << 40)


def abort(data: bytes, file: BinaryIO) -> None:
    os.abort()


def sleep(data: bytes, file: BinaryIO) -> None:
    time.sleep(60)


def doze(data: bytes, file: BinaryIO) -> None:
    time.sleep(1)


def compute(data: bytes, file: BinaryIO) -> None:
    while True:
        pass


def parent(_: bytes, file: BinaryIO) -> None:
    file.write(str(os.getppid()).encode())
