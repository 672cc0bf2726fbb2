// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.9.0' --split-input-file --verify-diagnostics %s

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.cbrt' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_cbrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.cbrt_v}}
    %0 = "stablehlo.cbrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.cosine' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_cosine(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.cosine_v}}
    %0 = "stablehlo.cosine"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.exponential_minus_one' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_exponential_minus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.exponential_minus_one_v}}
    %0 = "stablehlo.exponential_minus_one"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.log' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_log(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.log_v}}
    %0 = "stablehlo.log"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.log_plus_one' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_log_plus_one(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.log_plus_one_v}}
    %0 = "stablehlo.log_plus_one"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.logistic' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_logistic(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.logistic_v}}
    %0 = "stablehlo.logistic"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.rsqrt' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_rsqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.rsqrt_v}}
    %0 = "stablehlo.rsqrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.sine' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_sine(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.sine_v}}
    %0 = "stablehlo.sine"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.sqrt' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_sqrt(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.sqrt_v}}
    %0 = "stablehlo.sqrt"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.tan' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_tan(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.tan_v}}
    %0 = "stablehlo.tan"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// needs: attribute 'result_accuracy = result_accuracy<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_...' of operation 'stablehlo.tanh' needs StableHLO 1.10.0 (result_accuracy of the other transcendental operations)
// expected-error@+1 {{failed to convert VHLO to v1.9.0}}
module {
  func.func @attr_result_accuracy_tanh(%operand: tensor<2xf32>) -> tensor<2xf32> {
    // expected-error@+1 {{failed to legalize operation 'vhlo.tanh_v}}
    %0 = "stablehlo.tanh"(%operand) {result_accuracy = #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
