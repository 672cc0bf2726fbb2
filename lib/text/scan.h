// Search for words in MLIR text before the text is parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlokit {

constexpr size_t most_words = 64, shortest_word = 3;

// The words that occur in a text, as bits. At most `most_words` words, each of at least `shortest_word` bytes.
uint64_t words_in(std::string_view text, const std::vector<std::string_view> &words) noexcept;

// The text without the hexadecimal digits of large constants, `"0x...`, in which no word of a program can be. Nothing if
// the text has no large constants.
std::optional<std::string> without_digits(std::string_view text);

} // namespace hlokit
