"""`hlokit.shard` on programs in text: shardings from every source, reports, errors, and agreement with
XLA."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jaxlib
import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError, InternalError, UnsupportedError
from hlokit.tools.backends.children import Child
from hlokit.tools.shard.cost_model.costs import costs_of
from hlokit.tools.shard.cost_model.estimates import Machine
from hlokit.tools.shard.cost_model.traffic import Collective, collectives_of
from hlokit.tools.shard.notation.meshes import mesh_from
from hlokit.tools.shard.partitioners.answers import Defect
from hlokit.tools.shard.partitioners.partition import PartitionerFailed
from hlokit.tools.shard.reports.drawing import drawing
from hlokit.tools.shard.search import Setting, choices, search
from unit.tools.shard.exports import export

MLP = """func.func @main(%x: tensor<8x16xf32>, %w1: tensor<16x32xf32>, %w2: tensor<32x10xf32>) -> tensor<8x10xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x10xf32>) -> tensor<8x10xf32>
  return %2 : tensor<8x10xf32>
}"""
MESH = "data=2,model=4"
MEGATRON = {"0": "P('data')", "1": "P(None, 'model')", "2": "P('model')"}
RANDOM = np.random.default_rng(5)


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape).astype(np.float32)


ARGUMENTS = [normal(8, 16), normal(16, 32), normal(32, 10)]


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_megatron(partitioner: str) -> None:
    sharded = hlokit.shard(hlokit.load(MLP), MESH, MEGATRON, partitioner=partitioner)
    sharded.check(*ARGUMENTS).require()
    x, w1, w2 = (each.astype(np.float64) for each in ARGUMENTS)
    np.testing.assert_allclose(sharded(*ARGUMENTS), np.tanh(x @ w1) @ w2, rtol=1e-4, atol=1e-5)
    assert sharded.specs[0] == ["P('data', None)", "P(None, 'model')", "P('model', None)"]
    report = sharded.report()
    (only,) = report.collectives
    # Each group of 4 sums 4 x 10 floats: a ring sends 2 * 3 / 4 of them.
    assert only.kind == "all_reduce" and only.groups == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert only.bytes == 160 and report.sent == [240] * 8 == report.received
    assert report.costs.parameters == 4 * (4 * 16 + 16 * 8 + 8 * 10)
    # Two products, a function, and the additions of the all_reduce.
    assert report.costs.flops == 2 * 4 * 16 * 8 + 4 * 8 + 2 * 4 * 8 * 10 + 40
    assert report.whole.flops == 2 * 8 * 16 * 32 + 8 * 32 + 2 * 8 * 32 * 10
    assert report.imbalance == 1.0
    assert json.loads(json.dumps(report.as_dict()))["devices"] == 8
    assert "all_reduce of 4" in str(report)


TANH = """func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.tanh %x : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}"""


def test_no_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    hlokit.shard(hlokit.load(MLP), MESH, MEGATRON, partitioner="xla")
    assert list(tmp_path.iterdir()) == []


def test_the_operation_at_the_peak_is_named_by_its_line() -> None:
    record = hlokit.shard(hlokit.load(MLP, filename="mlp.mlir"), MESH, {0: "P('data')"}).report().as_dict()
    assert record["per_device"]["peak_at"].startswith("stablehlo.tanh at mlp.mlir:4")


def test_the_program_of_a_device_is_a_program() -> None:
    sharded = hlokit.shard(hlokit.load(MLP), MESH, MEGATRON)
    again = hlokit.load(sharded.program.text())
    layouts = sharded.inputs
    pieces = [
        [layout.cut(value)[device] for layout, value in zip(layouts, ARGUMENTS, strict=True)]
        for device in range(8)
    ]
    results = again.run_parallel(pieces)
    assert np.array_equal(sharded.outputs[0].joined(results), sharded(*ARGUMENTS))


def test_shardings_of_jax_are_taken_as_they_are() -> None:
    from jax.sharding import PartitionSpec as P

    sharded = hlokit.shard(
        hlokit.load(MLP), {"data": 2, "model": 4}, [P("data"), P(None, "model"), P("model")]
    )
    assert sharded.specs[0] == ["P('data', None)", "P(None, 'model')", "P('model', None)"]
    mesh = SimpleNamespace(shape={"data": 2, "model": 4})
    named = SimpleNamespace(spec=P("data"), mesh=mesh)
    assert hlokit.shard(hlokit.load(MLP), MESH, {0: named}).specs[0][0] == "P('data', None)"
    other = SimpleNamespace(spec=P("data"), mesh=SimpleNamespace(shape={"data": 8}))
    with pytest.raises(
        ArgumentError, match="its sharding is for the mesh data=8, the program is for data=2,model=4"
    ):
        hlokit.shard(hlokit.load(MLP), MESH, {0: other})


def test_shardings_as_pytrees() -> None:
    import jax.numpy as jnp
    from jax.sharding import PartitionSpec as P

    def layer(weights: Any, x: Any) -> Any:
        return {"y": jnp.tanh(x @ weights["w"]) + weights["b"]}

    weights, x = {"w": normal(16, 32), "b": normal(32)}, normal(8, 16)
    program = hlokit.from_jax(layer, weights, x)
    ins = ({"w": P(None, "model"), "b": P("model")}, P("data"))
    sharded = hlokit.shard(program, MESH, ins, P("data", "model"))
    assert dict(zip(sharded.names, sharded.specs[0], strict=True)) == {
        "weights['b']": "P('model')",
        "weights['w']": "P(None, 'model')",
        "x": "P('data', None)",
    }
    sharded.check(weights, x).require()
    expected = np.tanh(x @ weights["w"]) + weights["b"]
    np.testing.assert_allclose(sharded(weights, x)["y"], expected, rtol=1e-5, atol=1e-5)
    with pytest.raises(ArgumentError, match=r"shardings of arguments: .*tree prefix"):
        hlokit.shard(program, MESH, ({"w": P()}, P("data")))


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_gspmd_shardings(partitioner: str) -> None:
    text = MLP.replace(
        "%x: tensor<8x16xf32>", '%x: tensor<8x16xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}"}'
    )
    sharded = hlokit.shard(hlokit.load(text), partitioner=partitioner)
    assert sharded.mesh.count == 8
    assert sharded.inputs[0].counts == (4, 2)
    sharded.check(*ARGUMENTS).require()


def test_results_may_be_given() -> None:
    sharded = hlokit.shard(hlokit.load(MLP), MESH, {0: "P('data')"}, {0: "P(None, None)"})
    assert sharded.outputs[0].is_replicated
    sharded.check(*ARGUMENTS).require()
    # A reshard that the caller asked for.
    assert sharded.report().unrequested == []
    assert [each.kind for each in sharded.report().collectives] == ["all_gather"]


def test_uneven_dimensions_are_padded_by_xla() -> None:
    program = hlokit.load(MLP)
    with pytest.raises(ArgumentError, match="argument arg2: dimension 1 has 10 elements"):
        hlokit.shard(program, MESH, {2: "P(None, 'model')"})
    sharded = hlokit.shard(program, MESH, {2: "P(None, 'model')"}, partitioner="xla")
    assert sharded.inputs[2].counts == (1, 2)  # half of an axis
    sharded.check(*ARGUMENTS).require()
    # GSPMD pads.
    tiles = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"
    text = MLP.replace("%w2: tensor<32x10xf32>", f'%w2: tensor<32x10xf32> {{mhlo.sharding = "{tiles}"}}')
    padded = hlokit.shard(hlokit.load(text), partitioner="xla")
    assert padded.inputs[2].is_padded and padded.inputs[2].piece_shape == (32, 3)
    padded.check(*ARGUMENTS).require()
    assert padded.report().imbalance > 1


def test_orders_of_devices() -> None:
    text = MLP.replace(
        "%x: tensor<8x16xf32>", '%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}'
    )
    mesh = 'sdy.mesh @m = <["a"=4], device_ids=[2, 0, 3, 1]>\n'
    for partitioner in ("shardy", "xla"):
        sharded = hlokit.shard(hlokit.load(mesh + text), partitioner=partitioner)
        assert [piece[0] for piece in sharded.inputs[0].pieces] == [1, 3, 0, 2]
        sharded.check(*ARGUMENTS).require()


def test_results_may_stay_terms_of_a_sum() -> None:
    text = """sdy.mesh @mesh = <["data"=2, "model"=4]>
    func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
        %w: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>})
        -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"model"}>}) {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"model"}>]>}
        : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }"""
    # Each version has one partitioner that can do it.
    partitioner = "xla" if jaxlib.__version__.startswith("0.10.") else "shardy"
    sharded = hlokit.shard(hlokit.load(text), partitioner=partitioner)
    assert sharded.specs[1] == ["P(None, None, unreduced={'model'})"]
    assert sharded.outputs[0].terms == (0, 1, 2, 3, 0, 1, 2, 3)
    sharded.check(normal(8, 16), normal(16, 4)).require()
    assert sharded.report().collectives == ()


@pytest.mark.deep
def test_wrong_programs_are_named() -> None:
    text = """func.func @main(%x: tensor<1x8x8x1xf32>, %k: tensor<3x3x1x1xf32>) -> tensor<1x8x8x1xf32> {
      %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x8x8x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x8x8x1xf32>
      return %0 : tensor<1x8x8x1xf32>
    }"""
    program = hlokit.load(text, filename="conv.mlir")
    arguments = [normal(1, 8, 8, 1), normal(3, 3, 1, 1)]
    ins = {0: "P(None, 'model')"}
    wrong = hlokit.shard(program, MESH, ins).check(*arguments)
    assert not wrong.is_right and wrong.operation.startswith("stablehlo.convolution")
    with pytest.raises(
        hlokit.HlokitError, match=r"Shardy's pipelines .* at stablehlo\.convolution .*NOT within"
    ):
        wrong.require()
    hlokit.shard(program, MESH, ins, partitioner="xla").check(*arguments).require()


# Errors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mesh", "ins", "message"),
    [
        (None, None, "no mesh and no shardings: both must be given, such as --mesh=data=2,model=4"),
        (MESH, None, "nothing is sharded"),
        (MESH, {"0": "P('mdel')"}, "argument arg0: mesh has no axis 'mdel'; did you mean model"),
        (MESH, {"y": "P('data')"}, "there is no argument 'y'; there are arg0, arg1, arg2"),
        (MESH, ["P('data')"], "a sharding for each of 3 arguments, got 1"),
        (MESH, {"0": "P('data', None, 'model')"}, "has 3 dimensions, the tensor has 2"),
    ],
)
def test_errors_name_valid_values(mesh: Any, ins: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        hlokit.shard(hlokit.load(MLP), mesh, ins)


def test_the_programs_own_mesh_is_the_only_one() -> None:
    one = 'sdy.mesh @a = <["x"=2]>\n' + MLP
    with pytest.raises(ArgumentError, match="its own mesh, x=2, got data=2,model=4 too: omit --mesh"):
        hlokit.shard(hlokit.load(one), MESH, {0: "P('data')"})


def test_too_few_arguments() -> None:
    with pytest.raises(ArgumentError, match="must be called with 3 arguments, got 2"):
        hlokit.shard(hlokit.load(MLP), MESH, MEGATRON).check_values(ARGUMENTS[:2])


def test_failures_name_the_other_partitioner() -> None:
    for one, other in (("shardy", "xla"), ("xla", "shardy")):
        failure = PartitionerFailed(one, "refused", "propagation", "no reason")
        assert f"the other partitioner, {other}, may succeed" in str(failure)


def test_defects_are_no_failures_of_the_partitioner(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(self: Child, question: Any) -> Any:
        return Defect("Traceback\nValueError: what hlokit did not expect")

    monkeypatch.setattr(Child, "ask", ask)
    with pytest.raises(InternalError, match="ValueError: what hlokit did not expect"):
        hlokit.shard(hlokit.load(MLP), MESH, MEGATRON)


def test_values_on_a_single_device() -> None:
    """As JAX marks the calls of Python functions."""
    text = """sdy.mesh @mesh = <["data"=2]>
    sdy.mesh @single = <[], device_ids=[0]>
    func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8x16xf32> {
      %0 = stablehlo.custom_call @mine(%x) {sdy.sharding = #sdy.sharding_per_value<[<@single, []>]>}
        : (tensor<8x16xf32>) -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }"""
    program = hlokit.load(text)
    assert "custom_call @mine" in hlokit.shard(program, partitioner="xla").program.text()
    if jaxlib.__version__.startswith("0.10."):
        assert "custom_call @mine" in hlokit.shard(program).program.text()
    else:
        with pytest.raises(PartitionerFailed, match=r"failed to legalize operation 'sdy\.reshard'"):
            hlokit.shard(program)


def test_partitioners_and_shapes() -> None:
    with pytest.raises(ArgumentError, match="partitioner must be shardy or xla, got gspmd"):
        hlokit.shard(hlokit.load(MLP), MESH, MEGATRON, partitioner="gspmd")
    dynamic = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}"
    with pytest.raises(UnsupportedError, match="only tensors of static shape"):
        hlokit.shard(hlokit.load(dynamic), MESH, {0: "P('data')"})
    declaration = "module {\n  func.func private @main(tensor<2xf32>) -> tensor<2xf32>\n}"
    with pytest.raises(UnsupportedError, match="there is no function @main with a body"):
        hlokit.shard(hlokit.load(declaration), MESH, {0: "P('data')"})


# Programs of JAX ---------------------------------------------------------------------------------------


@pytest.mark.deep
def test_exported_shard_maps_with_custom_calls(tmp_path: Path) -> None:
    """Older exports have `xla.sdy.GlobalToLocalShape` with several operands in the place of Shardy's operation."""
    from jaxlib import _jax

    (made,) = export(tmp_path, "shard_map")
    text = made.program.text(debug_info=True).encode()
    old = _jax.mlir.serialize_portable_artifact(text, "1.9.0", False)
    assert b"xla.sdy.GlobalToLocalShape" in old
    program = hlokit.load(old)
    for result, expected in zip(program(*made.arguments), made.expected, strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    for partitioner in ("shardy", "xla"):
        hlokit.shard(program, partitioner=partitioner).check(*made.arguments).require()


def test_reshards_of_xla() -> None:
    """A weight that is split along a summed dimension is gathered; the report has the value and the axes."""
    ins = {"0": "P('data')", "1": "P('data', 'model')", "2": "P('model')"}
    report = hlokit.shard(hlokit.load(MLP, filename="mlp.mlir"), MESH, ins, partitioner="xla").report()
    (found,) = report.unrequested
    assert found.value == "parameter arg1" and found.bytes == 4 * 16 * 32
    assert (found.before, found.after) == ("P('data', 'model')", "P(None, 'model')")
    assert "parameter arg1, 2 KiB: P('data', 'model') -> P(None, 'model')" in str(report)
    assert hlokit.shard(hlokit.load(MLP), MESH, MEGATRON, partitioner="xla").report().reshards == ()


def test_reshards_that_the_program_asks_for() -> None:
    text = """func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
      %0 = stablehlo.tanh %x : tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }"""
    sharded = hlokit.shard(hlokit.load(text), MESH, {0: "P('data')"}, {0: "P(None, None)"}, partitioner="xla")
    (found,) = sharded.report().reshards
    assert (found.value, found.before, found.is_requested) == (
        "stablehlo.tanh",
        "P('data', None)",
        True,
    )
    assert not sharded.report().unrequested


@pytest.mark.parametrize(
    ("after", "collectives"),
    [
        ("P('model', 'data')", 2),
        ("P(None, 'data')", 3),
        ("P(('data', 'model'), None)", 1),
        ("P(None, None)", 2),
    ],
)
@pytest.mark.sample("P('model', 'data')-2", "P(('data', 'model'), None)-1")
def test_both_partitioners_report_the_same_reshard(after: str, collectives: int) -> None:
    """However many collectives XLA takes for it."""
    program = hlokit.load(TANH)
    for partitioner in ("shardy", "xla"):
        report = hlokit.shard(
            program, MESH, {0: "P('data', 'model')"}, {0: after}, partitioner=partitioner
        ).report()
        found = [(each.before, each.after, each.bytes) for each in report.reshards]
        assert found == [("P('data', 'model')", after, 512)], partitioner
    assert len(report.collectives) == collectives


def test_values_that_no_device_splits_are_reported_by_both() -> None:
    text = """func.func @main(%x: tensor<8x16xf32>, %w: tensor<64x64xf32>) -> (tensor<8x16xf32>, tensor<64x64xf32>) {
      %0 = stablehlo.tanh %x : tensor<8x16xf32>
      %1 = stablehlo.tanh %w : tensor<64x64xf32>
      return %0, %1 : tensor<8x16xf32>, tensor<64x64xf32>
    }"""
    program = hlokit.load(text, filename="kept.mlir")
    for partitioner in ("shardy", "xla"):
        report = hlokit.shard(
            program, MESH, {0: "P('data')"}, {1: "P(None, None)"}, partitioner=partitioner
        ).report()
        assert ("stablehlo.tanh", 4 * 64 * 64) in {(each.value, each.bytes) for each in report.kept}
        assert any("kept.mlir:3" in where or ":3:" in where for _, where, _ in report.large_whole)


@pytest.mark.deep
def test_collectives_of_both_partitioners_agree(tmp_path: Path) -> None:
    for made in export(tmp_path, "mlp_data", "mlp_megatron", "block_megatron", "shard_map"):
        reports = [hlokit.shard(made.program, partitioner=each).report() for each in ("shardy", "xla")]
        kinds = [sorted((each.kind, each.bytes) for each in report.collectives) for report in reports]
        assert kinds[0] == kinds[1], made.name
        assert reports[0].sent == reports[1].sent


# Estimates ---------------------------------------------------------------------------------------------


def test_alpha_beta() -> None:
    def collective(kind: str, size: int, *groups: tuple[int, ...]) -> Collective:
        return Collective(kind, groups, size, size, 1, "", 1)

    machine = Machine(bandwidth=1e9, latency=1e-6, algorithm="ring")
    four = (0, 1, 2, 3)
    assert machine.seconds(collective("all_reduce", 4000, four)) == pytest.approx(2 * 3 * (1e-6 + 1e-6))
    assert machine.seconds(collective("all_gather", 1000, four)) == pytest.approx(3 * (1e-6 + 1e-6))
    assert machine.seconds(collective("reduce_scatter", 4000, four)) == pytest.approx(3 * (1e-6 + 1e-6))
    assert machine.seconds(collective("collective_permute", 1000, (0, 1))) == pytest.approx(2e-6)
    assert machine.seconds(collective("collective_permute", 1000, (0, 0))) == 0
    assert machine.seconds(collective("all_reduce", 1000, (0,))) == 0
    tree = Machine(bandwidth=1e9, latency=1e-6, algorithm="tree")
    assert tree.seconds(collective("all_reduce", 1000, four)) == pytest.approx(2 * 2 * (1e-6 + 1e-6))
    with pytest.raises(ArgumentError, match="algorithm must be ring, tree, best"):
        Machine(algorithm="star")
    with pytest.raises(ArgumentError, match="bandwidth must be positive"):
        Machine(bandwidth=0)


def test_bytes_that_devices_send() -> None:
    permute = Collective("collective_permute", ((0, 1), (1, 2), (3, 3)), 100, 100, 1, "", 1)
    assert permute.sent == {0: 100, 1: 100, 2: 0, 3: 0}
    assert permute.received == {0: 0, 1: 100, 2: 100, 3: 0}
    gather = Collective("all_gather", ((0, 1, 2, 3),), 100, 400, 5, "", 1)
    assert gather.sent == dict.fromkeys(range(4), 300) and gather.total(0) == 1500


def test_live_ranges_and_loops() -> None:
    program = hlokit.load("""func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %ten = stablehlo.constant dense<10> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<100xf32>
        cond {
          %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %b = stablehlo.add %a, %a : tensor<100xf32>
          %n = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %n, %b : tensor<i32>, tensor<100xf32>
        }
      %1 = stablehlo.negate %0#1 : tensor<100xf32>
      %2 = stablehlo.negate %1 : tensor<100xf32>
      return %2 : tensor<100xf32>
    }""")
    module = program.module
    costs = costs_of(module, module.body.operations[0].operation)
    # Ten iterations of an addition of 100, a counter and a comparison; two negations.
    assert costs.flops == 10 * (100 + 1 + 1) + 200
    # The argument, three constants, the loop's state, and inside the state with the sum and both counters.
    assert costs.peak == 400 + 12 + 404 + 404 + 404


def test_values_die_after_their_last_use() -> None:
    lines = "\n".join(f"  %{n + 1} = stablehlo.negate %{n} : tensor<100xf32>" for n in range(8))
    text = f"func.func @main(%0: tensor<100xf32>) -> tensor<100xf32> {{\n{lines}\n  return %8 : tensor<100xf32>\n}}"
    module = hlokit.load(text).module
    # The argument, and operand and result of a negation.
    assert costs_of(module, module.body.operations[0].operation).peak == 400 + 400 + 400


def test_collectives_of_loops_count_in_every_turn() -> None:
    module = hlokit.load("""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2xf32>
        cond {
          %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %b = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
          %n = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %n, %b : tensor<i32>, tensor<2xf32>
        }
      return %0#1 : tensor<2xf32>
    }""").module
    (collective,) = collectives_of(module, module.body.operations[0].operation, (2, 1))
    assert (collective.runs, collective.total(0)) == (3, 3 * 8)


# Search and drawing ---------------------------------------------------------------------------------------


def test_choices_are_divisible_and_differ() -> None:
    found = [str(each) for each in choices(mesh_from(MESH), (8, 2))]
    assert len(found) == len(set(found))
    assert "P(('data', 'model'), None)" in found and "P('model', 'data')" in found
    assert "P('data', 'model')" not in found  # 2 is not divisible by 4


def test_search_ranks_shardings() -> None:
    slow = Machine(bandwidth=1e6, latency=1e-3, flops=1e9)
    found = search(Setting(hlokit.load(MLP), "data=2,model=2", machine=slow), ["0", "1"], most=20)
    assert found.left_out > 0
    seconds = [each.seconds for each in found.candidates]
    assert seconds == sorted(seconds) and found.failed == 0
    # Splitting rows of the batch over all devices sends nothing.
    best = found.candidates[0]
    assert best.report.communication_seconds == 0
    front = found.front
    assert best in front
    for one in front:
        assert not any(other.seconds <= one.seconds and other.peak < one.peak for other in found.candidates)
    assert "Pareto" in str(found)
    json.dumps(found.as_dict())


@pytest.mark.deep
def test_a_search_of_a_part_finds_the_ends_of_the_front() -> None:
    slow = Machine(bandwidth=1e6, latency=1e-3, flops=1e9)
    program, mesh, names = hlokit.load(MLP), "data=2,model=2", ["0", "1"]
    setting = Setting(program, mesh, machine=slow)
    every = search(setting, names)
    part = search(setting, names, most=40)
    assert every.left_out == 0 and len(every.candidates) == 80 and part.left_out == 40
    assert part.candidates[0].seconds == every.candidates[0].seconds
    assert min(each.peak for each in part.candidates) == min(each.peak for each in every.candidates)
    shardings = [tuple(each.shardings.values()) for each in part.candidates]
    assert len(set(shardings)) == len(shardings) == 40
    with pytest.raises(ArgumentError, match="each argument must be named once, got 0 twice"):
        search(Setting(program, mesh), ["0", "arg0"])


def test_drawings_escape_names() -> None:
    sharded = hlokit.shard(hlokit.load(MLP), MESH, MEGATRON)
    sharded.names = ("<script>", "w1", "w2")
    text = drawing(sharded)
    assert "<script>" not in text and "&lt;script&gt;" in text
    assert text.count("<svg") == 1 + 4
    assert sharded._repr_html_() == text
