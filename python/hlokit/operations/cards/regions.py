"""Operations that apply a region to elements."""

from __future__ import annotations

from hlokit.kernels.regions import map as ops_map
from hlokit.kernels.regions import reduce as ops_reduce
from hlokit.kernels.regions import reduce_window, scan, scatter, select_and_scatter, top_k
from hlokit.kernels.regions import sort as ops_sort
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import (
    ANY_WIDTH,
    F64_ONLY,
    IN_ORDER,
    KEEPS_SIZES,
    NO_BOUND,
    NO_FLOPS,
    UNKNOWN_SHAPE,
    Card,
    OfOperands,
    Wider,
)
from hlokit.operations.cards.kinds import combination, whole
from hlokit.operations.cards.variants import regions as variants
from hlokit.operations.traits import Domain, Nans, Quantized, RegionValues, Traits
from hlokit.passes.rules import shapes
from hlokit.reference.dialects import chlo_structured as ref_chlo_structured
from hlokit.reference.stablehlo import gather_scatter as ref_gather_scatter
from hlokit.reference.stablehlo import reductions as ref_reductions
from hlokit.reference.stablehlo import sorting as ref_sorting
from hlokit.reference.stablehlo import windows as ref_windows
from hlokit.tools.diff.rules import open_orders, open_values
from hlokit.tools.equal.rules import arrays as exact_arrays
from hlokit.tools.equal.rules import bit_arrays, sums
from hlokit.tools.equal.rules.meanings import Moved
from hlokit.tools.numerics.rules import sequential, wide_kernels
from hlokit.tools.reduce.rules import resizing
from hlokit.tools.shard.prices import flops

CARDS: tuple[Card, ...] = (
    whole(
        "stablehlo.map",
        summary="Applies a function of scalars, its region, to the elements of arrays.",
        formula="result[result_index] = computation(inputs...[result_index])",
        traits=Traits(
            same_shape=True, applies=True, quantized=Quantized.ON_STORAGE, region_values=RegionValues.BESIDE
        ),
        kernel=ops_map.map_,
        reference=lambda call: ref_reductions.map_(call.tensors, call.regions[0], call.element_type),
        variants=variants.MAP,
        probe=((probes.TWO, f"{probes.REDUCER} {{dimensions = array<i64: 0>}}"),),
        shadow=ANY_WIDTH,
        bound=NO_BOUND,
        shape=shapes.shape_of_operand(0),
        resize=resizing.like_operands,
        flops=NO_FLOPS,
    ),
    combination(
        "stablehlo.reduce",
        summary='Combines all elements along some dimensions, which disappear: sums, products, maxima, "any" and "all", argmax. The region says how two elements combine. The specification leaves the order open; docs/concepts/summation.md has that of hlokit.',
        formula="results...[j0, ..., jR-1] = exec(schedule) over inputs...[j0, ..., :, ..., jR-1]",
        traits=Traits(
            aliases=(
                "sum",
                "prod",
                "any",
                "all",
                "amax",
                "amin",
                "argmax",
                "argmin",
                "mean",
                "reduce_sum",
                "reduce_max",
                "reduce_min",
                "reduce_prod",
                "reduce_mean",
                "reduce_and",
                "reduce_or",
            ),
            quantized=Quantized.REQUANTIZES,
            nans=Nans.BY_BODY,
            region_values=RegionValues.CARRIED,
        ),
        kernel=ops_reduce.reduce,
        sequential=sequential.reduce,
        reference=lambda call: ref_reductions.reduce(
            *ref_reductions.inputs_and_init_values(call), call.attributes.ints("dimensions"), call.regions[0]
        ),
        variants=variants.REDUCE,
        probe=(("2x$, $ -> $", f"{probes.REDUCER} {{dimensions = array<i64: 0>}}"),),
        shadow=Wider(wide_kernels.reduction),
        shape=shapes.reduce,
        resize=resizing.reduce,
        flops=flops.reduce,
        open=(open_orders.NOT_A_MONOID,),
        exact=sums.REDUCE,
    ),
    combination(
        "stablehlo.reduce_window",
        summary="Combines the elements in each window that slides over an array: pooling, running sums.",
        formula="results...[result_index] = reduce(windows..., init_values..., body)",
        traits=Traits(
            aliases=("max_pool", "avg_pool", "average_pool", "cumsum", "cumprod", "cummax", "cummin"),
            may_not_run=True,
            quantized=Quantized.REQUANTIZES,
            nans=Nans.BY_BODY,
            region_values=RegionValues.CARRIED,
        ),
        kernel=reduce_window.reduce_window,
        sequential=sequential.reduce_window,
        reference=lambda call: ref_windows.reduce_window(
            *ref_reductions.inputs_and_init_values(call), ref_windows.Windows.read(call), call.regions[0]
        ),
        variants=variants.REDUCE_WINDOW,
        probe=(("4x$, $ -> 3x$", f"{probes.REDUCER} {{{probes.WINDOW}}}"),),
        shadow=ANY_WIDTH,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=flops.window,
        open=(open_orders.NOT_A_MONOID_OF_WINDOWS,),
    ),
    whole(
        "chlo.scan",
        summary="Goes along one dimension with a state: the body takes the state and a slice of each input, and returns the next state and a slice of each output.",
        formula=(
            "(outputs..., carries...): carry = inits; for each slice i of the inputs along "
            "`dimension`, in reverse order if is_reverse: outputs[i], carry = body(inputs[i]..., "
            "carry...)"
        ),
        traits=Traits(quantized=Quantized.ON_STORAGE),
        kernel=scan.scan,
        exact=Moved(),
        reference=ref_chlo_structured.call_scan,
        variants=variants.SCAN,
        probe=(
            (
                "2x$, $ -> 2x$, $",
                f"({{^bb0(%a: tensor<$>, %b: tensor<$>): {probes.ADD} stablehlo.return %r, %r : tensor<$>, tensor<$>}}) "
                "{dimension = 0 : i64, is_associative = false, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, "
                "resultSegmentSizes = array<i32: 1, 1>}",
            ),
        ),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    combination(
        "stablehlo.scatter",
        summary="A copy of an array in which many slices are combined with updates: the reverse of `gather`. Each index vector says where a slice begins; the region says how old and new element combine. Elements outside the array are skipped.",
        formula=(
            "results[result_index] = update_computation(results[result_index], updates[index]) "
            "for each update index, where result_index = full_start_index + full_batching_index +"
            " full_window_index"
        ),
        traits=Traits(
            aliases=("scatter_add", "scatter_nd", "scatter_elements", "index_add"),
            domains=(("scatter_indices", Domain.INDEX),),
            quantized=Quantized.REQUANTIZES,
            region_values=RegionValues.CARRIED,
        ),
        kernel=scatter.scatter,
        sequential=sequential.scatter,
        reference=ref_gather_scatter.call_scatter,
        variants=variants.SCATTER,
        probe=(("3x$, 2x1xi32, 2x$ -> 3x$", f"{probes.REDUCER} {{{probes.SCATTER}}}"),),
        shadow=ANY_WIDTH,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=flops.scatter,
        bits=bit_arrays.SCATTER,
    ),
    combination(
        "stablehlo.select_and_scatter",
        summary="Finds the winner of each window by one region, and adds a source value at its place by the other: the gradient of max pooling.",
        formula="result[i] = reduce(source values whose windows select i, init_value, scatter)",
        traits=Traits(may_not_run=True, quantized=Quantized.REQUANTIZES),
        kernel=select_and_scatter.select_and_scatter,
        sequential=IN_ORDER,
        bits=bit_arrays.SELECT_AND_SCATTER,
        reference=lambda call: ref_windows.select_and_scatter(
            *call.tensors,
            windows=ref_windows.Windows.read(call),
            select=call.regions[0],
            scatter=call.regions[1],
        ),
        variants=variants.SELECT_AND_SCATTER,
        probe=(
            (
                "4x$, 3x$, $ -> 4x$",
                f"({probes.SELECTOR}, {probes.REDUCER.removeprefix('(').removesuffix(')')}) {{{probes.WINDOW}}}",
            ),
        ),
        shadow=ANY_WIDTH,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=flops.window,
    ),
    whole(
        "stablehlo.sort",
        summary="Sorts arrays along one dimension. The region says which of two elements comes first; several arrays are sorted together, by what the region compares.",
        formula=(
            "results_together[slice] = sort(inputs_together[slice], comparator_together), for all"
            " slices along `dimension`"
        ),
        traits=Traits(
            aliases=("argsort",),
            moves=slice(0, None),
            applies=True,
            quantized=Quantized.ON_STORAGE,
            region_values=RegionValues.BESIDE,
        ),
        kernel=ops_sort.sort,
        reference=lambda call: ref_sorting.sort(
            call.tensors, call.attributes.int_("dimension", -1), call.regions[0]
        ),
        variants=variants.SORT,
        probe=((probes.SAME, f"({probes.SELECTOR})"),),
        shadow=ANY_WIDTH,
        bound=OfOperands(),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=flops.sort,
        open=(open_values.UNSTABLE_TIES, open_values.UNORDERED_NAN),
        bits=bit_arrays.SORT,
    ),
    whole(
        "chlo.top_k",
        summary="The k greatest elements along the last dimension, in descending order, and their positions.",
        formula="(values, indices) = the k greatest elements of each lane of the last dimension",
        traits=Traits(exact=True, lanes=True, quantized=Quantized.DEQUANTIZES),
        kernel=top_k.top_k,
        exact=exact_arrays.TOP_K,
        reference=lambda call: ref_chlo_structured.top_k(
            call.tensor(), call.attributes.int_("k"), call.result(1).element_type
        ),
        variants=variants.TOP_K,
        probe=(("2x$ -> 1x$, 1xi32", "{k = 1 : i64}"),),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
)
