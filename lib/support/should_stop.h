// A question of long loops, which may be compiled once for each level of processor: see support/watch.h.
#pragma once

namespace hlokit {

// Whether the thread's computation should end early. Loops call this between pieces of work of up to some ms, and end if
// it is true: nobody reads their results.
bool should_stop() noexcept;

} // namespace hlokit
