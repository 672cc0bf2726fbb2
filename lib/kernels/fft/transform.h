// Fourier transforms along one dimension, computed in f64, several lines at a time, one in each lane of a vector. Every
// processor computes the same bits for a line, whatever its neighbours.
//
// Callers of `run` guarantee that the memory exists: `run` does not check.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace hlokit::fft {

enum class Kind { forward, inverse, real, inverse_real };

// The length of a `real` or `inverse_real` transform is that of its real side, which is computed as half as many complex
// numbers: those of the kernels, and of lines that are split.
constexpr size_t most_length = 4096, longest = 1 << 18;

// Whether there is a transform: its complex numbers are at most `longest`, the length has no prime factor above 13, and an odd
// one only transforms complex numbers.
bool is_known(Kind kind, size_t length);

struct Split;

// A kind of transform, a length, and the roots of unity for it.
struct Plan {
  Kind kind;
  size_t length;
  std::vector<double> cosines, sines; // of 2 pi k / length, k < length
  std::unique_ptr<Split> split;       // of lines that are too long for the kernels

  // `is_known(kind, length)` must hold.
  Plan(Kind kind, size_t length);
  Plan(Plan &&) noexcept;
  ~Plan();
  bool is_half() const { return kind == Kind::real || kind == Kind::inverse_real; }
  bool is_back() const { return kind == Kind::inverse || kind == Kind::inverse_real; }
  size_t complex_length() const { return is_half() ? length / 2 : length; }
  // Elements of a line of the operand, and of the result.
  size_t inputs() const { return kind == Kind::inverse_real ? length / 2 + 1 : length; }
  size_t outputs() const { return kind == Kind::real ? length / 2 + 1 : length; }
};

// A long line as a matrix in row-major order: the transforms of its columns, turned, then those of its rows, whose results are
// the columns of the transform.
struct Split {
  Plan of_columns, of_rows;
  std::vector<double> cosines, sines; // of 2 pi row column / (rows columns), in row-major order
};

// Contiguous arrays [outer, elements, inner] of f32 or f64, or of pairs (complex numbers) of them.
struct Lines {
  size_t outer, inner;
  const void *from;
  void *to;
  bool from_f64, to_f64;
};

// Transforms all lines, on up to `threads` threads if there are enough. `to` shares no memory with `from`. Throws
// std::bad_alloc.
void run(const Plan &plan, const Lines &lines, size_t threads);

} // namespace hlokit::fft
