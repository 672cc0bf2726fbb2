// RUN: stablehlo-opt --hlo-test-infer --allow-unregistered-dialect %s | FileCheck %s

// What is inferred for results of CHLO operations: their types, the components of these, and operations that
// compute their shapes. Functions are named after the operation; CHLO has no specification. Declared types say
// less than what is inferred.

// CHECK-LABEL: func.func @acos(
func.func @acos(%operand: tensor<?x2xf32>) -> tensor<2xindex> {
  %0 = chlo.acos %operand : tensor<?x2xf32> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x2xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @acos_bounded(
func.func @acos_bounded(%operand: tensor<?x2xf32, #stablehlo.bounds<4, ?>>) {
  %0 = chlo.acos %operand : tensor<?x2xf32, #stablehlo.bounds<4, ?>> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<4, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @acosh(
func.func @acosh(%operand: tensor<?x3xcomplex<f64>>) -> tensor<2xindex> {
  %0 = chlo.acosh %operand : tensor<?x3xcomplex<f64>> -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xcomplex<f64>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f64>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @acosh_bounded(
func.func @acosh_bounded(%operand: tensor<?x3xcomplex<f64>, #stablehlo.bounds<5, ?>>) {
  %0 = chlo.acosh %operand : tensor<?x3xcomplex<f64>, #stablehlo.bounds<5, ?>> -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xcomplex<f64>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xcomplex<f64>, #stablehlo.bounds<5, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  return
}

// CHECK-LABEL: func.func @asin(
func.func @asin(%operand: tensor<?x4xbf16>) -> tensor<2xindex> {
  %0 = chlo.asin %operand : tensor<?x4xbf16> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x4xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @asin_bounded(
func.func @asin_bounded(%operand: tensor<?x4xbf16, #stablehlo.bounds<6, ?>>) {
  %0 = chlo.asin %operand : tensor<?x4xbf16, #stablehlo.bounds<6, ?>> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xbf16, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xbf16, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @asinh(
func.func @asinh(%operand: tensor<?x5xcomplex<f32>>) -> tensor<2xindex> {
  %0 = chlo.asinh %operand : tensor<?x5xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x5xcomplex<f32>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @asinh_bounded(
func.func @asinh_bounded(%operand: tensor<?x5xcomplex<f32>, #stablehlo.bounds<7, ?>>) {
  %0 = chlo.asinh %operand : tensor<?x5xcomplex<f32>, #stablehlo.bounds<7, ?>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xcomplex<f32>, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xcomplex<f32>, #stablehlo.bounds<7, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @atan(
func.func @atan(%operand: tensor<?x6xf32>) -> tensor<2xindex> {
  %0 = chlo.atan %operand : tensor<?x6xf32> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x6xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @atan_bounded(
func.func @atan_bounded(%operand: tensor<?x6xf32, #stablehlo.bounds<8, ?>>) {
  %0 = chlo.atan %operand : tensor<?x6xf32, #stablehlo.bounds<8, ?>> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<8, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @atanh(
func.func @atanh(%operand: tensor<?x7xcomplex<f64>>) -> tensor<2xindex> {
  %0 = chlo.atanh %operand : tensor<?x7xcomplex<f64>> -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x7xcomplex<f64>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f64>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @atanh_bounded(
func.func @atanh_bounded(%operand: tensor<?x7xcomplex<f64>, #stablehlo.bounds<9, ?>>) {
  %0 = chlo.atanh %operand : tensor<?x7xcomplex<f64>, #stablehlo.bounds<9, ?>> -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xcomplex<f64>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7xcomplex<f64>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  return
}

// CHECK-LABEL: func.func @bessel_i1e(
func.func @bessel_i1e(%operand: tensor<?x2xbf16>) -> tensor<2xindex> {
  %0 = chlo.bessel_i1e %operand : tensor<?x2xbf16> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x2xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @bessel_i1e_bounded(
func.func @bessel_i1e_bounded(%operand: tensor<?x2xbf16, #stablehlo.bounds<10, ?>>) {
  %0 = chlo.bessel_i1e %operand : tensor<?x2xbf16, #stablehlo.bounds<10, ?>> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xbf16, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xbf16, #stablehlo.bounds<10, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @conj(
func.func @conj(%operand: tensor<?x3xcomplex<f32>>) -> tensor<2xindex> {
  %0 = chlo.conj %operand : tensor<?x3xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xcomplex<f32>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @conj_bounded(
func.func @conj_bounded(%operand: tensor<?x3xcomplex<f32>, #stablehlo.bounds<11, ?>>) {
  %0 = chlo.conj %operand : tensor<?x3xcomplex<f32>, #stablehlo.bounds<11, ?>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xcomplex<f32>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xcomplex<f32>, #stablehlo.bounds<11, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @cosh(
func.func @cosh(%operand: tensor<?x4xf32>) -> tensor<2xindex> {
  %0 = chlo.cosh %operand : tensor<?x4xf32> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x4xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @cosh_bounded(
func.func @cosh_bounded(%operand: tensor<?x4xf32, #stablehlo.bounds<12, ?>>) {
  %0 = chlo.cosh %operand : tensor<?x4xf32, #stablehlo.bounds<12, ?>> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xf32, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xf32, #stablehlo.bounds<12, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @digamma(
func.func @digamma(%operand: tensor<?x5xf64>) -> tensor<2xindex> {
  %0 = chlo.digamma %operand : tensor<?x5xf64> -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x5xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @digamma_bounded(
func.func @digamma_bounded(%operand: tensor<?x5xf64, #stablehlo.bounds<13, ?>>) {
  %0 = chlo.digamma %operand : tensor<?x5xf64, #stablehlo.bounds<13, ?>> -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xf64, #stablehlo.bounds<13, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xf64, #stablehlo.bounds<13, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @erf(
func.func @erf(%operand: tensor<?x6xbf16>) -> tensor<2xindex> {
  %0 = chlo.erf %operand : tensor<?x6xbf16> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x6xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @erf_bounded(
func.func @erf_bounded(%operand: tensor<?x6xbf16, #stablehlo.bounds<14, ?>>) {
  %0 = chlo.erf %operand : tensor<?x6xbf16, #stablehlo.bounds<14, ?>> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xbf16, #stablehlo.bounds<14, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xbf16, #stablehlo.bounds<14, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @erf_inv(
func.func @erf_inv(%operand: tensor<?x7xf16>) -> tensor<2xindex> {
  %0 = chlo.erf_inv %operand : tensor<?x7xf16> -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x7xf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @erf_inv_bounded(
func.func @erf_inv_bounded(%operand: tensor<?x7xf16, #stablehlo.bounds<15, ?>>) {
  %0 = chlo.erf_inv %operand : tensor<?x7xf16, #stablehlo.bounds<15, ?>> -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x7xf16, #stablehlo.bounds<15, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x7xf16, #stablehlo.bounds<15, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  return
}

// CHECK-LABEL: func.func @erfc(
func.func @erfc(%operand: tensor<?x2xf32>) -> tensor<2xindex> {
  %0 = chlo.erfc %operand : tensor<?x2xf32> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x2xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @erfc_bounded(
func.func @erfc_bounded(%operand: tensor<?x2xf32, #stablehlo.bounds<16, ?>>) {
  %0 = chlo.erfc %operand : tensor<?x2xf32, #stablehlo.bounds<16, ?>> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<16, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<16, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @lgamma(
func.func @lgamma(%operand: tensor<?x3xf64>) -> tensor<2xindex> {
  %0 = chlo.lgamma %operand : tensor<?x3xf64> -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @lgamma_bounded(
func.func @lgamma_bounded(%operand: tensor<?x3xf64, #stablehlo.bounds<17, ?>>) {
  %0 = chlo.lgamma %operand : tensor<?x3xf64, #stablehlo.bounds<17, ?>> -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xf64, #stablehlo.bounds<17, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3xf64, #stablehlo.bounds<17, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @sinh(
func.func @sinh(%operand: tensor<?x4xbf16>) -> tensor<2xindex> {
  %0 = chlo.sinh %operand : tensor<?x4xbf16> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x4xbf16> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xbf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @sinh_bounded(
func.func @sinh_bounded(%operand: tensor<?x4xbf16, #stablehlo.bounds<18, ?>>) {
  %0 = chlo.sinh %operand : tensor<?x4xbf16, #stablehlo.bounds<18, ?>> -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xbf16, #stablehlo.bounds<18, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xbf16, #stablehlo.bounds<18, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @square(
func.func @square(%operand: tensor<?x5xcomplex<f32>>) -> tensor<2xindex> {
  %0 = chlo.square %operand : tensor<?x5xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x5xcomplex<f32>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @square_bounded(
func.func @square_bounded(%operand: tensor<?x5xcomplex<f32>, #stablehlo.bounds<19, ?>>) {
  %0 = chlo.square %operand : tensor<?x5xcomplex<f32>, #stablehlo.bounds<19, ?>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5xcomplex<f32>, #stablehlo.bounds<19, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5xcomplex<f32>, #stablehlo.bounds<19, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @tan(
func.func @tan(%operand: tensor<?x6xf32>) -> tensor<2xindex> {
  %0 = chlo.tan %operand : tensor<?x6xf32> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x6xf32> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @tan_bounded(
func.func @tan_bounded(%operand: tensor<?x6xf32, #stablehlo.bounds<20, ?>>) {
  %0 = chlo.tan %operand : tensor<?x6xf32, #stablehlo.bounds<20, ?>> -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<20, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6xf32, #stablehlo.bounds<20, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @asin_acos_kernel(
func.func @asin_acos_kernel(%operand: tensor<?x2xcomplex<f32>>) -> tensor<2xindex> {
  %0 = chlo._asin_acos_kernel %operand : tensor<?x2xcomplex<f32>> -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x2xcomplex<f32>> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xcomplex<f32>>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @is_inf(
func.func @is_inf(%operand: tensor<?x3xf64>) -> tensor<2xindex> {
  %0 = chlo.is_inf %operand : tensor<?x3xf64> -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @is_inf_bounded(
func.func @is_inf_bounded(%operand: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = chlo.is_inf %operand : tensor<?xf32, #stablehlo.bounds<5>> -> tensor<?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi1, #stablehlo.bounds<5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @is_neg_inf(
func.func @is_neg_inf(%operand: tensor<?x3xf64>) -> tensor<2xindex> {
  %0 = chlo.is_neg_inf %operand : tensor<?x3xf64> -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @is_neg_inf_bounded(
func.func @is_neg_inf_bounded(%operand: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = chlo.is_neg_inf %operand : tensor<?xf32, #stablehlo.bounds<5>> -> tensor<?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi1, #stablehlo.bounds<5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @is_pos_inf(
func.func @is_pos_inf(%operand: tensor<?x3xf64>) -> tensor<2xindex> {
  %0 = chlo.is_pos_inf %operand : tensor<?x3xf64> -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x3xf64> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xi1>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @is_pos_inf_bounded(
func.func @is_pos_inf_bounded(%operand: tensor<?xf32, #stablehlo.bounds<5>>) {
  %0 = chlo.is_pos_inf %operand : tensor<?xf32, #stablehlo.bounds<5>> -> tensor<?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?xi1, #stablehlo.bounds<5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @next_after(
func.func @next_after(%lhs: tensor<?x?x5xf64, #stablehlo.bounds<8, ?, ?>>, %rhs: tensor<?x3x?xf64, #stablehlo.bounds<6, ?, ?>>) {
  %0 = "chlo.next_after"(%lhs, %rhs) : (tensor<?x?x5xf64, #stablehlo.bounds<8, ?, ?>>, tensor<?x3x?xf64, #stablehlo.bounds<6, ?, ?>>) -> tensor<?x?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x5xf64, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x5xf64, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @polygamma(
func.func @polygamma(%lhs: tensor<?x?x5xf32, #stablehlo.bounds<8, ?, ?>>, %rhs: tensor<?x3x?xf32, #stablehlo.bounds<6, ?, ?>>) {
  %0 = "chlo.polygamma"(%lhs, %rhs) : (tensor<?x?x5xf32, #stablehlo.bounds<8, ?, ?>>, tensor<?x3x?xf32, #stablehlo.bounds<6, ?, ?>>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x5xf32, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x5xf32, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @zeta(
func.func @zeta(%lhs: tensor<?x?x5xf16, #stablehlo.bounds<8, ?, ?>>, %rhs: tensor<?x3x?xf16, #stablehlo.bounds<6, ?, ?>>) {
  %0 = "chlo.zeta"(%lhs, %rhs) : (tensor<?x?x5xf16, #stablehlo.bounds<8, ?, ?>>, tensor<?x3x?xf16, #stablehlo.bounds<6, ?, ?>>) -> tensor<?x?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x5xf16, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x5xf16, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf16>) -> ()
  return
}

// CHECK-LABEL: func.func @mulhi(
func.func @mulhi(%lhs: tensor<?x?x5xi32, #stablehlo.bounds<8, ?, ?>>, %rhs: tensor<?x3x?xi32, #stablehlo.bounds<6, ?, ?>>) {
  %0 = "chlo.mulhi"(%lhs, %rhs) : (tensor<?x?x5xi32, #stablehlo.bounds<8, ?, ?>>, tensor<?x3x?xi32, #stablehlo.bounds<6, ?, ?>>) -> tensor<?x?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x5xi32, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x5xi32, #stablehlo.bounds<6, ?, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @constant(
func.func @constant() {
  %0 = "chlo.constant"() {value = dense<[3, -1]> : tensor<2xi16>} : () -> tensor<2xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<2xi16>) -> ()
  return
}

// CHECK-LABEL: func.func @constant_like(
func.func @constant_like(%operand: tensor<?x4xi8>) -> tensor<2xindex> {
  %0 = "chlo.constant_like"(%operand) {value = 1.5 : f64} : (tensor<?x4xi8>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<?x4xi8> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf64>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @constant_like_bounded(
func.func @constant_like_bounded(%operand: tensor<?x4xi8, #stablehlo.bounds<3, ?>>) {
  %0 = "chlo.constant_like"(%operand) {value = 2 : i32} : (tensor<?x4xi8, #stablehlo.bounds<3, ?>>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xi32, #stablehlo.bounds<3, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xi32, #stablehlo.bounds<3, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @constant_like_unranked(
func.func @constant_like_unranked(%operand: tensor<*xi8>) -> tensor<?xindex> {
  %0 = "chlo.constant_like"(%operand) {value = 2 : i32} : (tensor<*xi8>) -> tensor<*xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<*xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<*xi32>) -> ()
  // CHECK: %[[S:.*]] = shape.shape_of %arg0 : tensor<*xi8> -> tensor<?xindex>
  // CHECK: return %[[S]] : tensor<?xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<*xi32>) -> tensor<?xindex>
  return %sizes : tensor<?xindex>
}

// CHECK-LABEL: func.func @broadcast_add(
func.func @broadcast_add(%lhs: tensor<2x?xi8>, %rhs: tensor<?x1x3xi8>) -> tensor<3xindex> {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<2x?xi8>, tensor<?x1x3xi8>) -> tensor<?x?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x3xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x3xi8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<2x?xi8> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x3xi8> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_add_bounded(
func.func @broadcast_add_bounded(%lhs: tensor<?xi8, #stablehlo.bounds<5>>, %rhs: tensor<2x1xi8>) {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<?xi8, #stablehlo.bounds<5>>, tensor<2x1xi8>) -> tensor<?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi8, #stablehlo.bounds<?, 5>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xi8, #stablehlo.bounds<?, 5>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi8>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_atan2(
func.func @broadcast_atan2(%lhs: tensor<3x?xf32>, %rhs: tensor<?x1x4xf32>) -> tensor<3xindex> {
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<3x?xf32>, tensor<?x1x4xf32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x4xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x4xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<3x?xf32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x4xf32> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_atan2_bounded(
func.func @broadcast_atan2_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<6>>, %rhs: tensor<3x1xf32>) {
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<3x1xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf32, #stablehlo.bounds<?, 6>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf32, #stablehlo.bounds<?, 6>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_divide(
func.func @broadcast_divide(%lhs: tensor<4x?xf64>, %rhs: tensor<?x1x5xf64>) -> tensor<3xindex> {
  %0 = chlo.broadcast_divide %lhs, %rhs : (tensor<4x?xf64>, tensor<?x1x5xf64>) -> tensor<?x?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x5xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x5xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<4x?xf64> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x5xf64> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf64>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_divide_bounded(
func.func @broadcast_divide_bounded(%lhs: tensor<?xf64, #stablehlo.bounds<7>>, %rhs: tensor<4x1xf64>) {
  %0 = chlo.broadcast_divide %lhs, %rhs : (tensor<?xf64, #stablehlo.bounds<7>>, tensor<4x1xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf64, #stablehlo.bounds<?, 7>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xf64, #stablehlo.bounds<?, 7>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_maximum(
func.func @broadcast_maximum(%lhs: tensor<5x?xi16>, %rhs: tensor<?x1x6xi16>) -> tensor<3xindex> {
  %0 = chlo.broadcast_maximum %lhs, %rhs : (tensor<5x?xi16>, tensor<?x1x6xi16>) -> tensor<?x?x?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x6xi16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x6xi16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi16>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<5x?xi16> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x6xi16> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_maximum_bounded(
func.func @broadcast_maximum_bounded(%lhs: tensor<?xi16, #stablehlo.bounds<8>>, %rhs: tensor<5x1xi16>) {
  %0 = chlo.broadcast_maximum %lhs, %rhs : (tensor<?xi16, #stablehlo.bounds<8>>, tensor<5x1xi16>) -> tensor<?x?xi16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xi16, #stablehlo.bounds<?, 8>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xi16, #stablehlo.bounds<?, 8>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi16>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_minimum(
func.func @broadcast_minimum(%lhs: tensor<6x?xbf16>, %rhs: tensor<?x1x3xbf16>) -> tensor<3xindex> {
  %0 = chlo.broadcast_minimum %lhs, %rhs : (tensor<6x?xbf16>, tensor<?x1x3xbf16>) -> tensor<?x?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x3xbf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x3xbf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xbf16>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<6x?xbf16> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x3xbf16> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xbf16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_minimum_bounded(
func.func @broadcast_minimum_bounded(%lhs: tensor<?xbf16, #stablehlo.bounds<9>>, %rhs: tensor<6x1xbf16>) {
  %0 = chlo.broadcast_minimum %lhs, %rhs : (tensor<?xbf16, #stablehlo.bounds<9>>, tensor<6x1xbf16>) -> tensor<?x?xbf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xbf16, #stablehlo.bounds<?, 9>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xbf16, #stablehlo.bounds<?, 9>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_multiply(
func.func @broadcast_multiply(%lhs: tensor<2x?xcomplex<f32>>, %rhs: tensor<?x1x4xcomplex<f32>>) -> tensor<3xindex> {
  %0 = chlo.broadcast_multiply %lhs, %rhs : (tensor<2x?xcomplex<f32>>, tensor<?x1x4xcomplex<f32>>) -> tensor<?x?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x4xcomplex<f32>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x4xcomplex<f32>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xcomplex<f32>>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<2x?xcomplex<f32>> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x4xcomplex<f32>> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xcomplex<f32>>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_multiply_bounded(
func.func @broadcast_multiply_bounded(%lhs: tensor<?xcomplex<f32>, #stablehlo.bounds<10>>, %rhs: tensor<2x1xcomplex<f32>>) {
  %0 = chlo.broadcast_multiply %lhs, %rhs : (tensor<?xcomplex<f32>, #stablehlo.bounds<10>>, tensor<2x1xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 10>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 10>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_next_after(
func.func @broadcast_next_after(%lhs: tensor<3x?xf64>, %rhs: tensor<?x1x5xf64>) -> tensor<3xindex> {
  %0 = chlo.broadcast_next_after %lhs, %rhs : (tensor<3x?xf64>, tensor<?x1x5xf64>) -> tensor<?x?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x5xf64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x5xf64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf64>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<3x?xf64> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x5xf64> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf64>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_next_after_bounded(
func.func @broadcast_next_after_bounded(%lhs: tensor<?xf64, #stablehlo.bounds<11>>, %rhs: tensor<3x1xf64>) {
  %0 = chlo.broadcast_next_after %lhs, %rhs : (tensor<?xf64, #stablehlo.bounds<11>>, tensor<3x1xf64>) -> tensor<?x?xf64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xf64, #stablehlo.bounds<?, 11>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xf64, #stablehlo.bounds<?, 11>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf64>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_polygamma(
func.func @broadcast_polygamma(%lhs: tensor<4x?xf32>, %rhs: tensor<?x1x6xf32>) -> tensor<3xindex> {
  %0 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<4x?xf32>, tensor<?x1x6xf32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x6xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x6xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<4x?xf32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x6xf32> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_polygamma_bounded(
func.func @broadcast_polygamma_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<12>>, %rhs: tensor<4x1xf32>) {
  %0 = chlo.broadcast_polygamma %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<12>>, tensor<4x1xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf32, #stablehlo.bounds<?, 12>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xf32, #stablehlo.bounds<?, 12>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_power(
func.func @broadcast_power(%lhs: tensor<5x?xf16>, %rhs: tensor<?x1x3xf16>) -> tensor<3xindex> {
  %0 = chlo.broadcast_power %lhs, %rhs : (tensor<5x?xf16>, tensor<?x1x3xf16>) -> tensor<?x?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x3xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x3xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf16>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<5x?xf16> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x3xf16> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_power_bounded(
func.func @broadcast_power_bounded(%lhs: tensor<?xf16, #stablehlo.bounds<13>>, %rhs: tensor<5x1xf16>) {
  %0 = chlo.broadcast_power %lhs, %rhs : (tensor<?xf16, #stablehlo.bounds<13>>, tensor<5x1xf16>) -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xf16, #stablehlo.bounds<?, 13>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xf16, #stablehlo.bounds<?, 13>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_remainder(
func.func @broadcast_remainder(%lhs: tensor<6x?xui8>, %rhs: tensor<?x1x4xui8>) -> tensor<3xindex> {
  %0 = chlo.broadcast_remainder %lhs, %rhs : (tensor<6x?xui8>, tensor<?x1x4xui8>) -> tensor<?x?x?xui8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x4xui8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xui8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x4xui8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xui8>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<6x?xui8> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x4xui8> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xui8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_remainder_bounded(
func.func @broadcast_remainder_bounded(%lhs: tensor<?xui8, #stablehlo.bounds<14>>, %rhs: tensor<6x1xui8>) {
  %0 = chlo.broadcast_remainder %lhs, %rhs : (tensor<?xui8, #stablehlo.bounds<14>>, tensor<6x1xui8>) -> tensor<?x?xui8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xui8, #stablehlo.bounds<?, 14>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xui8, #stablehlo.bounds<?, 14>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui8>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_shift_left(
func.func @broadcast_shift_left(%lhs: tensor<2x?xi32>, %rhs: tensor<?x1x5xi32>) -> tensor<3xindex> {
  %0 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<2x?xi32>, tensor<?x1x5xi32>) -> tensor<?x?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x5xi32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x5xi32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<2x?xi32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x5xi32> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_shift_left_bounded(
func.func @broadcast_shift_left_bounded(%lhs: tensor<?xi32, #stablehlo.bounds<15>>, %rhs: tensor<2x1xi32>) {
  %0 = chlo.broadcast_shift_left %lhs, %rhs : (tensor<?xi32, #stablehlo.bounds<15>>, tensor<2x1xi32>) -> tensor<?x?xi32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi32, #stablehlo.bounds<?, 15>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xi32, #stablehlo.bounds<?, 15>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic(
func.func @broadcast_shift_right_arithmetic(%lhs: tensor<3x?xi64>, %rhs: tensor<?x1x6xi64>) -> tensor<3xindex> {
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<3x?xi64>, tensor<?x1x6xi64>) -> tensor<?x?x?xi64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x6xi64>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x6xi64>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi64>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<3x?xi64> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x6xi64> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi64>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_shift_right_arithmetic_bounded(
func.func @broadcast_shift_right_arithmetic_bounded(%lhs: tensor<?xi64, #stablehlo.bounds<16>>, %rhs: tensor<3x1xi64>) {
  %0 = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<?xi64, #stablehlo.bounds<16>>, tensor<3x1xi64>) -> tensor<?x?xi64>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xi64, #stablehlo.bounds<?, 16>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi64>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xi64, #stablehlo.bounds<?, 16>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi64>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_shift_right_logical(
func.func @broadcast_shift_right_logical(%lhs: tensor<4x?xui32>, %rhs: tensor<?x1x3xui32>) -> tensor<3xindex> {
  %0 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<4x?xui32>, tensor<?x1x3xui32>) -> tensor<?x?x?xui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x3xui32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xui32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x3xui32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xui32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<4x?xui32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x3xui32> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xui32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_shift_right_logical_bounded(
func.func @broadcast_shift_right_logical_bounded(%lhs: tensor<?xui32, #stablehlo.bounds<17>>, %rhs: tensor<4x1xui32>) {
  %0 = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<?xui32, #stablehlo.bounds<17>>, tensor<4x1xui32>) -> tensor<?x?xui32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xui32, #stablehlo.bounds<?, 17>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xui32, #stablehlo.bounds<?, 17>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_subtract(
func.func @broadcast_subtract(%lhs: tensor<5x?xcomplex<f64>>, %rhs: tensor<?x1x4xcomplex<f64>>) -> tensor<3xindex> {
  %0 = chlo.broadcast_subtract %lhs, %rhs : (tensor<5x?xcomplex<f64>>, tensor<?x1x4xcomplex<f64>>) -> tensor<?x?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x5x4xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x5x4xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<5x?xcomplex<f64>> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x4xcomplex<f64>> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xcomplex<f64>>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_subtract_bounded(
func.func @broadcast_subtract_bounded(%lhs: tensor<?xcomplex<f64>, #stablehlo.bounds<18>>, %rhs: tensor<5x1xcomplex<f64>>) {
  %0 = chlo.broadcast_subtract %lhs, %rhs : (tensor<?xcomplex<f64>, #stablehlo.bounds<18>>, tensor<5x1xcomplex<f64>>) -> tensor<?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<5x?xcomplex<f64>, #stablehlo.bounds<?, 18>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<5x?xcomplex<f64>, #stablehlo.bounds<?, 18>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f64>>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_zeta(
func.func @broadcast_zeta(%lhs: tensor<6x?xf32>, %rhs: tensor<?x1x5xf32>) -> tensor<3xindex> {
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<6x?xf32>, tensor<?x1x5xf32>) -> tensor<?x?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x6x5xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x6x5xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xf32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<6x?xf32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x5xf32> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xf32>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_zeta_bounded(
func.func @broadcast_zeta_bounded(%lhs: tensor<?xf32, #stablehlo.bounds<19>>, %rhs: tensor<6x1xf32>) {
  %0 = chlo.broadcast_zeta %lhs, %rhs : (tensor<?xf32, #stablehlo.bounds<19>>, tensor<6x1xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xf32, #stablehlo.bounds<?, 19>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xf32, #stablehlo.bounds<?, 19>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_and(
func.func @broadcast_and(%lhs: tensor<2x?xi1>, %rhs: tensor<?x1x6xi1>) -> tensor<3xindex> {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<2x?xi1>, tensor<?x1x6xi1>) -> tensor<?x?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2x6xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2x6xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<2x?xi1> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x6xi1> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi1>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_and_bounded(
func.func @broadcast_and_bounded(%lhs: tensor<?xi1, #stablehlo.bounds<20>>, %rhs: tensor<2x1xi1>) {
  %0 = chlo.broadcast_and %lhs, %rhs : (tensor<?xi1, #stablehlo.bounds<20>>, tensor<2x1xi1>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<2x?xi1, #stablehlo.bounds<?, 20>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x?xi1, #stablehlo.bounds<?, 20>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_or(
func.func @broadcast_or(%lhs: tensor<3x?xi8>, %rhs: tensor<?x1x3xi8>) -> tensor<3xindex> {
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<3x?xi8>, tensor<?x1x3xi8>) -> tensor<?x?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x3x3xi8>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x3x3xi8>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi8>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<3x?xi8> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x3xi8> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi8>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_or_bounded(
func.func @broadcast_or_bounded(%lhs: tensor<?xi8, #stablehlo.bounds<21>>, %rhs: tensor<3x1xi8>) {
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<?xi8, #stablehlo.bounds<21>>, tensor<3x1xi8>) -> tensor<?x?xi8>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?xi8, #stablehlo.bounds<?, 21>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi8>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?xi8, #stablehlo.bounds<?, 21>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi8>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_xor(
func.func @broadcast_xor(%lhs: tensor<4x?xui16>, %rhs: tensor<?x1x4xui16>) -> tensor<3xindex> {
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<4x?xui16>, tensor<?x1x4xui16>) -> tensor<?x?x?xui16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4x4xui16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xui16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4x4xui16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xui16>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<4x?xui16> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x1x4xui16> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xui16>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_xor_bounded(
func.func @broadcast_xor_bounded(%lhs: tensor<?xui16, #stablehlo.bounds<22>>, %rhs: tensor<4x1xui16>) {
  %0 = chlo.broadcast_xor %lhs, %rhs : (tensor<?xui16, #stablehlo.bounds<22>>, tensor<4x1xui16>) -> tensor<?x?xui16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xui16, #stablehlo.bounds<?, 22>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xui16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xui16, #stablehlo.bounds<?, 22>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xui16>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_add_dimensions(
func.func @broadcast_add_dimensions(%lhs: tensor<?xf32>, %rhs: tensor<4x?xf32>) -> tensor<2xindex> {
  %0 = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 1>} : (tensor<?xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<?xf32> -> tensor<1xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<4x?xf32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @broadcast_add_other_dimensions(
func.func @broadcast_add_other_dimensions(%lhs: tensor<7xf32>, %rhs: tensor<7x3xf32>) {
  %0 = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 0>} : (tensor<7xf32>, tensor<7x3xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<7x3xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<7x3xf32>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_add_unranked(
func.func @broadcast_add_unranked(%lhs: tensor<*xf32>, %rhs: tensor<?x2xf32>) -> tensor<?xindex> {
  %0 = chlo.broadcast_add %lhs, %rhs : (tensor<*xf32>, tensor<?x2xf32>) -> tensor<*xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<*xf32>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<*xf32>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<*xf32> -> tensor<?xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<?x2xf32> -> tensor<2xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<?xindex>, tensor<2xindex> -> tensor<?xindex>
  // CHECK: return %[[S]] : tensor<?xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<*xf32>) -> tensor<?xindex>
  return %sizes : tensor<?xindex>
}

// CHECK-LABEL: func.func @broadcast_complex(
func.func @broadcast_complex(%lhs: tensor<?x2xf64>, %rhs: tensor<3x1x1xf64>) -> tensor<3xindex> {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<?x2xf64>, tensor<3x1x1xf64>) -> tensor<?x?x?xcomplex<f64>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?x2xcomplex<f64>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xcomplex<f64>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?x2xcomplex<f64>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xcomplex<f64>>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<?x2xf64> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<3x1x1xf64> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xcomplex<f64>>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_compare(
func.func @broadcast_compare(%lhs: tensor<?x2xf64>, %rhs: tensor<3x1x1xf64>) -> tensor<3xindex> {
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction GT>} : (tensor<?x2xf64>, tensor<3x1x1xf64>) -> tensor<?x?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<3x?x2xi1>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<3x?x2xi1>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?x?xi1>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<?x2xf64> -> tensor<2xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<3x1x1xf64> -> tensor<3xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]] : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  // CHECK: return %[[S]] : tensor<3xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?x?xi1>) -> tensor<3xindex>
  return %sizes : tensor<3xindex>
}

// CHECK-LABEL: func.func @broadcast_complex_bounded(
func.func @broadcast_complex_bounded(%lhs: tensor<?x2xf32, #stablehlo.bounds<9, ?>>, %rhs: tensor<f32>) {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<?x2xf32, #stablehlo.bounds<9, ?>>, tensor<f32>) -> tensor<?x?xcomplex<f32>>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xcomplex<f32>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xcomplex<f32>, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_compare_bounded(
func.func @broadcast_compare_bounded(%lhs: tensor<?x2xf32, #stablehlo.bounds<9, ?>>, %rhs: tensor<f32>) {
  %0 = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction NE>} : (tensor<?x2xf32, #stablehlo.bounds<9, ?>>, tensor<f32>) -> tensor<?x?xi1>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xi1, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xi1>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xi1, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_select(
func.func @broadcast_select(%pred: tensor<?xi1>, %on_true: tensor<4x1xf16>, %on_false: tensor<f16>) -> tensor<2xindex> {
  %0 = "chlo.broadcast_select"(%pred, %on_true, %on_false) : (tensor<?xi1>, tensor<4x1xf16>, tensor<f16>) -> tensor<?x?xf16>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<4x?xf16>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x?xf16>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf16>) -> ()
  // CHECK: %[[S0:.*]] = shape.shape_of %arg0 : tensor<?xi1> -> tensor<1xindex>
  // CHECK-NEXT: %[[S1:.*]] = shape.shape_of %arg1 : tensor<4x1xf16> -> tensor<2xindex>
  // CHECK-NEXT: %[[S2:.*]] = shape.shape_of %arg2 : tensor<f16> -> tensor<0xindex>
  // CHECK-NEXT: %[[S:.*]] = shape.broadcast %[[S0]], %[[S1]], %[[S2]] : tensor<1xindex>, tensor<2xindex>, tensor<0xindex> -> tensor<2xindex>
  // CHECK: return %[[S]] : tensor<2xindex>
  %sizes = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf16>) -> tensor<2xindex>
  return %sizes : tensor<2xindex>
}

// CHECK-LABEL: func.func @broadcast_select_bounded(
func.func @broadcast_select_bounded(%pred: tensor<i1>, %on_true: tensor<?x2xf32, #stablehlo.bounds<9, ?>>, %on_false: tensor<2xf32>) {
  %0 = "chlo.broadcast_select"(%pred, %on_true, %on_false) : (tensor<i1>, tensor<?x2xf32, #stablehlo.bounds<9, ?>>, tensor<2xf32>) -> tensor<?x?xf32>
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xf32, #stablehlo.bounds<9, ?>>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @top_k(
func.func @top_k(%operand: tensor<?x9xf32>) {
  %0:2 = chlo.top_k(%operand, k = 4) : tensor<?x9xf32> -> (tensor<?x?xf32>, tensor<?x?xi32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x4xf32>, types1 = tensor<?x4xi32>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x4xf32>, types1 = tensor<?x4xi32>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @top_k_bounded(
func.func @top_k_bounded(%operand: tensor<?x9xbf16, #stablehlo.bounds<6, ?>>) {
  %0:2 = chlo.top_k(%operand, k = 2) : tensor<?x9xbf16, #stablehlo.bounds<6, ?>> -> (tensor<?x?xbf16>, tensor<?x?xi32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<?x2xbf16, #stablehlo.bounds<6, ?>>, types1 = tensor<?x2xi32, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xbf16>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x2xbf16, #stablehlo.bounds<6, ?>>, types1 = tensor<?x2xi32, #stablehlo.bounds<6, ?>>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @ragged_dot_rows(
func.func @ragged_dot_rows(%lhs: tensor<2x11x5xf32>, %rhs: tensor<3x2x5x7xf32>, %group_sizes: tensor<3xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_batching_dimensions = [0], rhs_batching_dimensions = [1],
        lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
        lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  } : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<2x11x7xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<2x11x7xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @ragged_dot_contracting(
func.func @ragged_dot_contracting(%lhs: tensor<2x11x5xf32>, %rhs: tensor<2x5x7xf32>, %group_sizes: tensor<2x4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
        lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
        lhs_ragged_dimensions = [2], rhs_group_dimensions = []>
  } : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<2x4xi64>) -> tensor<4x2x11x7xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<4x2x11x7xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<4x2x11x7xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @ragged_dot_batch(
func.func @ragged_dot_batch(%lhs: tensor<?x11x5xf32>, %rhs: tensor<?x5x7xf32>, %group_sizes: tensor<4xi64>) {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
        lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
        lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  } : (tensor<?x11x5xf32>, tensor<?x5x7xf32>, tensor<4xi64>) -> tensor<?x11x7xf32>
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<?x11x7xindex>}
  "hlo_test_infer.get_return_type_components"(%0) : (tensor<?x11x7xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @scan(
func.func @scan(%a: tensor<6x?xf32>, %init: tensor<?xf32>) {
  %0:2 = "chlo.scan"(%a, %init) ({
  ^bb0(%x: tensor<?xf32>, %carry: tensor<?xf32>):
    %1 = stablehlo.add %x, %carry : tensor<?xf32>
    stablehlo.return %1, %1 : tensor<?xf32>, tensor<?xf32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<6x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  // CHECK: "hlo_test_infer.return_types"({{.*}}) {types0 = tensor<6x?xf32>, types1 = tensor<?xf32>}
  "hlo_test_infer.get_return_types"(%0#0) : (tensor<?x?xf32>) -> ()
  // CHECK: "hlo_test_infer.return_type_components"({{.*}}) {types0 = tensor<6x?xf32>, types1 = tensor<?xf32>}
  "hlo_test_infer.get_return_type_components"(%0#0) : (tensor<?x?xf32>) -> ()
  return
}
