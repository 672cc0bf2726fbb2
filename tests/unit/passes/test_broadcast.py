"""`numpy_broadcast` has the shapes of NumPy, and rejects the shapes that NumPy rejects."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import hlokit
from hlokit.mlir.parse import parse_text, verify_module
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import functions
from hlokit.passes.broadcast import BroadcastError, numpy_broadcast
from hlokit.values.element_types import F32
from hlokit.values.types import TensorType

CONTEXT = make_context()
shapes = st.lists(st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=3).map(tuple), min_size=1, max_size=4)


def broadcast(*types: TensorType) -> str:
    """A function that returns its arguments, broadcast."""
    parameters = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(types))
    module = parse_text(CONTEXT, f"func.func @main({parameters}) {{ return }}")
    main = functions(module)["main"]
    end = next(iter(main.regions[0].blocks[0].operations)).operation
    with CONTEXT, ir.InsertionPoint(end), end.location:
        results = numpy_broadcast(list(main.regions[0].blocks[0].arguments))
        ir.Operation.create("func.return", operands=results)
    end.erase()
    inputs = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value).inputs
    with CONTEXT:
        type_ = ir.FunctionType.get(inputs, [result.type for result in results])
        main.attributes["function_type"] = ir.TypeAttr.get(type_)
    assert verify_module(module) == []
    return str(module)


@given(shapes)
@settings(max_examples=60, deadline=None)
def test_static_shapes_as_numpy(shapes: list[tuple[int, ...]]) -> None:
    types = [TensorType(shape, F32) for shape in shapes]
    arguments = [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes]
    try:
        expected = np.broadcast_arrays(*arguments)
    except ValueError:
        with pytest.raises(BroadcastError, match="incompatible shapes for broadcasting"):
            broadcast(*types)
        return
    results = hlokit.load(broadcast(*types))(*arguments)
    for result, array in zip(results if len(shapes) > 1 else [results], expected, strict=True):
        np.testing.assert_array_equal(result, array)


def test_a_bounded_size_is_kept() -> None:
    bounded = TensorType((-1, 2), F32, (5, -1))
    text = broadcast(bounded, TensorType((2,), F32))
    assert text.count("set_dimension_size") == 1
    assert text.count("-> tensor<?x2xf32, #stablehlo.bounds<5, ?>>\n") == 1


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (TensorType((-1,), F32, (4,)), TensorType((4,), F32), "cannot mix bounded and static dimensions"),
        (TensorType((-1,), F32, (4,)), TensorType((-1,), F32, (5,)), "for broadcasting 4 and 5"),
        (TensorType((2, 3), F32), TensorType((3, 2), F32), "for broadcasting 3 and 2"),
    ],
)
def test_types_that_do_not_broadcast(one: TensorType, other: TensorType, message: str) -> None:
    with pytest.raises(BroadcastError, match=message) as caught:
        broadcast(one, other)
    assert caught.value.value is not None


def test_nothing_to_broadcast() -> None:
    with pytest.raises(BroadcastError, match="requires at least one operand to broadcast"):
        numpy_broadcast([])
