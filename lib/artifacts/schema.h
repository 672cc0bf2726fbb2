// The operations of the VHLO dialect, with their operands, results, regions and attributes.
//
// VHLO's own verifiers accept every attribute and every type. The constraints here are those of the StableHLO
// operations that the bindings convert VHLO to: an attribute of another kind makes the bindings end the process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlokit {

// The constraint of an attribute.
enum class Constraint : uint8_t {
  any_elements, // dense elements of any type
  boolean,
  booleans,    // dense elements of one dimension
  call_config, // a string, or a dictionary
  comparison_direction,
  comparison_type,
  custom_call_api_version,
  dictionaries,
  dictionary,
  dimension,  // an i64 in the range of dimension numbers
  dimensions, // dense elements in that range
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
  nested,  // arrays of arrays of anything
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

// How many operands or results an operation has.
struct Count {
  uint8_t least;
  bool is_least; // whether there may be more

  constexpr bool allows(uint64_t count) const { return is_least ? count >= least : count == least; }
};

struct OperationSchema {
  const char *name;
  uint16_t since; // the version of StableHLO that introduced it: 1,000 times the major version, plus the minor version
  Count operands;
  Count results;
  bool only_tensors; // whether all operands and results are tensors
  // A letter for each region says what the region returns: b, one boolean; t, tensors; v, values of any type; f, the
  // results of the function type. A star after a letter stands for any number of such regions.
  const char *regions;
  const char *attributes; // names in alphabetical order, which is the order of properties
};

struct AttributeSchema {
  std::string_view name;
  Constraint constraint;
};

// The operation of a name without dialect; null if there is none.
const OperationSchema *find_operation(std::string_view name);

// Whether some operation has an attribute of this name.
bool is_attribute(std::string_view name);

std::vector<AttributeSchema> attributes_of(const OperationSchema &operation);

} // namespace hlokit
