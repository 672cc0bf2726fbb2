"""What HLOKIT_CACHE names, and the records of blocks there; `store` has the files."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
import os
from typing import TYPE_CHECKING, NamedTuple

from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.engine.contract.store import Store  # few processes have a folder

VARIABLE = "HLOKIT_CACHE"


def cache_folder() -> str | None:
    """The folder that HLOKIT_CACHE names; None if there is no such variable.

    Raises:
      ArgumentError: it is no folder, or cannot be created.
    """
    path = os.environ.get(VARIABLE, "")
    if not path:
        return None
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise ArgumentError(f"{VARIABLE} must be a folder, got '{path}': {error.strerror}") from error
    return path


class BlockPath(NamedTuple):
    """The place of a block in its module.

    Attributes:
      regions: for each region around the block, and its own, the position of the operation, and the number of
        the region.
    """

    function_name: str
    regions: tuple[int, ...] = ()

    def inner(self, position: int, number: int) -> "BlockPath":
        """The place of a region of an operation of the block."""
        return BlockPath(self.function_name, (*self.regions, position, number))

    def __str__(self) -> str:
        return ".".join([self.function_name.encode("utf-8", "surrogatepass").hex(), *map(str, self.regions)])


class StoredBlock(NamedTuple):
    """The records of a block.

    Attributes:
      path: of the block in its program.
    """

    store: "Store"
    path: str

    def get(self, kind: str) -> bytes | None:
        """The record of a kind; None if there is none."""
        return self.store.get(f"{self.path}:{kind}")

    def put(self, kind: str, record: bytes) -> None:
        """Add or replace the record of a kind."""
        self.store.put(f"{self.path}:{kind}", record)

    def drop(self, kind: str) -> None:
        """Remove a record that cannot be used."""
        self.store.drop(f"{self.path}:{kind}")
