"""Programs for several processes: with another program, in higher precision, and on XLA's replicas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.diff import against_processes, run
from hlokit.tools.diff.flow.grid_runs import GridRuns
from hlokit.tools.diff.flow.time_limits import RanOutOfTime
from hlokit.tools.diff.replicas import with_replicas_only
from unit.tools.diff.sides import Here

F = np.float32
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
SUM = """"stablehlo.all_reduce"(%0) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  })"""
PERMUTE = '"stablehlo.collective_permute"(%0)'
BROADCAST = '"stablehlo.collective_broadcast"(%0)'


def program(replicas: int, partitions: int, collective: str, attributes: str) -> hlokit.Program:
    return hlokit.load(
        f"""module attributes {{mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32}} {{
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>, tensor<ui32>) {{
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = {collective} {{{attributes}}} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.partition_id : tensor<ui32>
  %3 = stablehlo.replica_id : tensor<ui32>
  return %1, %2, %3 : tensor<4xf32>, tensor<ui32>, tensor<ui32>
}}
}}"""
    )


# Every strategy of groups.
PROGRAMS = (
    (2, 1, SUM, "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"),
    (2, 2, SUM, "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"),
    (2, 2, SUM, f"replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, {CHANNEL}"),
    (
        2,
        2,
        SUM,
        f"replica_groups = dense<[[1, 2], [3, 0]]> : tensor<2x2xi64>, {CHANNEL}, use_global_device_ids",
    ),
    (
        1,
        3,
        SUM,
        f"replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, {CHANNEL}, use_global_device_ids",
    ),
    (2, 2, SUM, "replica_groups = dense<> : tensor<0x0xi64>"),
    (2, 2, PERMUTE, "source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>"),
    (1, 3, PERMUTE, f"source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>, {CHANNEL}"),
    (2, 2, BROADCAST, f"replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, {CHANNEL}"),
)


def rows(count: int) -> Any:
    return np.random.default_rng(5).normal(size=(count, 4)).astype(F)


def test_a_replica_for_each_process_computes_the_same() -> None:
    for replicas, partitions, collective, attributes in PROGRAMS:
        original = program(replicas, partitions, collective, attributes)
        count = replicas * partitions
        x = [(row,) for row in rows(count)]
        expected = original.run_parallel(x, num_replicas=replicas, num_partitions=partitions)
        changed = hlokit.load(with_replicas_only(original))
        assert changed.grid == (count, 1)
        results = changed.run_parallel(x, num_replicas=count)
        for mine, other in zip(expected, results, strict=True):
            assert [np.asarray(value).tolist() for value in mine] == [
                np.asarray(value).tolist() for value in other
            ], (collective, attributes)


class Replicas(Here):
    """hlokit as a side that runs replicas, with a mistake in one module."""

    name = "xla"

    def run_each(self, module: Any, inputs: Any, function: str = "main") -> Any:
        text = hlokit.load(module).text()
        if "num_replicas" not in text:
            return super().run_each(module, inputs, function)
        changed = hlokit.load(text.replace("stablehlo.tanh", "stablehlo.sine"))
        count = changed.grid[0]
        results = changed.run_parallel([(value,) for value in inputs[0]], num_replicas=count)
        return [[np.asarray(value) for process in results for value in process]]


def test_the_wrong_operation_of_replicas_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sine = np.sin(rows(4)[0])
    side = Replicas(change=lambda text, results: [sine] if "tanh" in text else results, batch=1)
    monkeypatch.setattr(run, "xla_replicas", lambda count, time_limit: side)
    report = hlokit.diff(program(*PROGRAMS[1]), rows(4), against="xla")
    assert report.status == 1
    assert report.first is not None
    assert report.first.op == "stablehlo.tanh"


def test_disturbances_of_processes_that_cancel_show_no_exact_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: two disturbed runs decided, although each may have the bits of the real run."""
    original, x = program(*PROGRAMS[0]), rows(2)
    exact, disturbed = original.run_parallel([(row,) for row in x], num_replicas=2), GridRuns.disturbed

    def cancelled(runs: GridRuns, seed: int, units: float = 1.0) -> Any:
        return exact if seed < 3 else disturbed(runs, seed, units)

    class Rounded(Here):
        name = "xla"

        def run_each(self, module: Any, inputs: Any, function: str = "main") -> Any:
            values = [np.asarray(value) for process in exact for value in process]
            return [[np.nextafter(value, F(2)) if value.dtype == F else value for value in values]]

    monkeypatch.setattr(GridRuns, "disturbed", cancelled)
    monkeypatch.setattr(run, "xla_replicas", lambda count, time_limit: Rounded())
    assert hlokit.diff(original, x, against="xla").outcome == "within"


def test_a_difference_stays_if_operations_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(*arguments: Any, **options: Any) -> Any:
        raise RanOutOfTime(1)

    monkeypatch.setattr(run, "xla_replicas", lambda count, time_limit: Replicas())
    monkeypatch.setattr(against_processes, "Sampler", too_slow)
    report = hlokit.diff(program(*PROGRAMS[1]), rows(4), against="xla")
    assert report.status == 1
    assert any("could not be compared" in note for note in report.notes)


def test_a_program_without_results(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<4xf32>) { %0 = stablehlo.replica_id : tensor<ui32> return } }"""
    monkeypatch.setattr(run, "xla_replicas", lambda count, time_limit: Replicas())
    assert hlokit.diff(hlokit.load(text), rows(2), against="xla").results == ()


def test_a_failure_of_replicas_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Replicas):
        def run_each(self, module: Any, inputs: Any, function: str = "main") -> Any:
            raise SideFailed("unsupported", "no replicas")

    monkeypatch.setattr(run, "xla_replicas", lambda count, time_limit: Failing())
    report = hlokit.diff(program(*PROGRAMS[1]), rows(4), against="xla")
    assert report.status == 2
    assert "no replicas" in str(report)


def test_sides_of_one_process_are_refused() -> None:
    with pytest.raises(ArgumentError, match="its side must be xla, high or another program, got eval-module"):
        hlokit.diff(program(*PROGRAMS[0]), rows(2), against="eval-module")


def test_arguments_of_processes_have_names() -> None:
    original = program(*PROGRAMS[0])
    assert hlokit.diff(original, x=rows(2), against=original).status == 0
    with pytest.raises(ArgumentError, match="there is no parameter agianst; did you mean against="):
        hlokit.diff(original, rows(2), agianst=original)


@pytest.mark.deep
def test_processes_on_xla() -> None:
    for replicas, partitions, collective, attributes in PROGRAMS:
        x = rows(replicas * partitions)
        report = hlokit.diff(program(replicas, partitions, collective, attributes), x, against="xla")
        if collective == BROADCAST:
            assert report.status == 2
            assert "`collective-broadcast` is not supported" in " ".join(str(report).split())
        else:
            assert report.status == 0, report
            assert len(report.results) == 3 * replicas * partitions
