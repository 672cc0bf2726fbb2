"""`--precision`, `--sums`, `--check-accuracy` and `--shadow`: options for accuracy."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hlokit.cli.frame.flags import Flag, UsageError, Values, one_of
from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError
from hlokit.files.reading import reason
from hlokit.programs.calls.runs import Precision
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.tools.numerics.result_accuracy import CheckAccuracy
    from hlokit.tools.numerics.shadow import Shadow

# The number of operations that `--shadow` lists on the standard error.
_SHOWN = 20


PRECISION = Flag(
    "precision",
    "high: accumulate sums in f64, and sums of f64 with compensation",
    "NAME",
    type=one_of("default", "high"),
)
SUMS = Flag(
    "sums",
    "sequential: add one by one, each step rounded, as StableHLO's C++ interpreter: slow; products: do so in "
    "dot_general and convolution of f32, f64 and complex numbers (default of --interpret); "
    "blocked: in blocks, faster and more accurate (default of hlokit run); "
    "pairwise: sums that do not depend on the number of devices that share the terms",
    "NAME",
    type=one_of("blocked", "products", "sequential", "pairwise"),
)
CHECK_ACCURACY = Flag(
    "check-accuracy", "fail at a result that is less accurate than result_accuracy requires"
)
SHADOW = Flag("shadow", "also compute in higher precision, and list the operations that lose accuracy")
SHADOW_OUTPUT = Flag("shadow-output", "write all records of the shadow to a file, as JSON", "FILE")
FLAGS = (PRECISION, SUMS, CHECK_ACCURACY, SHADOW, SHADOW_OUTPUT)


@dataclass(frozen=True, slots=True)
class Numerics:
    """The options of a command for the accuracy of its runs.

    Attributes:
      precision: see `Program`.
      check_accuracy: fail at a result that is less accurate than required.
      shadow: also compute in higher precision.
      shadow_output: JSON file of all records of the shadow; None prints the worst records.
      prints: whether this process reports, for all processes.
    """

    precision: Precision = "default"
    check_accuracy: bool = False
    shadow: bool = False
    shadow_output: str | None = None
    prints: bool = True
    _written: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def watch(self, program: Program) -> Watch:
        """The observers of a run of the program."""
        if not self.check_accuracy and not self.shadow:
            return Watch(self)
        from hlokit.tools.numerics.result_accuracy import CheckAccuracy
        from hlokit.tools.numerics.shadow import Shadow

        return Watch(
            self, CheckAccuracy() if self.check_accuracy else None, Shadow(program) if self.shadow else None
        )

    def write(self, records: list[dict[str, Any]]) -> None:
        """Add records to the file: one list for all programs of an input."""
        assert self.shadow_output is not None, "--shadow-output names a file"
        self._written.extend(records)
        try:
            with open(self.shadow_output, "w", encoding="utf-8") as file:
                json.dump(self._written, file, indent=1)
        except OSError as error:
            raise ArgumentError(f"cannot open shadow file '{self.shadow_output}': {reason(error)}") from None


@dataclass(frozen=True, slots=True)
class Watch:
    """Observers of one run, and their reports at its end."""

    numerics: Numerics
    check: CheckAccuracy | None = None
    shadow: Shadow | None = None

    @property
    def observers(self) -> list[Observer]:
        return [observer for observer in (self.check, self.shadow) if observer is not None]

    def finish(self) -> None:
        """Print or store the reports, also if the run failed."""
        if not self.numerics.prints:
            return
        if self.shadow is not None:
            report = self.shadow.report()
            if self.numerics.shadow_output is None:
                sys.stderr.write(f"{report.table(_SHOWN)}\n")
            else:
                self.numerics.write([record.as_dict() for record in report.records])
        if self.check is not None:
            error = f", at most {self.check.max_ulp:.3g} ULP off" if self.check.checked else ""
            sys.stderr.write(f"results checked against result_accuracy: {self.check.checked}{error}\n")


def read_numerics(values: Values, *, prints: bool = True) -> Numerics:
    """The options from the flags of a command line."""
    output: str | None = values.shadow_output
    return Numerics(
        _precision(values),
        check_accuracy=values.check_accuracy,
        shadow=values.shadow or output is not None,
        shadow_output=output,
        prints=prints,
    )


def _precision(values: Values) -> Precision:
    sums = order_of_sums(values)
    if sums is not None and values.precision == "high":
        raise UsageError(f"--sums={sums} must not be combined with --precision=high")
    return sums or values.precision or "default"


def order_of_sums(values: Values) -> Precision | None:
    """The order that `--sums` selects; None for that of docs/concepts/summation.md."""
    return None if values.sums == "blocked" else values.sums
