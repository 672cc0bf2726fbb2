// NaNs in arrays, distinguished by their bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/variants.h"

namespace hlokit::nans {

// Floats of `size` bytes, which are 1, 2, 4 or 8. One is a NaN if its bits without the sign are greater than `infinity`.
struct Format {
  size_t size;
  uint64_t infinity, nan;
};

// Whether some of `count` floats is a NaN whose bits are not `format.nan`. Uses up to `threads` threads for large arrays.
bool has_other_nan(const unsigned char *floats, size_t count, const Format &format, size_t threads);

// Gives all NaNs the bits of `format.nan`, in place.
void unify(unsigned char *floats, size_t count, const Format &format, size_t threads);

// The same on one thread.
HLOKIT_DECLARE_VARIANTS(bool search(const unsigned char *floats, size_t count, const Format &format);
                        void replace(unsigned char *floats, size_t count, const Format &format))

} // namespace hlokit::nans
