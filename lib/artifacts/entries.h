// The attributes and types of a portable artifact.
//
// MLIR's reader trusts the content of attributes and types. Entries checks what that reader and the conversion to StableHLO
// rely on: codes, ranges of numbers, references to attributes and types of the right kind, without cycles and not too deep,
// and the number of bytes of a constant.
#pragma once

#include <string_view>
#include <vector>

#include "bytecode/container.h"

namespace hlokit {

enum class TypeKind : uint8_t {
  builtin_integer,
  builtin_other,
  boolean,
  integer,
  index,
  floating,
  complex_number,
  quantized,
  tensor,
  unranked, // a tensor of unknown rank
  token,
  tuple,
  function,
  future,
  buffer,
  none,
};

// A type. Its children are types: the element type, inputs and then results, or the types of a tuple.
struct TypeFacts {
  TypeKind kind = TypeKind::none;
  uint8_t code = 0;
  uint8_t bits = 0; // the width of a number, or of each part of a complex number
  bool is_quantized_axis = false;
  uint32_t first_child = 0; // into Entries::children
  uint32_t child_count = 0;
  uint32_t input_count = 0; // of a function
  uint32_t rank = 0;        // of a tensor
  uint32_t first_dim = 0;   // into Entries::dims: a tensor's dimensions; a quantized type's axis, size and so on
  int64_t elements = -1;    // of a tensor; negative if a dimension is unknown
};

// Whether values may have this type, alone or in a tuple.
bool is_value(const TypeFacts &type);

enum class AttributeKind : uint8_t {
  // Attributes of the builtin dialect.
  location,
  text,
  dictionary,
  other,
  // Attributes of VHLO, which the code identifies.
  vhlo,
  // The parts of a sharding rule of Shardy, which the code identifies.
  sharding,
};

// The codes of the builtin dialect's attributes.
enum BuiltinAttribute : uint8_t {
  builtin_array = 0,
  builtin_dictionary = 1,
  builtin_string = 2,
  builtin_unit = 7,
  builtin_integer = 8,
  builtin_call_site = 10,
  builtin_file_line = 11,
  builtin_fused = 12,
  builtin_fused_with_metadata = 13,
  builtin_name = 14,
  builtin_unknown = 15,
  builtin_file_range = 22,
};

// The codes of VHLO's attributes.
enum VhloAttribute : uint8_t {
  vhlo_array = 1,
  vhlo_boolean = 2,
  vhlo_comparison_direction = 3,
  vhlo_comparison_type = 4,
  vhlo_api_version = 5,
  vhlo_dictionary = 6,
  vhlo_fft_type = 7,
  vhlo_float = 8,
  vhlo_integer = 9,
  vhlo_alias = 10,
  vhlo_precision = 11,
  vhlo_rng_algorithm = 12,
  vhlo_rng_distribution = 13,
  vhlo_string = 14,
  vhlo_tensor = 15,
  vhlo_transpose = 16,
  vhlo_type = 17,
  vhlo_type_extensions = 18,
  vhlo_accuracy_mode = 19,
  vhlo_accuracy = 20,
  vhlo_sub_axis = 21,
  vhlo_axis = 22,
  vhlo_groups_of_mesh = 23,
  vhlo_mesh_axis = 24,
  vhlo_mesh = 25,
};

// The codes of Shardy's attributes that describe how the dimensions of operands and results belong together.
enum ShardingAttribute : uint8_t {
  sharding_dimension = 8, // the factors of a dimension
  sharding_tensor = 9,    // the dimensions of an operand or result
  sharding_rule = 10,
};

// An attribute. Its children are attributes: elements, or alternately names and values.
struct AttributeFacts {
  AttributeKind kind = AttributeKind::other;
  uint8_t code = 0;
  bool is_convertible = false; // of VHLO: StableHLO has a counterpart
  uint32_t type = 0;           // into Entries::types, for attributes with a type
  uint32_t first_child = 0;
  uint32_t child_count = 0;
  StringIndex string = 0;
  int64_t number = 0;       // an integer; the operand of an alias; the number of bounds, or of a sharding rule's factors
  uint32_t input_count = 0; // of a sharding rule: how many of its children are operands
  int64_t result = -1;      // of an alias of one of several results: its index
  Range data;               // the bytes of dense elements, or of the indices of factors
};

class Entries {
public:
  // Throws a BytecodeError for malformed and for unknown entries.
  explicit Entries(const Bytecode &bytecode);

  const TypeFacts &type(uint64_t index) const { return types_[index]; }
  const AttributeFacts &attribute(uint64_t index) const { return attributes_[index]; }
  size_t type_count() const { return types_.size(); }
  size_t attribute_count() const { return attributes_.size(); }

  const uint32_t *children(const TypeFacts &type) const { return children_.data() + type.first_child; }
  const uint32_t *children(const AttributeFacts &attribute) const {
    return children_.data() + attribute.first_child;
  }
  // The type of a tensor's elements.
  const TypeFacts &element(const TypeFacts &tensor) const { return types_[children_[tensor.first_child]]; }
  std::string_view bytes(Range range) const { return bytecode_.text(range); }
  Cursor read(Range range) const { return bytecode_.read(range); }
  std::string_view text(StringIndex index) const { return bytecode_.text(bytecode_.strings()[index]); }

  bool is_vhlo(const AttributeFacts &attribute, VhloAttribute code) const {
    return attribute.kind == AttributeKind::vhlo && attribute.code == code;
  }

private:
  enum class Family : uint8_t { builtin, vhlo, shardy, other };

  [[noreturn]] void fail(const Entry &entry, const char *message) const;
  Family family(const Entry &entry) const;

  void read_types();
  void read_builtin_type(Cursor &cursor, TypeFacts &type);
  void read_vhlo_type(Cursor &cursor, TypeFacts &type);
  void read_shape(Cursor &cursor, TypeFacts &type);
  void read_quantized(Cursor &cursor, TypeFacts &type, bool along_axis);
  void check_type(const Entry &entry, TypeFacts &type) const;
  void check_quantized(const Entry &entry, const TypeFacts &type) const;

  void read_attributes();
  void read_builtin_attribute(Cursor &cursor, AttributeFacts &attribute);
  void read_vhlo_attribute(Cursor &cursor, AttributeFacts &attribute);
  void read_sharding(Cursor &cursor, AttributeFacts &attribute);
  void read_number(Cursor &cursor, AttributeFacts &attribute, bool is_float);
  void read_dense(Cursor &cursor, AttributeFacts &attribute) const;
  void check_attribute(const Entry &entry, AttributeFacts &attribute) const;
  bool is_of_mesh(const AttributeFacts &attribute) const;
  void check_names(const Entry &entry, const AttributeFacts &attribute) const;
  void check_encodings() const;

  void order();

  void add_children(Cursor &cursor, uint64_t count, uint64_t limit, const char *what);
  template <typename Facts> void begin_children(Facts &facts) const {
    facts.first_child = static_cast<uint32_t>(children_.size());
  }
  template <typename Facts> void end_children(Facts &facts) const {
    facts.child_count = static_cast<uint32_t>(children_.size()) - facts.first_child;
  }

  const Bytecode &bytecode_;
  std::vector<Family> families_; // of dialects
  std::vector<TypeFacts> types_;
  std::vector<AttributeFacts> attributes_;
  std::vector<uint32_t> children_;
  std::vector<int64_t> dims_;
  std::vector<uint32_t> encoded_; // alternately a tensor type and its encoding, an attribute
};

} // namespace hlokit
