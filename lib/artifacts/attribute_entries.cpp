// The attributes of entries.h.
#include <algorithm>

#include "artifacts/entries.h"

namespace hlokit {
namespace {

// The first and the last value of an enumeration of VHLO; 1 and 0 for other attributes.
struct Choices {
  uint8_t first, last;
};

Choices choices_of(uint64_t code) {
  switch (code) {
  case vhlo_comparison_direction:
    return {0, 5};
  case vhlo_comparison_type:
  case vhlo_api_version:
    return {0, 4};
  case vhlo_fft_type:
  case vhlo_transpose:
    return {0, 3};
  case vhlo_precision:
  case vhlo_rng_algorithm:
  case vhlo_accuracy_mode:
    return {0, 2};
  case vhlo_rng_distribution:
    return {1, 2};
  default:
    return {1, 0};
  }
}

} // namespace

void Entries::read_attributes() {
  const std::vector<Entry> &entries = bytecode_.entries().attributes;
  for (size_t i = 0; i < entries.size(); ++i) {
    Cursor cursor = bytecode_.read(entries[i].data);
    begin_children(attributes_[i]);
    switch (family(entries[i])) {
    case Family::builtin:
      read_builtin_attribute(cursor, attributes_[i]);
      break;
    case Family::shardy:
      read_sharding(cursor, attributes_[i]);
      break;
    default:
      read_vhlo_attribute(cursor, attributes_[i]);
    }
    end_children(attributes_[i]);
    if (!cursor.at_end())
      cursor.fail("unknown data after an attribute");
  }
}

void Entries::read_builtin_attribute(Cursor &cursor, AttributeFacts &attribute) {
  const uint64_t code = cursor.varint();
  const uint64_t attributes = attributes_.size();
  attribute.code = static_cast<uint8_t>(std::min<uint64_t>(code, 255));
  switch (code) {
  case builtin_array:
    add_children(cursor, cursor.count("attributes"), attributes, "attribute");
    break;
  case builtin_dictionary:
    attribute.kind = AttributeKind::dictionary;
    add_children(cursor, 2 * cursor.count("attributes"), attributes, "attribute");
    break;
  case builtin_string:
    attribute.kind = AttributeKind::text;
    attribute.string = static_cast<StringIndex>(cursor.index(bytecode_.strings().size(), "string"));
    break;
  case builtin_unit:
    break;
  case builtin_integer:
    read_number(cursor, attribute, false);
    break;
  case builtin_call_site:
    attribute.kind = AttributeKind::location;
    add_children(cursor, 2, attributes, "attribute");
    break;
  case builtin_file_line:
  case builtin_file_range: {
    attribute.kind = AttributeKind::location;
    add_children(cursor, 1, attributes, "attribute");
    const uint64_t numbers = code == builtin_file_line ? 2 : cursor.count("lines and columns");
    if (numbers < 1 || numbers > 4)
      cursor.fail("a location must have 1 to 4 lines and columns, got " + std::to_string(numbers));
    for (uint64_t i = 0; i < numbers; ++i)
      if (cursor.varint() > UINT32_MAX)
        cursor.fail("a line or column must be below 2**32");
    break;
  }
  case builtin_fused:
  case builtin_fused_with_metadata:
    attribute.kind = AttributeKind::location;
    add_children(cursor, cursor.count("locations"), attributes, "attribute");
    if (code == builtin_fused_with_metadata)
      add_children(cursor, 1, attributes, "attribute");
    break;
  case builtin_name:
    attribute.kind = AttributeKind::location;
    add_children(cursor, 2, attributes, "attribute");
    break;
  case builtin_unknown:
    attribute.kind = AttributeKind::location;
    break;
  default:
    cursor.fail("builtin attribute " + std::to_string(code) + " is not known");
  }
}

void Entries::read_vhlo_attribute(Cursor &cursor, AttributeFacts &attribute) {
  const uint64_t code = cursor.varint();
  const uint64_t attributes = attributes_.size();
  attribute.kind = AttributeKind::vhlo;
  attribute.code = static_cast<uint8_t>(std::min<uint64_t>(code, 255));
  attribute.is_convertible = true;
  if (const Choices choices = choices_of(code); choices.first <= choices.last) {
    const uint64_t choice = cursor.varint();
    if (choice < choices.first || choice > choices.last)
      cursor.fail("an enumeration must have a value from " + std::to_string(choices.first) + " to " +
                  std::to_string(choices.last) + ", got " + std::to_string(choice));
    return;
  }
  switch (code) {
  case vhlo_array:
    add_children(cursor, cursor.count("attributes"), attributes, "attribute");
    break;
  case vhlo_boolean:
    if (cursor.varint() > 1)
      cursor.fail("a truth value must be 0 or 1");
    break;
  case vhlo_dictionary:
    add_children(cursor, 2 * cursor.count("attributes"), attributes, "attribute");
    break;
  case vhlo_float:
    read_number(cursor, attribute, true);
    break;
  case vhlo_integer:
    read_number(cursor, attribute, false);
    break;
  case vhlo_alias: {
    // An index chooses one of several results. All further indices choose parts of tuples; the verifier follows them
    // before it checks that there are tuples.
    const uint64_t outputs = cursor.count("indices");
    if (outputs == 1) {
      attribute.result = cursor.signed_varint();
      if (attribute.result < 0)
        cursor.fail("the index of an aliased result must not be negative");
    }
    if (outputs > 1)
      cursor.fail("an output must have no aliases in tuples");
    attribute.number = cursor.signed_varint();
    if (cursor.count("indices") != 0)
      cursor.fail("an output must have no aliases in tuples");
    break;
  }
  case vhlo_string:
    attribute.string = static_cast<StringIndex>(cursor.index(bytecode_.strings().size(), "string"));
    break;
  case vhlo_tensor:
    read_dense(cursor, attribute);
    break;
  case vhlo_type:
    attribute.type = static_cast<uint32_t>(cursor.index(types_.size(), "type"));
    if (types_[attribute.type].kind <= TypeKind::builtin_other)
      cursor.fail("an attribute of a type must hold a type of VHLO");
    break;
  case vhlo_type_extensions: {
    attribute.is_convertible = false;
    const uint64_t bounds = cursor.count("bounds");
    attribute.number = static_cast<int64_t>(bounds);
    for (uint64_t i = 0; i < bounds; ++i)
      cursor.signed_varint();
    break;
  }
  case vhlo_accuracy:
    for (int i = 0; i < 3; ++i)
      cursor.signed_varint(); // absolute and relative tolerance, and units in the last place
    add_children(cursor, 1, attributes, "attribute");
    break;
  case vhlo_sub_axis:
    cursor.signed_varint();
    cursor.signed_varint();
    break;
  case vhlo_axis: {
    add_children(cursor, 1, attributes, "attribute");
    const uint64_t parts = cursor.varint();
    if (parts > 1)
      cursor.fail("an axis must have at most one part, got " + std::to_string(parts));
    add_children(cursor, parts, attributes, "attribute");
    break;
  }
  case vhlo_groups_of_mesh:
    add_children(cursor, 2, attributes, "attribute");
    break;
  case vhlo_mesh_axis:
    add_children(cursor, 1, attributes, "attribute");
    cursor.signed_varint(); // its size
    break;
  case vhlo_mesh: {
    add_children(cursor, 1, attributes, "attribute");
    const auto [devices, are_there] = cursor.flagged_varint();
    if (are_there)
      children_.push_back(static_cast<uint32_t>(cursor.checked_index(devices, attributes, "attribute")));
    break;
  }
  default:
    cursor.fail("VHLO attribute " + std::to_string(code) + " is not known");
  }
}

// Numbers of up to 8 bits are a byte, wider ones a signed varint.
void Entries::read_number(Cursor &cursor, AttributeFacts &attribute, bool is_float) {
  attribute.type = static_cast<uint32_t>(cursor.index(types_.size(), "type"));
  const TypeFacts &type = types_[attribute.type];
  const bool fits = attribute.kind != AttributeKind::vhlo ? type.kind == TypeKind::builtin_integer
                    : is_float
                        ? type.kind == TypeKind::floating && type.bits >= 16 && type.bits != 19
                        : (type.kind == TypeKind::integer && type.bits > 2) || type.kind == TypeKind::index;
  if (!fits)
    cursor.fail("a number must have a float type of 16 bits or more (except tf32), an integer type of more than 2 "
                "bits, or an index type");
  if (type.bits <= 8) {
    attribute.number = cursor.byte();
    if (attribute.number >> type.bits)
      cursor.fail("a number must fit its type of " + std::to_string(type.bits) + " bits");
    return;
  }
  attribute.number = cursor.signed_varint();
  if (type.bits == 64)
    return;
  const int64_t limit = int64_t{1} << type.bits;
  if (attribute.number >= limit || attribute.number < -limit / 2)
    cursor.fail("a number must fit its type of " + std::to_string(type.bits) + " bits");
}

void Entries::read_dense(Cursor &cursor, AttributeFacts &attribute) const {
  attribute.type = static_cast<uint32_t>(cursor.index(types_.size(), "type"));
  attribute.data = cursor.take(cursor.varint());
  const TypeFacts &type = types_[attribute.type];
  if (type.kind != TypeKind::tensor || type.elements < 0)
    cursor.fail("dense elements must have a type with known dimensions");
  const TypeFacts &element = types_[*children(type)];
  const std::string_view bytes = bytecode_.text(attribute.data);
  const auto count = static_cast<uint64_t>(type.elements);
  if (element.kind == TypeKind::boolean) {
    // A byte holds eight elements. A single byte of zeros or ones is a splat; of a tensor of one element, only the
    // lowest bit counts.
    const auto first = bytes.empty() ? 0 : static_cast<uint8_t>(bytes[0]);
    const bool is_splat = bytes.size() == 1 && (first == 0 || first == 0xFF);
    const bool is_single = bytes.size() == 1 && count == 1 && first == 1;
    const bool is_packed = count != 1 && bytes.size() == (count + 7) / 8;
    if (!is_splat && !is_single && !is_packed)
      cursor.fail("dense elements must have as many bytes as their type requires, got " + std::to_string(bytes.size()));
    return;
  }
  const bool is_complex = element.kind == TypeKind::complex_number;
  if (!is_complex && element.kind != TypeKind::integer && element.kind != TypeKind::floating &&
      element.kind != TypeKind::index)
    cursor.fail("dense elements must be numbers");
  const uint64_t width = std::max<uint64_t>(element.bits / 8, 1) * (is_complex ? 2 : 1);
  if (bytes.size() != count * width && bytes.size() != width)
    cursor.fail("dense elements must have as many bytes as their type requires, got " + std::to_string(bytes.size()));
  if (element.bits < 8) {
    unsigned seen = 0;
    for (const char byte : bytes)
      seen |= static_cast<uint8_t>(byte);
    if (seen >> element.bits)
      cursor.fail("an element must fit its type of " + std::to_string(element.bits) + " bits");
  }
}

} // namespace hlokit
