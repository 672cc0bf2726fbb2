#include "text/scan.h"

#include <array>

namespace hlokit {
namespace {

enum Kind : uint8_t { other, opening, closing, quote, slash, minus };

constexpr std::array<uint8_t, 256> make_kinds() {
  std::array<uint8_t, 256> kinds{};
  for (char each : {'<', '[', '{', '('})
    kinds[static_cast<uint8_t>(each)] = opening;
  for (char each : {'>', ']', '}', ')'})
    kinds[static_cast<uint8_t>(each)] = closing;
  kinds['"'] = quote;
  kinds['/'] = slash;
  kinds['-'] = minus;
  return kinds;
}

constexpr std::array<uint8_t, 256> kinds = make_kinds();

// The offset after the string literal that begins at `i`: after its closing quote, or the end of the line without one.
size_t after_string(std::string_view text, size_t i) {
  for (++i; i < text.size(); ++i) {
    if (text[i] == '"')
      return i + 1;
    if (text[i] == '\n')
      return i;
    if (text[i] == '\\') {
      if (i + 1 == text.size() || text[i + 1] == '\n')
        return i;
      ++i;
    }
  }
  return text.size();
}

} // namespace

size_t bracket_depth(std::string_view text) noexcept {
  size_t depth = 0, deepest = 0;
  for (size_t i = 0; i < text.size();) {
    bool has_next = i + 1 < text.size();
    switch (kinds[static_cast<uint8_t>(text[i])]) {
    case opening:
      if (++depth > deepest)
        deepest = depth;
      break;
    case closing:
      if (depth)
        --depth;
      break;
    case quote:
      i = after_string(text, i);
      continue;
    case slash:
      if (has_next && text[i + 1] == '/') {
        i = text.find('\n', i);
        if (i == std::string_view::npos)
          return deepest;
      }
      break;
    case minus:
      if (has_next && text[i + 1] == '>')
        ++i;
      break;
    default:
      break;
    }
    ++i;
  }
  return deepest;
}

uint32_t words_in(std::string_view text, const std::vector<std::string_view> &words) noexcept {
  // Place and byte -> the words that have this byte at this place.
  std::array<std::array<uint32_t, 256>, shortest_word> having{};
  uint32_t missing = 0;
  for (size_t word = 0; word < words.size() && word < most_words; ++word) {
    missing |= uint32_t{1} << word;
    for (size_t place = 0; place < shortest_word; ++place)
      having[place][static_cast<uint8_t>(words[word][place])] |= uint32_t{1} << word;
  }
  uint32_t found = 0;
  for (size_t i = 0; i + shortest_word <= text.size() && missing; ++i) {
    uint32_t here = missing & having[0][static_cast<uint8_t>(text[i])] &
                    having[1][static_cast<uint8_t>(text[i + 1])] & having[2][static_cast<uint8_t>(text[i + 2])];
    for (size_t word = 0; here; ++word, here >>= 1)
      if ((here & 1) && text.compare(i, words[word].size(), words[word]) == 0) {
        found |= uint32_t{1} << word;
        missing &= ~(uint32_t{1} << word);
      }
  }
  return found;
}

} // namespace hlokit
