// Search for words in MLIR text, byte by byte, before the text is parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlokit {

constexpr size_t most_words = 32, shortest_word = 3;

// The words that occur in a text, as bits. At most `most_words` words, each of at least `shortest_word` bytes.
uint32_t words_in(std::string_view text, const std::vector<std::string_view> &words) noexcept;

} // namespace hlokit
