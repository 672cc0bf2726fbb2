// REQUIRES: collective_reduce
// RUN: stablehlo-opt --strict --split-input-file --verify-diagnostics %s
// RUN: stablehlo-opt --split-input-file %s

// The bindings accept these programs; each breaks the constraint after which its function is named.

// -----

func.func @collective_broadcast_c3_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{results must be of the types of the operands, got tensor<3x!quant.uniform<i8:f32, 2.500000e-01>> and tensor<3x!quant.uniform<i8:f32, 5.000000e-01>> (C3)}}
  %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @collective_reduce_c4_narrower(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{computation must have a type that f32 can be promoted to, got f16 (C4)}}
  %0 = "stablehlo.collective_reduce"(%arg0) ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @collective_broadcast_c4_quantized(%arg0: tensor<3x!quant.uniform<i8:f32, 0.5>>, %arg1: tensor<1xi32>) {
  // expected-error@+1 {{results must be of the types of the operands, got tensor<3x!quant.uniform<i8:f32, 2.500000e-01>> and tensor<3x!quant.uniform<i8:f32, 5.000000e-01>> (C4)}}
  %0 = "stablehlo.collective_broadcast"(%arg0, %arg1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<1xi32>) -> tensor<3x!quant.uniform<i8:f32, 0.25>>
  return
}
