"""Programs on several devices: the pieces of arguments and results that the devices hold.

JAX hands over one program of whole tensors, with shardings, and the pieces of each argument. The interpreter
puts the pieces together, evaluates the whole program, and cuts its results: the values are those of one
device, whatever the shardings. Manual computations (`shard_map`) in the program run on the grid, one thread
for each device. A program with several replicas runs on the grid as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hlokit.mlir.provider.bindings import ir, sdy
from hlokit.mlir.queries.module import functions
from hlokit.programs.calls.arguments import Signature
from hlokit.tools.shard.notation.annotations import GSPMD, SDY, meshes_of, read_sharding, value_attributes
from hlokit.tools.shard.notation.gspmd import parse_tiling
from hlokit.tools.shard.notation.layout import Layout, layout_of
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.values.types import TensorType, ValueType


@dataclass(frozen=True, slots=True)
class Pieces:
    """How devices hold the arguments and the results of a program; None for values that are not split."""

    devices: int
    inputs: tuple[Layout | None, ...]
    outputs: tuple[Layout | None, ...]

    def joined(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """The whole arguments of the pieces of each device."""
        columns = zip(*rows, strict=True)
        return [
            pieces[0] if layout is None else layout.joined(pieces)
            for layout, pieces in zip(self.inputs, columns, strict=True)
        ]

    def cut(self, results: Sequence[Any]) -> list[list[Any]]:
        """The pieces of whole results for each device."""
        columns = [
            [result] * self.devices if layout is None else layout.cut(result)
            for layout, result in zip(self.outputs, results, strict=True)
        ]
        return [[column[device] for column in columns] for device in range(self.devices)]

    def piece_shape(self, number: int, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of a result's pieces."""
        layout = self.outputs[number]
        return shape if layout is None else layout.piece_shape


def pieces_of(module: ir.Module, signature: Signature, devices: int) -> Pieces:
    """The pieces that the shardings of the parameters and results of a program's function describe.

    Raises:
      ArgumentError: a sharding is malformed.
    """
    function = functions(module)[signature.name]
    meshes = meshes_of(module)
    layouts = [
        tuple(
            _layout(attributes, type_, meshes, devices)
            for attributes, type_ in zip(value_attributes(function, key, len(types)), types, strict=True)
        )
        for key, types in (("arg_attrs", signature.inputs), ("res_attrs", signature.outputs))
    ]
    return Pieces(devices, layouts[0], layouts[1])


def _layout(
    attributes: dict[str, Any], type_: ValueType, meshes: dict[str, Mesh], devices: int
) -> Layout | None:
    if not isinstance(type_, TensorType) or type_.shape is None:
        return None
    layout = None
    if SDY in attributes:
        sharding, name = read_sharding(attributes[SDY]), _mesh_name(attributes[SDY])
        layout = layout_of(sharding, meshes[name], type_.shape) if name in meshes else None
    elif GSPMD in attributes:
        layout = parse_tiling(attributes[GSPMD].value).layout(type_.shape, devices)
    return None if layout is None or layout.is_replicated else layout


def _mesh_name(attribute: ir.Attribute) -> str:
    return str(sdy.TensorShardingAttr(attribute).mesh_or_ref.value)
