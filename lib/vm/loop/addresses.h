// Addresses that instructions find in slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace hlokit::vm {

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
  void set_up(unsigned char *registers) const;

private:
  using Place = std::pair<bool, size_t>; // in the memory for intermediate results, or among the registers; the offset
  uint32_t find(bool is_scratch, size_t offset);

  uint32_t scratch_slot_;
  std::vector<Place> places_;
  std::map<Place, uint32_t> slots_;
};

// The address in a slot.
static inline unsigned char *address_in(const unsigned char *registers, uint32_t slot) {
  unsigned char *result;
  std::memcpy(&result, registers + slot, sizeof result);
  return result;
}

} // namespace hlokit::vm
