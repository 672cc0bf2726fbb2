// Random programs for lib/vm, valid and malformed, in memory of exactly the required size. Fails if the sanitizers find
// an error, or if kernels for different processor levels disagree.
//
//   fuzz_machines ROUNDS SEED
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "kernels/linalg/routines.h"
#include "quota.h"
#include "support/cpu.h"
#include "vm/fused/fused_program.h"
#include "vm/loop/loop.h"
#include "vm/pointwise/kernel_choice.h"

using namespace hlokit;
using namespace hlokit::vm;
using Type = ElementType;

namespace {

// The kernels for each level up to that of the processor, the baseline first.
const std::vector<Kernels> &all_kernels() {
  static const std::vector<Kernels> all = [] {
    std::vector<Kernels> result;
    for (CpuLevel level : {CpuLevel::baseline, CpuLevel::avx2, CpuLevel::avx512})
      if (level <= cpu_level())
        result.push_back(kernels_for(level));
    return result;
  }();
  return all;
}

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

// Random bits, small integers, single bits, or floats, few of which are NaN or huge.
uint64_t bits() {
  switch (below(4)) {
  case 0:
    return engine();
  case 1:
    return below(300) - 150;
  case 2:
    return uint64_t(1) << below(64);
  default: {
    double value = static_cast<double>(static_cast<int64_t>(engine())) / double(uint64_t(1) << below(63));
    float narrow = static_cast<float>(value);
    uint64_t result = 0;
    if (below(2))
      std::memcpy(&result, &value, 8);
    else
      std::memcpy(&result, &narrow, 4);
    return result;
  }
  }
}

using Bytes = std::unique_ptr<unsigned char[]>;

Bytes random_elements(Type type, size_t count) {
  size_t size = size_of(type);
  Bytes result(new unsigned char[count * size]);
  for (size_t i = 0; i < count; ++i) {
    uint64_t values[2] = {type == Type::i1 ? below(2) : bits(), bits()};
    std::memcpy(result.get() + i * size, values, size);
  }
  return result;
}

void fail(const char *what, const char *name) {
  std::fprintf(stderr, "%s: %s\n", what, name);
  std::exit(1);
}

template <class T> bool is_nan(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value != value;
}

bool is_nan(Type type, const unsigned char *at) {
  if (type == Type::bf16 || type == Type::f16) {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return (bits & 0x7FFF) > (type == Type::bf16 ? 0x7F80 : 0x7C00);
  }
  return type == Type::f32 ? is_nan<float>(at) : type == Type::f64 && is_nan<double>(at);
}

void check_equal(const char *name, Type type, const unsigned char *one, const unsigned char *two, size_t count) {
  const Type part = type == Type::c64 ? Type::f32 : type == Type::c128 ? Type::f64 : type;
  const size_t size = size_of(part);
  count *= size_of(type) / size;
  for (size_t i = 0; i < count; ++i) {
    const unsigned char *x = one + i * size, *y = two + i * size;
    if (std::memcmp(x, y, size) != 0 && !(is_nan(part, x) && is_nan(part, y)))
      fail("kernels differ", name);
    if (type == Type::i1 && *x > 1)
      fail("a boolean is neither 0 nor 1", name);
  }
}

// A sweep with some operands of one element gives the same results as a sweep with these operands repeated.
void check_broadcast(const Opcode &row, Sweep sweep, const BroadcastSweep &broadcast, const Bytes *operands,
                     size_t count) {
  Bytes repeated[3];
  const void *ones[3] = {}, *all[3] = {};
  for (size_t i = 0; i < row.arity; ++i) {
    const size_t size = size_of(row.operands[i]);
    const bool is_one = (broadcast.ones >> i & 1) != 0;
    repeated[i].reset(new unsigned char[count * size]);
    for (size_t j = 0; j < count; ++j)
      std::memcpy(repeated[i].get() + j * size, operands[i].get() + (is_one ? 0 : j * size), size);
    ones[i] = operands[i].get();
    all[i] = repeated[i].get();
  }
  Bytes one = random_elements(row.result, count), two = random_elements(row.result, count);
  broadcast.sweep(one.get(), ones[0], ones[1], ones[2], count);
  sweep(two.get(), all[0], all[1], all[2], count);
  check_equal(row.name, row.result, one.get(), two.get(), count);
}

// All sweeps and all handlers of an opcode give the same results.
void check_opcode(size_t number) {
  const Opcode &row = opcodes().rows[number];
  size_t count = 1 + below(70);
  Bytes operands[3];
  const void *pointers[3] = {};
  for (size_t i = 0; i < row.arity; ++i) {
    operands[i] = random_elements(row.operands[i], count);
    pointers[i] = operands[i].get();
  }
  Bytes one = random_elements(row.result, count), two = random_elements(row.result, count);
  all_kernels()[0].of_opcodes[number].sweep(one.get(), pointers[0], pointers[1], pointers[2], count);
  for (const Kernels &kernels : all_kernels()) {
    const Kernel &kernel = kernels.of_opcodes[number];
    kernel.sweep(two.get(), pointers[0], pointers[1], pointers[2], count);
    check_equal(row.name, row.result, one.get(), two.get(), count);
    for (const BroadcastSweep &broadcast : kernel.broadcasts)
      if (broadcast.sweep)
        check_broadcast(row, kernel.sweep, broadcast, operands, count);
    if (!kernel.handler)
      continue;
    for (size_t i = 0; i < count; ++i) {
      unsigned char registers[32];
      for (size_t j = 0; j < row.arity; ++j)
        std::memcpy(registers + 8 * (j + 1), operands[j].get() + i * size_of(row.operands[j]),
                    size_of(row.operands[j]));
      const DecodedInstruction code[] = {instruction_of(kernel.handler, 0, 8, 16, 24), instruction_of(return_to_loop)};
      if (kernel.handler(code, registers) != code + 2)
        fail("an operation must go on to the next instruction", row.name);
      std::memcpy(two.get() + i * size_of(row.result), registers, size_of(row.result));
    }
    check_equal(row.name, row.result, one.get(), two.get(), count);
  }
}

using Indices = std::vector<uint32_t>;
Registers listed(const Indices &indices) { return {indices.begin(), indices.end()}; }

Instruction random_source(const std::vector<Type> &types, size_t size, bool may_jump) {
  auto reg = [&] { return static_cast<uint32_t>(below(types.size() + (below(40) == 0))); };
  if (may_jump && below(4) == 0) {
    const int opcode = vm::jump - static_cast<int>(below(3));
    Indices operands((opcode == vm::jump ? 0 : 1) + below(40) / 39);
    std::generate(operands.begin(), operands.end(), reg);
    return {opcode, {}, listed(operands), {static_cast<int64_t>(below(size + 2)) - static_cast<int64_t>(below(40) / 39)}};
  }
  uint32_t a = reg(), b = reg(), c = reg(), to = reg();
  int number = static_cast<int>(below(opcodes().count + 1));
  // Mostly an opcode that fits the registers, if there is one.
  for (size_t tries = 0; tries < 600 && to < types.size() && a < types.size(); ++tries) {
    size_t candidate = below(opcodes().count);
    const Opcode &row = opcodes().rows[candidate];
    if (row.result == types[to] && row.operands[0] == types[a]) {
      number = static_cast<int>(candidate);
      for (uint32_t i = 0; i < types.size(); ++i) {
        b = row.arity > 1 && types[i] == row.operands[1] ? i : b;
        c = row.arity > 2 && types[i] == row.operands[2] ? i : c;
      }
      break;
    }
  }
  Indices operands{a, b, c};
  if (below(60))
    operands.resize(static_cast<size_t>(number) < opcodes().count ? opcodes().rows[number].arity : 1);
  return {number, listed(Indices(below(80) ? 1 : below(3), to)), listed(operands), {}};
}

// Mostly the types of loops, which support complex<f32> in arrays.
std::vector<Type> random_types() {
  const size_t known = below(3) ? static_cast<size_t>(Type::c64) : element_type_count;
  std::vector<Type> types(2 + below(8));
  for (Type &type : types)
    type = static_cast<Type>(below(3) ? below(4) : below(known));
  return types;
}

// An instruction on arrays that has an opcode, mostly one that fits small arrays.
Instruction random_array_op(int opcode, uint32_t to, uint32_t a, uint32_t b, const std::vector<Type> &types,
                            const std::vector<int64_t> &counts) {
  const size_t registers = types.size();
  Indices results{to}, operands{a};
  Numbers numbers;
  auto size = [&] { return static_cast<int64_t>(below(30) == 0 ? below(1 << 30) : below(4)); };
  auto stride = [&] { return static_cast<int64_t>(below(40) == 0 ? engine() % 1000000 : below(5)) - (below(10) == 0 ? 3 : 0); };
  auto any_register = [&] { return static_cast<uint32_t>(below(registers + below(10) / 9)); };
  auto row = [&](size_t count, auto make) {
    for (size_t i = 0; i < count; ++i)
      numbers.push_back(static_cast<int64_t>(make()));
  };
  // A list of axes, each with a size and strides.
  auto axes = [&](size_t most, size_t strides) {
    const size_t rank = below(most);
    numbers.push_back(static_cast<int64_t>(rank));
    for (size_t i = 0; i < rank; ++i) {
      numbers.push_back(size());
      row(strides, stride);
    }
    return rank;
  };
  if (opcode == vm::move) {
    row(2, stride);
    axes(4, 2);
  } else if (opcode == dot) {
    operands.push_back(b);
    row(2, stride);
    for (const size_t lacking : {3, 1, 2, 0}) { // the array without these axes
      const size_t rank = below(2);
      numbers.push_back(static_cast<int64_t>(rank));
      for (size_t i = 0; i < rank; ++i) {
        numbers.push_back(size());
        for (size_t j = 0; j < 3; ++j)
          numbers.push_back(j == lacking && below(30) ? 0 : stride());
      }
    }
  } else if (opcode == vm::call) {
    results.assign(below(3), 0);
    operands.assign(below(3), 0);
    std::generate(results.begin(), results.end(), any_register);
    std::generate(operands.begin(), operands.end(), any_register);
    numbers = {stride()};
  } else if (opcode == lapack) { // mostly for matrices of one size
    const int64_t routine = below(8) ? static_cast<int64_t>(below(14)) : stride();
    const auto *found = linalg::routine_at(static_cast<size_t>(routine));
    results.assign(1 + below(3), 0);
    operands.assign(1 + below(3), 0);
    std::generate(results.begin(), results.end(), any_register);
    std::generate(operands.begin(), operands.end(), any_register);
    const int64_t extent = size(), options = found ? static_cast<int64_t>(found->options) : stride();
    numbers = {routine, size(), options};
    row(static_cast<size_t>(std::max<int64_t>(options, 0)), [&] { return below(2); });
    if (found) {
      const std::vector<linalg::ArrayShape> shapes = linalg::shapes_of(*found, Type::f32);
      numbers.push_back(static_cast<int64_t>(shapes.size()));
      for (const linalg::ArrayShape &shape : shapes) {
        numbers.push_back(static_cast<int64_t>(below(3)) - (below(4) == 0));
        numbers.push_back(static_cast<int64_t>(below(60) ? shape.letters.size() : below(3)));
        row(static_cast<size_t>(numbers.back()), [&] { return below(8) ? extent : size(); });
      }
    }
  } else if (opcode == vm::threefry) {
    uint32_t next = 0; // mostly registers in order
    for (Indices *list : {&results, &operands}) {
      list->resize(below(20) ? (list == &results ? 2 : 5) : below(4));
      std::generate(list->begin(), list->end(), [&] { return below(12) ? next++ : any_register(); });
    }
  } else if (opcode == vm::random_bits) { // mostly a state, the next one and an array
    results = {1, 2};
    operands = {0};
    numbers = {static_cast<int64_t>(below(below(20) ? 2 : 4)), 1, counts.back(), 1};
    if (below(8) == 0)
      numbers[below(numbers.size())] = stride();
    if (below(8) == 0)
      numbers[1] = numbers[3] = 2, numbers[2] = counts.back() / 4;
    if (below(8) == 0)
      (below(2) ? results[below(2)] : operands[0]) = any_register();
  } else if (opcode == vm::sort) { // mostly of one array, sorted by itself or by other arrays
    const size_t from = below(registers), keys = 1 + below(2), arrays = below(8) ? 1 : below(3);
    auto like = [&](bool has_type, size_t other) { // mostly a register with the same number of elements, except `other`
      for (size_t tries = 0; tries < 20; ++tries) {
        const size_t found = below(registers);
        if (counts[found] == counts[from] && found != other && (!has_type || types[found] == types[from]))
          return static_cast<uint32_t>(found);
      }
      return static_cast<uint32_t>(below(registers + 1));
    };
    results.assign(arrays, like(true, from));
    const size_t target = results.empty() ? registers : results[0];
    operands.resize(keys);
    std::generate(operands.begin(), operands.end(), [&] { return like(false, target); });
    operands.insert(operands.end(), arrays, static_cast<uint32_t>(from));
    numbers = {static_cast<int64_t>(below(30) ? keys : below(20))};
    row(static_cast<size_t>(numbers[0]), [&] { return below(4); });
    const int64_t whole = std::abs(counts[from]), outer = whole % 5 == 0 ? 5 : 1, inner = whole / outer % 2 == 0 ? 2 : 1;
    if (below(8))
      numbers.insert(numbers.end(), {outer, whole / outer / inner, inner, whole / outer / inner});
    else
      row(4, size);
  } else if (opcode == vm::scan) {
    operands.push_back(b);
    const uint32_t like = to < registers ? to : 0;
    auto number = static_cast<int64_t>(below(opcodes().real_count + 1));
    for (size_t tries = 0; tries < 600; ++tries) {
      const size_t candidate = below(opcodes().real_count);
      const Opcode &found = opcodes().rows[candidate];
      if (found.arity == 2 && found.result == types[like] && found.operands[0] == types[like] &&
          found.operands[1] == types[like]) {
        number = static_cast<int64_t>(candidate);
        break;
      }
    }
    const int64_t whole = std::abs(counts[like]), outer = whole % 5 == 0 ? 5 : 1, inner = whole / outer % 2 == 0 ? 2 : 1;
    numbers = {number};
    if (below(8))
      numbers.insert(numbers.end(), {outer, whole / outer / inner, inner});
    else
      row(3, size);
    row(2, [&] { return below(2); });
  } else if (opcode == vm::fft) { // mostly of the length that fits the types
    const uint32_t target = to < registers ? to : 0, from = a < registers ? a : 0;
    const bool is_real = !is_complex(types[from]), is_to_real = !is_complex(types[target]);
    const int64_t whole = std::abs(counts[is_real ? from : target]);
    const bool is_single = is_real || is_to_real; // one line
    const int64_t outer = !is_single && whole % 5 == 0 ? 5 : 1, inner = !is_single && whole / outer % 2 == 0 ? 2 : 1;
    numbers = {is_real ? 2 : is_to_real ? 3 : static_cast<int64_t>(below(2))};
    if (below(8))
      numbers.insert(numbers.end(), {outer, whole / outer / inner, inner});
    else
      row(3, size);
  } else if (opcode == reduce) {
    operands.push_back(b);
    numbers = {static_cast<int64_t>(below(opcodes().real_count + 1)), stride()};
    axes(3, 1);
    axes(3, 1);
  } else { // windows: one third of them of one element, mostly at a start of 32 bits
    const bool is_element = below(3) == 0;
    row(2, stride);
    const size_t batch = is_element ? 0 : axes(3, 2), window = is_element ? 0 : axes(3, 2);
    if (is_element)
      numbers.insert(numbers.end(), {0, 0});
    const size_t components = is_element ? 1 : below(3);
    numbers.push_back(static_cast<int64_t>(components));
    for (size_t i = 0; i < components; ++i) {
      uint32_t start = any_register();
      for (uint32_t j = 0; j < registers; ++j)
        start = is_element && types[j] == Type::i32 && below(2) ? j : start;
      operands.push_back(start);
      numbers.insert(numbers.end(), {is_element ? 0 : stride(), is_element ? static_cast<int64_t>(below(20)) : size(), stride()});
      numbers.push_back(below(2) || window == 0 ? -1 : static_cast<int64_t>(below(2)));
      numbers.push_back(static_cast<int64_t>(below(60) ? batch : below(3)));
      row(static_cast<size_t>(numbers.back()), stride);
    }
    numbers.push_back(static_cast<int64_t>(below(2)));
    numbers.push_back(below(3) || is_element ? -1 : static_cast<int64_t>(below(opcodes().real_count)));
  }
  if (below(30) == 0)
    numbers.push_back(0);
  if (below(30) == 0 && !numbers.empty())
    numbers.pop_back();
  if (below(60) == 0)
    operands.push_back(any_register());
  if (below(60) == 0 && !operands.empty())
    operands.pop_back();
  return {opcode, listed(results), listed(operands), numbers};
}

int good_arrays = 0; // valid programs with an instruction on arrays
int good_sorts = 0, good_scans = 0, good_transforms = 0, good_hashes = 0, good_bits = 0,
    good_gathers = 0;

int run_loop() {
  std::vector<Type> types = random_types();
  std::vector<int64_t> counts(types.size(), Loop::scalar);
  const int64_t common = below(8) ? static_cast<int64_t>(20 + below(60)) : 1000 + static_cast<int64_t>(below(1500));
  if (below(4))
    for (int64_t &count : counts)
      if (below(2))
        count = below(4) ? common : static_cast<int64_t>(below(40));
  std::vector<Instruction> program;
  bool has_array_op = false;
  const bool is_single = below(4) == 0; // one instruction on arrays, which is valid more often
  const size_t size = is_single ? 1 : below(7);
  while (program.size() < size) {
    if (!is_single && below(3)) {
      program.push_back(random_source(types, size, true));
      continue;
    }
    constexpr int array_ops[] = {vm::move, vm::read_windows, vm::write_windows, vm::reduce, vm::dot, vm::call, vm::lapack,
                                 vm::sort, vm::scan, vm::fft, vm::threefry, vm::random_bits};
    const int opcode = below(100) ? array_ops[below(12)] : vm::reduce_rows + 2 - static_cast<int>(below(6));
    auto reg = [&] { return static_cast<uint32_t>(below(types.size() + (below(40) == 0))); };
    uint32_t to = reg(), a = reg(), b = reg();
    if (a < types.size() && to < types.size() && below(8))
      for (uint32_t i = 0; i < types.size(); ++i)
        if (i != to && types[i] == types[to])
          a = i;
    if (opcode == vm::reduce && below(2))
      for (uint32_t i = 0; i < types.size(); ++i)
        b = to < types.size() && types[i] == types[to] && counts[i] == Loop::scalar ? i : b;
    if (opcode == vm::scan && is_single && below(4)) { // few random programs have three such registers
      types.assign(3, types[0]);
      counts = {common, common, Loop::scalar};
      to = 0, a = 1, b = 2;
    }
    if (opcode == vm::fft && is_single && below(4)) {
      const bool is_wide = below(2) != 0, is_real = below(2) != 0;
      const Type complex_type = is_wide ? Type::c128 : Type::c64, real_type = is_wide ? Type::f64 : Type::f32;
      types = {below(2) ? Type::c64 : Type::c128, is_real ? real_type : complex_type};
      counts = {is_real ? common / 2 + 1 : common, common};
      to = below(2) ? 0 : 1, a = 1 - to;
    }
    if (opcode == vm::threefry && is_single && below(8)) {
      types.assign(7, Type::ui32);
      counts.assign(7, common);
      for (int64_t &count : counts)
        count = below(12) ? common : Loop::scalar;
    }
    if (opcode == vm::random_bits && is_single && below(8)) {
      constexpr Type of_bits[] = {Type::ui8, Type::ui16, Type::ui32, Type::ui64};
      types = {Type::ui64, Type::ui64, of_bits[below(4)]};
      counts.assign(3, static_cast<int64_t>(below(2) ? 2 : 3));
      counts[2] = static_cast<int64_t>(below(40) ? below(100) : below(40'000));
    }
    program.push_back(random_array_op(opcode, to, a, b, types, counts));
    has_array_op = true;
  }
  std::vector<uint32_t> outside;
  for (uint32_t i = 0; i < types.size(); ++i)
    if (counts[i] != Loop::scalar && below(2))
      outside.push_back(i);
  try {
    Loop loop(types, counts, program, outside);
    Bytes allocated(new unsigned char[loop.memory_bytes() + Loop::alignment]());
    unsigned char *memory = allocated.get();
    memory += (Loop::alignment - reinterpret_cast<uintptr_t>(memory) % Loop::alignment) % Loop::alignment;
    auto *slots = reinterpret_cast<uint64_t *>(memory);
    for (size_t i = 0; i < types.size(); ++i)
      slots[reserved_words::count + i] = types[i] == Type::i1 ? below(2) : bits();
    std::vector<Bytes> arrays;
    for (const Loop::ExternalArray &each : loop.external()) {
      arrays.push_back(random_elements(types[each.index], each.bytes / size_of(types[each.index])));
      slots[reserved_words::count + each.index] = reinterpret_cast<uintptr_t>(arrays.back().get());
    }
    loop.start(memory);
    for (int i = 0; i < 5 && loop.resume(memory, 20) != reasons::ended; ++i) {
    }
    slots[1] = below(20); // a position at which no run has stopped
    try {
      loop.resume(memory, 20);
    } catch (const ProgramError &) {
    }
    good_arrays += has_array_op;
    for (const Instruction &each : program) {
      good_sorts += each.opcode == vm::sort;
      good_scans += each.opcode == vm::scan;
      good_transforms += each.opcode == vm::fft;
      good_hashes += each.opcode == vm::threefry;
      good_bits += each.opcode == vm::random_bits;
    }
    return 1;
  } catch (const ProgramError &) {
    return 0;
  }
}

// Operations on existing registers, most of them valid. Functions of complex numbers are slow in this build, so large
// arrays do not use them.
// `table`: the elements of the last register, if it is a table.
std::vector<Instruction> random_line(std::vector<Type> &types, std::vector<Level> &levels, bool is_large, size_t table) {
  std::vector<Instruction> program;
  const auto table_register = static_cast<uint32_t>(types.size() - 1);
  size_t size = 1 + below(9);
  while (program.size() < size) {
    auto reg = [&] { return static_cast<uint32_t>(below(4) ? types.size() - 1 - below(std::min<size_t>(types.size(), 4)) : below(types.size())); };
    uint32_t a = reg(), b = reg(), c = reg();
    auto to = static_cast<uint32_t>(types.size());
    if (below(60) == 0) { // anything
      types.push_back(types[a]);
      levels.push_back(levels[a]);
      const auto last = static_cast<uint32_t>(below(to + 3));
      Indices operands{a, b, last};
      operands.resize(below(4));
      program.push_back({static_cast<int>(below(700)) - 60, {to}, listed(operands), Numbers(below(3) / 2)});
      continue;
    }
    if (table && below(4) == 0) {
      Indices operands{table_register};
      Level level = Level::one;
      const size_t components = 1 + below(3) + (below(30) == 0);
      Numbers numbers{static_cast<int64_t>(components)};
      size_t step = 1;
      for (size_t i = 0; i < components; ++i) {
        const uint32_t other = reg();
        a = types[other] == types[a] ? other : a;
        operands.push_back(a);
        level = std::max(level, levels[a]);
        const size_t extent = 1 + below(below(9) ? std::max<size_t>(table / step, 1) : 40);
        numbers.push_back(static_cast<int64_t>(extent));
        numbers.push_back(static_cast<int64_t>(step));
        step *= extent;
      }
      types.push_back(types[table_register]);
      levels.push_back(level);
      program.push_back({gather, {to}, listed(operands), numbers});
      continue;
    }
    if (below(5) == 0) {
      bool reduces = below(3) != 0 && levels[a] == Level::full;
      if (reduces) {
        std::vector<uint32_t> fit;
        for (const Opcode &row : opcodes())
          if (row.result == types[a] && row.arity == 2 && regions::find_combination(row.name, types[a]))
            fit.push_back(static_cast<uint32_t>(&row - opcodes().rows));
        b = 0;
        while (b < types.size() && (types[b] != types[a] || levels[b] != Level::one))
          ++b;
        if (fit.empty() || b == types.size())
          continue;
        c = below(20) ? fit[below(fit.size())] : static_cast<uint32_t>(below(700));
      }
      types.push_back(types[a]);
      levels.push_back(reduces ? Level::row : Level::full);
      if (reduces)
        program.push_back({reduce_rows, {to}, {a, b}, {c}});
      else
        program.push_back({broadcast, {to}, {a}, {}});
      continue;
    }
    const Opcode *found = nullptr;
    int number = 0;
    for (int tries = 0; tries < 3000 && !found; ++tries) {
      number = static_cast<int>(below(is_large ? opcodes().real_count : opcodes().count));
      const Opcode &row = opcodes().rows[number];
      a = reg(), b = reg(), c = reg();
      if (row.operands[0] == types[a] && (row.arity < 2 || row.operands[1] == types[b]) &&
          (row.arity < 3 || row.operands[2] == types[c]))
        found = &row;
    }
    if (!found)
      continue;
    Level level = levels[a];
    level = found->arity > 1 ? std::max(level, levels[b]) : level;
    level = found->arity > 2 ? std::max(level, levels[c]) : level;
    types.push_back(found->result);
    levels.push_back(level);
    Indices operands{a, b, c};
    operands.resize(found->arity);
    program.push_back({number, {to}, listed(operands), {}});
  }
  return program;
}

// Results do not depend on the number of threads.
int run_fused() {
  size_t rows = 1 + below(below(4) ? 12 : 200), columns = 1 + below(below(3) ? 90 : 3000);
  // Few arrays are so large that threads divide cheap operations among themselves; the others save time.
  if (rows * columns > 20000 && below(10))
    columns = 20000 / rows;
  if (below(50) == 0)
    (below(2) ? rows : columns) = 0;
  const Type some = static_cast<Type>(below(element_type_count));
  std::vector<Type> types;
  std::vector<Level> levels;
  std::vector<Input> inputs;
  size_t input_count = 1 + below(5);
  for (uint32_t i = 0; i < input_count; ++i) {
    types.push_back(below(4) ? some : static_cast<Type>(below(element_type_count)));
    levels.push_back(i == 0 ? Level::full : static_cast<Level>(below(3)));
    std::vector<size_t> shape = levels[i] == Level::full  ? std::vector<size_t>{rows, columns}
                                : levels[i] == Level::row ? std::vector<size_t>{rows}
                                                          : std::vector<size_t>{};
    if (levels[i] == Level::full && below(4) == 0)
      shape = {1, rows * columns, 1};
    if (below(80) == 0)
      shape.push_back(2);
    inputs.push_back({i, levels[i], shape});
  }
  const size_t table = below(3) ? 0 : 1 + below(300);
  if (table) {
    types.push_back(static_cast<Type>(below(element_type_count)));
    levels.push_back(Level::one);
    inputs.push_back({static_cast<uint32_t>(input_count), Level::one, {table}, true});
  }
  std::vector<Instruction> program = random_line(types, levels, rows * columns > 200, table);
  std::vector<uint32_t> outputs;
  for (const Instruction &source : program)
    if (below(2) && (levels[source.results[0]] != Level::one || below(20) == 0))
      outputs.push_back(source.results[0]);
  bool is_dynamic = below(5) == 0;
  try {
    if (is_dynamic) {
      for (Input &input : inputs) {
        input.level = input.level == Level::one && below(4) ? Level::one : Level::full;
        input.shape.clear();
      }
    }
    const size_t inner = below(2) ? 1 : below(2) ? rows : 1 + below(6), run = below(3) ? 1 : size_t(1) << below(8);
    FusedProgram fused(types, program, inputs, outputs, is_dynamic ? Rows{0, 0} : Rows{rows, columns, inner, run}, is_dynamic);
    std::vector<Bytes> memory;
    std::vector<Operand> operands;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool is_array = is_dynamic && inputs[i].level == Level::full;
      const std::vector<size_t> shape = is_array ? std::vector<size_t>{rows, columns} : inputs[i].shape;
      size_t count = 1;
      for (size_t extent : shape)
        count *= extent;
      memory.push_back(random_elements(types[i], count + 1));
      // Row-major or transposed, with some reversed or repeated dimensions.
      std::vector<ptrdiff_t> strides(shape.size());
      auto step = static_cast<ptrdiff_t>(size_of(types[i]));
      ptrdiff_t offset = 0, next = step;
      bool is_transposed = below(4) == 0;
      for (size_t n = 0; n < shape.size(); ++n) {
        size_t d = is_transposed ? n : shape.size() - 1 - n;
        strides[d] = below(8) || inputs[i].is_table ? next : 0;
        next = strides[d] ? next * static_cast<ptrdiff_t>(shape[d]) : next;
        if (below(8) == 0 && shape[d] > 0 && !inputs[i].is_table) {
          offset += strides[d] * static_cast<ptrdiff_t>(shape[d] - 1);
          strides[d] = -strides[d];
        }
      }
      operands.push_back({memory.back().get() + offset, strides});
    }
    std::vector<unsigned char *> results[2];
    for (auto &each : results)
      for (size_t i = 0; i < outputs.size(); ++i) {
        size_t count = is_dynamic ? rows * columns : fused.output_counts()[i];
        memory.push_back(Bytes(new unsigned char[count * fused.output_sizes()[i]]()));
        each.push_back(memory.back().get());
      }
    for (size_t i = 0; i < 2; ++i)
      if (is_dynamic)
        fused.run_dynamic({rows, columns}, operands, results[i], i + 1);
      else
        fused.run(operands, results[i], i + 1);
    for (size_t i = 0; i < outputs.size(); ++i) {
      size_t count = is_dynamic ? rows * columns : fused.output_counts()[i];
      if (std::memcmp(results[0][i], results[1][i], count * fused.output_sizes()[i]) != 0)
        fail("threads change the result", "fused program");
    }
    for (const Instruction &each : program)
      good_gathers += each.opcode == gather;
    return 1;
  } catch (const ProgramError &) {
    return 0;
  }
}

// Pairs give the same results on all levels, and with operands of a single element.
void check_pairs(const Kernels &other) {
  const Kernels &base = all_kernels()[0];
  // The baseline may lack pairs that other levels have.
  const Kernels &paired = *std::find_if(all_kernels().begin(), all_kernels().end() - 1,
                                        [](const Kernels &each) { return each.pair_count > 0; });
  const bool lacks_pairs = &other == &base && &paired != &base;
  if (other.pair_count != (lacks_pairs ? 0 : paired.pair_count))
    fail("the tables differ", "pairs");
  for (size_t i = 0; i < other.pair_count; ++i) {
    const Pair &pair = paired.pairs[i];
    size_t count = 1 + below(70);
    Bytes ones[4], all[4];
    for (size_t j = 0; j < 4; ++j) {
      Type type = std::strcmp(pair.outer, "select") == 0 && j > 1 ? pair.result : pair.operand;
      ones[j] = random_elements(type, 1);
      all[j] = random_elements(type, count);
    }
    for (unsigned set = 0; set < 16; ++set) {
      if (!pair.sweeps[set] || !other.pairs[i].sweeps[set])
        continue;
      Bytes spread_out[4];
      const void *one_operands[4], *all_operands[4];
      for (size_t j = 0; j < 4; ++j) {
        Type type = std::strcmp(pair.outer, "select") == 0 && j > 1 ? pair.result : pair.operand;
        spread_out[j].reset(new unsigned char[count * size_of(type)]);
        for (size_t k = 0; k < count; ++k)
          std::memcpy(spread_out[j].get() + k * size_of(type), ones[j].get(), size_of(type));
        bool is_one = (set >> j & 1) != 0;
        one_operands[j] = is_one ? ones[j].get() : all[j].get();
        all_operands[j] = is_one ? spread_out[j].get() : all[j].get();
      }
      Bytes x = random_elements(pair.result, count), y = random_elements(pair.result, count);
      other.pairs[i].sweeps[set](x.get(), one_operands, count);
      pair.sweeps[0](y.get(), all_operands, count);
      check_equal(pair.outer, pair.result, x.get(), y.get(), count);
    }
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  long rounds = std::atol(argv[1]);
  engine.seed(static_cast<uint64_t>(std::atol(argv[2])));
  for (size_t i = 0; i < opcodes().count; ++i)
    for (int j = 0; j < (i < opcodes().real_count ? 3 : 100); ++j)
      check_opcode(i);
  int good_loops = 0, good_fused = 0;
  for (long i = 0; i < rounds; ++i) {
    check_opcode(below(opcodes().real_count));
    good_loops += run_loop();
    good_fused += run_fused();
    if (i % 100 == 0)
      for (const Kernels &kernels : all_kernels())
        check_pairs(kernels);
  }
  std::printf("%d loops (%d with arrays, %d sorts, %d scans, %d transforms, %d hashes, %d random bits) and %d fused programs (with %d gathers) were no malformed programs\n",
              good_loops, good_arrays, good_sorts, good_scans, good_transforms, good_hashes, good_bits, good_fused, good_gathers);
  const bool is_enough = meets_quota(good_loops, rounds, 20) && meets_quota(good_arrays, rounds, 200) &&
                         meets_quota(good_sorts, rounds, 500) && meets_quota(good_scans, rounds, 500) &&
                         meets_quota(good_transforms, rounds, 500) && meets_quota(good_hashes, rounds, 500) &&
                         meets_quota(good_bits, rounds, 500) && meets_quota(good_fused, rounds, 20) &&
                         meets_quota(good_gathers, rounds, 500);
  return is_enough ? 0 : 1;
}
