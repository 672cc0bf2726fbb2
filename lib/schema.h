// The operations of the VHLO dialect: what each of them is made of.
//
// VHLO's own definitions let every attribute and every type pass. What stands here is what the operation of
// StableHLO needs that is made of it: the bindings end the process where that has an attribute of another
// kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlokit {

// What an attribute must be.
enum class Need : uint8_t {
  any_elements, // dense elements of any type
  boolean,
  booleans,    // dense elements of one dimension
  call_config, // a string, or a dictionary
  comparison_direction,
  comparison_type,
  custom_call_api_version,
  dictionaries,
  dictionary,
  dimension,  // an i64 that may be the number of a dimension
  dimensions, // dense elements that may be
  f32,
  fft_type,
  function_type,
  groups, // a matrix, or axes of a mesh
  i32,
  i64,
  integer, // i32 or i64
  layouts, // an array of dense elements of type index
  list,    // dense elements of type i64, of one dimension
  matrix,  // dense elements of type i64, of at most two dimensions
  name,    // a string, not empty
  nested,  // arrays of arrays, whatever is in them
  none_or_boolean,
  none_or_i64,
  none_or_type,
  operand_aliases,
  precisions,
  result_accuracy,
  rng_algorithm,
  rng_distribution,
  string,
  strings,
  transpose,
};

// How many operands, results or regions there are.
struct Count {
  uint8_t least;
  bool is_least; // there may be more

  constexpr bool allows(uint64_t count) const { return is_least ? count >= least : count == least; }
};

struct Operation {
  const char *name;
  uint16_t since; // 1,000 times the major version of StableHLO that brought it, and the minor version
  Count operands;
  Count results;
  bool only_tensors; // operands and results
  // A letter for each region, of what it returns: b, a truth value; t, tensors; v, values of any type; f,
  // what the function type says. A star: any number of the kind before.
  const char *regions;
  const char *attributes; // their names in alphabetical order, which is that of properties
};

struct AttributeNeed {
  std::string_view name;
  Need need;
};

// The operation of this name, without the dialect; null if there is none.
const Operation *find_operation(std::string_view name);

// Whether some operation has an attribute of this name.
bool is_attribute(std::string_view name);

std::vector<AttributeNeed> attributes_of(const Operation &operation);

} // namespace hlokit
