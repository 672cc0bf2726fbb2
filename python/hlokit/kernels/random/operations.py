"""rng_bit_generator, and rng with its distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract import run_context as context
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.errors import EvaluationError
from hlokit.kernels.random.bit_generators import bit_generator
from hlokit.values.element_types import ElementType, Kind


def rng_bit_generator(operation: Operation) -> Kernel:
    """spec "rng_bit_generator": output_state, output = rng_algorithm(initial_state).

    DEFAULT is PHILOX, as in XLA:CPU. The state consists of the key and a counter of 64 bits (for PHILOX also
    of 128 bits). The new state follows the last counter.
    """
    output = operation.result(1)
    algorithm = operation.attributes.enum("rng_algorithm")
    generate = bit_generator(algorithm, output.element_type)

    def kernel(initial_state: Value) -> tuple[Value, Value]:
        return generate(initial_state, output.dims)

    return Kernel(kernel, array_op=array_ops.RandomBits(algorithm))


def _generator() -> np.random.Generator:
    """The generator of this run's `rng` operations; every run starts the same stream, so that runs are
    repeatable.
    """
    run = context.current()
    if run.generator is None:
        run.generator = np.random.default_rng(0)
    return run.generator


def rng(operation: Operation) -> Kernel:
    """spec "rng": result = values of `rng_distribution` with parameters a and b, of shape `shape`.

    The values are implementation-defined: the operations of a run draw them in order from a PCG64 stream,
    which restarts with each run.
    """
    result = operation.result()
    element_type = result.element_type
    if operation.attributes.enum("rng_distribution") == "NORMAL":
        draw = _normal(element_type)
    elif element_type.kind is Kind.FLOAT:
        draw = _uniform_float(element_type)
    else:
        draw = _uniform_integer(element_type)

    def kernel(a: Value, b: Value, shape: Value) -> Value:
        sizes = tuple(int(size) for size in shape)
        if any(size < 0 for size in sizes):
            raise EvaluationError(f"shape must not be negative, got {list(sizes)}")
        if len(sizes) != result.rank or any(
            stated not in (-1, size) for stated, size in zip(result.dims, sizes, strict=True)
        ):
            raise EvaluationError(f"shape must be that of {result}, got {list(sizes)}")
        return draw(_generator(), a, b, sizes)

    return Kernel(kernel)


if TYPE_CHECKING:  # the first use imports numpy.random
    _Draw = Callable[[np.random.Generator, Value, Value, tuple[int, ...]], Value]


def _normal(element_type: ElementType) -> _Draw:
    def draw(generator: np.random.Generator, a: Value, b: Value, shape: tuple[int, ...]) -> Value:
        values = generator.standard_normal(shape)
        return np.asarray(values * float(b) + float(a)).astype(element_type.dtype)

    return draw


def _uniform_float(element_type: ElementType) -> _Draw:
    dtype = element_type.dtype

    def draw(generator: np.random.Generator, a: Value, b: Value, shape: tuple[int, ...]) -> Value:
        low, high = float(a), float(b)
        values = np.asarray(generator.random(shape) * (high - low) + low).astype(dtype)
        # Rounding may reach b, which is outside the half-open interval.
        wide = values.astype(np.float64)
        if np.all(wide < high):
            return values
        # The next value from b towards a.
        below = np.nextafter(np.asarray(b, dtype), np.asarray(a, dtype))
        return np.where(wide < high, values, max(below, np.asarray(a, dtype)))

    return draw


def _uniform_integer(element_type: ElementType) -> _Draw:
    wide = np.int64 if element_type.kind is Kind.SIGNED else np.uint64

    def draw(generator: np.random.Generator, a: Value, b: Value, shape: tuple[int, ...]) -> Value:
        low, high = int(a), int(b)
        values = generator.integers(low, max(high, low + 1), shape, wide)
        return np.asarray(values).astype(element_type.dtype)

    return draw
