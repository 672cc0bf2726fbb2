// The number of random programs that must be valid, so that a fuzzer whose programs test nothing fails.
#pragma once

// Whether more than one of `every` rounds counts. Short runs, as on emulated processors, show nothing.
inline bool meets_quota(long count, long rounds, long every) {
  return rounds < 20 * every || count > rounds / every;
}
