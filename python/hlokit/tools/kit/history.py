"""Rows of a table of runs in a file of Markdown: what a side's runs of the kit came to, over time."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from hlokit.tools.kit.judging import VERDICTS
from hlokit.tools.kit.recipes import VERSION
from hlokit.tools.kit.report import KitReport

_COLUMNS = ("date", "backend", "kit", "cases of", "cases", *VERDICTS, "processor time")
HEAD = f"| {' | '.join(_COLUMNS)} |"
# The packages that sides run.
_PACKAGES = {
    "xla": "jaxlib",
    "eval-module": "jaxlib",
    "iree": "iree-base-compiler",
    "torch-xla": "torch_xla",
}


def row(report: KitReport, selection: str, date: str) -> str:
    """The row of a run.

    Args:
      selection: the chosen cases in words.
    """
    counts = [f"{report.counts[verdict]:,}" for verdict in VERDICTS]
    cells = (
        date,
        with_version(report.side),
        str(VERSION),
        selection,
        f"{len(report.outcomes):,}",
        *counts,
        f"{report.processor_seconds:.0f} s",
    )
    return f"| {' | '.join(cells)} |"


def with_row(text: str, added: str) -> str:
    """A text with a row at the end of its table; without such a table, it gets one."""
    lines = text.splitlines()
    if HEAD not in lines:
        rule = f"|{'---|' * len(_COLUMNS)}"
        return "\n".join([*lines, *([""] if lines else []), HEAD, rule, added]) + "\n"
    end = lines.index(HEAD)
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return "\n".join([*lines[:end], added, *lines[end:]]) + "\n"


def with_version(side: str) -> str:
    """A side with the version of the package that it runs, if it is known."""
    package = _PACKAGES.get(side.partition(":")[0])
    try:
        return side if package is None else f"{side}, {package} {version(package)}"
    except PackageNotFoundError:
        return side
