func.func @main(%0: tensor<3x5x$>) -> tensor<5x3x$> {
  %n = stablehlo.get_dimension_size %0, dim = 0 : (tensor<3x5x$>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %0, dim = 1 : (tensor<3x5x$>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %d = stablehlo.dynamic_reshape %0, %shape : (tensor<3x5x$>, tensor<2xi32>) -> tensor<?x?x$>
  %s = stablehlo.add %d, %d : tensor<?x?x$>
  %r = stablehlo.convert %s : (tensor<?x?x$>) -> tensor<5x3x$>
  return %r : tensor<5x3x$>
}
