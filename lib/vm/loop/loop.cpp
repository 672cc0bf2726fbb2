#include "vm/loop/loop.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "vm/loop/arrays.h"
#include "vm/loop/placement.h"
#include "vm/scalars/handler_pairs.h"
#include "vm/verifier.h"

namespace hlokit::vm {
namespace {

// Arrays begin at a cache line, with a line between them, so that they do not fall into the same sets of the cache.
constexpr size_t line = Loop::alignment;
// Bytes of an arena, at most.
constexpr size_t most_arena = size_t(1) << 28;
// Elements of arrays that take the time of an instruction on scalars.
constexpr size_t elements_per_instruction = 64;

DecodedInstruction scalar_instruction(const Instruction &instruction) {
  uint32_t slots[3] = {};
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    slots[i] = Frame::slot(instruction.operands[i]);
  return instruction_of(kernel_of(instruction.opcode).handler, Frame::slot(instruction.results[0]), slots[0], slots[1], slots[2]);
}

constexpr struct {
  int opcode;
  DecodedArrayOp (*decode)(const Frame &frame, const Instruction &instruction);
} decoders[] = {
    {move, decode_move},         {read_windows, decode_windows},    {write_windows, decode_windows},
    {reduce, decode_reduce},     {dot, decode_dot},                 {lapack, decode_lapack},
    {scan, decode_scan},         {fft, decode_fft},                 {sort, decode_sort},
    {threefry, decode_threefry}, {random_bits, decode_random_bits},
};

DecodedArrayOp array_instruction(const Frame &frame, const Instruction &instruction) {
  for (const auto &[opcode, decode] : decoders)
    if (opcode == instruction.opcode)
      return decode(frame, instruction);
  throw ProgramError("there is no operation " + std::to_string(instruction.opcode));
}

std::vector<bool> jump_targets(const std::vector<Instruction> &program) {
  std::vector<bool> is_target(program.size() + 1);
  for (const Instruction &instruction : program)
    if (is_jump(instruction))
      is_target[target_of(instruction)] = true;
  return is_target;
}

// Decodes a program that `check_loop` has accepted, one instruction after the other.
class Decoder {
public:
  Decoder(const Frame &frame, const std::vector<Instruction> &program, std::vector<bool> is_target, std::vector<size_t> ends)
      : is_written(frame.types.size()), frame_(frame), program_(program), is_target_(std::move(is_target)),
        ends_(std::move(ends)), sweeps_(frame) {}

  void decode() {
    for (size_t i = 0; i < program_.size(); ++i) {
      end_row();
      places_.push_back(code.size());
      ++work;
      if (is_target_[i] || (program_[i].opcode < 0 && !is_jump(program_[i])))
        sweeps_.forget();
      decode_at(i);
      for (uint32_t index : program_[i].results)
        is_written[index] = true;
      works_.push_back(work);
    }
    places_.push_back(code.size());
    for (size_t i = 0; i < program_.size(); ++i)
      if (is_jump(program_[i])) {
        const size_t target = target_of(program_[i]);
        const size_t between = target <= i ? works_[i] - (target ? works_[target - 1] : 0) : 0;
        code[places_[i]] = decode_jump(program_[i], places_[i], places_[target], between);
      }
    code.push_back(decode_end());
    scratch = std::max(scratch, sweeps_.scratch());
  }

  std::vector<DecodedInstruction> code;
  std::vector<std::unique_ptr<const Detail>> details;
  std::vector<DecodedCall> calls;
  std::vector<bool> is_written; // registers
  std::vector<Loop::WindowArray> windows;
  size_t work = 0, scratch = 0;

private:
  void end_row() {
    if (code.size() % longest_row == longest_row - 1)
      code.push_back(instruction_of(return_to_loop));
  }

  void decode_at(size_t i) {
    const Instruction &instruction = program_[i];
    if (is_jump(instruction)) {
      code.emplace_back(); // until all places are known
      pairs_.add(code, instruction);
    } else if (instruction.opcode == call) {
      const auto fields = read_fields<fields::Call>(instruction);
      calls.push_back({static_cast<uint32_t>(fields.number), instruction.results, instruction.operands});
      code.push_back(decode_stop(calls.back().number, code.size() + 1));
    } else if (ends_[i]) {
      decode_run(i);
    } else if (instruction.opcode < 0) {
      DecodedArrayOp op = array_instruction(frame_, instruction);
      if (op.points)
        windows.push_back({instruction.results[0], instruction.operands[0]});
      add(std::move(op));
      if (instruction.opcode == read_windows)
        pairs_.add(code, instruction);
    } else {
      decode_pointwise(instruction);
    }
  }

  // Sweeps that run a block at a time: the first one stands for all.
  void decode_run(size_t i) {
    if (i > 0 && ends_[i - 1] == ends_[i]) {
      places_.back() = code.size() - 1;
      return;
    }
    add(sweeps_.decode_blocks(program_.data() + i, program_.data() + ends_[i]));
  }

  void decode_pointwise(const Instruction &instruction) {
    const uint32_t to = instruction.results[0];
    if (frame_.is_scalar(to)) {
      code.push_back(scalar_instruction(instruction));
      pairs_.add(code, instruction);
      sweeps_.forget(to);
      return;
    }
    for (const DecodedInstruction &each : sweeps_.decode_alone(instruction)) {
      end_row();
      code.push_back(each);
    }
    work += frame_.count(to) * opcodes().rows[instruction.opcode].cost / elements_per_instruction;
  }

  void add(DecodedArrayOp op) {
    work += op.work / elements_per_instruction;
    scratch = std::max(scratch, op.scratch);
    code.push_back(instruction_of(op.handler, op.to, op.a, op.b, op.c));
    code.back().jump = op.jump;
    code.back().detail = op.detail.get();
    details.push_back(std::move(op.detail));
  }

  const Frame &frame_;
  const std::vector<Instruction> &program_;
  const std::vector<bool> is_target_;
  const std::vector<size_t> ends_;
  std::vector<size_t> places_, works_; // of instructions: index in the code, and the work up to their end
  Sweeps sweeps_;
  HandlerPairs pairs_;
};

} // namespace

Loop::Loop(const Types &types, const std::vector<int64_t> &counts, const std::vector<Instruction> &program,
           const std::vector<uint32_t> &external)
    : register_count_(types.size()) {
  check_loop(types, counts, program);
  for (uint32_t index : external)
    check_register(types, index);
  addresses_ = std::make_unique<AddressTable>(Frame::slot(static_cast<uint32_t>(types.size())));
  Frame frame{types, counts, {}, {}, *addresses_};
  std::vector<bool> is_target = jump_targets(program);
  std::vector<size_t> ends = runs_of(frame, program, is_target);
  frame.is_local = find_local(frame, program, ends, external);
  frame.is_window = find_windows(frame, program, external);
  Decoder decoder(frame, program, std::move(is_target), std::move(ends));
  decoder.decode();
  code_ = std::move(decoder.code);
  details_ = std::move(decoder.details);
  calls_ = std::move(decoder.calls);
  windows_ = std::move(decoder.windows);
  work_ = decoder.work;

  std::vector<bool> is_external(types.size());
  for (uint32_t index : external) {
    if (frame.is_scalar(index) || is_external[index])
      throw ProgramError("an array of the caller must be an array, and be given once");
    is_external[index] = true;
    size_t size = size_of(types[index]);
    external_.push_back({index, frame.count(index) * size, size, decoder.is_written[index]});
  }
  auto reserve = [this](size_t bytes) {
    size_t offset = arena_bytes_;
    arena_bytes_ += (bytes + line - 1) / line * line + line;
    if (arena_bytes_ > most_arena)
      throw ProgramError("a program must take at most " + std::to_string(most_arena) + " bytes");
    return offset;
  };
  internal_.push_back({static_cast<uint32_t>(types.size()), reserve(decoder.scratch)});
  std::vector<bool> has_memory = std::move(is_external);
  for (const WindowArray &each : windows_)
    has_memory[each.index] = true;
  for (uint32_t index = 0; index < types.size(); ++index)
    if (!frame.is_scalar(index) && !has_memory[index]) {
      size_t count = std::min(frame.count(index), frame.is_local[index] ? sweep_block : frame.count(index));
      internal_.push_back({index, reserve(count * size_of(types[index]))});
    }
}

size_t Loop::slot_bytes() const {
  return (slot(register_count_ + 1 + addresses_->size()) + alignment - 1) / alignment * alignment;
}

Loop::~Loop() = default;
Loop::Loop(Loop &&) noexcept = default;

void Loop::start(unsigned char *memory) const {
  for (const ArenaArray &each : internal_) {
    unsigned char *array = memory + slot_bytes() + each.offset;
    std::memcpy(memory + slot(each.index), &array, sizeof array);
  }
  for (const WindowArray &each : windows_) { // an address that may be read before the window is found
    unsigned char *const array = address_in(memory, Frame::slot(each.operand));
    std::memcpy(memory + slot(each.index), &array, sizeof array);
  }
  addresses_->set_up(memory);
}

int64_t Loop::resume(unsigned char *memory, int64_t budget) const {
  const int64_t start = reserved_word(memory, reserved_words::place);
  if (start < 0 || static_cast<size_t>(start) >= code_.size())
    throw ProgramError("a run must go on where it stopped");
  reserved_word(memory, reserved_words::budget) = budget;
  const DecodedInstruction *at = code_.data() + start;
  while (at)
    at = at->handler(at, memory);
  return reserved_word(memory, reserved_words::reason);
}

} // namespace hlokit::vm
