// RUN: not stablehlo-translate --interpret %s 2>&1 | FileCheck %s

func.func @receive(%token: !stablehlo.token) {
  // CHECK: deadlock.mlir:[[# @LINE + 8]]:12: error: stablehlo.recv: deadlock: every process waits or has ended
  // CHECK-NEXT: "stablehlo.recv"
  // CHECK-NEXT: ^
  // CHECK-NEXT: process (0, 0) waits at stablehlo.recv in @receive at {{.*}}deadlock.mlir:{{[0-9]+:[0-9]+}} for a message on channel 1
  // CHECK-NEXT: process (0, 1) has ended
  // CHECK-NEXT: process (1, 0) waits at stablehlo.all_gather in @gather at {{.*}}deadlock.mlir:{{[0-9]+:[0-9]+}} for process (0, 0)
  // CHECK-NEXT: process (1, 1) has ended
  // CHECK-NEXT: in @receive, stablehlo.recv
  %0, %1 = "stablehlo.recv"(%token) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i8>, !stablehlo.token)
  return
}
func.func @gather(%operand: tensor<1xi8>) {
  %0 = "stablehlo.all_gather"(%operand) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<1xi8>) -> tensor<2xi8>
  return
}
func.func @end() {
  return
}
// CHECK: note: called from @main, interpreter.run_parallel
func.func @main() {
  %token = stablehlo.create_token : !stablehlo.token
  %operand = stablehlo.constant dense<1> : tensor<1xi8>
  "interpreter.run_parallel"(%token, %operand) {programs = [[@receive, @end], [@gather, @end]]}
    : (!stablehlo.token, tensor<1xi8>) -> ()
  return
}
