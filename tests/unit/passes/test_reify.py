"""Shapes that are computed separately equal the shapes of the results."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import hlokit
from hlokit.mlir.parse import Accepted, parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import functions
from hlokit.passes import infer
from hlokit.passes.framework.registry import Options
from hlokit.passes.reify import reifiable, reified_shapes
from tests.unit.passes.interfaces import implementing

CONTEXT = make_context()


class Case(NamedTuple):
    operation: str
    result: str
    parameters: str
    arguments: tuple[Any, ...]
    rank: int
    size: str = "index"


def floats(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def i32(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


F1, F2, F3 = "tensor<?xf32>", "tensor<?x?xf32>", "tensor<?x?x?xf32>"
REDUCER = """({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  })"""

CASES = [
    Case(f"stablehlo.cosine %a : {F2}", F2, f"%a: {F2}", (floats(3, 0),), 2),
    Case(
        f"stablehlo.clamp %b, %a, %b : (tensor<f32>, {F2}, tensor<f32>) -> {F2}",
        F2,
        f"%a: {F2}, %b: tensor<f32>",
        (floats(3, 2), floats(1)[0]),
        2,
    ),
    Case(
        f"stablehlo.select %p, %a, %a : tensor<i1>, {F1}",
        F1,
        f"%p: tensor<i1>, %a: {F1}",
        (np.bool_(True), floats(4)),
        1,
    ),
    Case(
        f'"stablehlo.broadcast"(%a) {{broadcast_sizes = array<i64: 2, 3>}} : ({F1}) -> {F3}',
        F3,
        f"%a: {F1}",
        (floats(5),),
        3,
    ),
    Case(
        f"stablehlo.concatenate %a, %b, %a, dim = 1 : ({F2}, {F2}, {F2}) -> {F2}",
        F2,
        f"%a: {F2}, %b: {F2}",
        (floats(2, 3), floats(2, 0)),
        2,
    ),
    Case(
        f"stablehlo.dot_general %a, %b, batching_dims = [2] x [0], contracting_dims = [0] x [2] : ({F3}, {F3}) -> {F3}",
        F3,
        f"%a: {F3}, %b: {F3}",
        (floats(2, 5, 3), floats(3, 4, 2)),
        3,
    ),
    Case(
        f"stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : ({F1}, tensor<3xi32>) -> {F3}",
        F3,
        f"%a: {F1}, %s: tensor<3xi32>",
        (floats(1), i32(2, 4, 3)),
        3,
    ),
    Case(
        f"stablehlo.dynamic_reshape %a, %s : ({F1}, tensor<2xi32>) -> {F2}",
        F2,
        f"%a: {F1}, %s: tensor<2xi32>",
        (floats(6), i32(2, 3)),
        2,
    ),
    Case(
        f"stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> {F2}",
        F2,
        "%s: tensor<2xi32>",
        (i32(4, 1),),
        2,
    ),
    *(
        Case(
            f"stablehlo.pad %a, %b, low = [{low}], high = [{high}], interior = [{interior}] : ({F1}, tensor<f32>) -> {F1}",
            F1,
            f"%a: {F1}, %b: tensor<f32>",
            (floats(size), floats(1)[0]),
            1,
        )
        for low, high, interior, size in [(1, 2, 0, 3), (-1, 0, 2, 4), (3, 0, 5, 0), (0, 0, 1, 1)]
    ),
    *(
        Case(
            f"stablehlo.dynamic_pad %a, %b, %l, %h, %i : ({F1}, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> {F1}",
            F1,
            f"%a: {F1}, %b: tensor<f32>, %l: tensor<1xi32>, %h: tensor<1xi32>, %i: tensor<1xi32>",
            (floats(size), floats(1)[0], i32(low), i32(high), i32(interior)),
            1,
            "i32",
        )
        for low, high, interior, size in [(1, 2, 0, 3), (-1, 0, 2, 4), (3, 0, 5, 0), (0, 0, 1, 1)]
    ),
    *(
        Case(
            f"stablehlo.real_dynamic_slice %a, %l, %h, %s : ({F1}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> {F1}",
            F1,
            f"%a: {F1}, %l: tensor<1xi32>, %h: tensor<1xi32>, %s: tensor<1xi32>",
            (floats(9), i32(start), i32(limit), i32(stride)),
            1,
            "i32",
        )
        for start, limit, stride in [(0, 9, 1), (2, 9, 3), (1, 8, 4), (5, 5, 2)]
    ),
    Case(
        f"""\"stablehlo.gather\"(%a, %i) {{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0>,
    slice_sizes = array<i64: 2, 1>}} : ({F2}, tensor<2x?xi32>) -> {F2}""",
        F2,
        f"%a: {F2}, %i: tensor<2x?xi32>",
        (floats(4, 3), np.zeros((2, 5), np.int32)),
        2,
    ),
    Case(
        f"""\"stablehlo.dynamic_gather\"(%a, %i, %s) {{
    dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [], operand_batching_dims = [1],
        start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 1>
  }} : ({F3}, tensor<?x1xi32>, tensor<3xi32>) -> {F3}""",
        F3,
        f"%a: {F3}, %i: tensor<?x1xi32>, %s: tensor<3xi32>",
        (floats(4, 5, 7), np.zeros((5, 1), np.int32), i32(4, 1, 3)),
        3,
    ),
    Case(
        f'"stablehlo.reduce"(%a, %b) {REDUCER} {{dimensions = array<i64: 2, 0>}} : ({F3}, tensor<f32>) -> {F1}',
        F1,
        f"%a: {F3}, %b: tensor<f32>",
        (floats(2, 5, 3), floats(1)[0]),
        1,
    ),
    Case(
        f'"stablehlo.reduce"(%a, %b) {REDUCER} {{dimensions = array<i64: 0>}} : ({F1}, tensor<f32>) -> tensor<f32>',
        "tensor<f32>",
        f"%a: {F1}, %b: tensor<f32>",
        (floats(3), floats(1)[0]),
        0,
    ),
    Case(
        f"stablehlo.transpose %a, dims = [2, 0, 1] : ({F3}) -> {F3}", F3, f"%a: {F3}", (floats(2, 3, 4),), 3
    ),
    Case(
        f"stablehlo.bitcast_convert %a : ({F2}) -> tensor<?x?xi32>",
        "tensor<?x?xi32>",
        f"%a: {F2}",
        (floats(3, 2),),
        2,
    ),
    Case(
        f"chlo.broadcast_multiply %a, %b : ({F1}, {F3}) -> {F3}",
        F3,
        f"%a: {F1}, %b: {F3}",
        (floats(4), floats(2, 3, 1)),
        3,
    ),
    Case(
        f"chlo.broadcast_select %p, %a, %b : (tensor<?xi1>, {F2}, {F1}) -> {F2}",
        F2,
        f"%p: tensor<?xi1>, %a: {F2}, %b: {F1}",
        (np.ones(1, np.bool_), floats(3, 1), floats(4)),
        2,
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.operation.split()[0].strip('"').split('"')[0])
def test_the_shape_is_that_of_the_result(case: Case) -> None:
    sizes = f"tensor<{case.rank}x{case.size}>"
    module = parse_text(
        CONTEXT,
        f"""func.func @main({case.parameters}) -> ({case.result}, {sizes}) {{
  %0 = {case.operation}
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : ({case.result}) -> {sizes}
  return %0, %sizes : {case.result}, {sizes}
}}""",
        accepted=Accepted(unregistered=True),
    )
    infer.PASS.run(functions(module)["main"], Options({}))
    assert "hlo_test_infer" not in str(module)
    # Shapes are computed by other dialects, or are an operand.
    program = hlokit.load(str(module))
    result, shape = program(*case.arguments)
    assert tuple(np.asarray(shape)) == np.shape(result)


def test_operations_without_a_reified_shape_leave_no_code() -> None:
    text = "func.func @main(%a: tensor<?xf32>) -> tensor<?x4xi8> {\n"
    text += "  %0 = stablehlo.bitcast_convert %a : (tensor<?xf32>) -> tensor<?x4xi8>\n"
    text += "  return %0 : tensor<?x4xi8>\n}"
    module = parse_text(CONTEXT, text)
    before = str(module)
    operation = next(iter(functions(module)["main"].regions[0].blocks[0].operations)).operation
    with CONTEXT, ir.InsertionPoint(operation), operation.location:
        assert reified_shapes(operation) is None
    assert str(module) == before


def test_reifiable_operations_have_the_interface() -> None:
    assert implementing(ir.InferShapedTypeOpInterface) >= reifiable()
