"""Straight lines of small operations as one native call: the same results as without, and what is left alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

import hlokit
from hlokit import _native
from hlokit.interpreter import segments
from hlokit.interpreter.run import generate
from hlokit.interpreter.segments import SegmentKernel, segmented
from hlokit.interpreter.steps import Plan
from tests.unit.interpreter.array_programs import straight
from tests.unit.interpreter.plans import block_of, plan_of
from tests.unit.interpreter.test_array_loops import arguments, same

Array = npt.NDArray[Any]


def read_only(array: Array) -> Array:
    array = array.copy()
    array.flags.writeable = False
    return array


def strided(array: Array) -> Array:
    """The same elements, none beside its neighbour."""
    wide = np.repeat(array[..., None], 3, -1)
    return wide[..., 1]


def reversed_(array: Array) -> Array:
    return array[(slice(None, None, -1),) * array.ndim].copy()[(slice(None, None, -1),) * array.ndim]


def turned(array: Array) -> Array:
    return np.asfortranarray(array) if array.ndim else array


def segmented_all(plan: Plan) -> Plan:
    """With all segments that can be, whether they are worth it or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "_CALL", 0)
        patch.setattr(segments, "_VALUE", 0)
        return segmented(plan)


LAYOUTS: tuple[Callable[[Array], Array], ...] = (np.array, read_only, strided, reversed_, turned)


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_random_lines_equal_the_kernels(seed: int) -> None:
    random = Random(seed)
    text = straight(random)
    plan = plan_of(text)
    values = [random.choice(LAYOUTS)(each) for each in arguments()]
    before = [each.tobytes() for each in values]
    with np.errstate(all="ignore"):
        plain = generate(plan)(*values)
        ours = generate(segmented_all(plan))(*values)
    assert [each.tobytes() for each in values] == before, "an argument was written"
    for one, two in zip(ours, plain, strict=True):
        assert same(np.asarray(one), np.asarray(two)), text


def test_random_lines_have_segments() -> None:
    """Or the test above would show nothing."""
    plans = [segmented_all(plan_of(straight(Random(n)))) for n in range(20)]
    kernels = [step.kernel.function for plan in plans for step in plan.steps]
    assert sum(isinstance(each, SegmentKernel) for each in kernels) >= 60


def test_results_are_arrays_of_their_own() -> None:
    """Also those that are operands, constants or each other."""
    plan = segmented(
        plan_of("""
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<3xf32>, tensor<f32>) {
        %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
        %d = stablehlo.reverse %c, dims = [0] : tensor<3xf32>
        %0 = stablehlo.add %x, %x : tensor<4xf32>
        %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
        %2 = stablehlo.subtract %1, %x : tensor<4xf32>
        %3 = stablehlo.multiply %2, %1 : tensor<4xf32>
        %4 = stablehlo.add %3, %1 : tensor<4xf32>
        %5 = stablehlo.reshape %4 : (tensor<4xf32>) -> tensor<2x2xf32>
        %6 = stablehlo.maximum %4, %4 : tensor<4xf32>
        %7 = stablehlo.negate %6 : tensor<4xf32>
        %8 = stablehlo.negate %7 : tensor<4xf32>
        %9 = stablehlo.slice %8 [1:2] : (tensor<4xf32>) -> tensor<1xf32>
        %s = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
        return %4, %5, %x, %d, %s : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<3xf32>, tensor<f32>
      }""")
    )
    assert [type(step.kernel.function) for step in plan.steps] == [SegmentKernel]
    x = np.array([1, 2, 3, 4], np.float32)
    flat, square, same_, constant, scalar = generate(plan)(x)
    assert same_ is x
    assert flat.tolist() == square.reshape(-1).tolist() == [16, 240, 1224, 3904]
    assert constant.tolist() == [3, 2, 1]
    assert scalar == flat[1]
    assert scalar.shape == () and not isinstance(scalar, np.ndarray)
    assert not np.shares_memory(flat, square)
    assert all(each.flags.writeable for each in (flat, square, constant))


LINES = "\n".join(f"%{n + 1} = stablehlo.add %{n}, %0 : tensor<f32>" for n in range(200))
SCALARS = f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{LINES}\nreturn %200 : tensor<f32>\n}}"


def test_a_pointwise_block_takes_whole_arrays_also_after_it_ran_as_a_segment() -> None:
    block = block_of(SCALARS)
    for _ in range(3):
        assert block.run(np.float32(2)) == 402
    assert block.is_pointwise
    assert block.run(np.array([2, 1], np.float32)).tolist() == [402, 201]
    fresh = block_of(SCALARS)
    assert fresh.is_pointwise
    for _ in range(3):
        assert fresh.run(np.array([2, 1], np.float32)).tolist() == [402, 201]


def test_what_is_not_worth_it_stays() -> None:
    few = plan_of("""
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.add %x, %x : tensor<4xf32>
        %1 = stablehlo.multiply %0, %x : tensor<4xf32>
        return %1 : tensor<4xf32>
      }""")
    assert segmented(few) is few


def lines_of(type_: str, operation: str = "stablehlo.add") -> str:
    body = "\n".join(f"%{n + 1} = {operation} %{n}, %0 : {type_}" for n in range(20))
    return f"func.func @main(%0: {type_}) -> {type_} {{\n{body}\nreturn %20 : {type_}\n}}"


@pytest.mark.parametrize(
    ("type_", "is_known"),
    [("4xf32", True), ("64x63xbf16", True), ("5000xf32", False), ("4xcomplex<f32>", False), ("0xf32", False)],
)
def test_types_and_sizes(type_: str, is_known: bool) -> None:
    steps = segmented(plan_of(lines_of(f"tensor<{type_}>"))).steps
    assert any(isinstance(step.kernel.function, SegmentKernel) for step in steps) == is_known


def test_calls_are_part_of_segments() -> None:
    text = lines_of("tensor<4xf32>", "func.call @f").replace("%0 : tensor", "%0) : tensor")
    text = text.replace("@f %", "@f(%").replace(
        ") : tensor<4xf32>\n", ") : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    )
    text += """
      func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.maximum %a, %b : tensor<4xf32>
        %1 = stablehlo.add %0, %b : tensor<4xf32>
        return %1 : tensor<4xf32>
      }"""
    plan = plan_of(text)
    ours = segmented(plan)
    assert [type(step.kernel.function) for step in ours.steps] == [SegmentKernel]
    x = np.array([1, -2, 0.5, np.nan], np.float32)
    np.testing.assert_array_equal(generate(ours)(x), generate(plan)(x))


@pytest.mark.parametrize("name", ["segments", "native"])
def test_switches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(lines_of("tensor<4xf32>"))
    monkeypatch.setenv("HLOKIT_DISABLE", name)
    assert segmented(plan) is plan


def test_programs_give_the_same_each_time_they_run() -> None:
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    program = hlokit.load(lines_of("tensor<4xf32>", "stablehlo.multiply"))
    assert len({np.asarray(program(x)).tobytes() for _ in range(4)}) == 1


# The machine ---------------------------------------------------------------------------------------

ADD = _native.find_operation("add", "f32", "f32")


def segment(**changes: Any) -> Any:
    """x + x + constant of 4 elements, and scalar + 1; with something else than that."""
    given_: dict[str, Any] = {
        "types": ["f32"] * 7,
        "code": [(ADD, 3, 0, 0, 0), (ADD, 1, 3, 2, 0), (ADD, 5, 4, 6, 0)],
        "counts": [4, 4, 4, 4, -1, -1, -1],
        "numbers": [],
        "inputs": [(0, (2, 2)), (4, ())],
        "outputs": [(1, (4,)), (5, ())],
        "constants": [(2, np.arange(4, dtype=np.float32).tobytes()), (6, np.float32(1).tobytes())],
    }
    return _native.Segment(**given_ | changes)


def test_a_segment() -> None:
    x, result, scalar = (
        np.array([[1, 2], [3, 4]], np.float32),
        np.zeros(4, np.float32),
        np.zeros((), np.float32),
    )
    segment().run((x.T, np.float32(2)), [result, scalar])
    assert result.tolist() == [2, 7, 6, 11]
    assert scalar == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"code": [(-1, 0, 0, 0, 0)]},
        {"code": [(ADD, 0, 1, 1, 0)]},
        {"code": [(ADD, 2, 1, 1, 0)]},
        {"inputs": [(0, (4,)), (7, ())]},
        {"inputs": [(0, (4,)), (0, (4,))]},
        {"inputs": [(0, (5,))]},
        {"inputs": [(0, (1 << 33, 1 << 33, 1 << 62))]},
        {"inputs": [(4, (2,))]},
        {"outputs": [(1, (4,)), (1, (4,))]},
        {"outputs": [(9, (4,))]},
        {"constants": [(2, b"1234")]},
        {"constants": [(6, b"123456789")]},
        {"constants": [(0, bytes(16))]},
        {"constants": [(10, b"")]},
    ],
)
def test_malformed_segments(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must|no register"):
        segment(**changes)


def test_wrong_memory() -> None:
    x, result, scalar = np.zeros((2, 2), np.float32), np.zeros(4, np.float32), np.zeros((), np.float32)
    one = np.float32(1)
    wrong: list[tuple[Any, Any]] = [
        ((x,), [result, scalar]),
        ((x, one), [result]),
        ((x.reshape(4), one), [result, scalar]),
        ((x.astype(np.float64), one), [result, scalar]),
        ((x, one), [result[:3], scalar]),
        ((x, one), [x.reshape(4), scalar]),
        ((x, one), [result, result[1:2].reshape(())]),
        ((x, one), [np.zeros(17, np.uint8)[1:].view(np.float32), scalar]),
    ]
    for operands, results in wrong:
        with pytest.raises(ValueError, match="must"):
            segment().run(operands, results)
    result.flags.writeable = False
    with pytest.raises((BufferError, ValueError)):
        segment().run((x, one), [result, scalar])
    with pytest.raises(TypeError):
        segment().run(1, [result, scalar])
