"""Files that expand to more than their size, or have no end."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
import tracemalloc
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from hlokit.cli.streams.argument_files import read_arguments
from hlokit.errors import ArgumentError, ParseError
from hlokit.files import reading as files
from hlokit.programs.importers.compressed import decompressed
from hlokit.programs.importers.weights import read_weights

COMPRESSION = "compression must be deflate, or none"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="Windows has no /dev/zero")
def test_devices_without_end() -> None:
    with pytest.raises(
        ParseError, match="cannot open input file '/dev/zero': a device must end within 64 MiB"
    ):
        files.read_file("/dev/zero")
    assert files.read_file(os.devnull) == b""
    with pytest.raises(ArgumentError, match=r"cannot read weights from '/dev/zero' .*: it is a device"):
        read_weights("/dev/zero")


@contextmanager
def filled_pipe(size: int) -> Generator[BinaryIO]:
    """The end of a pipe with `size` bytes to read."""
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb") as file, suppress(BrokenPipeError):
            for start in range(0, size, 1 << 20):
                file.write(b"x" * min(1 << 20, size - start))

    thread = threading.Thread(target=write)
    thread.start()
    with open(reading, "rb") as file:
        yield file
    thread.join()


def test_a_pipe_is_read_into_one_buffer() -> None:
    """A program of several gigabytes takes its size in memory, and what a buffer has to spare."""
    assert files.LARGEST_STREAM == 8 << 30
    size = 1 << 26
    with filled_pipe(size) as file:
        tracemalloc.start()
        try:
            assert len(files.read_whole(file)) == size
            assert tracemalloc.get_traced_memory()[1] < 1.5 * size
        finally:
            tracemalloc.stop()


def test_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (10, 1 << 20, (1 << 20) + 1):
        with filled_pipe(size) as file:
            if size <= 1 << 20:
                assert files.read_whole(file, largest_stream=1 << 20) == b"x" * size
                continue
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
            with pytest.raises(
                ParseError, match="cannot open input file '<stdin>': a pipe must end within 1 MiB"
            ):
                files.read("-", largest_stream=1 << 20)


@cache
def bomb(compression: int) -> bytes:
    """An archive with 64 MB of zeros."""
    file, array = io.BytesIO(), io.BytesIO()
    np.save(array, np.zeros(1 << 26, np.int8))
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("a.npy", array.getvalue())
    return file.getvalue()


def overlapping(data: bytes) -> bytes:
    """The same with a hundred names for its one array."""
    central, end = data.find(b"PK\x01\x02"), data.find(b"PK\x05\x06")
    entry = data[central:end]
    entries = b"".join(entry.replace(b"a.npy", b"%05d" % i) for i in range(100))
    count = (100).to_bytes(2, "little") * 2
    return (
        data[:central]
        + entries
        + data[end : end + 8]
        + count
        + len(entries).to_bytes(4, "little")
        + data[end + 16 :]
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda: bomb(zipfile.ZIP_BZIP2), COMPRESSION, id="bzip2"),
        pytest.param(lambda: bomb(zipfile.ZIP_LZMA), COMPRESSION, id="lzma"),
        pytest.param(
            lambda: overlapping(bomb(zipfile.ZIP_DEFLATED)), r"\d+ bytes cannot hold \d+", id="overlapping"
        ),
    ],
)
@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda path: read_arguments([path]), id="arguments"),
        pytest.param(read_weights, id="weights"),
    ],
)
def test_small_archives_of_gigabytes(
    tmp_path: Path, read: Callable[[str], object], make: Callable[[], bytes], message: str
) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(make())
    tracemalloc.start()
    try:
        with pytest.raises(ArgumentError, match=message):
            read(str(path))
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "read", [lambda path: read_arguments([path])[0], lambda path: read_weights(path)["a"]]
)
def test_archives_at_the_limit_of_deflate(
    tmp_path: Path, read: Callable[[str], np.ndarray[tuple[int], np.dtype[np.int8]]]
) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(bomb(zipfile.ZIP_DEFLATED))
    assert read(str(path)).shape == (1 << 26,)


EXPANDING = r"a compressed file of \d+ bytes must not hold \d+ bytes or more: decompress it first"


def test_small_files_that_expand_to_more_than_they_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """64 MB of zeros, as if that were gigabytes."""
    monkeypatch.setattr(files, "_SMALL", 1 << 25)
    path = tmp_path / "a.npz"
    path.write_bytes(bomb(zipfile.ZIP_DEFLATED))
    for read in (lambda: read_arguments([str(path)]), lambda: read_weights(str(path))):
        tracemalloc.start()
        try:
            with pytest.raises(ArgumentError, match=EXPANDING):
                read()
            assert tracemalloc.get_traced_memory()[1] < 1 << 24
        finally:
            tracemalloc.stop()
    with pytest.raises(ParseError, match=f"^f: error: {EXPANDING}"):
        decompressed(gzip.compress(bytes(1 << 26)), "f")
    assert decompressed(gzip.compress(bytes(1 << 24)), "f") == bytes(1 << 24)


def test_a_header_that_promises_more_than_follows(tmp_path: Path) -> None:
    file = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": (1 << 40,)}
    np.lib.format.write_array_header_1_0(file, header)
    path = tmp_path / "a.npy"
    path.write_bytes(file.getvalue() + b"words")
    with pytest.raises(ArgumentError, match="its header promises 4398046511104 bytes, but 5 follow"):
        read_arguments([str(path)])


def test_files_of_many_gzip_members_are_read_in_linear_time() -> None:
    """The test counts copied bytes instead of seconds."""
    copied = 0

    class Counting(bytes):
        def __getitem__(self, index: slice) -> bytes:  # type: ignore[override]
            nonlocal copied
            piece = super().__getitem__(index)
            copied += len(piece)
            return piece

    data = gzip.compress(b"x") * 2000
    assert decompressed(Counting(data), "f") == b"x" * 2000
    assert copied < 50 * len(data)
