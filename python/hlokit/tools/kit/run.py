"""A run of the kit: the cases of a command line on a side, and the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError
from hlokit.tools.backends.side import Side
from hlokit.tools.diff.comparing.flushing import flushing
from hlokit.tools.kit.cases import Case, Unevaluated, cases
from hlokit.tools.kit.files import read_results, write_kit, written_ids
from hlokit.tools.kit.judging import Outcome
from hlokit.tools.kit.profiles import Profile
from hlokit.tools.kit.recipes import TYPES, operations, recipes
from hlokit.tools.kit.report import KitReport
from hlokit.tools.kit.running import Running
from hlokit.tools.kit.sample import sample

Told = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """The cases of a run.

    Attributes:
      operations: names, with or without the dialect; empty for all.
      types: words of types; empty for all.
      budget: seconds whose sample is taken; None for all cases.
      profile: None for what has no profile: everything, and nothing is claimed.
    """

    operations: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    budget: int | None = None
    profile: Profile | None = None

    @property
    def words(self) -> str:
        """The choice in words, such as `60s`."""
        budget = "all" if self.budget is None else f"{self.budget}s"
        profile = [] if self.profile is None else [self.profile.name]
        return ", ".join([budget, *profile, *self.operations, *self.types])

    def check(self) -> None:
        """Require that the kit has cases of all names.

        Raises:
          ArgumentError: there is no such operation or type.
        """
        names = operations()
        accepted = {*names, *(name.partition(".")[2] for name in names)}
        for name in self.operations:
            if name not in accepted:
                raise ArgumentError(f"--operation: there are no cases of '{name}'{did_you_mean(name, names)}")
        for type_ in self.types:
            if type_ not in TYPES:
                raise ArgumentError(f"--type: a type must be one of {', '.join(TYPES)}, got '{type_}'")

    def cases(self, ids: Collection[str] | None = None) -> Iterator[Case | Unevaluated]:
        """The chosen cases; with a profile, those that it claims.

        Args:
          ids: those of the cases among which to choose; of all without it.
        """
        types = self.types or (self.profile.types if self.profile is not None else ())
        if ids is None:
            chosen = sample(self.budget, self.operations, types)
        else:
            chosen = cases(recipe for recipe in recipes(self.operations, types) if recipe.id in ids)
        profile = self.profile
        return (
            chosen
            if profile is None
            else filter(lambda case: profile.claims(case.operation, case.type_), chosen)
        )


def run_kit(
    side: Side,
    selection: Selection,
    told: Told = lambda count: None,
    witnesses: Sequence[Side] = (),
    *,
    names_stages: bool = False,
) -> KitReport:
    """Run cases on a side.

    Args:
      witnesses, names_stages: see `Running`.
    """
    running = Running(side, names_stages, witnesses)
    report = _report(side.name, selection, running.run(selection.cases()), told)
    if running.unrepeatable:
        few = ", ".join(running.unrepeatable[:5])
        report.notes.append(
            f"{side.name} is not repeatable: {len(running.unrepeatable)} cases, such as {few}"
        )
    return report


def read_kit(folder: Path, selection: Selection, told: Told = lambda count: None) -> KitReport:
    """Judge the results that a runner elsewhere wrote into a folder of `write_kit`."""
    ids = written_ids(folder)
    return _report(str(folder), selection, read_results(folder, selection.cases(ids)), told)


def export(folder: Path, selection: Selection) -> int:
    """Write the chosen cases to a folder; their number."""
    with flushing("all" if selection.profile is None else selection.profile.flush):
        return write_kit(folder, selection.cases())


def _report(name: str, selection: Selection, outcomes: Iterator[Outcome], told: Told) -> KitReport:
    start = time.perf_counter()
    profile = selection.profile
    report = KitReport(name, "" if profile is None else profile.name)
    with flushing("all" if profile is None else profile.flush):
        for outcome in outcomes:
            report.outcomes.append(outcome if profile is None else profile.judged(outcome))
            told(len(report.outcomes))
    if not report.outcomes:
        report.notes.append("the kit has no case of this choice")
    report.seconds = time.perf_counter() - start
    return report
