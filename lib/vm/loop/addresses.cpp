#include "vm/loop/addresses.h"

namespace hlokit::vm {

uint32_t AddressTable::find(bool is_scratch, size_t offset) {
  const uint32_t next = scratch_slot_ + 8 * (1 + static_cast<uint32_t>(places_.size()));
  const auto [found, is_new] = slots_.try_emplace({is_scratch, offset}, next);
  if (is_new)
    places_.push_back(found->first);
  return found->second;
}

void AddressTable::set_up(unsigned char *registers) const {
  unsigned char *const scratch = address_in(registers, scratch_slot_);
  unsigned char *to = registers + scratch_slot_ + 8;
  for (const auto &[is_scratch, offset] : places_) {
    unsigned char *const address = (is_scratch ? scratch : registers) + offset;
    std::memcpy(to, &address, sizeof address);
    to += 8;
  }
}

} // namespace hlokit::vm
