"""Twenty programs in which faults are planted: what people compute with JAX, small enough to run in a moment.

Each module has a field's functions; a function returns the function to trace and its arguments. Traced once, a
program is MLIR text without locations, so that a line of the text is the only name of an operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

import hlokit
from benchmarks.libraries import ARTIFACTS, arguments

Array = npt.NDArray[Any]
# A function that JAX can trace, and its arguments, which may be pytrees.
Traced = tuple[Callable[..., Any], Sequence[Any]]

FIELDS = ("networks", "learning", "physics", "numerics", "algorithms")


@dataclass(frozen=True)
class Model:
    """A program with its arguments.

    Attributes:
      text: MLIR text as the bindings print it: printed again, it is the same.
    """

    name: str
    text: str
    arguments: Sequence[Array]


_SOURCES: dict[str, tuple[Callable[[], Traced], str]] = {}


def model(platform: str = "cpu") -> Callable[[Callable[[], Traced]], Callable[[], Traced]]:
    """Register a function under its name.

    Args:
      platform: what JAX lowers for: on `cpu`, decompositions of matrices are custom calls of LAPACK; on `tpu`,
        they are operations of StableHLO.
    """

    def register(source: Callable[[], Traced]) -> Callable[[], Traced]:
        _SOURCES[source.__name__] = source, platform
        return source

    return register


def sources() -> Mapping[str, tuple[Callable[[], Traced], str]]:
    """All functions by name."""
    for field in (*FIELDS, "edges"):
        import_module(f"{__name__}.{field}")
    return _SOURCES


def names() -> list[str]:
    """The names of all programs but those of one edge of the numbers."""
    return [name for name, (make, _) in sources().items() if not make.__module__.endswith(".edges")]


@cache
def traced(name: str) -> Model:
    """The program of a name."""
    if "/" in name:
        return _from_library(name)
    import jax

    make, platform = sources()[name]
    function, values = make()
    leaves, tree = jax.tree.flatten(values)

    def flat(*flattened: Any) -> Any:
        return jax.tree.leaves(function(*jax.tree.unflatten(tree, flattened)))

    arrays = [np.asarray(leaf) for leaf in leaves]
    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in arrays]
    exported = jax.export.export(jax.jit(flat, keep_unused=True), platforms=[platform])(*shapes)
    return Model(name, printed(exported.mlir_module_serialized), arrays)


def _from_library(name: str) -> Model:
    """A program of a library that the benchmarks run, such as `solvers/kalman`."""
    artifact = (ARTIFACTS / f"{name}.mlir.bc").read_bytes()
    return Model(name, printed(artifact), arguments.read(ARTIFACTS / f"{name}.zip"))


def printed(program: str | bytes) -> str:
    """The text of a program without locations."""
    text = hlokit.load(program).text()
    return hlokit.load(text).text()


def normal(*shape: int, seed: int = 0, scale: float = 1.0) -> Array:
    """Normally distributed numbers."""
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)
