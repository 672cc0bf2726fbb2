#include "vm.h"

#include <string>

#include "vm_checks.h"

namespace hlokit::vm {

// The best ones of the tables, which have the same rows.
const Operations &all_operations() {
  static std::vector<Operation> rows;
  static const Operations chosen = [] {
    Operations best = baseline_operations(), best_complex = baseline_complex_operations();
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    if (__builtin_cpu_supports("avx2") && avx2_operations().count) {
      best = avx2_operations();
      best_complex = avx2_complex_operations();
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && avx512_operations().count) {
      best = avx512_operations();
      best_complex = avx512_complex_operations();
    }
#endif
    rows.assign(best.begin, best.begin + best.count);
    rows.insert(rows.end(), best_complex.begin, best_complex.begin + best_complex.count);
    best.begin = rows.data();
    best.count = rows.size();
    return best;
  }();
  return chosen;
}

const Operation &operation(int number) {
  if (number < 0 || static_cast<size_t>(number) >= all_operations().count)
    throw ProgramError("there is no operation " + std::to_string(number));
  return all_operations().begin[number];
}

void check_register(const std::vector<Type> &types, uint32_t index) {
  if (index >= types.size())
    throw ProgramError("there is no register " + std::to_string(index));
}

void check_type(const std::vector<Type> &types, uint32_t index, Type type) {
  check_register(types, index);
  if (types[index] != type)
    throw ProgramError("register " + std::to_string(index) + " must hold " +
                       type_names[static_cast<size_t>(type)]);
}

const Operation &check_operation(const std::vector<Type> &types, const Source &source) {
  const Operation &found = operation(source.operation);
  const uint32_t operands[] = {source.a, source.b, source.c};
  check_type(types, source.to, found.to);
  for (size_t i = 0; i < found.arity; ++i)
    check_type(types, operands[i], found.operands[i]);
  return found;
}

size_t size_of(Type type) {
  switch (type) {
  case Type::i1:
  case Type::i8:
  case Type::ui8:
    return 1;
  case Type::i16:
  case Type::ui16:
  case Type::bf16:
    return 2;
  case Type::i32:
  case Type::ui32:
  case Type::f32:
    return 4;
  case Type::i64:
  case Type::ui64:
  case Type::f64:
  case Type::c64:
    return 8;
  case Type::c128:
    return 16;
  }
  throw ProgramError("there is no such type");
}

size_t alignment_of(Type type) {
  const bool is_complex = type == Type::c64 || type == Type::c128;
  return is_complex ? size_of(type) / 2 : size_of(type);
}

void check_simple(const std::vector<Type> &types) {
  for (Type type : types)
    if (alignment_of(type) != size_of(type))
      throw ProgramError("complex numbers are for chains only");
}

int find_reduction(std::string_view name, Type type) {
  const Operations &all = all_operations();
  for (size_t i = 0; i < all.reduction_count; ++i)
    if (all.reductions[i].type == type && name == all.reductions[i].name)
      return first_reduction - static_cast<int>(i);
  return 0;
}

int find_operation(std::string_view name, Type to, Type operand) {
  for (size_t i = 0; i < all_operations().count; ++i) {
    const Operation &row = all_operations().begin[i];
    if (row.to == to && row.operands[row.arity - 1] == operand && name == row.name)
      return static_cast<int>(i);
  }
  return -1;
}

} // namespace hlokit::vm
