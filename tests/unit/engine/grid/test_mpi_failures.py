"""Failures of processes on ranks: all of them end, with the errors that the engine of threads gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.engine.grid.mpi_programs import (
    ADD,
    ALL,
    CHANNEL,
    RANKS,
    RUN_PARALLEL,
    TRANSLATE,
    groups,
    mpiexec,
    on_grid,
    program,
    same_on_ranks,
    values,
)

pytestmark = pytest.mark.deep

BRANCHES = """func.func @main() -> tensor<f32> {
  VALUES
  %index = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
  %0 = "stablehlo.case"(%index) ({
    BRANCHES
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}""".replace("VALUES", values("f32"))
REDUCE = """%a0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {CHANNEL, replica_groups = dense<GROUPS> : tensor<1x4xi64>, use_global_device_ids} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %a0 : tensor<f32>"""
SKIP = "stablehlo.return %x : tensor<f32>"
RECEIVE = """%t = stablehlo.create_token : !stablehlo.token
    %a0:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    stablehlo.return %a0#0 : tensor<f32>"""
SEND = """%t = stablehlo.create_token : !stablehlo.token
    %a0 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    stablehlo.return %x : tensor<f32>"""
CHECK = """%k = stablehlo.constant dense<1.0> : tensor<f32>
    "check.expect_eq"(%x, %k) : (tensor<f32>, tensor<f32>) -> ()
    stablehlo.return %x : tensor<f32>"""
# These programs end only because another rank fails.
FOREVER = """%a0 = stablehlo.while(%i = %x) : tensor<f32>
    cond {
      %yes = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %yes : tensor<i1>
    } do {
      %j = stablehlo.add %i, %i : tensor<f32>
      stablehlo.return %j : tensor<f32>
    }
    stablehlo.return %a0 : tensor<f32>"""


def branches(*regions: str, groups_: str = "[[0, 1, 2, 3]]") -> str:
    """A region for each replica."""
    text = BRANCHES.replace("BRANCHES", "\n  }, {\n    ".join(regions))
    return text.replace("CHANNEL", CHANNEL).replace("GROUPS", groups_)


DIVERGENT = branches(REDUCE, REDUCE, REDUCE, REDUCE)
# A loop of as many rounds as the number of the process, and one more.
DEADLOCK = f"""func.func @main() -> tensor<i32> {{
  {values("i32")}
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
  cond {{
    %c = stablehlo.compare LE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = "stablehlo.all_reduce"(%one) ({{
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        stablehlo.return %a : tensor<i32>
    }}) {{{groups([0, 1], [2, 3])}, {CHANNEL}, use_global_device_ids}} : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }}
  return %0 : tensor<i32>
}}"""
TWO_ENDS = branches(SKIP, SEND, SKIP, SEND)
UNRECEIVED = branches(SKIP, SKIP, SEND, SKIP)
UNSENT = branches(SKIP, SKIP, SKIP, RECEIVE)
FAILING_CHECK = branches(FOREVER, REDUCE, CHECK, SKIP)
# One process fails in each program: with several failures, the reported one would depend on timing.
BAD_GROUP = branches(SKIP, SKIP, REDUCE, SKIP, groups_="[[0, 1, 2, 3, 4, 5]]").replace("1x4xi64", "1x6xi64")
UNFINISHED = program("all_gather", f"all_gather_dim = 0 : i64, {groups([0, 2, 1])}", "f32", (2,), (6,))


def test_failures_end_all_ranks(tmp_path: Path) -> None:
    working = program("all_reduce", ALL, "f32", (2,), (2,), ADD)
    failing = [
        DEADLOCK,
        UNRECEIVED,
        UNSENT,
        BAD_GROUP,
        UNFINISHED,
        FAILING_CHECK,
        "func.func @main() { oops }",
    ]
    programs = [on_grid((4, 1), text) for program in failing for text in (program, working)]
    programs.append(RUN_PARALLEL.replace("[0, 1], [2, 3]", "[0, 2], [1, 3]"))
    status, out, err = same_on_ranks(tmp_path, programs)
    assert status == 1
    assert out.count("tensor<2xf32>") == RANKS * len(failing)
    assert err.count(": error: ") == len(failing) + 1
    assert "called from @main, interpreter.run_parallel" in err
    assert err.count("deadlock: every process waits or has ended") == 3
    at = r'waits at stablehlo.all_reduce in @main at [^ "]+\.mlir:20:10 for process'
    assert re.search(rf"process \(0, 0\) has ended\n  process \(1, 0\) {at} \(0, 0\) on channel 1\n", err)
    assert "process (3, 0) waits at stablehlo.recv" in err
    assert "for a message on channel 7" in err
    assert (
        "every message must be received, but these were not:\n  from process (2, 0) at stablehlo.send" in err
    )
    assert "process (2, 0): replica_groups must hold ids below 4" in err
    assert "process (3, 0): replica_groups must cover every process" in err
    assert "process (2, 0): values must be bitwise equal" in err


def test_messages_do_not_depend_on_the_order_of_arrival() -> None:
    working = program("all_reduce", ALL, "f32", (2,), (2,), ADD)
    status, out, err = mpiexec(
        TRANSLATE,
        *("--interpret", "--engine=mpi", "--split-input-file"),
        stdin="\n// -----\n".join([working, DIVERGENT, TWO_ENDS]),
    )
    assert (status, out.count("tensor<2xf32>")) == (1, RANKS)
    assert re.search(r"process \(., 0\): the processes of a group must meet at one operation\n", err)
    places = r"\n  process \(., 0\) is at stablehlo.all_reduce in @main at [^ ]+:[0-9]+:[0-9]+"
    assert len(re.findall(places, err)) >= 2
    assert "one process may send to channel 7 without source_target_pairs, got process (1, 0) at" in err


# Rank 2 cannot take part in moving values, and the other ranks would wait for it.
LOST = """
from hlokit.engine.grid.mpi import collectives as mpi_collectives
from hlokit.engine.grid.mpi import engine as mpi_engine
if mpi_engine.mpi_engine(patience=0.3).rank == 2:
    def all_gather(*arguments):
        raise MemoryError("no room")
    mpi_collectives.all_gather = all_gather
"""


def test_ranks_that_cannot_be_ended_are_given_up(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    status, out, err = mpiexec(LOST + TRANSLATE, "--interpret", "--engine=mpi", str(path))
    assert (status, out) == (1, "")
    assert "12: error: stablehlo.all_reduce: process (2, 0): out of memory: no room\n" in err
