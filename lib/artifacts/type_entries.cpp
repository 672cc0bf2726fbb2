// The types of entries.h.
#include "artifacts/entries.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace hlokit {
namespace {

constexpr uint32_t highest_rank = 64;
constexpr int64_t unknown_dim = std::numeric_limits<int64_t>::min();
// The largest number of elements of a tensor: its size in bytes is then far from overflow.
constexpr int64_t most_elements = int64_t{1} << 55;

// The codes of VHLO's types, except types of numbers.
enum VhloType : uint8_t {
  type_boolean = 0,
  type_complex = 1,
  type_function = 8,
  type_index = 9,
  type_tensor = 20,
  type_tensor_with_encoding = 21,
  type_token = 22,
  type_tuple = 23,
  type_quantized = 24,
  type_unranked = 25,
  type_quantized_along_axis = 30,
  type_none = 33,
  type_buffer = 41,
  type_future = 42,
};

struct Number {
  TypeKind kind;
  uint8_t bits;
};

// The types of VHLO that consist of a code; 0 bits for all others.
Number number_of(uint64_t code) {
  switch (code) {
  case type_boolean:
    return {TypeKind::boolean, 1};
  case type_index:
    return {TypeKind::index, 64};
  case 2:
  case 3:
    return {TypeKind::floating, 16};
  case 4:
    return {TypeKind::floating, 32};
  case 5:
    return {TypeKind::floating, 64};
  case 6:
  case 7:
  case 27:
  case 28:
  case 29:
  case 35:
  case 36:
  case 40:
    return {TypeKind::floating, 8};
  case 34: // TF32, which describes how to compute, and is no element type
    return {TypeKind::floating, 19};
  case 37:
    return {TypeKind::floating, 4};
  case 38:
  case 39:
    return {TypeKind::floating, 6};
  case 31:
  case 32:
    return {TypeKind::integer, 2};
  case 10:
  case 15:
    return {TypeKind::integer, 4};
  case 11:
  case 16:
    return {TypeKind::integer, 8};
  case 12:
  case 17:
    return {TypeKind::integer, 16};
  case 13:
  case 18:
    return {TypeKind::integer, 32};
  case 14:
  case 19:
    return {TypeKind::integer, 64};
  default:
    return {TypeKind::none, 0};
  }
}

double as_double(int64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

bool is_element(const TypeFacts &type) {
  switch (type.kind) {
  case TypeKind::boolean:
  case TypeKind::integer:
  case TypeKind::index:
  case TypeKind::complex_number:
  case TypeKind::quantized:
    return true;
  case TypeKind::floating:
    return type.bits != 19;
  default:
    return false;
  }
}

} // namespace

bool is_value(const TypeFacts &type) {
  return type.kind == TypeKind::tensor || type.kind == TypeKind::unranked || type.kind == TypeKind::token ||
         type.kind == TypeKind::tuple || type.kind == TypeKind::future || type.kind == TypeKind::buffer;
}

Entries::Entries(const Bytecode &bytecode) : bytecode_(bytecode) {
  for (const Dialect &dialect : bytecode.dialects()) {
    const std::string_view name = bytecode.text(bytecode.strings()[dialect.name]);
    families_.push_back(name == "builtin" ? Family::builtin
                        : name == "vhlo"  ? Family::vhlo
                        : name == "sdy"   ? Family::shardy
                                          : Family::other);
  }
  types_.resize(bytecode.entries().types.size());
  attributes_.resize(bytecode.entries().attributes.size());
  read_types();
  read_attributes();
  check_encodings();
  order();
}

void Entries::fail(const Entry &entry, const char *message) const {
  throw BytecodeError(message, entry.data.offset);
}

Entries::Family Entries::family(const Entry &entry) const {
  const Family family = families_[entry.dialect];
  if (!entry.custom || family == Family::other)
    fail(entry, "an attribute or type must be of the builtin dialect or VHLO");
  return family;
}

void Entries::add_children(Cursor &cursor, uint64_t count, uint64_t limit, const char *what) {
  for (uint64_t i = 0; i < count; ++i)
    children_.push_back(static_cast<uint32_t>(cursor.index(limit, what)));
}

void Entries::read_types() {
  const std::vector<Entry> &entries = bytecode_.entries().types;
  for (size_t i = 0; i < entries.size(); ++i) {
    Cursor cursor = bytecode_.read(entries[i].data);
    begin_children(types_[i]);
    const Family of = family(entries[i]);
    if (of == Family::shardy)
      fail(entries[i], "a type must be of builtin or vhlo, got one of sdy");
    if (of == Family::builtin)
      read_builtin_type(cursor, types_[i]);
    else
      read_vhlo_type(cursor, types_[i]);
    end_children(types_[i]);
    if (types_[i].kind == TypeKind::tensor && types_[i].code == type_tensor_with_encoding) {
      encoded_[encoded_.size() - 2] = static_cast<uint32_t>(i);
    }
    if (!cursor.at_end())
      cursor.fail("unknown data after a type");
  }
  // The checks look only at the kinds and sizes of the types referred to, so one more pass suffices.
  for (size_t i = 0; i < entries.size(); ++i)
    check_type(entries[i], types_[i]);
}

void Entries::read_builtin_type(Cursor &cursor, TypeFacts &type) {
  constexpr uint64_t integer = 0, none = 12, index = 1;
  const uint64_t code = cursor.varint();
  if (code == integer) {
    const uint64_t width = cursor.varint();
    if (width & 3 ||
        (width != 1 << 2 && width != 8 << 2 && width != 16 << 2 && width != 32 << 2 && width != 64 << 2))
      cursor.fail("a builtin integer type must be signless, of 1, 8, 16, 32 or 64 bits");
    type.kind = TypeKind::builtin_integer;
    type.bits = static_cast<uint8_t>(width >> 2);
  } else if (code == none || code == index) {
    type.kind = TypeKind::builtin_other;
  } else {
    cursor.fail("builtin type " + std::to_string(code) + " is not known");
  }
}

void Entries::read_vhlo_type(Cursor &cursor, TypeFacts &type) {
  const uint64_t code = cursor.varint();
  const uint64_t types = types_.size();
  type.code = static_cast<uint8_t>(std::min<uint64_t>(code, 255));
  if (const Number number = number_of(code); number.bits != 0) {
    type.kind = number.kind;
    type.bits = number.bits;
    return;
  }
  switch (code) {
  case type_complex:
  case type_unranked:
    type.kind = code == type_complex ? TypeKind::complex_number : TypeKind::unranked;
    add_children(cursor, 1, types, "type");
    break;
  case type_function: {
    type.kind = TypeKind::function;
    const uint64_t inputs = cursor.count("inputs");
    add_children(cursor, inputs, types, "type");
    type.input_count = static_cast<uint32_t>(inputs);
    add_children(cursor, cursor.count("results"), types, "type");
    break;
  }
  case type_tensor_with_encoding:
    // read_types sets the index of the type.
    encoded_.push_back(0);
    encoded_.push_back(static_cast<uint32_t>(cursor.index(attributes_.size(), "attribute")));
    [[fallthrough]];
  case type_tensor:
    type.kind = TypeKind::tensor;
    read_shape(cursor, type);
    add_children(cursor, 1, types, "type");
    break;
  case type_buffer:
    type.kind = TypeKind::buffer;
    read_shape(cursor, type);
    add_children(cursor, 1, types, "type");
    break;
  case type_token:
    type.kind = TypeKind::token;
    break;
  case type_none:
    type.kind = TypeKind::none;
    break;
  case type_tuple:
  case type_future:
    type.kind = code == type_tuple ? TypeKind::tuple : TypeKind::future;
    add_children(cursor, cursor.count("types"), types, "type");
    break;
  case type_quantized:
  case type_quantized_along_axis:
    read_quantized(cursor, type, code == type_quantized_along_axis);
    break;
  default:
    cursor.fail("VHLO type " + std::to_string(code) + " is not known");
  }
}

void Entries::read_shape(Cursor &cursor, TypeFacts &type) {
  const uint64_t rank = cursor.count("dimensions");
  if (rank > highest_rank)
    cursor.fail("a tensor must have at most " + std::to_string(highest_rank) + " dimensions, got " +
                std::to_string(rank));
  type.rank = static_cast<uint32_t>(rank);
  type.first_dim = static_cast<uint32_t>(dims_.size());
  int64_t product = 1; // of dimensions that are neither unknown nor 0
  bool is_unknown = false, is_empty = false;
  for (uint64_t i = 0; i < rank; ++i) {
    const int64_t dim = cursor.signed_varint();
    if (dim < 0 && dim != unknown_dim)
      cursor.fail("a dimension must not be negative, got " + std::to_string(dim));
    dims_.push_back(dim);
    is_unknown |= dim == unknown_dim;
    is_empty |= dim == 0;
    if (dim > 0 && dim > most_elements / product)
      cursor.fail("a tensor must have at most " + std::to_string(most_elements) + " elements");
    if (dim > 0)
      product *= dim;
  }
  type.elements = is_unknown ? -1 : is_empty ? 0 : product;
}

void Entries::read_quantized(Cursor &cursor, TypeFacts &type, bool along_axis) {
  type.kind = TypeKind::quantized;
  type.is_quantized_axis = along_axis;
  const uint64_t is_signed = cursor.varint();
  if (is_signed > 1)
    cursor.fail("the flags of a quantized type must be 0 or 1, got " + std::to_string(is_signed));
  add_children(cursor, 2, types_.size(), "type");
  type.first_dim = static_cast<uint32_t>(dims_.size());
  const auto read_scale = [&] {
    const double scale = as_double(cursor.signed_varint());
    if (!(scale > 0 && scale <= std::numeric_limits<double>::max()))
      cursor.fail("a scale must be positive and finite");
  };
  // Zero points are checked below, after the range has been read.
  std::vector<int64_t> zero_points;
  uint64_t axis = 0, scales = 1;
  if (along_axis) {
    axis = cursor.varint();
  } else {
    read_scale();
    zero_points.push_back(cursor.signed_varint());
  }
  const int64_t least = cursor.signed_varint(), most = cursor.signed_varint();
  if (along_axis) {
    scales = cursor.count("scales");
    for (uint64_t i = 0; i < scales; ++i)
      read_scale();
    if (cursor.count("zero points") != scales)
      cursor.fail("a quantized type must have a zero point for each of " + std::to_string(scales) + " scales");
    for (uint64_t i = 0; i < scales; ++i)
      zero_points.push_back(cursor.signed_varint());
  }
  if (axis >= highest_rank || scales == 0 || least >= most)
    cursor.fail("a quantized type must have scales, an axis below " + std::to_string(highest_rank) +
                ", and a minimum below its maximum");
  for (const int64_t zero_point : zero_points)
    if (zero_point < least || zero_point > most)
      cursor.fail("a zero point must be from " + std::to_string(least) + " to " + std::to_string(most) + ", got " +
                  std::to_string(zero_point));
  for (const int64_t fact : {static_cast<int64_t>(axis), static_cast<int64_t>(scales),
                             static_cast<int64_t>(is_signed), least, most})
    dims_.push_back(fact);
}

void Entries::check_type(const Entry &entry, TypeFacts &type) const {
  const uint32_t *const of = children(type);
  switch (type.kind) {
  case TypeKind::complex_number:
    type.bits = types_[*of].bits;
    if (types_[*of].kind != TypeKind::floating || (type.bits != 32 && type.bits != 64))
      fail(entry, "the parts of a complex type must be f32 or f64");
    return;
  case TypeKind::quantized:
    return check_quantized(entry, type);
  case TypeKind::tensor:
  case TypeKind::unranked:
  case TypeKind::buffer: {
    const TypeFacts &element = types_[*of];
    if (!is_element(element))
      fail(entry, "a tensor must have elements of a boolean, number, index or quantized type (except tf32)");
    if (!element.is_quantized_axis)
      return;
    const int64_t *const axis = dims_.data() + element.first_dim;
    if (axis[0] >= type.rank || dims_[type.first_dim + static_cast<uint32_t>(axis[0])] != axis[1])
      fail(entry, "the quantized axis of a tensor must have an element for each scale");
    return;
  }
  case TypeKind::function:
  case TypeKind::tuple:
  case TypeKind::future:
    for (uint32_t i = 0; i < type.child_count; ++i)
      if (!is_value(types_[of[i]]))
        fail(entry, "a tuple, function or future type must consist of types of values");
    return;
  default:
    return;
  }
}

void Entries::check_quantized(const Entry &entry, const TypeFacts &type) const {
  const TypeFacts &storage = types_[children(type)[0]], &expressed = types_[children(type)[1]];
  if (storage.kind != TypeKind::integer || storage.bits > 32 || expressed.kind != TypeKind::floating ||
      expressed.bits < 16 || expressed.bits == 19)
    fail(entry, "a quantized type must store integers of at most 32 bits, and express floats of 16 bits or more "
                "(except tf32)");
  const int64_t *const facts = dims_.data() + type.first_dim;
  const bool is_signed = facts[2] != 0;
  const int64_t count = int64_t{1} << storage.bits;
  const int64_t least = is_signed ? -count / 2 : 0, most = is_signed ? count / 2 - 1 : count - 1;
  if (facts[3] < least || facts[4] > most)
    fail(entry, "the range of a quantized type must fit its storage type");
}

void Entries::check_encodings() const {
  for (size_t i = 0; i < encoded_.size(); i += 2) {
    const TypeFacts &type = types_[encoded_[i]];
    const AttributeFacts &bounds = attributes_[encoded_[i + 1]];
    const Entry &entry = bytecode_.entries().attributes[encoded_[i + 1]];
    if (!is_vhlo(bounds, vhlo_type_extensions) || bounds.number != type.rank)
      fail(entry, "the encoding of a tensor must be a bound for each dimension");
    Cursor cursor = bytecode_.read(entry.data);
    cursor.varint(); // the code
    cursor.varint(); // how many
    for (uint32_t d = 0; d < type.rank; ++d) {
      const int64_t bound = cursor.signed_varint();
      if (bound != unknown_dim && (bound < 0 || dims_[type.first_dim + d] != unknown_dim))
        fail(entry, "a bound must not be negative, and must be of an unknown dimension");
    }
  }
}

} // namespace hlokit
