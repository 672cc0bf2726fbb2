// RUN: stablehlo-translate %s --interpret --args="[dense<[4.0, 0.5]> : tensor<2xf32>]" --trace 2>&1 | FileCheck %s
// RUN: not stablehlo-translate %s --interpret --args="[dense<[4.0, 0.5]> : tensor<2xf32>]" --stop-on-nan 2>&1 | FileCheck %s --check-prefix=STOP
// RUN: stablehlo-translate %s --interpret --args="[dense<[4.0, 3.0]> : tensor<2xf32>]" --stop-on-nan | FileCheck %s --check-prefix=GOES
// RUN: stablehlo-translate %s --interpret --args="[dense<[4.0, 3.0]> : tensor<2xf32>]" --trace-output=%t.jsonl
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.jsonl

// CHECK: us  stablehlo.log tensor<2xf32> in [-0.6931, 1.386], mean 0.3466  net.py:3:7 (first)
// CHECK-NEXT: us  stablehlo.log tensor<2xf32> in [0.3266, 0.3266], mean 0.3266, 1 NaN, 0 inf  net.py:4:7
// CHECK-NEXT: us  stablehlo.reduce tensor<f32>, 1 NaN, 0 inf

// STOP: net.py:4:7: error: stablehlo.log: computed 1 NaN from operands without NaN, at net.py:4:7
// STOP-NEXT: operand 0: tensor<2xf32> in [-0.6931, 1.386], mean 0.3466
// STOP-NEXT: result 0: tensor<2xf32> in [0.3266, 0.3266], mean 0.3266, 1 NaN, 0 inf
// STOP-NEXT: in @main, stablehlo.log (tensor<2xf32>)

// GOES: tensor<f32>

// JSON: {"op": "stablehlo.log", "function": "main", {{.*}}"depth": 0, {{.*}}"source": "net.py:3:7 (first)"}
// JSON: {"op": "stablehlo.reduce"

func.func @main(%x: tensor<2xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.log %x : tensor<2xf32> loc("first"("net.py":3:7))
  %1 = stablehlo.log %0 : tensor<2xf32> loc("net.py":4:7)
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
