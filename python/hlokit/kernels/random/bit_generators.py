"""Counter-based generators of random bits: Threefry and Philox.

The specification leaves the variants to the implementation. hlokit matches XLA:CPU bit by bit: the words,
their order in the output, and the returned state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.threads import thread_count
from hlokit.errors import EvaluationError
from hlokit.values.element_types import ElementType


def _from_bits(element_type: ElementType) -> Callable[[npt.NDArray[np.unsignedinteger]], Value]:
    """A function from words to values of an element type; the bits of a value are the lowest bits of a
    word."""
    dtype, width = element_type.dtype, element_type.width
    if element_type.is_narrow_integer:
        return lambda words: words.astype(dtype)
    if width < 8:
        return lambda words: (words & np.uint8((1 << width) - 1)).view(dtype)
    return lambda words: words.view(dtype)


def bit_generator(
    algorithm: str, element_type: ElementType
) -> Callable[[Value, tuple[int, ...]], tuple[Value, Value]]:
    """A function from (state, shape) to (new state, random bits); see `rng_bit_generator`."""
    array_op = array_ops.RandomBits(algorithm)
    name = "THREE_FRY" if array_op.is_threefry else "PHILOX"
    word = np.dtype(f"u{max(element_type.width // 8, 1)}")
    from_bits = _from_bits(element_type)

    def kernel(initial_state: Value, shape: tuple[int, ...]) -> tuple[Value, Value]:
        if not array_op.has_state(initial_state.shape):
            raise EvaluationError(
                f"initial_state must have {'2' if array_op.is_threefry else '2 or 3'} elements for "
                f"{algorithm}, got shape {list(initial_state.shape)}"
            )
        state: Any = np.ascontiguousarray(initial_state)
        next_state: Any = np.empty_like(state)
        words: Any = np.empty(shape, word)
        _kernels.random_bits(name, state, next_state, words, array_op.pairs_of(shape), thread_count())
        return next_state, from_bits(words)

    return kernel
