// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// What is written goes out; the program goes on.
func.func @outfeed_of_two_values() {
  %token = stablehlo.create_token : !stablehlo.token
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<0.5> : tensor<bf16>
  %done = "stablehlo.outfeed"(%a, %b, %token) {outfeed_config = ""}
    : (tensor<2xi32>, tensor<bf16>, !stablehlo.token) -> !stablehlo.token
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  return
}
