"""Versions of portable artifacts, without the bindings, because reading a header must not import them."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
import re
from typing import NamedTuple

from hlokit.files.formats import is_bytecode

_PATTERN = r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})"
PRODUCER_PREFIX = "StableHLO_v"


class Version(NamedTuple):
    """A StableHLO version. Only minor versions change the features of programs."""

    major: int
    minor: int
    patch: int = 0

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @property
    def opset(self) -> "Version":
        """The version without the patch number, which has no effect on the features of a program."""
        return Version(self.major, self.minor)


def parse_version(text: str) -> Version | None:
    """A version from `X.Y.Z`, None for anything else."""
    match = re.fullmatch(_PATTERN, text)
    return Version(*map(int, match.groups())) if match else None


def producer_version(producer: str) -> Version | None:
    """The version in the producer's name of a portable artifact; None for other bytecode."""
    if not producer.startswith(PRODUCER_PREFIX):
        return None
    return parse_version(producer.removeprefix(PRODUCER_PREFIX))


def stated_version(data: bytes) -> Version | None:
    """The version that the header of a portable artifact states; None for anything else."""
    header = data[:1024].partition(b"\0")[0]
    if not is_bytecode(header):
        return None
    _, prefix, version = header.partition(PRODUCER_PREFIX.encode())
    return parse_version(version.decode(errors="replace")) if prefix else None
