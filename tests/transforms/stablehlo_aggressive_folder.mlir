// RUN: stablehlo-opt --stablehlo-aggressive-folder=fold-op-element-limit=24 --split-input-file %s | FileCheck %s

// Element-wise operations, by kind of element type.

// CHECK-LABEL: func.func @integers_wrap
// CHECK-DAG: %[[I8:.*]] = stablehlo.constant dense<[-128, 126]> : tensor<2xi8>
// CHECK-DAG: %[[UI8:.*]] = stablehlo.constant dense<[4, 255]> : tensor<2xui8>
// CHECK-DAG: %[[I4:.*]] = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
// CHECK: return %[[I8]], %[[UI8]], %[[I4]]
func.func @integers_wrap() -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi4>) {
  %a = stablehlo.constant dense<[127, -1]> : tensor<2xi8>
  %b = stablehlo.constant dense<[1, 127]> : tensor<2xi8>
  %c = stablehlo.constant dense<[130, 128]> : tensor<2xui8>
  %d = stablehlo.constant dense<[130, 127]> : tensor<2xui8>
  %e = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %f = stablehlo.constant dense<[1, 1]> : tensor<2xi4>
  %g = stablehlo.constant dense<[1, -1]> : tensor<2xi4>
  %0 = stablehlo.add %a, %b : tensor<2xi8>
  %1 = stablehlo.add %c, %d : tensor<2xui8>
  %2 = stablehlo.multiply %g, %f : tensor<2xi4>
  %3 = stablehlo.add %e, %2 : tensor<2xi4>
  return %0, %1, %3 : tensor<2xi8>, tensor<2xui8>, tensor<2xi4>
}

// -----

// CHECK-LABEL: func.func @chains_fold_to_their_end
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[-5, -9, -9]> : tensor<3xi32>
// CHECK-NEXT: return %[[C]]
func.func @chains_fold_to_their_end() -> tensor<3xi32> {
  %a = stablehlo.constant dense<[2, 3, 5]> : tensor<3xi32>
  %b = stablehlo.constant dense<7> : tensor<3xi32>
  %0 = stablehlo.multiply %a, %a : tensor<3xi32>
  %1 = stablehlo.subtract %0, %b : tensor<3xi32>
  %2 = stablehlo.negate %b : tensor<3xi32>
  %3 = stablehlo.xor %1, %2 : tensor<3xi32>
  %4 = stablehlo.not %3 : tensor<3xi32>
  %5 = stablehlo.subtract %1, %4 : tensor<3xi32>
  %6 = stablehlo.add %5, %2 : tensor<3xi32>
  return %6 : tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @narrow_floats_round_once
// CHECK-DAG: %[[BF16:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
// CHECK-DAG: %[[F8:.*]] = stablehlo.constant dense<4.480000e+02> : tensor<2xf8E4M3FN>
// CHECK-DAG: %[[F4:.*]] = stablehlo.constant dense<[5.000000e-01, -6.000000e+00]> : tensor<2xf4E2M1FN>
// CHECK: return %[[BF16]], %[[F8]], %[[F4]]
func.func @narrow_floats_round_once() -> (tensor<bf16>, tensor<2xf8E4M3FN>, tensor<2xf4E2M1FN>) {
  %a = stablehlo.constant dense<1.0> : tensor<bf16>
  %b = stablehlo.constant dense<0.00390625> : tensor<bf16>
  %c = stablehlo.constant dense<[224.0, 416.0]> : tensor<2xf8E4M3FN>
  %d = stablehlo.constant dense<[224.0, 32.0]> : tensor<2xf8E4M3FN>
  %e = stablehlo.constant dense<[0.5, -6.0]> : tensor<2xf32>
  %0 = stablehlo.add %a, %b : tensor<bf16>
  %1 = stablehlo.add %c, %d : tensor<2xf8E4M3FN>
  %2 = stablehlo.convert %e : (tensor<2xf32>) -> tensor<2xf4E2M1FN>
  return %0, %1, %2 : tensor<bf16>, tensor<2xf8E4M3FN>, tensor<2xf4E2M1FN>
}

// -----

// CHECK-LABEL: func.func @complex_numbers
// CHECK-DAG: %[[P:.*]] = stablehlo.constant dense<[(-5.000000e+00,1.000000e+01), (1.000000e+00,0.000000e+00)]>
// CHECK-DAG: %[[M:.*]] = stablehlo.constant dense<[5.000000e+00, 1.000000e+00]> : tensor<2xf64>
// CHECK: return %[[P]], %[[M]]
func.func @complex_numbers() -> (tensor<2xcomplex<f32>>, tensor<2xf64>) {
  %a = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %re = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xf64>
  %im = stablehlo.constant dense<[-4.0, 1.0]> : tensor<2xf64>
  %0 = stablehlo.multiply %a, %b : tensor<2xcomplex<f32>>
  %1 = stablehlo.complex %re, %im : tensor<2xcomplex<f64>>
  %2 = stablehlo.abs %1 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  return %0, %2 : tensor<2xcomplex<f32>>, tensor<2xf64>
}

// -----

// CHECK-LABEL: func.func @booleans
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[false, true, true, false]> : tensor<4xi1>
// CHECK-NEXT: return %[[C]]
func.func @booleans() -> tensor<4xi1> {
  %a = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  %b = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %0 = stablehlo.and %a, %b : tensor<4xi1>
  %1 = stablehlo.or %a, %b : tensor<4xi1>
  %2 = stablehlo.not %0 : tensor<4xi1>
  %3 = stablehlo.compare LT, %0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %4 = stablehlo.and %2, %3 : tensor<4xi1>
  return %4 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func.func @quantized
// CHECK-DAG: %[[Q:.*]] = stablehlo.constant() <{value = dense<[-125, -119]> : tensor<2xi8>}>
// CHECK-DAG: %[[U:.*]] = stablehlo.constant() <{value = dense<[2, -1]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<u8:f32, 5.000000e-01>>
// CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<[1.500000e+00, 4.500000e+00]> : tensor<2xf32>
// CHECK: return %[[Q]], %[[U]], %[[F]]
func.func @quantized() -> (tensor<2x!quant.uniform<i8:f32, 0.5:-128>>, tensor<2x!quant.uniform<u8:f32, 0.5>>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[1.5, 4.5]> : tensor<2xf32>
  %b = stablehlo.constant dense<[1.0, 1000.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-128>>
  %1 = stablehlo.uniform_quantize %b : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8:f32, 0.5>>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 0.5:-128>>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2x!quant.uniform<i8:f32, 0.5:-128>>, tensor<2x!quant.uniform<u8:f32, 0.5>>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @nan_and_infinity_are_values
// CHECK-DAG: %[[NAN:.*]] = stablehlo.constant dense<0x7FC00000> : tensor<f32>
// CHECK-DAG: %[[INF:.*]] = stablehlo.constant dense<0xFF800000> : tensor<f32>
// CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<i1>
// CHECK: return %[[NAN]], %[[INF]], %[[FALSE]]
func.func @nan_and_infinity_are_values() -> (tensor<f32>, tensor<f32>, tensor<i1>) {
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %one = stablehlo.constant dense<-1.0> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.maximum %nan, %one : tensor<f32>
  %1 = stablehlo.divide %one, %zero : tensor<f32>
  %2 = stablehlo.compare EQ, %0, %0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<i1>
}

// -----

// CHECK-LABEL: func.func @constants_of_other_dialects
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[9, 11]> : tensor<2xi64>
// CHECK-NEXT: return %[[C]]
func.func @constants_of_other_dialects() -> tensor<2xi64> {
  %a = arith.constant dense<[4, 5]> : tensor<2xi64>
  %b = chlo.constant dense<[5, 6]> : tensor<2xi64>
  %0 = stablehlo.add %a, %b : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// CHECK-LABEL: func.func @chlo_functions
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0.000000e+00, 0.995322{{.*}}]> : tensor<2xf64>
// CHECK-NEXT: return %[[C]]
func.func @chlo_functions() -> tensor<2xf64> {
  %a = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf64>
  %0 = chlo.erf %a : tensor<2xf64> -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// What machines disagree about stays in the program.

// CHECK-LABEL: func.func @integer_division_by_zero
// CHECK: stablehlo.divide
// CHECK: stablehlo.remainder
// CHECK: stablehlo.divide
func.func @integer_division_by_zero() -> (tensor<2xi16>, tensor<2xui16>, tensor<3xi16>) {
  %a = stablehlo.constant dense<[9, 8]> : tensor<2xi16>
  %b = stablehlo.constant dense<[3, 0]> : tensor<2xi16>
  %c = stablehlo.constant dense<[9, 8]> : tensor<2xui16>
  %d = stablehlo.constant dense<[0, 3]> : tensor<2xui16>
  %e = stablehlo.constant dense<5> : tensor<3xi16>
  %f = stablehlo.constant dense<0> : tensor<3xi16>
  %0 = stablehlo.divide %a, %b : tensor<2xi16>
  %1 = stablehlo.remainder %c, %d : tensor<2xui16>
  %2 = stablehlo.divide %e, %f : tensor<3xi16>
  return %0, %1, %2 : tensor<2xi16>, tensor<2xui16>, tensor<3xi16>
}

// -----

// CHECK-LABEL: func.func @division_that_is_defined
// CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<[-3, -128]> : tensor<2xi8>
// CHECK-DAG: %[[R:.*]] = stablehlo.constant dense<[-1, 0]> : tensor<2xi8>
// CHECK: return %[[D]], %[[R]]
func.func @division_that_is_defined() -> (tensor<2xi8>, tensor<2xi8>) {
  %a = stablehlo.constant dense<[-7, -128]> : tensor<2xi8>
  %b = stablehlo.constant dense<[2, -1]> : tensor<2xi8>
  %0 = stablehlo.divide %a, %b : tensor<2xi8>
  %1 = stablehlo.remainder %a, %b : tensor<2xi8>
  return %0, %1 : tensor<2xi8>, tensor<2xi8>
}

// -----

// CHECK-LABEL: func.func @poles_and_what_is_outside_of_the_domain
// CHECK: stablehlo.log
// CHECK: stablehlo.sqrt
// CHECK: stablehlo.rsqrt
// CHECK: stablehlo.power
// CHECK: stablehlo.sign
// CHECK: chlo.lgamma
func.func @poles_and_what_is_outside_of_the_domain() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %negative = stablehlo.constant dense<[4.0, -4.0]> : tensor<2xf32>
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %nan = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %0 = stablehlo.log %zero : tensor<2xf32>
  %1 = stablehlo.sqrt %negative : tensor<2xf32>
  %2 = stablehlo.rsqrt %zero : tensor<2xf32>
  %3 = stablehlo.power %negative, %half : tensor<2xf32>
  %4 = stablehlo.sign %nan : tensor<2xf32>
  %5 = chlo.lgamma %zero : tensor<2xf32> -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @functions_of_nan_and_infinity
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return %[[C]]
func.func @functions_of_nan_and_infinity() -> tensor<3xf32> {
  %a = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 9.0]> : tensor<3xf32>
  %0 = stablehlo.sqrt %a : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @conversion_to_integers
// CHECK-DAG: %[[FITS:.*]] = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
// CHECK-DAG: stablehlo.convert %{{.*}} : (tensor<2xf32>) -> tensor<2xi8>
// CHECK-DAG: stablehlo.convert %{{.*}} : (tensor<2xf32>) -> tensor<2xui8>
// CHECK-DAG: stablehlo.convert %{{.*}} : (tensor<f16>) -> tensor<i32>
// CHECK-DAG: stablehlo.convert %{{.*}} : (tensor<bf16>) -> tensor<i64>
// CHECK: return %[[FITS]],
func.func @conversion_to_integers() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<i32>, tensor<i64>) {
  %fits = stablehlo.constant dense<[-128.9, 127.9]> : tensor<2xf32>
  %large = stablehlo.constant dense<[1.0, 128.0]> : tensor<2xf32>
  %negative = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %nan = stablehlo.constant dense<0x7E00> : tensor<f16>
  %end = stablehlo.constant dense<9223372036854775808.0> : tensor<bf16>
  %0 = stablehlo.convert %fits : (tensor<2xf32>) -> tensor<2xi8>
  %1 = stablehlo.convert %large : (tensor<2xf32>) -> tensor<2xi8>
  %2 = stablehlo.convert %negative : (tensor<2xf32>) -> tensor<2xui8>
  %3 = stablehlo.convert %nan : (tensor<f16>) -> tensor<i32>
  %4 = stablehlo.convert %end : (tensor<bf16>) -> tensor<i64>
  return %0, %1, %2, %3, %4 : tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<i32>, tensor<i64>
}

// -----

// compare_c3: the comparison type must fit the elements. A program that breaks it is left as it is.
// CHECK-LABEL: func.func @comparison_of_another_sign
// CHECK: stablehlo.compare
func.func @comparison_of_another_sign() -> tensor<i1> {
  %a = stablehlo.constant dense<-3> : tensor<i32>
  %b = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

// Operations that move elements.

// CHECK-LABEL: func.func @moving
// CHECK-DAG: %[[R:.*]] = stablehlo.constant dense<[7, 6, 5, 4, 3, 2]> : tensor<6xi32>
// CHECK-DAG: %[[T:.*]] = stablehlo.constant dense<{{\[\[}}2, 5], [3, 6], [4, 7]]> : tensor<3x2xi32>
// CHECK-DAG: %[[S:.*]] = stablehlo.constant dense<{{\[\[}}3], [6]]> : tensor<2x1xi32>
// CHECK-DAG: %[[P:.*]] = stablehlo.constant dense<[3, 0, 6, 0]> : tensor<4xi32>
// CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<{{\[\[}}3, 0, 6, 0], [3, 0, 6, 0]]> : tensor<2x4xi32>
// CHECK: return %[[R]], %[[T]], %[[S]], %[[P]], %[[B]]
func.func @moving() -> (tensor<6xi32>, tensor<3x2xi32>, tensor<2x1xi32>, tensor<4xi32>, tensor<2x4xi32>) {
  %a = stablehlo.constant dense<[[2, 3, 4], [5, 6, 7]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %flat = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<6xi32>
  %0 = stablehlo.reverse %flat, dims = [0] : tensor<6xi32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %2 = stablehlo.slice %a [0:2, 1:2] : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %column = stablehlo.reshape %2 : (tensor<2x1xi32>) -> tensor<2xi32>
  %3 = stablehlo.pad %column, %zero, low = [0], high = [1], interior = [1] : (tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1] : (tensor<4xi32>) -> tensor<2x4xi32>
  return %0, %1, %2, %3, %4 : tensor<6xi32>, tensor<3x2xi32>, tensor<2x1xi32>, tensor<4xi32>, tensor<2x4xi32>
}

// -----

// CHECK-LABEL: func.func @reverse_that_does_nothing
// CHECK-COUNT-3: stablehlo.reverse
func.func @reverse_that_does_nothing() -> (tensor<3xi8>, tensor<3xi8>, tensor<1x3xi8>) {
  %a = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi8>
  %b = stablehlo.constant dense<4> : tensor<3xi8>
  %c = stablehlo.constant dense<[[4, 5, 6]]> : tensor<1x3xi8>
  %0 = stablehlo.reverse %a, dims = [] : tensor<3xi8>
  %1 = stablehlo.reverse %b, dims = [0] : tensor<3xi8>
  %2 = stablehlo.reverse %c, dims = [0] : tensor<1x3xi8>
  return %0, %1, %2 : tensor<3xi8>, tensor<3xi8>, tensor<1x3xi8>
}

// -----

// CHECK-LABEL: func.func @indexing
// CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
// CHECK-DAG: %[[U:.*]] = stablehlo.constant dense<[10, 7, 8, 40]> : tensor<4xi32>
// CHECK-DAG: %[[G:.*]] = stablehlo.constant dense<[40, 10, 30]> : tensor<3xi32>
// CHECK-DAG: %[[S:.*]] = stablehlo.constant dense<[10, 27, 30, 40]> : tensor<4xi32>
// CHECK: return %[[D]], %[[U]], %[[G]], %[[S]]
func.func @indexing() -> (tensor<2xi32>, tensor<4xi32>, tensor<3xi32>, tensor<4xi32>) {
  %a = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %new = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %seven = stablehlo.constant dense<[7]> : tensor<1xi32>
  %far = stablehlo.constant dense<9> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %places = stablehlo.constant dense<[[3], [0], [2]]> : tensor<3x1xi64>
  %place = stablehlo.constant dense<[[1]]> : tensor<1x1xi64>
  %0 = stablehlo.dynamic_slice %a, %far, sizes = [2] : (tensor<4xi32>, tensor<i64>) -> tensor<2xi32>
  %1 = stablehlo.dynamic_update_slice %a, %new, %one : (tensor<4xi32>, tensor<2xi32>, tensor<i64>) -> tensor<4xi32>
  %2 = "stablehlo.gather"(%a, %places) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<3x1xi64>) -> tensor<3xi32>
  %3 = "stablehlo.scatter"(%a, %place, %seven) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %sum = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<4xi32>, tensor<1x1xi64>, tensor<1xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<4xi32>, tensor<3xi32>, tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @dynamic_operations_of_static_results
// CHECK-DAG: %[[I:.*]] = stablehlo.iota
// CHECK-DAG: %[[R:.*]] = stablehlo.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-DAG: stablehlo.dynamic_reshape {{.*}} -> tensor<?x?xi32>
// CHECK: return
func.func @dynamic_operations_of_static_results() -> (tensor<2x3xi32>, tensor<2x2xi32>, tensor<?x?xi32>) {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %shape = stablehlo.constant dense<2> : tensor<2xi32>
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.dynamic_reshape %a, %shape : (tensor<4xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  %2 = stablehlo.dynamic_reshape %a, %shape : (tensor<4xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<2x2xi32>, tensor<?x?xi32>
}

// -----

// CHECK-LABEL: func.func @iota_of_one_element_or_none
// CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<0> : tensor<1x1xi16>
// CHECK-DAG: %[[NONE:.*]] = stablehlo.constant dense<> : tensor<0x4xf32>
// CHECK: return %[[ONE]], %[[NONE]]
func.func @iota_of_one_element_or_none() -> (tensor<1x1xi16>, tensor<0x4xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<1x1xi16>
  %1 = stablehlo.iota dim = 1 : tensor<0x4xf32>
  return %0, %1 : tensor<1x1xi16>, tensor<0x4xf32>
}

// -----

// CHECK-LABEL: func.func @sizes
// CHECK-SAME: (%[[X:.*]]: tensor<?x5xf32>, %[[Y:.*]]: tensor<6xf32>)
// CHECK-DAG: %[[FIVE:.*]] = stablehlo.constant dense<5> : tensor<i32>
// CHECK-DAG: %[[UNKNOWN:.*]] = stablehlo.get_dimension_size %[[X]], dim = 0
// CHECK-DAG: %[[CUT:.*]] = stablehlo.set_dimension_size
// CHECK: return %[[FIVE]], %[[UNKNOWN]], %[[Y]], %[[CUT]]
func.func @sizes(%x: tensor<?x5xf32>, %y: tensor<6xf32>) -> (tensor<i32>, tensor<i32>, tensor<6xf32>, tensor<?xf32, #stablehlo.bounds<6>>) {
  %six = stablehlo.constant dense<6> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x5xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5xf32>) -> tensor<i32>
  %2 = stablehlo.set_dimension_size %y, %six, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<6xf32>
  %3 = stablehlo.set_dimension_size %y, %six, dim = 0 : (tensor<6xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return %0, %1, %2, %3 : tensor<i32>, tensor<i32>, tensor<6xf32>, tensor<?xf32, #stablehlo.bounds<6>>
}

// -----

// Operations that compute one element from many.

// CHECK-LABEL: func.func @contractions
// CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<{{\[\[}}17], [39]]> : tensor<2x1xi64>
// CHECK-DAG: %[[W:.*]] = stablehlo.constant dense<[3, 5, 3]> : tensor<3xi64>
// CHECK: return %[[D]], %[[W]]
func.func @contractions() -> (tensor<2x1xi64>, tensor<3xi64>) {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %b = stablehlo.constant dense<[[5], [6]]> : tensor<2x1xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xi64>, tensor<2x1xi64>) -> tensor<2x1xi64>
  %1 = "stablehlo.reduce_window"(%c, %zero) <{window_dimensions = array<i64: 2>, padding = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %sum = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  return %0, %1 : tensor<2x1xi64>, tensor<3xi64>
}

// -----

// CHECK-LABEL: func.func @sort_with_several_results
// CHECK-DAG: %[[K:.*]] = stablehlo.constant dense<[9, 4, 1]> : tensor<3xi32>
// CHECK-DAG: %[[V:.*]] = stablehlo.constant dense<[2.000000e+00, 1.000000e+00, 3.000000e+00]> : tensor<3xf16>
// CHECK: return %[[K]], %[[V]]
func.func @sort_with_several_results() -> (tensor<3xi32>, tensor<3xf16>) {
  %a = stablehlo.constant dense<[4, 9, 1]> : tensor<3xi32>
  %b = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %u: tensor<f16>, %v: tensor<f16>):
    %more = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xf16>) -> (tensor<3xi32>, tensor<3xf16>)
  return %0#0, %0#1 : tensor<3xi32>, tensor<3xf16>
}

// -----

// CHECK-LABEL: func.func @reduce_with_captured_constant
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[14, 15]> : tensor<2xi32>
// CHECK-NEXT: return %[[C]]
func.func @reduce_with_captured_constant() -> tensor<2xi32> {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %cap = stablehlo.constant dense<5> : tensor<i32>
  %0 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %sum = stablehlo.add %x, %y : tensor<i32>
    %capped = stablehlo.minimum %sum, %cap : tensor<i32>
    stablehlo.return %capped : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  %ones = stablehlo.constant dense<[10, 10]> : tensor<2xi32>
  %1 = stablehlo.add %0, %ones : tensor<2xi32>
  return %1 : tensor<2xi32>
}

// -----

// A captured value that is no constant, and an operation that may do anything.
// CHECK-LABEL: func.func @reduce_with_unknown_body
// CHECK: stablehlo.reduce
// CHECK: stablehlo.reduce
func.func @reduce_with_unknown_body(%scale: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %scaled = stablehlo.multiply %y, %scale : tensor<i32>
    %sum = stablehlo.add %x, %scaled : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %sum = stablehlo.custom_call @combine(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// -----

// CHECK-LABEL: func.func @reduce_whose_body_ignores_its_arguments
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xi32>, %[[Y:.*]]: tensor<i32>)
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<8> : tensor<3xi32>
// CHECK: return %[[C]], %[[Y]]
func.func @reduce_whose_body_ignores_its_arguments(%x: tensor<3x4xi32>, %y: tensor<i32>) -> (tensor<3xi32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %eight = stablehlo.constant dense<8> : tensor<i32>
    stablehlo.return %eight : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
  %1 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<3xi32>, tensor<i32>
}

// -----

// Without an element to reduce, the result is the initial value.
// CHECK-LABEL: func.func @reduce_of_no_elements
// CHECK: stablehlo.reduce
func.func @reduce_of_no_elements(%x: tensor<3x0xi32>) -> tensor<3xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %eight = stablehlo.constant dense<8> : tensor<i32>
    stablehlo.return %eight : tensor<i32>
  }) : (tensor<3x0xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @reduce_of_a_splat
// CHECK-SAME: (%[[INIT:.*]]: tensor<i8>)
// CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<i1>
// CHECK-DAG: %[[SIX:.*]] = stablehlo.constant dense<6> : tensor<i8>
// CHECK: %[[MAX:.*]] = stablehlo.maximum %[[SIX]], %[[INIT]]
// CHECK: %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[MAX]]
// CHECK: return %[[TRUE]], %[[ALL]]
func.func @reduce_of_a_splat(%init: tensor<i8>) -> (tensor<i1>, tensor<9xi8>) {
  %a = stablehlo.constant dense<false> : tensor<1000000x1000000xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %b = stablehlo.constant dense<6> : tensor<9x99xi8>
  %0 = stablehlo.reduce(%a init: %true) applies stablehlo.or across dimensions = [0, 1] : (tensor<1000000x1000000xi1>, tensor<i1>) -> tensor<i1>
  %1 = stablehlo.reduce(%b init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<9x99xi8>, tensor<i8>) -> tensor<9xi8>
  return %0, %1 : tensor<i1>, tensor<9xi8>
}

// -----

// CHECK-LABEL: func.func @reduce_of_no_dimensions
// CHECK-SAME: (%[[X:.*]]: tensor<2xi32>)
// CHECK: %[[R:.*]] = stablehlo.reduce
// CHECK: return %[[X]], %[[R]]
func.func @reduce_of_no_dimensions(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @neutral_elements
// CHECK-SAME: (%[[X:.*]]: tensor<2xi8>, %[[U:.*]]: tensor<2xui8>, %[[F:.*]]: tensor<2xf32>)
// CHECK: %[[R:.*]] = stablehlo.reduce
// CHECK: return %[[X]], %[[X]], %[[X]], %[[U]], %[[F]], %[[R]]
func.func @neutral_elements(%x: tensor<2xi8>, %u: tensor<2xui8>, %f: tensor<2xf32>)
    -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xf32>, tensor<2xi8>) {
  %ones = stablehlo.constant dense<-1> : tensor<i8>
  %least = stablehlo.constant dense<-128> : tensor<i8>
  %greatest = stablehlo.constant dense<127> : tensor<i8>
  %greatest_unsigned = stablehlo.constant dense<255> : tensor<ui8>
  %infinity = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %greatest) applies stablehlo.minimum across dimensions = [] : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %1 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [] : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %2 = stablehlo.reduce(%x init: %ones) applies stablehlo.and across dimensions = [] : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  %3 = stablehlo.reduce(%u init: %greatest_unsigned) applies stablehlo.minimum across dimensions = [] : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  %4 = stablehlo.reduce(%f init: %infinity) applies stablehlo.maximum across dimensions = [] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = stablehlo.reduce(%x init: %least) applies stablehlo.minimum across dimensions = [] : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xui8>, tensor<2xf32>, tensor<2xi8>
}

// -----

// The limit is 24 elements.

// CHECK-LABEL: func.func @too_large
// CHECK-DAG: stablehlo.constant dense<{{.*}}> : tensor<24xi32>
// CHECK: stablehlo.broadcast_in_dim {{.*}} -> tensor<25x2xi32>
// CHECK: stablehlo.concatenate
func.func @too_large() -> (tensor<24xi32>, tensor<25x2xi32>, tensor<26xi32>) {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xi32>) -> tensor<2x12xi32>
  %0 = stablehlo.reshape %b : (tensor<2x12xi32>) -> tensor<24xi32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xi32>) -> tensor<25x2xi32>
  %2 = stablehlo.concatenate %0, %a, dim = 0 : (tensor<24xi32>, tensor<2xi32>) -> tensor<26xi32>
  return %0, %1, %2 : tensor<24xi32>, tensor<25x2xi32>, tensor<26xi32>
}

// -----

// CHECK-LABEL: func.func @splats_of_any_size
// CHECK-SAME: (%[[I:.*]]: tensor<i32>)
// CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<2.500000e+00> : tensor<100000x100000xf32>
// CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<true> : tensor<100000x100000xi1>
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<1.250000e+00> : tensor<5x100000xf32>
// CHECK-DAG: %[[D:.*]] = stablehlo.constant dense<2> : tensor<50xi4>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @splats_of_any_size(%i: tensor<i32>) -> (tensor<100000x100000xf32>, tensor<100000x100000xi1>, tensor<5x100000xf32>, tensor<50xi4>) {
  %a = stablehlo.constant dense<1.25> : tensor<f32>
  %d = stablehlo.constant dense<2> : tensor<60xi4>
  %large = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<100000x100000xf32>
  %0 = stablehlo.add %large, %large : tensor<100000x100000xf32>
  %1 = stablehlo.compare LT, %large, %0 : (tensor<100000x100000xf32>, tensor<100000x100000xf32>) -> tensor<100000x100000xi1>
  %2 = stablehlo.dynamic_slice %large, %i, %i, sizes = [5, 100000] : (tensor<100000x100000xf32>, tensor<i32>, tensor<i32>) -> tensor<5x100000xf32>
  %3 = stablehlo.dynamic_slice %d, %i, sizes = [50] : (tensor<60xi4>, tensor<i32>) -> tensor<50xi4>
  return %0, %1, %2, %3 : tensor<100000x100000xf32>, tensor<100000x100000xi1>, tensor<5x100000xf32>, tensor<50xi4>
}

// -----

// Larger than the limit, but no larger than what is not needed any more.
// CHECK-LABEL: func.func @instead_of_large_constants
// CHECK-DAG: %[[A:.*]] = stablehlo.constant dense<{{.*}}> : tensor<2x15xi8>
// CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<{{.*}}> : tensor<2x15xi16>
// CHECK-DAG: %[[C:.*]] = stablehlo.convert %[[A]]
// CHECK-DAG: %[[D:.*]] = stablehlo.transpose %[[B]]
// CHECK: return %[[A]], %[[C]], %[[B]], %[[D]]
func.func @instead_of_large_constants() -> (tensor<2x15xi8>, tensor<2x15xi16>, tensor<2x15xi16>, tensor<15x2xi16>) {
  %a = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]> : tensor<30xi8>
  %b = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]> : tensor<30xi16>
  %0 = stablehlo.reshape %a : (tensor<30xi8>) -> tensor<2x15xi8>
  %1 = stablehlo.convert %0 : (tensor<2x15xi8>) -> tensor<2x15xi16>
  %2 = stablehlo.reshape %b : (tensor<30xi16>) -> tensor<2x15xi16>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x15xi16>) -> tensor<15x2xi16>
  return %0, %1, %2, %3 : tensor<2x15xi8>, tensor<2x15xi16>, tensor<2x15xi16>, tensor<15x2xi16>
}

// -----

// Zeros of both signs are not the same.
// CHECK-LABEL: func.func @pad_a_splat
// CHECK-DAG: %[[SAME:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<30xf32>
// CHECK-DAG: %[[PAD:.*]] = stablehlo.pad
// CHECK: return %[[SAME]], %[[PAD]]
func.func @pad_a_splat() -> (tensor<30xf32>, tensor<30xf32>) {
  %a = stablehlo.constant dense<0.0> : tensor<10xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %negative = stablehlo.constant dense<-0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [12], high = [8], interior = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<30xf32>
  %1 = stablehlo.pad %a, %negative, low = [12], high = [8], interior = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<30xf32>
  return %0, %1 : tensor<30xf32>, tensor<30xf32>
}

// -----

// CHECK-LABEL: func.func @splats_side_by_side
// CHECK-SAME: (%[[X:.*]]: tensor<2x1xf32>)
// CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<2x5xf32>
// CHECK-DAG: %[[OTHER:.*]] = stablehlo.constant dense<-1.000000e+00> : tensor<2x1xf32>
// CHECK: stablehlo.concatenate %[[X]], %[[ONE]], %[[OTHER]], %[[X]], dim = 1
func.func @splats_side_by_side(%x: tensor<2x1xf32>) -> tensor<2x8xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %b = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %c = stablehlo.constant dense<-1.0> : tensor<2x1xf32>
  %0 = stablehlo.concatenate %x, %a, %b, %c, %x, dim = 1 : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// What is not a function of its operands, and what is there for another reason.

// CHECK-LABEL: func.func @not_pure
// CHECK: stablehlo.rng
// CHECK: stablehlo.rng_bit_generator
// CHECK: stablehlo.custom_call @f
// CHECK: stablehlo.all_reduce
// CHECK: stablehlo.optimization_barrier
// CHECK: call @g
func.func @not_pure() -> (tensor<2xf32>, tensor<2xui32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<2.0> : tensor<f32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %1:2 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  %2 = stablehlo.custom_call @f(%c) : (tensor<i32>) -> tensor<i32>
  %3 = "stablehlo.all_reduce"(%c) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %sum = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %4 = stablehlo.optimization_barrier %c : tensor<i32>
  %5 = call @g(%c) : (tensor<i32>) -> tensor<i32>
  return %0, %1#1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xui32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
func.func private @g(tensor<i32>) -> tensor<i32>

// -----

// Branches and loops.

// CHECK-LABEL: func.func @known_branches
// CHECK-SAME: (%[[X:.*]]: tensor<f32>)
// CHECK-NEXT: %[[A:.*]] = stablehlo.cosine %[[X]]
// CHECK-NEXT: %[[B:.*]] = stablehlo.sine %[[A]]
// CHECK-NEXT: %[[C:.*]] = stablehlo.tanh %[[B]]
// CHECK-NEXT: return %[[C]]
func.func @known_branches(%x: tensor<f32>) -> tensor<f32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %true = stablehlo.compare LT, %three, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %negative = stablehlo.negate %three : tensor<i32>
  %0 = "stablehlo.if"(%true) ({
    %a = stablehlo.cosine %x : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // There is no branch of this number, so that it is the last one.
  %1 = "stablehlo.case"(%negative) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %a = stablehlo.sine %0 : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %2 = "stablehlo.case"(%four) ({
    %a = stablehlo.tanh %1 : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// What has side effects stays where it is never reached, with zeros and tokens for the branch that is.
// CHECK-LABEL: func.func @branches_with_side_effects
// CHECK-SAME: (%[[T:.*]]: !stablehlo.token, %[[X:.*]]: tensor<2xi8>)
// CHECK: %[[U:.*]] = "stablehlo.outfeed"(%[[X]], %[[T]]) <{outfeed_config = "taken"}>
// CHECK: "stablehlo.case"
// CHECK: outfeed_config = "other"
// CHECK: stablehlo.after_all : !stablehlo.token
// CHECK: return %[[U]], %[[X]]
func.func @branches_with_side_effects(%t: !stablehlo.token, %x: tensor<2xi8>) -> (!stablehlo.token, tensor<2xi8>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = "stablehlo.case"(%one) ({
    %u = "stablehlo.outfeed"(%x, %t) <{outfeed_config = "other"}> : (tensor<2xi8>, !stablehlo.token) -> !stablehlo.token
    stablehlo.return %u, %x : !stablehlo.token, tensor<2xi8>
  }, {
    %u = "stablehlo.outfeed"(%x, %t) <{outfeed_config = "taken"}> : (tensor<2xi8>, !stablehlo.token) -> !stablehlo.token
    stablehlo.return %u, %x : !stablehlo.token, tensor<2xi8>
  }) : (tensor<i32>) -> (!stablehlo.token, tensor<2xi8>)
  return %0#0, %0#1 : !stablehlo.token, tensor<2xi8>
}

// -----

// CHECK-LABEL: func.func @loops_that_never_run
// CHECK-SAME: (%[[X:.*]]: tensor<i32>)
// CHECK: stablehlo.while
// CHECK: call @effect
// CHECK-NOT: stablehlo.while
// CHECK: return %[[X]], %[[X]]
func.func @loops_that_never_run(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %less = stablehlo.compare LT, %two, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %1 = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %next = func.call @effect(%i) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %0, %1 : tensor<i32>, tensor<i32>
}
func.func private @effect(tensor<i32>) -> tensor<i32>

// -----

// CHECK-LABEL: func.func @loops_that_do_not_start
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @loops_that_do_not_start(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %three, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %zero : tensor<i32>
    %z = stablehlo.cosine %y : tensor<4xf32>
    stablehlo.return %next, %z : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// The condition divides by zero, and may be anything then.
// CHECK-LABEL: func.func @loops_that_nobody_knows
// CHECK: stablehlo.while
func.func @loops_that_nobody_knows(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %quotient = stablehlo.divide %three, %i : tensor<i32>
    %less = stablehlo.compare LT, %three, %quotient : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %z = stablehlo.cosine %y : tensor<4xf32>
    stablehlo.return %zero, %z : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// A loop may never end, so that it is not evaluated; constants within it are.
// CHECK-LABEL: func.func @loops_stay
// CHECK-DAG: %[[FIVE:.*]] = stablehlo.constant dense<5> : tensor<i32>
// CHECK: stablehlo.while
// CHECK: stablehlo.compare LT, %{{.*}}, %[[FIVE]]
func.func @loops_stay() -> tensor<i32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.while(%i = %two) : tensor<i32>
  cond {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %five = stablehlo.add %two, %three : tensor<i32>
    %less = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %0 : tensor<i32>
}
