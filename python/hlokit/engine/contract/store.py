"""HLOKIT_CACHE: a folder for what was compiled of programs, so that later processes need not compile again.

A file has all records of one program, and as its name a digest: of the program, of hlokit and its libraries,
of the level of the processor, of the targets of users' functions, and of all settings. A record is a line:
its name, a space, and JSON. The first line has a checksum of the others. Records are data, which their
readers check: no file holds code of Python or of a processor. A damaged file is as good as none, and is
replaced.

Processes write whole files, under another name first. If two write one, one file remains.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

from hlokit import _bytecode, _kernels
from hlokit.engine.contract.custom_calls import users_targets
from hlokit.engine.contract.switches import SWITCHES, is_on

_FORMAT = b"hlokit cache 1"
# The most bytes of a file, and of all files: those that were not read for the longest time are removed.
_LARGEST_FILE, _LARGEST_FOLDER = 64 << 20, 512 << 20
_SUFFIX, _NEW = ".hlokit", ".new"


class Store:
    """The records of one program.

    Args:
      program: the digest of the program.
      settings: what else the records depend on, apart from this installation and the environment.
    """

    def __init__(self, directory: str, program: str, settings: Sequence[object]) -> None:
        others = program, settings, _installation(), sorted(_disabled()), users_targets()
        digest = hashlib.sha256(repr(others).encode()).hexdigest()
        self._file = Path(directory, f"{digest}{_SUFFIX}")
        self._records = self._read()
        self._is_changed = False

    def get(self, name: str) -> bytes | None:
        """A record; None if there is none."""
        return self._records.get(name)

    def put(self, name: str, record: bytes) -> None:
        """Add or replace a record, which `save` writes."""
        if self._records.get(name) != record:
            self._records[name] = record
            self._is_changed = True

    def drop(self, name: str) -> None:
        """Remove a record that cannot be used."""
        self._records.pop(name, None)
        self._is_changed = True

    def save(self) -> None:
        """Write the records, if there are new ones. A folder that cannot be written stays as it is."""
        if not self._is_changed:
            return
        self._is_changed = False
        # Other threads may add records meanwhile.
        lines = [b"%s %s" % (name.encode(), record) for name, record in self._records.copy().items()]
        content = b"\n".join(lines)
        if len(content) <= _LARGEST_FILE:
            with suppress(OSError):
                self._write(b"%s %s\n%s" % (_FORMAT, _checksum(content), content))
                _remove_oldest(self._file.parent)

    def _read(self) -> dict[str, bytes]:
        try:
            with self._file.open("rb") as opened:
                read = opened.read(_LARGEST_FILE + 256)
            head, _, content = read.partition(b"\n")
        except OSError:
            return {}
        if head != b"%s %s" % (_FORMAT, _checksum(content)):
            return {}
        with suppress(OSError):  # of a folder that cannot be written
            os.utime(self._file)
        lines = [line.partition(b" ") for line in content.split(b"\n")]
        try:
            return {name.decode(): record for name, _, record in lines}
        except UnicodeDecodeError:
            return {}

    def _write(self, content: bytes) -> None:
        number, name = tempfile.mkstemp(_NEW, dir=self._file.parent)
        try:
            with os.fdopen(number, "wb") as opened:
                opened.write(content)
            os.replace(name, self._file)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def _disabled() -> list[str]:
    return [name for name in SWITCHES if not is_on(name)]


@cache
def _installation() -> tuple[object, ...]:
    """This version of hlokit, whose files developers may change, its libraries, and the processor."""
    files = [Path(library.__file__) for library in (_bytecode, _kernels) if library.__file__]
    for room in ("engine", "kernels", "mlir", "operations", "values"):
        files += sorted((Path(__file__).parents[2] / room).rglob("*.py"))
    states = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return states, np.__version__, sys.version_info[:2], platform.machine(), _kernels.cpu_level()


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _remove_oldest(directory: Path) -> None:
    """Remove files until the folder is small enough, and new ones that killed processes left."""
    newest, total = 0.0, 0
    for time, size, path in sorted(_files(directory), reverse=True):
        newest = max(newest, time)
        is_abandoned = path.suffix == _NEW and time < newest - 3600
        total += size
        if is_abandoned or total > _LARGEST_FOLDER:
            with suppress(OSError):
                path.unlink()


def _files(directory: Path) -> Iterator[tuple[float, int, Path]]:
    """Times, sizes and paths of the files of the cache."""
    for path in directory.iterdir():
        if path.suffix in (_SUFFIX, _NEW):
            with suppress(OSError):  # another process has removed the file
                status = path.stat()
                yield status.st_mtime, status.st_size, path
