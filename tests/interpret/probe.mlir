// RUN: stablehlo-translate --interpret --split-input-file --require-checks --probe-output-dir=%t %s

// The operand passes through. What is stored is what it was, for every kind of type.
func.func @probe_of_every_kind() {
  %a = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %b = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %c = stablehlo.constant dense<[[18446744073709551615]]> : tensor<1x1xui64>
  %d = stablehlo.constant dense<0x7FC1> : tensor<bf16>
  %e = stablehlo.constant dense<[-6.0, 0.5]> : tensor<2xf4E2M1FN>
  %f = stablehlo.constant dense<-0.0> : tensor<f32>
  %g = stablehlo.constant dense<(1.0, -0.0)> : tensor<3xcomplex<f64>>
  %h = stablehlo.constant dense<> : tensor<0x2xf8E5M2>
  %a1 = interpreter.probe %a, probe_id = "a" : tensor<2xi1>
  %b1 = interpreter.probe %b, probe_id = "b" : tensor<2xi4>
  %c1 = interpreter.probe %c, probe_id = "c" : tensor<1x1xui64>
  %d1 = interpreter.probe %d, probe_id = "d" : tensor<bf16>
  %e1 = interpreter.probe %e, probe_id = "e" : tensor<2xf4E2M1FN>
  %f1 = interpreter.probe %f, probe_id = "f" : tensor<f32>
  %g1 = interpreter.probe %g, probe_id = "g" : tensor<3xcomplex<f64>>
  %h1 = interpreter.probe %h, probe_id = "h" : tensor<0x2xf8E5M2>
  check.expect_eq_const %b1, dense<[-8, 7]> : tensor<2xi4>
  check.expect_serialized_eq %a, probe_id = "a" : tensor<2xi1>
  check.expect_serialized_eq %b, probe_id = "b" : tensor<2xi4>
  check.expect_serialized_eq %c, probe_id = "c" : tensor<1x1xui64>
  check.expect_serialized_eq %d, probe_id = "d" : tensor<bf16>
  check.expect_serialized_eq %e, probe_id = "e" : tensor<2xf4E2M1FN>
  check.expect_serialized_eq %f, probe_id = "f" : tensor<f32>
  check.expect_serialized_eq %g, probe_id = "g" : tensor<3xcomplex<f64>>
  check.expect_serialized_eq %h, probe_id = "h" : tensor<0x2xf8E5M2>
  return
}

// -----

// An id need be no file name, and one id may be the beginning of another.
func.func @probe_ids() {
  %a = stablehlo.constant dense<1> : tensor<i8>
  %b = stablehlo.constant dense<2> : tensor<i8>
  %0 = interpreter.probe %a, probe_id = "../x/ y" : tensor<i8>
  %1 = interpreter.probe %b, probe_id = "../x" : tensor<i8>
  check.expect_serialized_eq %a, probe_id = "../x/ y" : tensor<i8>
  check.expect_serialized_eq %b, probe_id = "../x" : tensor<i8>
  return
}

// -----

// In a loop, values are counted from 0, those of other probes not.
func.func @probe_iterations() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %other = interpreter.probe %two, probe_id = "other" : tensor<i32>
  %last = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %seen = interpreter.probe %i, probe_id = "i" : tensor<i32>
    %next = stablehlo.add %seen, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  check.expect_serialized_eq %zero, probe_id = "i" : tensor<i32>
  check.expect_serialized_eq %one, probe_id = "i", iter = 1 : tensor<i32>
  check.expect_serialized_eq %two, probe_id = "other" : tensor<i32>
  return
}
