// RUN: stablehlo-translate --serialize --target=0.19.0 --strip-debuginfo %s -o %t
// RUN: stablehlo-translate --deserialize %t | FileCheck %s

// CHECK: @op_dynamic_conv(
func.func @op_dynamic_conv(%lhs: tensor<1x4x4x2xf32>, %rhs: tensor<3x3x2x1xf32>, %padding: tensor<2x2xi64>) -> tensor<1x?x?x1xf32> {
  %0 = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  func.return %0 : tensor<1x?x?x1xf32>
}
