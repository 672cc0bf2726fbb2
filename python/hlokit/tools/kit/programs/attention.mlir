func.func @main(%0: tensor<5x8x$>, %1: tensor<5x8x$>, %2: tensor<5x8x$>) -> tensor<5x8x$> {
  %s = stablehlo.dot_general %0, %1, contracting_dims = [1] x [1] : (tensor<5x8x$>, tensor<5x8x$>) -> tensor<5x5x$>
  %neg = stablehlo.constant dense<-1000.0> : tensor<$>
  %zero = stablehlo.constant dense<0.0> : tensor<$>
  %m = stablehlo.reduce(%s init: %neg) applies stablehlo.maximum across dimensions = [1] : (tensor<5x5x$>, tensor<$>) -> tensor<5x$>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<5x$>) -> tensor<5x5x$>
  %d = stablehlo.subtract %s, %mb : tensor<5x5x$>
  %e = stablehlo.exponential %d : tensor<5x5x$>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5x5x$>, tensor<$>) -> tensor<5x$>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<5x$>) -> tensor<5x5x$>
  %p = stablehlo.divide %e, %tb : tensor<5x5x$>
  %r = stablehlo.dot_general %p, %2, contracting_dims = [1] x [0] : (tensor<5x5x$>, tensor<5x8x$>) -> tensor<5x8x$>
  return %r : tensor<5x8x$>
}
