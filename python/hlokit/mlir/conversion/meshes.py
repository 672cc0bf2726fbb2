"""The number of devices of a mesh."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from hlokit.errors import UnsupportedError

# More devices than any machine has. A few bytes of text describe a large mesh, which takes memory for each
# device.
MOST_DEVICES = 1 << 16


def device_count(sizes: Iterable[int]) -> int:
    """The number of devices of a mesh whose axes have these sizes.

    Raises:
      UnsupportedError: there are too many devices.
    """
    count = prod(sizes)
    if count > MOST_DEVICES:
        raise UnsupportedError(f"a mesh must have at most {MOST_DEVICES:,} devices, got {count:,}")
    return count
