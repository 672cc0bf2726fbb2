"""What hlokit uses of the bindings of CHLO."""

from jaxlib.mlir import ir

def register_dialect(context: ir.Context, load: bool = True) -> None: ...

class RaggedDotDimensionNumbers(ir.Attribute):
    lhs_batching_dimensions: list[int]
    rhs_batching_dimensions: list[int]
    lhs_contracting_dimensions: list[int]
    rhs_contracting_dimensions: list[int]
    lhs_ragged_dimensions: list[int]
    rhs_group_dimensions: list[int]
