// hlokit._bytecode.excess, words_in and without_digits.
#include <optional>
#include <string>
#include <vector>

#include "python/bytecode/module.h"
#include "text/nesting.h"
#include "text/scan.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// The bytes of a string, which the string owns.
std::string_view utf8(nb::handle text) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

nb::list found_words(const nb::str &text, const nb::tuple &words) {
  std::vector<std::string_view> searched;
  for (const nb::handle word : words) {
    searched.push_back(utf8(word));
    if (searched.back().size() < shortest_word)
      throw nb::value_error("a word must have at least three bytes");
  }
  if (searched.size() > most_words)
    throw nb::value_error("there must be at most 64 words");
  const uint64_t found = words_in(utf8(text), searched);
  nb::list numbers;
  for (size_t word = 0; word < searched.size(); ++word)
    if (found >> word & 1)
      numbers.append(word);
  return numbers;
}

nb::object text_without_digits(const nb::str &text) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) { // a lone surrogate, which the parser reports
    PyErr_Clear();
    return text;
  }
  const std::optional<std::string> rest = without_digits({data, static_cast<size_t>(size)});
  if (!rest)
    return text;
  return nb::str(rest->data(), rest->size());
}

nb::object excess(const nb::str &text, uint32_t deepest, uint64_t largest) {
  const std::optional<Excess> found = find_excess(utf8(text), deepest * units_of_level, largest);
  if (!found)
    return nb::none();
  return nb::make_tuple(found->offset, found->is_depth);
}

} // namespace

void bind_text(nb::module_ &m) {
  m.def("excess", &excess, "text"_a, "deepest"_a, "largest"_a,
        nb::sig("def excess(text: str, deepest: int, largest: int) -> tuple[int, bool] | None"),
        "Where a text is nested more than `deepest` levels deep, or where its aliases expand to more than\n"
        "`largest` types, attributes and locations: a byte offset, and whether it is the depth. Four levels of\n"
        "locations count as one.");
  m.def("words_in", &found_words, "text"_a, "words"_a,
        nb::sig("def words_in(text: str, words: tuple[str, ...]) -> list[int]"),
        "The indices of the words that occur in a text. At most 64 words, each of three bytes or more.");
  m.def("without_digits", &text_without_digits, "text"_a, nb::sig("def without_digits(text: str) -> str"),
        "The text without the hexadecimal digits of large constants, for searches; the text itself if it has\n"
        "none.");
}

} // namespace hlokit
