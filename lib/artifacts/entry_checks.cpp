// The checks of entries.h that need several entries: what attributes refer to, cycles and depth.
#include <algorithm>

#include "artifacts/entries.h"

namespace hlokit {
namespace {

// A bound for the depth of nested entries, since MLIR's reader is recursive.
constexpr uint32_t deepest = 200;
// A bound for the size of an attribute. Shared parts count each time, since a walk over an attribute visits such parts
// each time.
constexpr uint64_t largest = uint64_t{1} << 20;
// The bound for types is smaller, since the bindings walk over types for each operation.
constexpr uint64_t largest_type = uint64_t{1} << 16;

} // namespace

void Entries::check_attribute(const Entry &entry, AttributeFacts &attribute) const {
  const uint32_t *const of = children(attribute);
  const auto is_location = [&](uint32_t i) { return attributes_[of[i]].kind == AttributeKind::location; };
  const auto is_text = [&](uint32_t i) { return attributes_[of[i]].kind == AttributeKind::text; };
  if (attribute.kind == AttributeKind::vhlo) {
    if (attribute.code == vhlo_dictionary)
      check_names(entry, attribute);
    if (attribute.code == vhlo_accuracy && !is_vhlo(attributes_[of[0]], vhlo_accuracy_mode))
      fail(entry, "an accuracy must have a mode");
    if (attribute.code >= vhlo_sub_axis && !is_of_mesh(attribute))
      fail(entry, "a mesh, its axes and its groups must consist of the attributes that VHLO defines for them");
    for (uint32_t i = 0; i < attribute.child_count; ++i)
      if (!attributes_[of[i]].is_convertible)
        fail(entry, "an attribute of VHLO must have only parts with a counterpart in StableHLO");
    return;
  }
  if (attribute.kind == AttributeKind::sharding) {
    for (uint32_t i = 0; i < attribute.child_count; ++i)
      if (attributes_[of[i]].kind != AttributeKind::sharding || attributes_[of[i]].code + 1 != attribute.code)
        fail(entry, "a sharding rule must have tensors, and a tensor dimensions, as parts");
    return;
  }
  switch (attribute.code) {
  case builtin_dictionary:
    return check_names(entry, attribute);
  case builtin_call_site:
    if (!is_location(0) || !is_location(1))
      fail(entry, "a call site must have two locations");
    return;
  case builtin_file_line:
  case builtin_file_range:
    if (!is_text(0))
      fail(entry, "a location in a file must have the name of the file");
    return;
  case builtin_fused:
  case builtin_fused_with_metadata:
    for (uint32_t i = 0; i < attribute.child_count - (attribute.code == builtin_fused_with_metadata); ++i)
      if (!is_location(i))
        fail(entry, "a fused location must consist of locations");
    return;
  case builtin_name:
    if (!is_text(0) || !is_location(1))
      fail(entry, "a named location must have a name and a location");
    return;
  default:
    return;
  }
}

// Whether an attribute that describes devices has the right parts.
bool Entries::is_of_mesh(const AttributeFacts &attribute) const {
  const uint32_t *const of = children(attribute);
  const auto are = [&](uint32_t array, VhloAttribute code) {
    const AttributeFacts &elements = attributes_[array];
    const uint32_t *const in = children(elements);
    return is_vhlo(elements, vhlo_array) && std::all_of(in, in + elements.child_count, [&](uint32_t i) {
             return is_vhlo(attributes_[i], code);
           });
  };
  switch (attribute.code) {
  case vhlo_axis:
    return is_vhlo(attributes_[of[0]], vhlo_string) &&
           (attribute.child_count == 1 || is_vhlo(attributes_[of[1]], vhlo_sub_axis));
  case vhlo_groups_of_mesh:
    return (is_vhlo(attributes_[of[0]], vhlo_string) || is_vhlo(attributes_[of[0]], vhlo_mesh)) &&
           are(of[1], vhlo_axis);
  case vhlo_mesh_axis:
    return is_vhlo(attributes_[of[0]], vhlo_string);
  case vhlo_mesh: {
    if (!are(of[0], vhlo_mesh_axis))
      return false;
    if (attribute.child_count == 1)
      return true;
    const AttributeFacts &devices = attributes_[of[1]];
    return is_vhlo(devices, vhlo_tensor) && types_[*children(types_[devices.type])].kind == TypeKind::integer;
  }
  default:
    return true;
  }
}

// Names must be strings, not empty, and distinct.
void Entries::check_names(const Entry &entry, const AttributeFacts &attribute) const {
  const uint32_t *const of = children(attribute);
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < attribute.child_count; i += 2) {
    const AttributeFacts &name = attributes_[of[i]];
    const bool is_name =
        attribute.kind == AttributeKind::vhlo ? is_vhlo(name, vhlo_string) : name.kind == AttributeKind::text;
    if (!is_name || text(name.string).empty())
      fail(entry, "a key of a dictionary must be a name");
    names.push_back(text(name.string));
  }
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end())
    fail(entry, "a dictionary must have each key once");
}

// Visits entries in post-order and measures them. The stack is explicit, because the input would control the depth of a
// recursion.
void Entries::order() {
  struct Measure {
    uint64_t size = 0; // 0: not visited; largest + 1: being visited
    uint32_t depth = 0;
  };
  struct Visit {
    uint32_t node; // attributes, then types
    uint32_t next; // child
  };
  constexpr uint64_t busy = largest + 1;
  const auto attribute_count = static_cast<uint32_t>(attributes_.size());
  const auto count = attribute_count + static_cast<uint32_t>(types_.size());
  std::vector<Measure> measures(count);
  std::vector<Visit> visits;
  const auto entry_of = [&](uint32_t node) -> const Entry & {
    return node < attribute_count ? bytecode_.entries().attributes[node]
                                  : bytecode_.entries().types[node - attribute_count];
  };
  // The walk leaves out references from attributes to their types, and from tensor types to encodings: they make no
  // cycles, since types refer to no other attributes, and encodings refer to nothing.
  for (uint32_t root = 0; root < count; ++root) {
    if (measures[root].size != 0)
      continue;
    visits.push_back({root, 0});
    measures[root].size = busy;
    while (!visits.empty()) {
      const auto [node, next] = visits.back();
      const bool is_attribute = node < attribute_count;
      const uint32_t child_count =
          is_attribute ? attributes_[node].child_count : types_[node - attribute_count].child_count;
      const uint32_t *const of =
          is_attribute ? children(attributes_[node]) : children(types_[node - attribute_count]);
      if (next < child_count) {
        ++visits.back().next;
        const uint32_t child = of[next] + (is_attribute ? 0 : attribute_count);
        if (measures[child].size == busy)
          fail(entry_of(node), "an attribute or type must not contain itself");
        if (measures[child].size == 0) {
          measures[child].size = busy;
          visits.push_back({child, 0});
        }
        continue;
      }
      visits.pop_back();
      Measure measure{1, 0};
      for (uint32_t i = 0; i < child_count; ++i) {
        const Measure &child = measures[of[i] + (is_attribute ? 0 : attribute_count)];
        measure.size += child.size;
        measure.depth = std::max(measure.depth, child.depth + 1);
      }
      if (measure.size > (is_attribute ? largest : largest_type) || measure.depth > deepest)
        fail(entry_of(node), "an attribute or type must have fewer parts, and be nested less deep");
      measures[node] = measure;
      if (is_attribute)
        check_attribute(entry_of(node), attributes_[node]);
    }
  }
}

} // namespace hlokit
