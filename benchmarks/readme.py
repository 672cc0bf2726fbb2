"""Write the section "Speed" of README.md from stored figures: python -m benchmarks.readme.

Reads docs/measured/benchmarks.json, which `python -m benchmarks --output` writes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import fill

from benchmarks.tables import Report, Table, markdown, read

_ROOT = Path(__file__).resolve().parents[1]
MEASURED, README = _ROOT / "docs/measured/benchmarks.json", _ROOT / "README.md"
HEADING, NEXT_HEADING = "## Speed\n", "\n## More\n"
# What the README calls a program, and the name of its case.
ROWS = {
    "matrix product, 256x256 f32": "dot f32, side, 256",
    "add, 1e6 f32": "add f32, 1,000,000",
    "exponential, 1e6 f32": "exponential f32, 1,000,000",
    "sum of rows, 1000x1000 f32": "reduce add f32, dimension 1, 1,000,000",
    "softmax, 512x1024 f32": "softmax of 512x1024 f32",
    "convolution 3x3, 4x32x32x32 f32 to 64 features": "convolution 3x3, 32 to 64 features, side, 32",
    "sort, 1e6 f32": "sort f32, 1,000,000",
    "while, 10,000 iterations of 3 scalar operations": "10,000 turns of x / 2 + 1 / 2",
    "scan, 2,000 steps on 64 numbers": "scan: exponential moving average, 2000 steps of 64",
    "transformer, 4 layers of 256, 2x128 tokens": "transformer forward, 4 layers of 256, 2x128 tokens",
    "digits, 360 images": "digits, 360 images",
    "gpt, one call": "gpt, one call",
    "train_step, 64 images": "train_step, 64 images",
}
COLUMNS = ("", "hlokit, first result", "then", "C++ interpreter", "XLA:CPU, first result", "then")
# Columns of the report: first and later runs of hlokit, eval_module's, first and later runs of XLA.
_SHOWN = (2, 3, 10, 5, 6)


def _programs(report: Report) -> dict[str, list[str]]:
    """The cells of each program, by its name."""
    tables = [part for part in report if isinstance(part, Table) and part.columns[0] == "program"]
    return {row[0]: list(row) for table in tables for row in table.rows}


def _targets(report: Report) -> dict[str, tuple[str, str, str]]:
    """The count of programs, the mean and the worst program of each target, by its label."""
    targets = next(part for part in report if isinstance(part, Table))
    labels = [row[0].rpartition(" (") for row in targets.rows]
    return {
        name: (count.rstrip(")"), row[1], row[3])
        for (name, _, count), row in zip(labels, targets.rows, strict=True)
    }


_FIGURES = """\
"First result" includes loading and planning for hlokit, and parsing and compiling for XLA, but imports of
neither. The C++ interpreter takes the same time for every run; "not run" marks programs that the
benchmarks do not give to it, "> 8 s" a run that was stopped. Over {count} programs, hlokit returns the
first result in 1/{first} of XLA's time (geometric mean; {slowest}). A later run takes {every} times as
long as XLA's compiled run: {chains} for element-wise operations and reductions, {contractions} for
contractions, {loops} for scalar loops, {libraries} for programs of JAX libraries."""
_CIRCUMSTANCES = """\
Measured with `python -m benchmarks` (`make bench`), jaxlib {jaxlib} and Python {python} on a virtual
machine with {cores} cores, {day}. Compare ratios rather than times, because the machine is noisy.
[docs/performance.md](docs/performance.md) explains the figures;
[docs/measured/benchmarks.json](docs/measured/benchmarks.json) has those of all programs and all targets,
met and missed, as the site shows them. `python -m benchmarks.readme` writes this section from them."""


def _figures(targets: Mapping[str, tuple[str, str, str]]) -> str:
    count, first, worst = targets["first result, XLA / hlokit"]
    ratio, _, program = worst.partition(": ")
    is_slower = float(ratio) < 1
    return _FIGURES.format(
        count=count,
        first=first,
        slowest=f"worst: {ratio} of its speed, {program}" if is_slower else "no program is slower",
        every=targets["steady, hlokit / XLA: all"][1],
        chains=targets["steady, hlokit / XLA: elementwise and reduction chains"][1],
        contractions=targets["steady, hlokit / XLA: contractions and convolutions"][1],
        loops=targets["steady, hlokit / XLA: scalar loops"][1],
        libraries=targets["libraries: steady, hlokit / XLA"][1],
    )


def _circumstances(report: Report) -> str:
    text = " ".join(part for part in report if isinstance(part, str))
    patterns = {
        "day": r"Measured (\S+)",
        "cores": r"(\d+) cores",
        "python": r"Python (\d+\.\d+)",
        "jaxlib": r"jaxlib ([\d.]+\d)",
    }
    matches = {name: re.search(pattern, text) for name, pattern in patterns.items()}
    return _CIRCUMSTANCES.format(**{name: match[1] for name, match in matches.items() if match is not None})


def _wrapped(paragraph: str) -> str:
    return fill(paragraph, 120, break_long_words=False, break_on_hyphens=False)


def section(report: Report) -> str:
    """The section's text, without its heading."""
    programs = _programs(report)
    rows = [[name, *(programs[case][column] for column in _SHOWN)] for name, case in ROWS.items()]
    table = markdown([Table(COLUMNS, rows)]).replace("|  |", "| |")
    paragraphs = [_wrapped(_figures(_targets(report))), _wrapped(_circumstances(report))]
    return "\n".join([table, *(f"{paragraph}\n" for paragraph in paragraphs)])


def main() -> int:
    """Replace the section of the README."""
    text = README.read_text()
    before, heading, rest = text.partition(HEADING)
    _, following, after = rest.partition(NEXT_HEADING)
    assert heading and following, "README.md must have the headings around its figures"
    README.write_text(f"{before}{heading}\n{section(read(MEASURED))}{following}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
