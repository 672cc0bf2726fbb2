"""The report: means against the targets, and a table of each family."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import groupby
from math import exp, log
from pathlib import Path
from typing import Any

from benchmarks.case import (
    CHAIN,
    CONTRACTION,
    DECODING,
    DYNAMIC,
    LIBRARY,
    NARROW,
    QUANTUM,
    SCALAR_LOOP,
    STATISTICS,
    Case,
)
from benchmarks.measure import Answer, Measured
from benchmarks.programs.operations import FAMILY as OPERATIONS
from benchmarks.tables import Report, Table
from benchmarks.worker import TOGETHER

_COLUMNS = (
    *("program", "hlokit load", "first", "steady", "XLA compile", "first", "steady"),
    *("first: XLA / hlokit", "steady: hlokit / XLA", "of roofline"),
    *("eval_module first", "/ hlokit", "hlokit peak / inputs", "XLA peak / inputs"),
    *("10 calls: XLA / hlokit", "100 calls", "1,000 calls", "worst after 5", "processor: hlokit / XLA"),
)


@dataclass(frozen=True)
class Results:
    """All measurements.

    Attributes:
      figures: of each case, by its name.
      machine: `memcpy` in bytes and `sgemm` in operations a second.
      starts: seconds of whole processes.
    """

    cases: Sequence[Case]
    figures: dict[str, Measured]
    machine: Answer
    starts: dict[str, float]
    threads: int
    command: str

    def number(self, case: Case, engine: str, key: str) -> float | None:
        """A figure; None if there is none."""
        return self.figures[case.name].get(engine, {}).get(key)

    def ratio(self, case: Case, key: str, over: str, under: str) -> float | None:
        """A figure of one engine divided by that of another."""
        above, below = self.number(case, over, key), self.number(case, under, key)
        return above / below if above is not None and below else None

    def roofline(self, case: Case) -> float | None:
        """The share of the machine's speed: the least time for bytes in and out, or for operations."""
        steady = self.number(case, "hlokit", "best")
        inputs, outputs = (self.number(case, "hlokit", key) for key in ("inputs", "outputs"))
        if steady is None or inputs is None or outputs is None:
            return None
        operations = self.number(case, "xla", "flops") or 0.0
        least = max((inputs + outputs) / self.machine["memcpy"], operations / self.machine["sgemm"])
        return least / steady

    def peak(self, case: Case, engine: str) -> float | None:
        """Memory over the size of the inputs."""
        peak, inputs = self.number(case, engine, "peak"), self.number(case, engine, "inputs")
        return None if peak is None or not inputs else peak / inputs


def seconds(value: float | None) -> str:
    """A time, with three digits."""
    if value is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.0f} ns"


def _times(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _row(results: Results, case: Case) -> list[str]:
    def time(engine: str, key: str) -> str:
        figures = results.figures[case.name].get(engine, {})
        return figures["error"][:40] if key == "first" and "error" in figures else seconds(figures.get(key))

    share = results.roofline(case)
    # The ratio to the inputs is meaningless if the process itself is larger than the inputs.
    is_large = (results.number(case, "hlokit", "inputs") or 0) > 1 << 20
    peaks = [_times(results.peak(case, engine)) if is_large else "" for engine in ("hlokit", "xla")]
    return [
        case.name,
        *(time("hlokit", key) for key in ("load", "first", "best")),
        *(time("xla", key) for key in ("load", "first", "best")),
        _times(results.ratio(case, "first", "xla", "hlokit")),
        _times(results.ratio(case, "best", "hlokit", "xla")),
        "" if share is None else f"{share:.2%}" if share < 0.01 else f"{share:.0%}",
        time("eval_module", "first"),
        _times(results.ratio(case, "first", "eval_module", "hlokit")),
        *peaks,
        *(_times(results.ratio(case, f"{number} calls", "xla", "hlokit")) for number in TOGETHER),
        time("hlokit", "worst"),
        _times(results.ratio(case, "processor", "hlokit", "xla")),
    ]


def tables(results: Results) -> Iterable[str | Table]:
    """The table of each family."""
    for family, cases in groupby(results.cases, lambda case: case.family.partition(":")[0]):
        yield f"### {family[0].upper()}{family[1:]}"
        yield Table(_COLUMNS, [_row(results, case) for case in cases])


# Targets ------------------------------------------------------------------------------------------


def geometric_mean(values: Sequence[float]) -> float | None:
    """The geometric mean of values; None if there are none."""
    return exp(sum(map(log, values)) / len(values)) if values else None


Ratio = Callable[[Case], float | None]


def _mean_row(
    results: Results, label: str, ratio: Ratio, wanted: Callable[[Case], bool], target: str, worst: Any
) -> list[str]:
    ratios = [(value, case) for case in results.cases if wanted(case) and (value := ratio(case)) is not None]
    mean = geometric_mean([value for value, _ in ratios])
    if mean is None:
        return [label, "", target, ""]
    value, case = worst(ratios, key=lambda pair: pair[0])
    return [f"{label} ({len(ratios)})", _times(mean), target, f"{_times(value)}: {case.name}"]


def targets(results: Results) -> Iterable[Table]:
    """Geometric means and other figures beside their targets."""
    yield Table(
        ("geometric mean of (number of programs)", "measured", "target", "worst"), list(_means(results))
    )
    yield Table(("other", "measured", "target"), list(_others(results)))


def _means(results: Results) -> Iterable[list[str]]:

    def first(case: Case) -> float | None:
        return results.ratio(case, "first", "xla", "hlokit")

    def steady(case: Case) -> float | None:
        return results.ratio(case, "best", "hlokit", "xla")

    def reference(case: Case) -> float | None:
        return results.ratio(case, "best", "eval_module", "hlokit")

    def memory(case: Case) -> float | None:
        return results.ratio(case, "peak", "hlokit", "xla")

    def kind(*kinds: str) -> Callable[[Case], bool]:
        return lambda case: case.kind in kinds

    def every(case: Case) -> bool:
        return True

    def program(case: Case) -> bool:
        return not case.family.startswith(OPERATIONS)

    yield _mean_row(results, "first result, XLA / hlokit", first, every, ">= 5, nowhere < 1", min)
    yield _mean_row(results, "the same without single operations", first, program, "", min)
    for label, kinds, target in (
        ("contractions and convolutions", (CONTRACTION,), "<= 1.5"),
        ("elementwise and reduction chains", (CHAIN,), "<= 2.5"),
        ("scalar loops", (SCALAR_LOOP,), "<= 10"),
    ):
        yield _mean_row(results, f"steady, hlokit / XLA: {label}", steady, kind(*kinds), target, max)
    yield _mean_row(results, "steady, hlokit / XLA: all", steady, every, "<= 3", max)
    yield _mean_row(results, "the same without single operations", steady, program, "", max)
    yield _mean_row(
        results,
        "the same in processor time",
        lambda case: results.ratio(case, "processor", "hlokit", "xla"),
        every,
        "",
        max,
    )
    yield from _together(results)
    for label in (QUANTUM, DECODING, STATISTICS, DYNAMIC, NARROW):
        yield _mean_row(results, f"steady, hlokit / XLA: {label}", steady, kind(label), "nowhere > 2", max)
    yield _mean_row(results, "steady, eval_module / hlokit", reference, every, "nowhere < 1", min)
    yield _mean_row(
        results, "peak memory, hlokit / XLA: models", memory, lambda case: case.is_model, "<= 1.3", max
    )
    yield from _libraries(results, first, steady, memory)


def _together(results: Results) -> Iterable[list[str]]:
    """The first calls together, and the worst of those after the fifth one."""

    def every(case: Case) -> bool:
        return not case.plan_only

    for number in TOGETHER:

        def together(case: Case, key: str = f"{number} calls") -> float | None:
            return results.ratio(case, key, "xla", "hlokit")

        label = f"first {number:,} calls together, XLA / hlokit"
        yield _mean_row(results, label, together, every, "nowhere < 1", min)

    def worst(case: Case) -> float | None:
        steady, slowest = (results.number(case, "hlokit", key) for key in ("processor", "worst"))
        return None if steady is None or slowest is None else slowest / (2 * steady + 0.005)

    label = "processor time: the worst call after the fifth / (2 steady ones + 5 ms)"
    yield _mean_row(results, label, worst, every, "nowhere > 1", max)


def _libraries(results: Results, first: Ratio, steady: Ratio, memory: Ratio) -> Iterable[list[str]]:
    """The programs of real libraries: each mean of the table, and the number of programs that are far
    behind."""

    def library(case: Case) -> bool:
        return case.kind == LIBRARY

    for label, ratio, target, worst in (
        ("first result, XLA / hlokit", first, ">= 12, nowhere < 1", min),
        ("steady, hlokit / XLA", steady, "<= 1, nowhere > 5", max),
        ("peak memory, hlokit / XLA", memory, "<= 0.5", max),
    ):
        yield _mean_row(results, f"libraries: {label}", ratio, library, target, worst)
    ratios = [value for case in results.cases if library(case) and (value := steady(case)) is not None]
    if ratios:
        faster, slow = sum(value < 1 for value in ratios), sum(value > 3 for value in ratios)
        yield [f"libraries: steady, faster than XLA; above 3 ({len(ratios)})", f"{faster}; {slow}", "", ""]


def _others(results: Results) -> Iterable[tuple[str, str, str]]:
    for case in results.cases:
        load, plan = (results.number(case, "hlokit", key) for key in ("load", "plan"))
        if case.plan_only and load is not None and plan is not None:
            yield f"{case.name}: parse", seconds(load), ""
            yield f"{case.name}: plan", seconds(plan), ""
            yield f"{case.name}: together", seconds(load + plan), "< 1 s"
            yield "plan, an operation", seconds(plan / 20_000), "<= 10 us"
        elif case.name.startswith("7,000"):
            steady = results.number(case, "hlokit", "best")
            yield (
                f"{case.name}: steady, an operation",
                seconds(None if steady is None else steady / 7000),
                "< 1 us",
            )
    for label, value in results.starts.items():
        yield f"process: {label}", seconds(value), "< 0.25 s" if label == "hlokit: import, load, run" else ""


# The report ---------------------------------------------------------------------------------------


def _header(results: Results) -> Iterable[str]:
    """Date and command, machine, versions."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    day = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    yield f"Measured {day} by `{results.command}`" + (f", commit {commit}." if commit else ".")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    yield (
        f"Machine: {_processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} "
        f"{platform.release()}. Threads: {results.threads}. memcpy {results.machine['memcpy'] / 1e9:.1f} "
        f"GB/s (read and written), sgemm {results.machine['sgemm'] / 1e9:.0f} Gflop/s."
    )
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    packages = ", ".join(f"{name} {version(name)}" for name in ("jaxlib", "jax", "numpy", "ml_dtypes"))
    yield f"Python {platform.python_version()}, {packages}. Load of the machine at the end: {load}."


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def report(results: Results) -> Report:
    """The whole report."""
    return [*_header(results), "### Targets", *targets(results), *tables(results)]
