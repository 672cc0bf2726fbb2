"""Steps of random programs: sums of products."""

from __future__ import annotations

from math import prod

from tests.generate.builder import Builder, may_sum
from tests.generate.values import COMPLEX, F32, F64, I32, TYPE, Rule, array


def dot(b: Builder) -> None:
    lhs = b.any(
        lambda value: len(value.shape) in (1, 2, 3) and value.type.kind != "bool" and value.type.digits >= 8
    )
    if not lhs.shape or not may_sum(b, lhs.type):
        return
    rank = len(lhs.shape)
    contracted = b.random.randrange(rank)
    batches = [i for i in range(rank) if i != contracted and b.random.random() < 0.3]
    # The right side: batch dimensions, a dimension of its own, the contracted one.
    own = b.random.randint(1, 3)
    rhs_shape = (*(lhs.shape[i] for i in batches), own, lhs.shape[contracted])
    rhs = b.constant(lhs.type, rhs_shape) if b.exact else b.of(lhs.type, rhs_shape)
    free = [lhs.shape[i] for i in range(rank) if i != contracted and i not in batches]
    shape = (*(lhs.shape[i] for i in batches), *free, own)
    if b.is_too_large(shape):
        return
    numbers = (
        f"#stablehlo.dot<lhs_batching_dimensions = {batches}, rhs_batching_dimensions = {list(range(len(batches)))}, "
        f"lhs_contracting_dimensions = [{contracted}], rhs_contracting_dimensions = [{len(batches) + 1}]>"
    )
    count = max(lhs.shape[contracted], 1)
    limit = None
    if lhs.limit is not None and rhs.limit is not None:
        limit = lhs.limit * rhs.limit * count * (2 if lhs.type.kind == "complex" else 1)
    b.apply(
        "dot_general",
        lhs,
        rhs,
        shape=shape,
        attributes=f"{{dot_dimension_numbers = {numbers}}}",
        limit=limit,
        scale=lhs.scale + rhs.scale,
        rule=Rule("product", (lhs, rhs), 4 * count),
    )


def convolution(b: Builder) -> None:
    type_ = b.random.choice([F32, F64, I32, TYPE["f16"], COMPLEX[0]])
    if not may_sum(b, type_):
        return
    groups = b.random.choice([1, 1, 2])
    batch, features, outputs = (
        b.random.randint(1, 2),
        groups * b.random.randint(1, 2),
        groups * b.random.randint(1, 2),
    )
    height, width = b.random.randint(1, 5), b.random.randint(1, 5)
    kernel = (b.random.randint(1, 3), b.random.randint(1, 3))
    lhs = b.constant(type_, (batch, features, height, width), -3, 3)
    rhs = b.constant(type_, (outputs, features // groups, *kernel), -3, 3)
    strides, bases, dilations = ([b.random.randint(1, 2) for _ in range(2)] for _ in range(3))
    padding = [[b.random.randint(0, 2), b.random.randint(0, 2)] for _ in range(2)]
    shape = []
    for i, size in enumerate((height, width)):
        padded = (size - 1) * bases[i] + 1 + sum(padding[i])
        reach = (kernel[i] - 1) * dilations[i] + 1
        shape.append(0 if reach > padded else (padded - reach) // strides[i] + 1)
    attributes = (
        f"{{window_strides = {array(strides)}, padding = dense<{padding}> : tensor<2x2xi64>, "
        f"lhs_dilation = {array(bases)}, rhs_dilation = {array(dilations)}, "
        "dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, "
        f"feature_group_count = {groups} : i64, batch_group_count = 1 : i64}}"
    )
    limit = 9 * features * prod(kernel) * 2
    b.apply("convolution", lhs, rhs, shape=(batch, outputs, *shape), attributes=attributes, limit=limit)


PRODUCTS = {dot: 3, convolution: 2}
