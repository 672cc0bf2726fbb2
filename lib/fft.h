// Fourier transforms of f32 along one dimension, in f64, several lines side by side in vectors. Lengths are powers of
// two.
//
// Nothing here knows Python. What `run` is given must be memory that is there.
#pragma once

#include <cstddef>
#include <vector>

namespace hlokit::fft {

enum class Kind { forward, inverse, real, inverse_real };

// Lengths of `real` and `inverse_real` are those of the real side.
constexpr size_t least_length = 4, most_length = 4096;

// What a transform of a length needs.
struct Plan {
  Kind kind;
  size_t length;
  std::vector<double> cosines, sines; // of 2 pi k / length, k < length

  // The length must be a power of two from `least_length` to `most_length`.
  Plan(Kind kind, size_t length);
  // Elements of a line.
  size_t inputs() const { return kind == Kind::inverse_real ? length / 2 + 1 : length; }
  size_t outputs() const { return kind == Kind::real ? length / 2 + 1 : length; }
};

// Lines [outer, elements, inner] in one piece of memory, of f32 or f64, or of pairs of them.
struct Lines {
  size_t outer, inner;
  const void *from;
  void *to;
  bool from_f64, to_f64;
};

// Up to `threads` threads are taken where that is worth it. `to` shares no memory with `from`. Throws std::bad_alloc.
void run(const Plan &plan, const Lines &lines, size_t threads);

} // namespace hlokit::fft
