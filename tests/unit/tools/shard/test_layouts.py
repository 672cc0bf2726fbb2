"""Meshes, shardings as text, layouts, and shardings of HLO."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError, VerificationError
from hlokit.tools.shard.notation.annotations import mesh_of_tilings
from hlokit.tools.shard.notation.gspmd import as_sharding, mesh_of, parse_tiling, parse_tilings
from hlokit.tools.shard.notation.layout import layout_of
from hlokit.tools.shard.notation.meshes import Mesh, mesh_from
from hlokit.tools.shard.notation.specs import AxisRef, Sharding, check_shape, sharding_from

MESH = mesh_from("data=2,model=4")


def test_meshes_are_read() -> None:
    assert Mesh((("data", 2), ("model", 4))) == MESH
    assert mesh_from({"data": 2, "model": 4}) == MESH
    assert MESH.count == 8 and str(MESH) == "data=2,model=4"
    assert MESH.sdy() == '<["data"=2, "model"=4]>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data", "axes with sizes"),
        ("data=0", "positive integer"),
        ("a=2,a=2", "a twice"),
        ("a=99999,b=99999", "at most 65,536 devices"),
        ("", "axes with sizes"),
        ("a=" + "9" * 5000, "axes with sizes"),
    ],
)
def test_wrong_meshes(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        mesh_from(text)


@pytest.mark.parametrize(
    ("text", "dimensions"),
    [
        ("P('data', None)", (("data",), ())),
        ("PartitionSpec(('data', 'model'))", (("data", "model"),)),
        ("P()", ()),
        ("(None, 'model')", ((), ("model",))),
        ("data, None", (("data",), ())),
        ("'data'", (("data",),)),
    ],
)
def test_shardings_are_read_as_they_print(text: str, dimensions: tuple[tuple[str, ...], ...]) -> None:
    found = sharding_from(text, MESH, "x")
    assert found is not None
    assert found.dimensions == tuple(tuple(map(AxisRef, axes)) for axes in dimensions)
    assert sharding_from(str(found), MESH, "x") == found


def test_unreduced_axes_are_read() -> None:
    found = sharding_from("P(None, unreduced={'data'})", MESH, "x")
    assert found is not None and found.unreduced == (AxisRef("data"),)
    assert str(found) == "P(None, unreduced={'data'})"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P('dat')", "argument x: mesh has no axis 'dat'; did you mean data"),
        ("P('data', 'data')", "'data' twice"),
        ("P(1)", "must be like P"),
        ("Q('data')", "must be like P"),
        ("P('data'", "must be like P"),
        ("__import__('os')", "must be like P"),
    ],
)
def test_wrong_shardings(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        sharding_from(text, MESH, "argument x")


def test_errors_of_indivisible_sizes_name_a_remedy() -> None:
    sharding = Sharding(((AxisRef("model"),),))
    with pytest.raises(
        ArgumentError,
        match=r"10 elements, which model \(4 pieces\).*pad the dimension to 12, use axes of size 2",
    ):
        check_shape(sharding, MESH, (10,), "x")
    assert check_shape(sharding, MESH, (10,), "x", pads=True) == sharding.of_rank(1)
    with pytest.raises(ArgumentError, match="has 1 dimensions, the tensor has 0"):
        check_shape(sharding, MESH, (), "x")


def test_pieces_follow_the_mesh() -> None:
    layout = layout_of(Sharding(((AxisRef("model"),), (AxisRef("data"),))), MESH, (4, 6))
    whole = np.arange(24).reshape(4, 6)
    pieces = layout.cut(whole)
    assert layout.piece_shape == (1, 3)
    assert np.array_equal(pieces[6], whole[2:3, 3:6])  # device 6 is data 1, model 2
    assert np.array_equal(layout.joined(pieces), whole)
    assert layout.disagreement(pieces) is None


def test_orders_of_devices() -> None:
    mesh = Mesh((("x", 4),), (3, 1, 0, 2))
    pieces = layout_of(Sharding(((AxisRef("x"),),)), mesh, (4,)).cut(np.arange(4))
    assert [int(piece[0]) for piece in pieces] == [2, 1, 3, 0]


def test_parts_of_axes() -> None:
    layout = layout_of(Sharding(((AxisRef("model", 2, 2), AxisRef("model", 1, 2)),)), MESH, (4,))
    assert [piece[0] for piece in layout.pieces] == [0, 2, 1, 3, 0, 2, 1, 3]


def test_padding_is_poisoned_and_not_looked_at() -> None:
    layout = layout_of(Sharding(((AxisRef("model"),),)), MESH, (5,))
    whole = np.arange(5, dtype=np.float32)
    pieces = layout.cut(whole)
    assert layout.is_padded and [piece.shape for piece in pieces] == [(2,)] * 8
    assert np.isnan(pieces[2][1]) and np.isnan(pieces[3]).all()
    assert layout.elements(3) == 0 and layout.elements(2) == 1
    assert np.array_equal(layout.joined(pieces), whole)


def test_terms_of_sums() -> None:
    layout = layout_of(Sharding(((AxisRef("model"),),), unreduced=(AxisRef("data"),)), MESH, (4,))
    pieces = layout.cut(np.array([1.0, 2.0, 3.0, 4.0]))
    assert pieces[1] == [2.0] and pieces[5] == [0.0]
    pieces[5] = np.array([10.0])
    assert layout.joined(pieces).tolist() == [1.0, 12.0, 3.0, 4.0]


def test_copies_of_terms_count_once() -> None:
    layout = layout_of(Sharding(((),), unreduced=(AxisRef("model"),)), MESH, (2,))
    pieces = layout.cut(np.array([1.0, 2.0]))
    assert len(pieces) == MESH.count
    assert layout.joined(pieces).tolist() == [1.0, 2.0]


def test_copies_that_differ_are_found() -> None:
    layout = layout_of(Sharding(((AxisRef("data"),),)), MESH, (2,))
    pieces = layout.cut(np.array([1.0, 2.0]))
    pieces[6] = np.array([2.5])
    assert layout.disagreement(pieces) == (4, 6)


@pytest.mark.parametrize(
    ("text", "rank", "spec"),
    [
        ("{devices=[2,4]<=[8]}", 2, "P('data', 'model')"),
        ("{devices=[4,2]<=[2,4]T(1,0)}", 2, "P('model', 'data')"),
        ("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", 2, "P('data', None)"),
        ("{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}", 2, "P(None, 'model')"),
        ("{devices=[8]0,4,1,5,2,6,3,7}", 1, "P(('model', 'data'))"),
        ("{devices=[8]<=[8]}", 1, "P(('data', 'model'))"),
        ("{replicated}", 2, "P(None, None)"),
        ("{mesh['data'=2,'model'=4], [{'data'}, {}]}", 2, "P('data', None)"),
        ("{mesh['data'=2,'model'=4], [{'model', 'data'}]}", 1, "P(('model', 'data'))"),
        ("{mesh[], replicated}", 1, "P(None)"),
        ("{maximal device=3}", 1, "P(None)"),
        ("{maximal_mesh[device_id=3]}", 1, "P(None)"),
        ("{single_device[device_id=3]}", 1, "P(None)"),
    ],
)
def test_shardings_of_hlo(text: str, rank: int, spec: str) -> None:
    tiling = parse_tiling(text)
    found = as_sharding(tiling, MESH, rank, "x")
    assert str(found) == spec
    shape = (8,) * rank
    assert tiling.layout(shape, 8).pieces == layout_of(found, MESH, shape).pieces


def test_named_shardings_of_hlo_keep_the_order_of_devices() -> None:
    tiling = parse_tiling("{mesh['x'=4], device_ids=(3,2,1,0), [{'x'}]}")
    assert tiling.layout((4,), 4).pieces == ((3,), (2,), (1,), (0,))


def test_unreduced_subgroups_of_hlo() -> None:
    tiling = parse_tiling("{devices=[2,4]<=[8] last_tile_dims={unreduced}}")
    assert tiling.layout((2,), 8).terms == (0, 1, 2, 3) * 2


def test_subgroups_of_one_device_are_no_terms() -> None:
    assert parse_tiling("{mesh['a'=4], [{'a'}]}").layout((4,), 4).terms == ()


def test_shardings_in_other_orders_than_axes_are_refused() -> None:
    with pytest.raises(ArgumentError, match="fits no axes of the mesh"):
        as_sharding(parse_tiling("{devices=[8]0,1,2,3,4,5,7,6}"), MESH, 1, "x")


@pytest.mark.parametrize(
    ("text", "rank", "message"),
    [
        ("{devices=[4]<=[4]}", 2, "for 1 dimensions, the tensor has 2"),
        ("{devices=[1000000000]<=[1000000000]}", 1, "1 to 65,536 devices"),
        ("{devices=[2]0,0}", 1, "a device for each of 2 tiles"),
        ("{devices=[2,2]<=[2,2]T(1,1)}", 2, "transpose each dimension once"),
        ("{devices=[3]<=[4]}", 1, "a device for each of 3 tiles"),
        ("{nonsense}", 1, "must be like"),
    ],
)
def test_wrong_shardings_of_hlo(text: str, rank: int, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        as_sharding(parse_tiling(text), mesh_from("a=4"), rank, "x")


def test_tuples_of_shardings() -> None:
    assert parse_tilings("{{replicated}, {devices=[2]<=[2]}}") == ["{replicated}", "{devices=[2]<=[2]}"]
    assert parse_tilings("{replicated}") == ["{replicated}"]
    with pytest.raises(ArgumentError, match="must be like"):
        parse_tiling("{devices=}")


def test_meshes_of_tilings() -> None:
    for texts, mesh in (
        (["{devices=[3,4]<=[2,3,2]T(1,0,2)}"], "axis_0=2,axis_1=3,axis_2=2"),
        (["{devices=[4,6]<=[24]}", "{devices=[24]<=[4,6]T(1,0)}"], "axis_0=4,axis_1=6"),
        (["{devices=[2,4]<=[8]}", "{devices=[4,2]<=[8]}"], "axis_0=2,axis_1=2,axis_2=2"),
        (["{devices=[2,2]0,2,1,3}"], "axis_0=2,axis_1=2"),
        (["{devices=[3,2]0,3,1,4,2,5}"], "axis_0=2,axis_1=3"),
    ):
        tilings = [parse_tiling(text) for text in texts]
        count = tilings[0].devices.size if tilings[0].devices is not None else 0
        assert str(mesh_of(tilings, count)) == mesh, texts
    reversed_list = parse_tiling("{devices=[5]4,3,2,1,0}")
    assert mesh_of([reversed_list], 5).device_ids == (4, 3, 2, 1, 0)


def test_numbers_of_devices_that_no_mesh_has() -> None:
    with pytest.raises(ArgumentError, match="at most 65,536 devices, got 1,000,000,007"):
        mesh_of([], 1_000_000_007)
    for value in ("0 : i32", "-3 : i32", '"a"'):
        text = f"module attributes {{mhlo.num_partitions = {value}}} {{ func.func @main() {{ return }} }}"
        with pytest.raises(VerificationError, match=r"num_partitions must be a positive integer"):
            mesh_of_tilings(hlokit.load(text).module)
