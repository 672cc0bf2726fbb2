#include <limits>
#include <string>

#include "vm.h"
#include "vm_checks.h"

namespace hlokit::vm {
namespace {

int64_t &reserved_word(unsigned char *registers, size_t index) {
  return reinterpret_cast<int64_t *>(registers)[index];
}

const Instruction *go(const Instruction *at, unsigned char *) { return at + at->jump; }

const Instruction *go_if(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? at + at->jump : at + 1;
}

const Instruction *go_if_not(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? at + 1 : at + at->jump;
}

// Jumps back stop when the budget is spent, and say where to go on: `to` is the index of the target.
const Instruction *back(const Instruction *at, unsigned char *registers) {
  if (--reserved_word(registers, 0) > 0)
    return at + at->jump;
  reserved_word(registers, 1) = at->to;
  return nullptr;
}

const Instruction *back_if(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? back(at, registers) : at + 1;
}

const Instruction *back_if_not(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? at + 1 : back(at, registers);
}

constexpr int64_t ended = -1;

const Instruction *end(const Instruction *, unsigned char *registers) {
  reserved_word(registers, 1) = ended;
  return nullptr;
}

uint32_t offset_of(uint32_t index) { return static_cast<uint32_t>(8 * (Loop::reserved + index)); }

Instruction jump_of(const std::vector<Type> &types, const Source &source, size_t at, size_t count) {
  if (source.to > count)
    throw ProgramError("a jump must lead into the program or to its end, got " + std::to_string(source.to));
  bool goes_back = source.to <= at;
  Instruction result{};
  result.to = source.to;
  result.jump = static_cast<int32_t>(static_cast<int64_t>(source.to) - static_cast<int64_t>(at));
  if (source.operation == jump) {
    result.step = goes_back ? back : go;
    return result;
  }
  check_type(types, source.a, Type::i1);
  result.a = offset_of(source.a);
  if (source.operation == jump_if)
    result.step = goes_back ? back_if : go_if;
  else
    result.step = goes_back ? back_if_not : go_if_not;
  return result;
}

} // namespace

Loop::Loop(const std::vector<Type> &types, const std::vector<Source> &sources)
    : register_count_(types.size()) {
  constexpr size_t most = std::numeric_limits<int32_t>::max() / 16;
  if (types.size() > most || sources.size() > most)
    throw ProgramError("a program must be smaller");
  for (const Source &source : sources) {
    if (source.operation <= jump && source.operation >= jump_if_not) {
      code_.push_back(jump_of(types, source, code_.size(), sources.size()));
      continue;
    }
    const Operation &found = check_operation(types, source);
    Instruction instruction{};
    instruction.step = found.step;
    instruction.to = offset_of(source.to);
    instruction.a = offset_of(source.a);
    instruction.b = found.arity > 1 ? offset_of(source.b) : 0;
    instruction.c = found.arity > 2 ? offset_of(source.c) : 0;
    code_.push_back(instruction);
  }
  Instruction last{};
  last.step = end;
  code_.push_back(last);
}

bool Loop::run(unsigned char *registers, int64_t budget) const {
  int64_t start = reserved_word(registers, 1);
  if (start < 0 || static_cast<size_t>(start) >= code_.size())
    throw ProgramError("a run must go on where it stopped");
  reserved_word(registers, 0) = budget;
  const Instruction *at = code_.data() + start;
  while (at)
    at = at->step(at, registers);
  return reserved_word(registers, 1) == ended;
}

} // namespace hlokit::vm
