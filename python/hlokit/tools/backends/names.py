"""Sides by their names on command lines."""

from __future__ import annotations

import os
from importlib.util import find_spec

import numpy as np

from hlokit.errors import ArgumentError
from hlokit.mlir.printing import write_bytecode
from hlokit.programs.loading import load
from hlokit.tools.backends.children import TIME_LIMIT, ChildSide
from hlokit.tools.backends.commands import CommandSide
from hlokit.tools.backends.side import Side, SideFailed

IREE_TARGETS = ("llvm-cpu", "vmvx")
NAMES = (
    "xla",
    "iree",
    "iree:vmvx",
    "eval-module",
    "torch-xla",
    "high",
    "reference",
    "pjrt:LIBRARY",
    "cmd:TEMPLATE",
)


def is_side(name: str) -> bool:
    """Whether a name is that of a side, such as `iree:vmvx`."""
    return name.partition(":")[0] in {side.partition(":")[0] for side in NAMES}


def named_side(name: str, time_limit: float = TIME_LIMIT) -> Side | None:
    """The side with a name; None if the name is not among `NAMES`, and may be that of a file.

    Raises:
      ArgumentError: the named implementation is not available.
    """
    kind, colon, rest = name.partition(":")
    match kind:
        case "xla" | "high" | "hlokit" | "reference" if not colon:
            return ChildSide(name, time_limit)
        case "eval-module" if not colon:
            # The C++ interpreter ends its process where it does not evaluate an operation.
            return ChildSide(
                name, time_limit, batch=1, refusal="LLVM ERROR: .*([Uu]nsupported|not supported)"
            )
        case "iree":
            target = rest or IREE_TARGETS[0]
            if target not in IREE_TARGETS:
                raise ArgumentError(
                    f"iree: the target must be one of {', '.join(IREE_TARGETS)}, got '{rest}'"
                )
            if not _is_installed("iree.compiler") or not _is_installed("iree.runtime"):
                raise ArgumentError("iree is not installed: pip install 'hlokit[iree]'")
            return ChildSide(f"iree:{target}", time_limit, batch=64)
        case "torch-xla" if not colon:
            if not _is_installed("torch_xla"):
                raise ArgumentError("torch-xla: torch_xla is not installed: pip install torch_xla torch")
            refusal = "failed to deserialize"  # and then its process dies
            environment = {"PJRT_DEVICE": "CPU"}
            return ChildSide(name, time_limit, batch=16, environment=environment, refusal=refusal)
        case "pjrt" if colon:
            if not os.path.isfile(rest):
                raise ArgumentError(f"pjrt: there is no library '{rest}'")
            return ChildSide(name, time_limit)
        case "cmd" if colon:
            return CommandSide(rest, time_limit)
        case _:
            return None


def xla_replicas(count: int, time_limit: float = TIME_LIMIT) -> Side:
    """XLA:CPU with a device for each replica. Arguments and results are those of the first replica first."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={count}"
    return ChildSide(f"xla:{count}", time_limit, environment={"XLA_FLAGS": flags})


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


# A program that every side can run.
_PROBE = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}"""


def failure_of_any(side: Side) -> SideFailed | None:
    """The failure of a side to run a program of one operation; None if the side runs the program."""
    try:
        side.run(write_bytecode(load(_PROBE).module), [np.ones((), np.float32)])
    except SideFailed as failure:
        return failure
    return None
