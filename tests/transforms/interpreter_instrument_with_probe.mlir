// RUN: stablehlo-opt --interpreter-instrument-with-probe --allow-unregistered-dialect %s | FileCheck %s
// RUN: stablehlo-opt --interpreter-instrument-with-probe=useDebugInfo=true --allow-unregistered-dialect %s | FileCheck %s --check-prefix=NAMED
// RUN: stablehlo-opt --pass-pipeline='builtin.module(interpreter-instrument-with-probe{useDebugInfo=true})' --allow-unregistered-dialect %s | FileCheck %s --check-prefix=NAMED

// Probes count through the whole module. A named location names its probe up to the first `@`.

// CHECK-LABEL: func.func @names(
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: %[[P1:.*]] = interpreter.probe %[[SUM]], probe_id = "probe1" : tensor<3xi16>
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[P1]], %[[P1]]
// CHECK-NEXT: %[[P2:.*]] = interpreter.probe %[[PRODUCT]], probe_id = "probe2"
// CHECK-NEXT: %[[DIFFERENCE:.*]] = stablehlo.subtract %[[P2]], %[[P1]]
// CHECK-NEXT: %[[P3:.*]] = interpreter.probe %[[DIFFERENCE]], probe_id = "probe3"
// CHECK-NEXT: %[[QUOTIENT:.*]] = stablehlo.divide %[[P3]], %[[P2]]
// CHECK-NEXT: %[[P4:.*]] = interpreter.probe %[[QUOTIENT]], probe_id = "probe4"
// CHECK-NEXT: return %[[P4]]

// NAMED-LABEL: func.func @names(
// NAMED: probe_id = "total.1"
// NAMED: probe_id = "layer/\22x\22.2"
// NAMED: probe_id = "probe3"
// NAMED: probe_id = "share.4"
func.func @names(%a: tensor<3xi16>) -> tensor<3xi16> {
  %0 = stablehlo.add %a, %a : tensor<3xi16> loc("total")
  %1 = stablehlo.multiply %0, %0 : tensor<3xi16> loc("layer/\"x\"@block@3")
  %2 = stablehlo.subtract %1, %0 : tensor<3xi16> loc("model.py":7:3)
  %3 = stablehlo.divide %2, %1 : tensor<3xi16> loc("share"("model.py":9:1))
  return %3 : tensor<3xi16>
}

// Constants, and what is no tensor of known size and numbers, pass by.

// CHECK-LABEL: func.func @not_probed(
// CHECK-NOT: interpreter.probe
// CHECK: return
func.func @not_probed(%a: tensor<?xf32>, %b: tensor<2xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.abs %a : tensor<?xf32>
  %2 = stablehlo.create_token : !stablehlo.token
  %3 = stablehlo.tuple %b, %2 : tuple<tensor<2xf32>, !stablehlo.token>
  %4 = stablehlo.uniform_quantize %b : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %5 = shape.shape_of %b : tensor<2xf32> -> tensor<1xindex>
  return
}

// Each result has a probe, and the operations of a region come before the one that has it.

// CHECK-LABEL: func.func @regions(
// CHECK: %[[BOTH:.*]]:2 = "stablehlo.case"
// CHECK: %[[NEGATED:.*]] = stablehlo.negate
// CHECK-NEXT: %[[P5:.*]] = interpreter.probe %[[NEGATED]], probe_id = "probe5" : tensor<2xcomplex<f32>>
// CHECK-NEXT: stablehlo.return %[[P5]], %arg2
// CHECK: %[[P7:.*]] = interpreter.probe %[[BOTH]]#1, probe_id = "probe7" : tensor<i1>
// CHECK-NEXT: %[[P6:.*]] = interpreter.probe %[[BOTH]]#0, probe_id = "probe6" : tensor<2xcomplex<f32>>
// CHECK-NEXT: return %[[P6]], %[[P7]]
func.func @regions(%i: tensor<i32>, %a: tensor<2xcomplex<f32>>, %b: tensor<i1>) -> (tensor<2xcomplex<f32>>, tensor<i1>) {
  %0:2 = "stablehlo.case"(%i) ({
    %1 = stablehlo.negate %a : tensor<2xcomplex<f32>>
    stablehlo.return %1, %b : tensor<2xcomplex<f32>>, tensor<i1>
  }) : (tensor<i32>) -> (tensor<2xcomplex<f32>>, tensor<i1>)
  return %0#0, %0#1 : tensor<2xcomplex<f32>>, tensor<i1>
}
