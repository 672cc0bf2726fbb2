"""Operations called by themselves: functions of tensors that anyone may use."""

from __future__ import annotations

import numpy as np
import pytest

from hlokit.errors import ArgumentError, EvaluationError, InternalError, UnsupportedError
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers, GatherDimensionNumbers
from hlokit.reference.dialects.chlo_functions import mulhi, next_after
from hlokit.reference.dialects.chlo_structured import top_k
from hlokit.reference.model.grid import ProcessGrid
from hlokit.reference.stablehlo.collectives import all_gather, all_to_all
from hlokit.reference.stablehlo.contractions import dot, dot_general, einsum
from hlokit.reference.stablehlo.conversions import bitcast_convert, convert, reduce_precision
from hlokit.reference.stablehlo.elementwise import (
    add,
    clamp,
    compare,
    complex_,
    divide,
    maximum,
    minimum,
    negate,
    remainder,
    round_nearest_afz,
    select,
    shift_left,
    sign,
)
from hlokit.reference.stablehlo.fft import fft
from hlokit.reference.stablehlo.functions import exponential, power
from hlokit.reference.stablehlo.gather_scatter import gather
from hlokit.reference.stablehlo.linalg import cholesky, triangular_solve
from hlokit.reference.stablehlo.quantized import uniform_dequantize, uniform_quantize
from hlokit.reference.stablehlo.random_numbers import rng_bit_generator
from hlokit.reference.stablehlo.reductions import sum_over
from hlokit.reference.stablehlo.shapes import (
    broadcast_in_dim,
    concatenate,
    iota,
    pad,
    reshape,
    reverse,
    transpose,
)
from hlokit.reference.stablehlo.slicing import dynamic_slice, dynamic_update_slice, slice_
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    F16,
    F32,
    F64,
    I1,
    I4,
    I8,
    I32,
    I64,
    UI8,
    UI64,
)
from hlokit.values.quantized import QuantizedType
from reference.evaluating import numbers, results, run, tensor

NAN = float("nan")


def test_add_wraps() -> None:
    assert numbers(add(tensor([7, -8, 1], I4), tensor([1, -1, 2], I4))) == [-8, 7, 3]


def test_add_of_booleans_is_or() -> None:
    assert numbers(add(tensor([True, False], I1), tensor([False, False], I1))) == [True, False]


def test_operands_must_have_one_shape() -> None:
    with pytest.raises(EvaluationError, match=r"shapes of operands must be equal, got \[2\] and \[3\]"):
        add(tensor([1, 2], I8), tensor([1, 2, 3], I8))


def test_division_of_integers() -> None:
    lhs, rhs = tensor([17, -17, 17, -128, 5], I8), tensor([3, 3, -3, -1, 0], I8)
    assert numbers(divide(lhs, rhs)) == [5, -5, -5, -128, -1]
    assert numbers(remainder(lhs, rhs)) == [2, -2, 2, 0, 5]


def test_shifts_by_the_width_or_more() -> None:
    assert numbers(shift_left(tensor([1, 1, 3], UI8), tensor([7, 8, 200], UI8))) == [128, 0, 0]


def test_extrema_of_zeros_and_nan() -> None:
    lhs, rhs = tensor([0.0, -0.0, NAN, 1.0], F32), tensor([-0.0, 0.0, 1.0, 2.0], F32)
    assert np.signbit(np.asarray(maximum(lhs, rhs))[:2]).tolist() == [False, False]
    assert np.signbit(np.asarray(minimum(lhs, rhs))[:2]).tolist() == [True, True]
    assert np.asarray(maximum(lhs, rhs)).view(np.uint32)[2] == 0x7FC00000
    assert numbers(minimum(lhs, rhs))[3] == 1.0


def test_the_nan_of_arithmetic_has_no_payload() -> None:
    nan = np.array([0xFFC12345], np.uint32).view(np.float32)
    operand = tensor(nan, F32)
    assert np.asarray(add(operand, operand)).view(np.uint32).tolist() == [0x7FC00000]
    assert np.asarray(negate(operand)).view(np.uint32).tolist() == [0x7FC12345]
    assert np.asarray(sign(operand)).view(np.uint32).tolist() == [0xFFC12345]


def test_compare_in_total_order() -> None:
    lhs, rhs = tensor([-0.0, NAN, -np.inf], F32), tensor([0.0, np.inf, NAN], F32)
    assert numbers(compare(lhs, rhs, "LT")) == [False, False, False]
    assert numbers(compare(lhs, rhs, "LT", "TOTALORDER")) == [True, False, True]


def test_round_nearest_afz_just_below_a_half() -> None:
    assert numbers(round_nearest_afz(tensor([0.49999999999999994, 0.5, -2.5], F64))) == [0.0, 1.0, -3.0]


def test_bounds_and_predicates_of_rank_0_hold_everywhere() -> None:
    assert numbers(clamp(tensor(1, I8), tensor([0, 2, 9], I8), tensor(3, I8))) == [1, 2, 3]
    assert numbers(select(tensor(True, I1), tensor([1, 2], I8), tensor([3, 4], I8))) == [1, 2]


def test_conversions() -> None:
    assert numbers(convert(tensor([1.9, -300.0, NAN, 1e30], F32), I8)) == [1, -128, 0, 127]
    assert numbers(convert(tensor([(1 << 53) + 1], I64), F64)) == [float(1 << 53)]
    assert numbers(convert(tensor([257, -1], I32), UI8)) == [1, 255]
    assert numbers(bitcast_convert(tensor([1.0], F32), UI8)) == [[0, 0, 128, 63]]
    assert numbers(bitcast_convert(tensor([[0, 0, 128, 63]], UI8), F32)) == [1.0]
    assert numbers(reduce_precision(tensor([1.0 + 2.0**-11, 1e5], F32), 5, 10)) == [1.0, np.inf]


def test_complex_numbers() -> None:
    assert numbers(complex_(tensor([1.0], F32), tensor([-2.0], F32))) == [1 - 2j]
    assert numbers(power(tensor([0 + 2j], COMPLEX_F32), tensor([2 + 0j], COMPLEX_F32)))[0].real == -4


def test_exponential_of_bf16_rounds_once() -> None:
    assert numbers(exponential(tensor([1.0], BF16))) == [2.71875]


def test_shapes() -> None:
    operand = tensor([[1, 2, 3], [4, 5, 6]], I8)
    assert numbers(transpose(operand, (1, 0))) == [[1, 4], [2, 5], [3, 6]]
    assert numbers(reshape(operand, (3, 2))) == [[1, 2], [3, 4], [5, 6]]
    assert numbers(reverse(operand, (1,))) == [[3, 2, 1], [6, 5, 4]]
    assert numbers(concatenate([operand, operand], 0)) == [[1, 2, 3], [4, 5, 6]] * 2
    assert numbers(broadcast_in_dim(tensor([1, 2], I8), (1,), (2, 2))) == [[1, 2], [1, 2]]
    assert numbers(iota(1, (2, 3), BF16)) == [[0, 1, 2], [0, 1, 2]]
    assert numbers(pad(tensor([1, 2], I8), tensor(0, I8), (1,), (-1,), (1,))) == [0, 1, 0]
    with pytest.raises(EvaluationError, match="the shape must have 6 elements"):
        reshape(operand, (4, 2))


def test_slices() -> None:
    operand = tensor([0, 1, 2, 3, 4], I8)
    start = [tensor(9, I64)]
    assert numbers(slice_(operand, (1,), (5,), (2,))) == [1, 3]
    assert numbers(dynamic_slice(operand, start, (2,))) == [3, 4]
    assert numbers(dynamic_update_slice(operand, tensor([7, 8], I8), start)) == [0, 1, 2, 7, 8]
    assert numbers(operand) == [0, 1, 2, 3, 4]


def test_gather_of_rows() -> None:
    operand = tensor([[1, 2], [3, 4], [5, 6]], I8)
    numbers_ = GatherDimensionNumbers((1,), (0,), (), (), (0,), 1)
    assert numbers(gather(operand, tensor([[2], [-1]], I64), numbers_, (1, 2))) == [[5, 6], [1, 2]]


def test_contractions() -> None:
    lhs, rhs = tensor([[1, 2], [3, 4]], I8), tensor([[1, 10], [100, 0]], I8)
    assert numbers(dot(lhs, rhs, I32)) == [[201, 10], [403, 30]]
    batched = DotDimensionNumbers((0,), (0,), (1,), (1,))
    assert numbers(dot_general(lhs, rhs, batched, I8)) == [21, 44]
    assert numbers(einsum(lhs, rhs, "ij,kj->ik", I32)) == [[21, 100], [43, 300]]
    with pytest.raises(EvaluationError, match="sizes of common dimensions must be equal"):
        dot(lhs, tensor([1, 2, 3], I8), I8)


def test_sums_are_rounded_once() -> None:
    assert numbers(sum_over(tensor([2048.0, 1.0, 1.0], F16), (0,))) == 2050.0


def test_fft_is_exact_where_it_can_be() -> None:
    assert numbers(fft(tensor([1, 0, 0, 0], COMPLEX_F32), "FFT", (4,), COMPLEX_F32)) == [1, 1, 1, 1]
    assert numbers(fft(tensor([1.0, 1.0, 1.0], F32), "RFFT", (3,), COMPLEX_F32)) == [3, 0]


def test_linear_algebra() -> None:
    a = tensor([[4.0, 9.0], [2.0, 5.0]], F32)
    assert numbers(cholesky(a, lower=True)) == [[2, 0], [1, 2]]
    x = triangular_solve(
        tensor([[2.0, 9.0], [1.0, 2.0]], F32), tensor([[4.0], [6.0]], F32), True, True, False, "NO_TRANSPOSE"
    )
    assert numbers(x) == [[2.0], [2.0]]
    assert np.isnan(numbers(cholesky(tensor([[1.0, 2.0], [2.0, 1.0]], F64), lower=True))).all()


def test_quantized_types() -> None:
    type_ = QuantizedType.make(I8, F32, (0.5,), (-1,))
    quantized = uniform_quantize(tensor([1.0, 0.25, 1000.0, NAN], F32), type_)
    assert numbers(quantized) == [1, 0, 127, 0]
    assert numbers(uniform_dequantize(quantized)) == [1.0, 0.5, 64.0, 0.5]


def test_random_bits_continue_from_their_state() -> None:
    state = tensor([1, 2], UI64)
    after, first = rng_bit_generator(state, "THREE_FRY", (4,), UI64)
    _, second = rng_bit_generator(after, "THREE_FRY", (2,), UI64)
    _, both = rng_bit_generator(state, "THREE_FRY", (6,), UI64)
    assert numbers(first) + numbers(second) == numbers(both)


def test_top_k() -> None:
    values, indices = top_k(tensor([1.0, NAN, 3.0, 3.0], F32), 3)
    assert numbers(indices) == [1, 2, 3]
    assert numbers(values)[1:] == [3.0, 3.0]


def test_chlo_functions() -> None:
    assert numbers(mulhi(tensor([-128], I8), tensor([-128], I8))) == [64]
    assert numbers(next_after(tensor([0.0], F64), tensor([-1.0], F64))) == [-5e-324]


def test_collectives_are_functions_of_the_operands_of_a_group() -> None:
    operands = [tensor([1, 2], I8), tensor([3, 4], I8)]
    assert numbers(all_gather(operands, 0)) == [1, 2, 3, 4]
    assert numbers(all_to_all(operands, 1, 0, 0, 2)) == [2, 4]


def test_process_groups_are_those_of_the_specification() -> None:
    grid = ProcessGrid(4, 2)
    assert list(grid.cross_replica([[0, 1], [2, 3]])) == [
        ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((2, 0), (3, 0)), ((2, 1), (3, 1))
    ]  # fmt: skip
    assert list(grid.cross_partition([[0, 1]]))[2] == ((2, 0), (2, 1))
    assert list(grid.cross_replica_and_partition([[0, 1], [2, 3]]))[1] == ((2, 0), (3, 0), (2, 1), (3, 1))
    assert list(ProcessGrid(2, 2).flattened_ids([[0, 3]])) == [((0, 0), (1, 1))]


# Programs ---------------------------------------------------------------------------------------------


def test_regions_see_values_from_outside() -> None:
    text = """
      func.func @main(%x: tensor<3xi32>, %y: tensor<i32>) -> tensor<3xi32> {
        %0 = "stablehlo.map"(%x) ({
        ^bb0(%a: tensor<i32>):
          %1 = stablehlo.multiply %a, %y : tensor<i32>
          stablehlo.return %1 : tensor<i32>
        }) {dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3xi32>
        return %0 : tensor<3xi32>
      }"""
    assert results(text, [1, 2, 3], 5)[0].tolist() == [5, 10, 15]


def test_an_error_says_where() -> None:
    text = """
      func.func private @inner(%size: tensor<1xi32>) -> tensor<?xf32> {
        %0 = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
        return %0 : tensor<?xf32>
      }
      func.func @main() {
        %0 = stablehlo.constant dense<-1> : tensor<1xi32>
        %1 = call @inner(%0) : (tensor<1xi32>) -> tensor<?xf32>
        return
      }"""
    with pytest.raises(EvaluationError) as caught:
        run(text, "a.mlir")
    assert [frame.op for frame in caught.value.frames] == ["func.call", "stablehlo.dynamic_iota"]
    assert 'in @inner at loc("a.mlir":3' in str(caught.value)


def test_an_unknown_operation_is_named_when_it_is_reached() -> None:
    text = """
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.custom_call @unknown(%x) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    with pytest.raises(UnsupportedError, match="no function for custom call @unknown"):
        results(text, [1.0, 2.0])


def test_results_must_be_of_the_types_that_the_program_states() -> None:
    text = """
      func.func @main(%x: tensor<?xf32>) -> tensor<2xf32> {
        %0 = stablehlo.abs %x : (tensor<?xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    assert results(text, [1.0, -2.0])[0].tolist() == [1.0, 2.0]
    with pytest.raises(EvaluationError, match=r"got \(tensor<3xf32>\) -> \(tensor<2xf32>\)"):
        results(text, [1.0, 2.0, 3.0])


def test_arguments_must_fit() -> None:
    with pytest.raises(ArgumentError, match="argument 0 must be a tensor<2xf32>"):
        results("func.func @main(%x: tensor<2xf32>) { return }", [1.0])


def test_calls_without_end_are_an_error() -> None:
    text = """
      func.func @main() {
        call @main() : () -> ()
        return
      }"""
    with pytest.raises(EvaluationError, match="functions call each other without end"):
        run(text)


def test_a_deadlock_is_reported() -> None:
    text = """
      func.func @sum(%x: tensor<f32>) -> tensor<f32> {
        %0 = "stablehlo.all_reduce"(%x) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }
      func.func @none(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
      func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
        %0:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@sum], [@none]]}
          : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
        return %0#0, %0#1 : tensor<f32>, tensor<f32>
      }"""
    with pytest.raises(EvaluationError, match=r"deadlock[\s\S]*process \(0, 0\) waits for"):
        results(text, 1.0)


def test_internal_errors_are_defects() -> None:
    with pytest.raises(InternalError, match="value must be a tensor"):
        from hlokit.reference.model.tensors import as_tensor
        from hlokit.values.tensor import Token

        as_tensor(Token())
