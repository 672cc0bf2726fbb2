"""Programs with several meshes of the same devices."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hlokit
from hlokit.errors import UnsupportedError

PROGRAM = """MESHES
func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"b"}, {}]>},
    %w: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@n, [{}, {"y"}]>}) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"a"}, {"b"}]> : tensor<16x16xf32>
  %2 = stablehlo.tanh %1 : tensor<16x16xf32>
  %3 = sdy.sharding_constraint %2 <@n, [{"y"}, {"x"}]> : tensor<16x16xf32>
  return %3 : tensor<16x16xf32>
}"""
M = 'sdy.mesh @m = <["a"=4, "b"=2]>'
N = 'sdy.mesh @n = <["x"=2, "y"=4]>'


def program(*meshes: str) -> hlokit.Program:
    return hlokit.load(PROGRAM.replace("MESHES", "\n".join(meshes)))


def arguments() -> list[np.ndarray]:
    random = np.random.default_rng(5)
    return [random.normal(size=shape).astype(np.float32) for shape in ((16, 8), (8, 16))]


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
@pytest.mark.parametrize(
    ("other", "common"),
    [
        (N, "x=2,a0=2,b=2"),
        ('sdy.mesh @n = <["y"=4, "x"=2]>', "y=4,x=2"),
        # The same, transposed: y steps through neighbours.
        ('sdy.mesh @n = <["x"=2, "y"=4], device_ids=[0, 1, 2, 3, 4, 5, 6, 7]>', "x=2,a0=2,b=2"),
        ('sdy.mesh @n = <["x"=2, "y"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>', "a=4,b=2"),
        ('sdy.mesh @n = <["x"=2, "z"=1, "y"=4]>', "x=2,a0=2,b=2"),
    ],
)
@pytest.mark.sample("*-shardy")
def test_meshes_of_the_same_devices_become_one(other: str, common: str, partitioner: str) -> None:
    sharded = hlokit.shard(program(M, other), partitioner=partitioner)
    expected = {"y=4,x=2": "a=4,b=2"}.get(common, common)
    assert str(sharded.mesh) == expected
    # Shardy's program is wrong for these shardings over a=4,b=2, written with one mesh too.
    if (partitioner, expected) != ("shardy", "a=4,b=2"):
        check = sharded.check(*arguments())
        assert check.is_right, check
    assert any(
        note.startswith(f"{expected} replaces the meshes @m (a is ") for note in sharded.report().notes
    )


def test_pieces_are_those_of_each_mesh() -> None:
    """Each device holds the piece of its coordinates in the argument's own mesh."""
    sharded = hlokit.shard(program(M, N))
    x, w = arguments()
    pieces = [layout.cut(value) for layout, value in zip(sharded.inputs, (x, w), strict=True)]
    for device in range(8):
        b, y = device % 2, device % 4
        assert np.array_equal(pieces[0][device], x[8 * b : 8 * b + 8])
        assert np.array_equal(pieces[1][device], w[:, 4 * y : 4 * y + 4])


def test_one_order_of_devices_in_all_meshes() -> None:
    ids = "device_ids=[7, 3, 5, 1, 6, 2, 4, 0]"
    sharded = hlokit.shard(program(M.replace("]>", f"], {ids}>"), N.replace("]>", f"], {ids}>")))
    assert sharded.mesh.devices == (7, 3, 5, 1, 6, 2, 4, 0)
    assert sharded.check(*arguments()).is_right


def test_shardings_name_axes_of_any_mesh() -> None:
    sharded = hlokit.shard(program(M, N), None, {"0": "P('y')"}, {"0": "P('a')"})
    assert sharded.specs[0][0] == "P(('a0', 'b'), None)"
    assert sharded.specs[1][0] == "P(('x', 'a0'), None)"
    assert sharded.check(*arguments()).is_right
    assert hlokit.shard(program(M, N), "x=2,y=4").mesh == sharded.mesh


def test_parts_of_axes_and_manual_axes() -> None:
    text = f"""{M}
    {N}
    func.func @main(%x: tensor<16x8xf32> {{sdy.sharding = #sdy.sharding<@n, [{{"y":(2)2}}, {{}}]>}}) -> tensor<16x8xf32> {{
      %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{{"a"}}, {{}}]>] out_shardings=[<@m, [{{"a"}}, {{}}]>] manual_axes={{"a"}} (%p: tensor<4x8xf32>) {{
        %1 = stablehlo.tanh %p : tensor<4x8xf32>
        sdy.return %1 : tensor<4x8xf32>
      }} : (tensor<16x8xf32>) -> tensor<16x8xf32>
      return %0 : tensor<16x8xf32>
    }}"""
    sharded = hlokit.shard(hlokit.load(text))
    assert sharded.specs[0] == ["P('b', None)"]
    assert sharded.check(arguments()[0]).is_right


@pytest.mark.parametrize(
    ("first", "other", "message"),
    [
        (
            M,
            N.replace("4", "2"),
            "got 8 and 4 devices (@m: a=4,b=2; @n: x=2,y=2): use a sharding over some axes of",
        ),
        (
            M,
            'sdy.mesh @n = <["x"=2, "y"=4], device_ids=[0, 1, 2, 4, 3, 5, 6, 7]>',
            "the devices of @n have another order, which is not a transposition: give both meshes",
        ),
        (
            'sdy.mesh @m = <["a"=3, "b"=2]>',
            'sdy.mesh @n = <["x"=2, "y"=3]>',
            "3 devices, a step along one axis, are not a multiple of 2",
        ),
    ],
)
def test_meshes_without_a_common_one(first: str, other: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        hlokit.shard(program(first, other))
