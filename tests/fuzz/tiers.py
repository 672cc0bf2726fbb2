"""The results of one program in all tiers, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import hlokit
from hlokit.programs.calls.runs import Precision

Array = Any


@contextmanager
def _disabled(names: str) -> Iterator[None]:
    before = os.environ.get("HLOKIT_DISABLE")
    os.environ["HLOKIT_DISABLE"] = names
    try:
        yield
    finally:
        if before is None:
            del os.environ["HLOKIT_DISABLE"]
        else:
            os.environ["HLOKIT_DISABLE"] = before


def bytes_of(values: Any) -> list[bytes]:
    """The bytes of the results of a call."""
    return [np.asarray(value).tobytes() for value in (values if isinstance(values, tuple) else (values,))]


def reference(text: str, arguments: Sequence[Array]) -> list[bytes]:
    return bytes_of(hlokit.load(text)(*arguments, tier="reference"))


def results_of_tiers(
    text: str, arguments: Sequence[Array], precision: Precision = "default"
) -> dict[str, list[bytes]]:
    """The bytes of all results, by tier. The reference has the default precision only."""
    program = hlokit.load(text)
    results: dict[str, list[bytes]] = {}
    if precision == "default":
        results["reference"] = bytes_of(program(*arguments, tier="reference"))
    for run in ("first", "second", "third"):
        results[run] = bytes_of(program(*arguments, precision=precision))
    observer = hlokit.Trace(lambda row: None)
    results["observed"] = bytes_of(program(*arguments, observer=observer, precision=precision))
    for names in ("native", "all"):
        with _disabled(names):
            results[f"without {names}"] = bytes_of(hlokit.load(text)(*arguments, precision=precision))
    return results


def difference(text: str, arguments: Sequence[Array]) -> str:
    """The tiers whose results differ from the reference's; empty if all agree."""
    results = results_of_tiers(text, arguments)
    return ", ".join(tier for tier, values in results.items() if values != results["reference"])
