// The fuzz target: searches one text. Sanitizers check memory accesses; a plain search checks the words that are found.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "text/nesting.h"
#include "text/scan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  for (const uint32_t limit : {2u, 1000u})
    if (const auto found = hlokit::find_excess(text, limit, limit); found && found->offset >= size)
      std::abort();
  // Words of the text itself, its end included, and one that is longer than what is left.
  std::vector<std::string_view> words{"add", "tensor<2xf32>", "nowhere in a text of some bytes"};
  for (size_t at = 0; at + hlokit::shortest_word <= size && words.size() < hlokit::most_words; at = 2 * at + 1)
    words.push_back(text.substr(at, at % 2 ? size : hlokit::shortest_word));
  const uint64_t found = hlokit::words_in(text, words);
  for (size_t word = 0; word < words.size(); ++word)
    if ((found >> word & 1) != (text.find(words[word]) != std::string_view::npos)) {
      std::fprintf(stderr, "word %zu was %s\n", word, found >> word & 1 ? "found" : "missed");
      std::abort();
    }
  return 0;
}
