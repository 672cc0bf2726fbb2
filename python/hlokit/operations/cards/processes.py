"""Operations of several processes."""

from __future__ import annotations

from hlokit.kernels.processes import collectives, transfers
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import F64_ONLY, NO_FLOPS, NO_PROBE, Card, NotAgain
from hlokit.operations.cards.kinds import collective, structure
from hlokit.operations.cards.variants import processes as variants
from hlokit.operations.traits import Quantized, Traits
from hlokit.reference.stablehlo import collectives as ref_collectives
from hlokit.reference.stablehlo import control_flow as ref_control_flow
from hlokit.reference.stablehlo import transfers as ref_transfers
from hlokit.tools.shard.prices import flops, traffic

CARDS: tuple[Card, ...] = (
    collective(
        "stablehlo.all_gather",
        summary="Every process of a group hands in its array, and every process gets all of them, one behind the other along one dimension.",
        formula="results... = concatenate(operands...@process_group, all_gather_dim)",
        traits=Traits(may_not_run=True, moves=slice(0, None), quantized=Quantized.ON_STORAGE),
        kernel=collectives.all_gather,
        reference=ref_collectives.call_all_gather,
        variants=variants.ALL_GATHER,
        probe=((probes.SAME, f"{{all_gather_dim = 0 : i64, {probes.GROUPS}}}"),),
        traffic=traffic.ALL_GATHER,
        flops=NO_FLOPS,
    ),
    collective(
        "stablehlo.all_reduce",
        summary="Every process of a group hands in an array, and every process gets the same combination of them, such as their sum. The region says how two elements combine.",
        formula="results... = exec(schedule) over operands...@process_group",
        traits=Traits(
            aliases=("psum", "pmean", "pmax", "pmin"),
            may_not_run=True,
            combines=True,
            quantized=Quantized.REQUANTIZES,
        ),
        kernel=collectives.all_reduce,
        reference=ref_collectives.call_all_reduce,
        variants=variants.ALL_REDUCE,
        probe=((probes.SAME, f"{probes.REDUCER} {{{probes.GROUPS}}}"),),
        traffic=traffic.ALL_REDUCE,
        flops=flops.of_operand,
    ),
    collective(
        "stablehlo.all_to_all",
        summary="Every process of a group cuts its array into as many pieces as there are processes, sends the n-th piece to the n-th process, and joins what it receives.",
        formula=(
            "results... = concatenate([split(operands...@sender, split_count, "
            "split_dimension)[receiver_index] for sender in process_group], concat_dimension)"
        ),
        traits=Traits(may_not_run=True, moves=slice(0, None), quantized=Quantized.ON_STORAGE),
        kernel=collectives.all_to_all,
        reference=ref_collectives.call_all_to_all,
        variants=variants.ALL_TO_ALL,
        probe=(
            (
                probes.SAME,
                f"{{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, {probes.GROUPS}}}",
            ),
        ),
        traffic=traffic.ALL_TO_ALL,
        flops=NO_FLOPS,
    ),
    collective(
        "stablehlo.collective_broadcast",
        summary="One process of each group sends its array to all others of the group. Processes of no group get zeros.",
        formula=(
            "results... = operands...@source, where the source is the group's first process, or "
            "the process that the last operand names; 0 in processes of no group"
        ),
        traits=Traits(may_not_run=True, moves=slice(0, None), quantized=Quantized.FILLS),
        kernel=collectives.collective_broadcast,
        reference=ref_collectives.call_collective_broadcast,
        variants=variants.COLLECTIVE_BROADCAST,
        probe=((probes.SAME, f"{{{probes.GROUPS}}}"),),
        traffic=traffic.BROADCAST,
        flops=NO_FLOPS,
    ),
    collective(
        "stablehlo.collective_permute",
        summary="Sends arrays from process to process, as pairs of source and target say. A process that is no target gets zeros.",
        formula="result = operand@source for the pair (source, process), 0 without a pair",
        traits=Traits(aliases=("ppermute",), moves=slice(0, None), quantized=Quantized.FILLS),
        kernel=collectives.collective_permute,
        reference=ref_collectives.call_collective_permute,
        variants=variants.COLLECTIVE_PERMUTE,
        probe=((probes.SAME, f"{{{probes.PAIRS}}}"),),
        traffic=traffic.PERMUTE,
        flops=NO_FLOPS,
    ),
    collective(
        "stablehlo.collective_reduce",
        summary="As `all_reduce`, but only one process of each group, the root, gets the combination; all others get zeros.",
        formula="results = all_reduce(operands...) in the root of the group, 0 in all others",
        traits=Traits(may_not_run=True, combines=True, quantized=Quantized.REQUANTIZES_AND_FILLS),
        kernel=collectives.collective_reduce,
        reference=ref_collectives.call_collective_reduce,
        probe=((probes.SAME, f"{probes.REDUCER} {{{probes.GROUPS}}}"),),
        traffic=traffic.COLLECTIVE_REDUCE,
        flops=NO_FLOPS,
    ),
    collective(
        "stablehlo.cross-replica-sum",
        summary="The sum over groups of replicas. An older form of `all_reduce`.",
        formula="all_reduce by addition, within groups of replicas",
        traits=Traits(may_not_run=True, quantized=Quantized.DEQUANTIZES),
        kernel=collectives.cross_replica_sum,
        reference=ref_collectives.call_cross_replica_sum,
        probe=((probes.SAME, f"{{{probes.GROUPS}}}"),),
        traffic=traffic.CROSS_REPLICA_SUM,
        flops=NO_FLOPS,
    ),
    structure(
        "stablehlo.partition_id",
        summary="The number of the partition that runs the program: the second coordinate of a process.",
        formula="result = partition_id of the process",
        traits=Traits(aliases=("axis_index",), process_id=True, not_folded="its results depend on processes"),
        kernel=collectives.partition_id,
        reference=lambda call: ref_collectives.partition_id(call.process),
        variants=variants.PARTITION_ID,
        probe=NO_PROBE,
        shadow=F64_ONLY,
    ),
    collective(
        "stablehlo.reduce_scatter",
        summary="As `all_reduce`, after which each process of the group keeps only its own piece of the combination.",
        formula="result = split(all_reduce(operand), scatter_dimension)[receiver_index]",
        traits=Traits(
            aliases=("psum_scatter",), may_not_run=True, combines=True, quantized=Quantized.REQUANTIZES
        ),
        kernel=collectives.reduce_scatter,
        reference=ref_collectives.call_reduce_scatter,
        variants=variants.REDUCE_SCATTER,
        probe=((probes.SAME, f"{probes.REDUCER} {{scatter_dimension = 0 : i64, {probes.GROUPS}}}"),),
        traffic=traffic.REDUCE_SCATTER,
        flops=flops.of_operand,
    ),
    structure(
        "stablehlo.replica_id",
        summary="The number of the replica that runs the program: the first coordinate of a process.",
        formula="result = replica_id of the process",
        traits=Traits(process_id=True, not_folded="its results depend on processes"),
        kernel=collectives.replica_id,
        reference=lambda call: ref_collectives.replica_id(call.process),
        variants=variants.REPLICA_ID,
        probe=NO_PROBE,
        shadow=F64_ONLY,
    ),
    structure(
        "stablehlo.async_done",
        summary="Waits for the value of a future, which `async_start` made.",
        formula="result = the value of a future",
        traits=Traits(asynchronous=True, quantized=Quantized.KNOWN, not_folded="it orders other operations"),
        kernel=transfers.async_done,
        reference=lambda call: ref_control_flow.async_done(call.operands[0]),
        probe=probes.ASYNC,
        shadow=NotAgain("receives values of other processes, whose shadows are in those processes"),
    ),
    structure(
        "stablehlo.async_start",
        summary="Starts the operation in its region beside what follows, and returns a future at once; `async_done` gets the value. hlokit evaluates the operation immediately.",
        formula="result = a future of body(operands...); the body is evaluated immediately",
        traits=Traits(asynchronous=True, quantized=Quantized.KNOWN, not_folded="it orders other operations"),
        kernel=transfers.async_start,
        reference=lambda call: ref_control_flow.async_start(call.operands, call.regions[0]),
        probe=probes.ASYNC,
        shadow=NotAgain("receives values of other processes, whose shadows are in those processes"),
    ),
    structure(
        "stablehlo.infeed",
        summary="Takes the next values from the queue that the host fills for this process.",
        formula="results = the next entry of this process's infeed, and a token",
        traits=Traits(
            feed=True, receives=True, quantized=Quantized.KNOWN, not_folded="its purpose is its side effects"
        ),
        kernel=transfers.infeed,
        reference=ref_transfers.infeed,
        probe=probes.INFEED,
        shadow=NotAgain("receives values from outside of the program"),
    ),
    structure(
        "stablehlo.outfeed",
        summary="Appends values to the queue of this process that the host reads.",
        formula="appends the inputs to this process's outfeed",
        traits=Traits(feed=True, quantized=Quantized.KNOWN, not_folded="its purpose is its side effects"),
        kernel=transfers.outfeed,
        reference=ref_transfers.outfeed,
        probe=(
            probes.main(
                """%t = stablehlo.create_token : !stablehlo.token
            %s = "stablehlo.outfeed"(%0, %t) : (tensor<2x$>, !stablehlo.token) -> !stablehlo.token
            %r = stablehlo.reverse %0, dims = [0] : tensor<2x$>"""
            ),
        ),
        shadow=NotAgain("receives values from outside of the program"),
    ),
    structure(
        "stablehlo.recv",
        summary="Waits for values that another process, or the host, sends on the same channel.",
        formula=(
            "results = the values sent on channel `channel_id`, by the source of this process if "
            "there are pairs, and a token"
        ),
        traits=Traits(
            channel=True,
            receives=True,
            may_not_run=True,
            quantized=Quantized.KNOWN,
            not_folded="its purpose is its side effects",
        ),
        kernel=transfers.recv,
        reference=ref_transfers.recv,
        probe=probes.SEND,
        shadow=NotAgain("receives values from outside of the program"),
    ),
    structure(
        "stablehlo.send",
        summary="Sends values to another process, or to the host, on a channel. hlokit does not wait for the receiver.",
        formula=(
            "sends the inputs on channel `channel_id`, to the target of this process if there are pairs"
        ),
        traits=Traits(
            channel=True,
            may_not_run=True,
            quantized=Quantized.KNOWN,
            not_folded="its purpose is its side effects",
        ),
        kernel=transfers.send,
        reference=ref_transfers.send,
        probe=probes.SEND,
        shadow=NotAgain("receives values from outside of the program"),
    ),
)
