// Runs fused programs: piece by piece, on several threads.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>

#include "support/should_stop.h"
#include "support/threads.h"
#include "vm/fused/layout.h"
#include "vm/fused/schedule.h"

namespace hlokit::vm::fused {
namespace {

// Additions for which another thread pays: some 50 us.
constexpr size_t least_part = 1 << 19;
// Blocks that a thread takes at a time, at most, and parts per thread, so that all threads end at about the same time.
constexpr size_t most_blocks = 16, parts_per_thread = 8;
// Buffers begin at a cache line, with a line between them, so that they do not fall into the same sets of the cache.
constexpr size_t line = 64;
constexpr size_t most_bytes = 16; // of an element
constexpr size_t most_partial = 8; // bytes of a partial result of a reduction

size_t rounded_up(size_t bytes) { return (bytes + line - 1) / line * line; }

// The buffers of one thread. All memory is allocated before threads run, since their work must not throw.
class Worker {
public:
  Worker(const Schedule &schedule, size_t size, const std::vector<Operand> &operands,
         const std::vector<Layout> &layouts, const std::vector<unsigned char *> &results)
      : schedule_(schedule), size_(size), operands_(operands), layouts_(layouts), results_(results),
        at_(schedule.registers.size(), nullptr), bases_(schedule.registers.size(), nullptr) {
    if (schedule.has_rows) {
      block_ = schedule.block_rows * schedule.columns;
      piece_ = schedule.block_rows > 1 ? block_ : std::min(schedule.columns, schedule.piece);
    } else {
      block_ = piece_ = std::min(size, schedule.piece);
    }
    lay_out();
  }

  // Units of work are blocks of rows, or pieces if there are no rows.
  static size_t units(const Schedule &schedule, size_t size) {
    if (schedule.has_rows)
      return (schedule.rows + schedule.block_rows - 1) / schedule.block_rows;
    return (size + schedule.piece - 1) / schedule.piece;
  }

  void prepare() {
    for (const Action &action : schedule_.of_ones)
      sweep(action, 1);
    for (const Action &action : schedule_.fills) {
      const Register &to = schedule_.registers[action.to];
      broadcast_one(action, to.level == Level::row ? schedule_.block_rows : block_);
    }
  }

  void run(size_t unit) {
    if (schedule_.has_rows) {
      size_t row = unit * schedule_.block_rows, rows = std::min(schedule_.block_rows, schedule_.rows - row);
      block_of_rows(row, rows);
      return;
    }
    size_t start = unit * schedule_.piece;
    move_to(start, 0);
    run_piece(schedule_.phases[0], start, std::min(schedule_.piece, size_ - start), 1);
  }

private:
  void lay_out() {
    std::vector<size_t> offsets(schedule_.registers.size(), SIZE_MAX);
    size_t total = 0;
    auto reserve = [&](size_t bytes) {
      size_t offset = total;
      total += rounded_up(bytes) + line;
      return offset;
    };
    std::vector<size_t> pieces, blocks, rows;
    for (uint8_t size : schedule_.piece_sizes)
      pieces.push_back(reserve(size * piece_));
    for (uint8_t size : schedule_.block_sizes)
      blocks.push_back(reserve(size * block_));
    for (uint8_t size : schedule_.row_sizes)
      rows.push_back(reserve(size * schedule_.block_rows));
    size_t ones = reserve(most_bytes * schedule_.one_count);
    size_t partials = reserve(partial_bytes() * schedule_.reduction_count), spare = reserve(partial_bytes());
    for (size_t i = 0; i < schedule_.registers.size(); ++i) {
      const Register &each = schedule_.registers[i];
      switch (each.storage) {
      case Storage::piece:
        offsets[i] = pieces[each.index];
        break;
      case Storage::block:
        offsets[i] = blocks[each.index];
        break;
      case Storage::row:
        offsets[i] = rows[each.index];
        break;
      case Storage::one:
        offsets[i] = schedule_.one_count ? ones + most_bytes * each.index : SIZE_MAX;
        break;
      case Storage::input:
        if (each.level != Level::one && layouts_[each.index].run < layouts_total(each))
          offsets[i] = reserve(each.size * (each.level == Level::row ? schedule_.block_rows : piece_));
        break;
      case Storage::output:
        break;
      }
    }
    memory_.reset(new unsigned char[total + line]);
    unsigned char *start = memory_.get() + (line - reinterpret_cast<uintptr_t>(memory_.get()) % line) % line;
    partials_ = start + partials;
    spare_ = start + spare;
    for (size_t i = 0; i < offsets.size(); ++i) {
      const Register &each = schedule_.registers[i];
      if (offsets[i] != SIZE_MAX)
        at_[i] = bases_[i] = start + offsets[i];
      else if (each.storage == Storage::input && each.level == Level::one)
        at_[i] = const_cast<unsigned char *>(operands_[each.index].data);
      if (each.storage == Storage::block)
        block_registers_.push_back(static_cast<uint32_t>(i));
    }
  }

  size_t layouts_total(const Register &each) const {
    return each.level == Level::row ? schedule_.rows : size_;
  }

  // Makes elements of an operand from `start` on readable: in place if they are contiguous, otherwise copied.
  void read(uint32_t index, size_t start, size_t count) {
    const Register &each = schedule_.registers[index];
    const Layout &layout = layouts_[each.index];
    const unsigned char *data = operands_[each.index].data;
    if (start % layout.run + count <= layout.run) {
      at_[index] = const_cast<unsigned char *>(find(data, layout, start));
    } else if (count > 0) {
      at_[index] = bases_[index];
      gather(at_[index], data, layout, start, count);
    }
  }

  // Moves to the piece from `start` on, which is `offset` within the block.
  void move_to(size_t start, size_t offset) {
    for (size_t i = 0; i < schedule_.outputs.size(); ++i) {
      const Register &each = schedule_.registers[schedule_.outputs[i]];
      if (each.level == Level::full)
        at_[schedule_.outputs[i]] = results_[i] + start * each.size;
    }
    for (uint32_t index : block_registers_)
      at_[index] = bases_[index] + offset * schedule_.registers[index].size;
  }

  void block_of_rows(size_t row, size_t rows) {
    for (const Input &input : schedule_.inputs)
      if (input.level == Level::row)
        read(input.index, row, rows);
    for (size_t i = 0; i < schedule_.outputs.size(); ++i) {
      const Register &each = schedule_.registers[schedule_.outputs[i]];
      if (each.level == Level::row)
        at_[schedule_.outputs[i]] = results_[i] + row * each.size;
    }
    const size_t columns = schedule_.columns, start = row * columns, count = rows * columns;
    for (const Phase &phase : schedule_.phases) {
      for (const Action &action : phase.of_rows)
        run(action, rows, 1);
      for (size_t offset = 0; offset < count; offset += piece_) {
        size_t length = std::min(piece_, count - offset);
        move_to(start + offset, offset);
        first_block_ = offset / sum_block;
        run_piece(phase, start + offset, length, rows);
      }
      for (const Action &action : phase.actions)
        if (action.kind == Action::Kind::reduce)
          finish(action, rows);
    }
  }

  void run_piece(const Phase &phase, size_t start, size_t count, size_t rows) {
    for (uint32_t input : phase.inputs)
      read(input, start, count);
    for (const Action &action : phase.actions)
      run(action, count, rows);
  }

  void run(const Action &action, size_t count, size_t rows) {
    if (action.kind == Action::Kind::reduce)
      reduce(action, count, rows);
    else if (action.kind == Action::Kind::broadcast)
      schedule_.registers[action.operands[0]].level == Level::row ? broadcast_rows(action, count, rows)
                                                               : broadcast_one(action, count);
    else if (action.by_rows)
      sweep_rows(action, count / rows, rows);
    else
      sweep(action, count);
  }

  void sweep(const Action &action, size_t count) {
    const void *operands[4] = {at_[action.operands[0]], nullptr, nullptr, nullptr};
    for (size_t i = 1; i < action.operand_count; ++i)
      operands[i] = at_[action.operands[i]];
    if (action.kind == Action::Kind::pair)
      action.pair(at_[action.to], operands, count);
    else
      action.sweep(at_[action.to], operands[0], operands[1], operands[2], count);
  }

  // Row by row: an operand of level `row` is one element for all elements of a row.
  void sweep_rows(const Action &action, size_t columns, size_t rows) {
    unsigned char *to = at_[action.to];
    const unsigned char *at[4] = {};
    size_t steps[4] = {};
    for (size_t i = 0; i < action.operand_count; ++i) {
      const Register &each = schedule_.registers[action.operands[i]];
      at[i] = at_[action.operands[i]];
      steps[i] = each.level == Level::full ? each.size * columns : each.level == Level::row ? each.size : 0;
    }
    for (size_t row = 0; row < rows; ++row) {
      const void *operands[4] = {at[0], at[1], at[2], at[3]};
      if (action.kind == Action::Kind::pair)
        action.pair(to, operands, columns);
      else
        action.sweep(to, operands[0], operands[1], operands[2], columns);
      to += schedule_.registers[action.to].size * columns;
      for (size_t i = 0; i < action.operand_count; ++i)
        at[i] += steps[i];
    }
  }

  void broadcast_one(const Action &action, size_t count) {
    fill(at_[action.to], at_[action.operands[0]], count, schedule_.registers[action.to].size);
  }

  void broadcast_rows(const Action &action, size_t count, size_t rows) {
    size_t columns = count / rows, size = schedule_.registers[action.to].size;
    for (size_t row = 0; row < rows; ++row)
      fill(at_[action.to] + row * columns * size, at_[action.operands[0]] + row * size, columns, size);
  }

  // Partial results of a reduction: of each row, those of the blocks of a sum.
  size_t blocks() const { return (schedule_.columns + sum_block - 1) / sum_block; }
  size_t partial_bytes() const { return most_partial * schedule_.block_rows * blocks(); }
  unsigned char *partials_of(const Action &action) const { return partials_ + partial_bytes() * action.reduction; }

  // Reduces the blocks of rows, or of a piece of a row.
  void reduce(const Action &action, size_t count, size_t rows) {
    const regions::Combination &combination = *action.of_operand;
    const unsigned char *from = at_[action.operands[0]];
    unsigned char *to = partials_of(action) + first_block_ * combination.partial_size;
    const size_t columns = count / rows, whole = columns / sum_block, rest = columns % sum_block;
    if (columns <= sum_block)
      return combination.reduce(to, from, {rows, columns, columns, 1, 1});
    for (size_t row = 0; row < rows; ++row, to += blocks() * combination.partial_size, from += columns * combination.size) {
      combination.reduce(to, from, {whole, sum_block, sum_block, 1, 1});
      if (rest)
        combination.reduce(to + whole * combination.partial_size, from + whole * sum_block * combination.size,
                           {1, 0, rest, 1, 1});
    }
  }

  void finish(const Action &action, size_t rows) {
    const regions::Combination &combination = *action.combination;
    const unsigned char *init = at_[action.operands[1]];
    if (schedule_.columns == 0)
      return fill(at_[action.to], init, rows, combination.size);
    const unsigned char *totals =
        regions::combine_blocks(combination, rows, blocks(), 1, partials_of(action), spare_);
    combination.finish(at_[action.to], totals, init, rows);
  }

  const Schedule &schedule_;
  const size_t size_;
  const std::vector<Operand> &operands_;
  const std::vector<Layout> &layouts_;
  const std::vector<unsigned char *> &results_;
  size_t block_ = 0, piece_ = 0; // elements
  std::vector<unsigned char *> at_, bases_; // of registers
  std::vector<uint32_t> block_registers_;
  std::unique_ptr<unsigned char[]> memory_;
  unsigned char *partials_ = nullptr, *spare_ = nullptr;
  size_t first_block_ = 0; // of the present piece
};

} // namespace

size_t product(const std::vector<size_t> &shape) {
  size_t result = 1;
  for (size_t extent : shape) {
    if (extent != 0 && result > most_elements / extent)
      throw ProgramError("a shape of a fused program must have at most " + std::to_string(most_elements) + " elements");
    result *= extent;
  }
  return result;
}

void Schedule::run(size_t size, const std::vector<std::vector<size_t>> &shapes, const std::vector<Operand> &operands,
                  const std::vector<unsigned char *> &results, size_t threads) const {
  if (has_rows ? rows == 0 : size == 0)
    return;
  std::vector<Layout> layouts;
  for (size_t i = 0; i < inputs.size(); ++i)
    layouts.push_back(layout_of(shapes[i], operands[i], input_sizes[i]));
  const size_t units = Worker::units(*this, size);
  size_t count = std::clamp<size_t>(size / least_part * work + size % least_part * work / least_part, 1,
                                    std::max<size_t>(threads, 1));
  count = std::min(count, units);
  std::vector<Worker> workers;
  workers.reserve(count);
  for (size_t i = 0; i < count; ++i)
    workers.emplace_back(*this, size, operands, layouts, results);
  const size_t part = std::clamp<size_t>(units / (count * parts_per_thread), 1, most_blocks);
  std::atomic<size_t> next{0};
  in_parallel(count, count, [&](size_t i) {
    size_t start = next.fetch_add(part);
    if (start < units)
      workers[i].prepare();
    for (; start < units && !should_stop(); start = next.fetch_add(part))
      for (size_t unit = start; unit < std::min(units, start + part); ++unit)
        workers[i].run(unit);
  });
}

} // namespace hlokit::vm::fused

namespace hlokit::vm {

FusedProgram::~FusedProgram() = default;

const std::vector<Input> &FusedProgram::inputs() const { return schedule_->inputs; }
const std::vector<size_t> &FusedProgram::input_sizes() const { return schedule_->input_sizes; }
const std::vector<size_t> &FusedProgram::output_sizes() const { return schedule_->output_sizes; }
const std::vector<size_t> &FusedProgram::output_counts() const { return schedule_->output_counts; }

void FusedProgram::run(const std::vector<Operand> &operands, const std::vector<unsigned char *> &results,
                size_t threads) const {
  std::vector<std::vector<size_t>> shapes;
  for (const Input &input : schedule_->inputs)
    shapes.push_back(input.shape);
  schedule_->run(schedule_->rows * schedule_->columns, shapes, operands, results, threads);
}

bool FusedProgram::is_dynamic() const { return schedule_->is_dynamic; }

void FusedProgram::run_dynamic(const std::vector<size_t> &shape, const std::vector<Operand> &operands,
                     const std::vector<unsigned char *> &results, size_t threads) const {
  std::vector<std::vector<size_t>> shapes;
  for (const Input &input : schedule_->inputs)
    shapes.push_back(input.level == Level::one ? input.shape : shape);
  schedule_->run(fused::product(shape), shapes, operands, results, threads);
}

} // namespace hlokit::vm
