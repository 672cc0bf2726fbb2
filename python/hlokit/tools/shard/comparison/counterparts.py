"""The values of a sharded run that correspond to values of the whole program, for tight bounds.

`tools.bounds` proves a bound for the distance of a value from that of the whole program if the
operands are within their radii. Where the value of the sharded run is known, its actual distance replaces the
radius, so that errors do not accumulate in the proof: each operation is checked against its own operands.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import StepNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.partitioners.answers import Traced
from hlokit.tools.shard.partitioners.tracks import layout_in

if TYPE_CHECKING:
    from hlokit.engine.plan.plan import Plan, Step

Array = npt.NDArray[Any]

# The number of bytes of pieces to store; later values have no counterparts.
_MOST = 1 << 30


class Pieces:
    """An observer of a sharded run that stores the pieces of values.

    Args:
      module: the program for a device.
      traced: the values of the whole program in this program.
      mesh: the mesh of the devices.
    """

    def __init__(self, module: ir.Module, traced: Sequence[Traced], mesh: Mesh) -> None:
        self._mesh = mesh
        self._wanted = {pair.operation: pair for pair in traced}
        numbers = numbers_in(module)
        self._numbers = StepNumbers(lambda operation: numbers[operation])
        self._lock = threading.Lock()
        self._left = _MOST
        # For each operation of the whole program, for each device, the results of each time that it ran.
        self._stored: dict[int, dict[int, list[tuple[Value, ...]]]] = {}

    # The observer -------------------------------------------------------------------------------------

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        """Called before a step."""

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """Called after a step: stores its results."""
        del plan, operands
        process = run_context.current().process
        if process is None:
            return
        with self._lock:
            wanted = self._wanted.get(self._numbers.number(step))
            if wanted is None:
                return
            self._left -= sum(np.asarray(result).nbytes for result in results)
            if self._left >= 0:
                of_devices = self._stored.setdefault(wanted.whole, {})
                of_devices.setdefault(process.id[1], []).append(tuple(results))

    # Values ---------------------------------------------------------------------------------------------

    def values(self, whole: int, time: int, shapes: Sequence[tuple[int, ...]]) -> list[Array | None]:
        """The results of an operation of the whole program, joined from pieces; None for unknown results.

        Args:
          whole: the number of the operation.
          time: the number of earlier runs of the operation.
          shapes: the shapes of the results.
        """
        of_devices = self._stored.get(whole, {})
        traced = next((pair for pair in self._wanted.values() if pair.whole == whole), None)
        runs = [of_devices.get(device, []) for device in range(self._mesh.count)]
        if traced is None or not all(len(run) > time for run in runs):
            return [None] * len(shapes)
        joined: list[Array | None] = []
        for index, (sharding, shape) in enumerate(zip(traced.shardings, shapes, strict=True)):
            layout = layout_in(self._mesh, sharding, tuple(shape))
            pieces = [np.asarray(run[time][index]) for run in runs]
            fits = layout is not None and all(piece.shape == layout.piece_shape for piece in pieces)
            joined.append(layout.joined(pieces) if layout is not None and fits else None)
        return joined


def numbers_in(module: ir.Module) -> Mapping[ir.Operation, int]:
    """The numbers of operations in a walk."""
    numbers: dict[ir.Operation, int] = {}
    walk(module.operation, lambda operation: numbers.update({operation: len(numbers)}))
    return numbers


class Counterparts:
    """For each value of a run of the whole program, the corresponding value of the sharded run.

    Args:
      whole: the whole program, whose calls are inlined.
      pieces: the values of the sharded run.
    """

    def __init__(self, whole: ir.Module, pieces: Pieces) -> None:
        numbers = numbers_in(whole)
        self._numbers = StepNumbers(lambda operation: numbers[operation])
        self._pieces = pieces
        self._times: dict[int, int] = {}

    def __call__(self, step: Step, results: Sequence[Value]) -> list[Array | None]:
        """The values of a step that has just run; the caller must ask once for each run of a step."""
        number = self._numbers.number(step)
        time = self._times.get(number, 0)
        self._times[number] = time + 1
        return self._pieces.values(number, time, [np.shape(result) for result in results])
