// The keys of sorts, compiled once for each level of processor.
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/regions/row_order.h"

namespace hlokit::regions {
namespace {

// Ordinals ------------------------------------------------------------------------------------------------

// `convert` takes the bits of an element.
template <class Bits, class T, class Convert> void read_row(const KeyRow &row, size_t size, T *ordinals, const Convert &convert) {
  const T flip = row.order.is_descending ? -1 : 0;
  const auto read = [&, from = row.first](auto stride) {
    for (size_t i = 0; i < size; ++i) {
      Bits value;
      std::memcpy(&value, from + static_cast<ptrdiff_t>(i) * stride, sizeof value);
      ordinals[i] = convert(value, flip);
    }
  };
  if (row.stride == sizeof(Bits))
    read(std::integral_constant<ptrdiff_t, sizeof(Bits)>());
  else
    read(row.stride);
}

template <class Bits, class T> void read_unsigned(const KeyRow &row, size_t size, T *ordinals) {
  constexpr Bits sign = std::numeric_limits<Bits>::min();
  read_row<Bits>(row, size, ordinals, [](Bits value, T flip) {
    return static_cast<T>(static_cast<T>(static_cast<Bits>(value ^ sign)) ^ flip);
  });
}

template <class Bits, class T> void read_signed(const KeyRow &row, size_t size, T *ordinals) {
  read_row<Bits>(row, size, ordinals, [](Bits value, T flip) { return static_cast<T>(static_cast<T>(value) ^ flip); });
}

// `infinity`: its bits.
template <class Bits, class T> void read_floats(const KeyRow &row, size_t size, T *ordinals, Bits infinity) {
  constexpr Bits magnitude = std::numeric_limits<Bits>::max(), minus_zero = std::numeric_limits<Bits>::min();
  constexpr int sign = 8 * sizeof(Bits) - 1;
  constexpr T last = std::numeric_limits<T>::max();
  const auto total = [](Bits value, T flip) {
    return static_cast<T>(static_cast<T>(static_cast<Bits>(value ^ ((value >> sign) & magnitude))) ^ flip);
  };
  if (row.order.is_total)
    return read_row<Bits>(row, size, ordinals, total);
  read_row<Bits>(row, size, ordinals, [=](Bits value, T flip) {
    const T ordinal = total(value == minus_zero ? Bits(0) : value, flip);
    return (value & magnitude) > infinity ? last : ordinal;
  });
}

void read_ordinals(const KeyRow &row, size_t size, int32_t *ordinals) {
  switch (row.order.type) {
  case ElementType::i1:
  case ElementType::ui8:
    return read_unsigned<int8_t>(row, size, ordinals);
  case ElementType::ui16:
    return read_unsigned<int16_t>(row, size, ordinals);
  case ElementType::ui32:
    return read_unsigned<int32_t>(row, size, ordinals);
  case ElementType::i8:
    return read_signed<int8_t>(row, size, ordinals);
  case ElementType::i16:
    return read_signed<int16_t>(row, size, ordinals);
  case ElementType::i32:
    return read_signed<int32_t>(row, size, ordinals);
  case ElementType::bf16:
    return read_floats<int16_t>(row, size, ordinals, 0x7F80);
  case ElementType::f16:
    return read_floats<int16_t>(row, size, ordinals, 0x7C00);
  case ElementType::f32:
    return read_floats<int32_t>(row, size, ordinals, 0x7F800000);
  default:
    break; // other types have ordinals of 64 bits
  }
}

void read_ordinals(const KeyRow &row, size_t size, int64_t *ordinals) {
  switch (row.order.type) {
  case ElementType::ui64:
    return read_unsigned<int64_t>(row, size, ordinals);
  case ElementType::i64:
    return read_signed<int64_t>(row, size, ordinals);
  default:
    return read_floats<int64_t>(row, size, ordinals, 0x7FF0000000000000);
  }
}

// Ordinals of a part of a row.
template <class T> void read_part(KeyRow row, size_t start, size_t size, T *ordinals) {
  row.first += static_cast<ptrdiff_t>(start) * row.stride;
  read_ordinals(row, size, ordinals);
}

// Searches ------------------------------------------------------------------------------------------------

template <class T> void find_minima(const KeyRow &row, size_t size, T *minima) {
  for (size_t i = 0; i < key_block; ++i)
    minima[i] = std::numeric_limits<T>::max();
  T ordinals[key_block];
  for (size_t start = 0; start + key_block <= size; start += key_block) {
    read_part(row, start, key_block, ordinals);
    for (size_t i = 0; i < key_block; ++i)
      minima[i] = ordinals[i] < minima[i] ? ordinals[i] : minima[i];
  }
}

template <class T> size_t find_block(const KeyRow &row, size_t start, size_t size, T most, T *ordinals) {
  for (; start < size; start += key_block) {
    const size_t count = size - start < key_block ? size - start : key_block;
    read_part(row, start, count, ordinals);
    T is_any = 0;
    for (size_t i = 0; i < count; ++i)
      is_any |= ordinals[i] <= most;
    if (is_any)
      return start;
  }
  return size;
}

// Ranks of a block of keys are in registers while all keys pass.
template <class T> void find_ranks(const T *keys, size_t count, T *ranks) {
  constexpr size_t block = rank_block;
  for (size_t start = 0; start < count; start += block) {
    T own[block], before[block] = {};
    for (size_t i = 0; i < block; ++i)
      own[i] = keys[start + i];
    for (size_t j = 0; j < count; ++j) {
      const T key = keys[j];
      for (size_t i = 0; i < block; ++i)
        before[i] += key < own[i];
    }
    for (size_t i = 0; i < block; ++i)
      ranks[start + i] = before[i];
  }
}

template <class T> constexpr KeyKernels<T> kernels{read_ordinals, find_minima<T>, find_block<T>, find_ranks<T>};

} // namespace

namespace HLOKIT_VARIANT {

KeyKernels<int32_t> narrow_keys() { return kernels<int32_t>; }
KeyKernels<int64_t> wide_keys() { return kernels<int64_t>; }

} // namespace HLOKIT_VARIANT
} // namespace hlokit::regions
