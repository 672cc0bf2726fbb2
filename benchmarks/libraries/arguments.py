"""Arguments of stored programs: small arrays unchanged, large arrays as a rule.

A rule is what JSON can hold: {"shape", "dtype"} and either "value", for arrays of one value, or "mean",
"scale" and "seed", for normally distributed numbers instead of trained weights.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from benchmarks.case import Array

Rule = Mapping[str, Any]

# The largest array of floating-point numbers that is kept element by element.
_LARGEST = 1024
_RULES = "rules.json"
# A fixed date: the same arguments give the same bytes.
_DATE = (2026, 1, 1, 0, 0, 0)


def _dtype(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name, name))


def rule(array: Array, seed: int) -> Rule | None:
    """The rule that replaces an array; None if the array itself is stored."""
    if array.size <= 8:
        return None
    described = {"shape": list(array.shape), "dtype": array.dtype.name}
    if (array == array.flat[0]).all() and array.dtype.kind != "c":
        return described | {"value": float(array.flat[0])}
    # NumPy gives the kind "V" to the types of ml_dtypes.
    if array.size <= _LARGEST or array.dtype.kind not in "fV":
        return None
    wide = array.astype(np.float64)
    # A few digits are enough: the values stand for weights that training would give.
    return described | {"mean": round(wide.mean(), 4), "scale": round(wide.std(), 4), "seed": seed}


def made(given: Rule) -> Array:
    """The array that a rule describes."""
    dtype, shape = _dtype(given["dtype"]), given["shape"]
    if "value" in given:
        return np.full(shape, given["value"]).astype(dtype)
    numbers = np.random.default_rng(given["seed"]).standard_normal(shape)
    return (numbers * given["scale"] + given["mean"]).astype(dtype)


def restored(arrays: Sequence[Array]) -> list[Array]:
    """The arguments as a later reader gets them: rules replaced by arrays."""
    rules = [rule(array, seed) for seed, array in enumerate(arrays)]
    return [array if found is None else made(found) for array, found in zip(arrays, rules, strict=True)]


def write(path: Path, arrays: Sequence[Array]) -> None:
    """Keep arguments: an archive of .npy files, and the rules of large arguments."""
    described: list[Rule] = []
    with zipfile.ZipFile(path, "w") as archive:
        for number, array in enumerate(arrays):
            name, found = f"{number}.npy", rule(array, number)
            described.append(found or {"file": name, "dtype": array.dtype.name})
            if found is None:
                _put(archive, name, _npy(array))
        _put(archive, _RULES, json.dumps(described, indent=0).encode())


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)


def _npy(array: Array) -> bytes:
    content = BytesIO()
    plain = array.view(f"u{array.itemsize}") if array.dtype.kind == "V" else array
    np.save(content, np.asarray(plain, order="C"), allow_pickle=False)
    return content.getvalue()


def read(path: Path) -> list[Array]:
    """The arguments that `write` stored."""
    with zipfile.ZipFile(path) as archive:
        found: list[Array] = []
        for described in json.loads(archive.read(_RULES)):
            if "file" in described:
                array = _loaded(archive, described["file"])
                found.append(array.view(_dtype(described["dtype"])))
            else:
                found.append(made(described))
    return found


def _loaded(archive: zipfile.ZipFile, name: str) -> Array:
    return np.load(BytesIO(archive.read(name)), allow_pickle=False)
