"""The time of a run for each operation and by source lines, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hlokit.display.listing import FUNCTIONS
from hlokit.operations.lookup import traits_of
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.tools.tracing.run_trace import RunTrace
from hlokit.tools.view.overlay import Overlay
from hlokit.tools.view.timing import Times

_MOST_STEPS = 300
_DEEPEST = 40


def observed_times(trace: RunTrace) -> dict[str, Any]:
    """Times as `times_overlay` has them, of an observed run: without fused steps, and slower."""
    rows: dict[int, list[Any]] = {}
    wholes: dict[int, float] = {}
    for row in trace:
        if row.number < 0:
            continue
        step = rows.setdefault(row.number, [row.number, 0.0, None, 0, False, []])
        step[1] += row.self_seconds
        step[3] += 1
        wholes[row.number] = wholes.get(row.number, 0.0) + row.seconds
    own = {number: step[1] for number, step in rows.items()}
    between = max(0.0, trace.seconds - sum(own.values()))
    return {
        "runs": 0,
        "wall": sum(own.values()) + between,
        "cpu": None,
        "plain": None,
        "between": between,
        "betweenCpu": None,
        "steps": _hottest_first(rows.values()),
        "own": own,
        "calls": _of_calls(trace.listing, wholes),
    }


def times_overlay(
    listing: ProgramListing, times: Times, run: Overlay, flops: Mapping[int, int]
) -> dict[str, Any]:
    """The steps of the fastest run, and its time by operations.

    The time of a step of several operations is divided among them by their work: their arithmetic and the
    bytes of their results.
    """
    work = _Work(listing, run, flops)
    own: dict[int, float] = {}
    rows: list[list[Any]] = []
    wholes: dict[int, float] = {}
    for step in times.steps:
        parts = list(step.members) or [step.number]
        if step.members or step.is_native:
            parts = [op for part in parts for op in work.within(part)]
        amounts = [work.of(op) for op in parts]
        total = sum(amounts)
        for op, amount in zip(parts, amounts, strict=True):
            own[op] = own.get(op, 0.0) + step.wall * (amount / total if total else 1 / len(parts))
        if len(parts) == 1:
            wholes[step.number] = wholes.get(step.number, 0.0) + step.whole
        members = parts if len(parts) > 1 else []
        rows.append([step.number, step.wall, step.cpu, step.evaluations, step.is_native, members])
    return {
        "runs": times.runs,
        "wall": times.wall,
        "cpu": times.cpu,
        "plain": [times.plain, times.plain_cpu],
        "between": max(0.0, times.wall - sum(step.wall for step in times.steps)),
        "betweenCpu": max(0.0, times.cpu - sum(step.cpu for step in times.steps)),
        "steps": _hottest_first(rows),
        "own": own,
        "calls": _of_calls(listing, wholes),
    }


class _Work:
    """Estimates of the work of operations in a run."""

    def __init__(self, listing: ProgramListing, run: Overlay, flops: Mapping[int, int]) -> None:
        self._listing = listing
        self._run = run
        self._flops = flops
        self._operations = listing.operations()
        self._children: dict[int, list[int]] = {}
        for number, op in enumerate(listing.ops):
            self._children.setdefault(op.parent, []).append(number)
        self._functions: dict[str, int] = {
            operation.attributes["sym_name"].value: number
            for number, operation in self._operations.items()
            if operation.name in FUNCTIONS
        }

    def within(self, number: int) -> list[int]:
        """An operation, and all operations within it."""
        every = [number]
        for op in every:
            every += self._children.get(op, ())
        return every

    def of(self, number: int) -> float:
        """The work of all evaluations of an operation; of a call, that of the function."""
        if number not in self._run or self._listing.ops[number].name != "func.call":
            return self._own(number)
        called = self._functions[self._operations[number].attributes["callee"].value]
        return float(sum(self._own(inner) for inner in self.within(called)))

    def _own(self, number: int) -> float:
        measures = self._run.get(number)
        if measures is None:
            return 0.0
        moved = 0 if traits_of(self._listing.ops[number].name).layout else measures["bytes"]
        return float(measures["runs"] * (self._flops.get(number, 0) + moved))


def _hottest_first(rows: Iterable[list[Any]]) -> list[list[Any]]:
    """Steps `[operation, seconds, CPU seconds, evaluations, whether native, members]`, not too many."""
    return sorted(rows, key=lambda row: -row[1])[:_MOST_STEPS]


def _of_calls(listing: ProgramListing, wholes: dict[int, float]) -> dict[int, float]:
    """The seconds of calls, with those of the functions that they call."""
    return {number: whole for number, whole in wholes.items() if listing.ops[number].name == "func.call"}


def flame(listing: ProgramListing, own: dict[int, float]) -> dict[str, Any] | None:
    """A tree of source lines with callers at the top: name, seconds, children; leaves are operations.

    Args:
      own: the seconds of each operation.
    """
    root: dict[str, Any] = {"n": "run", "v": 0.0, "c": {}}
    for number, seconds in own.items():
        if number < 0 or not seconds:
            continue
        op = listing.ops[number]
        source = listing.source(op)
        frames = [
            f"{frame.text} {frame.function}".strip() for frame in reversed(source.frames) if frame.is_user
        ]
        at = root
        at["v"] += seconds
        for name in frames[-_DEEPEST:] or [f"@{op.function}"]:
            at = at["c"].setdefault(name, {"n": name, "v": 0.0, "c": {}})
            at["v"] += seconds
        leaf = at["c"].setdefault(f"op {number}", {"n": op.name, "v": 0.0, "c": {}, "o": number})
        leaf["v"] += seconds
    return _listed(root) if root["v"] > 0 else None


def _listed(node: dict[str, Any]) -> dict[str, Any]:
    children = sorted(node["c"].values(), key=lambda child: -child["v"])
    return {**node, "c": [_listed(child) for child in children]}
