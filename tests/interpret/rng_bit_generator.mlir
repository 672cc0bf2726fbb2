// RUN: stablehlo-translate --interpret --split-input-file --require-checks %s

// Sources of the expected values: the spec, the known answers of the Random123 library ("kat"), and XLA:CPU.

func.func @spec_example() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq_const %output_state, dense<[1, 6]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>
  func.return
}

// -----

func.func @three_fry_kat_zeros() {
  %initial_state = stablehlo.constant dense<0> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  check.expect_eq_const %output_state, dense<[0, 1]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[1797259609, 2579123966]> : tensor<2xui32>
  func.return
}

// -----

func.func @three_fry_kat_ones() {
  %initial_state = stablehlo.constant dense<18446744073709551615> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  // The counter wraps.
  check.expect_eq_const %output_state, dense<[18446744073709551615, 0]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[481924860, 3137350631]> : tensor<2xui32>
  func.return
}

// -----

func.func @three_fry_kat_pi() {
  %initial_state = stablehlo.constant dense<[247824715720788526, 9629550131187509896]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  check.expect_eq_const %output, dense<[3297917596, 1212020640]> : tensor<2xui32>
  func.return
}

// -----

// The two words of a counter lie side by side along the first even dimension...
func.func @three_fry_even_dimension() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x2xui32>)
  check.expect_eq_const %output_state, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[[43444564, 2150618427], [3979645651, 3745730563], [1672743891, 4240503393]]> : tensor<3x2xui32>
  func.return
}

// -----

// ... or along the largest, the last word being left out.
func.func @three_fry_odd_dimensions() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xui32>)
  check.expect_eq_const %output_state, dense<[1, 8]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[[43444564, 3979645651, 1672743891], [2150618427, 3745730563, 4240503393], [2109414752, 2534981805, 2868795927]]> : tensor<3x3xui32>
  func.return
}

// -----

func.func @three_fry_scalar() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %output_state, dense<[1, 3]> : tensor<2xui64>
  check.expect_eq_const %output, dense<43444564> : tensor<ui32>
  func.return
}

// -----

// The low bits of a word each.
func.func @three_fry_ui8() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
  check.expect_eq_const %output_state, dense<[1, 5]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[84, 59, 211, 3, 211]> : tensor<5xui8>
  func.return
}

// -----

func.func @three_fry_i4() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi4>)
  check.expect_eq_const %output, dense<[4, -5, 3, 3, 3]> : tensor<5xi4>
  func.return
}

// -----

func.func @three_fry_f32_has_these_bits() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xf32>)
  check.expect_eq_const %output, dense<[0x0296E954, 0x802FD53B, 0xED3492D3]> : tensor<3xf32>
  func.return
}

// -----

func.func @three_fry_empty() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<0x3xui32>)
  check.expect_eq_const %output_state, dense<[1, 2]> : tensor<2xui64>
  check.expect_eq_const %output, dense<> : tensor<0x3xui32>
  func.return
}

// -----

func.func @philox_kat_zeros() {
  %initial_state = stablehlo.constant dense<0> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
    : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %output_state, dense<[0, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %output, dense<[1713891541, 3781805453, 3159862348, 2600524760]> : tensor<4xui32>
  func.return
}

// -----

func.func @philox_kat_pi() {
  %initial_state = stablehlo.constant dense<[2999170649027065890, 9629550131187509896, 247824715720788526]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
    : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %output, dense<[3513581065, 2499661035, 1342301216, 605187745]> : tensor<4xui32>
  func.return
}

// -----

// The upper half of the counter is the key.
func.func @philox_state_of_two() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %output_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[2100602697, 2847456232, 2074354647, 800269529, 1828267006]> : tensor<5xui32>
  func.return
}

// -----

func.func @philox_counter_carries() {
  %initial_state = stablehlo.constant dense<[5, 18446744073709551615, 7]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
    : (tensor<3xui64>) -> (tensor<3xui64>, tensor<6xui32>)
  check.expect_eq_const %output_state, dense<[5, 1, 8]> : tensor<3xui64>
  check.expect_eq_const %output, dense<[408654879, 156914071, 4246078289, 2550873154, 1414544935, 1163734151]> : tensor<6xui32>
  func.return
}

// -----

func.func @philox_ui64() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %output_state, dense<[1, 4]> : tensor<2xui64>
  check.expect_eq_const %output, dense<[12229731395331991369, 3437131457114678231, 13465615291114923006]> : tensor<3xui64>
  func.return
}

// -----

func.func @philox_i16() {
  %initial_state = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = PHILOX
    : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xi16>)
  check.expect_eq_const %output_state, dense<[1, 4, 3]> : tensor<3xui64>
  check.expect_eq_const %output, dense<[-6326, 12518, -3067, -25962, 23787]> : tensor<5xi16>
  func.return
}

// -----

func.func @default_is_philox() {
  %initial_state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %output_state, %output = stablehlo.rng_bit_generator %initial_state, algorithm = DEFAULT
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  check.expect_eq_const %output, dense<[2100602697, 2847456232]> : tensor<2xui32>
  func.return
}
