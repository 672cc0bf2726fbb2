"""Time and memory against the size of programs.

    python -m benchmarks.growth [--largest=N] [--output docs/measured/growth.json]

Each program runs in a separate process. The report has a table and a plot for each series
(docs/pictures/growth-NAME.svg). `--largest` omits larger sizes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from math import log
from pathlib import Path

from benchmarks.growth_plot import svg
from benchmarks.growth_programs import SERIES, Series
from benchmarks.measure import environment
from benchmarks.report import seconds
from benchmarks.tables import Report, Table, markdown, write
from benchmarks.worker import forget_peak, peak, resident

# The figures of a program: seconds to load and of the first, second and fastest later calls; peak bytes.
Figures = dict[str, float]
TIMES = ("load", "first", "second", "steady")
ROOT = Path(__file__).parents[1]
# The least number of later calls, unless they take longer than _LONGEST seconds.
_FEW, _LONGEST = 16, 60


def measured(series: Series, size: int) -> Figures:
    """Load and call a program of a size in this process."""
    import hlokit

    text, arguments = series.make(size)
    small, small_arguments = series.make(series.sizes[0])  # imports are not measured
    hlokit.load(small)(*small_arguments) if not series.processes else hlokit.load(small)
    forget_peak()
    before, found = resident(), Figures()
    begin = time.perf_counter()
    program = hlokit.load(text)
    found["load"] = time.perf_counter() - begin

    def call() -> float:
        begin = time.perf_counter()
        if series.processes:
            program.run_parallel([arguments] * size)
        else:
            program(*arguments)
        return time.perf_counter() - begin

    found["first"], found["second"] = call(), call()
    # Large programs are compiled in parts, one in each run.
    begin, count = time.perf_counter(), 1
    found["steady"] = call()
    while (passed := time.perf_counter() - begin) < 1 or (count < _FEW and passed < _LONGEST):
        found["steady"] = min(found["steady"], call())
        count += 1
    found["peak"] = peak() - before
    return found


def _in_child(series: Series, size: int) -> Figures:
    command = [sys.executable, "-m", "benchmarks.growth", "--one", series.name, str(size)]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment(), check=True, cwd=ROOT)
    return json.loads(done.stdout)


def steepest(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The steepest growth between neighbours from 1 ms on: the exponent of size, 1 for linear growth."""
    found = [
        log(b / a) / log(n / m)
        for m, n, a, b in zip(sizes, sizes[1:], values, values[1:], strict=False)
        if a >= 1e-3
    ]
    return max(found, default=0.0)


def section(series: Series, sizes: Sequence[int], rows: Sequence[Figures]) -> Report:
    """The table and the plot of a series."""
    columns = (series.unit, "load", "first call", "second call", "later calls", "peak memory")
    cells = [
        [f"{size:,}", *(seconds(row[key]) for key in TIMES), f"{max(row['peak'], 0) / 2**20:,.1f} MiB"]
        for size, row in zip(sizes, rows, strict=True)
    ]
    slopes = ", ".join(f"{key} {steepest(sizes, [row[key] for row in rows]):.2f}" for key in TIMES)
    return [
        f"**{series.unit[0].upper()}{series.unit[1:]}.** {(series.make.__doc__ or '').strip()}",
        Table(columns, cells),
        f"Steepest growth between two sizes, as a power of the size, from 1 ms on: {slopes}.",
        f"![Time against {series.unit}](pictures/growth-{series.name}.svg)",
    ]


def main(arguments: Sequence[str]) -> None:
    """Measure all series, and print or write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--largest", type=int, default=10**9, metavar="N", help="leave out larger sizes")
    parser.add_argument("--output", type=Path, metavar="FILE", help="store the report, for the site")
    parser.add_argument("--one", nargs=2, metavar=("SERIES", "SIZE"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        name, size = options.one
        series = next(each for each in SERIES if each.name == name)
        print(json.dumps(measured(series, int(size))))
        return
    parts: list[str | Table] = [
        f"Measured {datetime.now(UTC):%Y-%m-%d %H:%M} UTC by `python -m benchmarks.growth "
        "--output docs/measured/growth.json`, each program in a process of its own.",
    ]
    for series in SERIES:
        sizes = [size for size in series.sizes if size <= options.largest]
        if not sizes:
            continue
        rows: list[Figures] = []
        for size in sizes:
            print(f"{series.name} {size:,}", file=sys.stderr)
            rows.append(_in_child(series, size))
        parts += section(series, sizes, rows)
        if options.output:
            picture = options.output.parents[1] / "pictures" / f"growth-{series.name}.svg"
            picture.write_text(svg(series.unit, sizes, {key: [row[key] for row in rows] for key in TIMES}))
    if options.output is None:
        print(markdown(parts))
    else:
        write(options.output, parts)


if __name__ == "__main__":
    main(sys.argv[1:])
