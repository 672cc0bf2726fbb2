"""The mutants: backends with one mistake that kernels or compilers make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hlokit.operations.lookup import having, traits_of
from tests.kit.changes import EVERYWHERE, OF_FLOATS, Change, on_floats, units
from tests.kit.misreadings import MISREADINGS
from tests.kit.wrong_results import WRONG_RESULTS

_MOVING = (
    *("broadcast_in_dim", "concatenate", "dynamic_slice", "dynamic_update_slice", "gather", "pad", "reshape"),
    *("reverse", "slice", "transpose", "scatter", "sort", "bitcast_convert", "select_and_scatter"),
)
_SUMS = (
    *("dot_general", "dot", "convolution", "reduce", "reduce_window"),
    *("batch_norm_training", "batch_norm_inference"),
)


class Mutant(NamedTuple):
    """A backend with one mistake.

    Attributes:
      operation: the operation that it evaluates wrongly.
      fault: the mistake in words.
      change: changes results; None for a mistake in the text.
      text: what the backend reads instead: a pair of texts.
    """

    operation: str
    fault: str
    change: Change | None = None
    text: tuple[str, str] = ("", "")

    @property
    def name(self) -> str:
        return f"{self.operation}: {self.fault}"


def mutants() -> Iterator[Mutant]:
    """All mutants."""
    for name in sorted(having(lambda traits: traits.elementwise and not traits.broadcasting)):
        if not name.startswith("stablehlo.") or traits_of(name).nans.name == "BLIND":
            continue
        for fault in ("last element", "tail behind tiles of 4", "shifted by one"):
            yield Mutant(name, fault, EVERYWHERE[fault])
        if traits_of(name).ulps:
            yield Mutant(
                name, "four times the error of libraries", on_floats(units(4.0 * traits_of(name).ulps))
            )
            yield Mutant(name, "NaN as zero", OF_FLOATS["NaN as zero"])
            yield Mutant(name, "results through bf16", OF_FLOATS["results through bf16"])
    for name in _MOVING:
        for fault in ("last element", "first element", "shifted by one"):
            yield Mutant(f"stablehlo.{name}", fault, EVERYWHERE[fault])
    for name in _SUMS:
        for fault in ("results through bf16", "results through f16", "NaN as zero"):
            yield Mutant(f"stablehlo.{name}", fault, OF_FLOATS[fault])
        yield Mutant(f"stablehlo.{name}", "last element", EVERYWHERE["last element"])
    for row in WRONG_RESULTS:
        yield Mutant(f"stablehlo.{row[0]}", *row[1:])
    for operation, fault, old, new in MISREADINGS:
        yield Mutant(operation if "." in operation else f"stablehlo.{operation}", fault, None, (old, new))
