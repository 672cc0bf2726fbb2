// Addresses that instructions find in slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace hlokit::vm {

// The address in a slot.
static inline unsigned char *address_in(const unsigned char *registers, uint32_t slot) {
  unsigned char *result;
  std::memcpy(&result, registers + slot, sizeof result);
  return result;
}

// Slots after the registers' slots. Each run stores addresses there: of scalars, and of positions in the memory for
// intermediate results. So instructions find all operands by an address in a slot.
class AddressTable {
public:
  // `slot`: the slot with the address of the memory for intermediate results. The table's own slots follow this slot.
  explicit AddressTable(uint32_t scratch_slot) : scratch_slot_(scratch_slot) {}

  uint32_t of_scalar(uint32_t slot) { return find(false, slot); }
  uint32_t of_scratch(size_t offset) { return find(true, offset); }
  size_t size() const { return places_.size(); }
  // Fills the table's slots of a run whose other slots have been filled.
  void set_up(unsigned char *registers) const {
    unsigned char *const scratch = address_in(registers, scratch_slot_);
    unsigned char *to = registers + scratch_slot_ + 8;
    for (const auto &[is_scratch, offset] : places_) {
      unsigned char *const address = (is_scratch ? scratch : registers) + offset;
      std::memcpy(to, &address, sizeof address);
      to += 8;
    }
  }

private:
  using Place = std::pair<bool, size_t>; // in the memory for intermediate results, or among the registers; the offset
  uint32_t find(bool is_scratch, size_t offset) {
    const uint32_t next = scratch_slot_ + 8 * (1 + static_cast<uint32_t>(places_.size()));
    const auto [found, is_new] = slots_.try_emplace({is_scratch, offset}, next);
    if (is_new)
      places_.push_back(found->first);
    return found->second;
  }

  uint32_t scratch_slot_;
  std::vector<Place> places_;
  std::map<Place, uint32_t> slots_;
};

} // namespace hlokit::vm
