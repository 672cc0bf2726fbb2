"""A process that hashes the results of programs: python worker.py LIST KINDS.

LIST is a file with a list of paths as JSON; each program is a pickle of its source and its arguments. KINDS
are kinds of runs, with commas. The environment has the settings that must not change results: HLOKIT_THREADS,
HLOKIT_CPU, HLOKIT_DISABLE. Prints a line of JSON for each program: the name of its file, and a hash for each
kind of run.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS

# Thresholds at which small programs use the tiers of large ones.
THRESHOLDS = {
    "straight lines": DEFAULTS._replace(loop_first_iterations=1, straight_line_cost=0.0),
    "fusion": DEFAULTS._replace(loop_first_iterations=1, fusion_elements=1, fusion_work=0),
}
# Lines of a trace, and elements of an argument: more would take long, and programs of the same kinds have fewer.
MOST_OBSERVED, MOST_ELEMENTS_OF_REFERENCE = 20_000, 6000


def digest(results: Any) -> str:
    """A hash of all bytes of the results, and of their types and shapes."""
    total = hashlib.sha256()
    for value in results if isinstance(results, tuple) else (results,):
        array = np.asarray(value)
        total.update(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def other_layout(array: Any) -> Any:
    """The same values as a view of every second element of a reversed array in column-major order."""
    if not isinstance(array, np.ndarray) or array.ndim == 0 or array.size > 1 << 20:
        return array
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype, order="F")
    wide[..., ::-2] = array
    return wide[..., ::-2]


class _Enough(BaseException):
    """Not an error of the observer, which hlokit would report."""


def observed(program: hlokit.Program, arguments: list[Any]) -> dict[str, str]:
    """The hash of an observed run; none if the run has so many steps that it takes long."""
    steps = itertools.count()

    def count(_: str) -> None:
        if next(steps) == MOST_OBSERVED:
            raise _Enough

    try:
        return {"observed": digest(program(*arguments, observer=hlokit.Trace(count)))}
    except _Enough:
        return {}


def hashes(source: Any, arguments: list[Any], kinds: list[str]) -> dict[str, str]:
    """The hash of each run, of these kinds: runs, observed, layouts, thresholds, reference."""
    program = hlokit.load(source)
    found = {"run 1": digest(program(*arguments))}
    if "runs" in kinds:
        found |= {f"run {number}": digest(program(*arguments)) for number in (2, 3)}
    if "observed" in kinds:
        found |= observed(program, arguments)
    if "layouts" in kinds:
        found["other layouts"] = digest(hlokit.load(source)(*map(other_layout, arguments)))
    for name, thresholds in THRESHOLDS.items() if "thresholds" in kinds else ():
        small = hlokit.load(source).with_thresholds(thresholds)
        found[name] = digest(small(*arguments))
        found[f"{name}, again"] = digest(small(*arguments))
    if "reference" in kinds and max(map(np.size, arguments), default=0) <= MOST_ELEMENTS_OF_REFERENCE:
        found["reference"] = digest(program(*arguments, tier="reference"))
    return found


def main() -> None:
    """Answer for every program of the list."""
    kinds = sys.argv[2].split(",")
    for path in json.loads(Path(sys.argv[1]).read_text()):
        source, arguments = pickle.loads(Path(path).read_bytes())
        try:
            found = hashes(source, arguments, kinds)
        except hlokit.HlokitError as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps([Path(path).name, found]), flush=True)


if __name__ == "__main__":
    main()
