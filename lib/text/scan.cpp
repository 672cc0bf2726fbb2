#include "text/scan.h"

#include <array>

namespace hlokit {
uint32_t words_in(std::string_view text, const std::vector<std::string_view> &words) noexcept {
  // Position and byte -> the words that have this byte at this position.
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
