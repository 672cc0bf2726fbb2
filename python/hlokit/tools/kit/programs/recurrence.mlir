func.func @main(%0: tensor<6x4x$>, %1: tensor<4x4x$>) -> tensor<4x$> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<4x$>
  %r:2 = stablehlo.while(%i = %zero, %h = %start) : tensor<i32>, tensor<4x$>
  cond {
    %p = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %0, %i, %zero, sizes = [1, 4] : (tensor<6x4x$>, tensor<i32>, tensor<i32>) -> tensor<1x4x$>
    %x = stablehlo.reshape %row : (tensor<1x4x$>) -> tensor<4x$>
    %w = stablehlo.dot_general %h, %1, contracting_dims = [0] x [0] : (tensor<4x$>, tensor<4x4x$>) -> tensor<4x$>
    %s = stablehlo.add %w, %x : tensor<4x$>
    %t = stablehlo.tanh %s : tensor<4x$>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %t : tensor<i32>, tensor<4x$>
  }
  return %r#1 : tensor<4x$>
}
