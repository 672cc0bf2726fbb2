// Windows of an array, gathered by index vectors.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/regions/index_vectors.h"
#include "vm/strided_copy.h"

namespace hlokit::regions {

// Where the windows of `count` index vectors begin. Strides are in bytes.
struct WindowPlaces {
  // A dimension whose indices are clamped: those of one component, with a step of 1.
  struct Component {
    IndexVectors indices;
    ptrdiff_t stride;
  };
  // A dimension whose index is the number of the vector divided by `period`, modulo `extent`.
  struct Batch {
    size_t period, extent;
    ptrdiff_t stride;
  };

  size_t count;
  std::vector<Component> components;
  std::vector<Batch> batches;

  // The distances of the windows of vectors `start` to `start + number` from the first window.
  void offsets(size_t start, size_t number, int64_t *to) const;
};

// All windows of an array: the first one, and how a window is copied to a row of `bytes` bytes.
struct Windowed {
  const unsigned char *first;
  const vm::StridedCopy &copy;
  size_t bytes;
};

// result[i] = the window of index vector i, in row-major order.
void gather_windows(const WindowPlaces &places, const Windowed &windows, unsigned char *result, size_t threads);

} // namespace hlokit::regions
