"""Programs that add, of one kind each, and operands for them: `sums_programs` lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.values.element_types import ELEMENT_TYPES, Kind

Array = np.ndarray[Any, Any]
Shape = Sequence[int]


class SumCase(NamedTuple):
    """A program and operands for it; `is_large` where the reference would take long."""

    text: str
    arguments: list[Array]
    is_large: bool = False


def values(shape: Shape, type_: str, seed: int = 0) -> Array:
    """Normally distributed, some of them zeros of either sign; integers from -9 to 9."""
    random, element_type = np.random.default_rng(seed), ELEMENT_TYPES[type_]
    if element_type.kind.is_integer or element_type.kind is Kind.BOOL:
        low = -9 if element_type.kind is Kind.SIGNED else 0
        return np.asarray(random.integers(low, 10, shape), element_type.dtype)
    array = random.standard_normal(shape)
    array = np.where(random.random(shape) < 0.05, np.copysign(0.0, array), array)
    if element_type.kind is Kind.COMPLEX:
        array = array + 1j * random.standard_normal(shape)
    return np.asarray(array, element_type.dtype)


def tensor(shape: Shape, type_: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{type_}>"


def case(
    operands: Sequence[tuple[Shape, str]],
    result: str | Sequence[str],
    body: str,
    *,
    is_large: bool = False,
    arguments: Sequence[Array] = (),
) -> SumCase:
    """A program whose last line gives the result %r from the operands %0, %1, ..."""
    types = [tensor(shape, type_) for shape, type_ in operands]
    results = [result] if isinstance(result, str) else list(result)
    names = ", ".join(f"%{k}: {type_}" for k, type_ in enumerate(types))
    returned = "%r" if len(results) == 1 else ", ".join(f"%r#{k}" for k in range(len(results)))
    text = f"""func.func @main({names}) -> ({", ".join(results)}) {{
      {body}
      return {returned} : {", ".join(results)}
    }}"""
    given = arguments or [values(shape, type_, k) for k, (shape, type_) in enumerate(operands)]
    return SumCase(text, list(given), is_large)


def region(type_: str, name: str = "add") -> str:
    """A region of one operation."""
    return f"""({{ ^bb0(%a: tensor<{type_}>, %b: tensor<{type_}>):
        %c = stablehlo.{name} %a, %b : tensor<{type_}>
        "stablehlo.return"(%c) : (tensor<{type_}>) -> () }})"""


def own_region(type_: str) -> str:
    """A region whose result depends on the order, and which is neither sum nor product."""
    return f"""({{ ^bb0(%a: tensor<{type_}>, %b: tensor<{type_}>):
        %half = stablehlo.constant dense<0.5> : tensor<{type_}>
        %c = stablehlo.multiply %a, %half : tensor<{type_}>
        %d = stablehlo.add %c, %b : tensor<{type_}>
        "stablehlo.return"(%d) : (tensor<{type_}>) -> () }})"""


def looping_region(type_: str) -> str:
    """A region that is evaluated one pair of values at a time: it has a branch."""
    return f"""({{ ^bb0(%a: tensor<{type_}>, %b: tensor<{type_}>):
        %p = stablehlo.compare LT, %a, %b : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
        %c = "stablehlo.if"(%p) ({{
          %half = stablehlo.constant dense<0.5> : tensor<{type_}>
          %x = stablehlo.multiply %a, %half : tensor<{type_}>
          "stablehlo.return"(%x) : (tensor<{type_}>) -> () }}, {{
          "stablehlo.return"(%a) : (tensor<{type_}>) -> () }}) : (tensor<i1>) -> tensor<{type_}>
        %d = stablehlo.add %c, %b : tensor<{type_}>
        "stablehlo.return"(%d) : (tensor<{type_}>) -> () }})"""


# Reductions -------------------------------------------------------------------------------------------


def reduce(shape: Shape, axes: Sequence[int], type_: str, body: str, *, is_large: bool = False) -> SumCase:
    kept = tensor([size for axis, size in enumerate(shape) if axis not in axes], type_)
    return case(
        [(shape, type_), ((), type_)],
        kept,
        f"""%r = "stablehlo.reduce"(%0, %1) {body} {{dimensions = array<i64: {", ".join(map(str, axes))}>}}
          : ({tensor(shape, type_)}, tensor<{type_}>) -> {kept}""",
        is_large=is_large,
    )


def arg_extremum(shape: Shape, axis: int, type_: str, direction: str) -> SumCase:
    """The extremum and its least index, as JAX writes it; %1 are the indices."""
    kept = [size for k, size in enumerate(shape) if k != axis]
    array, indices = tensor(shape, type_), tensor(shape, "i32")
    least = np.array(-np.inf if direction == "GT" else np.inf, ELEMENT_TYPES[type_].dtype)
    body = f"""
      %r:2 = "stablehlo.reduce"(%0, %1, %2, %3) ({{
        ^bb0(%a: tensor<{type_}>, %i: tensor<i32>, %b: tensor<{type_}>, %j: tensor<i32>):
        %p = stablehlo.compare {direction}, %a, %b : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
        %n = stablehlo.compare NE, %a, %a : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
        %q = stablehlo.or %p, %n : tensor<i1>
        %e = stablehlo.compare EQ, %a, %b : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
        %l = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %t = stablehlo.and %e, %l : tensor<i1>
        %w = stablehlo.or %q, %t : tensor<i1>
        %v = stablehlo.select %q, %a, %b : tensor<i1>, tensor<{type_}>
        %k = stablehlo.select %w, %i, %j : tensor<i1>, tensor<i32>
        "stablehlo.return"(%v, %k) : (tensor<{type_}>, tensor<i32>) -> () }})
        {{dimensions = array<i64: {axis}>}}
        : ({array}, {indices}, tensor<{type_}>, tensor<i32>) -> ({tensor(kept, type_)}, {tensor(kept, "i32")})"""
    given = values(shape, type_)
    places = np.moveaxis(
        np.broadcast_to(np.arange(shape[axis], dtype=np.int32), (*kept, shape[axis])), -1, axis
    )
    return case(
        [(shape, type_), (shape, "i32"), ((), type_), ((), "i32")],
        [tensor(kept, type_), tensor(kept, "i32")],
        body,
        arguments=[given, np.array(places), least, np.array(0, np.int32)],
    )


def two_sums(shape: Shape, axes: Sequence[int], type_: str) -> SumCase:
    """Two arrays reduced together, each by addition."""
    kept = tensor([size for axis, size in enumerate(shape) if axis not in axes], type_)
    scalar, array = f"tensor<{type_}>", tensor(shape, type_)
    return case(
        [(shape, type_), (shape, type_), ((), type_), ((), type_)],
        [kept, kept],
        f"""%r:2 = "stablehlo.reduce"(%0, %1, %2, %3) ({{
          ^bb0(%a: {scalar}, %b: {scalar}, %c: {scalar}, %d: {scalar}):
          %x = stablehlo.add %a, %c : {scalar}
          %y = stablehlo.add %b, %d : {scalar}
          "stablehlo.return"(%x, %y) : ({scalar}, {scalar}) -> () }})
          {{dimensions = array<i64: {", ".join(map(str, axes))}>}}
          : ({array}, {array}, {scalar}, {scalar}) -> ({kept}, {kept})""",
    )


# Windows ----------------------------------------------------------------------------------------------


def windows(
    shape: Shape,
    window: Shape,
    type_: str,
    body: str,
    *,
    strides: Shape | None = None,
    dilations: Shape | None = None,
    base: Shape | None = None,
    padding: Sequence[tuple[int, int]] | None = None,
    init: float | None = None,
    is_large: bool = False,
) -> SumCase:
    ones = (1,) * len(shape)
    strides, dilations, base = strides or ones, dilations or ones, base or ones
    padding = padding or ((0, 0),) * len(shape)
    result = [
        (low + (size - 1) * b + 1 + high - (n - 1) * d - 1) // s + 1
        for size, n, s, d, b, (low, high) in zip(
            shape, window, strides, dilations, base, padding, strict=True
        )
    ]

    def numbers(sizes: Shape) -> str:
        return f"array<i64: {', '.join(map(str, sizes))}>"

    pairs = [list(pair) for pair in padding]
    first = [] if init is None else [values(shape, type_), np.array(init, ELEMENT_TYPES[type_].dtype)]
    return case(
        [(shape, type_), ((), type_)],
        tensor(result, type_),
        f"""%r = "stablehlo.reduce_window"(%0, %1) {body} {{window_dimensions = {numbers(window)},
          window_strides = {numbers(strides)}, base_dilations = {numbers(base)},
          window_dilations = {numbers(dilations)}, padding = dense<{pairs}> : tensor<{len(shape)}x2xi64>}}
          : ({tensor(shape, type_)}, tensor<{type_}>) -> {tensor(result, type_)}""",
        arguments=first,
        is_large=is_large,
    )


def cumulative(
    shape: Shape, axis: int, type_: str, name: str, *, is_reverse: bool = False, is_large: bool = False
) -> SumCase:
    size = shape[axis]
    window = [size if k == axis else 1 for k in range(len(shape))]
    edge = (0, size - 1) if is_reverse else (size - 1, 0)
    padding = [edge if k == axis else (0, 0) for k in range(len(shape))]
    init = 0.0 if name == "add" else 1.0
    return windows(shape, window, type_, region(type_, name), padding=padding, init=init, is_large=is_large)


def select_and_scatter(
    shape: Shape, window: Shape, strides: Shape, type_: str, scatter: str, direction: str = "GE"
) -> SumCase:
    source = [(size - n) // s + 1 for size, n, s in zip(shape, window, strides, strict=True)]
    select = f"""({{ ^bb0(%a: tensor<{type_}>, %b: tensor<{type_}>):
        %c = stablehlo.compare {direction}, %a, %b : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
        "stablehlo.return"(%c) : (tensor<i1>) -> () }}"""
    return case(
        [(shape, type_), (source, type_), ((), type_)],
        tensor(shape, type_),
        f"""%r = "stablehlo.select_and_scatter"(%0, %1, %2) {select}, {scatter.removeprefix("(")}
          {{window_dimensions = array<i64: {", ".join(map(str, window))}>,
            window_strides = array<i64: {", ".join(map(str, strides))}>}}
          : ({tensor(shape, type_)}, {tensor(source, type_)}, tensor<{type_}>) -> {tensor(shape, type_)}""",
    )


def scatter(rows: int, width: int, updates: int, type_: str, body: str) -> SumCase:
    """Updates of rows; places occur several times, and some lie outside."""
    places = np.random.default_rng(updates).integers(-1, rows + 1, (updates, 1)).astype(np.int32)
    shapes = [((rows, width), type_), ((updates, 1), "i32"), ((updates, width), type_)]
    result = tensor((rows, width), type_)
    return case(
        shapes,
        result,
        f"""%r = "stablehlo.scatter"(%0, %1, %2) {body}
          {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
            scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
          : ({", ".join(tensor(*each) for each in shapes)}) -> {result}""",
        arguments=[values((rows, width), type_), places, values((updates, width), type_, 2)],
    )


def collective(name: str, type_: str, body: str, attributes: str = "") -> SumCase:
    """The results of three processes: a collective operation that combines their operands."""
    whole, part = tensor((6, 2), type_), tensor((2, 2) if name == "reduce_scatter" else (6, 2), type_)
    made = case(
        [((6, 2), type_)] * 3,
        [part] * 3,
        f"""%r:3 = "interpreter.run_parallel"(%0, %1, %2) {{programs = [[@each], [@each], [@each]]}}
          : ({whole}, {whole}, {whole}) -> ({part}, {part}, {part})""",
    )
    each = f"""
    func.func @each(%operand: {whole}) -> {part} {{
      %result = "stablehlo.{name}"(%operand) {body} {{replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>{attributes}}}
        : ({whole}) -> {part}
      return %result : {part}
    }}"""
    return made._replace(text=made.text + each)


# Products ---------------------------------------------------------------------------------------------


def dot(
    lhs: tuple[Shape, str],
    rhs: tuple[Shape, str],
    result: str,
    *,
    batch: tuple[Shape, Shape] = ((), ()),
    contracting: tuple[Shape, Shape] = ((1,), (0,)),
    more: str = "",
    is_large: bool = False,
) -> SumCase:
    shape = [lhs[0][d] for d in batch[0]]
    for (sizes, _), k in ((lhs, 0), (rhs, 1)):
        shape += [size for d, size in enumerate(sizes) if d not in (*batch[k], *contracting[k])]
    type_ = tensor(shape, result)
    return case(
        [lhs, rhs],
        type_,
        f"""%r = stablehlo.dot_general %0, %1, batching_dims = {list(batch[0])} x {list(batch[1])},
          contracting_dims = {list(contracting[0])} x {list(contracting[1])}{more}
          : ({tensor(*lhs)}, {tensor(*rhs)}) -> {type_}""",
        is_large=is_large,
    )


def algorithm(lhs: str, accumulation: str, components: int, operations: int) -> str:
    return f""", algorithm = <lhs_precision_type = {lhs}, rhs_precision_type = {lhs},
      accumulation_type = {accumulation}, lhs_component_count = {components}, rhs_component_count = {components},
      num_primitive_operations = {operations}, allow_imprecise_accumulation = false>"""


def einsum(lhs: tuple[Shape, str], rhs: tuple[Shape, str], config: str, result: str) -> SumCase:
    return case(
        [lhs, rhs],
        result,
        f"""%r = "stablehlo.einsum"(%0, %1) {{einsum_config = "{config}"}}
          : ({tensor(*lhs)}, {tensor(*rhs)}) -> {result}""",
    )


def convolution(
    lhs: Shape,
    rhs: Shape,
    type_: str = "f32",
    *,
    layout: str = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
    stride: Shape = (1, 1),
    pad: Sequence[tuple[int, int]] = ((0, 0), (0, 0)),
    lhs_dilation: Shape = (1, 1),
    rhs_dilation: Shape = (1, 1),
    reverse: Sequence[bool] = (False, False),
    feature_groups: int = 1,
    batch_groups: int = 1,
    result_type: str | None = None,
    kernel: Array | None = None,
    is_large: bool = False,
) -> SumCase:
    inputs, kernels, outputs = [part.strip("[]").split(", ") for part in layout.replace("->", "x").split("x")]
    sizes = {name: lhs[k] for k, name in enumerate(inputs)}
    window = {name: rhs[k] for k, name in enumerate(kernels)}
    shape: list[int] = []
    for name in outputs:
        if name == "b":
            shape.append(sizes["b"] // batch_groups)
        elif name == "f":
            shape.append(window["o"])
        else:
            k = int(name)
            padded = (sizes[name] - 1) * lhs_dilation[k] + 1 + sum(pad[k])
            shape.append((padded - (window[name] - 1) * rhs_dilation[k] - 1) // stride[k] + 1)
    result = tensor(shape, result_type or type_)
    flags = ", ".join(str(each).lower() for each in reverse)
    made = case(
        [(lhs, type_), (rhs, type_)],
        result,
        f"""%r = stablehlo.convolution(%0, %1) dim_numbers = {layout},
          window = {{stride = {list(stride)}, pad = {[list(each) for each in pad]},
            lhs_dilate = {list(lhs_dilation)}, rhs_dilate = {list(rhs_dilation)}, reverse = [{flags}]}}
          {{batch_group_count = {batch_groups} : i64, feature_group_count = {feature_groups} : i64}}
          : ({tensor(lhs, type_)}, {tensor(rhs, type_)}) -> {result}""",
        is_large=is_large,
    )
    if kernel is not None:
        made.arguments[1] = np.asarray(kernel, made.arguments[1].dtype)
    return made


# Batch normalisation ----------------------------------------------------------------------------------


def batch_norm(kind: str, shape: Shape, axis: int, type_: str, *, is_large: bool = False) -> SumCase:
    array, features = (tuple(shape), type_), ((shape[axis],), type_)
    one, all_ = tensor(*features), tensor(*array)
    attributes = f"{{epsilon = 1.0e-3 : f32, feature_index = {axis} : i64}}"
    operands, results = {
        "inference": ([array, features, features, features, features], [all_]),
        "training": ([array, features, features], [all_, one, one]),
        "grad": ([array, features, features, features, array], [all_, one, one]),
    }[kind]
    names = ", ".join(f"%{k}" for k in range(len(operands)))
    types = ", ".join(tensor(*each) for each in operands)
    count = "" if len(results) == 1 else f":{len(results)}"
    made = case(
        operands,
        results,
        f'%r{count} = "stablehlo.batch_norm_{kind}"({names}) {attributes} : ({types}) -> ({", ".join(results)})',
        is_large=is_large,
    )
    variance = {"inference": 4, "grad": 3}.get(kind)
    if variance is not None:
        made.arguments[variance] = np.abs(made.arguments[variance])
    return made
