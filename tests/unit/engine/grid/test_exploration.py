"""Runs in other orders of the processes: which orders, and what depends on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlokit.cli.main import main
from hlokit.engine.contract.process import Collective, ProcessRun
from hlokit.engine.contract.process_groups import GroupMode, ReplicaGroups
from hlokit.engine.contract.run_context import RunContext, current, use
from hlokit.engine.grid.exploration import Exploration
from hlokit.engine.grid.threads import current_process
from hlokit.errors import EvaluationError

ALL = ReplicaGroups(GroupMode.CROSS_REPLICA, None)
COLLECTIVE = Collective(0, ("collective",))


def explore(exploration: Exploration, function: Callable[[], Any], count: int) -> list[Any]:
    return exploration.run(count, 1, [ProcessRun(function, ())] * count)


def meet(value: object) -> list[Any]:
    process = current_process()
    group = process.group(ALL)
    assert group is not None
    return [values[0] for values in process.all_gather(COLLECTIVE, group, (value,))]


def number() -> int:
    return current_process().id.replica


def test_all_orders_of_two_processes_with_two_parts_each() -> None:
    parts: list[int] = []

    def of_two_parts() -> None:
        parts.append(number())
        current_process().pause()
        parts.append(number())

    exploration = Exploration()
    explore(exploration, of_two_parts, 2)
    orders = ["".join(map(str, parts[start : start + 4])) for start in range(0, len(parts), 4)]
    assert sorted(orders) == ["0011", "0101", "0110", "1001", "1010", "1100"]
    assert (exploration.explored, exploration.is_complete) == (6, True)
    assert exploration.summary() == "explored all 6 orders of the processes: the results are the same"


def test_processes_that_wait_have_no_turn() -> None:
    exploration = Exploration()
    assert explore(exploration, lambda: sum(meet(number())), 3) == [3, 3, 3]
    # Who arrives last goes on alone, then the others end in either order.
    assert (exploration.explored, exploration.is_complete) == (12, True)


def test_all_orders_run_if_there_are_few_although_a_process_has_many_turns() -> None:
    def with_pauses() -> None:
        for _ in range(10 * (number() == 0)):
            current_process().pause()

    exploration = Exploration()
    explore(exploration, with_pauses, 2)
    assert (exploration.explored, exploration.is_complete) == (12, True)


def test_no_order_runs_twice() -> None:
    parts: list[int] = []

    def of_six_parts() -> None:
        for _ in range(6):
            parts.append(number())
            current_process().pause()

    exploration = Exploration(limit=40)
    explore(exploration, of_six_parts, 2)
    orders = {tuple(parts[start : start + 12]) for start in range(0, len(parts), 12)}
    assert len(parts) == 40 * 12 and len(orders) > 30 and not exploration.is_complete


def test_a_result_that_depends_on_the_order_comes_with_both_orders() -> None:
    cell: list[int] = []

    def last_writer() -> int:
        current_process().pause()
        cell[:] = [number()]
        meet(0)
        return cell[0]

    with pytest.raises(EvaluationError) as caught:
        explore(Exploration(), last_writer, 2)
    first, *orders = str(caught.value).split("\n")
    assert first == "a result of process (0, 0) depends on the order of the processes"
    assert [line.split("order")[0] for line in orders] == ["  runs in the "] * 2 and len(set(orders)) == 2


def test_a_deadlock_in_some_orders() -> None:
    tickets: list[int] = []

    def first_waits() -> int:
        current_process().pause()
        tickets.append(number())
        is_first = len(tickets) % 2 == 1
        return sum(meet(1)) if is_first and number() == 1 else 0

    with pytest.raises(EvaluationError) as caught:
        explore(Exploration(), first_waits, 2)
    lines = str(caught.value).split("\n")
    assert lines[0] == "whether the run fails depends on the order of the processes"
    assert lines[1].startswith("  runs in the order") and lines[2].startswith("  fails in the order")
    assert lines[3].endswith("deadlock: every process waits or has ended") and "waits at" in lines[5]


def test_an_error_in_every_order_is_the_usual_error() -> None:
    exploration = Exploration()
    with pytest.raises(EvaluationError, match=r"^deadlock: every process waits or has ended"):
        explore(exploration, lambda: meet(1) if number() else None, 2)
    assert exploration.is_complete and exploration.explored > 1


def test_functions_that_keep_values_between_runs_are_told_apart() -> None:
    calls: list[int] = []

    def count() -> int:
        calls.append(0)
        return len(calls)

    with pytest.raises(EvaluationError, match="two runs in one order differ"):
        explore(Exploration(), count, 2)


def test_the_seed_determines_the_orders() -> None:
    def orders(seed: int) -> list[int]:
        order: list[int] = []

        def parts() -> None:
            for _ in range(4):
                order.append(number())
                current_process().pause()

        exploration = Exploration(limit=20, seed=seed)
        explore(exploration, parts, 4)
        assert not exploration.is_complete and exploration.explored > 15
        assert f"(more exist; seed {seed})" in exploration.summary()
        return order

    assert orders(1) == orders(1) != orders(2)


def test_output_appears_once_and_checks_count_once() -> None:
    def write() -> None:
        context = current()
        context.write(f"{number()}")
        context.outfeed(current_process().id, (np.int32(number()),))
        context.checks += 1

    text: list[str] = []
    outfeed: list[Any] = []
    context = RunContext(write=text.append, outfeed=lambda *values: outfeed.append(values))
    with use(context):
        explore(Exploration(), write, 2)
    assert sorted(text) == ["0", "1"] and len(outfeed) == 2 and context.checks == 2


def test_an_outfeed_that_depends_on_the_order() -> None:
    cell: list[int] = []

    def write() -> None:
        current_process().pause()
        cell[:] = [number()]
        meet(0)
        current().outfeed(current_process().id, (np.int32(cell[0]),))

    with pytest.raises(EvaluationError, match=r"the outfeed of process \(0, 0\) depends on the order"):
        explore(Exploration(), write, 2)


PUT_AND_GET = """
func.func @main() -> tensor<i32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %v = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %p = stablehlo.custom_call @put(%v) {has_side_effect = true} : (tensor<i32>) -> tensor<i32>
  %w = stablehlo.reshape %p : (tensor<i32>) -> tensor<1xi32>
  %r = "stablehlo.all_gather"(%w) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} :
    (tensor<1xi32>) -> tensor<2xi32>
  %g = stablehlo.custom_call @get(%r) {has_side_effect = true} : (tensor<2xi32>) -> tensor<i32>
  return %g : tensor<i32>
}"""
KERNELS = """import hlokit
cell = [0]
@hlokit.custom_call("put")
def put(x):
    cell[0] = x
    return x
@hlokit.custom_call("get")
def get(x):
    return cell[0] if SHARED else x[0]
"""


def test_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, kernels = tmp_path / "program.mlir", tmp_path / "kernels.py"
    program.write_text(PUT_AND_GET)
    flags = ["run", str(program), "--num-replicas=2", f"--kernels={kernels}"]
    kernels.write_text(KERNELS.replace("SHARED", "False"))
    assert main([*flags, "--explore"]) == 0
    assert "explored all" in capsys.readouterr().err
    assert main([*flags, "--explore=2", "--seed=3"]) == 0
    assert "(more exist; seed 3)" in capsys.readouterr().err
    kernels.write_text(KERNELS.replace("SHARED", "True"))
    assert main([*flags, "--explore"]) == 1
    error = capsys.readouterr().err
    assert (
        "depends on the order of the processes\n  runs in the order" in error and len(error.splitlines()) == 3
    )
    for other in ("--shadow", "--trace", "--reference"):
        assert main([*flags, "--explore", other]) == 2
        assert f"--explore must not be combined with {other}" in capsys.readouterr().err
    assert main([*flags, "--seed=3"]) == 2
    assert "--seed must be given with --explore" in capsys.readouterr().err


def test_one_process_has_no_other_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "one.mlir"
    program.write_text(
        "func.func @main() -> tensor<i32> { %0 = stablehlo.constant dense<1> : tensor<i32> return %0 : tensor<i32> }"
    )
    assert main(["run", str(program), "--explore"]) == 0
    assert "explored nothing: no grid of several processes has run" in capsys.readouterr().err
