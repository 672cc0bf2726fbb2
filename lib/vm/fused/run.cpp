// Runs fused programs: piece by piece, on several threads.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>

#include "support/should_stop.h"
#include "support/threads.h"
#include "vm/fused/schedule.h"
#include "vm/fused/worker.h"

namespace hlokit::vm::fused {
namespace {

// Additions for which another thread pays: some 50 us.
constexpr size_t least_part = 1 << 19;
// Blocks that a thread takes at a time, at most, and parts per thread, so that all threads end at about the same time.
constexpr size_t most_blocks = 16, parts_per_thread = 8;

// Computes blocks of contiguous rows, or pieces of elements without rows.
class BlockWorker : Worker {
public:
  explicit BlockWorker(const Run &run) : Worker(run, piece_of(run), run.schedule.block_rows), block_(block_of(run)) {
    std::vector<size_t> blocks, rows;
    for (uint8_t size : schedule_.block_sizes)
      blocks.push_back(memory_.reserve(size * block_));
    for (uint8_t size : schedule_.row_sizes)
      rows.push_back(memory_.reserve(size * schedule_.block_rows));
    for (size_t i = 0; i < offsets_.size(); ++i) {
      const Register &each = schedule_.registers[i];
      if (each.storage == Storage::block) {
        offsets_[i] = blocks[each.index];
        block_registers_.push_back(static_cast<uint32_t>(i));
      } else if (each.storage == Storage::row) {
        offsets_[i] = rows[each.index];
      }
    }
    const size_t partials = memory_.reserve(partial_bytes() * schedule_.reduction_count), spare = memory_.reserve(partial_bytes());
    allocate();
    partials_ = memory_.at(partials);
    spare_ = memory_.at(spare);
  }

  // Units of work are blocks of rows, or pieces if there are no rows.
  static size_t units(const Schedule &schedule, size_t size) {
    if (schedule.has_rows)
      return (schedule.rows + schedule.block_rows - 1) / schedule.block_rows;
    return (size + schedule.piece - 1) / schedule.piece;
  }

  void prepare() { prepare_values(); }

  void run(size_t unit) {
    if (schedule_.has_rows) {
      size_t row = unit * schedule_.block_rows, rows = std::min(schedule_.block_rows, schedule_.rows - row);
      block_of_rows(row, rows);
      return;
    }
    size_t start = unit * schedule_.piece;
    move_to(start, 0);
    run_piece(schedule_.phases[0], start, std::min(schedule_.piece, run_.size - start), 1);
  }

private:
  static size_t block_of(const Run &run) {
    const Schedule &schedule = run.schedule;
    return schedule.has_rows ? schedule.block_rows * schedule.columns : std::min(run.size, schedule.piece);
  }
  static size_t piece_of(const Run &run) {
    const bool is_part = run.schedule.has_rows && run.schedule.block_rows == 1;
    return is_part ? std::min(run.schedule.columns, run.schedule.piece) : block_of(run);
  }

  // Moves to the piece from `start` on, which is `offset` within the block.
  void move_to(size_t start, size_t offset) {
    move_results(Level::full, start);
    for (uint32_t index : block_registers_)
      at_[index] = bases_[index] + offset * schedule_.registers[index].size;
  }

  void block_of_rows(size_t row, size_t rows) {
    read_rows(row, rows);
    move_results(Level::row, row);
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
      schedule_.registers[action.operands[0]].level == Level::row ? repeat_rows(action, count, rows)
                                                               : repeat_one(action, count);
    else if (action.by_rows)
      sweep_rows(action, count / rows, rows);
    else
      sweep(action, count);
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

  void repeat_rows(const Action &action, size_t count, size_t rows) {
    const Sizes sizes{rows, count / rows};
    const StridedCopy copy(2, sizes, dense_strides(sizes, 2), Strides{1, 0}, schedule_.registers[action.to].size);
    copy.copy(at_[action.to], at_[action.operands[0]]);
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

  const size_t block_; // elements
  std::vector<uint32_t> block_registers_;
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
  const Run run{*this, size, operands, layouts, results};
  size_t count = std::clamp<size_t>(size / least_part * work + size % least_part * work / least_part, 1,
                                    std::max<size_t>(threads, 1));
  if (has_rows && inner > 1)
    return run_interleaved(run, count);
  const size_t units = BlockWorker::units(*this, size);
  count = std::min(count, units);
  std::vector<BlockWorker> workers;
  workers.reserve(count);
  for (size_t i = 0; i < count; ++i)
    workers.emplace_back(run);
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
