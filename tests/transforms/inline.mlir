// RUN: stablehlo-opt --inline --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @inlines_calls_of_calls
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>)
// CHECK-NEXT: %[[A:.*]] = stablehlo.cosine %[[X]]
// CHECK-NEXT: %[[B:.*]] = stablehlo.sine %[[A]]
// CHECK-NEXT: %[[C:.*]] = stablehlo.cosine %[[B]]
// CHECK-NEXT: return %[[C]]
// CHECK-NOT: func.func private
func.func @inlines_calls_of_calls(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = call @outer(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = call @inner(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}
func.func private @outer(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = call @inner(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = stablehlo.sine %a : tensor<2xf32>
  return %b : tensor<2xf32>
}
func.func private @inner(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = stablehlo.cosine %x : tensor<2xf32>
  return %a : tensor<2xf32>
}

// -----

// A recursive function is called once more, and stays; so does a public one.
// CHECK-LABEL: func.func @keeps_recursion
// CHECK: call @endless
// CHECK: func.func private @endless
// CHECK: func.func @public
func.func @keeps_recursion(%x: tensor<i32>) -> tensor<i32> {
  %a = call @public(%x) : (tensor<i32>) -> tensor<i32>
  %b = call @endless(%a) : (tensor<i32>) -> tensor<i32>
  return %b : tensor<i32>
}
func.func private @endless(%x: tensor<i32>) -> tensor<i32> {
  %a = call @endless(%x) : (tensor<i32>) -> tensor<i32>
  return %a : tensor<i32>
}
func.func @public(%x: tensor<i32>) -> tensor<i32> {
  %a = stablehlo.negate %x : tensor<i32>
  return %a : tensor<i32>
}

// -----

// A call in a region, of a function that a composite names as well.
// CHECK-LABEL: func.func @inlines_in_regions
// CHECK: "stablehlo.if"
// CHECK: stablehlo.abs
// CHECK-NOT: call @
// CHECK: stablehlo.composite "a.b"
// CHECK: func.func private @body
func.func @inlines_in_regions(%p: tensor<i1>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r = "stablehlo.if"(%p) ({
    %a = func.call @body(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %c = stablehlo.composite "a.b" %x {decomposition = @body} : (tensor<f32>) -> tensor<f32>
  return %r, %c : tensor<f32>, tensor<f32>
}
func.func private @body(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.abs %x : tensor<f32>
  return %a : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @keeps_what_must_not_be_inlined
// CHECK: call @kept
// CHECK-NEXT: call @taken(%{{.*}}) {{[{<]no_inline[}>]}}
// CHECK-NEXT: stablehlo.sine
// CHECK-NEXT: return
func.func @keeps_what_must_not_be_inlined(%x: tensor<f32>) -> tensor<f32> {
  %a = call @kept(%x) : (tensor<f32>) -> tensor<f32>
  %b = "func.call"(%a) <{callee = @taken, no_inline}> : (tensor<f32>) -> tensor<f32>
  %c = call @taken(%b) : (tensor<f32>) -> tensor<f32>
  return %c : tensor<f32>
}
func.func private @kept(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  %a = stablehlo.cosine %x : tensor<f32>
  return %a : tensor<f32>
}
func.func private @taken(%x: tensor<f32>) -> tensor<f32> {
  %a = stablehlo.sine %x : tensor<f32>
  return %a : tensor<f32>
}
