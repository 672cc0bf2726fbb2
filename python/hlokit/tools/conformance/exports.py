"""Programs that JAX exported years ago, for CPUs, GPUs and TPUs, kept with their arguments and results.

JAX's own tests read them to show that old artifacts load: Python files with dictionaries.
"""

from __future__ import annotations

import runpy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

import hlokit

# A `jax.export` blob, kept without arguments and results.
_BLOB = "exported_serialized"
# Results are stored as printed decimals.
_RELATIVE, _ABSOLUTE = 1e-3, 2e-5


def read_exports(path: Path) -> dict[str, dict[str, Any]]:
    """The exported programs of a file, by name."""
    return {
        name: data
        for variable, value in runpy.run_path(str(path)).items()
        if not variable.startswith("_")
        for name, data in _exports_below(variable, value)
    }


def difference(name: str, data: dict[str, Any]) -> str | None:
    """How the results of an exported program differ from the stored ones; None if they agree.

    A blob without stored results only has to load.

    Raises:
      HlokitError: hlokit cannot load or evaluate the program.
    """
    if _BLOB in data:
        hlokit.load(bytes(data[_BLOB]))
        return None
    results: Any = hlokit.load(data["mlir_module_serialized"])(*data["inputs"])
    actual: list[Any] = [*results] if isinstance(results, tuple) else [results]
    expected: list[Any] = [np.asarray(value) for value in data["expected_outputs"]]
    if _types(actual) != _types(expected):
        return f"{name}: the results must have the types {_types(expected)}, got {_types(actual)}"
    for number, (one, other) in enumerate(zip(_fixed(name, actual), _fixed(name, expected), strict=True)):
        scale = 1 + float(np.abs(other).max(initial=0))
        if not np.allclose(one, other, _RELATIVE, _ABSOLUTE * scale, equal_nan=True):
            worst = float(np.nanmax(np.abs(one - other)))
            return f"{name}: result {number} differs by {worst:g} where values reach {scale - 1:g}"
    return None


def _types(arrays: list[Any]) -> list[str]:
    return [f"{array.dtype}{list(array.shape)}" for array in arrays]


def _exports_below(name: str, value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        members = cast("dict[Any, Any]", value)
        if not members.keys().isdisjoint(("mlir_module_serialized", _BLOB)):
            yield name, members
            return
    elif isinstance(value, list | tuple):
        members = dict(enumerate(cast("Sequence[Any]", value)))
    else:
        return
    for key, member in members.items():
        yield from _exports_below(f"{name}.{key}", member)


def _fixed(name: str, results: list[Any]) -> list[Any]:
    """What a program fixes of its results, as complex numbers.

    Factors are unique up to signs, phases and bases of subspaces: their product, and eigenvalues and singular
    values, are not.
    """
    arrays = [array.astype(complex) for array in results]
    if "svd" in name:
        left, values, right = arrays
        return [values, left * values[..., None, :] @ right]
    if "schur" in name:
        form, vectors = arrays
        return [vectors @ form @ _adjoint(vectors)]
    if "eig_" in name:
        values, left, right = arrays
        order = np.lexsort((values.imag.round(3), values.real.round(3)))
        products: list[Any] = [right * values[..., None, :] @ np.linalg.pinv(right)]
        products.append(np.linalg.pinv(_adjoint(left)) * values[..., None, :] @ _adjoint(left))
        return [values[order], *products]
    if "eigh" in name.lower() or "syev" in name:
        vectors, values = arrays
        return [values, vectors * values[..., None, :] @ _adjoint(vectors)]
    return arrays


def _adjoint(matrices: Any) -> Any:
    return np.conj(np.swapaxes(matrices, -1, -2))
