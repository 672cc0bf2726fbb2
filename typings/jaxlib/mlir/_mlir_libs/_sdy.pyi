"""What hlokit uses of the bindings of Shardy."""

from typing import Any

from jaxlib.mlir import ir

def register_dialect(context: ir.Context, load: bool = True) -> None: ...

class MeshAxisAttr(ir.Attribute):
    name: str
    size: int

class MeshAttr(ir.Attribute):
    device_ids: list[int]
    axes: list[Any]

class SubAxisInfoAttr(ir.Attribute):
    pre_size: int
    size: int

class AxisRefAttr(ir.Attribute):
    name: str
    sub_axis_info: Any

class DimensionShardingAttr(ir.Attribute):
    axes: list[Any]
    is_closed: bool

class TensorShardingAttr(ir.Attribute):
    mesh_or_ref: Any
    dimension_shardings: list[Any]
    replicated_axes: list[Any]
    unreduced_axes: list[Any]

class TensorShardingPerValueAttr(ir.Attribute):
    @staticmethod
    def isinstance(other_attribute: ir.Attribute) -> bool: ...
    shardings: list[Any]

class ManualAxesAttr(ir.Attribute):
    def __getitem__(self, index: int, /) -> str: ...
    def __len__(self) -> int: ...
