// RUN: stablehlo-opt --hlo-test-speculatability --allow-unregistered-dialect %s | FileCheck %s

// A claim that is right disappears with the operation that it is about, so that nothing is left of most functions.
// An operation is speculatable where it cannot fail: where no size that is known only at run time can contradict
// another, or a size in a type.

// One operand: a size of the result that is known must be known of the operand.

// CHECK-LABEL: func.func @cbrt(
// CHECK-NEXT: return
func.func @cbrt(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.cbrt"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.cbrt"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.cbrt"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.cbrt"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.cbrt"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @ceil(
// CHECK-NEXT: return
func.func @ceil(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.ceil"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.ceil"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.ceil"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.ceil"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.ceil"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @cosine(
// CHECK-NEXT: return
func.func @cosine(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.cosine"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.cosine"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.cosine"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.cosine"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.cosine"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @exponential(
// CHECK-NEXT: return
func.func @exponential(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.exponential"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.exponential"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.exponential"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.exponential"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.exponential"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @exponential_minus_one(
// CHECK-NEXT: return
func.func @exponential_minus_one(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.exponential_minus_one"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.exponential_minus_one"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.exponential_minus_one"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.exponential_minus_one"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.exponential_minus_one"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @floor(
// CHECK-NEXT: return
func.func @floor(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.floor"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.floor"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.floor"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.floor"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.floor"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @is_finite(
// CHECK-NEXT: return
func.func @is_finite(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.is_finite"(%s) : (tensor<3x2xf32>) -> tensor<3x2xi1>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xi1>) -> ()
  %1 = "stablehlo.is_finite"(%s) : (tensor<3x2xf32>) -> tensor<?x?xi1>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xi1>) -> ()
  %2 = "stablehlo.is_finite"(%m) : (tensor<?x2xf32>) -> tensor<?x2xi1>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xi1>) -> ()
  %3 = "stablehlo.is_finite"(%d) : (tensor<?x?xf32>) -> tensor<?x2xi1>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xi1>) -> ()
  %4 = "stablehlo.is_finite"(%d) : (tensor<?x?xf32>) -> tensor<?x?xi1>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xi1>) -> ()
  return
}

// CHECK-LABEL: func.func @log(
// CHECK-NEXT: return
func.func @log(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.log"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.log"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.log"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.log"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.log"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @log_plus_one(
// CHECK-NEXT: return
func.func @log_plus_one(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.log_plus_one"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.log_plus_one"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.log_plus_one"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.log_plus_one"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.log_plus_one"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @logistic(
// CHECK-NEXT: return
func.func @logistic(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.logistic"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.logistic"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.logistic"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.logistic"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.logistic"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @negate(
// CHECK-NEXT: return
func.func @negate(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.negate"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.negate"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.negate"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.negate"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.negate"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @round_nearest_afz(
// CHECK-NEXT: return
func.func @round_nearest_afz(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.round_nearest_afz"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.round_nearest_afz"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.round_nearest_afz"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.round_nearest_afz"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.round_nearest_afz"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @round_nearest_even(
// CHECK-NEXT: return
func.func @round_nearest_even(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.round_nearest_even"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.round_nearest_even"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.round_nearest_even"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.round_nearest_even"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.round_nearest_even"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK-NEXT: return
func.func @rsqrt(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.rsqrt"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.rsqrt"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.rsqrt"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.rsqrt"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.rsqrt"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @sign(
// CHECK-NEXT: return
func.func @sign(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.sign"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.sign"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.sign"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.sign"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.sign"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @sine(
// CHECK-NEXT: return
func.func @sine(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.sine"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.sine"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.sine"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.sine"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.sine"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @sqrt(
// CHECK-NEXT: return
func.func @sqrt(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.sqrt"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.sqrt"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.sqrt"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.sqrt"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.sqrt"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @tan(
// CHECK-NEXT: return
func.func @tan(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.tan"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.tan"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.tan"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.tan"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.tan"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @tanh(
// CHECK-NEXT: return
func.func @tanh(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.tanh"(%s) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = "stablehlo.tanh"(%s) : (tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = "stablehlo.tanh"(%m) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = "stablehlo.tanh"(%d) : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xf32>) -> ()
  %4 = "stablehlo.tanh"(%d) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @convert(
// CHECK-NEXT: return
func.func @convert(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.convert"(%s) : (tensor<3x2xf32>) -> tensor<3x2xi8>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xi8>) -> ()
  %1 = "stablehlo.convert"(%s) : (tensor<3x2xf32>) -> tensor<?x?xi8>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xi8>) -> ()
  %2 = "stablehlo.convert"(%m) : (tensor<?x2xf32>) -> tensor<?x2xi8>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xi8>) -> ()
  %3 = "stablehlo.convert"(%d) : (tensor<?x?xf32>) -> tensor<?x2xi8>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x2xi8>) -> ()
  %4 = "stablehlo.convert"(%d) : (tensor<?x?xf32>) -> tensor<?x?xi8>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xi8>) -> ()
  return
}

// Two operands: they could disagree unless all sizes are known.

// CHECK-LABEL: func.func @add(
// CHECK-NEXT: return
func.func @add(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.add %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.add %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.add %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.add %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.add %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @atan2(
// CHECK-NEXT: return
func.func @atan2(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.atan2 %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.atan2 %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.atan2 %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.atan2 %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.atan2 %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @divide(
// CHECK-NEXT: return
func.func @divide(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.divide %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.divide %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.divide %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.divide %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.divide %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @maximum(
// CHECK-NEXT: return
func.func @maximum(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.maximum %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.maximum %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.maximum %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.maximum %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.maximum %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @minimum(
// CHECK-NEXT: return
func.func @minimum(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.minimum %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.minimum %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.minimum %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.minimum %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.minimum %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @multiply(
// CHECK-NEXT: return
func.func @multiply(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.multiply %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.multiply %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.multiply %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.multiply %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.multiply %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @power(
// CHECK-NEXT: return
func.func @power(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.power %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.power %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.power %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.power %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.power %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @remainder(
// CHECK-NEXT: return
func.func @remainder(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.remainder %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.remainder %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.remainder %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.remainder %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.remainder %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @subtract(
// CHECK-NEXT: return
func.func @subtract(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.subtract %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<3x2xf32>) -> ()
  %1 = stablehlo.subtract %s, %m : (tensor<3x2xf32>, tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<3x2xf32>) -> ()
  %2 = stablehlo.subtract %m, %s : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.subtract %d, %d : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %4 = stablehlo.subtract %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @and(
// CHECK-NEXT: return
func.func @and(%s: tensor<4xi32>, %d: tensor<?xi32>) {
  %0 = stablehlo.and %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xi32>) -> ()
  %1 = stablehlo.and %s, %d : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xi32>) -> ()
  %2 = stablehlo.and %d, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @or(
// CHECK-NEXT: return
func.func @or(%s: tensor<4xi32>, %d: tensor<?xi32>) {
  %0 = stablehlo.or %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xi32>) -> ()
  %1 = stablehlo.or %s, %d : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xi32>) -> ()
  %2 = stablehlo.or %d, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @xor(
// CHECK-NEXT: return
func.func @xor(%s: tensor<4xi32>, %d: tensor<?xi32>) {
  %0 = stablehlo.xor %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xi32>) -> ()
  %1 = stablehlo.xor %s, %d : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xi32>) -> ()
  %2 = stablehlo.xor %d, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @shift_left(
// CHECK-NEXT: return
func.func @shift_left(%s: tensor<4xi32>, %d: tensor<?xi32>) {
  %0 = stablehlo.shift_left %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xi32>) -> ()
  %1 = stablehlo.shift_left %s, %d : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xi32>) -> ()
  %2 = stablehlo.shift_left %d, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @shift_right_arithmetic(
// CHECK-NEXT: return
func.func @shift_right_arithmetic(%s: tensor<4xi32>, %d: tensor<?xi32>) {
  %0 = stablehlo.shift_right_arithmetic %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xi32>) -> ()
  %1 = stablehlo.shift_right_arithmetic %s, %d : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xi32>) -> ()
  %2 = stablehlo.shift_right_arithmetic %d, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @shift_right_logical(
// CHECK-NEXT: return
func.func @shift_right_logical(%s: tensor<4xi32>, %d: tensor<?xi32>) {
  %0 = stablehlo.shift_right_logical %s, %s : (tensor<4xi32>, tensor<4xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xi32>) -> ()
  %1 = stablehlo.shift_right_logical %s, %d : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xi32>) -> ()
  %2 = stablehlo.shift_right_logical %d, %d : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @compare_complex_clamp_select(
// CHECK-NEXT: return
func.func @compare_complex_clamp_select(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>, %p: tensor<i1>) {
  %0 = stablehlo.compare EQ, %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xi1>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x?xi1>) -> ()
  %1 = stablehlo.compare EQ, %s, %d : (tensor<3x2xf32>, tensor<?x?xf32>) -> tensor<?x?xi1>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<?x?xi1>) -> ()
  %2 = stablehlo.complex %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xcomplex<f32>>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x?xcomplex<f32>>) -> ()
  %3 = stablehlo.complex %d, %s : (tensor<?x?xf32>, tensor<3x2xf32>) -> tensor<?x?xcomplex<f32>>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xcomplex<f32>>) -> ()
  %4 = stablehlo.clamp %s, %s, %s : (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  %5 = stablehlo.clamp %s, %m, %s : (tensor<3x2xf32>, tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%5) : (tensor<?x?xf32>) -> ()
  %6 = stablehlo.select %p, %s, %s : (tensor<i1>, tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%6) : (tensor<?x?xf32>) -> ()
  %7 = stablehlo.select %p, %m, %s : (tensor<i1>, tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%7) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @no_operands(
// CHECK-NEXT: return
func.func @no_operands() {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2xf32>) -> ()
  %1 = stablehlo.iota dim = 0 : tensor<2xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<2xf32>) -> ()
  %2 = stablehlo.create_token : !stablehlo.token
  "hlo_test_speculatability.is_speculatable"(%2) : (!stablehlo.token) -> ()
  %3 = stablehlo.partition_id : tensor<ui32>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<ui32>) -> ()
  return
}

// Sizes along the dimension may be unknown, if that of the result is.

// CHECK-LABEL: func.func @concatenate(
// CHECK-NEXT: return
func.func @concatenate(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.concatenate %s, %s, dim = 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x?xf32>) -> ()
  %1 = stablehlo.concatenate %m, %s, dim = 0 : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x2xf32>) -> ()
  %2 = stablehlo.concatenate %m, %s, dim = 0 : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<7x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<7x2xf32>) -> ()
  %3 = stablehlo.concatenate %m, %s, dim = 1 : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  return
}

// Sizes that two operands share must be known.

// CHECK-LABEL: func.func @dot_general(
// CHECK-NEXT: return
func.func @dot_general(%a: tensor<?x4xf32>, %b: tensor<4x3xf32>, %c: tensor<?x3xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x3xf32>) -> ()
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<5x3xf32>) -> ()
  %2 = stablehlo.dot_general %a, %c, contracting_dims = [0] x [0] : (tensor<?x4xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<4x3xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @broadcast_in_dim_and_reshape(
// CHECK-NEXT: return
func.func @broadcast_in_dim_and_reshape(%a: tensor<3xf32>, %b: tensor<?xf32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2x3xf32>) -> ()
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<?xf32>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2x3xf32>) -> ()
  %2 = stablehlo.reshape %a : (tensor<3xf32>) -> tensor<1x3xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<1x3xf32>) -> ()
  %3 = stablehlo.reshape %b : (tensor<?xf32>) -> tensor<1x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<1x3xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @transpose_and_reverse(
// CHECK-NEXT: return
func.func @transpose_and_reverse(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = stablehlo.transpose %m, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2x?xf32>) -> ()
  %1 = stablehlo.transpose %m, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2x3xf32>) -> ()
  %2 = stablehlo.reverse %m, dims = [0] : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x2xf32>) -> ()
  %3 = stablehlo.reverse %m, dims = [0] : (tensor<?x2xf32>) -> tensor<3x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<3x2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @slices(
// CHECK-NEXT: return
func.func @slices(%s: tensor<6xf32>, %d: tensor<?xf32>, %i: tensor<i64>, %u: tensor<2xf32>) {
  %0 = stablehlo.slice %s [1:5:2] : (tensor<6xf32>) -> tensor<2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2xf32>) -> ()
  %1 = stablehlo.slice %d [1:5:2] : (tensor<?xf32>) -> tensor<2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2xf32>) -> ()
  %2 = stablehlo.dynamic_slice %s, %i, sizes = [2] : (tensor<6xf32>, tensor<i64>) -> tensor<2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<2xf32>) -> ()
  %3 = stablehlo.dynamic_slice %d, %i, sizes = [2] : (tensor<?xf32>, tensor<i64>) -> tensor<2xf32>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<2xf32>) -> ()
  %4 = stablehlo.dynamic_update_slice %s, %u, %i : (tensor<6xf32>, tensor<2xf32>, tensor<i64>) -> tensor<6xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<6xf32>) -> ()
  %5 = stablehlo.dynamic_update_slice %d, %u, %i : (tensor<?xf32>, tensor<2xf32>, tensor<i64>) -> tensor<?xf32>
  "hlo_test_speculatability.is_speculatable"(%5) : (tensor<?xf32>) -> ()
  return
}

// A promise that indices are sorted can be broken.

// CHECK-LABEL: func.func @gather(
// CHECK-NEXT: return
func.func @gather(%s: tensor<6xf32>, %d: tensor<?xf32>, %i: tensor<4xi32>) {
  %0 = "stablehlo.gather"(%s, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>, indices_are_sorted = false
  } : (tensor<6xf32>, tensor<4xi32>) -> tensor<4xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<4xf32>) -> ()
  %1 = "stablehlo.gather"(%d, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>, indices_are_sorted = false
  } : (tensor<?xf32>, tensor<4xi32>) -> tensor<4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<4xf32>) -> ()
  %2 = "stablehlo.gather"(%s, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>, indices_are_sorted = true
  } : (tensor<6xf32>, tensor<4xi32>) -> tensor<4xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<4xf32>) -> ()
  return
}

// With a region it depends on the operations in it.

// CHECK-LABEL: func.func @map(
// CHECK-NEXT: return
func.func @map(%s: tensor<6xf32>, %d: tensor<?xf32>) {
  %0 = "stablehlo.map"(%s) ({
  ^bb0(%x: tensor<f32>):
    %y = stablehlo.abs %x : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<6xf32>) -> tensor<6xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%0) : (tensor<6xf32>) -> ()
  %1 = "stablehlo.map"(%d) ({
  ^bb0(%x: tensor<f32>):
    %y = stablehlo.abs %x : tensor<f32>
    stablehlo.return %y : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<?xf32>) -> tensor<?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @reduce(
// CHECK-NEXT: return
func.func @reduce(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%0) : (tensor<2xf32>) -> ()
  %1 = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x2xf32>, tensor<f32>) -> tensor<2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2xf32>) -> ()
  %2 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<2xf32>) -> ()
  return
}

// A shape that is a value fits every type that says nothing of it.

// CHECK-LABEL: func.func @dynamic_shapes(
// CHECK-NEXT: return
func.func @dynamic_shapes(%a: tensor<6xf32>, %one: tensor<1xf32>, %shape: tensor<2xi32>) {
  %0 = stablehlo.dynamic_reshape %a, %shape : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<?x?xf32>) -> ()
  %1 = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = [0] : (tensor<1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [0] : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x3xf32>) -> ()
  %4 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @collectives(
// CHECK-NEXT: return
func.func @collectives(%s: tensor<3x2xf32>, %d: tensor<?x?xf32>, %m: tensor<?x2xf32>) {
  %0 = "stablehlo.collective_permute"(%m) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x2xf32>) -> ()
  %1 = "stablehlo.collective_permute"(%d) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x?xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<?x2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @tuples(
// CHECK-NEXT: return
func.func @tuples(%a: tensor<?xf32>, %t: tuple<tensor<?xf32>, tensor<i1>>) {
  %0 = stablehlo.tuple %a, %a : tuple<tensor<?xf32>, tensor<?xf32>>
  "hlo_test_speculatability.is_speculatable"(%0) : (tuple<tensor<?xf32>, tensor<?xf32>>) -> ()
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<?xf32>, tensor<i1>>) -> tensor<i1>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<i1>) -> ()
  return
}

// CHECK-LABEL: func.func @control_flow(
// CHECK-NEXT: return
func.func @control_flow(%p: tensor<i1>, %k: tensor<i32>, %s: tensor<6xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %s : tensor<6xf32>
  }, {
    stablehlo.return %s : tensor<6xf32>
  }) : (tensor<i1>) -> tensor<6xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%0) : (tensor<6xf32>) -> ()
  %1 = "stablehlo.case"(%k) ({
    stablehlo.return %s : tensor<6xf32>
  }, {
    stablehlo.return %s : tensor<6xf32>
  }) : (tensor<i32>) -> tensor<6xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%1) : (tensor<6xf32>) -> ()
  %2 = stablehlo.while(%x = %s) : tensor<6xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x : tensor<6xf32>
  }
  "hlo_test_speculatability.is_recursively_speculatable"(%2) : (tensor<6xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @sort(
// CHECK-NEXT: return
func.func @sort(%s: tensor<6xf32>, %d: tensor<?xf32>) {
  %0 = "stablehlo.sort"(%s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %lt = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  "hlo_test_speculatability.is_recursively_speculatable"(%0) : (tensor<6xf32>) -> ()
  %1 = "stablehlo.sort"(%d) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %lt = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<?xf32>) -> tensor<?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<?xf32>) -> ()
  return
}

// Transformed sizes must be known.

// CHECK-LABEL: func.func @fft(
// CHECK-NEXT: return
func.func @fft(%s: tensor<?x6xf32>, %z: tensor<?x6xcomplex<f32>>) {
  %0 = stablehlo.fft %s, type = RFFT, length = [6] : (tensor<?x6xf32>) -> tensor<?x4xcomplex<f32>>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x4xcomplex<f32>>) -> ()
  %1 = stablehlo.fft %s, type = RFFT, length = [6] : (tensor<?x6xf32>) -> tensor<2x4xcomplex<f32>>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2x4xcomplex<f32>>) -> ()
  %2 = stablehlo.fft %z, type = FFT, length = [6] : (tensor<?x6xcomplex<f32>>) -> tensor<?x6xcomplex<f32>>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x6xcomplex<f32>>) -> ()
  return
}

// CHECK-LABEL: func.func @pad_and_dimension_sizes(
// CHECK-NEXT: return
func.func @pad_and_dimension_sizes(%s: tensor<?xf32>, %v: tensor<f32>, %b: tensor<?xf32, #stablehlo.bounds<4>>, %n: tensor<i32>) {
  %0 = stablehlo.pad %s, %v, low = [1], high = [0], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?xf32>) -> ()
  %1 = stablehlo.pad %s, %v, low = [1], high = [0], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<5xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<5xf32>) -> ()
  %2 = stablehlo.get_dimension_size %s, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<i32>) -> ()
  %3 = stablehlo.set_dimension_size %b, %n, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<?xf32, #stablehlo.bounds<4>>) -> ()
  return
}

// CHECK-LABEL: func.func @quantize(
// CHECK-NEXT: return
func.func @quantize(%s: tensor<2xf32>, %d: tensor<?xf32>, %q: tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>) {
  %0 = stablehlo.uniform_quantize %s : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  %1 = stablehlo.uniform_quantize %d : (tensor<?xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>) -> ()
  %2 = stablehlo.uniform_dequantize %q : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<?xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?xf32>) -> ()
  return
}

// CHLO operations are speculatable whatever their types.

// CHECK-LABEL: func.func @chlo(
// CHECK-NEXT: return
func.func @chlo(%d: tensor<?x?xf32>, %u: tensor<*xf32>) {
  %0 = chlo.acos %d : tensor<?x?xf32> -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x?xf32>) -> ()
  %1 = chlo.broadcast_add %d, %u : (tensor<?x?xf32>, tensor<*xf32>) -> tensor<*xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<*xf32>) -> ()
  return
}

// What is wrong stays, and so does what cannot be told: the operation has other uses, or nothing to say.

// CHECK-LABEL: func.func @wrong(
// CHECK: %[[A:.*]] = stablehlo.abs
// CHECK: is_not_speculatable"(%[[A]])
// CHECK: %[[B:.*]] = stablehlo.add
// CHECK: is_speculatable"(%[[B]])
// CHECK: %[[C:.*]] = stablehlo.abs
// CHECK: is_speculatable"(%[[C]])
// CHECK: is_speculatable"(%[[C]])
// CHECK: %[[D:.*]] = stablehlo.cholesky
// CHECK: is_speculatable"(%[[D]])
// CHECK: is_speculatable"(%arg0)
// CHECK: is_speculatable"()
func.func @wrong(%s: tensor<2x2xf32>, %d: tensor<?x?xf32>) {
  %0 = stablehlo.abs %s : tensor<2x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2x2xf32>) -> ()
  %1 = stablehlo.add %d, %d : tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = stablehlo.abs %s : tensor<2x2xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<2x2xf32>) -> ()
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<2x2xf32>) -> ()
  %3 = stablehlo.cholesky %s : tensor<2x2xf32>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<2x2xf32>) -> ()
  "hlo_test_speculatability.is_speculatable"(%s) : (tensor<2x2xf32>) -> ()
  "hlo_test_speculatability.is_speculatable"() : () -> ()
  return
}
