// RUN: stablehlo-opt --chlo-pre-serialization-pipeline --verify-diagnostics %s

// Whether two sizes that nobody knows broadcast is a question that StableHLO cannot ask.

func.func @unknown_sizes(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{failed to legalize operation 'shape.cstr_broadcastable' that was explicitly marked illegal}}
  %0 = chlo.broadcast_multiply %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
