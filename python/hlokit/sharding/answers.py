"""What a child process is asked, and answers: plain data that can be pickled."""

from __future__ import annotations

from dataclasses import dataclass, field

from hlokit.sharding.layout import Layout
from hlokit.sharding.meshes import Mesh


@dataclass(frozen=True, slots=True)
class Question:
    """A whole program to partition.

    Attributes:
      module: bytecode, with shardings in Shardy's attributes, or in GSPMD's, which only XLA takes.
      mesh: of all shardings.
      partitioner: `shardy` or `xla`.
    """

    module: bytes
    mesh: Mesh
    partitioner: str


@dataclass(frozen=True, slots=True)
class Reshard:
    """A value that is wanted in another sharding than it has.

    Attributes:
      value: the operation that made it, or the parameter.
      before, after: its shardings, as `PartitionSpec` prints.
      location: of the operation that wants it otherwise.
      bytes: of the whole value.
      is_requested: a sharding constraint of the program asks for it.
    """

    value: str
    before: str
    after: str
    location: str
    bytes: int
    is_requested: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that every device holds as a whole."""

    value: str
    location: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A partitioned program.

    Attributes:
      module: bytecode of the program for each device.
      inputs, outputs: layouts of the whole program's parameters and results.
      specs: how `PartitionSpec` would print the shardings of parameters and results.
      reshards: what the partitioner inserted for want of fitting shardings.
      kept: values inside of the program that stayed whole.
      notes: what was changed so that the partitioner could do it.
    """

    module: bytes
    inputs: list[Layout]
    outputs: list[Layout]
    specs: tuple[list[str], list[str]]
    reshards: list[Reshard] = field(default_factory=list[Reshard])
    kept: list[Kept] = field(default_factory=list[Kept])
    notes: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no partitioned program.

    Attributes:
      stage: in which it failed.
      reason: what the partitioner said.
      location: where it failed; "" if it did not say.
    """

    stage: str
    reason: str
    location: str = ""


# Partitioners are given one function: calls lose shardings, and composites hide what they do.
INLINING = "builtin.module(stablehlo-legalize-composite-to-call,inline{default-pipeline=})"
