"""Strict checks of send and recv: the bindings do not verify source_target_pairs.

Source: spec "send", "recv", whose constraints on it are those of collective_permute.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.constraints.checks import Check, Checks
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir

_NAME = "source_target_pairs"


def _values(operation: ir.Operation) -> npt.NDArray[Any] | None:
    attributes = Attributes(operation)
    return attributes.elements(_NAME) if _NAME in attributes else None


def _pairs(operation: ir.Operation) -> npt.NDArray[Any] | None:
    """The attribute as pairs; None if it has another shape."""
    values = _values(operation)
    return values if values is not None and values.shape[1:] == (2,) else None


def pair_shape(operation: ir.Operation) -> str | None:
    """Each row is a pair."""
    values = _values(operation)
    if values is None or values.shape[1:] == (2,):
        return None
    return f"{_NAME} must be of shape Nx2, got {'x'.join(map(str, values.shape))}"


def _unique(column: int, what: str) -> Check:
    def check(operation: ir.Operation) -> str | None:
        pairs = _pairs(operation)
        if pairs is None:
            return None
        ids, counts = np.unique(pairs[:, column], return_counts=True)
        repeated = ids[counts > 1]
        return f"{what} in {_NAME} must be unique, got {repeated[0]} again" if repeated.size else None

    return check


def id_range(operation: ir.Operation) -> str | None:
    """Ids count from 0. The number of processes is known only when the program runs."""
    pairs = _pairs(operation)
    if pairs is None or not pairs.size or pairs.min() >= 0:
        return None
    return f"ids in {_NAME} must not be negative, got {pairs.min()}"


_OF_PAIRS = {"C1": pair_shape, "C2": _unique(0, "sources"), "C3": _unique(1, "targets"), "C4": id_range}
CHECKS: Checks = {"send": _OF_PAIRS, "recv": _OF_PAIRS}
