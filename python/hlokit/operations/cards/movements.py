"""Constants, shapes, gathers."""

from __future__ import annotations

from hlokit.kernels.shapes import constants, data_movement, dimension_sizes, gather
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import (
    ANY_WIDTH,
    F64_ONLY,
    KEEPS_SIZES,
    NO_BOUND,
    NO_FLOPS,
    UNKNOWN_SHAPE,
    Card,
)
from hlokit.operations.cards.kinds import movement, whole
from hlokit.operations.cards.variants import movements as variants
from hlokit.operations.traits import Domain, Nans, Quantized, Traits
from hlokit.passes.rules import shapes
from hlokit.reference.stablehlo import control_flow as ref_control_flow
from hlokit.reference.stablehlo import gather_scatter as ref_gather_scatter
from hlokit.reference.stablehlo import shapes as ref_shapes
from hlokit.tools.diff.rules import open_values
from hlokit.tools.equal.rules import bit_arrays
from hlokit.tools.equal.rules.meanings import Moved
from hlokit.tools.reduce.rules import resizing

CARDS: tuple[Card, ...] = (
    whole(
        "stablehlo.constant",
        summary="An array that is written in the program.",
        formula="output = value",
        traits=Traits(
            aliases=("const", "literal", "zeros", "ones", "full"), constant=True, quantized=Quantized.KNOWN
        ),
        kernel=constants.constant,
        reference=ref_control_flow.constant,
        probe=tuple((" -> 2x$", f"{{value = dense<{value}> : tensor<2x$>}}") for value in probes.CONSTANTS),
        shadow=ANY_WIDTH,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.dynamic_iota",
        summary="As `iota`, with the sizes of the result as an operand, known only at run time.",
        formula="iota of the shape `output_shape`",
        traits=Traits(exact=True, sizes=(0,), quantized=Quantized.DEQUANTIZES, nans=Nans.BLIND),
        kernel=constants.dynamic_iota,
        reference=lambda call: ref_shapes.dynamic_iota(
            call.tensor(), call.attributes.int_("iota_dimension"), call.element_type
        ),
        variants=variants.DYNAMIC_IOTA,
        open=(open_values.IOTA_OF_BOOLEANS,),
        probe=(("1xi32 -> ?x$", "{iota_dimension = 0 : i64}"),),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=shapes.operand_as_shape(0),
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.iota",
        summary="Counts 0, 1, 2, ... along one dimension; all other dimensions repeat the numbers.",
        formula="output[output_index] = output_index[iota_dimension]",
        traits=Traits(
            aliases=("arange", "range"), exact=True, quantized=Quantized.DEQUANTIZES, nans=Nans.BLIND
        ),
        kernel=constants.iota,
        reference=lambda call: ref_shapes.iota(
            call.attributes.int_("iota_dimension"), call.result().dims, call.element_type
        ),
        variants=variants.IOTA,
        probe=((" -> 2x$", "{iota_dimension = 0 : i64}"),),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    movement(
        "stablehlo.broadcast",
        summary="Repeats an array along new dimensions in front. An older form of `broadcast_in_dim`.",
        formula='deprecated "broadcast": result[i..., operand_index...] = operand[operand_index...]',
        traits=Traits(view=True, quantized=Quantized.ON_STORAGE),
        kernel=data_movement.broadcast,
        reference=lambda call: ref_shapes.broadcast(call.tensor(), call.attributes.ints("broadcast_sizes")),
        variants=variants.BROADCAST,
        probe=(("2x$ -> 3x2x$", "{broadcast_sizes = array<i64: 3>}"),),
        shape=shapes.broadcast,
        resize=KEEPS_SIZES,
    ),
    movement(
        "stablehlo.broadcast_in_dim",
        summary="Repeats an array along new dimensions, and along its dimensions of size 1. `broadcast_dimensions` says which dimension of the result each dimension of the operand becomes.",
        formula=(
            "result[result_index] = operand[operand_index], where operand_index[d] = 0 if "
            "dim(operand, d) = 1, else result_index[broadcast_dimensions[d]]"
        ),
        traits=Traits(
            aliases=("broadcast_to", "expand", "tile"),
            layout=True,
            refines=True,
            quantized=Quantized.ON_STORAGE,
        ),
        kernel=data_movement.broadcast_in_dim,
        reference=ref_shapes.call_broadcast_in_dim,
        variants=variants.BROADCAST_IN_DIM,
        probe=(("2x$ -> 3x2x$", "{broadcast_dimensions = array<i64: 1>}"),),
        shape=UNKNOWN_SHAPE,
        resize=resizing.broadcast,
    ),
    movement(
        "stablehlo.concatenate",
        summary="Joins arrays one behind the other along one dimension; all other sizes are equal.",
        formula=(
            "result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1], where id = d0 + "
            "... + dk-1 + kd, and d0, d1, ... are the sizes of inputs along `dimension`"
        ),
        traits=Traits(
            aliases=("concat", "hstack", "vstack"),
            moves=slice(0, None),
            no_components=True,
            refines=True,
            quantized=Quantized.ON_STORAGE,
            nans=Nans.PASS,
        ),
        kernel=data_movement.concatenate,
        reference=lambda call: ref_shapes.concatenate(call.tensors, ref_shapes.dimension_of(call)),
        variants=variants.CONCATENATE,
        probe=(("2x$, 2x$ -> 4x$", "{dimension = 0 : i64}"),),
        shape=shapes.concatenate,
        resize=resizing.concatenate,
    ),
    movement(
        "stablehlo.dynamic_broadcast_in_dim",
        summary="As `broadcast_in_dim`, with the sizes of the result as an operand, known only at run time.",
        formula="broadcast_in_dim to the shape `output_dimensions`",
        traits=Traits(
            moves=slice(1), sizes=(1,), refines=True, quantized=Quantized.ON_STORAGE, nans=Nans.PASS
        ),
        kernel=data_movement.dynamic_broadcast_in_dim,
        reference=lambda call: ref_shapes.dynamic_broadcast_in_dim(
            call.tensor(0), call.tensor(1), call.attributes.ints("broadcast_dimensions")
        ),
        variants=variants.DYNAMIC_BROADCAST_IN_DIM,
        probe=(("1x$, 2xi32 -> ?x1x$", "{broadcast_dimensions = array<i64: 1>}"),),
        shape=shapes.operand_as_shape(1),
        resize=KEEPS_SIZES,
    ),
    movement(
        "stablehlo.dynamic_pad",
        summary="As `pad`, with the amounts of padding as operands, known only at run time.",
        formula="pad with these operands instead of attributes",
        traits=Traits(
            moves=slice(2), sizes=(2, 3, 4), refines=True, quantized=Quantized.ON_STORAGE, nans=Nans.PASS
        ),
        kernel=data_movement.dynamic_pad,
        reference=lambda call: ref_shapes.dynamic_pad(*call.tensors),
        variants=variants.DYNAMIC_PAD,
        probe=(("2x$, $, 1xi32, 1xi32, 1xi32 -> ?x$", ""),),
        shape=shapes.dynamic_pad,
        resize=KEEPS_SIZES,
    ),
    movement(
        "stablehlo.dynamic_reshape",
        summary="As `reshape`, with the sizes of the result as an operand, known only at run time.",
        formula="reshape to the shape `output_shape`",
        traits=Traits(
            moves=slice(1), sizes=(1,), refines=True, quantized=Quantized.ON_STORAGE, nans=Nans.PASS
        ),
        kernel=data_movement.dynamic_reshape,
        reference=lambda call: ref_shapes.dynamic_reshape(call.tensor(0), call.tensor(1)),
        variants=variants.DYNAMIC_RESHAPE,
        probe=(("1x$, 2xi32 -> ?x?x$", ""),),
        shape=shapes.operand_as_shape(1),
        resize=KEEPS_SIZES,
    ),
    movement(
        "stablehlo.pad",
        summary="Surrounds an array with a value: before, behind, and between its elements. Negative amounts cut off.",
        formula=(
            "result[edge_padding_low + operand_index * (interior_padding + 1)] = "
            "operand[operand_index], padding_value elsewhere"
        ),
        traits=Traits(
            moves=slice(2), no_components=True, refines=True, quantized=Quantized.ON_STORAGE, nans=Nans.PASS
        ),
        kernel=data_movement.pad,
        reference=ref_shapes.call_pad,
        variants=variants.PAD,
        probe=(
            (
                "2x$, $ -> 4x$",
                "{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}",
            ),
        ),
        shape=shapes.pad,
        resize=resizing.pad,
    ),
    movement(
        "stablehlo.reshape",
        summary="The same elements, in the same row-major order, in another shape.",
        formula=("result[result_index] = operand[operand_index] at the same position in row-major order"),
        traits=Traits(
            aliases=("flatten", "ravel", "squeeze", "unsqueeze", "expand_dims"),
            layout=True,
            rearranges=True,
            refines=True,
            quantized=Quantized.ON_STORAGE,
        ),
        kernel=data_movement.reshape,
        reference=ref_shapes.call_reshape,
        variants=variants.RESHAPE,
        probe=(("2x$ -> 1x2x$", ""),),
        shape=UNKNOWN_SHAPE,
        resize=resizing.reshape,
    ),
    movement(
        "stablehlo.reverse",
        summary="Reverses the order of the elements along some dimensions.",
        formula=(
            "result[result_index] = operand[operand_index], where operand_index[d] = dim(result, "
            "d) - result_index[d] - 1 if d in dimensions, else result_index[d]"
        ),
        traits=Traits(
            aliases=("rev", "flip"),
            same_shape=True,
            rearranges=True,
            folds=True,
            no_components=True,
            quantized=Quantized.ON_STORAGE,
        ),
        kernel=data_movement.reverse,
        reference=lambda call: ref_shapes.reverse(call.tensor(), call.attributes.ints("dimensions")),
        variants=variants.REVERSE,
        probe=((probes.SAME, "{dimensions = array<i64: 0>}"),),
        shape=shapes.shape_of_operand(0),
        resize=resizing.like_operands,
    ),
    movement(
        "stablehlo.transpose",
        summary="The same elements with the dimensions in another order: the n-th dimension of the result is dimension `permutation[n]` of the operand.",
        formula=(
            "result[result_index] = operand[operand_index], where result_index[d] = "
            "operand_index[permutation[d]]"
        ),
        traits=Traits(
            aliases=("permute", "swapaxes"),
            rearranges=True,
            folds=True,
            no_components=True,
            refines=True,
            quantized=Quantized.ON_STORAGE,
        ),
        kernel=data_movement.transpose,
        reference=lambda call: ref_shapes.transpose(call.tensor(), call.attributes.ints("permutation")),
        variants=variants.TRANSPOSE,
        probe=(("2x3x$ -> 3x2x$", "{permutation = array<i64: 1, 0>}"),),
        shape=shapes.transpose,
        resize=resizing.transpose,
    ),
    whole(
        "stablehlo.get_dimension_size",
        summary="The size of one dimension as an i32, for dimensions that are known only at run time.",
        formula="result = dim(operand, dimension)",
        traits=Traits(
            exact=True, refines=True, quantized=Quantized.ON_STORAGE, own_folding=True, nans=Nans.BLIND
        ),
        kernel=dimension_sizes.get_dimension_size,
        exact=Moved(),
        reference=lambda call: ref_shapes.get_dimension_size(call.tensor(), ref_shapes.dimension_of(call)),
        variants=variants.GET_DIMENSION_SIZE,
        probe=(("2x$ -> i32", "{dimension = 0 : i64}"),),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.set_dimension_size",
        summary="Declares that only the first elements of a dimension count. An older way to dimensions of unknown size.",
        formula="Not in the spec: result = the first `size` elements of operand along `dimension`",
        traits=Traits(exact=True, sizes=(1,), quantized=Quantized.ON_STORAGE, own_folding=True),
        kernel=dimension_sizes.set_dimension_size,
        exact=Moved(),
        reference=ref_shapes.call_set_dimension_size,
        variants=variants.SET_DIMENSION_SIZE,
        probe=(("2x$, i32 -> ?x$", "{dimension = 0 : i64}"),),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    movement(
        "stablehlo.dynamic_gather",
        summary="As `gather`, with the sizes of the slices as an operand, known only at run time.",
        formula="gather with the operand `slice_sizes`",
        traits=Traits(
            domains=(("start_indices", Domain.INDEX),),
            moves=slice(1),
            sizes=(2,),
            refines=True,
            quantized=Quantized.ON_STORAGE,
            nans=Nans.PASS,
        ),
        kernel=gather.dynamic_gather,
        reference=lambda call: ref_gather_scatter.dynamic_gather(
            *call.tensors, dimension_numbers=ref_gather_scatter.gather_numbers_of(call)
        ),
        variants=variants.DYNAMIC_GATHER,
        probe=(("3x$, 2x1xi32, 1xi32 -> 2x$", f"{{{probes.GATHER}}}"),),
        shape=shapes.dynamic_gather,
        resize=KEEPS_SIZES,
    ),
    movement(
        "stablehlo.gather",
        summary="Collects many slices of one array. Each index vector says where a slice begins, and the result holds all slices; array indexing such as `x[:, i]` becomes this operation. A slice that would stick out is moved inside.",
        formula=(
            "result[result_index] = operand[operand_index], where operand_index = "
            "full_start_index + full_batching_index + full_offset_index"
        ),
        traits=Traits(
            aliases=("take", "take_along_axis", "index_select", "embedding", "gather_nd", "gather_elements"),
            domains=(("start_indices", Domain.INDEX),),
            moves=slice(1),
            quantized=Quantized.ON_STORAGE,
            nans=Nans.PASS,
        ),
        kernel=gather.gather,
        reference=lambda call: ref_gather_scatter.gather(
            *call.tensors,
            dimension_numbers=ref_gather_scatter.gather_numbers_of(call),
            slice_sizes=call.attributes.ints("slice_sizes"),
        ),
        variants=variants.GATHER,
        probe=(("3x$, 2x1xi32 -> 2x$", f"{{{probes.GATHER}, slice_sizes = array<i64: 1>}}"),),
        shape=shapes.gather,
        resize=resizing.gather,
        bits=bit_arrays.CLAMPED,
    ),
    movement(
        "stablehlo.torch_index_select",
        summary="Collects the slices of an array that a list of indices names. An older form of `gather`.",
        formula='deprecated "torch_index_select": result[b, o, i, p] = operand[b, o, index[b, i], p]',
        traits=Traits(
            may_not_run=True,
            domains=(("index", Domain.INDEX),),
            moves=slice(1),
            quantized=Quantized.ON_STORAGE,
            nans=Nans.PASS,
        ),
        kernel=gather.torch_index_select,
        reference=lambda call: ref_gather_scatter.torch_index_select(
            *call.tensors, dim=call.attributes.int_("dim"), batch_dims=call.attributes.int_("batch_dims")
        ),
        variants=variants.TORCH_INDEX_SELECT,
        probe=(("3x$, 2xi32 -> 2x$", "{dim = 0 : i64, batch_dims = 0 : i64}"),),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
    ),
)
