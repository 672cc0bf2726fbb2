"""Cases: a case is a program with its arguments, built on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# The classes of cases, each with its own target.
Kind = Literal[
    "contraction",
    "chain",
    "scalar loop",
    "library",
    "quantum",
    "decoding",
    "statistics",
    "dynamic",
    "narrow",
    "other",
]
CONTRACTION: Kind = "contraction"
CHAIN: Kind = "chain"
SCALAR_LOOP: Kind = "scalar loop"
LIBRARY: Kind = "library"
QUANTUM: Kind = "quantum"
DECODING: Kind = "decoding"
STATISTICS: Kind = "statistics"
DYNAMIC: Kind = "dynamic"
NARROW: Kind = "narrow"
OTHER: Kind = "other"


@dataclass(frozen=True)
class Program:
    """A program, as MLIR text or a portable artifact, and its arguments.

    Attributes:
      operations: the number of operations, if known, for figures per operation.
    """

    source: str | bytes
    arguments: Sequence[Array]
    operations: int | None = None


@dataclass(frozen=True)
class Case:
    """A case to measure.

    Attributes:
      name: appears in the report; --filter matches it.
      family: a heading of the report; cases of one family share processes.
      kind: the class whose target the case counts for.
      build: builds the program.
      reference: whether to try `eval_module`; false if it is known to abort the process or to take hours.
      is_quick: part of --quick.
      is_model: its peak memory counts for the target of models.
      plan_only: running or compiling takes too long; only parsing and planning are measured.
    """

    name: str
    family: str
    kind: Kind
    build: Callable[[], Program]
    reference: bool = True
    is_quick: bool = False
    is_model: bool = False
    plan_only: bool = False


CASES: list[Case] = []


def case(
    name: str, family: str, kind: Kind = OTHER, **options: bool
) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    """Register a function that builds a program."""

    def register(build: Callable[[], Program]) -> Callable[[], Program]:
        CASES.append(Case(name, family, kind, build, **options))
        return build

    return register


def lower(function: Callable[..., Any], *arguments: Any) -> Program:
    """The program that JAX lowers a function to for these arguments, which may be pytrees."""
    import jax

    leaves, _ = jax.tree.flatten(arguments)
    arrays = [np.asarray(leaf) for leaf in leaves]
    shapes = jax.tree.map(
        lambda leaf: jax.ShapeDtypeStruct(np.shape(leaf), np.asarray(leaf).dtype), arguments
    )
    exported = jax.export.export(jax.jit(function, keep_unused=True), platforms=["cpu"])(*shapes)
    return Program(exported.mlir_module_serialized, arrays)


def lower_with_sizes(function: Callable[..., Any], sizes: str, *arguments: tuple[str, Array]) -> Program:
    """The program that JAX lowers a function to whose sizes stay unknown.

    Args:
      sizes: the names of the sizes, as for `jax.export.symbolic_shape`.
      arguments: the shape of each argument by these names, and its values.
    """
    import jax

    symbols = jax.export.symbolic_shape(sizes)
    scope = {str(symbol): symbol for symbol in symbols}
    shapes = [
        jax.ShapeDtypeStruct(tuple(scope.get(name) or int(name) for name in shape.split(",")), array.dtype)
        for shape, array in arguments
    ]
    exported = jax.export.export(jax.jit(function, keep_unused=True), platforms=["cpu"])(*shapes)
    return Program(exported.mlir_module_serialized, [array for _, array in arguments])


def values(*shape: int, dtype: Any = np.float32, seed: int = 0) -> Array:
    """Numbers between 0.1 and 2, or integers between 0 and 100."""
    generator = np.random.default_rng(seed)
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        return generator.integers(0, 100, shape).astype(kind)
    return generator.uniform(0.1, 2.0, shape).astype(kind)


def normal(*shape: int, dtype: Any = np.float32, seed: int = 0, scale: float = 1.0) -> Array:
    """Normally distributed numbers."""
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(dtype)


def integers(high: int, *shape: int, dtype: Any = np.int32, seed: int = 1) -> Array:
    """Integers from 0 to below `high`."""
    return np.random.default_rng(seed).integers(0, high, shape).astype(dtype)
