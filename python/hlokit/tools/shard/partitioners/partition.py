"""Partitions a whole program, with the user's shardings, into a program for each device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hlokit.children.folders import TemporaryFolder
from hlokit.errors import ArgumentError, HlokitError, InternalError, UnsupportedError
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.versions import provider_version
from hlokit.mlir.round_trip import import_round_trip
from hlokit.programs.program import Program
from hlokit.tools.backends.children import Child
from hlokit.tools.backends.side import SideFailed
from hlokit.tools.shard.notation.annotations import (
    annotate,
    argument_names,
    entry,
    function_types,
    has_shardings,
    import_gspmd,
    mesh_of_tilings,
    meshes_of,
    put_mesh,
    result_names,
    shapes,
    tilings_of,
)
from hlokit.tools.shard.notation.layout import Layout
from hlokit.tools.shard.notation.manual_regions import has_manual_regions, import_manual_regions
from hlokit.tools.shard.notation.meshes import Mesh, mesh_from
from hlokit.tools.shard.notation.several_meshes import Meshes, unite
from hlokit.tools.shard.partitioners.answers import (
    Answer,
    Defect,
    Kept,
    Question,
    Refusal,
    Reshard,
    Stated,
    Traced,
)
from hlokit.tools.shard.partitioners.preparation import erase_nested_modules, prepare
from hlokit.tools.shard.partitioners.requested import SpecReader, numbered
from hlokit.tools.shard.partitioners.worker import STAGE

PARTITIONERS = ("shardy", "xla")
TIME_LIMIT = 300.0
_TITLES = {"shardy": "Shardy's pipelines", "xla": "XLA's SPMD partitioner"}
_OTHERS = {"shardy": "xla", "xla": "shardy"}
_EXAMPLE = "--mesh=data=2,model=4 --in=0:\"P('data')\""


def other_partitioner(partitioner: str) -> str:
    """The advice of messages about a partitioner that fails."""
    return f"the other partitioner, {_OTHERS[partitioner]}, may succeed (docs/sharding.md has a table)"


class PartitionerFailed(HlokitError):
    """A partitioner returned no program, or a wrong one.

    Attributes:
      partitioner: `shardy` or `xla`.
      kind: `crash`, `time-out`, `refused` or `wrong`.
      stage: the stage that failed; "" if it is unknown.
      reason: message of the partitioner.
      operation: the operation at which the partitioner failed; "" if it is unknown.
    """

    def __init__(self, partitioner: str, kind: str, stage: str, reason: str, operation: str = "") -> None:
        self.partitioner, self.kind, self.stage = partitioner, kind, stage
        self.reason, self.operation = reason, operation
        self._arguments = (partitioner, kind, stage, reason, operation)
        during = f" in the {stage}" if stage else ""
        at = f", at {operation}" if operation else ""
        super().__init__(
            f"{_TITLES[partitioner]} ({provider_version()}) failed{during}{at}: {reason}; "
            f"{other_partitioner(partitioner)}"
        )

    def __reduce__(self) -> tuple[type[PartitionerFailed], tuple[str, str, str, str, str]]:
        # Errors are pickled and sent between processes.
        return type(self), self._arguments


class Workers:
    """The child processes that partition, one for each number of devices."""

    def __init__(self, time_limit: float = TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._children: dict[int, Child] = {}
        self._directory: TemporaryFolder | None = None

    def ask(self, question: Question) -> Answer:
        """The partitioned program, from the child process for the number of devices.

        Raises:
          PartitionerFailed: the partitioner crashed, took too long, or rejected the program.
          InternalError: hlokit failed, not the partitioner.
        """
        count = question.mesh.count
        child = self._children.get(count)
        if child is None:
            # The child may be killed, so this process removes XLA's files.
            self._directory = self._directory or TemporaryFolder()
            words = (str(count), self._directory.name)
            self._children[count] = child = Child(
                "hlokit.tools.shard.partitioners.worker", words, self._time_limit
            )
        try:
            answer: Answer | Refusal | Defect = child.ask(question)
        except SideFailed as failure:
            stages = [line for line in child.tail.splitlines() if line.startswith(STAGE)]
            stage = stages[-1].removeprefix(STAGE) if stages and failure.kind == "crash" else ""
            raise PartitionerFailed(question.partitioner, failure.kind, stage, failure.reason) from None
        if isinstance(answer, Defect):
            error = InternalError(answer.traceback.splitlines()[-1])
            error.add_note(answer.traceback)
            raise error
        if isinstance(answer, Refusal):
            raise PartitionerFailed(
                question.partitioner, "refused", answer.stage, answer.reason, answer.location
            )
        return answer

    def close(self) -> None:
        """End the children."""
        for child in self._children.values():
            child.close()
        self._children.clear()
        if self._directory is not None:
            self._directory.close()
            self._directory = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Request:
    """A whole program with its shardings as attributes.

    Attributes:
      whole: the program, whose module has all shardings.
      mesh: the mesh of all shardings.
      names, results: names of parameters and results.
      notes: changes of the program.
    """

    whole: Program
    mesh: Mesh
    names: tuple[str, ...]
    results: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def prepared(self, partitioner: str) -> Program:
        """The whole program in the form that the partitioner receives: without calls."""
        module = parse_bytecode(None, write_bytecode(self.whole.module), is_trusted=True)
        prepare(module, partitioner)
        return Program(module, self.whole.filename)

    def question(self, partitioner: str) -> Question:
        return Question(write_bytecode(self.whole.module), self.mesh, partitioner)


def request(
    program: Program,
    mesh: Any = None,
    in_shardings: Any = None,
    out_shardings: Any = None,
    *,
    partitioner: str = "shardy",
) -> Request:
    """Write shardings into a copy of a program.

    Args:
      mesh: text, a mapping, a `jax.sharding.Mesh`, or None for the program's own.
      in_shardings, out_shardings: None; a mapping by name or number, where the name "" is for all others;
        one sharding for all; or one for each, for programs from JAX as pytrees.
      partitioner: `xla` also splits dimensions that are not divisible; for `shardy` such dimensions are an
        error.

    Raises:
      ArgumentError: the shardings do not fit each other or the program, or there are none.
      UnsupportedError: the program has meshes of different devices, or takes other values than tensors of
        static shape.
    """
    module = parse_bytecode(None, write_bytecode(program.module), program.filename, is_trusted=True)
    erase_nested_modules(module)
    import_round_trip(module)
    main = entry(module)
    keeps_gspmd = partitioner == "xla" and in_shardings is None and out_shardings is None
    meshes = unite(module)
    chosen = _mesh(module, mesh, partitioner, meshes, keeps_gspmd=keeps_gspmd)
    names, results = argument_names(main), result_names(main)
    types = function_types(main)
    reader = SpecReader(chosen, meshes, program.calling, pads=partitioner == "xla")
    ins = reader.shardings(numbered(in_shardings, names, program), names, shapes(types[0]), "argument")
    outs = reader.shardings(out_shardings, results, shapes(types[1]), "result")
    annotate(module, chosen, ins, outs)
    if not has_shardings(module):
        raise ArgumentError(
            f"nothing is sharded: neither the program nor the caller shards a tensor over {chosen}; shard an "
            f"argument, for instance by "
            f"--in={names[0] if names else 0}:\"P('{chosen.axes[0][0]}')\""
            if chosen.axes
            else "the mesh must have an axis"
        )
    notes = () if meshes is None else (str(meshes),)
    return Request(
        Program(module, program.filename, program.calling), chosen, tuple(names), tuple(results), notes
    )


def _mesh(
    module: ir.Module, requested: Any, partitioner: str, meshes: Meshes | None, *, keeps_gspmd: bool
) -> Mesh:
    own = meshes.common if meshes is not None else next(iter(meshes_of(module).values()), None)
    asked = None if requested is None else mesh_from(requested)
    if meshes is not None and asked in meshes.all.values():
        asked = own
    if own is not None and asked is not None and own.axes != asked.axes:
        raise ArgumentError(f"the program is sharded over its own mesh, {own}, got {asked} too: omit --mesh")
    mesh = own or asked
    if own is None and tilings_of(module):
        if has_manual_regions(module):
            keeps_gspmd = not _import_manual_regions(module, asked, partitioner)
        imported = None if keeps_gspmd else import_gspmd(module, asked)
        if imported is not None:
            import_round_trip(module)  # custom calls that only have a sharding since then
        mesh = imported or mesh
        if mesh is None:
            mesh = mesh_of_tilings(module)
    if mesh is None:
        raise ArgumentError(
            f"the program has no mesh and no shardings: both must be given, such as {_EXAMPLE}"
        )
    return mesh


def _import_manual_regions(module: ir.Module, asked: Mesh | None, partitioner: str) -> bool:
    """Convert GSPMD's manual regions, in place; returns whether they are converted. XLA knows all others."""
    mesh = asked or mesh_of_tilings(module)
    trial = parse_bytecode(None, write_bytecode(module), is_trusted=True)
    try:
        import_manual_regions(trial, mesh, put_mesh(trial, mesh))
    except UnsupportedError:
        if partitioner == "xla":
            return False
        raise
    import_manual_regions(module, mesh, put_mesh(module, mesh))
    return True


class Partitioned:
    """A program for each device of a mesh.

    Attributes:
      program: the program of each device; a device is the process of its partition.
      whole: the program that was partitioned.
      mesh: the mesh of the devices.
      inputs, outputs: layouts of the whole program's parameters and results.
      specs: the shardings of parameters and results, as `PartitionSpec` prints them.
      names, results: names of parameters and results.
      partitioner: the partitioner that made the program.
      reshards, kept, notes, stated, traced: see `Answer`.
    """

    def __init__(self, asked: Request, answer: Answer, partitioner: str) -> None:
        module = parse_bytecode(None, answer.module, asked.whole.filename, is_trusted=True)
        self.program = Program(module, asked.whole.filename)
        self.whole = asked.whole
        self.mesh: Mesh = asked.mesh
        self.inputs: list[Layout] = answer.inputs
        self.outputs: list[Layout] = answer.outputs
        self.specs = answer.specs
        self.names, self.results = asked.names, asked.results
        self.partitioner = partitioner
        self.reshards: list[Reshard] = answer.reshards
        self.kept: list[Kept] = answer.kept
        self.notes: list[str] = [*asked.notes, *answer.notes]
        self.stated: list[Stated] = answer.stated
        self.traced: list[Traced] = answer.traced
        self.request = asked
