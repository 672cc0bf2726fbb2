// RUN: stablehlo-translate %s --interpret --args="[dense<[1.0e-4, 1.0e-4]> : tensor<2xf32>]" --shadow 2>&1 | FileCheck %s
// RUN: stablehlo-translate %s --interpret --args="[dense<[1.0e-4, 1.0e-4]> : tensor<2xf32>]" --shadow | FileCheck %s --check-prefix=UNCHECKED
// RUN: stablehlo-translate %s --interpret --args="[dense<[1.0e-4, 1.0e-4]> : tensor<2xf32>]" --shadow-output=%t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: hlokit run %s 'dense<[1.0e-4, 1.0e-4]> : tensor<2xf32>' --check-accuracy 2>&1 | FileCheck %s --check-prefix=ACCURATE
// RUN: not hlokit run %s --function=strict 'dense<[0.5, 2.0]> : tensor<2xf32>' --check-accuracy 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not hlokit run %s --function=nothing 'dense<[0.5, 2.0]> : tensor<2xf32>' --check-accuracy 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: hlokit run %s --function=nothing 'dense<[0.5, 2.0]> : tensor<2xf32>' | FileCheck %s --check-prefix=UNCHECKED
// RUN: hlokit run %s --function=sum 'dense<[1.0e17, -1.0e17, 3.0]> : tensor<3xf64>' | FileCheck %s --check-prefix=ROUNDED
// RUN: hlokit run %s --function=sum 'dense<[1.0e17, -1.0e17, 3.0]> : tensor<3xf64>' --precision=high | FileCheck %s --check-prefix=PRECISE
// RUN: not hlokit run %s 'dense<[1.0e-4, 1.0e-4]> : tensor<2xf32>' --precision=highest 2>&1 | FileCheck %s --check-prefix=NAMES

// CHECK: bits lost bits left
// CHECK-NEXT: 1  stablehlo.subtract tensor<2xf32>  net.py:4:7
// CHECK-NEXT: 1  stablehlo.exponential tensor<2xf32>  net.py:3:7

// JSON: "op": "stablehlo.subtract"
// JSON: "bits_lost": 1
// JSON: "source": "net.py:4:7"

// ACCURATE: results checked against result_accuracy: 1, at most 0.{{[0-9]+}} ULP off

// STRICT: net.py:5:7: error: stablehlo.tanh: results must be as accurate as result_accuracy requires (atol = 1e-20, rtol = 0, ulps = 0), 2 of 2 are not, from net.py:5:7
// STRICT-NEXT: index {{[01]}} in row-major order: operand {{0.5|2.0}}, result 0.{{[0-9]+}}, exact 0.{{[0-9]+}}, error 0.{{[0-9]+}} ULP, allowed {{.*}} ULP
// STRICT-NEXT: no number of type f32 is closer to the exact result

// NOTHING: error: stablehlo.tanh: result_accuracy must not have atol, rtol and ulps of 0, which no rounded result satisfies

// UNCHECKED: tensor<2xf32>

// ROUNDED: 0.000000e+00
// PRECISE: 3.000000e+00

// NAMES: error: --precision must be default or high, got 'highest'

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %e = "stablehlo.exponential"(%x) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32> loc("net.py":3:7)
  %d = stablehlo.subtract %e, %one : tensor<2xf32> loc("net.py":4:7)
  return %d : tensor<2xf32>
}

func.func @strict(%x: tensor<2xf32>) -> tensor<2xf32> {
  %t = "stablehlo.tanh"(%x) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-20, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32> loc("net.py":5:7)
  return %t : tensor<2xf32>
}

func.func @nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  %t = "stablehlo.tanh"(%x) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
  return %t : tensor<2xf32>
}

func.func @sum(%x: tensor<3xf64>) -> tensor<f64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
  return %s : tensor<f64>
}
