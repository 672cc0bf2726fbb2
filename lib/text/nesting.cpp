#include "text/nesting.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>


namespace hlokit {
namespace {

enum class Kind : uint8_t { other, opening, closing, quote, slash, minus, sigil, comma, operation };

constexpr std::array<Kind, 256> make_kinds() {
  std::array<Kind, 256> kinds{};
  for (char each : {'<', '[', '{', '('})
    kinds[static_cast<uint8_t>(each)] = Kind::opening;
  for (char each : {'>', ']', '}', ')'})
    kinds[static_cast<uint8_t>(each)] = Kind::closing;
  for (char each : {'#', '!'})
    kinds[static_cast<uint8_t>(each)] = Kind::sigil;
  for (char each : {'+', '*', 'm', 'v'}) // of affine expressions: `mod`, `floordiv` and `ceildiv` have one of these
    kinds[static_cast<uint8_t>(each)] = Kind::operation;
  kinds['"'] = Kind::quote;
  kinds['/'] = Kind::slash;
  kinds['-'] = Kind::minus;
  kinds[','] = Kind::comma;
  return kinds;
}

constexpr std::array<Kind, 256> kinds = make_kinds();

bool is_word(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
         each == '_' || each == '$' || each == '.';
}

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

Kind kind_of(char each) noexcept { return kinds[static_cast<uint8_t>(each)]; }

// The definition of an alias (`#loc1 = loc(...)`, `!t = tuple<...>`), and its uses outside of definitions. Uses may
// come before the definition.
struct Alias {
  uint32_t depth = 0;    // in units
  uint64_t expansion = 1; // the types, attributes and locations in it
  uint64_t uses = 0;
  uint32_t deepest_use = 0;
  size_t offset = 0; // of the deepest use, or of the first one
};

struct Level {
  uint32_t units;
  bool is_location, is_affine;
};

class Scan {
public:
  Scan(std::string_view text, uint32_t deepest, uint64_t largest)
      : text_(text), deepest_(deepest), largest_(largest) {}

  std::optional<Excess> run() {
    for (size_t i = 0; i < text_.size() && !excess_;)
      i = step(i);
    if (definition_)
      end_definition();
    return excess_ ? excess_ : excess_of_uses();
  }

private:
  // Reads the token at `i`; returns the offset after the token.
  size_t step(size_t i) {
    switch (kind_of(text_[i])) {
    case Kind::opening:
      open(i);
      return i + 1;
    case Kind::closing:
      close();
      return i + 1;
    case Kind::quote:
      begin_value();
      return after_string(text_, i);
    case Kind::slash:
      if (text_.substr(i, 2) == "//")
        return std::min(text_.find('\n', i), text_.size());
      return i + 1;
    case Kind::minus:
      if (text_.substr(i, 2) == "->") {
        is_complete_ = false;
        return i + 2;
      }
      affine_operation(i, units_of_level);
      return i + 1;
    case Kind::operation:
      affine_operation(i, units_of_location);
      return word_at(i);
    case Kind::sigil:
      return alias_at(i);
    case Kind::comma:
      ++expansion_;
      return i + 1;
    default:
      return word_at(i);
    }
  }

  void deepen(size_t i, uint32_t units) {
    units_ += units;
    depth_ = std::max(depth_, units_);
    if (units_ > deepest_)
      excess_ = Excess{i, true};
  }

  void open(size_t i) {
    const char bracket = text_[i];
    Level level{units_of_level, false, !levels_.empty() && levels_.back().is_affine};
    // The metadata of a location, in angle brackets, may be any attribute.
    const bool in_location = !levels_.empty() && levels_.back().is_location;
    const bool begins_location = bracket == '(' && follows(i, "loc");
    level.is_location = begins_location || (in_location && (bracket == '(' || bracket == '['));
    if (level.is_location) // `loc(` itself is not a level: its content is
      level.units = begins_location && !in_location ? 0 : units_of_location;
    if (bracket == '<' && (follows(i, "affine_map") || follows(i, "affine_set") || follows(i, "encoding")))
      level.is_affine = true;
    ++expansion_;
    levels_.push_back(level);
    deepen(i, level.units);
  }

  void close() {
    is_complete_ = true;
    if (levels_.empty())
      return;
    units_ -= levels_.back().units;
    levels_.pop_back();
  }

  // An operation in an affine expression takes a level until its bracket closes: its operand may be another operation.
  void affine_operation(size_t i, uint32_t units) {
    if (levels_.empty() || !levels_.back().is_affine)
      return;
    levels_.back().units += units;
    deepen(i, units);
  }

  bool follows(size_t i, std::string_view word) const {
    if (i < word.size() || text_.substr(i - word.size(), word.size()) != word)
      return false;
    return i == word.size() || !is_word(text_[i - word.size() - 1]);
  }

  // A word matters only where it can end a definition.
  size_t word_at(size_t i) {
    if (!definition_ || !levels_.empty())
      return i + 1;
    const char each = text_[i];
    if (each == ':') {
      is_complete_ = false;
      return i + 1;
    }
    if (!is_word(each) && each != '@' && each != '%' && each != '^')
      return i + 1;
    begin_value();
    for (++i; i < text_.size() && is_word(text_[i]);)
      ++i;
    return i;
  }

  // A value begins, or a part of one. Outside of brackets, a definition ends where something follows its value.
  void begin_value() {
    if (definition_ && levels_.empty() && is_complete_)
      end_definition();
    is_complete_ = true;
  }

  size_t alias_at(size_t i) {
    size_t end = i + 1;
    while (end < text_.size() && is_word(text_[end]))
      ++end;
    const std::string_view name = text_.substr(i, end - i);
    // Not `%0#1`, `#-}` and attributes and types of dialects.
    if (name.size() == 1 || (i > 0 && is_word(text_[i - 1])))
      return end;
    if (levels_.empty() && is_defined_at(end)) {
      if (definition_)
        end_definition();
      begin_definition(name, i);
      return text_.find('=', end) + 1;
    }
    begin_value();
    if (name.find('.') == std::string_view::npos)
      use(name, i);
    return end;
  }

  bool is_defined_at(size_t i) const {
    while (i < text_.size()) {
      if (text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\n' || text_[i] == '\r')
        ++i;
      else if (text_.substr(i, 2) == "//")
        i = std::min(text_.find('\n', i), text_.size());
      else
        break;
    }
    return i < text_.size() && text_[i] == '=';
  }

  void use(std::string_view name, size_t i) {
    Alias &alias = aliases_[name];
    if (definition_) {
      depth_ = std::max(depth_, units_ + alias.depth);
      expansion_ += alias.expansion;
      return;
    }
    if (alias.uses++ == 0 || units_ > alias.deepest_use) {
      alias.deepest_use = units_;
      alias.offset = i;
    }
  }

  void begin_definition(std::string_view name, size_t i) {
    definition_ = &aliases_[name];
    definition_at_ = i;
    depth_ = 0;
    expansion_ = 1;
    is_complete_ = false;
  }

  void end_definition() {
    definition_->depth = std::max(definition_->depth, depth_);
    definition_->expansion = std::max(definition_->expansion, expansion_);
    definition_ = nullptr;
    if (depth_ > deepest_ || expansion_ > largest_)
      excess_ = Excess{definition_at_, depth_ > deepest_};
  }

  std::optional<Excess> excess_of_uses() const {
    uint64_t together = 0;
    std::optional<Excess> first;
    size_t last = 0; // use
    for (const auto &[name, alias] : aliases_) {
      if (alias.uses == 0)
        continue;
      if (alias.deepest_use + alias.depth > deepest_ && (!first || alias.offset < first->offset))
        first = Excess{alias.offset, true};
      if (together > largest_)
        continue;
      together = alias.uses > largest_ / alias.expansion ? largest_ + 1 : together + alias.uses * alias.expansion;
      last = alias.offset;
    }
    return first || together <= largest_ ? first : Excess{last, false};
  }

  const std::string_view text_;
  const uint32_t deepest_;
  const uint64_t largest_;
  std::vector<Level> levels_; // of open brackets
  uint32_t units_ = 0;        // of them
  std::unordered_map<std::string_view, Alias> aliases_;
  // The definition that is being read.
  Alias *definition_ = nullptr;
  size_t definition_at_ = 0;
  uint32_t depth_ = 0;
  uint64_t expansion_ = 1;
  bool is_complete_ = false; // its value may end here
  std::optional<Excess> excess_;
};

} // namespace

std::optional<Excess> find_excess(std::string_view text, uint32_t deepest, uint64_t largest) {
  return Scan(text, deepest, largest).run();
}

} // namespace hlokit
