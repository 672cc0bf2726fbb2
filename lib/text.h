// MLIR text, looked at a byte at a time before anybody parses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlokit {

// How many brackets of any kind are open at most, those in strings and comments left out.
size_t bracket_depth(std::string_view text) noexcept;

constexpr size_t most_words = 32, shortest_word = 3;

// Which words occur somewhere in a text: a bit for each. There are `most_words` at most, of `shortest_word`
// bytes at least.
uint32_t words_in(std::string_view text, const std::vector<std::string_view> &words) noexcept;

} // namespace hlokit
