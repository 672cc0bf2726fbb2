"""Arguments as callers pass them: in any order in memory, read-only, repeated, off their alignment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

from hlokit.values.bits import aligned

Array = Any


def read_only(array: Array) -> Array:
    array = array.copy()
    array.flags.writeable = False
    return array


def strided(array: Array) -> Array:
    """The same elements, with gaps between neighbours."""
    return np.repeat(array[..., None], 3, -1)[..., 1]


def reversed_(array: Array) -> Array:
    """The same elements, from the last to the first in memory."""
    backwards = (slice(None, None, -1),) * array.ndim
    return array[backwards].copy()[backwards]


def column_major(array: Array) -> Array:
    return np.asfortranarray(array) if array.ndim else array


def repeated(array: Array) -> Array:
    """The first row everywhere, with a stride of 0."""
    return np.broadcast_to(array[:1], array.shape) if array.ndim and array.shape[0] else array


def unaligned(array: Array) -> Array:
    """Aligned to half an element only: to the parts of a complex number."""
    shift = max(array.dtype.itemsize // 2, 1)
    memory = np.empty(array.nbytes + shift, np.uint8)[shift:]
    result = memory.view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


def scalar(array: Array) -> Array:
    """A scalar of NumPy instead of an array of rank 0."""
    return array if array.ndim else array[()]


LAYOUTS: tuple[Callable[[Array], Array], ...] = (
    *(np.array, np.array, read_only, strided, reversed_, column_major, repeated, unaligned, scalar),
)


def laid_out(random: Random, array: Array) -> Array:
    return random.choice(LAYOUTS)(array)


def in_plans(arguments: Sequence[Array]) -> list[Array]:
    """Arguments as plans receive them: `Program` copies arrays with unaligned elements."""
    return [aligned(array) if isinstance(array, np.ndarray) else array for array in arguments]
