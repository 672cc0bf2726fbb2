// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s

// CHECK-LABEL: @reductions
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi32>, %[[E:.*]]: tensor<2x0xi32>, %[[I:.*]]: tensor<i32>)
func.func @reductions(%x: tensor<2x3xi32>, %e: tensor<2x0xi32>, %i: tensor<i32>) -> (tensor<2x3xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>) {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  // CHECK-DAG: %[[INIT:.*]] = stablehlo.broadcast_in_dim %[[I]], dims = [] : (tensor<i32>) -> tensor<2xi32>
  %1 = stablehlo.reduce(%e init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<2x0xi32>, tensor<i32>) -> tensor<2xi32>
  // CHECK-DAG: %[[OUTER:.*]] = stablehlo.broadcast_in_dim %[[I]], dims = [] : (tensor<i32>) -> tensor<3xi32>
  %2 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
    stablehlo.return %i : tensor<i32>
  }
  // CHECK-DAG: %[[KEPT:.*]] = stablehlo.reduce(%[[X]] init: %[[I]]) applies stablehlo.add across dimensions = [1]
  %3 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  // CHECK: return %[[X]], %[[INIT]], %[[OUTER]], %[[KEPT]]
  return %0, %1, %2, %3 : tensor<2x3xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>
}

// CHECK-LABEL: @reduction_of_three
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xi32>, %[[Z:.*]]: tensor<4xf64>, %[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<i32>, %[[C:.*]]: tensor<f64>)
func.func @reduction_of_three(%x: tensor<4xf32>, %y: tensor<4xi32>, %z: tensor<4xf64>, %a: tensor<f32>, %b: tensor<i32>, %c: tensor<f64>) -> (tensor<f32>, tensor<i32>) {
  // CHECK-NEXT: %[[R:.*]]:2 = stablehlo.reduce(%[[X]] init: %[[A]]), (%[[Y]] init: %[[B]]) across dimensions = [0]
  // CHECK-NOT: stablehlo.multiply
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0:3 = stablehlo.reduce(%x init: %a), (%y init: %b), (%z init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<4xf64>, tensor<f32>, tensor<i32>, tensor<f64>) -> (tensor<f32>, tensor<i32>, tensor<f64>)
    reducer(%x0: tensor<f32>, %x1: tensor<f32>) (%y0: tensor<i32>, %y1: tensor<i32>) (%z0: tensor<f64>, %z1: tensor<f64>) {
    %p = stablehlo.compare LT, %x0, %x1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x0, %x1 : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %y0, %y1 : tensor<i1>, tensor<i32>
    %s = stablehlo.multiply %z0, %z1 : tensor<f64>
    stablehlo.return %q, %r, %s : tensor<f32>, tensor<i32>, tensor<f64>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}

// The index that is used depends on the number that is not.
// CHECK-LABEL: @reduction_that_needs_both
// CHECK: stablehlo.reduce({{.*}}), ({{.*}})
func.func @reduction_that_needs_both(%x: tensor<4xf32>, %y: tensor<4xi32>, %a: tensor<f32>, %b: tensor<i32>) -> tensor<i32> {
  %0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%x0: tensor<f32>, %x1: tensor<f32>) (%y0: tensor<i32>, %y1: tensor<i32>) {
    %p = stablehlo.compare LT, %x0, %x1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.select %p, %x0, %x1 : tensor<i1>, tensor<f32>
    %r = stablehlo.select %p, %y0, %y1 : tensor<i1>, tensor<i32>
    stablehlo.return %q, %r : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<i32>
}

// CHECK-LABEL: @sorts
// CHECK-SAME: (%[[X:.*]]: tensor<3x5xf32>, %[[Y:.*]]: tensor<3x5xi32>, %[[ONE:.*]]: tensor<1x5xf32>)
func.func @sorts(%x: tensor<3x5xf32>, %y: tensor<3x5xi32>, %one: tensor<1x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xi32>, tensor<1x5xf32>) {
  // CHECK: "stablehlo.sort"(%[[X]]) <{dimension = 1 : i64, is_stable = true}>
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = -1 : i64, is_stable = true} : (tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
  // The comparator looks at what is not a result.
  // CHECK: "stablehlo.sort"(%[[X]], %[[Y]]) <{dimension = 0 : i64}>
  %1:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
  // CHECK-NOT: stablehlo.sort
  %2 = "stablehlo.sort"(%one) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<1x5xf32>) -> tensor<1x5xf32>
  // CHECK: return %{{.*}}, %{{.*}}#1, %[[ONE]]
  return %0#0, %1#1, %2 : tensor<3x5xf32>, tensor<3x5xi32>, tensor<1x5xf32>
}

// CHECK-LABEL: @branches
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[P:.*]]: tensor<i1>)
func.func @branches(%x: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %far = stablehlo.constant dense<7> : tensor<i32>
  // CHECK-NOT: stablehlo.case
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[X]]
  %0 = "stablehlo.if"(%true) ({
    %3 = stablehlo.sine %x : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }, {
    %3 = stablehlo.cosine %x : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK-NOT: stablehlo.case
  // CHECK: %[[TANH:.*]] = stablehlo.tanh %[[SINE]]
  %1 = "stablehlo.case"(%far) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %3 = stablehlo.tanh %0 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  // CHECK: %[[KEPT:.*]] = "stablehlo.if"(%[[P]])
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: return %[[SINE]], %[[TANH]], %[[KEPT]]
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @only_branch
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[I:.*]]: tensor<i32>)
// CHECK-NEXT: stablehlo.sine %[[X]]
func.func @only_branch(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.sine %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @loop_that_never_runs
// CHECK-SAME: (%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @loop_that_never_runs(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0:2 = stablehlo.while(%a = %x, %b = %y) : tensor<f32>, tensor<f32> cond {
    stablehlo.return %false : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1, %a : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// Its condition does something all the same.
// CHECK-LABEL: @loop_whose_condition_prints
// CHECK: stablehlo.while
// CHECK: stablehlo.custom_call @print
func.func @loop_whose_condition_prints(%x: tensor<f32>) -> tensor<f32> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.while(%a = %x) : tensor<f32> cond {
    stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<f32>) -> ()
    stablehlo.return %false : tensor<i1>
  } do {
    %1 = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: @carried_for_nothing
// CHECK-SAME: (%[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>)
func.func @carried_for_nothing(%n: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  // The limit is invariant, %c and %d are the same, and %e makes only %e.
  // CHECK: %[[R:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[C:.*]] = %[[X]]) : tensor<i32>, tensor<f32> attributes {of = "mine"}
  // CHECK: stablehlo.compare LT, %[[I]], %[[N]]
  // CHECK: %[[J:.*]] = stablehlo.add %[[I]],
  // CHECK-NEXT: %[[NEXT:.*]] = stablehlo.multiply %[[C]], %[[C]]
  // CHECK-NEXT: stablehlo.return %[[J]], %[[NEXT]]
  // CHECK: return %[[R]]#1, %[[R]]#1, %[[Y]]
  %0:6 = stablehlo.while(%i = %zero, %m = %n, %c = %x, %d = %x, %e = %x, %f = %y) : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32> attributes {of = "mine"} cond {
    %p = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.multiply %c, %d : tensor<f32>
    %3 = stablehlo.cosine %e : tensor<f32>
    %4 = stablehlo.add %3, %2 : tensor<f32>
    stablehlo.return %1, %m, %2, %2, %4, %y : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %0#2, %0#3, %0#5 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Nothing uses %c after the loop, but each round prints it.
// CHECK-LABEL: @carried_to_print
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %[[C:.*]] = %{{.*}}) : tensor<i32>, tensor<f32>
// CHECK: stablehlo.custom_call @print(%[[C]])
func.func @carried_to_print(%n: tensor<i32>, %x: tensor<f32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<f32> cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.custom_call @print(%c) {has_side_effect = true} : (tensor<f32>) -> ()
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.cosine %c : tensor<f32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<f32>
  }
  return %0#0 : tensor<i32>
}

// Equal at first, but not later: each makes the other.
// CHECK-LABEL: @carried_crosswise
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
func.func @carried_crosswise(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %c = %x, %d = %x) : tensor<i32>, tensor<f32>, tensor<f32> cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.cosine %c : tensor<f32>
    stablehlo.return %1, %d, %2 : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}

// A sharding for each result: it would not fit fewer.
// CHECK-LABEL: @sharded_loop
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
sdy.mesh @mesh = <["x"=2]>
func.func @sharded_loop(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %c = %x) : tensor<i32>, tensor<4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>} cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %1, %c : tensor<i32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<4xf32>
}

// CHECK-LABEL: @reductions_of_nothing_dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<?x0x?xf32>, %[[I:.*]]: tensor<f32>)
// CHECK: %[[ROWS:.*]] = stablehlo.get_dimension_size %[[X]], dim = 0
// CHECK: %[[ROW:.*]] = stablehlo.reshape %[[ROWS]]
// CHECK: %[[COLUMNS:.*]] = stablehlo.get_dimension_size %[[X]], dim = 2
// CHECK: %[[COLUMN:.*]] = stablehlo.reshape %[[COLUMNS]]
// CHECK: %[[SIZES:.*]] = stablehlo.concatenate %[[ROW]], %[[COLUMN]], dim = 0
// CHECK: %[[SOME:.*]] = stablehlo.dynamic_broadcast_in_dim %[[I]], %[[SIZES]], dims = []
// CHECK: return %[[I]], %[[SOME]]
func.func @reductions_of_nothing_dynamic(%x: tensor<?x0x?xf32>, %i: tensor<f32>) -> (tensor<f32>, tensor<?x?xf32>) {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<?x0x?xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<?x0x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<f32>, tensor<?x?xf32>
}

func.func private @declared(tensor<f32>) -> tensor<f32>
