"""Ranks shardings of some arguments: partitions each candidate and estimates its costs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, prod
from typing import Any

from hlokit.display.shown import Shown
from hlokit.errors import ArgumentError
from hlokit.programs.program import Program
from hlokit.tools.shard.cost_model.estimates import Machine
from hlokit.tools.shard.notation.annotations import argument_names, entry, function_types, shapes
from hlokit.tools.shard.notation.meshes import Mesh, mesh_from
from hlokit.tools.shard.notation.specs import AxisRef, Sharding
from hlokit.tools.shard.partitioners.partition import (
    PartitionerFailed,
    Request,
    Workers,
    request,
)
from hlokit.tools.shard.partitioners.requested import position_of_name
from hlokit.tools.shard.reports.report import Report, size_text, time_text
from hlokit.tools.shard.sharded import Sharded

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


@dataclass(frozen=True, slots=True, repr=False)
class Search(Shown):
    """All candidates, the fastest first.

    Attributes:
      candidates: the candidates that could be partitioned.
      failed: the number of candidates that could not be partitioned.
      left_out: the number of candidates that the search did not try, because there are too many.
    """

    candidates: tuple[Candidate, ...]
    failed: int
    left_out: int

    @property
    def front(self) -> list[Candidate]:
        """The Pareto front of estimated time and peak memory."""
        return [candidate for candidate in self.candidates if candidate.is_on_front]

    def as_dict(self) -> dict[str, Any]:
        return {
            "candidates": [
                {
                    "shardings": candidate.shardings,
                    "seconds": candidate.seconds,
                    "communication_seconds": candidate.report.communication_seconds,
                    "compute_seconds": candidate.report.compute_seconds,
                    "peak_bytes": candidate.peak,
                    "sent_bytes": max(candidate.report.sent, default=0),
                    "is_on_front": candidate.is_on_front,
                }
                for candidate in self.candidates
            ],
            "failed": self.failed,
            "left_out": self.left_out,
        }

    def __str__(self) -> str:
        lines = [
            f"{len(self.candidates)} shardings, the fastest first; * on the Pareto front of time and memory"
        ]
        shown = [candidate for i, candidate in enumerate(self.candidates) if i < 10 or candidate.is_on_front]
        for candidate in shown:
            named = ", ".join(f"{name}: {spec}" for name, spec in candidate.shardings.items())
            mark = "*" if candidate.is_on_front else " "
            report = candidate.report
            times = f"{time_text(report.communication_seconds)} + {time_text(report.compute_seconds)}"
            lines.append(f"{mark} {times}, {size_text(candidate.peak)} each: {named}")
        if len(self.candidates) > len(shown):
            lines.append(f"  and {len(self.candidates) - len(shown)} more")
        if self.failed:
            lines.append(f"{self.failed} could not be partitioned")
        if self.left_out:
            lines.append(
                f"{self.left_out} were not tried: half of the tried ones are spread evenly, half are near "
                "the best; name fewer arguments to try all"
            )
        return "\n".join(lines)


def choices(mesh: Mesh, shape: Sequence[int]) -> Iterator[Sharding]:
    """All shardings of a shape into equal pieces: each axis of the mesh splits one dimension, or none.
    Several axes of a dimension have the order of the mesh."""
    axes = [name for name, size in mesh.axes if size > 1]
    for dimensions in product((None, *range(len(shape))), repeat=len(axes)):
        groups = [
            [axis for axis, dimension in zip(axes, dimensions, strict=True) if dimension == i]
            for i in range(len(shape))
        ]
        if any(
            size % prod(mesh.size(axis) for axis in group) for size, group in zip(shape, groups, strict=True)
        ):
            continue
        yield Sharding(tuple(tuple(map(AxisRef, group)) for group in groups), (False,) * len(shape))


@dataclass(frozen=True, slots=True)
class Setting:
    """What all candidates of a search have in common.

    Attributes:
      mesh: as in `hlokit.shard`.
      in_shardings: shardings of the arguments that are not searched, by name.
      machine: the assumptions for times.
    """

    program: Program
    mesh: Any = None
    in_shardings: Mapping[str, Any] | None = None
    out_shardings: Any = None
    partitioner: str = "shardy"
    machine: Machine | None = None

    def request(self, shardings: Mapping[str, Sharding]) -> Request:
        """The request with these shardings of the searched arguments."""
        ins = {**(self.in_shardings or {}), **shardings}
        return request(self.program, self.mesh, ins, self.out_shardings, partitioner=self.partitioner)

    def candidate(self, shardings: Mapping[str, Sharding], workers: Workers) -> Candidate | None:
        """The costs of these shardings; None if the program cannot be partitioned."""
        asked = self.request(shardings)
        try:
            sharded = Sharded(asked, workers.ask(asked.question(self.partitioner)), self.partitioner)
            texts = {name: str(sharding) for name, sharding in shardings.items()}
            return Candidate(texts, sharded.report(self.machine))
        except PartitionerFailed:
            return None


def search(setting: Setting, names: Sequence[str], *, most: int = MOST) -> Search:
    """Rank the shardings of the named arguments.

    If there are more than `most` shardings, half of the tried ones are spread evenly over all shardings, and
    each of the other half differs in one argument from the best sharding tried before.

    Args:
      names: names of the arguments whose shardings are searched.
      most: the largest number of candidates.

    Raises:
      ArgumentError: there is no such argument, or one is named twice.
    """
    shapes = _shapes(setting.program, names)
    if setting.mesh is None:
        mesh = setting.request(dict.fromkeys(names, Sharding(()))).mesh
    else:
        mesh = mesh_from(setting.mesh)
    setting = replace(setting, mesh=mesh)
    options = [list(choices(mesh, shape)) for shape in shapes]
    total = prod(map(len, options))
    # Unless the caller shards other arguments, one of these must be split.
    splits_none = tuple(
        next(i for i, sharding in enumerate(shardings) if not sharding.is_split) for shardings in options
    )
    left_out = set[Numbers]() if setting.in_shardings else {splits_none}
    candidates: dict[Numbers, Candidate | None] = {}
    with Workers() as workers:
        for numbers in _spread(options, total if total <= most else most // 2):
            if numbers not in left_out:
                candidates[numbers] = setting.candidate(_named(names, options, numbers), workers)
        while len(candidates) < most and (numbers := _neighbour(candidates, options, left_out)):
            candidates[numbers] = setting.candidate(_named(names, options, numbers), workers)
    partitioned = [candidate for candidate in candidates.values() if candidate is not None]
    return Search(
        _ranked(partitioned), len(candidates) - len(partitioned), total - len(left_out) - len(candidates)
    )


# The number of each argument's sharding.
Numbers = tuple[int, ...]


def _named(
    names: Sequence[str], options: Sequence[Sequence[Sharding]], numbers: Numbers
) -> dict[str, Sharding]:
    chosen = [shardings[number] for shardings, number in zip(options, numbers, strict=True)]
    return dict(zip(names, chosen, strict=True))


def _spread(options: Sequence[Sequence[Sharding]], count: int) -> Iterator[Numbers]:
    """`count` of all combinations, spread evenly."""
    total = prod(map(len, options))
    step = next(candidate for candidate in range(int(total * 0.618) + 1, 0, -1) if gcd(candidate, total) == 1)
    for turn in range(min(count, total)):
        rest = turn * step % total
        numbers: list[int] = []
        for shardings in reversed(options):
            rest, number = divmod(rest, len(shardings))
            numbers.append(number)
        yield tuple(reversed(numbers))


def _neighbour(
    candidates: Mapping[Numbers, Candidate | None],
    options: Sequence[Sequence[Sharding]],
    left_out: Collection[Numbers],
) -> Numbers | None:
    """An untried combination that differs in one argument from the best combination with such neighbours:
    alternately from the fastest one, and from the one that needs the least memory."""
    successes = {numbers: candidate for numbers, candidate in candidates.items() if candidate is not None}
    costs = {numbers: (candidate.seconds, candidate.peak) for numbers, candidate in successes.items()}
    is_turn_of_memory = len(candidates) % 2
    ordered = sorted(
        successes, key=lambda numbers: costs[numbers][::-1] if is_turn_of_memory else costs[numbers]
    )
    near = (neighbour for numbers in ordered for neighbour in _near(numbers, options))
    return next(
        (neighbour for neighbour in near if neighbour not in candidates and neighbour not in left_out), None
    )


def _near(numbers: Numbers, options: Sequence[Sequence[Sharding]]) -> Iterator[Numbers]:
    for index, shardings in enumerate(options):
        for number in range(len(shardings)):
            yield (*numbers[:index], number, *numbers[index + 1 :])


def _shapes(program: Program, names: Sequence[str]) -> list[tuple[int, ...]]:
    main = entry(program.module)
    all_names = argument_names(main)
    dims = shapes(function_types(main)[0])
    numbers = [position_of_name(name, all_names, "argument") for name in names]
    for name, number in zip(names, numbers, strict=True):
        if numbers.count(number) > 1:
            raise ArgumentError(f"each argument must be named once, got {name} twice")
    return [dims[number] for number in numbers]


def _ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ordered = sorted(candidates, key=lambda candidate: (candidate.seconds, candidate.peak))
    ranked: list[Candidate] = []
    least = float("inf")
    for candidate in ordered:
        is_on_front = candidate.peak < least
        least = min(least, candidate.peak)
        ranked.append(Candidate(candidate.shardings, candidate.report, is_on_front))
    return tuple(ranked)
