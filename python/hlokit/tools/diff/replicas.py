"""Programs for a grid of replicas and partitions as programs for replicas only, which XLA:CPU runs."""

from __future__ import annotations

import io

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.shard.cost_model.traffic import groups_of

# What tells replicas and partitions apart in a collective.
_MODES = ("channel_handle", "channel_id", "use_global_device_ids")


def with_replicas_only(program: Program) -> bytes:
    """The module of a program, as bytecode, with a replica for each process, in the order of processes."""
    replicas, partitions = program.grid
    clone = program.module.operation.clone(ip=False)
    collectives: list[ir.Operation] = []
    ids: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> None:
        traits = traits_of(operation.name)
        if traits.process_id:
            ids.append(operation)
        elif traits.collective:
            collectives.append(operation)

    walk(clone, visit)
    with program.module.context, ir.Location.unknown():
        for operation in collectives:
            _set_groups(operation, replicas, partitions)
        for operation in ids:
            _divide_number(operation, partitions)
        for name, count in (("num_replicas", replicas * partitions), ("num_partitions", 1)):
            clone.attributes[f"mhlo.{name}"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), count)
    buffer = io.BytesIO()
    clone.write_bytecode(buffer)
    return buffer.getvalue()


def _set_groups(operation: ir.Operation, replicas: int, partitions: int) -> None:
    """Let a collective name processes by their numbers, in groups of the same order."""
    groups = groups_of(operation)
    numbers = [
        [id_.replica * partitions + id_.partition for id_ in group]
        for group in groups.processes(replicas, partitions)
    ]
    size = max(map(len, numbers), default=0)
    table = np.array([[*group, *[-1] * (size - len(group))] for group in numbers], np.int64).reshape(-1, size)
    operation.attributes[groups.name] = ir.DenseElementsAttr.get(table)
    for name in _MODES:
        if name in operation.attributes:
            del operation.attributes[name]


def _divide_number(operation: ir.Operation, partitions: int) -> None:
    """Compute the id of a replica or partition from the number of the process."""
    result = operation.results[0]
    point = ir.InsertionPoint(operation)
    element = ir.IntegerAttr.get(ir.IntegerType.get_unsigned(32), partitions)
    value: dict[str, ir.Attribute] = {"value": ir.DenseElementsAttr.get_splat(result.type, element)}
    number, count = (
        ir.Operation.create(name, [result.type], attributes=attributes, ip=point).results[0]
        for name, attributes in (("stablehlo.replica_id", None), ("stablehlo.constant", value))
    )
    name = "stablehlo.remainder" if operation.name == "stablehlo.partition_id" else "stablehlo.divide"
    quotient = ir.Operation.create(name, [result.type], [number, count], ip=point)
    result.replace_all_uses_with(quotient.results[0])
    operation.erase()
