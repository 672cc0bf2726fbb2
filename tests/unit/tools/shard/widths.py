"""The widths of proven bounds: `python -m tests.unit.tools.shard.widths [NAME...]`.

For each program of `programs.py` and each partitioner whose results differ from those of the whole program: the
largest difference, the largest proven bound of the run alone, and the one from the values of both runs. All are
parts of the largest element of the result; those of the result with the widest bound are printed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import jaxlib
import numpy as np

import hlokit
from hlokit.tools.bounds.reordered import Bounds
from hlokit.tools.shard.comparison.counterparts import Counterparts, Pieces
from hlokit.tools.shard.partitioners.partition import PartitionerFailed, Workers
from tests.unit.tools.shard.exports import Exported, export


def wide(value: Any) -> Any:
    return np.asarray(value).astype(np.complex128)


def widths(made: Exported, sharded: hlokit.Sharded) -> tuple[float, float, float] | None:
    """Difference and both bounds; None if no float differs, or the program is wrong."""
    name, count = sharded.whole.entry(), sharded.mesh.count
    check = sharded.check_values(made.arguments, locate=False)
    pieces = Pieces(sharded.program.module, sharded.traced, sharded.mesh)
    of_devices = sharded._run(made.arguments, observer=pieces)  # pyright: ignore[reportPrivateUsage]
    prepared = sharded.request.prepared(sharded.partitioner)
    found: list[list[Any]] = []
    for whole, others in ((sharded.whole, None), (prepared, Counterparts(prepared.module, pieces))):
        bounds = Bounds(whole, count, others)
        results = whole.runs.evaluate(made.arguments, name, observer=bounds)
        found.append([bounds.radius(each) for each in results])
    rows: list[tuple[float, float, float]] = []
    for compared, layout, of, one, *radii in zip(
        check.compared, sharded.outputs, of_devices, results, *found, strict=True
    ):
        if not compared.is_same and np.asarray(one).dtype.kind not in "biu":
            largest = np.abs(wide(one)).max()
            difference = np.abs(wide(one) - wide(layout.joined(of))).max()
            rows.append(tuple(float(each / largest) for each in (difference, *(r.max() for r in radii))))
    return max(rows, key=lambda row: row[2]) if rows and check.is_right else None


def main(names: list[str]) -> None:
    """Print a line for each program, and the extremes."""
    from tests.unit.tools.shard.test_programs import HARDER_MODELS, MODELS, OPERATIONS

    names = names or [*MODELS, *HARDER_MODELS, *OPERATIONS]
    ratios: list[tuple[float, float]] = []
    print(f"jaxlib {jaxlib.__version__}: difference, bound of the run alone, bound from both runs (ratio)")
    with TemporaryDirectory() as directory, Workers() as workers:
        for made in export(Path(directory), *names):
            for partitioner in ("shardy", "xla"):
                try:
                    sharded = hlokit.shard(made.program, partitioner=partitioner, workers=workers)
                except PartitionerFailed:
                    continue
                row = widths(made, sharded)
                if row is not None:
                    alone, both = (each / row[0] for each in row[1:])
                    ratios.append((alone, both))
                    text = "  ".join(f"{each:.1e}" for each in row)
                    print(f"{made.name:20}  {partitioner:6}  {text}  ({alone:.0f}, {both:.0f})")
    for title, of in zip(("of the run alone", "from both runs"), zip(*ratios, strict=True), strict=True):
        print(f"bound / difference {title}: median {median(of):.3g}, largest {max(of):.3g} of {len(of)}")


if __name__ == "__main__":
    main(sys.argv[1:])
