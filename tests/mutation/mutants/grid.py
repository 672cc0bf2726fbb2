"""Mistakes in the process grid and in collective operations."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

COLLECTIVES = "hlokit.kernels.processes.collectives"
COORDINATOR = "hlokit.engine.grid.mpi.coordinator:Coordinator"
GROUPS = "hlokit.engine.contract.process_groups"
RENDEZVOUS = "hlokit.engine.grid.rendezvous"
THREADS = "hlokit.engine.grid.threads"
PROCESSES = "tests/unit/engine/grid/test_processes.py"

MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "groups across replicas and partitions list partitions first",
        f"{GROUPS}:ReplicaGroups.processes",
        "for partition in range(partitions) for replica in group\n",
        "for replica in group for partition in range(partitions)\n",
        "tests/unit/kernels/processes/test_collectives.py::test_all_gather",
    ),
    mutant(
        "flattened ids count columns before rows",
        f"{GROUPS}:ReplicaGroups.processes",
        "ProcessId(*divmod(id_, partitions))",
        "ProcessId(*divmod(id_, replicas)[::-1])",
        "tests/unit/kernels/processes/test_collectives.py::test_all_gather",
    ),
    mutant(
        "overlapping pairs connect only their direct neighbours",
        f"{GROUPS}:connected",
        "while reached - members:",
        "for _ in range(2):",
        "tests/interpret/collective_permute.mlir",
    ),
    mutant(
        "operations with a channel and without global ids cross partitions only",
        f"{COLLECTIVES}:_mode_across_both",
        "GroupMode.CROSS_REPLICA_AND_PARTITION if",
        "GroupMode.CROSS_PARTITION if",
        "tests/unit/kernels/processes/test_collectives.py::test_all_gather",
    ),
    mutant(
        "all_to_all splits along the dimension of concatenation",
        f"{COLLECTIVES}:all_to_all",
        "process.all_to_all(collective, group, operands, split_dimension)",
        "process.all_to_all(collective, group, operands, concat_dimension)",
        "tests/interpret/all_to_all.mlir",
    ),
    mutant(
        "reduce_scatter returns the shard of the next process",
        "hlokit.engine.contract.process:Process.all_to_all",
        "index, count = group.index(self.id), len(group)",
        "index, count = (group.index(self.id) + 1) % len(group), len(group)",
        "tests/interpret/reduce_scatter.mlir",
    ),
    mutant(
        "collective_broadcast sends the value of the last process",
        f"{COLLECTIVES}:_roots",
        "[0] * count",
        "[len(group) - 1] * count",
        "tests/interpret/collective_broadcast.mlir",
    ),
    mutant(
        "groups may be larger than the types require",
        f"{COLLECTIVES}:_own_group",
        "len(group) != size",
        "len(group) < size",
        "tests/unit/kernels/processes/test_collectives.py::test_groups_have_the_size_that_the_types_require",
    ),
    mutant(
        "sums of processes are in reverse order",
        f"{THREADS}:ProcessGrid.all_gather",
        "for member in group]",
        "for member in group[::-1]]",
        "tests/interpret/all_gather.mlir",
    ),
    mutant(
        "processes of one program meet at different operations",
        f"{RENDEZVOUS}:Arrival.fits",
        "self.operation == other.operation",
        "self.signature == other.signature",
        "tests/unit/engine/grid/test_processes.py::test_processes_of_one_program_must_meet_at_one_operation",
    ),
    mutant(
        "two processes may send to one end of a channel",
        f"{RENDEZVOUS}:MessageQueues._claim",
        "if owner != process:",
        "if owner is None:",
        "tests/unit/engine/grid/test_processes.py::test_a_channel_has_one_sender",
    ),
    mutant(
        "messages are received in reverse order",
        f"{RENDEZVOUS}:MessageQueues.take",
        "queue.popleft()",
        "queue.pop()",
        "tests/unit/engine/grid/test_processes.py::test_a_channel_keeps_order_and_send_does_not_wait",
    ),
    mutant(
        "a deadlock beside processes that have ended is not noticed",
        f"{COORDINATOR}._find_deadlock",
        "len(state.waits) + len(state.ended) < self._size",
        "len(state.waits) < self._size",
        "tests/unit/engine/grid/test_coordinator.py::test_deadlock_stops_all_that_wait",
    ),
    mutant(
        "errors of processes do not name the process",
        f"{THREADS}:ProcessGrid._raise_first_error",
        "add_process_name(failure, id_)",
        "pass",
        "tests/unit/engine/grid/test_processes.py::test_a_failure_ends_those_that_wait",
    ),
    mutant(
        "messages that nobody received are no error",
        f"{RENDEZVOUS}:MessageQueues.require_all_received",
        "if firsts:",
        "if firsts[1:]:",
        "tests/unit/engine/grid/test_processes.py::test_messages_must_be_received",
    ),
)
