"""Slices of tensors."""

from __future__ import annotations

from hlokit.kernels.shapes import slicing
from hlokit.operations.cards.card import (
    KEEPS_SIZES,
    UNKNOWN_SHAPE,
    Card,
)
from hlokit.operations.cards.kinds import movement
from hlokit.operations.cards.variants import movements as variants
from hlokit.operations.traits import Domain, Nans, Quantized, Traits
from hlokit.passes.rules import shapes
from hlokit.reference.stablehlo import slicing as ref_slicing
from hlokit.tools.equal.rules import bit_arrays
from hlokit.tools.reduce.rules import resizing

CARDS: tuple[Card, ...] = (
    movement(
        "stablehlo.dynamic_slice",
        summary="Cuts out a block of fixed size at a place that operands give. A block that would stick out is moved inside.",
        formula=(
            "result[result_index] = operand[adjusted_start_indices + result_index], where "
            "adjusted_start_indices = clamp(0, start_indices, shape(operand) - slice_sizes)"
        ),
        traits=Traits(
            domains=(("start_indices", Domain.INDEX),),
            moves=slice(1),
            folds=True,
            quantized=Quantized.ON_STORAGE,
            nans=Nans.PASS,
        ),
        kernel=slicing.dynamic_slice,
        reference=lambda call: ref_slicing.dynamic_slice(
            call.tensor(), call.tensors[1:], call.attributes.ints("slice_sizes")
        ),
        variants=variants.DYNAMIC_SLICE,
        probe=(("3x$, i32 -> 2x$", "{slice_sizes = array<i64: 2>}"),),
        shape=UNKNOWN_SHAPE,
        resize=resizing.dynamic_slice,
        bits=bit_arrays.CLAMPED,
    ),
    movement(
        "stablehlo.dynamic_update_slice",
        summary="A copy of an array in which a block has other elements, at a place that operands give. A block that would stick out is moved inside.",
        formula=(
            "result[adjusted_start_indices + update_index] = update[update_index], "
            "operand[result_index] elsewhere, where adjusted_start_indices = clamp(0, "
            "start_indices, shape(operand) - shape(update))"
        ),
        traits=Traits(
            aliases=("dus",),
            domains=(("start_indices", Domain.INDEX),),
            moves=slice(2),
            quantized=Quantized.ON_STORAGE,
            nans=Nans.PASS,
        ),
        kernel=slicing.dynamic_update_slice,
        reference=lambda call: ref_slicing.dynamic_update_slice(
            call.tensor(0), call.tensor(1), call.tensors[2:]
        ),
        variants=variants.DYNAMIC_UPDATE_SLICE,
        probe=(("3x$, 2x$, i32 -> 3x$", ""),),
        shape=UNKNOWN_SHAPE,
        resize=resizing.first,
        bits=bit_arrays.CLAMPED,
    ),
    movement(
        "stablehlo.real_dynamic_slice",
        summary="As `slice`, with starts, ends and strides as operands, known only at run time.",
        formula="`slice` whose start_indices, limit_indices and strides are operands",
        traits=Traits(
            moves=slice(1), sizes=(1, 2, 3), refines=True, quantized=Quantized.ON_STORAGE, nans=Nans.PASS
        ),
        kernel=slicing.real_dynamic_slice,
        reference=lambda call: ref_slicing.real_dynamic_slice(*call.tensors),
        variants=variants.REAL_DYNAMIC_SLICE,
        probe=(("3x$, 1xi32, 1xi32, 1xi32 -> ?x$", ""),),
        shape=shapes.real_dynamic_slice,
        resize=KEEPS_SIZES,
    ),
    movement(
        "stablehlo.slice",
        summary="Cuts out a block, or every n-th element of it, at places that are written in the program.",
        formula="result[result_index] = operand[start_indices + result_index * strides]",
        traits=Traits(view=True, refines=True, quantized=Quantized.ON_STORAGE),
        kernel=slicing.slice_,
        reference=lambda call: ref_slicing.slice_(
            call.tensor(),
            call.attributes.ints("start_indices"),
            call.attributes.ints("limit_indices"),
            call.attributes.ints("strides"),
        ),
        variants=variants.SLICE,
        probe=(
            (
                "3x$ -> 2x$",
                "{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}",
            ),
        ),
        shape=UNKNOWN_SHAPE,
        resize=resizing.slice_,
    ),
)
