"""Values of a run, identified by their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.mlir.conversion.constants import read_elements
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.following import follow
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Place, Tracker

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

CONSTANT = "stablehlo.constant"


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a run: its place, and digests of the value and of its operands."""

    order: int
    place: Place
    result: int
    digest: bytes
    operands: tuple[bytes, ...]


class Digests(Tracker):
    """An observer that stores digests of all values."""

    def __init__(self, operations: Operations) -> None:
        super().__init__(operations)
        self.entries: list[Entry] = []
        self.digests: set[bytes] = set()
        self._recent: dict[int, tuple[Any, bytes]] = {}
        self._order = 0

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        place, lifted = self.leave()
        if step.name in CONTROL_FLOW:
            return
        order = self._order
        self._order += 1
        operand_digests = tuple([self.digest(value) for value in operands])
        for index, value in enumerate(results):
            digest = self.digest(value)
            self.digests.add(digest)
            if not lifted:
                self.entries.append(Entry(order, place, index, digest, operand_digests))

    def digest(self, value: Value) -> bytes:
        """A digest that identifies a value; the digests of the latest values are cached."""
        cached = self._recent.get(id(value))
        if cached is not None and cached[0] is value:
            return cached[1]
        digest = digest_of(value)
        if len(self._recent) > 512:
            self._recent.clear()
        self._recent[id(value)] = (value, digest)
        return digest


def digest_of(value: Value) -> bytes:
    """The digest of shape, element type and bits."""
    if not isinstance(value, np.ndarray | np.generic):
        return repr(value).encode()
    array: npt.NDArray[Any] = np.asarray(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # any dtype
    name = f"{array.dtype.name}{array.shape}".encode()
    return hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16, key=name[:64]).digest()


def known_values(
    program: Program, values: Sequence[Value], function: str
) -> tuple[set[bytes], Sequence[Value]]:
    """Digests of the arguments, constants and values of a run, and its results."""
    operations = Operations.of_program(program)
    digests = Digests(operations)
    results = follow(program, values, function, digests)
    return {*digests.digests, *map(digest_of, values), *constants_of(operations.all)}, results


def constants_of(operations: Iterable[ir.Operation]) -> Iterator[bytes]:
    """The digests of constants."""
    for operation in operations:
        if operation.name == CONSTANT and (value := constant_of(operation)) is not None:
            yield digest_of(value)


def constant_of(operation: ir.Operation) -> Any | None:
    """The value of a constant; None if its type has no arrays."""
    try:
        return read_elements(operation, "value")
    except Exception:  # constants of types that have no arrays are not compared
        return None
