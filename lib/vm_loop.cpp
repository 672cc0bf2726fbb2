#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "vm.h"
#include "vm_arrays.h"
#include "vm_checks.h"

namespace hlokit::vm {
namespace {

// Arrays begin at a cache line, and one more line apart, so that they do not fall into the same sets.
constexpr size_t line = 64;
// More is left to other ways.
constexpr size_t most_arena = size_t(1) << 28;
// Elements of arrays that are as much work as an instruction on scalars.
constexpr size_t elements_a_turn = 64;

int64_t &reserved_word(unsigned char *registers, size_t index) {
  return reinterpret_cast<int64_t *>(registers)[index];
}

const Instruction *go(const Instruction *at, unsigned char *) { return at + at->jump; }

const Instruction *go_if(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? at + at->jump : next(at, registers);
}

const Instruction *go_if_not(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : at + at->jump;
}

// Jumps back stop when the budget is spent, and say where to go on: `to` is the index of the target. Each costs `c`.
const Instruction *back(const Instruction *at, unsigned char *registers) {
  if ((reserved_word(registers, 0) -= at->c) > 0)
    return at + at->jump;
  reserved_word(registers, 1) = at->to;
  return nullptr;
}

const Instruction *back_if(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? back(at, registers) : next(at, registers);
}

const Instruction *back_if_not(const Instruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : back(at, registers);
}

constexpr int64_t ended = -1;

const Instruction *end(const Instruction *, unsigned char *registers) {
  reserved_word(registers, 1) = ended;
  return nullptr;
}

bool is_jump(const Source &source) { return source.operation <= jump && source.operation >= jump_if_not; }

void check_scalar(const Frame &frame, uint32_t index) {
  if (!frame.is_scalar(index))
    throw ProgramError("register " + std::to_string(index) + " must hold a scalar");
}

// `at` and `target` are indices into the code, the source's own into the sources.
Instruction jump_of(const Frame &frame, const Source &source, size_t at, size_t target) {
  bool goes_back = target <= at;
  Instruction result{};
  result.to = static_cast<uint32_t>(target);
  result.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(at));
  if (source.operation == jump) {
    result.step = goes_back ? back : go;
    return result;
  }
  result.a = Frame::slot(source.a);
  if (source.operation == jump_if)
    result.step = goes_back ? back_if : go_if;
  else
    result.step = goes_back ? back_if_not : go_if_not;
  check_type(frame.types, source.a, Type::i1);
  check_scalar(frame, source.a);
  return result;
}

bool is_sweep(const Frame &frame, const Source &source) {
  return source.operation >= 0 && source.to < frame.types.size() && !frame.is_scalar(source.to);
}

Instruction scalar_instruction(const Frame &frame, const Source &source) {
  const Operation &found = check_operation(frame.types, source);
  const uint32_t operands[] = {source.to, source.a, source.b, source.c};
  for (size_t i = 0; i <= found.arity; ++i)
    check_scalar(frame, operands[i]);
  Instruction instruction{};
  instruction.step = found.step;
  instruction.to = Frame::slot(source.to);
  instruction.a = Frame::slot(source.a);
  instruction.b = found.arity > 1 ? Frame::slot(source.b) : 0;
  instruction.c = found.arity > 2 ? Frame::slot(source.c) : 0;
  return instruction;
}

Made array_instruction(const Frame &frame, const Source &source, const std::vector<Numbers> &numbers) {
  const uint32_t index = source.operation == reduce || source.operation == dot ? source.c : source.b;
  if (index >= numbers.size())
    throw ProgramError("there are no numbers " + std::to_string(index));
  switch (source.operation) {
  case move:
    return make_move(frame, source, numbers[index]);
  case read_windows:
  case write_windows:
    return make_windows(frame, source, numbers[index]);
  case reduce:
    return make_reduce(frame, source, numbers[index]);
  case dot:
    return make_dot(frame, source, numbers[index]);
  default:
    throw ProgramError("there is no operation " + std::to_string(source.operation));
  }
}

// Where each run of sweeps of one size ends, and 0 for other sources: what a jump leads to begins a run of its own.
std::vector<size_t> runs_of(const Frame &frame, const std::vector<Source> &sources) {
  std::vector<bool> is_target(sources.size() + 1);
  for (const Source &source : sources)
    if (is_jump(source))
      is_target[source.to] = true;
  std::vector<size_t> ends(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    size_t stop = i;
    while (stop < sources.size() && is_sweep(frame, sources[stop]) && (stop == i || !is_target[stop]) &&
           frame.count(sources[stop].to) == frame.count(sources[i].to))
      ++stop;
    std::fill(ends.begin() + static_cast<ptrdiff_t>(i), ends.begin() + static_cast<ptrdiff_t>(stop), stop);
    i = std::max(i, stop - (stop > i));
  }
  return ends;
}

// Arrays that only sweeps know, each run of which writes them before it reads them: no whole one is needed.
std::vector<bool> find_local(const Frame &frame, const std::vector<Source> &sources, const std::vector<size_t> &ends,
                             const std::vector<uint32_t> &outside, const std::vector<Numbers> &numbers) {
  std::vector<bool> is_local(frame.types.size());
  for (size_t i = 0; i < is_local.size(); ++i)
    is_local[i] = frame.counts[i] > static_cast<int64_t>(sweep_block);
  auto drop = [&](uint32_t index) {
    if (index < is_local.size())
      is_local[index] = false;
  };
  for (uint32_t index : outside)
    drop(index);
  for (const Source &source : sources)
    if ((source.operation == read_windows || source.operation == write_windows) && source.b < numbers.size())
      for (uint32_t index : window_registers(numbers[source.b]))
        drop(index);
  std::vector<size_t> written_in(frame.types.size(), 0); // the end of the last run that wrote a register
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source &source = sources[i];
    const uint32_t operands[] = {source.a, source.b, source.c};
    size_t arity = ends[i] ? check_operation(frame.types, source).arity : 3;
    for (size_t j = 0; j < arity; ++j)
      if (!ends[i] || (operands[j] < written_in.size() && written_in[operands[j]] != ends[i]))
        drop(operands[j]);
    if (!ends[i])
      drop(source.to);
    else
      written_in[source.to] = ends[i];
  }
  return is_local;
}

} // namespace

Loop::Loop(const std::vector<Type> &types, const std::vector<int64_t> &counts,
           const std::vector<Source> &sources, const std::vector<Numbers> &numbers,
           const std::vector<uint32_t> &outside)
    : register_count_(types.size()) {
  constexpr size_t most = std::numeric_limits<int32_t>::max() / 16;
  if (types.size() > most || sources.size() > most)
    throw ProgramError("a program must be smaller");
  if (counts.size() != types.size())
    throw ProgramError("each register must have a count");
  check_simple(types);
  for (int64_t count : counts)
    if (count < scalar || count > most_elements)
      throw ProgramError("an array must have 0 to " + std::to_string(most_elements) + " elements");
  for (const Source &source : sources)
    if (is_jump(source) && source.to > sources.size())
      throw ProgramError("a jump must lead into the program or to its end, got " + std::to_string(source.to));

  Frame frame{types, counts, std::vector<bool>(types.size())};
  const std::vector<size_t> ends = runs_of(frame, sources);
  frame.is_local = find_local(frame, sources, ends, outside, numbers);

  std::vector<size_t> places, work; // of sources, in the code
  std::vector<bool> is_written(types.size());
  size_t scratch = 0, done = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source &source = sources[i];
    if (code_.size() % longest_row == longest_row - 1) {
      code_.emplace_back();
      code_.back().step = rest;
    }
    places.push_back(code_.size());
    work.push_back(done += 1);
    if (is_jump(source)) {
      code_.emplace_back(); // when all places are known
      continue;
    }
    check_register(types, source.to);
    is_written[source.to] = true;
    if (!ends[i] && source.operation >= 0) {
      code_.push_back(scalar_instruction(frame, source));
      continue;
    }
    const bool is_first = ends[i] == 0 || i == 0 || ends[i - 1] != ends[i];
    if (!is_first) {
      places.back() = code_.size() - 1;
      continue;
    }
    Made made = ends[i] ? make_sweeps(frame, sources.data() + i, sources.data() + ends[i])
                        : array_instruction(frame, source, numbers);
    work.back() = done += made.work / elements_a_turn;
    scratch = std::max(scratch, made.scratch);
    Instruction instruction{};
    instruction.step = made.step;
    instruction.to = made.to;
    instruction.a = made.a;
    instruction.b = made.b;
    instruction.detail = made.detail.get();
    code_.push_back(instruction);
    details_.push_back(std::move(made.detail));
  }
  places.push_back(code_.size());
  work.push_back(done);
  work_ = done;
  for (size_t i = 0; i < sources.size(); ++i)
    if (is_jump(sources[i])) {
      size_t target = sources[i].to;
      Instruction made = jump_of(frame, sources[i], places[i], places[target]);
      size_t cost = target <= i ? work[i] - (target ? work[target - 1] : 0) : 0;
      made.c = static_cast<uint32_t>(std::min<size_t>(std::max<size_t>(cost / 8, 1), 1 << 30));
      code_[places[i]] = made;
    }
  Instruction last{};
  last.step = end;
  code_.push_back(last);

  std::vector<bool> is_outside(types.size());
  for (uint32_t index : outside) {
    check_register(types, index);
    if (frame.is_scalar(index) || is_outside[index])
      throw ProgramError("an array from outside must be an array, and be given once");
    is_outside[index] = true;
    size_t size = size_of(types[index]);
    outside_.push_back({index, frame.count(index) * size, size, is_written[index]});
  }
  auto reserve = [this](size_t bytes) {
    size_t offset = arena_bytes_;
    arena_bytes_ += (bytes + line - 1) / line * line + line;
    if (arena_bytes_ > most_arena)
      throw ProgramError("a program must take less memory");
    return offset;
  };
  inside_.push_back({static_cast<uint32_t>(types.size()), reserve(scratch)});
  for (uint32_t index = 0; index < types.size(); ++index)
    if (!frame.is_scalar(index) && !is_outside[index]) {
      size_t count = std::min(frame.count(index), frame.is_local[index] ? sweep_block : frame.count(index));
      inside_.push_back({index, reserve(count * size_of(types[index]))});
    }
  arena_bytes_ += line;
}

Loop::~Loop() = default;
Loop::Loop(Loop &&) noexcept = default;

bool Loop::run(unsigned char *registers, const std::vector<unsigned char *> &arrays, unsigned char *arena,
               int64_t budget) const {
  int64_t start = reserved_word(registers, 1);
  if (start < 0 || static_cast<size_t>(start) >= code_.size())
    throw ProgramError("a run must go on where it stopped");
  // Pointers stand in memory that nobody else sees.
  std::vector<uint64_t> own(reserved + register_count_ + 1);
  auto *memory = reinterpret_cast<unsigned char *>(own.data());
  std::memcpy(memory, registers, register_bytes());
  auto point = [memory](uint32_t index, unsigned char *to) {
    std::memcpy(memory + Frame::slot(index), &to, sizeof to);
  };
  unsigned char *aligned = arena + (line - reinterpret_cast<uintptr_t>(arena) % line) % line;
  for (const Inside &each : inside_)
    point(each.index, aligned + each.offset);
  for (size_t i = 0; i < outside_.size(); ++i)
    point(outside_[i].index, arrays[i]);

  reserved_word(memory, 0) = budget;
  const Instruction *at = code_.data() + start;
  while (at)
    at = at->step(at, memory);
  std::memcpy(registers, memory, register_bytes());
  return reserved_word(registers, 1) == ended;
}

} // namespace hlokit::vm
