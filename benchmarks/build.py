"""Builds programs with JAX for the measuring processes: python -m benchmarks.build DIRECTORY < names."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

from benchmarks.programs import CASES


def build(directory: Path, names: set[str]) -> dict[str, str]:
    """Store the programs of these names as 0.pickle, 1.pickle, ... Returns the file of each."""
    files: dict[str, str] = {}
    for number, case in enumerate(CASES):
        if case.name in names:
            path = directory / f"{number}.pickle"
            path.write_bytes(pickle.dumps(case.build(), protocol=5))
            files[case.name] = str(path)
    return files


if __name__ == "__main__":
    json.dump(build(Path(sys.argv[1]), set(json.load(sys.stdin))), sys.stdout)
