// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// The spec's example.
module @all_reduce_adds {
  func.func @reduce(%operand0: tensor<4xi64>, %operand1: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
    %result:2 = "stablehlo.all_reduce"(%operand0, %operand1) ({
    ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i64>
      stablehlo.return %sum : tensor<i64>
    }) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>
    } : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
    return %result#0, %result#1 : tensor<4xi64>, tensor<4xi64>
  }
  func.func @main() {
    %a0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %b0 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
    %a1 = stablehlo.constant dense<[9, 10, 11, 12]> : tensor<4xi64>
    %b1 = stablehlo.constant dense<[13, 14, 15, 16]> : tensor<4xi64>
    %results:4 = "interpreter.run_parallel"(%a0, %a1, %b0, %b1) {programs = [[@reduce], [@reduce]]}
      : (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
      -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>)
    check.expect_eq_const %results#0, dense<[6, 8, 10, 12]> : tensor<4xi64>
    check.expect_eq_const %results#1, dense<[22, 24, 26, 28]> : tensor<4xi64>
    check.expect_eq_const %results#2, dense<[6, 8, 10, 12]> : tensor<4xi64>
    check.expect_eq_const %results#3, dense<[22, 24, 26, 28]> : tensor<4xi64>
    return
  }
}

// -----

// The computation sees the group in its order: 2 - 0 - 1 for the values 2, 0, 1 of the processes 2, 0, 1.
module @all_reduce_from_left_to_right {
  func.func @reduce(%operand: tensor<i8>) -> tensor<i8> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i8>, %rhs: tensor<i8>):
      %difference = stablehlo.subtract %lhs, %rhs : tensor<i8>
      stablehlo.return %difference : tensor<i8>
    }) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (tensor<i8>) -> tensor<i8>
    return %result : tensor<i8>
  }
  func.func @main() {
    %zero = stablehlo.constant dense<0> : tensor<i8>
    %one = stablehlo.constant dense<1> : tensor<i8>
    %two = stablehlo.constant dense<2> : tensor<i8>
    %results:3 = "interpreter.run_parallel"(%zero, %one, %two) {programs = [[@reduce], [@reduce], [@reduce]]}
      : (tensor<i8>, tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>, tensor<i8>)
    check.expect_eq_const %results#0, dense<1> : tensor<i8>
    check.expect_eq_const %results#1, dense<1> : tensor<i8>
    check.expect_eq_const %results#2, dense<1> : tensor<i8>
    return
  }
}

// -----

// No groups are one group of all.
module @all_reduce_without_groups {
  func.func @reduce() -> tensor<ui32> {
    %id = stablehlo.replica_id : tensor<ui32>
    %result = "stablehlo.all_reduce"(%id) ({
    ^bb0(%lhs: tensor<ui32>, %rhs: tensor<ui32>):
      %largest = stablehlo.maximum %lhs, %rhs : tensor<ui32>
      stablehlo.return %largest : tensor<ui32>
    }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<ui32>) -> tensor<ui32>
    return %result : tensor<ui32>
  }
  func.func @main() {
    %results:3 = "interpreter.run_parallel"() {programs = [[@reduce], [@reduce], [@reduce]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %results#0, dense<2> : tensor<ui32>
    check.expect_eq_const %results#1, dense<2> : tensor<ui32>
    check.expect_eq_const %results#2, dense<2> : tensor<ui32>
    return
  }
}

// -----

// -1 stands for nobody: the groups are {0, 2} and {1}.
module @all_reduce_in_groups_of_different_sizes {
  func.func @reduce(%operand: tensor<f32>) -> tensor<f32> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) {replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>} : (tensor<f32>) -> tensor<f32>
    return %result : tensor<f32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1.0> : tensor<f32>
    %b = stablehlo.constant dense<2.0> : tensor<f32>
    %c = stablehlo.constant dense<4.0> : tensor<f32>
    %results:3 = "interpreter.run_parallel"(%a, %b, %c) {programs = [[@reduce], [@reduce], [@reduce]]}
      : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
    check.expect_eq_const %results#0, dense<5.0> : tensor<f32>
    check.expect_eq_const %results#1, dense<2.0> : tensor<f32>
    check.expect_eq_const %results#2, dense<5.0> : tensor<f32>
    return
  }
}

// -----

// Operands of a narrower type are converted before they are added: 120 + 120 does not wrap.
module @all_reduce_promotes {
  func.func @reduce(%operand: tensor<2xi8>) -> tensor<2xi32> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi8>) -> tensor<2xi32>
    return %result : tensor<2xi32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[120, -128]> : tensor<2xi8>
    %results:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@reduce], [@reduce]]}
      : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %results#0, dense<[240, -256]> : tensor<2xi32>
    check.expect_eq_const %results#1, dense<[240, -256]> : tensor<2xi32>
    return
  }
}

// -----

// Every step rounds as the computation does: bf16 has 8 bits, so that 256 + 1 is 256 again.
module @all_reduce_rounds_every_step {
  func.func @reduce(%operand: tensor<bf16>) -> tensor<bf16> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<bf16>, %rhs: tensor<bf16>):
      %sum = stablehlo.add %lhs, %rhs : tensor<bf16>
      stablehlo.return %sum : tensor<bf16>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<bf16>) -> tensor<bf16>
    return %result : tensor<bf16>
  }
  func.func @main() {
    %large = stablehlo.constant dense<256.0> : tensor<bf16>
    %one = stablehlo.constant dense<1.0> : tensor<bf16>
    %results:3 = "interpreter.run_parallel"(%large, %one, %one) {programs = [[@reduce], [@reduce], [@reduce]]}
      : (tensor<bf16>, tensor<bf16>, tensor<bf16>) -> (tensor<bf16>, tensor<bf16>, tensor<bf16>)
    check.expect_eq_const %results#0, dense<256.0> : tensor<bf16>
    return
  }
}

// -----

// A computation that is not pointwise: it sorts a pair and takes the smaller value.
module @all_reduce_element_by_element {
  func.func @reduce(%operand: tensor<2xi16>) -> tensor<2xi16> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i16>, %rhs: tensor<i16>):
      %l = stablehlo.reshape %lhs : (tensor<i16>) -> tensor<1xi16>
      %r = stablehlo.reshape %rhs : (tensor<i16>) -> tensor<1xi16>
      %pair = stablehlo.concatenate %l, %r, dim = 0 : (tensor<1xi16>, tensor<1xi16>) -> tensor<2xi16>
      %reversed = stablehlo.reverse %pair, dims = [0] : tensor<2xi16>
      %first = stablehlo.minimum %pair, %reversed : tensor<2xi16>
      %one = stablehlo.slice %first [0:1] : (tensor<2xi16>) -> tensor<1xi16>
      %least = stablehlo.reshape %one : (tensor<1xi16>) -> tensor<i16>
      stablehlo.return %least : tensor<i16>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi16>) -> tensor<2xi16>
    return %result : tensor<2xi16>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1, -5]> : tensor<2xi16>
    %b = stablehlo.constant dense<[-1, 5]> : tensor<2xi16>
    %results:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@reduce], [@reduce]]}
      : (tensor<2xi16>, tensor<2xi16>) -> (tensor<2xi16>, tensor<2xi16>)
    check.expect_eq_const %results#0, dense<[-1, -5]> : tensor<2xi16>
    check.expect_eq_const %results#1, dense<[-1, -5]> : tensor<2xi16>
    return
  }
}

// -----

// Two operations on one channel, and a loop around one: they never mix.
module @all_reduce_again_and_again {
  func.func @reduce(%operand: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %largest = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %m = stablehlo.maximum %lhs, %rhs : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}
      : (tensor<i32>) -> tensor<i32>
    %results:2 = stablehlo.while(%i = %zero, %total = %operand) : tensor<i32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %sum = "stablehlo.all_reduce"(%total) ({
      ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
        %s = stablehlo.add %lhs, %rhs : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}
        : (tensor<i32>) -> tensor<i32>
      stablehlo.return %next, %sum : tensor<i32>, tensor<i32>
    }
    return %largest, %results#1 : tensor<i32>, tensor<i32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<3> : tensor<i32>
    %b = stablehlo.constant dense<4> : tensor<i32>
    %results:4 = "interpreter.run_parallel"(%a, %b) {programs = [[@reduce], [@reduce]]}
      : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %results#0, dense<4> : tensor<i32>
    check.expect_eq_const %results#1, dense<28> : tensor<i32>
    check.expect_eq_const %results#2, dense<4> : tensor<i32>
    check.expect_eq_const %results#3, dense<28> : tensor<i32>
    return
  }
}

// -----

// Groups along axes of a mesh of 2 x 2 devices: {0, 2} and {1, 3}.
module @all_reduce_along_a_mesh_axis {
  func.func @reduce(%operand: tensor<i32>) -> tensor<i32> {
    %result = "stablehlo.all_reduce"(%operand) ({
    ^bb0(%lhs: tensor<i32>, %rhs: tensor<i32>):
      %sum = stablehlo.add %lhs, %rhs : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) {
      replica_groups = #stablehlo.replica_group_mesh_axes<
        mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>,
        axes = [#stablehlo.axis_ref<name = "x">]>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
      use_global_device_ids
    } : (tensor<i32>) -> tensor<i32>
    return %result : tensor<i32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<10> : tensor<i32>
    %c = stablehlo.constant dense<100> : tensor<i32>
    %d = stablehlo.constant dense<1000> : tensor<i32>
    %results:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@reduce, @reduce], [@reduce, @reduce]]}
      : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %results#0, dense<101> : tensor<i32>
    check.expect_eq_const %results#1, dense<1010> : tensor<i32>
    check.expect_eq_const %results#2, dense<101> : tensor<i32>
    check.expect_eq_const %results#3, dense<1010> : tensor<i32>
    return
  }
}
