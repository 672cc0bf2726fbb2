"""Ranks shardings of some arguments: partitions each candidate and estimates its costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from hlokit.errors import ArgumentError, HlokitError
from hlokit.program import Program
from hlokit.sharding.estimates import Machine
from hlokit.sharding.meshes import Mesh, mesh_from
from hlokit.sharding.partition import Workers, request
from hlokit.sharding.report import Report, size_text, time_text
from hlokit.sharding.sharded import Sharded, shard
from hlokit.sharding.specs import AxisRef, Sharding

MOST = 256


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sharding of the named arguments.

    Attributes:
      shardings: shardings by argument name.
      report: costs of the candidate.
      is_on_front: whether no other candidate is faster with no more memory, or needs less memory and is as
        fast.
    """

    shardings: dict[str, str]
    report: Report
    is_on_front: bool = False

    @property
    def seconds(self) -> float:
        return self.report.seconds

    @property
    def peak(self) -> int:
        return self.report.costs.peak


@dataclass(frozen=True, slots=True)
class Search:
    """All candidates, the fastest first.

    Attributes:
      candidates: the candidates that could be partitioned.
      failed: the number of candidates that could not be partitioned.
      left_out: the number of candidates that were not tried, because there are too many.
    """

    candidates: tuple[Candidate, ...]
    failed: int
    left_out: int

    @property
    def front(self) -> list[Candidate]:
        """The Pareto front of estimated time and peak memory."""
        return [each for each in self.candidates if each.is_on_front]

    def as_dict(self) -> dict[str, Any]:
        return {
            "candidates": [
                {
                    "shardings": each.shardings,
                    "seconds": each.seconds,
                    "communication_seconds": each.report.communication_seconds,
                    "compute_seconds": each.report.compute_seconds,
                    "peak_bytes": each.peak,
                    "sent_bytes": max(each.report.sent, default=0),
                    "is_on_front": each.is_on_front,
                }
                for each in self.candidates
            ],
            "failed": self.failed,
            "left_out": self.left_out,
        }

    def __str__(self) -> str:
        lines = [
            f"{len(self.candidates)} shardings, the fastest first; * on the Pareto front of time and memory"
        ]
        shown = [each for i, each in enumerate(self.candidates) if i < 10 or each.is_on_front]
        for each in shown:
            named = ", ".join(f"{name}: {spec}" for name, spec in each.shardings.items())
            mark = "*" if each.is_on_front else " "
            times = (
                f"{time_text(each.report.communication_seconds)} + {time_text(each.report.compute_seconds)}"
            )
            lines.append(f"{mark} {times}, {size_text(each.peak)} each: {named}")
        if len(self.candidates) > len(shown):
            lines.append(f"  and {len(self.candidates) - len(shown)} more")
        if self.failed:
            lines.append(f"{self.failed} could not be partitioned")
        if self.left_out:
            lines.append(f"{self.left_out} were not tried: name fewer arguments")
        return "\n".join(lines)


def choices(mesh: Mesh, shape: Sequence[int]) -> Iterator[Sharding]:
    """All shardings of a shape: each axis of the mesh splits a dimension, or none; pieces are equal.
    Several axes of a dimension have the order of the mesh."""
    axes = [name for name, size in mesh.axes if size > 1]
    for places in product((None, *range(len(shape))), repeat=len(axes)):
        groups = [
            [axis for axis, place in zip(axes, places, strict=True) if place == i] for i in range(len(shape))
        ]
        if any(
            size % prod(mesh.size(axis) for axis in group) for size, group in zip(shape, groups, strict=True)
        ):
            continue
        yield Sharding(tuple(tuple(map(AxisRef, group)) for group in groups), (False,) * len(shape))


def search(
    program: Program,
    mesh: Any,
    names: Sequence[str],
    *,
    in_shardings: dict[str, Any] | None = None,
    out_shardings: Any = None,
    partitioner: str = "shardy",
    machine: Machine | None = None,
    most: int = MOST,
) -> Search:
    """Rank the shardings of the named arguments.

    Args:
      names: names of the arguments whose shardings are searched.
      in_shardings: shardings of the other arguments, by name.
      most: the largest number of candidates.

    Raises:
      ArgumentError: there is no such argument.
    """
    found_mesh = mesh_from(mesh) if mesh is not None else None
    given = dict(in_shardings or {})
    probe: dict[str, Any] = {**given, **dict.fromkeys(names, Sharding(()))}
    if found_mesh is None:
        found_mesh = request(program, None, probe, out_shardings, partitioner=partitioner).mesh
    shapes = _shapes(program, found_mesh, names, probe)
    options = [list(choices(found_mesh, shape)) for shape in shapes]
    total = prod(map(len, options))
    candidates: list[Candidate] = []
    failed = tried = 0
    with Workers() as workers:
        for chosen in product(*options):
            if tried == most:
                break
            if not any(each.is_split for each in chosen) and not given:
                total -= 1
                continue
            tried += 1
            asked: dict[str, Any] = {**given, **dict(zip(names, chosen, strict=True))}
            try:
                made: Sharded = shard(
                    program, found_mesh, asked, out_shardings, partitioner=partitioner, workers=workers
                )
            except ArgumentError:
                raise
            except HlokitError:
                failed += 1
                continue
            specs = {name: str(each) for name, each in zip(names, chosen, strict=True)}
            candidates.append(Candidate(specs, made.report(machine)))
    return Search(_ranked(candidates), failed, total - tried)


def _shapes(
    program: Program, mesh: Mesh, names: Sequence[str], probe: dict[str, Any]
) -> list[tuple[int, ...]]:
    from hlokit.sharding.annotations import argument_names, entry, function_types, shapes
    from hlokit.sharding.partition import number_of

    main = entry(program.module)
    known = argument_names(main)
    dims = shapes(function_types(main)[0])
    del mesh, probe
    return [dims[number_of(name, known, "argument")] for name in names]


def _ranked(candidates: list[Candidate]) -> tuple[Candidate, ...]:
    ordered = sorted(candidates, key=lambda each: (each.seconds, each.peak))
    found: list[Candidate] = []
    least = float("inf")
    for each in ordered:
        is_on_front = each.peak < least
        least = min(least, each.peak)
        found.append(Candidate(each.shardings, each.report, is_on_front))
    return tuple(found)
