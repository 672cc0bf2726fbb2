#include "vm/loop/loop.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// Arrays begin at a cache line, with a line between them, so that they do not fall into the same sets of the cache.
constexpr size_t line = Loop::alignment;
// Bytes of an arena, at most.
constexpr size_t most_arena = size_t(1) << 28;
// Elements of arrays that take the time of an instruction on scalars.
constexpr size_t elements_per_instruction = 64;

int64_t &reserved_word(unsigned char *registers, size_t index) {
  return reinterpret_cast<int64_t *>(registers)[index];
}

const DecodedInstruction *go(const DecodedInstruction *at, unsigned char *) { return at + at->jump; }

const DecodedInstruction *go_if(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? at + at->jump : next(at, registers);
}

const DecodedInstruction *go_if_not(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : at + at->jump;
}

// Backward jumps stop the run when the budget is spent, and store where to continue: `to` is the index of the target,
// `c` the cost of the jump.
const DecodedInstruction *back(const DecodedInstruction *at, unsigned char *registers) {
  if ((reserved_word(registers, 0) -= at->c) > 0)
    return at + at->jump;
  reserved_word(registers, 1) = at->to;
  reserved_word(registers, 2) = Loop::spent;
  return nullptr;
}

const DecodedInstruction *back_if(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? back(at, registers) : next(at, registers);
}

const DecodedInstruction *back_if_not(const DecodedInstruction *at, unsigned char *registers) {
  return registers[at->a] ? next(at, registers) : back(at, registers);
}

// `a` is the number of the call, and `to` the index of the next instruction.
const DecodedInstruction *stop_to_call(const DecodedInstruction *at, unsigned char *registers) {
  reserved_word(registers, 1) = at->to;
  reserved_word(registers, 2) = at->a;
  return nullptr;
}

const DecodedInstruction *end(const DecodedInstruction *, unsigned char *registers) {
  reserved_word(registers, 1) = reserved_word(registers, 2) = Loop::ended;
  return nullptr;
}

bool is_jump(const Instruction &instruction) { return instruction.opcode <= jump && instruction.opcode >= jump_if_not; }

void check_scalar(const Frame &frame, uint32_t index) {
  if (!frame.is_scalar(index))
    throw ProgramError("register " + std::to_string(index) + " must hold a scalar");
}

// `at` and `target` are indices into the decoded program.
DecodedInstruction jump_of(const Frame &frame, const Instruction &instruction, size_t at, size_t target) {
  bool goes_back = target <= at;
  DecodedInstruction result{};
  result.to = static_cast<uint32_t>(target);
  result.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(at));
  if (instruction.opcode == jump) {
    result.handler = goes_back ? back : go;
    return result;
  }
  result.a = Frame::slot(instruction.a);
  if (instruction.opcode == jump_if)
    result.handler = goes_back ? back_if : go_if;
  else
    result.handler = goes_back ? back_if_not : go_if_not;
  check_type(frame.types, instruction.a, ElementType::i1);
  check_scalar(frame, instruction.a);
  return result;
}

bool is_sweep(const Frame &frame, const Instruction &instruction) {
  return instruction.opcode >= 0 && instruction.to < frame.types.size() && !frame.is_scalar(instruction.to);
}

// A sweep over arrays of several blocks.
bool is_long_sweep(const Frame &frame, const Instruction &instruction) {
  return is_sweep(frame, instruction) && frame.count(instruction.to) > sweep_block;
}

DecodedInstruction scalar_instruction(const Frame &frame, const Instruction &instruction) {
  const Opcode &found = check_operation(frame.types, instruction);
  const uint32_t operands[] = {instruction.to, instruction.a, instruction.b, instruction.c};
  for (size_t i = 0; i <= found.arity; ++i)
    check_scalar(frame, operands[i]);
  DecodedInstruction result{};
  result.handler = kernel_of(instruction.opcode).handler;
  result.to = Frame::slot(instruction.to);
  result.a = Frame::slot(instruction.a);
  result.b = found.arity > 1 ? Frame::slot(instruction.b) : 0;
  result.c = found.arity > 2 ? Frame::slot(instruction.c) : 0;
  return result;
}

const Numbers &numbers_of(const Instruction &instruction, const std::vector<Numbers> &numbers) {
  const bool is_last = instruction.opcode == reduce || instruction.opcode == dot || instruction.opcode == scan;
  const uint32_t index = is_last ? instruction.c : instruction.b;
  if (index >= numbers.size())
    throw ProgramError("there are no numbers " + std::to_string(index));
  return numbers[index];
}

DecodedArrayOp array_instruction(const Frame &frame, const Instruction &instruction, const std::vector<Numbers> &numbers) {
  const Numbers &own = numbers_of(instruction, numbers);
  switch (instruction.opcode) {
  case move:
    return decode_move(frame, instruction, own);
  case read_windows:
  case write_windows:
    return decode_windows(frame, instruction, own);
  case reduce:
    return decode_reduce(frame, instruction, own);
  case dot:
    return decode_dot(frame, instruction, own);
  case lapack:
    return decode_lapack(frame, own);
  case scan:
    return decode_scan(frame, instruction, own);
  case sort:
    return decode_sort(frame, own);
  default:
    throw ProgramError("there is no operation " + std::to_string(instruction.opcode));
  }
}

// Whether the registers of an instruction are among its numbers.
bool has_register_lists(const Instruction &instruction) {
  return instruction.opcode == call || instruction.opcode == lapack || instruction.opcode == sort;
}

DecodedCall register_lists_of(const Frame &frame, const Instruction &instruction, const std::vector<Numbers> &numbers) {
  const Numbers &own = numbers_of(instruction, numbers);
  return instruction.opcode == call ? decode_call(frame, own) : registers_among(frame, own);
}

std::vector<bool> jump_targets(const std::vector<Instruction> &program) {
  std::vector<bool> is_target(program.size() + 1);
  for (const Instruction &instruction : program)
    if (is_jump(instruction))
      is_target[instruction.to] = true;
  return is_target;
}

// The end of each instruction's run of long sweeps of one size; 0 for other instructions. The target of a jump begins a new
// run.
std::vector<size_t> runs_of(const Frame &frame, const std::vector<Instruction> &program, const std::vector<bool> &is_target) {
  std::vector<size_t> ends(program.size());
  for (size_t i = 0; i < program.size(); ++i) {
    size_t stop = i;
    while (stop < program.size() && is_long_sweep(frame, program[stop]) && (stop == i || !is_target[stop]) &&
           frame.count(program[stop].to) == frame.count(program[i].to))
      ++stop;
    std::fill(ends.begin() + static_cast<ptrdiff_t>(i), ends.begin() + static_cast<ptrdiff_t>(stop), stop);
    i = std::max(i, stop - (stop > i));
  }
  return ends;
}

// Arrays that only sweeps access, and that each run of sweeps writes before reading: one block of such an array is
// enough.
std::vector<bool> find_local(const Frame &frame, const std::vector<Instruction> &program, const std::vector<size_t> &ends,
                             const std::vector<uint32_t> &external, const std::vector<Numbers> &numbers) {
  std::vector<bool> is_local(frame.types.size());
  for (size_t i = 0; i < is_local.size(); ++i)
    is_local[i] = frame.counts[i] > static_cast<int64_t>(sweep_block);
  auto drop = [&](uint32_t index) {
    if (index < is_local.size())
      is_local[index] = false;
  };
  for (uint32_t index : external)
    drop(index);
  for (const Instruction &instruction : program)
    if (has_register_lists(instruction)) {
      const DecodedCall made = register_lists_of(frame, instruction, numbers);
      for (const std::vector<uint32_t> *registers : {&made.results, &made.operands})
        for (uint32_t index : *registers)
          drop(index);
    } else if (instruction.opcode == read_windows || instruction.opcode == write_windows) {
      for (uint32_t index : window_registers(numbers_of(instruction, numbers)))
        drop(index);
    }
  std::vector<size_t> written_in(frame.types.size(), 0); // the end of the last run that wrote a register
  for (size_t i = 0; i < program.size(); ++i) {
    const Instruction &instruction = program[i];
    if (has_register_lists(instruction))
      continue;
    const uint32_t operands[] = {instruction.a, instruction.b, instruction.c};
    size_t arity = ends[i] ? check_operation(frame.types, instruction).arity : 3;
    for (size_t j = 0; j < arity; ++j)
      if (!ends[i] || (operands[j] < written_in.size() && written_in[operands[j]] != ends[i]))
        drop(operands[j]);
    if (!ends[i])
      drop(instruction.to);
    else
      written_in[instruction.to] = ends[i];
  }
  return is_local;
}

} // namespace

Loop::Loop(const std::vector<ElementType> &types, const std::vector<int64_t> &counts,
           const std::vector<Instruction> &program, const std::vector<Numbers> &numbers,
           const std::vector<uint32_t> &external)
    : register_count_(types.size()) {
  constexpr size_t most = std::numeric_limits<int32_t>::max() / 16;
  if (types.size() > most || program.size() > most)
    throw ProgramError("a program must be smaller");
  if (counts.size() != types.size())
    throw ProgramError("each register must have a count");
  for (int64_t count : counts)
    if (count < scalar || count > most_elements)
      throw ProgramError("an array must have 0 to " + std::to_string(most_elements) + " elements");
  for (size_t i = 0; i < types.size(); ++i)
    if (is_complex(types[i]) && counts[i] == scalar)
      throw ProgramError("complex numbers must be in an array");
  for (const Instruction &instruction : program)
    if (is_jump(instruction) && instruction.to > program.size())
      throw ProgramError("a jump must lead into the program or to its end, got " + std::to_string(instruction.to));

  addresses_ = std::make_unique<AddressTable>(Frame::slot(static_cast<uint32_t>(types.size())));
  Frame frame{types, counts, std::vector<bool>(types.size()), *addresses_};
  const std::vector<bool> is_target = jump_targets(program);
  const std::vector<size_t> ends = runs_of(frame, program, is_target);
  frame.is_local = find_local(frame, program, ends, external, numbers);

  std::vector<size_t> places, work; // of instructions: index in the code, and work up to here
  std::vector<bool> is_written(types.size());
  size_t scratch = 0, done = 0;
  BlockSweeps block_sweeps(frame);
  auto end_row = [this] {
    if (code_.size() % longest_row == longest_row - 1) {
      code_.emplace_back();
      code_.back().handler = return_to_loop;
    }
  };
  for (size_t i = 0; i < program.size(); ++i) {
    const Instruction &instruction = program[i];
    end_row();
    places.push_back(code_.size());
    work.push_back(done += 1);
    if (is_target[i] || (instruction.opcode < 0 && !is_jump(instruction)))
      block_sweeps.forget();
    if (is_jump(instruction)) {
      code_.emplace_back(); // decoded below, when all places are known
      continue;
    }
    if (instruction.opcode == call) {
      const DecodedCall made = decode_call(frame, numbers_of(instruction, numbers));
      for (uint32_t index : made.results)
        is_written[index] = true;
      DecodedInstruction decoded{};
      decoded.handler = stop_to_call;
      decoded.a = made.number;
      decoded.to = static_cast<uint32_t>(code_.size() + 1);
      code_.push_back(decoded);
      calls_.push_back(made);
      continue;
    }
    if (has_register_lists(instruction)) {
      for (uint32_t index : register_lists_of(frame, instruction, numbers).results)
        is_written[index] = true;
    } else {
      check_register(types, instruction.to);
      is_written[instruction.to] = true;
    }
    if (!ends[i] && instruction.opcode >= 0) {
      if (!is_sweep(frame, instruction)) {
        code_.push_back(scalar_instruction(frame, instruction));
        block_sweeps.forget(instruction.to);
        continue;
      }
      for (const DecodedInstruction &each : block_sweeps.decode(instruction)) {
        end_row();
        code_.push_back(each);
      }
      work.back() = done += frame.count(instruction.to) * opcodes().rows[instruction.opcode].cost / elements_per_instruction;
      continue;
    }
    block_sweeps.forget();
    const bool is_first = ends[i] == 0 || i == 0 || ends[i - 1] != ends[i];
    if (!is_first) {
      places.back() = code_.size() - 1;
      continue;
    }
    DecodedArrayOp made = ends[i] ? decode_sweeps(frame, program.data() + i, program.data() + ends[i])
                                  : array_instruction(frame, instruction, numbers);
    work.back() = done += made.work / elements_per_instruction;
    scratch = std::max(scratch, made.scratch);
    code_.push_back(instruction_of(made.handler, made.to, made.a, made.b, made.c));
    code_.back().detail = made.detail.get();
    details_.push_back(std::move(made.detail));
  }
  places.push_back(code_.size());
  work.push_back(done);
  work_ = done;
  for (size_t i = 0; i < program.size(); ++i)
    if (is_jump(program[i])) {
      size_t target = program[i].to;
      DecodedInstruction made = jump_of(frame, program[i], places[i], places[target]);
      size_t cost = target <= i ? work[i] - (target ? work[target - 1] : 0) : 0;
      made.c = static_cast<uint32_t>(std::min<size_t>(std::max<size_t>(cost / 8, 1), 1 << 30));
      code_[places[i]] = made;
    }
  DecodedInstruction last{};
  last.handler = end;
  code_.push_back(last);

  std::vector<bool> is_external(types.size());
  for (uint32_t index : external) {
    check_register(types, index);
    if (frame.is_scalar(index) || is_external[index])
      throw ProgramError("an array of the caller must be an array, and be given once");
    is_external[index] = true;
    size_t size = size_of(types[index]);
    external_.push_back({index, frame.count(index) * size, size, is_written[index]});
  }
  auto reserve = [this](size_t bytes) {
    size_t offset = arena_bytes_;
    arena_bytes_ += (bytes + line - 1) / line * line + line;
    if (arena_bytes_ > most_arena)
      throw ProgramError("a program must take less memory");
    return offset;
  };
  internal_.push_back({static_cast<uint32_t>(types.size()), reserve(std::max(scratch, block_sweeps.scratch()))});
  for (uint32_t index = 0; index < types.size(); ++index)
    if (!frame.is_scalar(index) && !is_external[index]) {
      size_t count = std::min(frame.count(index), frame.is_local[index] ? sweep_block : frame.count(index));
      internal_.push_back({index, reserve(count * size_of(types[index]))});
    }
}

size_t Loop::slot_bytes() const {
  return (slot(register_count_ + 1 + addresses_->size()) + alignment - 1) / alignment * alignment;
}

DecodedCall decode_call(const Frame &frame, const Numbers &numbers) {
  NumberReader reader(numbers);
  DecodedCall result = read_registers(frame, reader);
  reader.end();
  return result;
}

Loop::~Loop() = default;
Loop::Loop(Loop &&) noexcept = default;

void Loop::start(unsigned char *memory) const {
  for (const ArenaArray &each : internal_) {
    unsigned char *array = memory + slot_bytes() + each.offset;
    std::memcpy(memory + slot(each.index), &array, sizeof array);
  }
  addresses_->set_up(memory);
}

int64_t Loop::resume(unsigned char *memory, int64_t budget) const {
  const int64_t start = reserved_word(memory, 1);
  if (start < 0 || static_cast<size_t>(start) >= code_.size())
    throw ProgramError("a run must go on where it stopped");
  reserved_word(memory, 0) = budget;
  const DecodedInstruction *at = code_.data() + start;
  while (at)
    at = at->handler(at, memory);
  return reserved_word(memory, 2);
}

} // namespace hlokit::vm
