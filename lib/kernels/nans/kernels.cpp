// Most arrays have no NaN, so a vectorised loop first searches a block for any NaN. Only in a block with a NaN, the
// bits of each element are checked.
//
// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/elements/scalars.h"
#include "kernels/nans/search.h"
#include "support/compiler.h"

namespace hlokit::nans {
namespace {

constexpr size_t block = 2048;

template <class Word> bool has_nan(const unsigned char *from, size_t count, Word infinity) {
  Word found = 0;
  for (size_t i = 0; i < count; ++i) {
    Word bits;
    memcpy(&bits, from + i * sizeof bits, sizeof bits);
    found = static_cast<Word>(found | ((bits & all_bits<Word> >> 1) > infinity ? 1 : 0));
  }
  return found != 0;
}

// Processors compare floats faster than their bits.
template <class Float> bool has_nan_of(const unsigned char *from, size_t count) {
  Bits<Float> found = 0;
  for (size_t i = 0; i < count; ++i) {
    Float value;
    memcpy(&value, from + i * sizeof value, sizeof value);
    found |= value != value ? Bits<Float>(1) : Bits<Float>(0);
  }
  return found != 0;
}

template <class Word> bool search_for(const unsigned char *from, size_t count, Word infinity, Word nan) {
  for (size_t start = 0; start < count; start += block) {
    const unsigned char *floats = from + start * sizeof(Word);
    const size_t size = count - start < block ? count - start : block;
    bool any;
    if constexpr (sizeof(Word) == 8)
      any = has_nan_of<double>(floats, size);
    else if constexpr (sizeof(Word) == 4)
      any = has_nan_of<float>(floats, size);
    else
      any = has_nan<Word>(floats, size, infinity);
    for (size_t i = 0; any && i < size; ++i) {
      Word bits;
      memcpy(&bits, floats + i * sizeof bits, sizeof bits);
      if ((bits & all_bits<Word> >> 1) > infinity && bits != nan)
        return true;
    }
  }
  return false;
}

template <class Word> void replace_all(unsigned char *floats, size_t count, Word infinity, Word nan) {
  HLOKIT_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    Word bits;
    memcpy(&bits, floats + i * sizeof bits, sizeof bits);
    bits = (bits & all_bits<Word> >> 1) > infinity ? nan : bits;
    memcpy(floats + i * sizeof bits, &bits, sizeof bits);
  }
}

// Calls act(infinity, nan) with the bits as words of the size of a float.
template <class Act> auto with_words(const Format &format, Act act) {
  switch (format.size) {
  case 1:
    return act(static_cast<uint8_t>(format.infinity), static_cast<uint8_t>(format.nan));
  case 2:
    return act(static_cast<uint16_t>(format.infinity), static_cast<uint16_t>(format.nan));
  case 4:
    return act(static_cast<uint32_t>(format.infinity), static_cast<uint32_t>(format.nan));
  default:
    return act(format.infinity, format.nan);
  }
}

} // namespace

namespace HLOKIT_VARIANT {

bool search(const unsigned char *floats, size_t count, const Format &format) {
  return with_words(format, [&](auto infinity, auto nan) { return search_for(floats, count, infinity, nan); });
}

void replace(unsigned char *floats, size_t count, const Format &format) {
  with_words(format, [&](auto infinity, auto nan) { replace_all(floats, count, infinity, nan); });
}

} // namespace HLOKIT_VARIANT

} // namespace hlokit::nans
