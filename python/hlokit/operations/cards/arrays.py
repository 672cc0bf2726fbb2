"""Products, transforms, factorisations, normalisation, random numbers, quantization."""

from __future__ import annotations

from hlokit.kernels.contractions import convolution, dot_general, einsum, ragged_dot
from hlokit.kernels.linalg import fft
from hlokit.kernels.linalg import operations as linalg_operations
from hlokit.kernels.normalization import batch_norm
from hlokit.kernels.quantized import operations as quantized_operations
from hlokit.kernels.random import operations as random_operations
from hlokit.operations.cards import probes
from hlokit.operations.cards.card import (
    ANY_WIDTH,
    F64_ONLY,
    KEEPS_SIZES,
    NO_BOUND,
    NO_FLOPS,
    NOT_IN_CPP,
    UNKNOWN_SHAPE,
    Card,
    NotAgain,
    OfArrays,
    Wider,
    Without,
)
from hlokit.operations.cards.kinds import contraction, whole
from hlokit.operations.cards.variants import arrays as variants
from hlokit.operations.traits import Domain, Nans, Quantized, Traits
from hlokit.passes.rules import components, shapes
from hlokit.reference.dialects import chlo_structured as ref_chlo_structured
from hlokit.reference.stablehlo import batch_norm as ref_batch_norm
from hlokit.reference.stablehlo import contractions as ref_contractions
from hlokit.reference.stablehlo import convolution as ref_convolution
from hlokit.reference.stablehlo import fft as ref_fft
from hlokit.reference.stablehlo import linalg as ref_linalg
from hlokit.reference.stablehlo import quantized as ref_quantized
from hlokit.reference.stablehlo import random_numbers as ref_random_numbers
from hlokit.tools.bounds.rules import bound_arrays
from hlokit.tools.diff.rules import open_values
from hlokit.tools.equal.rules import arrays as exact_arrays
from hlokit.tools.equal.rules import bit_arrays, sums
from hlokit.tools.numerics.rules import sequential, sequential_arrays, wide_kernels
from hlokit.tools.reduce.rules import resizing
from hlokit.tools.shard.prices import flops

CARDS: tuple[Card, ...] = (
    contraction(
        "stablehlo.convolution",
        summary="Slides a window of weights over an array and takes the dot product at each place: the operation of convolutional networks, with strides, padding, dilations and groups. Attributes name the dimensions that hold batch, features and space.",
        formula="result[result_shape(n, output_spatial_index, o)] = the dot product of a window of padded lhs[n] and of rhs[..., o], over the window and the input features, in this order",
        traits=Traits(
            aliases=("conv", "conv1d", "conv2d", "conv3d", "conv_general_dilated"),
            allocates=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=convolution.convolution,
        sequential=sequential.convolution,
        exact=sums.BILINEAR,
        reference=lambda call: ref_convolution.convolution(
            *call.tensors, form=ref_convolution.Convolution.read(call), element_type=call.element_type
        ),
        variants=variants.CONVOLUTION,
        probe=(("1x3x2x$, 2x2x1x$ -> 1x2x1x$", f"{{{probes.CONV}}}"),),
        shadow=Wider(wide_kernels.convolution),
        shape=UNKNOWN_SHAPE,
        components=None,
        resize=resizing.convolution,
        flops=flops.convolution,
    ),
    contraction(
        "stablehlo.dynamic_conv",
        summary="As `convolution`, with the padding as an operand, known only at run time.",
        formula="convolution with the operand `padding`",
        traits=Traits(sizes=(2,), quantized=Quantized.DEQUANTIZES),
        kernel=convolution.dynamic_conv,
        sequential=sequential.dynamic_conv,
        exact=sums.BILINEAR,
        reference=lambda call: ref_convolution.dynamic_conv(
            *call.tensors, form=ref_convolution.Convolution.read(call), element_type=call.element_type
        ),
        variants=variants.DYNAMIC_CONV,
        probe=(("1x3x2x$, 2x2x1x$, 1x2xi32 -> 1x?x1x$", f"{{{probes.CONV}}}"),),
        shadow=F64_ONLY,
        shape=UNKNOWN_SHAPE,
        components=None,
        resize=KEEPS_SIZES,
        flops=Without("partitioned programs do not contain it"),
    ),
    contraction(
        "stablehlo.dot",
        summary="The product of matrices, or of vectors. An older form of `dot_general`.",
        formula=("Not in the spec: dot_general of vectors and matrices that contracts lhs[-1] with rhs[0]"),
        traits=Traits(quantized=Quantized.DEQUANTIZES),
        kernel=dot_general.dot,
        sequential=sequential.dot,
        exact=sums.BILINEAR,
        reference=lambda call: ref_contractions.dot(*call.tensors, element_type=call.element_type),
        variants=variants.DOT,
        probe=(("2x$, 2x$ -> $", ""),),
        shadow=Wider(wide_kernels.dot),
        shape=UNKNOWN_SHAPE,
        components=components.dot,
        resize=KEEPS_SIZES,
        flops=flops.dot,
    ),
    contraction(
        "stablehlo.dot_general",
        summary="Sums of products over chosen dimensions: products of matrices, batches of them, and everything that `einsum` of two operands writes. Attributes name the dimensions that are batches and those that are summed away; the result has the batches first, then what is left of `lhs`, then of `rhs`.",
        formula="result[b.., l.., r..] = sum over k.. of lhs[b.., l.., k..] * rhs[b.., r.., k..]",
        traits=Traits(
            aliases=("matmul", "gemm", "tensordot", "mm", "bmm", "batch_matmul"),
            allocates=True,
            quantized=Quantized.DEQUANTIZES,
        ),
        kernel=dot_general.dot_general,
        sequential=sequential.dot_general,
        exact=sums.BILINEAR,
        reference=ref_contractions.call_dot_general,
        variants=variants.DOT_GENERAL,
        probe=(("2x$, 2x$ -> $", f"{{{probes.DOT}}}"),),
        shadow=Wider(wide_kernels.dot),
        shape=shapes.dot_general,
        components=components.dot_general,
        resize=resizing.dot_general,
        flops=flops.dot_general,
        bits=bit_arrays.DOT_GENERAL,
    ),
    contraction(
        "stablehlo.einsum",
        summary="A sum of products of two operands in Einstein's notation, in which letters name dimensions. An older form of `dot_general`.",
        formula=("Not in the spec: sum of products of two operands in Einstein's notation, e.g. `ab,bc->ac`"),
        traits=Traits(quantized=Quantized.DEQUANTIZES),
        kernel=einsum.einsum,
        sequential=NOT_IN_CPP,
        exact=sums.BILINEAR,
        reference=lambda call: ref_contractions.einsum(
            *call.tensors,
            einsum_config=call.attributes.string("einsum_config"),
            element_type=call.element_type,
        ),
        variants=variants.EINSUM,
        probe=(("2x$, 2x$ -> $", '{einsum_config = "i,i->"}'),),
        shadow=Wider(wide_kernels.einsum),
        shape=UNKNOWN_SHAPE,
        components=None,
        resize=KEEPS_SIZES,
        flops=Without("partitioned programs do not contain it"),
    ),
    contraction(
        "stablehlo.unary_einsum",
        summary="Sums over dimensions of one operand in Einstein's notation. An older form of `reduce`.",
        formula="Not in the spec: sum over one operand, e.g. `ab->a`, as einsum with the factor 1",
        traits=Traits(quantized=Quantized.DEQUANTIZES),
        kernel=einsum.unary_einsum,
        sequential=NOT_IN_CPP,
        exact=sums.UNARY_EINSUM,
        reference=lambda call: ref_contractions.unary_einsum(
            call.tensor(), call.attributes.string("einsum_config"), call.element_type
        ),
        variants=variants.UNARY_EINSUM,
        probe=(("2x$ -> $", '{einsum_config = "i->"}'),),
        shadow=Wider(wide_kernels.einsum),
        shape=UNKNOWN_SHAPE,
        components=None,
        resize=KEEPS_SIZES,
        flops=Without("partitioned programs do not contain it"),
    ),
    contraction(
        "chlo.ragged_dot",
        summary="Products of matrices whose rows belong to groups of different sizes, each with a matrix of its own: a mixture of experts.",
        formula="result = dot_general of corresponding parts of lhs and rhs",
        traits=Traits(quantized=Quantized.DEQUANTIZES),
        kernel=ragged_dot.ragged_dot,
        sequential=NOT_IN_CPP,
        exact=sums.BILINEAR,
        reference=ref_chlo_structured.call_ragged_dot,
        variants=variants.RAGGED_DOT,
        probe=(
            (
                "2x2x$, 1x2x2x$, 1xi64 -> 2x2x$",
                "{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
                "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}",
            ),
        ),
        shadow=F64_ONLY,
        shape=UNKNOWN_SHAPE,
        components=components.ragged_dot,
        resize=KEEPS_SIZES,
        flops=Without("partitioned programs do not contain it"),
    ),
    whole(
        "stablehlo.batch_norm_grad",
        summary="The gradients of `batch_norm_training` with respect to its operand, scale and offset, for a gradient of its output.",
        formula="grad_operand, grad_scale, grad_offset of batch_norm_training's output",
        traits=Traits(
            domains=(("variance", Domain.POSITIVE),), quantized=Quantized.DEQUANTIZES, nans=Nans.ONE
        ),
        kernel=batch_norm.batch_norm_grad,
        sequential=NOT_IN_CPP,
        reference=lambda call: ref_batch_norm.batch_norm_grad(
            *call.tensors,
            epsilon=ref_batch_norm.epsilon_of(call),
            feature_index=ref_batch_norm.feature_index_of(call),
        ),
        variants=variants.BATCH_NORM_GRAD,
        probe=(("2x$, 2x$, 2x$, 2x$, 2x$ -> 2x$, 2x$, 2x$", f"{{{probes.NORM}}}"),),
        shadow=Wider(wide_kernels.batch_norm_grad),
        bound=OfArrays(bound_arrays.batch_norm_grad),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.batch_norm_inference",
        summary="Normalises each feature with a mean and a variance that are operands, then scales and shifts it.",
        formula="result = (operand - mean) * (scale / sqrt(variance + epsilon)) + offset",
        traits=Traits(
            aliases=("batch_norm", "batch_normalization"),
            domains=(("variance", Domain.POSITIVE),),
            quantized=Quantized.DEQUANTIZES,
            nans=Nans.ONE,
        ),
        kernel=batch_norm.batch_norm_inference,
        sequential=NOT_IN_CPP,
        reference=lambda call: ref_batch_norm.batch_norm_inference(
            *call.tensors,
            epsilon=ref_batch_norm.epsilon_of(call),
            feature_index=ref_batch_norm.feature_index_of(call),
        ),
        variants=variants.BATCH_NORM_INFERENCE,
        probe=(("2x$, 2x$, 2x$, 2x$, 2x$ -> 2x$", f"{{{probes.NORM}}}"),),
        shadow=Wider(wide_kernels.batch_norm_inference),
        bound=OfArrays(bound_arrays.batch_norm_inference),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.batch_norm_training",
        summary="Computes mean and variance of each feature over all other dimensions, normalises with them, then scales and shifts; also returns mean and variance.",
        formula="output, batch_mean, batch_var, where output is the operand normalised by its own mean and variance",
        traits=Traits(quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        kernel=batch_norm.batch_norm_training,
        sequential=NOT_IN_CPP,
        reference=lambda call: ref_batch_norm.batch_norm_training(
            *call.tensors,
            epsilon=ref_batch_norm.epsilon_of(call),
            feature_index=ref_batch_norm.feature_index_of(call),
        ),
        variants=variants.BATCH_NORM_TRAINING,
        probe=(("2x$, 2x$, 2x$ -> 2x$, 2x$, 2x$", f"{{{probes.NORM}}}"),),
        shadow=Wider(wide_kernels.batch_norm_training),
        bound=OfArrays(bound_arrays.batch_norm_training),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.rng",
        summary="Random numbers, uniform or normal. The generator is the implementation's; hlokit's begins anew in each run, so that runs repeat.",
        formula=("result = random numbers of `rng_distribution` with parameters a and b, in shape `shape`"),
        traits=Traits(
            aliases=("random", "uniform", "random_uniform", "normal", "random_normal"),
            random=True,
            nans=Nans.ONE,
            not_folded="its results are random",
        ),
        kernel=random_operations.rng,
        reference=lambda call: ref_random_numbers.rng(
            *call.tensors,
            rng_distribution=call.attributes.enum("rng_distribution"),
            stream=call.process.execution.stream,
        ),
        probe=(("$, $, 1xi64 -> 1x$", "{rng_distribution = #stablehlo<rng_distribution UNIFORM>}"),),
        shadow=NotAgain("returns different numbers each time"),
        bound=NO_BOUND,
        shape=shapes.operand_as_shape(2),
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
        open=(open_values.RANDOM,),
    ),
    whole(
        "stablehlo.rng_bit_generator",
        summary="Random bits from a state, and the next state: by Philox or Threefry, whose bits are the same everywhere.",
        formula="output_state, output = rng_algorithm(initial_state)",
        traits=Traits(
            aliases=("random_bits",),
            may_not_run=True,
            exact=True,
            not_folded="implementations have different default algorithms",
        ),
        kernel=random_operations.rng_bit_generator,
        reference=ref_random_numbers.call_rng_bit_generator,
        variants=variants.RNG_BIT_GENERATOR,
        open=(open_values.RANDOM_BITS,),
        probe=(("2xui64 -> 2xui64, 2x$", "{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}"),),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.fft",
        summary="The discrete Fourier transform over the last one to three dimensions: of complex numbers forth (FFT) and back (IFFT), and of real numbers forth (RFFT) and back (IRFFT).",
        formula="result = the transform `fft_type` of the last size(fft_length) dimensions",
        traits=Traits(aliases=("rfft", "ifft", "irfft"), may_not_run=True, nans=Nans.ONE),
        kernel=fft.fft,
        sequential=sequential_arrays.fft,
        exact=exact_arrays.TRANSFORM,
        reference=ref_fft.call_fft,
        variants=variants.FFT,
        probe=(
            (probes.SAME, "{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2>}"),
            ("2x$ -> 2xcomplex<f32>", "{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 2>}"),
        ),
        shadow=ANY_WIDTH,
        bound=OfArrays(bound_arrays.fft),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.cholesky",
        summary="Factors symmetric (Hermitian) positive definite matrices, a batch at a time: a triangular matrix whose product with its own adjoint is the operand. Only one triangle of the operand is read.",
        formula="result = L with L * adjoint(L) = a, or U with adjoint(U) * U = a",
        traits=Traits(domains=(("a", Domain.DEFINITE),), quantized=Quantized.DEQUANTIZES, nans=Nans.ONE),
        kernel=linalg_operations.cholesky,
        exact=exact_arrays.MATRICES,
        reference=lambda call: ref_linalg.cholesky(call.tensor(), call.attributes.bool_("lower", False)),
        variants=variants.CHOLESKY,
        probe=(("2x2x$ -> 2x2x$", "{lower = true}"),),
        shadow=Wider(wide_kernels.cholesky),
        bound=OfArrays(bound_arrays.cholesky),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
        open=(open_values.OTHER_TRIANGLE,),
    ),
    whole(
        "stablehlo.triangular_solve",
        summary="Solves systems of linear equations with triangular matrices, a batch at a time. Only one triangle of the matrices is read.",
        formula="result = x with op(a) * x = b, or with x * op(a) = b",
        traits=Traits(
            aliases=("solve_triangular", "trsm"),
            domains=(("a", Domain.DEFINITE),),
            quantized=Quantized.DEQUANTIZES,
            nans=Nans.ONE,
        ),
        kernel=linalg_operations.triangular_solve,
        sequential=sequential_arrays.triangular_solve,
        exact=exact_arrays.MATRICES,
        reference=ref_linalg.call_triangular_solve,
        variants=variants.TRIANGULAR_SOLVE,
        probe=(("2x2x$, 2x2x$ -> 2x2x$", probes.SOLVE),),
        shadow=Wider(wide_kernels.triangular_solve),
        bound=OfArrays(bound_arrays.triangular_solve),
        shape=UNKNOWN_SHAPE,
        resize=KEEPS_SIZES,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.uniform_dequantize",
        summary="The numbers that quantized integers stand for: (integer - zero point) * scale.",
        formula="result = dequantize(operand)",
        traits=Traits(
            aliases=("dequantize", "dequantize_linear"),
            same_shape=True,
            quantized=Quantized.KNOWN,
            nans=Nans.ONE,
        ),
        kernel=quantized_operations.uniform_dequantize,
        reference=lambda call: ref_quantized.uniform_dequantize(call.tensor()),
        probe=(("2x$ -> 2xf32", ""),),
        shadow=NotAgain("takes integers, which count as exact"),
        bound=NO_BOUND,
        shape=shapes.shape_of_operand(0),
        resize=resizing.like_operands,
        flops=NO_FLOPS,
    ),
    whole(
        "stablehlo.uniform_quantize",
        summary="Rounds numbers to a quantized type: the nearest integer to number / scale + zero point, within the range of the storage type.",
        formula="result = quantize(operand); a quantized operand is first dequantized",
        traits=Traits(
            aliases=("quantize", "quantize_linear"), same_shape=True, quantized=Quantized.KNOWN, nans=Nans.ONE
        ),
        kernel=quantized_operations.uniform_quantize,
        reference=lambda call: ref_quantized.uniform_quantize(call.tensor(), call.element_type),
        probe=tuple(
            probes.main(f"%r = stablehlo.uniform_quantize %0 : (tensor<2x$>) -> tensor<{type_}>", type_)
            for type_ in ("2x!quant.uniform<i8:f32, 2.5e-01>", "2x!quant.uniform<i8:bf16, 2.5e-01>")
        ),
        shadow=F64_ONLY,
        bound=NO_BOUND,
        shape=shapes.shape_of_operand(0),
        resize=resizing.like_operands,
        flops=NO_FLOPS,
    ),
)
