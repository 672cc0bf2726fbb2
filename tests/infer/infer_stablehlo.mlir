// RUN: stablehlo-opt --hlo-test-infer --allow-unregistered-dialect %s | FileCheck %s

// What is inferred for results of operations: their types, the components of these, and operations that compute
// their shapes. Functions are named after the operation and the constraint of the specification that gives the
// type. Declared types say less than what is inferred. Element-wise operations are in a file of their own.
// Names say where the bindings infer less than the specification: `loses_bounds` where the result has bounds,
// `keeps_quantization_dimension` where the dimension moves.

// CHECK-LABEL: func.func @constant_c1(
func.func @constant_c1() {
  %0 = stablehlo.constant dense<[[1, -2, 3]]> : tensor<1x3xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<1x3xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<1x3xi8>) -> ()
  return
}

// CHECK-LABEL: func.func @constant_c1_quantized(
func.func @constant_c1_quantized() {
  %0 = "stablehlo.constant"() {value = dense<7> : tensor<4xi8>} : () -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<4x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @create_token(
func.func @create_token() {
  %0 = "stablehlo.create_token"() : () -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// CHECK-LABEL: func.func @after_all(
func.func @after_all(%a: !stablehlo.token, %b: !stablehlo.token) {
  %0 = "stablehlo.after_all"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// CHECK-LABEL: func.func @partition_id(
func.func @partition_id() {
  %0 = stablehlo.partition_id : tensor<ui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<ui32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<ui32>) -> ()
  return
}

// CHECK-LABEL: func.func @replica_id(
func.func @replica_id() {
  %0 = stablehlo.replica_id : tensor<ui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<ui32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<ui32>) -> ()
  return
}

// CHECK-LABEL: func.func @outfeed(
func.func @outfeed(%a: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%a, %token) {outfeed_config = "x"} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// CHECK-LABEL: func.func @send(
func.func @send(%a: tensor<3xf32>, %token: !stablehlo.token) {
  %0 = "stablehlo.send"(%a, %token) {channel_handle = #stablehlo.channel_handle<handle = 4, type = 2>, is_host_transfer = true} : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// CHECK-LABEL: func.func @tuple_c1(
func.func @tuple_c1(%a: tensor<2xf32>, %b: !stablehlo.token, %c: tensor<?xi1>) {
  %0 = "stablehlo.tuple"(%a, %b, %c) : (tensor<2xf32>, !stablehlo.token, tensor<?xi1>) -> tuple<tensor<2xf32>, !stablehlo.token, tensor<?xi1>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tuple<tensor<2xf32>, !stablehlo.token, tensor<?xi1>>}
  "hlo_test_infer.get_return_types"(%0) : (tuple<tensor<2xf32>, !stablehlo.token, tensor<?xi1>>) -> ()
  return
}

// CHECK-LABEL: func.func @get_tuple_element_c2(
func.func @get_tuple_element_c2(%a: tuple<tensor<2xf32>, tuple<tensor<i8>, !stablehlo.token>>) {
  %0 = "stablehlo.get_tuple_element"(%a) {index = 1 : i32} : (tuple<tensor<2xf32>, tuple<tensor<i8>, !stablehlo.token>>) -> tuple<tensor<i8>, !stablehlo.token>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tuple<tensor<i8>, !stablehlo.token>}
  "hlo_test_infer.get_return_types"(%0) : (tuple<tensor<i8>, !stablehlo.token>) -> ()
  return
}

// CHECK-LABEL: func.func @all_reduce_c6_c7(
func.func @all_reduce_c6_c7(%operand: tensor<?x3xbf16>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<?x3xbf16>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @all_reduce_c6_c7_variadic(
func.func @all_reduce_c6_c7_variadic(%a: tensor<4xf32>, %b: tensor<?x5xf32>) {
  %0:2 = "stablehlo.all_reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<4xf32>, tensor<?x5xf32>) -> (tensor<?xf32>, tensor<?x?xf32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4xf32>, types1 = tensor<?x5xf32>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4xf32>, types1 = tensor<?x5xf32>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @all_reduce_c6_c7_loses_bounds(
func.func @all_reduce_c6_c7_loses_bounds(%operand: tensor<?x3xf32, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.all_reduce"(%operand) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x3xf32, #stablehlo.bounds<6, ?>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @all_to_all_c9(
func.func @all_to_all_c9(%operand: tensor<6x2x8xf32>) {
  %0 = "stablehlo.all_to_all"(%operand) {split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>} : (tensor<6x2x8xf32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<24x2x2xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<24x2x2xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @all_to_all_c9_one_dimension(
func.func @all_to_all_c9_one_dimension(%operand: tensor<4x?xf32>) {
  %0 = "stablehlo.all_to_all"(%operand) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @all_to_all_c9_bounded(
func.func @all_to_all_c9_bounded(%operand: tensor<?x6xf32, #stablehlo.bounds<8, ?>>) {
  %0 = "stablehlo.all_to_all"(%operand) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x6xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x12xf32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x12xf32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @collective_broadcast_c3(
func.func @collective_broadcast_c3(%operand: tensor<?x9xi32, #stablehlo.bounds<4, ?>>) {
  %0 = "stablehlo.collective_broadcast"(%operand) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<?x9xi32, #stablehlo.bounds<4, ?>>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x9xi32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x9xi32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @collective_permute_c5(
func.func @collective_permute_c5(%operand: tensor<?x2xf64, #stablehlo.bounds<7, ?>>) {
  %0 = "stablehlo.collective_permute"(%operand) {source_target_pairs = dense<[[0, 2], [2, 1]]> : tensor<2x2xi64>} : (tensor<?x2xf64, #stablehlo.bounds<7, ?>>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf64, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xf64, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @cross_replica_sum(
func.func @cross_replica_sum(%operand: tensor<3x?xf32>) {
  %0 = "stablehlo.cross-replica-sum"(%operand) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @async_start_c3(
func.func @async_start_c3(%operand: tensor<5x2xf32>) {
  %0 = "stablehlo.async_start"(%operand) ({
  ^bb0(%x: tensor<5x2xf32>):
    %1 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<5x2xf32>) -> tensor<5x2xf32>
    stablehlo.return %1 : tensor<5x2xf32>
  }) : (tensor<5x2xf32>) -> !stablehlo.future<tensor<5x2xf32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.future<tensor<5x2xf32>>}
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.future<tensor<5x2xf32>>) -> ()
  return
}

// CHECK-LABEL: func.func @async_done_c1(
func.func @async_done_c1(%operand: tensor<5x2xf32>) {
  %f = "stablehlo.async_start"(%operand) ({
  ^bb0(%x: tensor<5x2xf32>):
    %1 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<5x2xf32>) -> tensor<5x2xf32>
    stablehlo.return %1 : tensor<5x2xf32>
  }) : (tensor<5x2xf32>) -> !stablehlo.future<tensor<5x2xf32>>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<5x2xf32>>) -> tensor<5x2xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x2xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<5x2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @batch_norm_grad_c3_c4(
func.func @batch_norm_grad_c3_c4(%operand: tensor<2x?x5x3xf32>, %v: tensor<4xf32>, %grad: tensor<2x?x5x3xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%operand, %v, %v, %v, %grad) {epsilon = 0.5 : f32, feature_index = 1 : i64} : (tensor<2x?x5x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x?x5x3xf32>) -> (tensor<?x?x?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?x5x3xf32>, types1 = tensor<?xf32>, types2 = tensor<?xf32>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?x5x3xf32>, types1 = tensor<?xf32>, types2 = tensor<?xf32>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?x?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @batch_norm_training_c5_c6_c7(
func.func @batch_norm_training_c5_c6_c7(%operand: tensor<3x8x?xf64>, %v: tensor<8xf64>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %v, %v) {epsilon = 0.25 : f32, feature_index = 1 : i64} : (tensor<3x8x?xf64>, tensor<8xf64>, tensor<8xf64>) -> (tensor<?x?x?xf64>, tensor<?xf64>, tensor<?xf64>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x8x?xf64>, types1 = tensor<8xf64>, types2 = tensor<8xf64>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x8x?xf64>, types1 = tensor<8xf64>, types2 = tensor<8xf64>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @batch_norm_training_c5_c6_c7_bounded(
func.func @batch_norm_training_c5_c6_c7_bounded(%operand: tensor<?x?xf32, #stablehlo.bounds<?, 12>>, %v: tensor<?xf32, #stablehlo.bounds<12>>) {
  %0:3 = "stablehlo.batch_norm_training"(%operand, %v, %v) {epsilon = 0.25 : f32, feature_index = 1 : i64} : (tensor<?x?xf32, #stablehlo.bounds<?, 12>>, tensor<?xf32, #stablehlo.bounds<12>>, tensor<?xf32, #stablehlo.bounds<12>>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x?xf32, #stablehlo.bounds<?, 12>>, types1 = tensor<?xf32, #stablehlo.bounds<12>>, types2 = tensor<?xf32, #stablehlo.bounds<12>>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x?xf32, #stablehlo.bounds<?, 12>>, types1 = tensor<?xf32, #stablehlo.bounds<12>>, types2 = tensor<?xf32, #stablehlo.bounds<12>>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @batch_norm_inference_c7(
func.func @batch_norm_inference_c7(%operand: tensor<?x7xf32, #stablehlo.bounds<9, ?>>, %v: tensor<7xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%operand, %v, %v, %v, %v) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<?x7xf32, #stablehlo.bounds<9, ?>>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xf32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7xf32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @cholesky_c1(
func.func @cholesky_c1(%a: tensor<?x4x4xf32, #stablehlo.bounds<3, ?, ?>>) {
  %0 = "stablehlo.cholesky"(%a) {lower = false} : (tensor<?x4x4xf32, #stablehlo.bounds<3, ?, ?>>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x4xf32, #stablehlo.bounds<3, ?, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x4xf32, #stablehlo.bounds<3, ?, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @triangular_solve_c4(
func.func @triangular_solve_c4(%a: tensor<2x3x3xf64>, %b: tensor<2x3x?xf64, #stablehlo.bounds<?, ?, 5>>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf64>, tensor<2x3x?xf64, #stablehlo.bounds<?, ?, 5>>) -> tensor<?x?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3x?xf64, #stablehlo.bounds<?, ?, 5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x3x?xf64, #stablehlo.bounds<?, ?, 5>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_matrix_vector(
func.func @dot_matrix_vector(%lhs: tensor<?x3xf32>, %rhs: tensor<3xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_vector_vector(
func.func @dot_vector_vector(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<index>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<f32>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_bounded(
func.func @dot_bounded(%lhs: tensor<?x3xf32, #stablehlo.bounds<8, ?>>, %rhs: tensor<3x?xf32>) {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<3x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x?xindex, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_general_c12(
func.func @dot_general_c12(%lhs: tensor<5x?x2x7xf32>, %rhs: tensor<7x2x?x9xf32>) -> tensor<5xindex> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [2] x [1], contracting_dims = [3] x [0] : (tensor<5x?x2x7xf32>, tensor<7x2x?x9xf32>) -> tensor<2x5x?x?x9xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x5x?x?x9xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x5x?x?x9xf32>) -> ()
  // CHECK: %[[ROWS:.*]] = tensor.dim %arg0, %c1 : tensor<5x?x2x7xf32>
  // CHECK-NEXT: %[[COLUMNS:.*]] = tensor.dim %arg1, %c2 : tensor<7x2x?x9xf32>
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %c2, %c5, %[[ROWS]], %[[COLUMNS]], %c9 : tensor<5xindex>
  // CHECK: return %[[S]] : tensor<5xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<2x5x?x?x9xf32>) -> tensor<5xindex>
  return %sizes : tensor<5xindex>
}

// CHECK-LABEL: func.func @dot_general_c12_bounded(
func.func @dot_general_c12_bounded(%lhs: tensor<?x3x?xf32, #stablehlo.bounds<6, ?, 4>>, %rhs: tensor<?x3xf32, #stablehlo.bounds<2, ?>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<?x3x?xf32, #stablehlo.bounds<6, ?, 4>>, tensor<?x3xf32, #stablehlo.bounds<2, ?>>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x?xindex, #stablehlo.bounds<2, 4>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_general_c12_batch_size_of_one_side(
func.func @dot_general_c12_batch_size_of_one_side(%lhs: tensor<?x3x5xf32>, %rhs: tensor<4x3xf32>) {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<?x3x5xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x5xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<4x5xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_general_c12_quantized(
func.func @dot_general_c12_quantized(%lhs: tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>>, %rhs: tensor<3x5x!quant.uniform<i8:f32, 2.500000e-01>>) {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<?x3x!quant.uniform<i8:f32, 2.500000e-01:-3>>, tensor<3x5x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<?x5x!quant.uniform<i32:f32, 6.250000e-02>>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x5x!quant.uniform<i32:f32, 6.250000e-02>>) -> ()
  return
}

// CHECK-LABEL: func.func @dot_general_c12_scalar(
func.func @dot_general_c12_scalar(%lhs: tensor<3xf32>, %rhs: tensor<3xf32>) -> tensor<0xindex> {
  // CHECK: %[[S:.*]] = arith.constant dense<> : tensor<0xindex>
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<index>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<f32>) -> ()
  // CHECK: return %[[S]] : tensor<0xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<f32>) -> tensor<0xindex>
  return %sizes : tensor<0xindex>
}

// CHECK-LABEL: func.func @fft_c2_c5(
func.func @fft_c2_c5(%operand: tensor<?x6x4xcomplex<f64>>) {
  %0 = stablehlo.fft %operand, type = IFFT, length = [6, 4] : (tensor<?x6x4xcomplex<f64>>) -> tensor<?x?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x4xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x4xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xcomplex<f64>>) -> ()
  return
}

// CHECK-LABEL: func.func @fft_c2_c5_real(
func.func @fft_c2_c5_real(%operand: tensor<?x6x11xf32, #stablehlo.bounds<8, ?, ?>>) {
  %0 = stablehlo.fft %operand, type = RFFT, length = [6, 11] : (tensor<?x6x11xf32, #stablehlo.bounds<8, ?, ?>>) -> tensor<?x?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x6xcomplex<f32>, #stablehlo.bounds<8, ?, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x6xcomplex<f32>, #stablehlo.bounds<8, ?, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @fft_c2_c5_inverse_real(
func.func @fft_c2_c5_inverse_real(%operand: tensor<3x?x6xcomplex<f64>>) {
  %0 = stablehlo.fft %operand, type = IRFFT, length = [11] : (tensor<3x?x6xcomplex<f64>>) -> tensor<?x?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?x11xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?x11xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast(
func.func @broadcast(%operand: tensor<?x4xf16>) -> tensor<4xindex> {
  %0 = "stablehlo.broadcast"(%operand) {broadcast_sizes = array<i64: 3, 5>} : (tensor<?x4xf16>) -> tensor<?x?x?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x5x?x4xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x5x?x4xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?x?xf16>) -> ()
  // CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %c3, %c5, %[[D]], %c4 : tensor<4xindex>
  // CHECK: return %[[S]] : tensor<4xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?x?xf16>) -> tensor<4xindex>
  return %sizes : tensor<4xindex>
}

// CHECK-LABEL: func.func @broadcast_quantized_loses_bounds(
func.func @broadcast_quantized_loses_bounds(%operand: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6>>) {
  %0 = "stablehlo.broadcast"(%operand) {broadcast_sizes = array<i64: 2>} : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @concatenate_c5_c6(
func.func @concatenate_c5_c6(%a: tensor<2x?x3xi16>, %b: tensor<2x4x?xi16>) {
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<2x?x3xi16>, tensor<2x4x?xi16>) -> tensor<?x?x?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x4x3xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi16>) -> ()
  return
}

// CHECK-LABEL: func.func @concatenate_c5_c6_dynamic(
func.func @concatenate_c5_c6_dynamic(%a: tensor<2x?xi16>, %b: tensor<2x4xi16>, %c: tensor<2x5xi16>) -> tensor<2xindex> {
  %0 = "stablehlo.concatenate"(%a, %b, %c) {dimension = 1 : i64} : (tensor<2x?xi16>, tensor<2x4xi16>, tensor<2x5xi16>) -> tensor<?x?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi16>) -> ()
  // CHECK: %[[D:.*]] = tensor.dim %arg0, %c1
  // CHECK-NEXT: %[[PART:.*]] = arith.addi %[[D]], %c4 : index
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[PART]], %c5 : index
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %c2, %[[SUM]] : tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @concatenate_c5_c6_bounded(
func.func @concatenate_c5_c6_bounded(%a: tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<3, ?>>, %b: tensor<5x4x!quant.uniform<i8:f32, 2.500000e-01:-3>>) {
  %0 = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : (tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<3, ?>>, tensor<5x4x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @dynamic_slice_c1_c5(
func.func @dynamic_slice_c1_c5(%operand: tensor<?x8xi32>, %i: tensor<i64>) {
  %0 = "stablehlo.dynamic_slice"(%operand, %i, %i) {slice_sizes = array<i64: 2, 3>} : (tensor<?x8xi32>, tensor<i64>, tensor<i64>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x3xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x3xi32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @dynamic_update_slice_c1(
func.func @dynamic_update_slice_c1(%operand: tensor<?x8xi32, #stablehlo.bounds<9, ?>>, %update: tensor<2x3xi32>, %i: tensor<i64>) {
  %0 = "stablehlo.dynamic_update_slice"(%operand, %update, %i, %i) : (tensor<?x8xi32, #stablehlo.bounds<9, ?>>, tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8xi32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8xi32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @get_dimension_size(
func.func @get_dimension_size(%operand: tensor<?x8xf64>) {
  %0 = "stablehlo.get_dimension_size"(%operand) {dimension = 0 : i64} : (tensor<?x8xf64>) -> tensor<i32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<i32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<i32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<i32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<i32>) -> ()
  return
}

// CHECK-LABEL: func.func @set_dimension_size(
func.func @set_dimension_size(%operand: tensor<6x8xf64>, %size: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%operand, %size) {dimension = 0 : i64} : (tensor<6x8xf64>, tensor<i32>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x8xf64, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x8xf64, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @set_dimension_size_of_constant(
func.func @set_dimension_size_of_constant(%operand: tensor<?x8xf64, #stablehlo.bounds<7, ?>>) {
  %size = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.set_dimension_size"(%operand, %size) {dimension = 0 : i64} : (tensor<?x8xf64, #stablehlo.bounds<7, ?>>, tensor<i32>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x8xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<7x8xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @pad_c1_c4(
func.func @pad_c1_c4(%operand: tensor<4x?x3xi8>, %value: tensor<i8>) -> tensor<3xindex> {
  %0 = "stablehlo.pad"(%operand, %value) {edge_padding_low = array<i64: 1, 2, -1>, edge_padding_high = array<i64: 0, 5, 0>, interior_padding = array<i64: 2, 3, 0>} : (tensor<4x?x3xi8>, tensor<i8>) -> tensor<?x?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<11x?x2xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: %[[D:.*]] = tensor.dim %arg0, %c1
  // CHECK-NEXT: %[[LESS:.*]] = arith.subi %[[D]], %c1 : index
  // CHECK-NEXT: %[[GAPS:.*]] = arith.maxsi %[[LESS]], %c0 : index
  // CHECK-NEXT: %[[BETWEEN:.*]] = arith.muli %[[GAPS]], %c3 : index
  // CHECK-NEXT: %[[INNER:.*]] = arith.addi %[[D]], %[[BETWEEN]] : index
  // CHECK-NEXT: %[[OUTER:.*]] = arith.addi %[[INNER]], %c7 : index
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %c11, %[[OUTER]], %c2 : tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @pad_c1_c4_bounded(
func.func @pad_c1_c4_bounded(%operand: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, %value: tensor<!quant.uniform<i8:f32, 2.500000e-01:-3>>) {
  %0 = "stablehlo.pad"(%operand, %value) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 1>} : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, tensor<!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<10>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @reverse_c1(
func.func @reverse_c1(%operand: tensor<?x3xf32>) -> tensor<2xindex> {
  %0 = "stablehlo.reverse"(%operand) {dimensions = array<i64: 1>} : (tensor<?x3xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @reverse_c1_bounded_quantized(
func.func @reverse_c1_bounded_quantized(%operand: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.reverse"(%operand) {dimensions = array<i64: 0>} : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>) -> tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @slice_c1_c5(
func.func @slice_c1_c5(%operand: tensor<10x?x7xf32>) {
  %0 = "stablehlo.slice"(%operand) {start_indices = array<i64: 1, 2, 0>, limit_indices = array<i64: 9, 5, 7>, strides = array<i64: 3, 1, 2>} : (tensor<10x?x7xf32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x3x4xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @slice_c1_c5_bounded_quantized(
func.func @slice_c1_c5_bounded_quantized(%operand: tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6, ?>>) {
  %0 = "stablehlo.slice"(%operand) {start_indices = array<i64: 1, 2>, limit_indices = array<i64: 6, 5>, strides = array<i64: 2, 1>} : (tensor<?x7x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<6, ?>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x3x!quant.uniform<i8:f32, 2.500000e-01:-3>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @transpose_c3(
func.func @transpose_c3(%operand: tensor<?x3x?xi1>) -> tensor<3xindex> {
  %0 = "stablehlo.transpose"(%operand) {permutation = array<i64: 2, 0, 1>} : (tensor<?x3x?xi1>) -> tensor<?x?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x?x3xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: %[[FIRST:.*]] = tensor.dim %arg0, %c0
  // CHECK-NEXT: %[[LAST:.*]] = tensor.dim %arg0, %c2
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %[[LAST]], %[[FIRST]], %c3 : tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi1>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @transpose_c3_static(
func.func @transpose_c3_static(%operand: tensor<2x3xi1>) -> tensor<2xindex> {
  // CHECK: %[[S:.*]] = arith.constant dense<[3, 2]> : tensor<2xindex>
  %0 = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi1>) -> tensor<3x2xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x2xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<3x2xi1>) -> ()
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<3x2xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @transpose_c3_bounded_keeps_quantization_dimension(
func.func @transpose_c3_bounded_keeps_quantization_dimension(%operand: tensor<?x3x!quant.uniform<i8:f32:1, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>, #stablehlo.bounds<5, ?>>) {
  %0 = "stablehlo.transpose"(%operand) {permutation = array<i64: 1, 0>} : (tensor<?x3x!quant.uniform<i8:f32:1, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>, #stablehlo.bounds<5, ?>>) -> tensor<?x?x!quant.uniform<i8:f32:0, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?x!quant.uniform<i8:f32:1, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>, #stablehlo.bounds<?, 5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32:0, {2.000000e-01:5,5.000000e-01,1.000000e+00:-7}>>) -> ()
  return
}

// CHECK-LABEL: func.func @gather_c22_c23(
func.func @gather_c22_c23(%operand: tensor<3x5x7x9xf32>, %start_indices: tensor<?x3x2xi64>) -> tensor<4xindex> {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [1], operand_batching_dims = [0],
        start_indices_batching_dims = [1], start_index_map = [3, 1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4, 6>, indices_are_sorted = false
  } : (tensor<3x5x7x9xf32>, tensor<?x3x2xi64>) -> tensor<?x?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x3x6xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x3x6xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?x?xf32>) -> ()
  // CHECK: %[[D:.*]] = tensor.dim %arg1, %c0 : tensor<?x3x2xi64>
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %[[D]], %c4, %c3, %c6 : tensor<4xindex>
  // CHECK: return %[[S]] : tensor<4xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?x?xf32>) -> tensor<4xindex>
  return %sizes : tensor<4xindex>
}

// CHECK-LABEL: func.func @gather_c22_c23_implicit_index_vector(
func.func @gather_c22_c23_implicit_index_vector(%operand: tensor<8x2x!quant.uniform<i8:f32, 2.500000e-01:-3>>, %start_indices: tensor<?xi32, #stablehlo.bounds<5>>) {
  %0 = "stablehlo.gather"(%operand, %start_indices) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  } : (tensor<8x2x!quant.uniform<i8:f32, 2.500000e-01:-3>>, tensor<?xi32, #stablehlo.bounds<5>>) -> tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x!quant.uniform<i8:f32, 2.500000e-01:-3>>) -> ()
  return
}

// CHECK-LABEL: func.func @dynamic_gather_c13_c14(
func.func @dynamic_gather_c13_c14(%operand: tensor<?x6xf32>, %start_indices: tensor<2x?x3xi32>, %slice_sizes: tensor<2xi32>) -> tensor<3xindex> {
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 0>
  } : (tensor<?x6xf32>, tensor<2x?x3xi32>, tensor<2xi32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x?x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: %[[SIZE:.*]] = tensor.extract %arg2[%c1] : tensor<2xi32>
  // CHECK-NEXT: %[[CAST:.*]] = arith.index_cast %[[SIZE]] : i32 to index
  // CHECK-NEXT: %[[D:.*]] = tensor.dim %arg1, %c1 : tensor<2x?x3xi32>
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %[[CAST]], %[[D]], %c3 : tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @dynamic_gather_c13_c14_of_constant(
func.func @dynamic_gather_c13_c14_of_constant(%operand: tensor<?x6xf32>, %start_indices: tensor<2x?x3xi32>) {
  %slice_sizes = stablehlo.constant dense<[1, 5]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%operand, %start_indices, %slice_sizes) {
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 0>
  } : (tensor<?x6xf32>, tensor<2x?x3xi32>, tensor<2xi32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @reduce_c7_c8(
func.func @reduce_c7_c8(%a: tensor<2x?x5x?xi16>, %init: tensor<i32>) -> tensor<2xindex> {
  %0 = "stablehlo.reduce"(%a, %init) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 3, 0>} : (tensor<2x?x5x?xi16>, tensor<i32>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xi32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: %[[D:.*]] = tensor.dim %arg0, %c1
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %[[D]], %c5 : tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @reduce_c7_c8_to_scalar(
func.func @reduce_c7_c8_to_scalar(%a: tensor<?xf32, #stablehlo.bounds<8>>, %init: tensor<f32>) -> tensor<0xindex> {
  // CHECK: %[[S:.*]] = arith.constant dense<> : tensor<0xindex>
  %0 = "stablehlo.reduce"(%a, %init) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<f32>) -> tensor<f32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<f32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<f32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<f32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<f32>) -> ()
  // CHECK: return %[[S]] : tensor<0xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<f32>) -> tensor<0xindex>
  return %sizes : tensor<0xindex>
}

// CHECK-LABEL: func.func @reduce_c7_c8_two_inputs(
func.func @reduce_c7_c8_two_inputs(%a: tensor<?x4xf32, #stablehlo.bounds<7, ?>>, %b: tensor<?x4xi32, #stablehlo.bounds<7, ?>>, %f: tensor<f32>, %i: tensor<i32>) {
  %0:2 = "stablehlo.reduce"(%a, %b, %f, %i) ({
  ^bb0(%x: tensor<f32>, %k: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    %2 = stablehlo.minimum %k, %j : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<?x4xf32, #stablehlo.bounds<7, ?>>, tensor<?x4xi32, #stablehlo.bounds<7, ?>>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<7>>, types1 = tensor<?xi32, #stablehlo.bounds<7>>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<7>>, types1 = tensor<?xi32, #stablehlo.bounds<7>>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @reduce_window_c14_c15_c16(
func.func @reduce_window_c14_c15_c16(%a: tensor<3x9x?xi8>, %init: tensor<i32>) {
  %0 = "stablehlo.reduce_window"(%a, %init) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {
    window_dimensions = array<i64: 1, 2, 3>, window_strides = array<i64: 1, 4, 1>, base_dilations = array<i64: 1, 2, 1>,
    window_dilations = array<i64: 1, 3, 1>, padding = dense<[[1, 2], [0, 1], [0, 0]]> : tensor<3x2xi64>
  } : (tensor<3x9x?xi8>, tensor<i32>) -> tensor<?x?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x4x?xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x4x?xi32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @reduce_window_c14_c15_c16_bounded(
func.func @reduce_window_c14_c15_c16_bounded(%a: tensor<?x8xf32, #stablehlo.bounds<11, ?>>, %init: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %init) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3, 8>, window_strides = array<i64: 2, 1>} : (tensor<?x8xf32, #stablehlo.bounds<11, ?>>, tensor<f32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x1xf32, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x1xf32, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @select_and_scatter_c11_c12(
func.func @select_and_scatter_c11_c12(%operand: tensor<?x6xf32, #stablehlo.bounds<4, ?>>, %source: tensor<?x3xf32>, %init: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>} : (tensor<?x6xf32, #stablehlo.bounds<4, ?>>, tensor<?x3xf32>, tensor<f32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @scatter_c24_c25(
func.func @scatter_c24_c25(%a: tensor<?x7xf32, #stablehlo.bounds<9, ?>>, %indices: tensor<3xi64>, %updates: tensor<3x7xf32>) {
  %0 = "stablehlo.scatter"(%a, %indices, %updates) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<?x7xf32, #stablehlo.bounds<9, ?>>, tensor<3xi64>, tensor<3x7xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xf32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @scatter_c24_c25_wider_elements(
func.func @scatter_c24_c25_wider_elements(%a: tensor<4x7xbf16>, %indices: tensor<3xi64>, %updates: tensor<3x7xbf16>) {
  %0 = "stablehlo.scatter"(%a, %indices, %updates) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<4x7xbf16>, tensor<3xi64>, tensor<3x7xbf16>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x7xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @sort_c2(
func.func @sort_c2(%a: tensor<?x3xf32, #stablehlo.bounds<6, ?>>, %b: tensor<?x3xi8, #stablehlo.bounds<6, ?>>) {
  %0:2 = "stablehlo.sort"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<i8>, %v: tensor<i8>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<?x3xf32, #stablehlo.bounds<6, ?>>, tensor<?x3xi8, #stablehlo.bounds<6, ?>>) -> (tensor<?x?xf32>, tensor<?x?xi8>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf32, #stablehlo.bounds<6, ?>>, types1 = tensor<?x3xi8, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf32, #stablehlo.bounds<6, ?>>, types1 = tensor<?x3xi8, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @if_c3(
func.func @if_c3(%pred: tensor<i1>, %a: tensor<2x?xf32>, %b: tensor<2x3xf32>, %token: !stablehlo.token) {
  %0:2 = "stablehlo.if"(%pred) ({
    stablehlo.return %a, %token : tensor<2x?xf32>, !stablehlo.token
  }, {
    stablehlo.return %b, %token : tensor<2x3xf32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<?x?xf32>, !stablehlo.token)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xf32>, types1 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @if_c3_token(
func.func @if_c3_token(%pred: tensor<i1>, %token: !stablehlo.token) {
  %0 = "stablehlo.if"(%pred) ({
    stablehlo.return %token : !stablehlo.token
  }, {
    stablehlo.return %token : !stablehlo.token
  }) : (tensor<i1>) -> !stablehlo.token
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0) : (!stablehlo.token) -> ()
  return
}

// CHECK-LABEL: func.func @if_c3_bounded(
func.func @if_c3_bounded(%pred: tensor<i1>, %a: tensor<?xf32, #stablehlo.bounds<4>>, %b: tensor<?xf32, #stablehlo.bounds<9>>) {
  %0 = "stablehlo.if"(%pred) ({
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }, {
    stablehlo.return %b : tensor<?xf32, #stablehlo.bounds<9>>
  }) : (tensor<i1>) -> tensor<?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xf32, #stablehlo.bounds<9>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @case_c4(
func.func @case_c4(%index: tensor<i32>, %a: tensor<2x?xf32>, %b: tensor<2x3xf32>, %c: tensor<?x3xf32>) {
  %0 = "stablehlo.case"(%index) ({
    stablehlo.return %b : tensor<2x3xf32>
  }, {
    stablehlo.return %c : tensor<?x3xf32>
  }, {
    stablehlo.return %a : tensor<2x?xf32>
  }) : (tensor<i32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @while_c3(
func.func @while_c3(%a: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, %token: !stablehlo.token) {
  %0:2 = "stablehlo.while"(%a, %token) ({
  ^bb0(%x: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, %y: !stablehlo.token):
    %1 = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, %y: !stablehlo.token):
    stablehlo.return %x, %y : tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, !stablehlo.token
  }) : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, !stablehlo.token) -> (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, !stablehlo.token)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>, types1 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x!quant.uniform<i8:f32, 2.500000e-01:-3>, #stablehlo.bounds<4>>) -> ()
  return
}

// CHECK-LABEL: func.func @optimization_barrier_c1(
func.func @optimization_barrier_c1(%a: tensor<?x2xf32, #stablehlo.bounds<9, ?>>, %b: !stablehlo.token) {
  %0:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<?x2xf32, #stablehlo.bounds<9, ?>>, !stablehlo.token) -> (tensor<?x2xf32, #stablehlo.bounds<9, ?>>, !stablehlo.token)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<9, ?>>, types1 = !stablehlo.token}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x2xf32, #stablehlo.bounds<9, ?>>) -> ()
  return
}

// CHECK-LABEL: func.func @rng_c1_c3(
func.func @rng_c1_c3(%a: tensor<f32>, %shape: tensor<2xi64>) -> tensor<2xindex> {
  %0 = "stablehlo.rng"(%a, %a, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = arith.index_cast %arg1 : tensor<2xi64> to tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @rng_c1_c3_of_constant(
func.func @rng_c1_c3_of_constant(%a: tensor<i8>) {
  %shape = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %0 = "stablehlo.rng"(%a, %a, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<i8>, tensor<i8>, tensor<2xi64>) -> tensor<?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x6xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x6xi8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi8>) -> ()
  return
}

// CHECK-LABEL: func.func @dynamic_broadcast_in_dim_c7(
func.func @dynamic_broadcast_in_dim_c7(%operand: tensor<?xf32>, %shape: tensor<3xi32>) -> tensor<3xindex> {
  %0 = stablehlo.dynamic_broadcast_in_dim %operand, %shape, dims = [1] : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  // CHECK: %[[S:.*]] = arith.index_cast %arg1 : tensor<3xi32> to tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @dynamic_reshape_c4(
func.func @dynamic_reshape_c4(%operand: tensor<?xf32>, %shape: tensor<2xindex>) -> tensor<2xindex> {
  %0 = stablehlo.dynamic_reshape %operand, %shape : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  // CHECK: return %arg1 : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @dynamic_iota_c2(
func.func @dynamic_iota_c2(%shape: tensor<1xi16>) -> tensor<1xindex> {
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi16>) -> tensor<?xf32>
  // CHECK: %[[S:.*]] = arith.index_cast %arg0 : tensor<1xi16> to tensor<1xindex>
  // CHECK: return %[[S]] : tensor<1xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xindex>
  return %sizes : tensor<1xindex>
}

// CHECK-LABEL: func.func @dynamic_pad_c4(
func.func @dynamic_pad_c4(%operand: tensor<?xf32>, %value: tensor<f32>, %low: tensor<1xi32>, %high: tensor<1xi32>, %interior: tensor<1xi32>) -> tensor<1xi32> {
  %0 = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
  // CHECK-NEXT: %[[N:.*]] = arith.index_cast %[[D]] : index to i32
  // CHECK-NEXT: %[[LOW:.*]] = tensor.extract %arg2[%c0]
  // CHECK-NEXT: %[[HIGH:.*]] = tensor.extract %arg3[%c0]
  // CHECK-NEXT: %[[BETWEEN:.*]] = tensor.extract %arg4[%c0]
  // CHECK-NEXT: %[[EMPTY:.*]] = arith.cmpi slt, %[[N]], %c1_i32 : i32
  // CHECK-NEXT: %[[LESS:.*]] = arith.subi %[[N]], %c1_i32 : i32
  // CHECK-NEXT: %[[GAPS:.*]] = arith.select %[[EMPTY]], %c0_i32, %[[LESS]] : i32
  // CHECK-NEXT: %[[INNER:.*]] = arith.muli %[[BETWEEN]], %[[GAPS]] : i32
  // CHECK-NEXT: %[[A:.*]] = arith.addi %[[INNER]], %[[N]] : i32
  // CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[LOW]] : i32
  // CHECK-NEXT: %[[C:.*]] = arith.addi %[[B]], %[[HIGH]] : i32
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %[[C]] : tensor<1xi32>
  // CHECK: return %[[S]] : tensor<1xi32>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?xf32>) -> tensor<1xi32>
  return %sizes : tensor<1xi32>
}

// CHECK-LABEL: func.func @real_dynamic_slice(
func.func @real_dynamic_slice(%operand: tensor<?x9xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %stride: tensor<2xi64>) -> tensor<2xi64> {
  %0 = stablehlo.real_dynamic_slice %operand, %start, %limit, %stride : (tensor<?x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: %[[START0:.*]] = tensor.extract %arg1[%c0]
  // CHECK-NEXT: %[[LIMIT0:.*]] = tensor.extract %arg2[%c0]
  // CHECK-NEXT: %[[STRIDE0:.*]] = tensor.extract %arg3[%c0]
  // CHECK-NEXT: %[[LENGTH0:.*]] = arith.subi %[[LIMIT0]], %[[START0]] : i64
  // CHECK-NEXT: %[[MORE0:.*]] = arith.addi %[[STRIDE0]], %[[LENGTH0]] : i64
  // CHECK-NEXT: %[[LESS0:.*]] = arith.subi %[[MORE0]], %c1_i64 : i64
  // CHECK-NEXT: %[[COUNT0:.*]] = arith.divsi %[[LESS0]], %[[STRIDE0]] : i64
  // CHECK-NEXT: %[[START1:.*]] = tensor.extract %arg1[%c1]
  // CHECK-NEXT: %[[LIMIT1:.*]] = tensor.extract %arg2[%c1]
  // CHECK-NEXT: %[[STRIDE1:.*]] = tensor.extract %arg3[%c1]
  // CHECK-NEXT: %[[LENGTH1:.*]] = arith.subi %[[LIMIT1]], %[[START1]] : i64
  // CHECK-NEXT: %[[MORE1:.*]] = arith.addi %[[STRIDE1]], %[[LENGTH1]] : i64
  // CHECK-NEXT: %[[LESS1:.*]] = arith.subi %[[MORE1]], %c1_i64 : i64
  // CHECK-NEXT: %[[COUNT1:.*]] = arith.divsi %[[LESS1]], %[[STRIDE1]] : i64
  // CHECK-NEXT: %[[S:.*]] = tensor.from_elements %[[COUNT0]], %[[COUNT1]] : tensor<2xi64>
  // CHECK: return %[[S]] : tensor<2xi64>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xi64>
  return %sizes : tensor<2xi64>
}
