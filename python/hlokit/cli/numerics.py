"""Flags about the accuracy of a run: --precision, --check-accuracy, --shadow."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hlokit.cli.flags import CommandLine, Flag
from hlokit.errors import ArgumentError
from hlokit.interpreter.run import Observer
from hlokit.program import PRECISIONS, Precision, Program

if TYPE_CHECKING:
    from hlokit.numerics.result_accuracy import CheckAccuracy
    from hlokit.numerics.shadow import Shadow

# Operations that --shadow lists on the standard error.
_SHOWN = 20


def numerics_flags(prefix: str = "") -> tuple[Flag, ...]:
    """The flags that `read_numerics` reads."""
    return (
        Flag(
            "precision", f"{prefix}high: sums are accumulated in f64, those of f64 with compensation", "NAME"
        ),
        Flag("check-accuracy", f"{prefix}fail at a result less accurate than its result_accuracy demands"),
        Flag("shadow", f"{prefix}compute in more precision, too, and list where accuracy is lost"),
        Flag("shadow-output", f"{prefix}list all operations in a file, as JSON", "FILE"),
    )


@dataclass(frozen=True, slots=True)
class Numerics:
    """What a command was told about the accuracy of its runs.

    Attributes:
      precision: see `Program`.
      check_accuracy: fail at a result that is less accurate than demanded.
      shadow: compute in more precision, too.
      shadow_output: JSON file of what that has found; None prints the worst of it.
      is_silent: another process prints.
    """

    precision: Precision = "default"
    check_accuracy: bool = False
    shadow: bool = False
    shadow_output: str | None = None
    is_silent: bool = False
    _written: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def watch(self, program: Program) -> Watch:
        """What looks at a run of the program."""
        if not self.check_accuracy and not self.shadow:
            return Watch(self)
        from hlokit.numerics.result_accuracy import CheckAccuracy
        from hlokit.numerics.shadow import Shadow

        return Watch(
            self, CheckAccuracy() if self.check_accuracy else None, Shadow(program) if self.shadow else None
        )

    def write(self, records: list[dict[str, Any]]) -> None:
        """Add to the file; the programs of one input are one list."""
        assert self.shadow_output is not None, "there is a file"
        self._written.extend(records)
        try:
            with open(self.shadow_output, "w", encoding="utf-8") as file:
                json.dump(self._written, file, indent=1)
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise ArgumentError(f"cannot open shadow file '{self.shadow_output}': {reason}") from None


@dataclass(frozen=True, slots=True)
class Watch:
    """Observers of one run, and what they tell at its end."""

    numerics: Numerics
    check: CheckAccuracy | None = None
    shadow: Shadow | None = None

    @property
    def observers(self) -> list[Observer]:
        return [observer for observer in (self.check, self.shadow) if observer is not None]

    def finish(self) -> None:
        """Print or store what was found; also if the run has failed."""
        if self.numerics.is_silent:
            return
        if self.shadow is not None:
            report = self.shadow.report()
            if self.numerics.shadow_output is None:
                sys.stderr.write(f"{report.table(_SHOWN)}\n")
            else:
                self.numerics.write([record.as_dict() for record in report.records])
        if self.check is not None:
            found = f", at most {self.check.max_ulp:.3g} ULP off" if self.check.checked else ""
            sys.stderr.write(f"results checked against result_accuracy: {self.check.checked}{found}\n")


def read_numerics(line: CommandLine, *, is_silent: bool = False) -> Numerics:
    """The flags of a command line.

    Raises:
      ArgumentError: there is no such precision.
    """
    given = line.value("precision") or "default"
    precision: Precision | None = next((known for known in PRECISIONS if known == given), None)
    if precision is None:
        raise ArgumentError(f"--precision must be one of {', '.join(PRECISIONS)}, got '{given}'")
    output = line.value("shadow-output")
    return Numerics(
        precision,
        check_accuracy="check-accuracy" in line.switches,
        shadow="shadow" in line.switches or output is not None,
        shadow_output=output,
        is_silent=is_silent,
    )
