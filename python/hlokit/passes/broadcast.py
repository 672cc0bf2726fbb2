"""`hlo-test-broadcast`: broadcasts values to a common shape by NumPy's rules, including bounded sizes.

`"hlo_test_broadcast.numpy_broadcast"(%a, %b, ...)` becomes a custom call of the broadcast values.
`numpy_broadcast` builds the broadcasts, also for other passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.passes.framework.building import DYNAMIC, Value, build
from hlokit.passes.framework.registry import Options, Pass
from hlokit.passes.framework.rewriting import Rewriter, apply_patterns


class BroadcastError(Exception):
    """Values have no common shape; `value` is the value that does not fit."""

    def __init__(self, message: str, value: Value | None = None) -> None:
        super().__init__(message)
        self.value = value


@dataclass(frozen=True, slots=True)
class _Dimension:
    """A dimension of a shape.

    Attributes:
      size: the size, or the bound of a bounded dimension.
      source: a value with this bounded dimension, and the dimension's index in it; None for a fixed size.
    """

    size: int
    source: tuple[Value, int] | None = None

    @property
    def fixed(self) -> _Dimension:
        return _Dimension(self.size)


_ONE = _Dimension(1)


def numpy_broadcast(values: Sequence[Value]) -> list[Value]:
    """Broadcast values to their common shape, at the current insertion point.

    A dimension of size 1 takes the size of the other dimension; a missing leading dimension counts as size 1.
    If the other size is bounded, the value is broadcast to the bound and cut to the other value's size.

    Raises:
      BroadcastError: the values have no common shape.
    """
    if not values:
        raise BroadcastError("requires at least one operand to broadcast")
    shape = _shape(values[0])
    for value in values[1:]:
        shape = _common(value, shape, _shape(value))
    return [_broadcast(value, shape) for value in values]


def _shape(value: Value) -> list[_Dimension]:
    type_ = value.type.maybe_downcast()
    if not isinstance(type_, ir.RankedTensorType):
        raise BroadcastError("expected ranked tensor type for broadcast inputs", value)
    if type_.encoding is None:
        return [_Dimension(size) for size in type_.shape]
    bounds = stablehlo.TypeExtensions(type_.encoding).bounds
    return [
        _Dimension(bound, (value, i)) if size == DYNAMIC else _Dimension(size)
        for i, (size, bound) in enumerate(zip(type_.shape, bounds, strict=True))
    ]


def _common(value: Value, one: list[_Dimension], other: list[_Dimension]) -> list[_Dimension]:
    rank = max(len(one), len(other))
    padded = ([_ONE] * (rank - len(shape)) + shape for shape in (one, other))
    # Start with the last dimension, so that the message is about the rightmost mismatch.
    return [_common_dimension(value, *pair) for pair in reversed(list(zip(*padded, strict=True)))][::-1]


def _common_dimension(value: Value, one: _Dimension, other: _Dimension) -> _Dimension:
    if one.size == 1:
        return other
    if other.size == 1:
        return one
    if one.size != other.size:
        raise BroadcastError(f"incompatible shapes for broadcasting {one.size} and {other.size}", value)
    if (one.source is None) != (other.source is None):
        raise BroadcastError("cannot mix bounded and static dimensions in broadcast", value)
    return one


def _broadcast(value: Value, shape: list[_Dimension]) -> Value:
    element_type = ir.RankedTensorType(value.type).element_type
    if value.type == _type(shape, element_type):
        return value
    own = _shape(value)
    added = len(shape) - len(own)
    # A dimension that is bounded only in the result is broadcast to its bound first.
    largest = [
        wanted if had.source is not None else wanted.fixed
        for had, wanted in zip([_ONE] * added + own, shape, strict=True)
    ]
    dimensions = ir.DenseI64ArrayAttr.get(list(range(added, len(shape))))
    attributes: dict[str, ir.Attribute] = {"broadcast_dimensions": dimensions}
    result = build("stablehlo.broadcast_in_dim", [value], _type(largest, element_type), attributes)
    for i, wanted in enumerate(shape):
        if largest[i].source is None and wanted.source is not None:
            largest[i] = wanted
            size = _size(*wanted.source)
            result = build(
                "stablehlo.set_dimension_size", [result, size], _type(largest, element_type), _dimension(i)
            )
    return result


def _size(source: Value, dimension: int) -> Value:
    type_ = ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))
    return build("stablehlo.get_dimension_size", [source], type_, _dimension(dimension))


def _dimension(index: int) -> dict[str, ir.Attribute]:
    return {"dimension": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), index)}


def _type(shape: Sequence[_Dimension], element_type: ir.Type) -> ir.RankedTensorType:
    sizes = [dimension.size if dimension.source is None else DYNAMIC for dimension in shape]
    bounds = [DYNAMIC if dimension.source is None else dimension.size for dimension in shape]
    is_bounded = any(bound != DYNAMIC for bound in bounds)
    encoding = stablehlo.TypeExtensions.get(bounds) if is_bounded else None
    return ir.RankedTensorType.get(sizes, element_type, encoding)


def _replace(test: ir.Operation, rewriter: Rewriter) -> bool:
    try:
        values = numpy_broadcast(list(test.operands))
    except BroadcastError as error:
        location = test.location if error.value is None else error.value.location
        location.emit_error(str(error))
        return False
    attributes: dict[str, ir.Attribute] = {
        "call_target_name": ir.StringAttr.get("numpy_broadcasted"),
        "has_side_effect": ir.BoolAttr.get(True),
    }
    results = [result.type for result in test.results]
    call = ir.Operation.create("stablehlo.custom_call", results, values, attributes)
    rewriter.replace(test, call.results)
    return True


def _run(function: ir.Operation, options: Options) -> None:
    apply_patterns(function, [("hlo_test_broadcast.numpy_broadcast", _replace, 1)])


PASS = Pass(
    "hlo-test-broadcast",
    "replace hlo_test_broadcast.numpy_broadcast by custom calls of the broadcast values",
    _run,
    anchor="func.func",
)
