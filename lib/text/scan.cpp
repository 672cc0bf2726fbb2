#include "text/scan.h"

#include <array>

namespace hlokit {
namespace {

// Shorter constants stay in the text.
constexpr size_t shortest_digits = 256;

bool is_digit(uint8_t byte) noexcept {
  return static_cast<uint8_t>(byte - '0') < 10 || static_cast<uint8_t>((byte | 0x20) - 'a') < 6;
}

// The end of the digits from `start` on: whole blocks of them by vector instructions, then one by one.
size_t end_of_digits(std::string_view text, size_t start) noexcept {
  constexpr size_t block = 64;
  while (start + block <= text.size()) {
    uint8_t others = 0;
    for (size_t i = 0; i < block; ++i)
      others |= static_cast<uint8_t>(!is_digit(static_cast<uint8_t>(text[start + i])));
    if (others)
      break;
    start += block;
  }
  while (start < text.size() && is_digit(static_cast<uint8_t>(text[start])))
    ++start;
  return start;
}

} // namespace

std::optional<std::string> without_digits(std::string_view text) {
  constexpr std::string_view prefix = "\"0x";
  std::string rest;
  size_t copied = 0;
  for (size_t quote = text.find('"'); quote != std::string_view::npos; quote = text.find('"', quote + 1)) {
    if (text.compare(quote, prefix.size(), prefix) != 0)
      continue;
    const size_t start = quote + prefix.size(), end = end_of_digits(text, start);
    if (end - start < shortest_digits)
      continue;
    rest.append(text, copied, start - copied);
    copied = quote = end;
    if (end == text.size())
      break;
    --quote; // the byte at `end` may be a quotation mark
  }
  if (!copied)
    return std::nullopt;
  rest.append(text, copied);
  return rest;
}

uint64_t words_in(std::string_view text, const std::vector<std::string_view> &words) noexcept {
  // Position and byte -> the words that have this byte at this position.
  std::array<std::array<uint64_t, 256>, shortest_word> having{};
  uint64_t missing = 0;
  for (size_t word = 0; word < words.size() && word < most_words; ++word) {
    missing |= uint64_t{1} << word;
    for (size_t place = 0; place < shortest_word; ++place)
      having[place][static_cast<uint8_t>(words[word][place])] |= uint64_t{1} << word;
  }
  uint64_t found = 0;
  for (size_t i = 0; i + shortest_word <= text.size() && missing; ++i) {
    uint64_t here = missing & having[0][static_cast<uint8_t>(text[i])] &
                    having[1][static_cast<uint8_t>(text[i + 1])] & having[2][static_cast<uint8_t>(text[i + 2])];
    for (size_t word = 0; here; ++word, here >>= 1)
      if ((here & 1) && text.compare(i, words[word].size(), words[word]) == 0) {
        found |= uint64_t{1} << word;
        missing &= ~(uint64_t{1} << word);
      }
  }
  return found;
}

} // namespace hlokit
