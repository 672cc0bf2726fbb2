// Random stacks of matrices for every routine of lib/kernels/linalg, in memory of exactly the required size. Fails if
// the sanitizers find an error, or if results depend on threads or on the other matrices of a stack.
//
//   fuzz_linalg ROUNDS SEED
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "kernels/linalg/routines.h"

using namespace hlokit;
using namespace hlokit::linalg;

namespace {

std::mt19937_64 engine;

size_t below(size_t limit) { return static_cast<size_t>(engine() % limit); }

// Mostly ordinary numbers; in some rounds special values, in others few different values.
double random_value(int kind) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double specials[] = {0, -0.0, 1, inf, -inf, nan, 1e300, 1e-300, 5e-324, 1e38, 1e-45, -1};
  if (kind == 1 && below(4) == 0)
    return specials[below(sizeof specials / sizeof *specials)];
  if (kind == 2)
    return double(below(3)) - 1;
  const double value = double(below(2001)) / 1000 - 1;
  return kind == 3 ? value * 1e-290 : kind == 4 ? value * 1e290 : value;
}

struct Owned {
  size_t bytes;
  std::unique_ptr<unsigned char[]> memory;
  explicit Owned(size_t count) : bytes(count), memory(new unsigned char[count]) {}
  Owned(const Owned &other) : Owned(other.bytes) { std::memcpy(memory.get(), other.memory.get(), bytes); }
};

size_t size_of_item(char letter, ElementType type) {
  switch (letter) {
  case 'T':
  case 't':
    return size_of(type);
  case 'R':
  case 'r':
    return is_complex(type) ? size_of(type) / 2 : size_of(type);
  case 'C':
    return is_complex(type) ? size_of(type) : 2 * size_of(type);
  default:
    return 4;
  }
}

void fill(Owned &array, char letter, ElementType type, int kind) {
  const bool is_narrow = type == ElementType::f32 || type == ElementType::c64;
  const size_t step = letter == 'I' ? 4 : is_narrow ? 4 : 8;
  for (size_t at = 0; at < array.bytes; at += step)
    if (letter == 'I') {
      const int32_t value = below(8) == 0;
      std::memcpy(array.memory.get() + at, &value, 4);
    } else if (is_narrow) {
      const float value = static_cast<float>(std::max(-3e38, std::min(3e38, random_value(kind))));
      std::memcpy(array.memory.get() + at, &value, 4);
    } else {
      const double value = random_value(kind);
      std::memcpy(array.memory.get() + at, &value, 8);
    }
}

bool agrees(const Routine &routine, ElementType type) {
  Call call{};
  do {
    const size_t limit = below(20) ? 12 : 100;
    size_t *sizes = call.sizes.of;
    const size_t m = below(limit), n = below(limit);
    for (size_t i = 0; i < 26; ++i)
      sizes[i] = below(limit);
    sizes['m' - 'a'] = m;
    sizes['n' - 'a'] = n;
    sizes['k' - 'a'] = std::min(m, n);
    sizes['s' - 'a'] = below(2) ? m : n;
    sizes['r' - 'a'] = below(std::min(m, n) + 1);
    sizes['e' - 'a'] = n ? n - 1 : 0;
    const bool is_full = below(2) != 0, is_none = below(3) == 0;
    sizes['p' - 'a'] = is_none ? 0 : is_full ? m : std::min(m, n);
    sizes['q' - 'a'] = is_none ? 0 : is_full ? n : std::min(m, n);
    if (below(2)) { // geev's
      sizes['p' - 'a'] = below(2) ? n : 0;
      sizes['q' - 'a'] = below(2) ? n : 0;
    }
    for (int32_t &option : call.options)
      option = static_cast<int32_t>(below(2));
    if (below(2)) // gehrd's
      call.options[1] = static_cast<int32_t>(n);
  } while (routine.fits && !routine.fits(call));
  Stacks stacks{};
  stacks.count = below(4);
  const int kind = static_cast<int>(below(6));
  std::vector<Owned> arrays;
  std::vector<size_t> bytes;
  for (const char *shape = routine.shapes; *shape;) {
    const char letter = *shape++;
    size_t size = size_of_item(letter, type);
    for (; *shape && *shape != ' '; ++shape)
      size *= call.sizes[*shape];
    shape += *shape == ' ';
    arrays.emplace_back(size * stacks.count);
    bytes.push_back(size);
    fill(arrays.back(), letter, type, kind);
  }
  std::vector<Owned> threaded(arrays), single(arrays);
  const auto run_from = [&](std::vector<Owned> &from, size_t first, size_t count, size_t threads) {
    Stacks part = stacks;
    part.count = count;
    for (size_t i = 0; i < from.size(); ++i) {
      part.arrays[i] = from[i].memory.get() + first * bytes[i];
      part.strides[i] = bytes[i];
    }
    run(routine, type, part, call, threads);
  };
  run_from(arrays, 0, stacks.count, 1);
  run_from(threaded, 0, stacks.count, 3);
  for (size_t i = 0; i < stacks.count; ++i)
    run_from(single, i, 1, 2);
  for (size_t i = 0; i < arrays.size(); ++i)
    for (const Owned *other : {&threaded[i], &single[i]})
      if (std::memcmp(arrays[i].memory.get(), other->memory.get(), arrays[i].bytes) != 0)
        return false;
  return true;
}

} // namespace

int main(int count, char **arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 100;
  engine.seed(count > 2 ? static_cast<uint64_t>(std::atoll(arguments[2])) : 0);
  for (int round = 0; round < rounds; ++round)
    for (size_t number = 0; const Routine *routine = routine_at(number); ++number)
      for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::c64, ElementType::c128}) {
        const bool is_narrow = type == ElementType::f32 || type == ElementType::c64;
        if ((!is_narrow || routine->has_narrow) && !agrees(*routine, type)) {
          std::printf("round %d, %s of %s\n", round, routine->name, name_of(type));
          return 1;
        }
      }
}
