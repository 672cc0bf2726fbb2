// How many random programs must be good, so that programs that test nothing do not go unnoticed.
#pragma once

// Whether more than one of `every` rounds counts. Short runs, as emulated processors make them, show nothing.
inline bool meets_quota(long count, long rounds, long every) {
  return rounds < 20 * every || count > rounds / every;
}
