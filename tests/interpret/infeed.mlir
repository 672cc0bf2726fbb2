// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Each process reads all entries, from the first on.
module @infeed_of_each_process {
  func.func @read(%token: !stablehlo.token) -> (tensor<2xi8>, tensor<f32>) {
    %first:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi8>, !stablehlo.token)
    %second:2 = "stablehlo.infeed"(%first#1) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    return %first#0, %second#0 : tensor<2xi8>, tensor<f32>
  }
  func.func @first() -> tensor<2xi8> {
    %0 = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
    return %0 : tensor<2xi8>
  }
  func.func @second() -> tensor<f32> {
    %0 = stablehlo.constant dense<0.5> : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @main() {
    %token = stablehlo.create_token : !stablehlo.token
    %results:4 = "interpreter.run_parallel"(%token, %token) {infeed = [@first, @second], programs = [[@read], [@read]]}
      : (!stablehlo.token, !stablehlo.token) -> (tensor<2xi8>, tensor<f32>, tensor<2xi8>, tensor<f32>)
    check.expect_eq_const %results#0, dense<[1, -1]> : tensor<2xi8>
    check.expect_eq_const %results#1, dense<0.5> : tensor<f32>
    check.expect_eq_const %results#2, dense<[1, -1]> : tensor<2xi8>
    check.expect_eq_const %results#3, dense<0.5> : tensor<f32>
    return
  }
}
