"""Programs of several processes, run by the MPI engine on ranks of this machine and by the engine of
threads."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import hlokit
from hlokit.cli.upstream import translate

RANKS = 4
TRANSLATE = "import sys; from hlokit.cli.upstream.translate import main; main()"
RUN = "import sys; from hlokit.cli.main import main; main()"
MPIEXEC = Path(sys.executable).with_name("mpiexec")
# Ranks communicate through memory. The other settings keep MPI from searching for networks.
LOOPBACK = {"UCX_TLS": "self,sm", "FI_PROVIDER": "shm", "FI_TCP_IFACE": "lo", "HYDRA_IFACE": "lo"}


def mpiexec(code: str, *arguments: str, ranks: int = RANKS, stdin: str = "") -> tuple[int, str, str]:
    """Run Python code on ranks: exit status, standard output, standard error."""
    # Ranks outnumber cores, and may run as root: mpich needs nothing for either.
    command = [str(MPIEXEC), "-launcher", "fork", "-n", str(ranks), sys.executable, "-c", code, *arguments]
    paths = [str(Path(hlokit.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, **LOOPBACK, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=environment, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


def threads(*arguments: str) -> tuple[int, str, str]:
    """The same of `stablehlo-translate` in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = translate.main(["--interpret", *arguments])
    return status, out.getvalue(), err.getvalue()


def same_on_ranks(tmp_path: Path, programs: Sequence[str], *flags: str) -> tuple[int, str, str]:
    """Results of programs on both engines, which must be equal."""
    path = tmp_path / "programs.mlir"
    path.write_text("\n// -----\n".join(programs))
    arguments = ["--split-input-file", *flags, str(path)]
    expected = threads(*arguments)
    assert mpiexec(TRANSLATE, "--interpret", "--engine=mpi", *arguments) == expected
    return expected


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
    """Operations that compute %x, which differs between processes and between elements."""
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
    scalar = tensor(type_)
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


def on_grid(grid: tuple[int, int], text: str) -> str:
    """A program that states its grid."""
    replicas, partitions = grid
    attributes = f"mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32"
    return f"module attributes {{{attributes}}} {{\n{text}\n}}"


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
