#include "artifacts/rules.h"

#include <algorithm>

namespace hlokit {
namespace {

// Bounds for elements of attributes: the bindings visit elements one by one, even the elements of a splat.
constexpr int64_t longest_tensor = 1 << 16;
constexpr int64_t longest_list = 1 << 12;
// A bound for dimension numbers: the bindings visit all smaller numbers.
constexpr uint64_t most_dimensions = 64;

bool is_number(const Entries &entries, const AttributeFacts &attribute, VhloAttribute code, TypeKind kind,
               unsigned bits) {
  if (!entries.is_vhlo(attribute, code))
    return false;
  const TypeFacts &type = entries.type(attribute.type);
  return type.kind == kind && type.bits == bits;
}

bool is_integer(const Entries &entries, const AttributeFacts &attribute, unsigned bits) {
  // The code of the signed type of this size.
  const uint8_t code = bits == 32 ? 13 : 14;
  return is_number(entries, attribute, vhlo_integer, TypeKind::integer, bits) &&
         entries.type(attribute.type).code == code;
}

bool are_elements(const Entries &entries, const AttributeFacts &attribute, TypeKind kind, uint8_t code,
                  uint32_t highest_rank) {
  if (!entries.is_vhlo(attribute, vhlo_tensor))
    return false;
  const TypeFacts &type = entries.type(attribute.type), &element = entries.element(type);
  return element.kind == kind && element.code == code && type.rank <= highest_rank && type.rank > 0 &&
         type.elements <= (highest_rank == 1 ? longest_list : longest_tensor);
}

constexpr uint8_t boolean_code = 0, index_code = 9, i64_code = 14;

bool are_integers(const Entries &entries, const AttributeFacts &attribute, uint32_t highest_rank) {
  return are_elements(entries, attribute, TypeKind::integer, i64_code, highest_rank);
}

bool are_dimensions(const Entries &entries, const AttributeFacts &attribute) {
  if (!are_integers(entries, attribute, 1))
    return false;
  const std::string_view bytes = entries.bytes(attribute.data);
  for (size_t i = 0; i < bytes.size(); i += 8) {
    const auto dimension = static_cast<uint8_t>(bytes[i]);
    const bool is_small = bytes.substr(i + 1, 7).find_first_not_of('\0') == std::string_view::npos;
    if (dimension >= most_dimensions || !is_small)
      return false;
  }
  return true;
}

template <typename Predicate>
bool is_array(const Entries &entries, const AttributeFacts &attribute, Predicate predicate) {
  const uint32_t *const of = entries.children(attribute);
  return entries.is_vhlo(attribute, vhlo_array) &&
         std::all_of(of, of + attribute.child_count,
                     [&](uint32_t i) { return predicate(entries.attribute(i)); });
}

bool is_array(const Entries &entries, const AttributeFacts &attribute, VhloAttribute code) {
  return is_array(entries, attribute,
                  [&](const AttributeFacts &element) { return entries.is_vhlo(element, code); });
}

bool is_name(const Entries &entries, const AttributeFacts &attribute) {
  return entries.is_vhlo(attribute, vhlo_string) && !entries.text(attribute.string).empty();
}

bool is_none(const Entries &entries, const AttributeFacts &attribute) {
  return entries.is_vhlo(attribute, vhlo_type) && entries.type(attribute.type).kind == TypeKind::none;
}

bool may_be_none(Constraint constraint) {
  return constraint == Constraint::none_or_boolean || constraint == Constraint::none_or_i64 || constraint == Constraint::none_or_type;
}

bool is_custom_call(std::string_view operation) {
  return operation == "custom_call_v1" || operation == "custom_call_v2";
}

bool meets(const Entries &entries, const AttributeFacts &attribute, Constraint constraint) {
  const auto is = [&](VhloAttribute code) { return entries.is_vhlo(attribute, code); };
  switch (constraint) {
  case Constraint::any_elements:
    return is(vhlo_tensor);
  case Constraint::boolean:
    return is(vhlo_boolean);
  case Constraint::booleans:
    return are_elements(entries, attribute, TypeKind::boolean, boolean_code, 1);
  case Constraint::call_config:
    return is(vhlo_string) || is(vhlo_dictionary);
  case Constraint::comparison_direction:
    return is(vhlo_comparison_direction);
  case Constraint::comparison_type:
    return is(vhlo_comparison_type);
  case Constraint::custom_call_api_version:
    return is(vhlo_api_version);
  case Constraint::dictionaries:
    return is_array(entries, attribute, vhlo_dictionary);
  case Constraint::dictionary:
    return is(vhlo_dictionary);
  case Constraint::dimension:
    return is_integer(entries, attribute, 64) && attribute.number >= 0 &&
           static_cast<uint64_t>(attribute.number) < most_dimensions;
  case Constraint::dimensions:
    return are_dimensions(entries, attribute);
  case Constraint::f32:
    return is_number(entries, attribute, vhlo_float, TypeKind::floating, 32);
  case Constraint::fft_type:
    return is(vhlo_fft_type);
  case Constraint::function_type:
    return is(vhlo_type) && entries.type(attribute.type).kind == TypeKind::function;
  case Constraint::groups:
    return are_integers(entries, attribute, 2) || is(vhlo_groups_of_mesh);
  case Constraint::i32:
    return is_integer(entries, attribute, 32);
  case Constraint::i64:
    return is_integer(entries, attribute, 64);
  case Constraint::integer:
    return is_integer(entries, attribute, 32) || is_integer(entries, attribute, 64);
  case Constraint::layouts:
    return is_array(entries, attribute, [&](const AttributeFacts &layout) {
      return are_elements(entries, layout, TypeKind::index, index_code, 1);
    });
  case Constraint::list:
    return are_integers(entries, attribute, 1);
  case Constraint::matrix:
    return are_integers(entries, attribute, 2);
  case Constraint::name:
    return is_name(entries, attribute);
  case Constraint::nested:
    return is_array(entries, attribute, [](const AttributeFacts &) { return true; });
  case Constraint::none_or_boolean:
    return is(vhlo_boolean) || is_none(entries, attribute);
  case Constraint::none_or_i64:
    return is_integer(entries, attribute, 64) || is_none(entries, attribute);
  case Constraint::none_or_type:
    return is(vhlo_type) &&
           (is_none(entries, attribute) || entries.type(attribute.type).kind == TypeKind::floating);
  case Constraint::operand_aliases:
    return is_array(entries, attribute, vhlo_alias);
  case Constraint::precisions:
    return is_array(entries, attribute, vhlo_precision);
  case Constraint::result_accuracy:
    return is(vhlo_accuracy);
  case Constraint::rng_algorithm:
    return is(vhlo_rng_algorithm);
  case Constraint::rng_distribution:
    return is(vhlo_rng_distribution);
  case Constraint::string:
    return is(vhlo_string);
  case Constraint::strings:
    return is_array(entries, attribute, [&](const AttributeFacts &name) { return is_name(entries, name); });
  case Constraint::transpose:
    return is(vhlo_transpose);
  }
  return false;
}

} // namespace

bool is_scalar(const Entries &entries, const TypeFacts &type, TypeKind kind) {
  return type.kind == TypeKind::tensor && type.rank == 0 && entries.element(type).kind == kind;
}

const AttributeFacts &OperationFacts::attribute(std::string_view name) const {
  size_t i = 0;
  while (schema[i].name != name)
    ++i;
  return *attributes[i];
}

std::string broken_rule(const Entries &entries, const OperationFacts &facts) {
  if (facts.sharding_rule != nullptr && !is_custom_call(facts.operation.name))
    return "a sharding rule must belong to a custom call";
  if (facts.schema.empty())
    return {};
  for (size_t i = 0; i < facts.schema.size(); ++i)
    if (!meets(entries, *facts.attributes[i], facts.schema[i].constraint))
      return "attribute " + std::string(facts.schema[i].name) + " must be of the kind that " +
             std::string(facts.operation.name) + " requires";
  const std::string_view name = facts.operation.name;
  if (name == "all_to_all_v1" || name == "all_to_all_v2") {
    // Its verifier divides by the size of a group.
    const AttributeFacts &groups = facts.attribute("replica_groups");
    if (!entries.is_vhlo(groups, vhlo_tensor) || entries.type(groups.type).elements == 0)
      return "all_to_all must have groups";
  } else if (is_custom_call(name)) {
    const AttributeFacts &aliases = facts.attribute("output_operand_aliases");
    for (uint32_t i = 0; i < aliases.child_count; ++i) {
      const AttributeFacts &alias = entries.attribute(entries.children(aliases)[i]);
      const bool has_operand =
          alias.number >= 0 && alias.number < static_cast<int64_t>(facts.operands.size());
      const auto results = static_cast<int64_t>(facts.results.size());
      const bool has_result = alias.result < 0 ? results == 1 : results > 1 && alias.result < results;
      if (!has_operand || !has_result)
        return "an alias must be of an operand and of a result";
    }
    if (facts.sharding_rule != nullptr)
      return broken_sharding(entries, facts);
  } else if (name == "dot_general_v2") {
    // An operation has all attributes of an algorithm, or none.
    const bool has_none = is_none(entries, facts.attribute("lhs_component_count"));
    for (size_t i = 0; i < facts.schema.size(); ++i)
      if (may_be_none(facts.schema[i].constraint) && is_none(entries, *facts.attributes[i]) != has_none)
        return "dot_general must have all attributes of an algorithm, or none";
  } else if (name == "dynamic_broadcast_in_dim_v1") {
    // The bindings assume that the operand is quantized like the result.
    if (entries.element(entries.type(facts.results[0])).is_quantized_axis)
      return "a dynamic broadcast must not be of a type that is quantized along an axis";
  }
  return {};
}

} // namespace hlokit
