// How many random programs must be good, so that programs that test nothing do not go unnoticed.
#pragma once

#include <cmath>

// Whether a count is what chance gives where one of `every` rounds counts: at most three standard deviations less. A few rounds,
// as emulated processors make them, show nothing.
inline bool meets_quota(long count, long rounds, long every) {
  const double expected = static_cast<double>(rounds) / static_cast<double>(every);
  return static_cast<double>(count) >= expected - 3 * std::sqrt(expected);
}
