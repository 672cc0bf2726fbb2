// RUN: stablehlo-opt --split-input-file --verify-diagnostics %s

// torch_index_select is deprecated and has no section in the specification: functions are named after what
// is wrong. The bindings check types only.

func.func @torch_index_select(%operand: tensor<5x3xf32>, %index: tensor<2xi32>) {
  %0 = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 0 : i64, batch_dims = 0 : i64
  } : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @torch_index_select_dynamic(%operand: tensor<?x3xf32>, %index: tensor<?xi32>) {
  %0 = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 0 : i64, batch_dims = 0 : i64
  } : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?x3xf32>
  func.return
}

// -----

func.func @torch_index_select_batched(%operand: tensor<4x5x3xf32>, %index: tensor<4x2xi64>) {
  %0 = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 1 : i64, batch_dims = 1 : i64
  } : (tensor<4x5x3xf32>, tensor<4x2xi64>) -> tensor<4x2x3xf32>
  func.return
}

// -----

func.func @torch_index_select_operand(%operand: tensor<5x3xindex>, %index: tensor<2xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 0 : i64, batch_dims = 0 : i64
  } : (tensor<5x3xindex>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @torch_index_select_no_dim(%operand: tensor<5x3xf32>, %index: tensor<2xi32>) {
  // expected-error@+1 {{requires attribute 'dim'}}
  %0 = "stablehlo.torch_index_select"(%operand, %index) {
    batch_dims = 0 : i64
  } : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @torch_index_select_dim_type(%operand: tensor<5x3xf32>, %index: tensor<2xi32>) {
  // expected-error@+1 {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "stablehlo.torch_index_select"(%operand, %index) {
    dim = 0 : i32, batch_dims = 0 : i64
  } : (tensor<5x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return
}
