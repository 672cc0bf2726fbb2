"""The MPI engine on four ranks of this machine, against the engine of threads: what they print is equal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlokit.mlir.provider.bindings import stablehlo_operations
from tests.unit.engine.grid.mpi_programs import (
    ADD,
    ALL,
    CHANNEL,
    QUANTIZED,
    RANKS,
    RUN_PARALLEL,
    TRANSLATE,
    TYPES,
    groups,
    mpiexec,
    on_grid,
    program,
    same_on_ranks,
    values,
)
from tests.unit.mlir import test_async_collectives as async_collectives

pytestmark = pytest.mark.deep


def computations(type_: str) -> list[str]:
    names = ["add", "multiply", "maximum", "minimum"] + ["and", "or", "xor"] * (type_[0] in "iu")
    names = ["add", "multiply"] if type_.startswith("complex") else names
    return [f"stablehlo.{name} %a, %b : T" for name in names]


def reductions() -> list[str]:
    found = [
        program("all_reduce", groups([2, 0, 3, 1]), type_, (3,), (3,), body)
        for type_ in TYPES
        for body in computations(type_)
    ]
    found += [
        program("reduce_scatter", f"scatter_dimension = 1 : i64, {ALL}", type_, (2, 8), (2, 2), body)
        for type_ in TYPES
        for body in computations(type_)[:2]
    ]
    # Neither commutative nor associative, not one operation, and large.
    found.append(program("all_reduce", ALL, "f32", (3,), (3,), "stablehlo.subtract %a, %b : T"))
    twice = "stablehlo.add %b, %b : T\n %e = stablehlo.add %c, %a : T"
    found.append(program("all_reduce", ALL, "f32", (2,), (2,), twice))
    found += [
        program("all_reduce", ALL, type_, (123, 77), (123, 77), ADD) for type_ in ("f32", "bf16", "i32")
    ]
    found.append(program("all_reduce", groups([3, 1], [0, 2]), "f64", (5001,), (5001,), ADD))
    return found


def asynchronous() -> list[str]:
    """The five collectives of JAX that begin and end; `test_async_collectives` has their values on threads."""
    found: list[str] = []
    for name, config, result, _ in async_collectives.COLLECTIVES:
        lines = [
            values("f32", 4, 4),
            f"%begun = {async_collectives.start(name, config, result)}",
            "%other = stablehlo.tanh %x : tensor<4x4xf32>",
            f"%result = {async_collectives.done(name, '%begun', result)}",
        ]
        text = async_collectives.program(lines, result).replace("return %r :", "return %result :")
        found.append(text.replace("@main(%x: tensor<4x4xf32>)", "@main()"))
    return found


def test_asynchronous_collectives_equal_those_of_threads(tmp_path: Path) -> None:
    status, out, _ = same_on_ranks(tmp_path, asynchronous())
    assert status == 0 and out.count("tensor<") == RANKS * len(async_collectives.COLLECTIVES)


NANS = """func.func @main() -> tensor<4xf32> {
  %r = stablehlo.replica_id : tensor<ui32>
  %i = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
  %table = stablehlo.constant dense<[[1.0, -0.0, 0x7F800000, 0x7FC00000], [0x7FC00000, 0.0, 2.0, 3.0],
    [0.0, -0.0, 0xFF800000, 4.0], [5.0, 0.0, 6.0, -1.0]]> : tensor<4x4xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %row = stablehlo.dynamic_slice %table, %i, %zero, sizes = [1, 4] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %x = stablehlo.reshape %row : (tensor<1x4xf32>) -> tensor<4xf32>
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.OP %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""

CAPTURING = """func.func @main() -> tensor<2xf32> {
  VALUES
  %n = stablehlo.convert %rp : (tensor<ui32>) -> tensor<f32>
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      %d = stablehlo.multiply %c, %n : tensor<f32>
      stablehlo.return %d : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}""".replace("VALUES", values("f32", 2))

# Each process sends to the next one, twice, and receives in the other order; then the ring closes.
MAIL = """func.func @main() -> (tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) {
  VALUES
  %t = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.send"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>} : (tensor<3xbf16>, !stablehlo.token) -> !stablehlo.token
  %z = stablehlo.add %x, %x : tensor<3xbf16>
  %2 = "stablehlo.send"(%z, %1) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<3xbf16>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%2) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<3xbf16>, !stablehlo.token)
  %4:2 = "stablehlo.recv"(%3#1) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>} : (!stablehlo.token) -> (tensor<3xbf16>, !stablehlo.token)
  return %x, %3#0, %4#0 : tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>
}""".replace("VALUES", values("bf16", 3))

LOOP = """func.func @main() -> tensor<i32> {
  VALUES
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<i32>
  cond {
    %limit = stablehlo.constant dense<30> : tensor<i32>
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %t = func.call @exchange(%s) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %n, %t : tensor<i32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}
func.func @exchange(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[0, 2], [2, 0], [3, 1]]> : tensor<3x2xi64>} : (tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}""".replace("VALUES", values("i32"))

RANDOM = """func.func @main() -> (tensor<4xf32>, tensor<ui32>) {
  %r = stablehlo.replica_id : tensor<ui32>
  %lo = stablehlo.constant dense<0.0> : tensor<f32>
  %hi = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[4]> : tensor<1xi64>
  %0 = stablehlo.rng %lo, %hi, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0, %r : tensor<4xf32>, tensor<ui32>
}"""

GRIDS = ((4, 1), (2, 2), (1, 4))


def moves(grid: tuple[int, int]) -> list[str]:
    """The operations that move values, in all group modes of a grid."""
    replicas, partitions = grid
    both = {"": replicas, f", {CHANNEL}": replicas, f", {CHANNEL}, use_global_device_ids": RANKS}
    one = {"": replicas, f", {CHANNEL}": partitions}
    found: list[str] = []
    for mode, count in both.items():
        ids = groups(range(count))
        size = count * partitions if mode == f", {CHANNEL}" else count
        found += [
            program("all_gather", f"all_gather_dim = 1 : i64, {ids}{mode}", "bf16", (3, 2), (3, 2 * size)),
            program("all_reduce", f"{ids}{mode}", "f32", (2, 3), (2, 3), ADD),
            program(
                "reduce_scatter", f"scatter_dimension = 0 : i64, {ids}{mode}", "f16", (8,), (8 // size,), ADD
            ),
        ]
    for mode, count in one.items():
        ids = groups(range(count))
        attributes = f"split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = {count} : i64"
        found += [
            program(
                "all_to_all", f"{attributes}, {ids}{mode}", "complex<f32>", (4, 2), (4 // count, 2 * count)
            ),
            program("collective_broadcast", f"{groups([count - 1, 0][:count])}{mode}", "i4", (5,), (5,)),
            program(
                "collective_permute",
                f"{groups([0, count - 1], [count - 1, 0][:2], name='source_target_pairs')}{mode}",
                QUANTIZED,
                (2, 2),
                (2, 2),
            )
            if count > 1
            else RANDOM,
        ]
    halves = groups([3, 0], [1, 2])
    found += [
        program(
            "all_gather",
            f"all_gather_dim = 0 : i64, {halves}, {CHANNEL}, use_global_device_ids",
            type_,
            (1,),
            (2,),
        )
        for type_ in (*TYPES, QUANTIZED)
    ]
    if hasattr(stablehlo_operations(), "CollectiveReduceOp"):
        found += [
            program("collective_reduce", f"{groups(range(count)[::-1])}{mode}", type_, (3,), (3,), ADD)
            for mode, count in one.items()
            for type_ in ("i32", "bf16")
        ]
    return found  # fmt: skip


# The processes agree about some of the roots.
ROOTS = """func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  VALUES
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %0 = "stablehlo.collective_broadcast"(%x, %two) {has_dynamic_root, replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>} : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  %i = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
  %own = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %1 = "stablehlo.collective_broadcast"(%x, %own) {has_dynamic_root, replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>} : (tensor<2xf32>, tensor<1xi32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}""".replace("VALUES", values("f32", 2))
HAS_ROOTS = hasattr(stablehlo_operations(), "CollectiveReduceOp")


def test_results_are_those_of_threads(tmp_path: Path) -> None:
    programs = [on_grid(grid, text) for grid in GRIDS for text in moves(grid)]
    reducing = [*reductions(), *(NANS.replace("OP", op) for op in ("maximum", "minimum", "add"))]
    programs += [
        on_grid((4, 1), text) for text in (*reducing, CAPTURING, MAIL, LOOP, RANDOM, *[ROOTS] * HAS_ROOTS)
    ]
    status, out, err = same_on_ranks(tmp_path, [*programs, RUN_PARALLEL])
    assert (status, err) == (0, ""), err
    assert len(re.findall("(?m)^tensor", out)) >= RANKS * len(programs)
    assert out.count("%cst_0 = tensor<f32> {3.000000e+00}\n") == 1  # what main prints


# Processes with different computations. MPI has operations for some of these computations.
COMPUTATIONS = """func.func @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:4 = "interpreter.run_parallel"(%x, %x, %x, %x) {
    programs = [[@add], [@add], [@add], [@subtract]]
  } : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}""" + "".join(
    f"""
func.func @{name}(%x: tensor<2xi32>) -> tensor<2xi32> {{
  %0 = "stablehlo.all_reduce"(%x) ({{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %c = stablehlo.{name} %a, %b : tensor<i32>
      stablehlo.return %c : tensor<i32>
  }}) {{{ALL}}} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}}"""
    for name in ("add", "subtract")
)


def test_processes_of_different_computations_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(COMPUTATIONS)
    status, _, err = mpiexec(TRANSLATE, "--interpret", "--engine=mpi", str(path))
    assert status == 1
    assert "the processes of a group must meet at one operation" in err
    assert "process (3, 0) is at stablehlo.all_reduce in @subtract" in err


API = """
import numpy as np
import hlokit
from hlokit.engine.grid.mpi.engine import mpi_engine
FEED = '''func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = "", layout = [[0]]} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %1 = stablehlo.add %0#0, %x : tensor<2xf32>
  %2 = "stablehlo.outfeed"(%1, %0#1) {outfeed_config = ""} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %3 = "stablehlo.collective_permute"(%1) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}'''
rank = mpi_engine().rank
program, out = hlokit.load(FEED), []
given = [(np.float32([n, 10 * n]), hlokit.Token()) if n == rank else None for n in range(4)]
feed = [[(np.float32([100, 200]),)]] * 4
run = lambda: program.run_parallel(given, infeed=feed, outfeed=lambda id_, values: out.append((id_, values)), engine="mpi")
results = run()
assert [list(r) for r in results] == [[101, 210], [100, 200], [0, 0], [0, 0]], results
((id_, (value,)),) = out
assert id_ == (rank, 0) and list(value) == [100 + rank, 200 + 10 * rank]
if rank == 2:
    given[rank] = (np.zeros(3, np.float32), hlokit.Token())
try:
    run()
except hlokit.ArgumentError as error:
    assert "tensor<2xf32>" in str(error)
else:
    raise SystemExit("no error")
given[rank] = (np.float32([rank, 10 * rank]), hlokit.Token())
assert [list(r) for r in run()] == [list(r) for r in results]
feed[3] = []
try:
    run()
except hlokit.EvaluationError as error:
    assert error.message == "process (3, 0): the infeed has no more values"
    assert error.frames[0].op == "stablehlo.infeed"
else:
    raise SystemExit("no error")
if rank == 1:
    raise SystemExit(0)  # the others find out
try:
    run()
except hlokit.EvaluationError as error:
    assert rank != 0 or "process (1, 0) has ended" in str(error)
print("done", flush=True)
"""


def test_from_python() -> None:
    status, out, err = mpiexec(API)
    assert (status, out.count("done"), err) == (0, 3, "")


def test_rank_that_is_killed_ends_the_job() -> None:
    kill = "import os; from hlokit.engine.grid.mpi.engine import mpi_engine as e; e().rank == 1 and os.kill(os.getpid(), 9); "
    status, _, _ = mpiexec(f"{kill}e().together(lambda: e().shared(lambda: 1))", ranks=2)
    assert status != 0
