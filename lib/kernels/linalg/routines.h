// LAPACK's routines on stacks of matrices, by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/elements/type.h"

namespace hlokit::linalg {

// Sizes by the letters of a routine's shapes; 0 for letters that do not occur.
struct Sizes {
  size_t of[26];
  size_t operator[](char letter) const { return of[letter - 'a']; }
};

constexpr size_t most_arrays = 8, most_options = 5;

// A call for one matrix of each stack.
struct Call {
  void *arrays[most_arrays];
  Sizes sizes;
  int32_t options[most_options];
};

struct Routine {
  const char *name;
  // The arrays of a matrix, one word each: T (elements of the type), R (of its real part), C (of its complex type) or I
  // (i32), in lower case if the array is only read; then its sizes. k is the lesser of m and n.
  const char *shapes;
  size_t options;
  // Whether there are kernels for f32 and complex<f32> as well.
  bool has_narrow;
  // Whether the sizes fit the options; null if all sizes fit all options.
  bool (*fits)(const Call &);
};

// An array of a routine: the type of its elements for matrices of `type`, whether it is written, and the letters of its sizes.
struct ArrayShape {
  ElementType type;
  bool is_written;
  std::string_view letters;
};
std::vector<ArrayShape> shapes_of(const Routine &routine, ElementType type);

// Whether the routine has a kernel for matrices of the type.
bool has_kernel(const Routine &routine, ElementType type);

// The sizes of a call, as its arrays give them.
class SizeTable {
public:
  // Whether the letter has this size, or gets it now. k follows from m and n.
  bool set(char letter, size_t size);
  const Sizes &sizes() const { return sizes_; }

private:
  Sizes sizes_{};
  bool is_known_[26]{};
};

// Null if there is no routine of that name or number.
const Routine *find_routine(std::string_view name);
const Routine *routine_at(size_t number);

// Products of numbers that a routine computes for one matrix, roughly.
double work_of(const Routine &routine, const Sizes &sizes);

// Stacks of `count` matrices each, contiguous, aligned for their types; sizes and options fit. Results take the place of
// operands. Stacks are divided among up to `threads` threads. Throws std::bad_alloc.
struct Stacks {
  unsigned char *arrays[most_arrays];
  size_t strides[most_arrays]; // bytes of a matrix
  size_t count;
};
void run(const Routine &routine, ElementType type, const Stacks &stacks, const Call &shape, size_t threads);

} // namespace hlokit::linalg
