"""Programs for one device, as XLA's SPMD partitioner makes them: evaluated on all devices, as a whole.

HLO after the pass `spmd-partitioning` states the shardings of its parameters and results: arguments are cut,
and results are joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import UnsupportedError
from hlokit.programs.calls.arguments import as_values
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_types, flat_values
from hlokit.tools.shard.notation.gspmd import Tiling
from hlokit.tools.shard.partitioners.xla_partitioner import tilings_of
from hlokit.values.types import TensorType, ValueType

_PARAMETERS, _RESULTS = "mhlo.spmd_parameters_shardings", "mhlo.spmd_output_sharding"


class Partitioned(NamedTuple):
    """The program for one device, and the tilings of its parameters and results on all devices."""

    program: Program
    function: str
    devices: int
    parameters: list[Tiling]
    results: list[Tiling]

    @classmethod
    def read(cls, program: Program, function: str) -> Partitioned | None:
        """None for the program of all devices, which states no shardings, or of one device."""
        attributes = program.module.operation.attributes
        if _PARAMETERS not in attributes and _RESULTS not in attributes:
            return None
        signature = program.signature(function)
        parameters = tilings_of(attributes, _PARAMETERS, len(signature.inputs))
        results = tilings_of(attributes, _RESULTS, len(flat_types(signature.outputs)))
        numbers = [tiling.devices for tiling in (*parameters, *results) if tiling.devices is not None]
        count = 1 + max([int(devices.max()) for devices in numbers], default=0)
        return cls(program, function, count, parameters, results) if count > 1 else None

    def evaluated(self, arguments: Sequence[Any], shapes: Sequence[tuple[int, ...]] | None) -> list[Value]:
        """The results of the program of all devices.

        Args:
          arguments: those of the program of all devices.
          shapes: of its results; None if no piece is padded.

        Raises:
          UnsupportedError: the shardings do not give pieces of the types of the program.
          ArgumentError: an argument has another type.
          EvaluationError: the program fails.
        """
        signature = self.program.signature(self.function)
        outputs = flat_types(signature.outputs)
        if shapes is None:
            shapes = [_whole(*pair) for pair in zip(self.results, outputs, strict=False)]
        counts = len(self.parameters), len(self.results)
        if not counts == (len(signature.inputs), len(outputs)) == (len(arguments), len(shapes)):
            raise UnsupportedError(
                f"the program must take {counts[0]} and return {counts[1]} values, as its shardings state, "
                f"got {len(arguments)} and {len(shapes)}"
            )
        wholes = [
            type_._replace(shape=np.shape(argument)) if isinstance(type_, TensorType) else type_
            for argument, type_ in zip(arguments, signature.inputs, strict=True)
        ]
        arrays = [np.asarray(value) for value in as_values(arguments, wholes, self.function)]
        cut = [
            self._layout(tiling, array.shape, type_).cut(array)
            for tiling, array, type_ in zip(self.parameters, arrays, signature.inputs, strict=True)
        ]
        rows = [[pieces[device] for pieces in cut] for device in range(self.devices)]
        returned = [
            flat_values(row, signature.outputs)
            for row in self.program.runs.evaluate_parallel(rows, self.function, (1, self.devices))
        ]
        layouts = [self._layout(*parts) for parts in zip(self.results, shapes, outputs, strict=True)]
        return [
            layout.joined([np.asarray(row[number]) for row in returned])
            for number, layout in enumerate(layouts)
        ]

    def _layout(self, tiling: Tiling, shape: tuple[int, ...], type_: ValueType) -> Any:
        layout = tiling.layout(shape, self.devices)
        if not isinstance(type_, TensorType) or layout.piece_shape != type_.dims:
            raise UnsupportedError(f"a value of shape {shape} must be cut into pieces of {type_}")
        return layout


def _whole(tiling: Tiling, type_: ValueType) -> tuple[int, ...]:
    """The shape of a value of all devices, whose pieces have a type."""
    if not isinstance(type_, TensorType):
        return ()
    tiles = tiling.tiles if tiling.devices is not None else (1,) * type_.rank
    return tuple([size * count for size, count in zip(type_.dims, tiles, strict=False)])
