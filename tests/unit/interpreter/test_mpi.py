"""The MPI engine on four ranks of this machine, against the engine of threads: what they print is equal."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np

import hlokit
from hlokit.cli import translate
from hlokit.mlir.bindings import stablehlo_operations

RANKS = 4
TRANSLATE = "import sys; from hlokit.cli.translate import main; main()"
RUN = "import sys; from hlokit.cli.main import main; main()"
MPIEXEC = Path(sys.executable).with_name("mpiexec")
# Ranks talk through memory. The rest keeps MPI from looking for other ways between machines.
LOOPBACK = {"UCX_TLS": "self,sm", "FI_PROVIDER": "shm", "FI_TCP_IFACE": "lo", "HYDRA_IFACE": "lo"}


def mpiexec(code: str, *arguments: str, ranks: int = RANKS, stdin: str = "") -> tuple[int, str, str]:
    """Run Python code on ranks: exit status, standard output, standard error."""
    # Ranks outnumber cores, and may run as root: mpich needs nothing for either.
    command = [str(MPIEXEC), "-launcher", "fork", "-n", str(ranks), sys.executable, "-c", code, *arguments]
    paths = [str(Path(hlokit.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, **LOOPBACK, "PYTHONPATH": os.pathsep.join(paths)}
    for _ in range(2):
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, env=environment, timeout=100, check=False
        )
        # Now and then Hydra kills a rank that is about to end anyway, after all is done, and says so.
        if done.returncode != 9 or "BAD TERMINATION" not in done.stdout:
            break
    return done.returncode, done.stdout, done.stderr


def threads(*arguments: str) -> tuple[int, str, str]:
    """The same of `stablehlo-translate` in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = translate.main(["--interpret", *arguments])
    return status, out.getvalue(), err.getvalue()


def same_on_ranks(tmp_path: Path, programs: Sequence[str], *flags: str) -> tuple[int, str, str]:
    """What programs give on both engines, which must be equal."""
    path = tmp_path / "programs.mlir"
    path.write_text("\n// -----\n".join(programs))
    arguments = ["--split-input-file", *flags, str(path)]
    expected = threads(*arguments)
    assert mpiexec(TRANSLATE, "--interpret", "--engine=mpi", *arguments) == expected
    return expected


# Programs -----------------------------------------------------------------------------------------

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
QUANTIZED = "!quant.uniform<i8:f32, 0.5:3>"
# Integers that MPI reduces, those that it does not, bool, and floats and complex numbers that round.
TYPES = (
    "i1",
    "i4",
    "ui2",
    "i8",
    "ui16",
    "i32",
    "ui64",
    "f8E4M3FN",
    "bf16",
    "f16",
    "f32",
    "f64",
    "complex<f32>",
)


def tensor(type_: str, *sizes: int) -> str:
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{type_}>"


def values(type_: str, *sizes: int) -> str:
    """Operations that make %x, which differs from process to process and from element to element."""
    shape, rank = tensor("ui32", *sizes), len(sizes)
    floats, last = tensor("f32", *sizes), tensor(type_, *sizes)
    lines = [
        "%r = stablehlo.replica_id : tensor<ui32>",
        "%p = stablehlo.partition_id : tensor<ui32>",
        "%five = stablehlo.constant dense<5> : tensor<ui32>",
        "%r5 = stablehlo.multiply %r, %five : tensor<ui32>",
        "%rp = stablehlo.add %r5, %p : tensor<ui32>",
        f"%number = stablehlo.broadcast_in_dim %rp, dims = [] : (tensor<ui32>) -> {shape}",
        f"%seven = stablehlo.constant dense<7> : {shape}",
        f"%scaled = stablehlo.multiply %number, %seven : {shape}",
    ]
    previous = "%scaled"
    for dimension in range(rank):
        lines += [
            f"%i{dimension} = stablehlo.iota dim = {dimension} : {shape}",
            f"%s{dimension} = stablehlo.add {previous}, %i{dimension} : {shape}",
        ]
        previous = f"%s{dimension}"
    if type_[0] in "iu":
        return "\n".join([*lines, f"%x = stablehlo.convert {previous} : ({shape}) -> {last}"])
    lines += [
        f"%f = stablehlo.convert {previous} : ({shape}) -> {floats}",
        f"%third = stablehlo.constant dense<0.3> : {floats}",
        f"%y = stablehlo.multiply %f, %third : {floats}",
    ]
    match type_.partition("<")[0]:
        case "complex":
            lines.append(f"%x = stablehlo.complex %y, %third : {last}")
        case "!quant.uniform":
            lines.append(f"%x = stablehlo.uniform_quantize %y : ({floats}) -> {last}")
        case _:
            lines.append(f"%x = stablehlo.convert %y : ({floats}) -> {last}")
    return "\n".join(lines)


def program(
    op: str, attributes: str, type_: str, source: tuple[int, ...], target: tuple[int, ...], body: str = ""
) -> str:
    """A function that applies an operation to values of its process."""
    scalar = tensor(re.sub(r"i8:f32, 0.5:3", "i8:f32, 0.5:3", type_))
    region = f"""({{
      ^bb0(%a: {scalar}, %b: {scalar}):
        %c = {body.replace("T", scalar)}
        stablehlo.return %c : {scalar}
      }})""" if body else ""  # fmt: skip
    before, after = tensor(type_, *source), tensor(type_, *target)
    return f"""func.func @main() -> {after} {{
      {values(type_, *source)}
      %0 = "stablehlo.{op}"(%x) {region} {{{attributes}}} : ({before}) -> {after}
      return %0 : {after}
    }}"""


def groups(*rows: Sequence[int], name: str = "replica_groups") -> str:
    return f"{name} = dense<{[list(row) for row in rows]}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


ADD = "stablehlo.add %a, %b : T"
ALL = groups(range(RANKS))


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
    twice = "stablehlo.add %b, %b : T\n %d = stablehlo.add %c, %a : T".replace("%d", "%e")
    found.append(program("all_reduce", ALL, "f32", (2,), (2,), twice))
    found += [
        program("all_reduce", ALL, type_, (123, 77), (123, 77), ADD) for type_ in ("f32", "bf16", "i32")
    ]
    found.append(program("all_reduce", groups([3, 1], [0, 2]), "f64", (5001,), (5001,), ADD))
    return found


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


# Roots that the processes agree on, and roots that they do not.
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


def on_grid(grid: tuple[int, int], text: str) -> str:
    """A program that states its grid."""
    replicas, partitions = grid
    attributes = f"mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32"
    return f"module attributes {{{attributes}}} {{\n{text}\n}}"


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


# Failures -----------------------------------------------------------------------------------------

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
# Without an end, but for the failure of another rank.
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
DEADLOCK = (
    """func.func @main() -> tensor<i32> {
  VALUES
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.convert %r : (tensor<ui32>) -> tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %c = stablehlo.compare LE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = "stablehlo.all_gather"(%one) {all_gather_dim = 0 : i64, GROUPS, CHANNEL, use_global_device_ids} : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}""".replace("VALUES", values("i32"))
    .replace("GROUPS", groups([0, 1], [2, 3]))
    .replace("CHANNEL", CHANNEL)
)
DEADLOCK = (
    DEADLOCK.replace("stablehlo.all_gather", "stablehlo.all_reduce")
    .replace("all_gather_dim = 0 : i64, ", "")
    .replace(
        "(%one) {",
        """(%one) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        stablehlo.return %a : tensor<i32>
    }) {""",
    )
)
TWO_ENDS = branches(SKIP, SEND, SKIP, SEND)
UNRECEIVED = branches(SKIP, SKIP, SEND, SKIP)
UNSENT = branches(SKIP, SKIP, SKIP, RECEIVE)
FAILING_CHECK = branches(FOREVER, REDUCE, CHECK, SKIP)
# One process fails in each: of several, the one whose error is told depends on their speed.
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
    at = r'waits at stablehlo.all_reduce in @main at loc\("[^"]+\.mlir":20:10\) for process'
    assert re.search(rf"process \(0, 0\) has ended\n  process \(1, 0\) {at} \(0, 0\) on channel 1\n", err)
    assert "process (3, 0) waits at stablehlo.recv" in err
    assert "for what a process sends to channel 7" in err
    assert "what was sent must be received, but this was not:\n  by process (2, 0) at stablehlo.send" in err
    assert "process (2, 0): replica_groups must hold ids below 4" in err
    assert "process (3, 0): replica_groups must cover every process" in err
    assert "process (2, 0): values must be bitwise equal" in err


def test_messages_do_not_depend_on_who_is_first() -> None:
    working = program("all_reduce", ALL, "f32", (2,), (2,), ADD)
    status, out, err = mpiexec(
        TRANSLATE,
        *("--interpret", "--engine=mpi", "--split-input-file"),
        stdin="\n// -----\n".join([working, DIVERGENT, TWO_ENDS]),
    )
    assert (status, out.count("tensor<2xf32>")) == (1, RANKS)
    assert re.search(r"process \(., 0\): the processes of a group must meet at one operation\n", err)
    assert len(re.findall(r"\n  process \(., 0\) is at stablehlo.all_reduce in @main at loc", err)) >= 2
    assert "one process may send to channel 7 without source_target_pairs, got process (1, 0) at" in err


def test_input_that_there_is_not(tmp_path: Path) -> None:
    path = tmp_path / "none.mlir"
    status, out, err = mpiexec(RUN, "run", "--engine=mpi", str(path), ranks=2)
    assert (status, out) == (1, "")
    assert err == f"{path}: error: cannot open input file '{path}': no such file or directory\n"


IDENTITY = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  interpreter.print %x : tensor<2xf32>
  %0 = interpreter.probe %x, probe_id = "x" : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def test_arguments_and_files_of_ranks(tmp_path: Path) -> None:
    path = tmp_path / "identity.mlir"
    path.write_text(IDENTITY)
    for rank in range(RANKS):
        np.save(tmp_path / f"x{rank}.npy", np.float32([rank, -rank]))
    flags = ["--interpret", "--engine=mpi", f"--args={tmp_path}/x{{rank}}.npy", str(path)]
    outputs = [f"--output={tmp_path / 'y.npz'}", f"--probe-output-dir={tmp_path / 'probes'}"]
    status, out, err = mpiexec(TRANSLATE, *outputs, f"-o={tmp_path / 'out.txt'}", *flags)
    assert (status, out, err) == (0, "", "")
    with np.load(tmp_path / "y.npz") as results:
        assert [list(results[f"result_{rank}"]) for rank in range(RANKS)] == [
            [0, 0],
            [1, -1],
            [2, -2],
            [3, -3],
        ]
    printed = (tmp_path / "out.txt").read_text()
    assert printed.count("%arg0 = tensor<2xf32>") + printed.count("%x = tensor<2xf32>") == RANKS
    for rank in range(RANKS):
        assert "x,tensor<2xf32>," in (tmp_path / "probes" / f"rank_{rank}" / "index.csv").read_text()
    (tmp_path / "x1.npy").unlink()
    status, out, err = mpiexec(TRANSLATE, *flags, ranks=2)
    assert (status, out) == (1, "")
    assert err.endswith(f"cannot read arguments from '{tmp_path}/x1.npy': no such file or directory\n")


def test_wrong_number_of_ranks(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    flags = ["--interpret", "--engine=mpi", "--num-replicas=2", "--num-partitions=2", str(path)]
    status, out, err = mpiexec(TRANSLATE, *flags, ranks=2)
    assert (status, out) == (1, "")
    assert err == f"{path}: error: a process grid of 2 x 2 must run on 4 ranks, got 2\n"


RUN_PARALLEL = """func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<f32>) {
  %x = stablehlo.constant dense<[1.5, 2.5]> : tensor<2xf32>
  %s = stablehlo.constant dense<3.0> : tensor<f32>
  interpreter.print %s : tensor<f32>
  %0:4 = "interpreter.run_parallel"(%x, %x, %s) {
    infeed = [@feed, @feed],
    programs = [[@sum, @sum], [@feeding, @probing]]
  } : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<f32>)
  %1 = stablehlo.add %0#3, %s : tensor<f32>
  return %0#0, %0#1, %0#2, %1 : tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<f32>
}
func.func @sum(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @feeding() -> tensor<1xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = "", layout = [[0]]} : (!stablehlo.token) -> (tensor<1xf32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#1) {infeed_config = "", layout = [[0]]} : (!stablehlo.token) -> (tensor<1xf32>, !stablehlo.token)
  %2 = stablehlo.add %0#0, %1#0 : tensor<1xf32>
  return %2 : tensor<1xf32>
}
func.func @feed() -> tensor<1xf32> {
  %0 = stablehlo.constant dense<[5.0]> : tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @probing(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}"""


# Each process by a computation of its own, for which there is or is none of MPI.
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


def test_processes_with_computations_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(COMPUTATIONS)
    status, out, err = mpiexec(TRANSLATE, "--interpret", "--engine=mpi", str(path))
    assert (status, err) == (0, "")
    assert re.findall(r"\[(.*)\]", out) == ["4, 8", "4, 8", "4, 8", "-2, -4"]


API = """
import numpy as np
import hlokit
from hlokit.interpreter.mpi_engine import mpi_engine
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
    kill = "import os; from hlokit.interpreter.mpi_engine import mpi_engine as e; e().rank == 1 and os.kill(os.getpid(), 9); "
    status, _, _ = mpiexec(f"{kill}e().together(lambda: e().shared(lambda: 1))", ranks=2)
    assert status != 0


# Rank 2 cannot take part in moving values, so that the others would wait for it.
LOST = """
from hlokit.interpreter import mpi_collectives, mpi_engine
mpi_engine._PATIENCE = 0.3
if mpi_engine.mpi_engine().rank == 2:
    def gather(*arguments):
        raise MemoryError("no room")
    mpi_collectives.gather = gather
"""


def test_ranks_that_cannot_be_ended_are_given_up(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    status, out, err = mpiexec(LOST + TRANSLATE, "--interpret", "--engine=mpi", str(path))
    assert (status, out) == (1, "")
    assert "12: error: stablehlo.all_reduce: process (2, 0): out of memory: no room\n" in err


def test_output_that_rank_0_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    target = tmp_path / "none" / "out.txt"
    status, out, err = mpiexec(TRANSLATE, "--interpret", "--engine=mpi", f"-o={target}", str(path), ranks=2)
    message = f"stablehlo-translate: error: cannot open output file '{target}': no such file or directory\n"
    assert (status, out, err) == (1, "", message)


def test_engine_that_there_is_not(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(IDENTITY)
    assert threads("--engine=pvm", str(path)) == (
        1,
        "",
        "stablehlo-translate: error: --engine must be threads or mpi, got 'pvm'\n",
    )
    hidden = "import sys; sys.modules['mpi4py'] = None; from hlokit.cli.translate import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", hidden, "--interpret", "--engine=mpi", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "the MPI engine needs mpi4py and an MPI library: pip install 'hlokit[mpi]' mpich" in done.stderr
