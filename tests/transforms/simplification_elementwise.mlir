// RUN: stablehlo-opt --stablehlo-aggressive-simplification %s | FileCheck %s

// Each function has what is simplified, then what is not for one reason more.

// CHECK-LABEL: @constant_goes_right
// CHECK-SAME: (%[[X:.*]]: tensor<3xi16>, %[[Y:.*]]: tensor<3xi16>)
func.func @constant_goes_right(%x: tensor<3xi16>, %y: tensor<3xi16>) -> (tensor<3xi16>, tensor<3xi16>, tensor<3xi16>, tensor<3xi16>) {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<[5, 6, 7]>
  %c = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi16>
  // CHECK: stablehlo.add %[[X]], %[[C]]
  %0 = stablehlo.add %c, %x : tensor<3xi16>
  // CHECK: stablehlo.xor %[[X]], %[[C]] {note.of = "me"}
  %1 = stablehlo.xor %c, %x {note.of = "me"} : tensor<3xi16>
  // CHECK: stablehlo.subtract %[[C]], %[[X]]
  %2 = stablehlo.subtract %c, %x : tensor<3xi16>
  // CHECK: stablehlo.add %[[Y]], %[[X]]
  %3 = stablehlo.add %y, %x : tensor<3xi16>
  return %0, %1, %2, %3 : tensor<3xi16>, tensor<3xi16>, tensor<3xi16>, tensor<3xi16>
}

// CHECK-LABEL: @neutral_integers
// CHECK-SAME: (%[[X:.*]]: tensor<4xi8>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]] :
func.func @neutral_integers(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %zero = stablehlo.constant dense<0> : tensor<4xi8>
  %one = stablehlo.constant dense<1> : tensor<4xi8>
  %ones = stablehlo.constant dense<-1> : tensor<4xi8>
  %0 = stablehlo.add %zero, %x : tensor<4xi8>
  %1 = stablehlo.subtract %x, %zero : tensor<4xi8>
  %2 = stablehlo.multiply %one, %x : tensor<4xi8>
  %3 = stablehlo.divide %x, %one : tensor<4xi8>
  %4 = stablehlo.and %ones, %x : tensor<4xi8>
  %5 = stablehlo.or %x, %zero : tensor<4xi8>
  %6 = stablehlo.xor %x, %zero : tensor<4xi8>
  %7 = stablehlo.shift_left %x, %zero : tensor<4xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: @not_neutral
// CHECK: stablehlo.subtract
// CHECK: stablehlo.divide
// CHECK: stablehlo.and
// CHECK: stablehlo.add
func.func @not_neutral(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %zero = stablehlo.constant dense<0> : tensor<4xi8>
  %one = stablehlo.constant dense<1> : tensor<4xi8>
  %some = stablehlo.constant dense<[0, 0, 0, 1]> : tensor<4xi8>
  %0 = stablehlo.subtract %zero, %x : tensor<4xi8>
  %1 = stablehlo.divide %one, %x : tensor<4xi8>
  %2 = stablehlo.and %x, %one : tensor<4xi8>
  %3 = stablehlo.add %x, %some : tensor<4xi8>
  return %0, %1, %2, %3 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: @absorbing_integers
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0>
// CHECK-DAG: %[[ONES:.*]] = stablehlo.constant dense<255>
// CHECK: return %[[ZERO]], %[[ZERO]], %[[ONES]], %[[ONES]], %[[ZERO]]
func.func @absorbing_integers(%x: tensor<2x2xui8>) -> (tensor<2x2xui8>, tensor<2x2xui8>, tensor<2x2xui8>, tensor<2x2xui8>, tensor<2x2xui8>) {
  %zero = stablehlo.constant dense<0> : tensor<2x2xui8>
  %ones = stablehlo.constant dense<255> : tensor<2x2xui8>
  %0 = stablehlo.multiply %x, %zero : tensor<2x2xui8>
  %1 = stablehlo.and %zero, %x : tensor<2x2xui8>
  %2 = stablehlo.or %x, %ones : tensor<2x2xui8>
  %3 = stablehlo.maximum %x, %ones : tensor<2x2xui8>
  %4 = stablehlo.minimum %x, %zero : tensor<2x2xui8>
  return %0, %1, %2, %3, %4 : tensor<2x2xui8>, tensor<2x2xui8>, tensor<2x2xui8>, tensor<2x2xui8>, tensor<2x2xui8>
}

// CHECK-LABEL: @extremes
// CHECK-SAME: (%[[X:.*]]: tensor<i16>, %[[P:.*]]: tensor<i1>, %[[F:.*]]: tensor<f16>)
func.func @extremes(%x: tensor<i16>, %p: tensor<i1>, %f: tensor<f16>) -> (tensor<i16>, tensor<i16>, tensor<i1>, tensor<f16>, tensor<f16>, tensor<f16>) {
  %least = stablehlo.constant dense<-32768> : tensor<i16>
  %greatest = stablehlo.constant dense<32767> : tensor<i16>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %low = stablehlo.constant dense<0xFC00> : tensor<f16>
  %high = stablehlo.constant dense<0x7C00> : tensor<f16>
  %0 = stablehlo.maximum %x, %least : tensor<i16>
  %1 = stablehlo.minimum %greatest, %x : tensor<i16>
  %2 = stablehlo.maximum %p, %false : tensor<i1>
  %3 = stablehlo.maximum %f, %low : tensor<f16>
  %4 = stablehlo.minimum %f, %high : tensor<f16>
  // NaN stays NaN.
  // CHECK: %[[KEPT:.*]] = stablehlo.maximum %[[F]],
  %5 = stablehlo.maximum %f, %high : tensor<f16>
  // CHECK: return %[[X]], %[[X]], %[[P]], %[[F]], %[[F]], %[[KEPT]]
  return %0, %1, %2, %3, %4, %5 : tensor<i16>, tensor<i16>, tensor<i1>, tensor<f16>, tensor<f16>, tensor<f16>
}

// CHECK-LABEL: @floats
// CHECK-SAME: (%[[X:.*]]: tensor<3xbf16>)
func.func @floats(%x: tensor<3xbf16>) -> (tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<3xbf16>
  %one = stablehlo.constant dense<1.0> : tensor<3xbf16>
  // As upstream's pass does, although x may be -0.
  %0 = stablehlo.add %x, %zero : tensor<3xbf16>
  %1 = stablehlo.subtract %x, %zero : tensor<3xbf16>
  %2 = stablehlo.multiply %x, %one : tensor<3xbf16>
  %3 = stablehlo.divide %x, %one : tensor<3xbf16>
  %4 = stablehlo.maximum %x, %x : tensor<3xbf16>
  // Neither is 0 where x is NaN or infinite.
  // CHECK: %[[A:.*]] = stablehlo.multiply %[[X]],
  %5 = stablehlo.multiply %x, %zero : tensor<3xbf16>
  // CHECK: %[[B:.*]] = stablehlo.subtract %[[X]], %[[X]]
  %6 = stablehlo.subtract %x, %x : tensor<3xbf16>
  // CHECK: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[A]], %[[B]]
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>
}

// Zero of the storage is not zero of the type.
// CHECK-LABEL: @quantized
// CHECK: %[[SUM:.*]] = stablehlo.add
// CHECK: return %[[SUM]]
func.func @quantized(%x: tensor<2x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:3>> {
  %c = stablehlo.constant() <{value = dense<0> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 1.0:3>>
  %0 = stablehlo.add %x, %c : tensor<2x!quant.uniform<i8:f32, 1.0:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 1.0:3>>
}

// CHECK-LABEL: @of_itself
// CHECK-SAME: (%[[X:.*]]: tensor<2xi4>, %[[D:.*]]: tensor<?xi4>)
func.func @of_itself(%x: tensor<2xi4>, %d: tensor<?xi4>) -> (tensor<2xi4>, tensor<2xi4>, tensor<2xi4>, tensor<2xi4>, tensor<?xi4>) {
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<2xi4>
  %0 = stablehlo.subtract %x, %x : tensor<2xi4>
  %1 = stablehlo.xor %x, %x : tensor<2xi4>
  %2 = stablehlo.and %x, %x : tensor<2xi4>
  %3 = stablehlo.minimum %x, %x : tensor<2xi4>
  // CHECK: %[[KEPT:.*]] = stablehlo.subtract %[[D]], %[[D]]
  %4 = stablehlo.subtract %d, %d : tensor<?xi4>
  // CHECK: return %[[ZERO]], %[[ZERO]], %[[X]], %[[X]], %[[KEPT]]
  return %0, %1, %2, %3, %4 : tensor<2xi4>, tensor<2xi4>, tensor<2xi4>, tensor<2xi4>, tensor<?xi4>
}

// Extrema of complex numbers give NaN in both parts of a number with one NaN part.
// CHECK-LABEL: @complex_extrema
// CHECK-SAME: (%[[X:.*]]: tensor<2xcomplex<f32>>)
func.func @complex_extrema(%x: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  // CHECK: %[[GREATEST:.*]] = stablehlo.maximum %[[X]], %[[X]]
  %0 = stablehlo.maximum %x, %x : tensor<2xcomplex<f32>>
  // CHECK: %[[LEAST:.*]] = stablehlo.minimum %[[X]], %[[X]]
  %1 = stablehlo.minimum %x, %x : tensor<2xcomplex<f32>>
  // CHECK: return %[[GREATEST]], %[[LEAST]]
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// CHECK-LABEL: @twice
// CHECK-SAME: (%[[X:.*]]: tensor<5xf64>, %[[I:.*]]: tensor<5xi32>, %[[Z:.*]]: tensor<complex<f32>>)
func.func @twice(%x: tensor<5xf64>, %i: tensor<5xi32>, %z: tensor<complex<f32>>) -> (tensor<5xf64>, tensor<5xi32>, tensor<5xf64>, tensor<complex<f32>>, tensor<5xf64>) {
  %0 = stablehlo.negate %x : tensor<5xf64>
  %1 = stablehlo.negate %0 : tensor<5xf64>
  %2 = stablehlo.not %i : tensor<5xi32>
  %3 = stablehlo.not %2 : tensor<5xi32>
  // CHECK: %[[FLOOR:.*]] = stablehlo.floor %[[X]]
  %4 = stablehlo.floor %x : tensor<5xf64>
  // CHECK-NOT: stablehlo.floor
  %5 = stablehlo.floor %4 : tensor<5xf64>
  // CHECK-COUNT-2: stablehlo.sign
  %6 = stablehlo.sign %z : tensor<complex<f32>>
  %7 = stablehlo.sign %6 : tensor<complex<f32>>
  // CHECK-COUNT-2: stablehlo.cosine
  %8 = stablehlo.cosine %x : tensor<5xf64>
  %9 = stablehlo.cosine %8 : tensor<5xf64>
  // CHECK: return %[[X]], %[[I]], %[[FLOOR]],
  return %1, %3, %5, %7, %9 : tensor<5xf64>, tensor<5xi32>, tensor<5xf64>, tensor<complex<f32>>, tensor<5xf64>
}

// CHECK-LABEL: @conversions
// CHECK-SAME: (%[[X:.*]]: tensor<6xi32>)
func.func @conversions(%x: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>) {
  %0 = stablehlo.convert %x : tensor<6xi32>
  // A conversion back does not undo one to fewer bits.
  // CHECK: stablehlo.convert
  %1 = stablehlo.convert %x : (tensor<6xi32>) -> tensor<6xi8>
  // CHECK: %[[BACK:.*]] = stablehlo.convert
  %2 = stablehlo.convert %1 : (tensor<6xi8>) -> tensor<6xi32>
  // CHECK: return %[[X]], %[[BACK]]
  return %0, %2 : tensor<6xi32>, tensor<6xi32>
}

// CHECK-LABEL: @complex_parts
// CHECK-SAME: (%[[R:.*]]: tensor<3xf64>, %[[I:.*]]: tensor<3xf64>, %[[Z:.*]]: tensor<3xcomplex<f64>>)
func.func @complex_parts(%r: tensor<3xf64>, %i: tensor<3xf64>, %z: tensor<3xcomplex<f64>>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) {
  %0 = stablehlo.complex %r, %i : tensor<3xcomplex<f64>>
  %1 = stablehlo.imag %0 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %2 = stablehlo.real %0 : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %3 = stablehlo.real %z : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %4 = stablehlo.imag %z : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %5 = stablehlo.complex %3, %4 : tensor<3xcomplex<f64>>
  // CHECK: %[[SWAPPED:.*]] = stablehlo.complex
  %6 = stablehlo.complex %4, %3 : tensor<3xcomplex<f64>>
  // CHECK: return %[[I]], %[[R]], %[[Z]], %[[SWAPPED]]
  return %1, %2, %5, %6 : tensor<3xf64>, tensor<3xf64>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
}

// CHECK-LABEL: @compare_itself
// CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true>
// CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false>
// CHECK: %[[FLOAT:.*]] = stablehlo.compare EQ
// CHECK: return %[[TRUE]], %[[FALSE]], %[[FLOAT]]
func.func @compare_itself(%x: tensor<2xui32>, %f: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi1>) {
  %0 = stablehlo.compare GE, %x, %x, UNSIGNED : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  %1 = stablehlo.compare LT, %x, %x, UNSIGNED : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  %2 = stablehlo.compare EQ, %f, %f, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<2xi1>, tensor<2xi1>, tensor<2xi1>
}

// CHECK-LABEL: @compare_constant
// CHECK-SAME: (%[[X:.*]]: tensor<i64>, %[[P:.*]]: tensor<i1>)
func.func @compare_constant(%x: tensor<i64>, %p: tensor<i1>) -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %c = stablehlo.constant dense<40> : tensor<i64>
  %true = stablehlo.constant dense<true> : tensor<i1>
  // CHECK: %[[LESS:.*]] = stablehlo.compare LT, %[[X]], %{{.*}}, SIGNED
  %0 = stablehlo.compare GT, %c, %x, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %1 = stablehlo.compare EQ, %true, %p, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  // CHECK: %[[NOT:.*]] = stablehlo.not %[[P]]
  %2 = stablehlo.compare NE, %p, %true, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  // CHECK: %[[LT:.*]] = stablehlo.compare LT, %[[P]],
  %3 = stablehlo.compare LT, %p, %true, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
  // Without a type of comparison it stays as it is.
  // CHECK: %[[KEPT:.*]] = stablehlo.compare GT, %{{.*}}, %[[X]]
  %4 = stablehlo.compare GT, %c, %x : (tensor<i64>, tensor<i64>) -> tensor<i1>
  // CHECK: return %[[LESS]], %[[P]], %[[NOT]], %[[LT]], %[[KEPT]]
  return %0, %1, %2, %3, %4 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: @selections
// CHECK-SAME: (%[[P:.*]]: tensor<2xi1>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>)
func.func @selections(%p: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>) {
  %true = stablehlo.constant dense<true> : tensor<2xi1>
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.select %p, %y, %y : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.select %true, %x, %y : tensor<2xi1>, tensor<2xf32>
  %2 = stablehlo.select %no, %x, %y : tensor<i1>, tensor<2xf32>
  %3 = stablehlo.select %p, %true, %false : tensor<2xi1>, tensor<2xi1>
  // CHECK: %[[NOT:.*]] = stablehlo.not %[[P]]
  %4 = stablehlo.select %p, %false, %true : tensor<2xi1>, tensor<2xi1>
  %5 = stablehlo.not %p : tensor<2xi1>
  // CHECK: %[[SWAPPED:.*]] = stablehlo.select %[[P]], %[[Y]], %[[X]]
  %6 = stablehlo.select %5, %x, %y : tensor<2xi1>, tensor<2xf32>
  // CHECK: return %[[Y]], %[[X]], %[[Y]], %[[P]], %[[NOT]], %[[SWAPPED]]
  return %0, %1, %2, %3, %4, %6 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi1>, tensor<2xf32>
}

// CHECK-LABEL: @selection_by_one_flag
// CHECK: stablehlo.select
func.func @selection_by_one_flag(%p: tensor<i1>) -> tensor<2xi1> {
  %true = stablehlo.constant dense<true> : tensor<2xi1>
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.select %p, %true, %false : tensor<i1>, tensor<2xi1>
  return %0 : tensor<2xi1>
}

// CHECK-LABEL: @selections_by_broadcasts
// CHECK-SAME: (%[[P:.*]]: tensor<i1>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>)
func.func @selections_by_broadcasts(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<3xi1>, tensor<3xi8>) {
  %not = stablehlo.not %p : tensor<i1>
  // CHECK: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[P]], dims = []
  %0 = stablehlo.broadcast_in_dim %not, dims = [] : (tensor<i1>) -> tensor<2xi1>
  // CHECK: stablehlo.select %[[WIDE]], %[[Y]], %[[X]]
  %1 = stablehlo.select %0, %x, %y : tensor<2xi1>, tensor<2xf32>
  // With another use, the broadcast stays.
  %2 = stablehlo.broadcast_in_dim %not, dims = [] : (tensor<i1>) -> tensor<3xi1>
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
  %b = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi8>
  // CHECK: %[[KEPT:.*]] = stablehlo.broadcast_in_dim
  // CHECK: stablehlo.select %[[KEPT]]
  %3 = stablehlo.select %2, %a, %b : tensor<3xi1>, tensor<3xi8>
  return %1, %2, %3 : tensor<2xf32>, tensor<3xi1>, tensor<3xi8>
}

// CHECK-LABEL: @selected_constants
// CHECK-DAG: %[[I:.*]] = stablehlo.constant dense<[1, 5, 3]> : tensor<3xi4>
// CHECK-DAG: %[[B:.*]] = stablehlo.constant dense<[1.000000e+00, 0xFF80, 3.000000e+00]> : tensor<3xbf16>
// CHECK-DAG: %[[Z:.*]] = stablehlo.constant dense<[(1.000000e+00,2.000000e+00), (0.000000e+00,-1.000000e+00), (5.000000e+00,6.000000e+00)]>
// CHECK-DAG: %[[P:.*]] = stablehlo.constant dense<[false, true, false]>
// CHECK: return %[[I]], %[[B]], %[[Z]], %[[P]]
func.func @selected_constants() -> (tensor<3xi4>, tensor<3xbf16>, tensor<3xcomplex<f32>>, tensor<3xi1>) {
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi4>
  %b = stablehlo.constant dense<[4, 5, 6]> : tensor<3xi4>
  %0 = stablehlo.select %p, %a, %b : tensor<3xi1>, tensor<3xi4>
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %d = stablehlo.constant dense<0xFF80> : tensor<3xbf16>
  %1 = stablehlo.select %p, %c, %d : tensor<3xi1>, tensor<3xbf16>
  %e = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]> : tensor<3xcomplex<f32>>
  %f = stablehlo.constant dense<(0.0, -1.0)> : tensor<3xcomplex<f32>>
  %2 = stablehlo.select %p, %e, %f : tensor<3xi1>, tensor<3xcomplex<f32>>
  %g = stablehlo.constant dense<[false, false, false]> : tensor<3xi1>
  %h = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %3 = stablehlo.select %p, %g, %h : tensor<3xi1>, tensor<3xi1>
  return %0, %1, %2, %3 : tensor<3xi4>, tensor<3xbf16>, tensor<3xcomplex<f32>>, tensor<3xi1>
}

// CHECK-LABEL: @others_of_their_kind
// CHECK-SAME: (%[[X:.*]]: tensor<2xui16>)
func.func @others_of_their_kind(%x: tensor<2xui16>) -> (tensor<2xui16>, tensor<2xui16>, tensor<2xui16>, tensor<2xui16>, tensor<2xui16>) {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<[2, 9]>
  %c = stablehlo.constant dense<[2, 9]> : tensor<2xui16>
  %zero = stablehlo.constant dense<0> : tensor<2xui16>
  // CHECK: %[[MAXIMUM:.*]] = stablehlo.maximum %[[X]], %[[C]]
  %0 = stablehlo.maximum %c, %x : tensor<2xui16>
  // CHECK: %[[OR:.*]] = stablehlo.or %[[X]], %[[C]]
  %1 = stablehlo.or %c, %x : tensor<2xui16>
  %2 = stablehlo.or %x, %x : tensor<2xui16>
  %3 = stablehlo.shift_right_arithmetic %x, %zero : tensor<2xui16>
  %4 = stablehlo.shift_right_logical %x, %zero : tensor<2xui16>
  // CHECK: return %[[MAXIMUM]], %[[OR]], %[[X]], %[[X]], %[[X]]
  return %0, %1, %2, %3, %4 : tensor<2xui16>, tensor<2xui16>, tensor<2xui16>, tensor<2xui16>, tensor<2xui16>
}

// CHECK-LABEL: @once_is_enough
// CHECK-SAME: (%[[F:.*]]: tensor<2xf32>)
func.func @once_is_enough(%f: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %[[F]]
  %0 = stablehlo.abs %f : tensor<2xf32>
  %1 = stablehlo.abs %0 : tensor<2xf32>
  // CHECK-NEXT: %[[CEIL:.*]] = stablehlo.ceil %[[F]]
  %2 = stablehlo.ceil %f : tensor<2xf32>
  %3 = stablehlo.ceil %2 : tensor<2xf32>
  // CHECK-NEXT: %[[AFZ:.*]] = stablehlo.round_nearest_afz %[[F]]
  %4 = stablehlo.round_nearest_afz %f : tensor<2xf32>
  %5 = stablehlo.round_nearest_afz %4 : tensor<2xf32>
  // CHECK-NEXT: %[[EVEN:.*]] = stablehlo.round_nearest_even %[[F]]
  %6 = stablehlo.round_nearest_even %f : tensor<2xf32>
  %7 = stablehlo.round_nearest_even %6 : tensor<2xf32>
  // CHECK-NEXT: %[[SIGN:.*]] = stablehlo.sign %[[F]]
  %8 = stablehlo.sign %f : tensor<2xf32>
  %9 = stablehlo.sign %8 : tensor<2xf32>
  // CHECK-NEXT: return %[[ABS]], %[[CEIL]], %[[AFZ]], %[[EVEN]], %[[SIGN]]
  return %1, %3, %5, %7, %9 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
