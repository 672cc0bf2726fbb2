func.func @main(%0: tensor<4x8x$>, %1: tensor<8x16x$>, %2: tensor<16x$>, %3: tensor<16x3x$>) -> tensor<4x3x$> {
  %h = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<4x8x$>, tensor<8x16x$>) -> tensor<4x16x$>
  %b = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<16x$>) -> tensor<4x16x$>
  %s = stablehlo.add %h, %b : tensor<4x16x$>
  %a = stablehlo.tanh %s : tensor<4x16x$>
  %r = stablehlo.dot_general %a, %3, contracting_dims = [1] x [0] : (tensor<4x16x$>, tensor<16x3x$>) -> tensor<4x3x$>
  return %r : tensor<4x3x$>
}
