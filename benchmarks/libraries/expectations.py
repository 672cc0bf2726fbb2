"""Results of the programs as XLA:CPU computes them, for the tests.

    python -m benchmarks.libraries.expectations

compiles each artifact, in 155 s of processor time, and writes expected.npz, with at most 256
elements of each result.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import hlokit
from benchmarks.case import Array
from benchmarks.libraries import ARTIFACTS, FOLDER, arguments

EXPECTED = FOLDER / "expected.npz"
_MOST = 256


def results(file: str, **options: Any) -> list[Array]:
    """The results of a program; `options` are those of `hlokit.load`."""
    program = hlokit.load((ARTIFACTS / f"{file}.mlir.bc").read_bytes(), **options)
    found = program(*arguments.read(ARTIFACTS / f"{file}.zip"))
    return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


def sample(result: Array) -> Array:
    """Evenly spaced elements, of a type that NumPy can store."""
    flat = result.reshape(-1)
    if flat.dtype.kind == "V":  # of ml_dtypes
        flat = flat.astype(np.float32)
    return flat[:: max(1, -(-flat.size // _MOST))]


def main() -> None:
    """Write the file."""
    samples: dict[str, Any] = {}
    for file in json.loads((FOLDER / "index.json").read_text()):
        for number, result in enumerate(results(file, backend="xla")):
            samples[f"{file}/{number}"] = sample(result)
    np.savez_compressed(EXPECTED, **samples)


if __name__ == "__main__":
    main()
