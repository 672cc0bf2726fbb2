// What no StableHLO of today has a form for is refused, and so are targets that do not exist.
// RUN: stablehlo-opt --vhlo-legalize-to-stablehlo --split-input-file --verify-diagnostics %s
// RUN: not stablehlo-opt --vhlo-to-version='target=99.0.0' %s 2>&1 | FileCheck %s --check-prefix=FUTURE
// RUN: not stablehlo-opt --vhlo-to-version='target=0.8.0' %s 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not stablehlo-opt --vhlo-to-version='target=new' %s 2>&1 | FileCheck %s --check-prefix=WORD

// FUTURE: target version 99.0.0 is greater than current version
// PAST: target version 0.8.0 is less than minimum supported
// WORD: Invalid target version argument 'new'

// An older form has to become the newest first.
vhlo.func_v1 @older(%x: !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
  // expected-error@+1 {{failed to legalize operation 'vhlo.exponential_v1'}}
  %0 = "vhlo.exponential_v1"(%x) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
