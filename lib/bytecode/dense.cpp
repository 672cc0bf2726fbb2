#include "bytecode/dense.h"

namespace hlokit {
namespace {

// The codes that the builtin dialect's attributes begin with. They never change.
constexpr uint64_t dense_resource_code = 16;
constexpr uint64_t dense_array_code = 17;
constexpr uint64_t dense_elements_code = 18;

class DenseReader {
public:
  explicit DenseReader(const Bytecode &bytecode) : bytecode_(bytecode) {
    for (const Dialect &dialect : bytecode.dialects())
      is_builtin_.push_back(bytecode.text(bytecode.strings()[dialect.name]) == "builtin");
  }

  std::vector<DenseAttribute> read() const {
    std::vector<DenseAttribute> found;
    const auto &attributes = bytecode_.entries().attributes;
    for (size_t i = 0; i < attributes.size(); ++i)
      if (attributes[i].custom && is_builtin_[attributes[i].dialect])
        read_attribute(static_cast<uint32_t>(i), bytecode_.read(attributes[i].data), found);
    return found;
  }

private:
  void read_attribute(uint32_t index, Cursor cursor, std::vector<DenseAttribute> &found) const {
    switch (cursor.varint()) {
    case dense_elements_code: {
      const uint32_t type = read_type(cursor);
      found.push_back({DenseKind::elements, index, type, cursor.take(cursor.varint())});
      break;
    }
    case dense_array_code: {
      const uint32_t type = read_type(cursor);
      cursor.varint(); // the number of elements, which follows from the size of the blob
      found.push_back({DenseKind::array, index, type, cursor.take(cursor.varint())});
      break;
    }
    case dense_resource_code: {
      const uint32_t type = read_type(cursor);
      const Resource &resource = read_resource(cursor);
      found.push_back({DenseKind::resource, index, type, resource.data, resource.key});
      break;
    }
    default:
      return;
    }
    if (!cursor.at_end())
      cursor.fail("unknown data after an attribute");
  }

  uint32_t read_type(Cursor &cursor) const {
    return static_cast<uint32_t>(cursor.index(bytecode_.entries().types.size(), "type"));
  }

  const Resource &read_resource(Cursor &cursor) const {
    const auto &[resources, first] = bytecode_.resources();
    const Resource &resource = resources[first + cursor.index(resources.size() - first, "resource")];
    if (resource.kind != ResourceKind::blob && resource.kind != ResourceKind::declaration)
      cursor.fail("the resource of a tensor must be a blob");
    return resource;
  }

  const Bytecode &bytecode_;
  std::vector<bool> is_builtin_;
};

} // namespace

std::vector<DenseAttribute> dense_attributes(const Bytecode &bytecode) { return DenseReader(bytecode).read(); }

} // namespace hlokit
