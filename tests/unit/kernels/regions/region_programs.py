"""Programs of one operation with a region, as MLIR text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType
from tests.unit.kernels.one_op import Shape, tensor

# The text of a region's body: its operations and their terminator, for arguments %a0, %a1..., %b0, %b1...
Body = Callable[[Sequence[TensorType]], str]


def apply(name: str) -> Body:
    """A body of one operation on its two arguments."""
    return lambda types: f"%0 = stablehlo.{name} %a0, %b0 : {types[0]}\n stablehlo.return %0 : {types[0]}"


def compose(types: Sequence[TensorType]) -> str:
    """(a0 a1, a0 b1 + b0): composition of x -> a x + b, which is associative, but does not commute."""
    t = types[0]
    return f"""
      %0 = stablehlo.multiply %a0, %b0 : {t}
      %1 = stablehlo.multiply %a0, %b1 : {t}
      %2 = stablehlo.add %1, %a1 : {t}
      stablehlo.return %0, %2 : {t}, {t}"""


def through_reshape(body: Body) -> Body:
    """The same, after an operation that is not pointwise."""
    return lambda types: (
        f"""
      %s0 = stablehlo.reshape %a0 : ({types[0]}) -> tensor<1x{types[0].element_type}>
      %s1 = stablehlo.reshape %s0 : (tensor<1x{types[0].element_type}>) -> {types[0]}
      {body(types).replace("%a0", "%s1")}"""
    )


def two_sides(types: Sequence[TensorType]) -> str:
    """`%a0: t, %a1: u, %b0: t, %b1: u`"""
    return ", ".join(f"%{side}{index}: {type_}" for side in "ab" for index, type_ in enumerate(types))


def _listed(items: Sequence[object]) -> str:
    return ", ".join(map(str, items))


def _main(
    operands: Sequence[TensorType], results: Sequence[TensorType], operation: Callable[[str, str], str]
) -> str:
    names = [f"%x{index}" for index in range(len(operands))]
    parameters = _listed([f"{name}: {type_}" for name, type_ in zip(names, operands, strict=True)])
    outputs = _listed(results)
    called = operation(_listed(names), f"({_listed(operands)}) -> ({outputs})")
    returned = _listed([f"%r#{index}" for index in range(len(results))])
    return f"""
      func.func @main({parameters}) -> ({outputs}) {{
        %r:{len(results)} = {called}
        return {returned} : {outputs}
      }}"""


def _array(values: Sequence[int]) -> str:
    return f"array<i64{': ' if values else ''}{_listed(values)}>"


def reduce_program(
    shape: Shape,
    element_types: Sequence[ElementType],
    dimensions: Sequence[int],
    body: Body,
    wide: ElementType | None = None,
) -> str:
    """`wide`: of the body and the results, if it is another type."""
    outer = [size for axis, size in enumerate(shape) if axis not in dimensions]
    inner = [wide or type_ for type_ in element_types]
    scalars = [tensor((), type_) for type_ in inner]
    operands = [tensor(shape, type_) for type_ in element_types] + [
        tensor((), type_) for type_ in element_types
    ]
    return _main(
        operands,
        [tensor(outer, type_) for type_ in inner],
        lambda names, signature: (
            f"""
          "stablehlo.reduce"({names}) ({{
            ^bb0({two_sides(scalars)}):
              {body(scalars)}
          }}) {{dimensions = {_array(dimensions)}}} : {signature}"""
        ),
    )


@dataclass(frozen=True)
class Window:
    """Along one axis. Names are the spec's."""

    size: int = 1
    stride: int = 1
    base_dilation: int = 1
    dilation: int = 1
    low: int = 0
    high: int = 0

    def padded(self, size: int) -> int:
        dilated = 0 if size == 0 else (size - 1) * self.base_dilation + 1
        return self.low + dilated + self.high

    def count(self, size: int) -> int:
        dilated = (self.size - 1) * self.dilation + 1
        padded = self.padded(size)
        return 0 if padded == 0 or dilated > padded else (padded - dilated) // self.stride + 1


def _window_attributes(windows: Sequence[Window], *, dilated: bool) -> str:
    padding = f"dense<{[[w.low, w.high] for w in windows]}> : tensor<{len(windows)}x2xi64>"
    dilations = f"""
      base_dilations = {_array([w.base_dilation for w in windows])},
      window_dilations = {_array([w.dilation for w in windows])},"""
    return f"""
      window_dimensions = {_array([w.size for w in windows])},
      window_strides = {_array([w.stride for w in windows])},{dilations if dilated else ""}
      padding = {padding if windows else "dense<> : tensor<0x2xi64>"}"""


def reduce_window_program(
    shape: Shape, element_types: Sequence[ElementType], windows: Sequence[Window], body: Body
) -> str:
    outer = [w.count(size) for w, size in zip(windows, shape, strict=True)]
    scalars = [tensor((), type_) for type_ in element_types]
    return _main(
        [tensor(shape, type_) for type_ in element_types] + scalars,
        [tensor(outer, type_) for type_ in element_types],
        lambda names, signature: (
            f"""
          "stablehlo.reduce_window"({names}) ({{
            ^bb0({two_sides(scalars)}):
              {body(scalars)}
          }}) {{{_window_attributes(windows, dilated=True)}}} : {signature}"""
        ),
    )


def select_and_scatter_program(
    shape: Shape, type_: ElementType, windows: Sequence[Window], select: Body, scatter: Body
) -> str:
    outer = [w.count(size) for w, size in zip(windows, shape, strict=True)]
    scalar = tensor((), type_)
    return _main(
        [tensor(shape, type_), tensor(outer, type_), scalar],
        [tensor(shape, type_)],
        lambda names, signature: (
            f"""
          "stablehlo.select_and_scatter"({names}) ({{
            ^bb0(%a0: {scalar}, %b0: {scalar}):
              {select([scalar])}
          }}, {{
            ^bb0(%a0: {scalar}, %b0: {scalar}):
              {scatter([scalar])}
          }}) {{{_window_attributes(windows, dilated=False)}}} : {signature}"""
        ),
    )


def sort_program(
    shape: Shape,
    element_types: Sequence[ElementType],
    dimension: int,
    comparator: Body,
    *,
    is_stable: bool = True,
) -> str:
    """Arguments %a of the comparator are those of the left element, %b those of the right one."""
    types = [tensor(shape, type_) for type_ in element_types]
    scalars = [tensor((), type_) for type_ in element_types]
    sides = _listed([f"%{side}{index}: {type_}" for index, type_ in enumerate(scalars) for side in "ab"])
    return _main(
        types,
        types,
        lambda names, signature: (
            f"""
          "stablehlo.sort"({names}) ({{
            ^bb0({sides}):
              {comparator(scalars)}
          }}) {{dimension = {dimension} : i64, is_stable = {str(is_stable).lower()}}} : {signature}"""
        ),
    )


def compare(direction: str, lhs: str, rhs: str, type_: TensorType, *, total: bool = False) -> str:
    """`stablehlo.compare` with the compare type of the element type."""
    match type_.element_type.kind:
        case Kind.FLOAT | Kind.COMPLEX:
            kind = "TOTALORDER" if total else "FLOAT"
        case Kind.SIGNED:
            kind = "SIGNED"
        case _:
            kind = "UNSIGNED"
    return f"stablehlo.compare {direction}, {lhs}, {rhs}, {kind} : ({type_}, {type_}) -> tensor<i1>"


def comparing(
    direction: str, *, lhs: str = "%a0", rhs: str = "%b0", key: int = 0, total: bool = False
) -> Body:
    """A comparator of one comparison."""
    return lambda types: (
        f"%0 = {compare(direction, lhs, rhs, types[key], total=total)}\n stablehlo.return %0 : tensor<i1>"
    )
