"""The interface of a side, and its failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.errors import HlokitError
from hlokit.values.types import TupleType, ValueType

Array = npt.NDArray[Any]

FailureKind = Literal["crash", "killed", "time-out", "unsupported", "error"]


class SideFailed(HlokitError):
    """A side returned no results.

    Attributes:
      kind: `crash`: the process of the side died; `killed`: the process was killed, or lacked memory,
        descriptors or disk space; `time-out`: the side took too long; `unsupported`: the side does not
        support the module; `error`: the side raised an error.
      reason: the last message of the side.
    """

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(f"{kind}: {reason}" if reason else kind)
        self.kind: FailureKind = kind
        self.reason = reason

    def __reduce__(self) -> tuple[type[SideFailed], tuple[FailureKind, str]]:
        return type(self), (self.kind, self.reason)


class Unsupported(HlokitError):
    """An implementation does not support the module."""


class Side(Protocol):
    """Runs modules on inputs.

    Attributes:
      name: the name for display.
      batch: the number of operations in one module of an isolated comparison: many for compilers, one for
        sides that would lose all results by failing at one operation.
    """

    @property
    def name(self) -> str: ...

    @property
    def batch(self) -> int: ...

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """The results of a function of a module; of a tuple, its items one after the other.

        Args:
          module: MLIR text or bytecode.
          inputs: one array per parameter.

        Raises:
          SideFailed: the side returned no results.
        """
        ...

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """The results for each of several inputs; the module is compiled once.

        Raises:
          SideFailed: the side failed on one of the inputs.
        """
        ...

    def close(self) -> None:
        """End the process of the side."""
        ...


def flat_values(values: Sequence[Value], types: Sequence[ValueType]) -> list[Value]:
    """Values, with the items of tuples instead of the tuples."""
    flat: list[Value] = []
    for value, type_ in zip(values, types, strict=True):
        flat += flat_values(value, type_.types) if isinstance(type_, TupleType) else [value]
    return flat


def flat_types(types: Sequence[ValueType]) -> list[ValueType]:
    """The types of `flat_values`."""
    flat: list[ValueType] = []
    for type_ in types:
        flat += flat_types(type_.types) if isinstance(type_, TupleType) else [type_]
    return flat
