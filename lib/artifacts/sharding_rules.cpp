// The rules of Shardy that JAX attaches to calls of libraries: which dimensions of operands and results belong together.
//
// A rule names factors. Each dimension of an operand or result is a product of factors, and equal factors belong together.
#include <vector>

#include "artifacts/entries.h"
#include "artifacts/rules.h"

namespace hlokit {
namespace {

// Bounds of factors, far above those of programs and far from overflow of their products.
constexpr uint64_t most_factors = 64;
constexpr int64_t largest_factor = int64_t{1} << 40;

// The indices of factors that a list consists of.
template <typename Take> void read_factors(Cursor &cursor, Take take) {
  const uint64_t count = cursor.count("factors");
  for (uint64_t i = 0; i < count; ++i) {
    const int64_t factor = cursor.signed_varint();
    if (factor < 0 || factor >= static_cast<int64_t>(most_factors))
      cursor.fail("the index of a factor must be in [0, " + std::to_string(most_factors) + "), got " + std::to_string(factor));
    take(factor);
  }
}

// Marks the factors of an operand or result. False if its rank is another one, or if a factor occurs twice.
bool mark(const Entries &entries, const AttributeFacts &tensor, const TypeFacts &type, int64_t factor_count,
          uint64_t &used) {
  if (type.kind != TypeKind::tensor || type.rank != tensor.child_count)
    return false;
  uint64_t here = 0;
  bool are_known = true;
  for (uint32_t d = 0; d < tensor.child_count; ++d) {
    Cursor cursor = entries.read(entries.attribute(entries.children(tensor)[d]).data);
    read_factors(cursor, [&](int64_t factor) {
      const uint64_t bit = uint64_t{1} << factor;
      are_known &= factor < factor_count && (here & bit) == 0;
      here |= bit;
    });
  }
  used |= here;
  return are_known;
}

} // namespace

void Entries::read_sharding(Cursor &cursor, AttributeFacts &attribute) {
  const uint64_t code = cursor.varint();
  attribute.kind = AttributeKind::sharding;
  attribute.code = static_cast<uint8_t>(code);
  switch (code) {
  case sharding_dimension:
    attribute.data = {cursor.position(), cursor.remaining()};
    read_factors(cursor, [](int64_t) {});
    break;
  case sharding_tensor:
    add_children(cursor, cursor.count("dimensions"), attributes_.size(), "attribute");
    break;
  case sharding_rule: {
    const uint64_t factors = cursor.count("factors");
    if (factors > most_factors)
      cursor.fail("a sharding rule must have at most " + std::to_string(most_factors) + " factors, got " +
                  std::to_string(factors));
    attribute.number = static_cast<int64_t>(factors);
    for (uint64_t i = 0; i < factors; ++i)
      if (const int64_t size = cursor.signed_varint(); size < 1 || size > largest_factor)
        cursor.fail("a factor must be in [1, " + std::to_string(largest_factor) + "], got " + std::to_string(size));
    attribute.input_count = static_cast<uint32_t>(cursor.count("operands"));
    add_children(cursor, attribute.input_count, attributes_.size(), "attribute");
    add_children(cursor, cursor.count("results"), attributes_.size(), "attribute");
    // The factors of reductions, of replications and of permutations, and the blocked ones.
    for (int list = 0; list < 4; ++list) {
      int64_t last = -1;
      read_factors(cursor, [&](int64_t factor) {
        if (factor <= last || factor >= attribute.number)
          cursor.fail("the factors of a list must exist, and increase");
        last = factor;
      });
    }
    if (cursor.byte() > 1)
      cursor.fail("a truth value must be 0 or 1");
    break;
  }
  default:
    cursor.fail("an attribute of Shardy must be part of a sharding rule, got code " + std::to_string(code));
  }
}

std::string broken_sharding(const Entries &entries, const OperationFacts &facts) {
  const AttributeFacts &rule = *facts.sharding_rule;
  const size_t operands = facts.operands.size(), results = facts.results.size();
  if (rule.input_count != operands || rule.child_count != operands + results)
    return "a sharding rule must have a part for each operand and result";
  uint64_t used = 0;
  for (uint32_t i = 0; i < rule.child_count; ++i) {
    const uint32_t type = i < operands ? facts.operands[i] : facts.results[i - operands];
    const AttributeFacts &tensor = entries.attribute(entries.children(rule)[i]);
    if (!mark(entries, tensor, entries.type(type), rule.number, used))
      return "a sharding rule must have known factors, each once in a tensor, for each dimension";
  }
  const uint64_t all = rule.number == 64 ? ~uint64_t{0} : (uint64_t{1} << rule.number) - 1;
  return used == all ? "" : "a sharding rule must use each factor";
}

} // namespace hlokit
