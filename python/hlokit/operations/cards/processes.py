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
        formula="result = the value of a future",
        traits=Traits(asynchronous=True, quantized=Quantized.KNOWN, not_folded="it orders other operations"),
        kernel=transfers.async_done,
        reference=lambda call: ref_control_flow.async_done(call.operands[0]),
        probe=probes.ASYNC,
        shadow=NotAgain("receives values of other processes, whose shadows are in those processes"),
    ),
    structure(
        "stablehlo.async_start",
        formula="result = a future of body(operands...); the body is evaluated immediately",
        traits=Traits(asynchronous=True, quantized=Quantized.KNOWN, not_folded="it orders other operations"),
        kernel=transfers.async_start,
        reference=lambda call: ref_control_flow.async_start(call.operands, call.regions[0]),
        probe=probes.ASYNC,
        shadow=NotAgain("receives values of other processes, whose shadows are in those processes"),
    ),
    structure(
        "stablehlo.infeed",
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
        formula=(
            "results = the values sent on channel `channel_id`, by the source of this process if "
            "there are pairs, and a token"
        ),
        traits=Traits(
            channel=True,
            receives=True,
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
        formula=(
            "sends the inputs on channel `channel_id`, to the target of this process if there are pairs"
        ),
        traits=Traits(channel=True, quantized=Quantized.KNOWN, not_folded="its purpose is its side effects"),
        kernel=transfers.send,
        reference=ref_transfers.send,
        probe=probes.SEND,
        shadow=NotAgain("receives values from outside of the program"),
    ),
)
