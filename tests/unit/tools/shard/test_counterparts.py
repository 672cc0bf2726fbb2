"""Bounds from the values of both runs: each operation is checked against its own operands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.tools.bounds.reordered import Bounds
from hlokit.tools.shard.comparison.counterparts import Counterparts, Pieces
from hlokit.tools.shard.notation.specs import AxisRef, Sharding
from hlokit.tools.shard.partitioners.answers import Traced
from hlokit.tools.shard.partitioners.hlo_shardings import shardings_in

# 12 layers: the proven bound of a run alone grows by a factor with each.
LAYERS = 12
SIZE = 32


def layers(count: int = LAYERS, size: int = SIZE) -> str:
    steps = "\n".join(
        f"""  %p{i} = stablehlo.dot_general %x{i}, %w, contracting_dims = [1] x [0]
    : (tensor<8x{size}xf32>, tensor<{size}x{size}xf32>) -> tensor<8x{size}xf32>
  %x{i + 1} = stablehlo.add %x{i}, %p{i} : tensor<8x{size}xf32>"""
        for i in range(count)
    )
    return f"""func.func @main(%x0: tensor<8x{size}xf32>, %w: tensor<{size}x{size}xf32>) -> tensor<8x{size}xf32> {{
{steps}
  return %x{count} : tensor<8x{size}xf32>
}}"""


ARGUMENTS = [
    np.random.default_rng(3).standard_normal(shape).astype(np.float32) for shape in ((8, SIZE), (SIZE, SIZE))
]
INS = {"0": "P(None, 'model')", "1": "P('model')"}


def widths(sharded: hlokit.Sharded, *, knows_others: bool) -> float:
    """The largest radius of the result, as a part of its largest element."""
    whole = sharded.request.prepared(sharded.partitioner)
    others = None
    if knows_others:
        pieces = Pieces(sharded.program.module, sharded.traced, sharded.mesh)
        sharded._run(ARGUMENTS, observer=pieces)
        others = Counterparts(whole.module, pieces)
    bounds = Bounds(whole, sharded.mesh.count, others)
    (result,) = whole.runs.evaluate(ARGUMENTS, "main", observer=bounds)
    return float(bounds.radius(result).max() / np.abs(result).max())


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_bounds_do_not_grow_with_the_program(partitioner: str) -> None:
    sharded = hlokit.shard(hlokit.load(layers()), "model=4", INS, partitioner=partitioner)
    assert widths(sharded, knows_others=False) > 0.01
    assert widths(sharded, knows_others=True) < 1e-6
    check = sharded.check(*ARGUMENTS)
    (compared,) = check.compared
    assert check.is_right and compared.is_proven
    assert 0 < compared.difference <= compared.bound < 1e-6 * np.abs(np.asarray(sharded(*ARGUMENTS))).max()


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_loops(partitioner: str) -> None:
    text = f"""func.func @main(%x: tensor<8x{SIZE}xf32>, %w: tensor<{SIZE}x{SIZE}xf32>) -> tensor<8x{SIZE}xf32> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<{LAYERS}> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<8x{SIZE}xf32>
        cond {{
          %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }} do {{
          %p = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
            : (tensor<8x{SIZE}xf32>, tensor<{SIZE}x{SIZE}xf32>) -> tensor<8x{SIZE}xf32>
          %b = stablehlo.add %a, %p : tensor<8x{SIZE}xf32>
          %n = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %n, %b : tensor<i32>, tensor<8x{SIZE}xf32>
        }}
      return %0#1 : tensor<8x{SIZE}xf32>
    }}"""
    program = hlokit.load(text)
    if partitioner == "shardy":
        try:
            sharded = hlokit.shard(program, "model=4", INS)
        except hlokit.HlokitError as error:  # with jaxlib 0.10.2
            assert "condition block arguments" in str(error)
            return
    else:
        sharded = hlokit.shard(program, "model=4", INS, partitioner="xla")
    (compared,) = sharded.check(*ARGUMENTS).compared
    assert compared.is_proven and compared.is_right and not compared.is_same
    assert compared.bound < 1e-6 * np.abs(np.asarray(sharded(*ARGUMENTS))).max()


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_numbers_do_not_stay(partitioner: str) -> None:
    sharded = hlokit.shard(
        hlokit.load(layers(2), filename="layers.mlir"), "model=4", INS, partitioner=partitioner
    )
    text = sharded.program.text(debug_info=True)
    assert "hlokit." not in text and '"-":2:' in text
    lines = [line for line, *_ in sharded.report().by_line]
    assert all(line.startswith("layers.mlir:") for line in lines)


def test_the_values_of_the_devices_are_put_together() -> None:
    sharded = hlokit.shard(hlokit.load(layers(1)), "data=2,model=2", {"0": "P('data')"})
    pieces = Pieces(sharded.program.module, sharded.traced, sharded.mesh)
    sharded._run(ARGUMENTS, observer=pieces)
    numbers = [each.whole for each in sharded.traced]
    (values,) = pieces.values(numbers[0], 0, [(8, SIZE)])
    assert values is not None
    np.testing.assert_allclose(values, ARGUMENTS[0] @ ARGUMENTS[1], rtol=1e-4, atol=1e-5)
    assert pieces.values(numbers[0], 1, [(8, SIZE)]) == [None]  # it ran once
    assert pieces.values(99, 0, [(8, SIZE)]) == [None]
    # Of another layout than the pieces have.
    split = Sharding((((AxisRef("model")),), ()))
    other = Pieces(
        sharded.program.module,
        [Traced(each.whole, each.operation, (split,)) for each in sharded.traced],
        sharded.mesh,
    )
    sharded._run(ARGUMENTS, observer=other)
    assert other.values(numbers[0], 0, [(9, SIZE)]) == [None]


def bounded(text: str, arguments: list[Any], others: dict[str, Any]) -> tuple[Any, Bounds]:
    """The radius of the result, if another run has the given values of operations."""
    program = hlokit.load(text)
    bounds = Bounds(program, 4, lambda step, results: [others.get(step.name)] * len(results))
    (result,) = program.runs.evaluate(arguments, "main", observer=bounds)
    return bounds.radius(result), bounds


SUM = """func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %t = stablehlo.exponential %s : tensor<4xf32>
  return %t : tensor<4xf32>
}"""


def test_radii_become_distances() -> None:
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    sums = x.sum(1, dtype=np.float64).astype(np.float32)
    wide, _ = bounded(SUM, [x], {})
    same, _ = bounded(SUM, [x], {"stablehlo.reduce": sums})
    assert (wide > 0).all() and (same == 0).all()
    next_ = np.nextafter(sums, np.float32(np.inf))
    near, _ = bounded(SUM, [x], {"stablehlo.reduce": next_})
    assert (near > 0).all() and (near < wide).all()
    # Beyond the radius it is no value of such a run, and proves nothing.
    far, _ = bounded(SUM, [x], {"stablehlo.reduce": sums + np.float32(1)})
    assert (far == wide).all()
    nan, _ = bounded(SUM, [x], {"stablehlo.reduce": np.full_like(sums, np.nan)})
    assert (nan == wide).all()


def test_zeros_of_other_signs_are_other_values() -> None:
    text = SUM.replace("stablehlo.exponential %s", "stablehlo.sign %s")
    zeros = np.zeros((4, 8), np.float32)
    radius, _ = bounded(text, [zeros], {"stablehlo.reduce": np.full(4, -0.0, np.float32)})
    assert np.isfinite(radius).all() and (radius >= 0).all()


def test_known_branches_and_integers_are_not_open() -> None:
    text = """func.func @main(%x: tensor<4x8xf32>) -> tensor<4xi32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      %t = stablehlo.convert %s : (tensor<4xf32>) -> tensor<4xi32>
      %u = stablehlo.negate %t : tensor<4xi32>
      return %u : tensor<4xi32>
    }"""
    x = np.full((4, 8), 1.0, np.float32)
    open_, bounds = bounded(text, [x], {})
    assert np.isinf(open_).all() and bounds.open
    known, _ = bounded(text, [x], {"stablehlo.convert": np.full(4, 8, np.int32)})
    assert (known == 0).all()
    other, _ = bounded(text, [x], {"stablehlo.convert": np.array([8, 8, 8, 7], np.int32)})
    assert np.isinf(other).all()


def test_bounds_move_along_with_elements() -> None:
    """The radius of a result is what was proven before its value in the other run was known."""
    text = SUM.replace(
        "stablehlo.exponential %s : tensor<4xf32>", "stablehlo.reverse %s, dims = [0] : tensor<4xf32>"
    )
    x = np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32)
    sums = x.sum(1, dtype=np.float64).astype(np.float32)
    wide, _ = bounded(text, [x], {})
    same, _ = bounded(text, [x], {"stablehlo.reduce": sums, "stablehlo.reverse": sums[::-1].copy()})
    assert (same > 0).all() and np.allclose(same, wide, rtol=1e-6)


def test_shardings_in_the_text_of_hlo() -> None:
    text = """ENTRY %main (x.0: f32[8,16]) -> f32[8,16] {
  %x.0 = f32[8,16]{1,0} parameter(0), sharding={devices=[2,4]<=[8]}, metadata={op_name="x"}
  %a = f32[8,16]{1,0} tanh(%x.0), sharding={devices=[2,4]<=[8]}, metadata={op_name="hlokit.5" stack_frame_id=7}
  %b = f32[] constant(0), metadata={op_name="hlokit.6"}
  %c = (f32[8], f32[8]) while(%a), sharding={{replicated}, {mesh['a'=8], [{'a'}]}}, metadata={op_name="hlokit.7"}
  ROOT %d = f32[8,16]{1,0} add(%a, %b), metadata={op_name="hlokit.8;hlokit.6"}
}"""
    assert shardings_in(text) == {
        5: ["{devices=[2,4]<=[8]}"],
        6: ["{replicated}"],
        7: ["{replicated}", "{mesh['a'=8], [{'a'}]}"],
        8: ["{replicated}"],
    }
