// What verifies is written as an artifact and read again, also if no program can run it.
// RUN: stablehlo-translate --serialize --target=0.10.0 %s | stablehlo-translate --deserialize | FileCheck %s
// RUN: stablehlo-opt %s | FileCheck %s
// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s --check-prefix=INTERPRET

// CHECK: rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
// INTERPRET: error: 'stablehlo.rng_bit_generator' op initial_state must have element type ui64, got f32
func.func @main(%arg0: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = DEFAULT : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  func.return %output_state, %output : tensor<f32>, tensor<f32>
}
