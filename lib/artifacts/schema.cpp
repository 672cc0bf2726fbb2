#include "artifacts/schema.h"

#include <algorithm>
#include <iterator>

namespace hlokit {
namespace {

struct Row {
  const char *name;
  Constraint constraint;
};

// Attributes of the same name have the same constraint in all operations.
constexpr Row constraints[] = {
    {"accumulation_type", Constraint::none_or_type},
    {"all_gather_dim", Constraint::i64},
    {"allow_imprecise_accumulation", Constraint::none_or_boolean},
    {"api_version", Constraint::custom_call_api_version},
    {"arg_attrs", Constraint::dictionaries},
    {"backend_config", Constraint::call_config},
    {"base_dilations", Constraint::list},
    {"batch_dims", Constraint::i64},
    {"batch_group_count", Constraint::i64},
    {"broadcast_dimensions", Constraint::list},
    {"broadcast_sizes", Constraint::list},
    {"call_target_name", Constraint::string},
    {"called_computations", Constraint::strings},
    {"callee", Constraint::name},
    {"channel_id", Constraint::i64},
    {"channel_type", Constraint::i64},
    {"collapsed_slice_dims", Constraint::list},
    {"compare_type", Constraint::comparison_type},
    {"comparison_direction", Constraint::comparison_direction},
    {"composite_attributes", Constraint::dictionary},
    {"concat_dimension", Constraint::i64},
    {"decomposition", Constraint::name},
    {"dim", Constraint::i64},
    {"dimension", Constraint::i64},
    {"dimensions", Constraint::list},
    {"edge_padding_high", Constraint::list},
    {"edge_padding_low", Constraint::list},
    {"einsum_config", Constraint::string},
    {"epsilon", Constraint::f32},
    {"exponent_bits", Constraint::i32},
    {"feature_group_count", Constraint::i64},
    {"feature_index", Constraint::i64},
    {"fft_length", Constraint::list},
    {"fft_type", Constraint::fft_type},
    {"function_type", Constraint::function_type},
    {"has_dynamic_root", Constraint::boolean},
    {"has_side_effect", Constraint::boolean},
    {"index", Constraint::i32},
    {"index_vector_dim", Constraint::i64},
    {"indices_are_sorted", Constraint::boolean},
    {"infeed_config", Constraint::string},
    {"input_batch_dimension", Constraint::dimension},
    {"input_batching_dims", Constraint::list},
    {"input_feature_dimension", Constraint::dimension},
    {"input_spatial_dimensions", Constraint::dimensions},
    {"inserted_window_dims", Constraint::list},
    {"interior_padding", Constraint::list},
    {"iota_dimension", Constraint::i64},
    {"is_host_transfer", Constraint::boolean},
    {"is_stable", Constraint::boolean},
    {"kernel_input_feature_dimension", Constraint::dimension},
    {"kernel_output_feature_dimension", Constraint::dimension},
    {"kernel_spatial_dimensions", Constraint::dimensions},
    {"known_expanding_dimensions", Constraint::list},
    {"known_nonexpanding_dimensions", Constraint::list},
    {"layout", Constraint::nested},
    {"left_side", Constraint::boolean},
    {"lhs_batching_dimensions", Constraint::list},
    {"lhs_component_count", Constraint::none_or_i64},
    {"lhs_contracting_dimensions", Constraint::list},
    {"lhs_dilation", Constraint::list},
    {"lhs_precision_type", Constraint::none_or_type},
    {"limit_indices", Constraint::list},
    {"lower", Constraint::boolean},
    {"mantissa_bits", Constraint::i32},
    {"name", Constraint::string},
    {"num_primitive_operations", Constraint::none_or_i64},
    {"offset_dims", Constraint::list},
    {"operand_batching_dims", Constraint::list},
    {"operand_layouts", Constraint::layouts},
    {"outfeed_config", Constraint::string},
    {"output_batch_dimension", Constraint::dimension},
    {"output_feature_dimension", Constraint::dimension},
    {"output_operand_aliases", Constraint::operand_aliases},
    {"output_spatial_dimensions", Constraint::dimensions},
    {"padding", Constraint::matrix},
    {"permutation", Constraint::list},
    {"precision_config", Constraint::precisions},
    {"replica_groups", Constraint::groups},
    {"res_attrs", Constraint::dictionaries},
    {"result_accuracy", Constraint::result_accuracy},
    {"result_layouts", Constraint::layouts},
    {"result_tilings", Constraint::nested},
    {"rhs_batching_dimensions", Constraint::list},
    {"rhs_component_count", Constraint::none_or_i64},
    {"rhs_contracting_dimensions", Constraint::list},
    {"rhs_dilation", Constraint::list},
    {"rhs_precision_type", Constraint::none_or_type},
    {"rng_algorithm", Constraint::rng_algorithm},
    {"rng_distribution", Constraint::rng_distribution},
    {"scatter_dimension", Constraint::i64},
    {"scatter_dims_to_operand_dims", Constraint::list},
    {"scatter_indices_batching_dims", Constraint::list},
    {"slice_sizes", Constraint::list},
    {"source_target_pairs", Constraint::matrix},
    {"split_count", Constraint::i64},
    {"split_dimension", Constraint::i64},
    {"start_index_map", Constraint::list},
    {"start_indices", Constraint::list},
    {"start_indices_batching_dims", Constraint::list},
    {"strides", Constraint::list},
    {"sym_name", Constraint::name},
    {"sym_visibility", Constraint::string},
    {"transpose_a", Constraint::transpose},
    {"unique_indices", Constraint::boolean},
    {"unit_diagonal", Constraint::boolean},
    {"update_window_dims", Constraint::list},
    {"use_global_device_ids", Constraint::boolean},
    {"value", Constraint::any_elements},
    {"version", Constraint::integer},
    {"window_dilations", Constraint::list},
    {"window_dimensions", Constraint::list},
    {"window_reversal", Constraint::booleans},
    {"window_strides", Constraint::list},
};

constexpr Count exactly(uint8_t count) { return {count, false}; }
constexpr Count at_least(uint8_t count) { return {count, true}; }
constexpr bool tensors = true;
constexpr bool values = false;

// The attributes of several operations.
constexpr char convolution[] =
    "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
    "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
    "kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension "
    "output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides";
constexpr char gathering[] = "all_gather_dim channel_id replica_groups use_global_device_ids";
constexpr char reduction[] = "channel_id replica_groups use_global_device_ids";
constexpr char exchange[] = "channel_id concat_dimension replica_groups split_count split_dimension";
constexpr char composition[] = "composite_attributes decomposition name version";
constexpr char normalization[] = "epsilon feature_index";

constexpr OperationSchema operations[] = {
    {"abs_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"add_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"after_all_v1", 9, at_least(0), exactly(1), values, "", ""},
    {"all_gather_v1", 9, exactly(1), exactly(1), tensors, "", gathering},
    {"all_gather_v2", 1005, at_least(1), at_least(1), tensors, "", gathering},
    {"all_reduce_v1", 9, exactly(1), exactly(1), tensors, "t", reduction},
    {"all_reduce_v2", 1005, at_least(1), at_least(1), tensors, "t", reduction},
    {"all_to_all_v1", 9, exactly(1), exactly(1), tensors, "", exchange},
    {"all_to_all_v2", 1005, at_least(1), at_least(1), tensors, "", exchange},
    {"and_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"async_done_v1", 1015, exactly(1), exactly(1), values, "", ""},
    {"async_start_v1", 1015, at_least(0), exactly(1), values, "v", ""},
    {"atan2_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"batch_norm_grad_v1", 9, exactly(5), exactly(3), tensors, "", normalization},
    {"batch_norm_inference_v1", 9, exactly(5), exactly(1), tensors, "", normalization},
    {"batch_norm_training_v1", 9, exactly(3), exactly(3), tensors, "", normalization},
    {"bitcast_convert_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"broadcast_in_dim_v1", 9, exactly(1), exactly(1), tensors, "", "broadcast_dimensions"},
    {"broadcast_v1", 9, exactly(1), exactly(1), tensors, "", "broadcast_sizes"},
    {"call_v1", 9, at_least(0), at_least(0), values, "", "callee"},
    {"case_v1", 9, exactly(1), at_least(0), values, "v*", ""},
    {"cbrt_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"cbrt_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"ceil_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"cholesky_v1", 9, exactly(1), exactly(1), tensors, "", "lower"},
    {"clamp_v1", 9, exactly(3), exactly(1), tensors, "", ""},
    {"collective_broadcast_v1", 16, exactly(1), exactly(1), tensors, "", "channel_id replica_groups"},
    {"collective_broadcast_v2", 1020, at_least(1), at_least(1), tensors, "",
     "channel_id has_dynamic_root replica_groups"},
    {"collective_permute_v1", 9, exactly(1), exactly(1), tensors, "", "channel_id source_target_pairs"},
    {"collective_reduce_v1", 1019, at_least(1), at_least(1), tensors, "t",
     "channel_id has_dynamic_root replica_groups use_global_device_ids"},
    {"compare_v1", 9, exactly(2), exactly(1), tensors, "", "compare_type comparison_direction"},
    {"complex_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"composite_v1", 19, at_least(0), at_least(0), values, "", composition},
    {"composite_v2", 1014, at_least(0), at_least(0), values, "v*", composition},
    {"concatenate_v1", 9, at_least(1), exactly(1), tensors, "", "dimension"},
    {"constant_v1", 9, exactly(0), exactly(1), tensors, "", "value"},
    {"convert_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"convolution_v1", 9, exactly(2), exactly(1), tensors, "", convolution},
    {"cosine_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"cosine_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"count_leading_zeros_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"create_token_v1", 9, exactly(0), exactly(1), values, "", ""},
    {"cross-replica-sum_v1", 9, exactly(1), exactly(1), tensors, "", "replica_groups"},
    {"custom_call_v1", 9, at_least(0), at_least(0), values, "",
     "api_version backend_config call_target_name called_computations has_side_effect "
     "operand_layouts output_operand_aliases result_layouts"},
    {"custom_call_v2", 1018, at_least(0), at_least(0), values, "",
     "api_version backend_config call_target_name called_computations has_side_effect "
     "operand_layouts output_operand_aliases result_layouts result_tilings"},
    {"divide_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"dot_general_v1", 9, exactly(2), exactly(1), tensors, "",
     "lhs_batching_dimensions lhs_contracting_dimensions precision_config rhs_batching_dimensions "
     "rhs_contracting_dimensions"},
    {"dot_general_v2", 1006, exactly(2), exactly(1), tensors, "",
     "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count "
     "lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config "
     "rhs_batching_dimensions rhs_component_count rhs_contracting_dimensions rhs_precision_type"},
    {"dot_v1", 9, exactly(2), exactly(1), tensors, "", "precision_config"},
    {"dynamic_broadcast_in_dim_v1", 9, exactly(2), exactly(1), tensors, "",
     "broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions"},
    {"dynamic_conv_v1", 9, exactly(3), exactly(1), tensors, "", convolution},
    {"dynamic_conv_v2", 20, exactly(3), exactly(1), tensors, "",
     "batch_group_count feature_group_count input_batch_dimension input_feature_dimension "
     "input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension "
     "kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension "
     "output_spatial_dimensions precision_config rhs_dilation window_reversal window_strides"},
    {"dynamic_gather_v1", 9, exactly(3), exactly(1), tensors, "",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims start_index_map"},
    {"dynamic_gather_v2", 1001, exactly(3), exactly(1), tensors, "",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims "
     "start_index_map start_indices_batching_dims"},
    {"dynamic_iota_v1", 9, exactly(1), exactly(1), tensors, "", "iota_dimension"},
    {"dynamic_pad_v1", 9, exactly(5), exactly(1), tensors, "", ""},
    {"dynamic_reshape_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"dynamic_slice_v1", 9, at_least(1), exactly(1), tensors, "", "slice_sizes"},
    {"dynamic_update_slice_v1", 9, at_least(2), exactly(1), tensors, "", ""},
    {"einsum_v1", 9, exactly(2), exactly(1), tensors, "", "einsum_config"},
    {"exponential_minus_one_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"exponential_minus_one_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"exponential_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"exponential_v2", 1009, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"fft_v1", 9, exactly(1), exactly(1), tensors, "", "fft_length fft_type"},
    {"floor_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"func_v1", 9, exactly(0), exactly(0), values, "f",
     "arg_attrs function_type res_attrs sym_name sym_visibility"},
    {"gather_v1", 9, exactly(2), exactly(1), tensors, "",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes "
     "start_index_map"},
    {"gather_v2", 1001, exactly(2), exactly(1), tensors, "",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims "
     "slice_sizes start_index_map start_indices_batching_dims"},
    {"get_dimension_size_v1", 9, exactly(1), exactly(1), tensors, "", "dimension"},
    {"get_tuple_element_v1", 9, exactly(1), exactly(1), values, "", "index"},
    {"if_v1", 9, exactly(1), at_least(0), values, "vv", ""},
    {"imag_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"infeed_v1", 9, exactly(1), at_least(1), values, "", "infeed_config layout"},
    {"iota_v1", 9, exactly(0), exactly(1), tensors, "", "iota_dimension"},
    {"is_finite_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"log_plus_one_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"log_plus_one_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"log_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"log_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"logistic_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"logistic_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"map_v1", 9, at_least(1), exactly(1), tensors, "t", "dimensions"},
    {"maximum_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"minimum_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"multiply_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"negate_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"not_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"optimization_barrier_v1", 9, at_least(0), at_least(0), values, "", ""},
    {"or_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"outfeed_v1", 9, at_least(1), exactly(1), values, "", "outfeed_config"},
    {"pad_v1", 9, exactly(2), exactly(1), tensors, "", "edge_padding_high edge_padding_low interior_padding"},
    {"partition_id_v1", 9, exactly(0), exactly(1), tensors, "", ""},
    {"popcnt_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"power_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"real_dynamic_slice_v1", 9, exactly(4), exactly(1), tensors, "", ""},
    {"real_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"recv_v1", 9, exactly(1), at_least(1), values, "", "channel_id channel_type is_host_transfer"},
    {"recv_v2", 1012, exactly(1), at_least(1), values, "",
     "channel_id channel_type is_host_transfer source_target_pairs"},
    {"reduce_precision_v1", 9, exactly(1), exactly(1), tensors, "", "exponent_bits mantissa_bits"},
    {"reduce_scatter_v1", 9, exactly(1), exactly(1), tensors, "t",
     "channel_id replica_groups scatter_dimension use_global_device_ids"},
    {"reduce_v1", 9, at_least(2), at_least(1), tensors, "t", "dimensions"},
    {"reduce_window_v1", 9, at_least(2), at_least(1), tensors, "t",
     "base_dilations padding window_dilations window_dimensions window_strides"},
    {"remainder_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"replica_id_v1", 9, exactly(0), exactly(1), tensors, "", ""},
    {"reshape_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"return_v1", 9, at_least(0), exactly(0), values, "", ""},
    {"reverse_v1", 9, exactly(1), exactly(1), tensors, "", "dimensions"},
    {"rng_bit_generator_v1", 9, exactly(1), exactly(2), tensors, "", "rng_algorithm"},
    {"rng_v1", 9, exactly(3), exactly(1), tensors, "", "rng_distribution"},
    {"round_nearest_afz_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"round_nearest_even_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"rsqrt_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"rsqrt_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"scatter_v1", 9, at_least(3), at_least(1), tensors, "t",
     "index_vector_dim indices_are_sorted inserted_window_dims scatter_dims_to_operand_dims "
     "unique_indices update_window_dims"},
    {"scatter_v2", 1001, at_least(3), at_least(1), tensors, "t",
     "index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims "
     "scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims"},
    {"select_and_scatter_v1", 9, exactly(3), exactly(1), tensors, "bt",
     "padding window_dimensions window_strides"},
    {"select_v1", 9, exactly(3), exactly(1), tensors, "", ""},
    {"send_v1", 9, at_least(1), exactly(1), values, "", "channel_id channel_type is_host_transfer"},
    {"send_v2", 1012, at_least(1), exactly(1), values, "",
     "channel_id channel_type is_host_transfer source_target_pairs"},
    {"set_dimension_size_v1", 9, exactly(2), exactly(1), tensors, "", "dimension"},
    {"shift_left_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"shift_right_arithmetic_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"shift_right_logical_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"sign_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"sine_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"sine_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"slice_v1", 9, exactly(1), exactly(1), tensors, "", "limit_indices start_indices strides"},
    {"sort_v1", 9, at_least(1), at_least(1), tensors, "b", "dimension is_stable"},
    {"sqrt_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"sqrt_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"subtract_v1", 9, exactly(2), exactly(1), tensors, "", ""},
    {"tan_v1", 1004, exactly(1), exactly(1), tensors, "", ""},
    {"tan_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"tanh_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"tanh_v2", 1010, exactly(1), exactly(1), tensors, "", "result_accuracy"},
    {"torch_index_select_v1", 9, exactly(2), exactly(1), tensors, "", "batch_dims dim"},
    {"transpose_v1", 9, exactly(1), exactly(1), tensors, "", "permutation"},
    {"triangular_solve_v1", 9, exactly(2), exactly(1), tensors, "",
     "left_side lower transpose_a unit_diagonal"},
    {"tuple_v1", 9, at_least(0), exactly(1), values, "", ""},
    {"unary_einsum_v1", 9, exactly(1), exactly(1), tensors, "", "einsum_config"},
    {"uniform_dequantize_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"uniform_quantize_v1", 9, exactly(1), exactly(1), tensors, "", ""},
    {"while_v1", 9, at_least(0), at_least(0), values, "bv", ""},
    {"xor_v1", 9, exactly(2), exactly(1), tensors, "", ""},
};

// Tables are in alphabetical order of their first column.
template <typename Table> auto find(const Table &table, std::string_view name) {
  const auto found = std::lower_bound(std::begin(table), std::end(table), name,
                                      [](const auto &row, std::string_view key) { return row.name < key; });
  return found != std::end(table) && found->name == name ? found : nullptr;
}

} // namespace

const OperationSchema *find_operation(std::string_view name) { return find(operations, name); }

bool is_attribute(std::string_view name) { return find(constraints, name) != nullptr; }

std::vector<AttributeSchema> attributes_of(const OperationSchema &operation) {
  std::vector<AttributeSchema> found;
  std::string_view names = operation.attributes;
  while (!names.empty()) {
    const size_t size = std::min(names.find(' '), names.size());
    const std::string_view name = names.substr(0, size);
    found.push_back({name, find(constraints, name)->constraint});
    names.remove_prefix(std::min(size + 1, names.size()));
  }
  return found;
}

} // namespace hlokit
