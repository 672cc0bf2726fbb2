"""The questions and answers of child processes: plain data that can be pickled."""

from __future__ import annotations

from dataclasses import dataclass, field

from hlokit.tools.shard.notation.layout import Layout
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import Sharding

# Notes and lists of values omit values of fewer bytes.
SMALL = 1 << 12


@dataclass(frozen=True, slots=True)
class Question:
    """A whole program to partition.

    Attributes:
      module: bytecode with shardings in Shardy's attributes, or in GSPMD's attributes, which only XLA
        accepts.
      mesh: the mesh of all shardings.
      partitioner: `shardy` or `xla`.
    """

    module: bytes
    mesh: Mesh
    partitioner: str


@dataclass(frozen=True, slots=True)
class Reshard:
    """A value whose use requires another sharding.

    Attributes:
      value: the operation that computes the value, or the parameter.
      before, after: shardings of the value, as `PartitionSpec` prints them.
      location: location of the operation that requires the other sharding.
      bytes: size of the whole value in bytes.
      is_requested: whether a sharding constraint of the program requests the reshard.
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
class Stated:
    """The sharding of a result that the partitioner stated.

    Attributes:
      operation: number of the operation in a walk over the program for a device.
      result: the number of the result.
      shape: shape of a device's piece.
    """

    operation: int
    result: int
    sharding: Sharding
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """The results of an operation of the whole program, in the program for a device.

    Attributes:
      whole: the operation's number in a walk over the whole program, whose calls are inlined.
      operation: the number of the operation of a device that has the results, in a walk.
      shardings: of each result: in Shardy's form, or as text in GSPMD's.
    """

    whole: int
    operation: int
    shardings: tuple[Sharding | str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A partitioned program.

    Attributes:
      module: bytecode of the program for each device.
      inputs, outputs: layouts of the whole program's parameters and results.
      specs: the shardings of parameters and results, as `PartitionSpec` prints them.
      reshards: the reshards that the partitioner inserted.
      kept: replicated values inside of the program.
      notes: the changes that hlokit made to the program before the partitioning.
      stated: shardings of values inside of the program.
      traced: the values of the whole program that the program for a device contains.
    """

    module: bytes
    inputs: list[Layout]
    outputs: list[Layout]
    specs: tuple[list[str], list[str]]
    reshards: list[Reshard] = field(default_factory=list[Reshard])
    kept: list[Kept] = field(default_factory=list[Kept])
    notes: list[str] = field(default_factory=list[str])
    stated: list[Stated] = field(default_factory=list[Stated])
    traced: list[Traced] = field(default_factory=list[Traced])


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rejection of a program by a partitioner.

    Attributes:
      stage: the stage that failed.
      reason: the message of the partitioner.
      location: the location of the failure; "" if it is unknown.
    """

    stage: str
    reason: str
    location: str = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """The traceback of an exception in hlokit's own code."""

    traceback: str
