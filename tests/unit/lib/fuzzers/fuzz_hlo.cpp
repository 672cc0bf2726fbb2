// The fuzz target: reads one HloComputationProto. Sanitizers check memory accesses; the parts of an instruction must lie in
// the message, one after the other.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bytecode/hlo.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view message(reinterpret_cast<const char *>(data), size);
  try {
    for (const hlokit::HloInstruction &instruction : hlokit::read_hlo_computation(message).instructions) {
      const char *last = message.data();
      for (const std::string_view part : {instruction.name, instruction.before, instruction.after}) {
        if (part.empty())
          continue;
        if (part.data() < last || part.data() + part.size() > message.data() + size)
          std::abort();
        last = part.data() + part.size();
      }
      if (instruction.operands.size() + instruction.called.size() > size)
        std::abort();
    }
  } catch (const hlokit::MalformedMessage &) {
  }
  return 0;
}
