// RUN: stablehlo-opt --stablehlo-legalize-to-vhlo --vhlo-to-version='target=1.12.0' --split-input-file --verify-diagnostics %s

// needs: type 'buffer<2xf32>' of operation 'stablehlo.custom_call' needs StableHLO 1.13.0 (buffer types of custom_call)
// needs: type 'buffer<2xf32>' of operation 'stablehlo.return' needs StableHLO 1.13.0 (buffer types of custom_call)
// needs: type 'buffer<2xf32>' of operation 'func.func' needs StableHLO 1.13.0 (buffer types of custom_call)
// expected-error@+1 {{failed to convert VHLO to v1.12.0}}
module {
  // expected-error@+1 {{failed to legalize operation 'vhlo.func_v}}
  func.func @op_custom_call_with_buffers(%operand: memref<2xf32>) -> memref<2xf32> {
    %0 = stablehlo.custom_call @any(%operand) {api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
    func.return %0 : memref<2xf32>
  }
}
