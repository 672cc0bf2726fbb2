// Runs fused programs whose rows are not contiguous: reductions of leading or middle dimensions. The elements of `inner` rows,
// a slice, are contiguous, and computed phase by phase. A value for each row is repeated for a piece of a slice, once in
// each phase. The lanes of sums lie side by side as the elements do, so that a piece is added to them where it is.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "support/should_stop.h"
#include "support/threads.h"
#include "vm/fused/schedule.h"
#include "vm/fused/worker.h"

namespace hlokit::vm::fused {
namespace {

// What workers share while they compute some slices.
class Slices {
public:
  Slices(const Schedule &schedule, size_t count)
      : count(count), elements(schedule.columns * schedule.inner), blocks((schedule.columns + sum_block - 1) / sum_block),
        schedule_(schedule), offsets_(schedule.registers.size(), SIZE_MAX) {
    for (size_t i = 0; i < offsets_.size(); ++i) {
      const Register &each = schedule.registers[i];
      if (each.storage == Storage::block || each.storage == Storage::row)
        offsets_[i] = memory_.reserve(each.size * count * (each.storage == Storage::row ? schedule.inner : elements));
    }
    partials_ = memory_.reserve(most_partial * schedule.reduction_count * count * blocks * schedule.inner);
    memory_.allocate();
  }

  bool has(uint32_t index) const { return offsets_[index] != SIZE_MAX; }
  // The value of a register at `place`, an element or a row, of all slices.
  unsigned char *at(uint32_t index, size_t place) const {
    const Register &each = schedule_.registers[index];
    const size_t start = first * (each.storage == Storage::row ? schedule_.inner : elements);
    return memory_.at(offsets_[index]) + (place - start) * each.size;
  }
  // The partial results of a reduction of a slice: [blocks, inner].
  unsigned char *partials(const Action &action, size_t slice) const {
    return memory_.at(partials_) + most_partial * (action.reduction * count + slice - first) * blocks * schedule_.inner;
  }

  size_t first = 0;
  const size_t count, elements, blocks;

private:
  const Schedule &schedule_;
  Memory memory_;
  std::vector<size_t> offsets_;
  size_t partials_ = 0;
};

// The elements of a block of sums that a worker computes: of each round of the lanes, those from `first` to `last`.
struct Share {
  size_t first, last, round;
};

class SliceWorker : Worker {
public:
  explicit SliceWorker(const Run &run)
      : Worker(run, std::min(run.schedule.piece, run.schedule.columns * run.schedule.inner), run.schedule.inner),
        period_(schedule_.inner * schedule_.run_length), lane_elements_(sum_lanes * schedule_.inner) {
    size_t most = 0;
    for (const Phase &phase : schedule_.phases)
      most = std::max(most, phase.reduction_count);
    const size_t blocks = (schedule_.columns + sum_block - 1) / sum_block;
    const size_t lanes = memory_.reserve(most_partial * lane_elements_ * most);
    const size_t spare = memory_.reserve(most_partial * std::max(period_, (blocks + 1) / 2 * schedule_.inner));
    allocate();
    lanes_ = memory_.at(lanes);
    spare_ = memory_.at(spare);
    prepare_values();
  }

  // Begins a phase of a slice: makes its rows readable, and computes those of this phase if `computes` is set.
  void begin(const Phase &phase, const Slices &slices, size_t slice, bool computes) {
    const size_t row = slice * schedule_.inner;
    read_rows(row, schedule_.inner);
    move_results(Level::row, row);
    for (uint32_t i = 0; i < at_.size(); ++i)
      if (schedule_.registers[i].storage == Storage::row)
        at_[i] = slices.at(i, row);
    if (computes)
      for (const Action &action : phase.of_rows)
        action.kind == Action::Kind::broadcast ? repeat_one(action, schedule_.inner) : sweep(action, schedule_.inner);
    else
      for (const Action &action : phase.repeats)
        repeat_rows(action);
    slice_ = computes ? SIZE_MAX : slice;
    phase_ = &phase;
  }

  // Computes a share of `count` elements of a slice from `start` on: a block of sums, if the phase has reductions. Combines
  // them with the lanes of `owner`.
  void run(const Phase &phase, const Slices &slices, size_t slice, size_t start, size_t count, const Share &share,
           const SliceWorker &owner) {
    if (slice != slice_ || &phase != phase_)
      begin(phase, slices, slice, false);
    const size_t origin = slice * slices.elements + start;
    for (size_t round = 0; round < count; round += share.round) {
      const size_t last = std::min(round + share.last, count);
      for (size_t offset = round + share.first; offset < last; offset += piece_) {
        const size_t length = std::min(piece_, last - offset), place = origin + offset;
        move_results(Level::full, place);
        for (uint32_t i = 0; i < at_.size(); ++i)
          if (schedule_.registers[i].storage == Storage::block)
            at_[i] = slices.at(i, place);
        for (uint32_t input : phase.inputs)
          read(input, place, length);
        for (const Action &action : phase.actions)
          run(phase, action, offset, length, owner);
      }
    }
  }

  // The partial results of a block of sums, from the lanes.
  void fold_lanes(const Phase &phase, const Slices &slices, size_t slice, size_t start, size_t count) const {
    const size_t block = start / (sum_block * schedule_.inner);
    for (const Action &action : phase.actions)
      if (action.kind == Action::Kind::reduce)
        fold(*action.combination, slices.partials(action, slice) + block * schedule_.inner * action.combination->partial_size,
             lanes_of(phase, action), std::min(count, lane_elements_) / period_);
  }

  // The shares of a block: one has a piece of each round, which begins where the values of rows do.
  size_t shares() const {
    const size_t periods = std::max<size_t>(piece_ / period_, 1);
    return (lane_elements_ / period_ + periods - 1) / periods;
  }
  Share share_of(size_t i) const {
    const size_t periods = lane_elements_ / period_;
    return {periods * i / shares() * period_, periods * (i + 1) / shares() * period_, lane_elements_};
  }

  void finish(const Phase &phase, const Slices &slices, size_t slice) {
    begin(phase, slices, slice, false);
    for (const Action &action : phase.actions) {
      if (action.kind != Action::Kind::reduce)
        continue;
      const regions::Combination &combination = *action.combination;
      const unsigned char *totals = regions::combine_blocks(combination, 1, slices.blocks, schedule_.inner,
                                                            slices.partials(action, slice), spare_);
      combination.finish(at_[action.to], totals, at_[action.operands[1]], schedule_.inner);
    }
  }

private:
  unsigned char *lanes_of(const Phase &phase, const Action &action) const {
    return lanes_ + most_partial * lane_elements_ * (action.reduction - phase.first_reduction);
  }

  // Repeats the values of rows as elements of the rows follow each other.
  void repeat_rows(const Action &action) {
    const size_t size = schedule_.registers[action.to].size, bytes = piece_ * size;
    unsigned char *to = at_[action.to];
    for (size_t row = 0; row < schedule_.inner; ++row)
      fill(to + row * schedule_.run_length * size, at_[action.operands[0]] + row * size, schedule_.run_length, size);
    for (size_t done = period_ * size; done < bytes; done *= 2)
      std::memcpy(to + done, to, std::min(done, bytes - done));
  }

  // `offset`: of the piece in its block.
  void run(const Phase &phase, const Action &action, size_t offset, size_t count, const SliceWorker &owner) {
    if (action.kind == Action::Kind::reduce)
      accumulate(*action.of_operand, owner.lanes_of(phase, action), at_[action.operands[0]], offset, count);
    else if (action.kind != Action::Kind::broadcast)
      sweep(action, count);
    else if (schedule_.registers[action.operands[0]].level == Level::one)
      repeat_one(action, count);
    else
      std::memcpy(at_[action.to], at_[action.operands[0]], count * schedule_.registers[action.to].size);
  }

  // Combines a piece with the lanes, element by element: they begin again after `lane_elements_`.
  void accumulate(const regions::Combination &combination, unsigned char *lanes, const unsigned char *from, size_t offset,
                  size_t count) const {
    while (count > 0) {
      const size_t place = offset % lane_elements_, width = std::min(count, lane_elements_ - place);
      const size_t rows = offset < lane_elements_ ? 1 : count / width;
      unsigned char *to = lanes + place * combination.partial_size;
      if (offset < lane_elements_)
        combination.reduce(to, from, {1, 0, 1, width, width});
      else
        combination.accumulate(to, from, place == 0 ? rows : 1, width);
      const size_t done = (place == 0 ? rows : 1) * width;
      offset += done;
      from += done * combination.size;
      count -= done;
    }
  }

  // Combines lanes in the order of a sum: first those that `times` elements of a row, `period_` apart, were added to.
  void fold(const regions::Combination &combination, unsigned char *to, unsigned char *lanes, size_t times) const {
    unsigned char *const row = schedule_.run_length > 1 ? spare_ : to;
    combination.reduce_partials(row, lanes, {1, 0, times, period_, period_});
    if (schedule_.run_length > 1)
      combination.reduce_partials(to, row, {schedule_.inner, schedule_.run_length, schedule_.run_length, 1, 1});
  }

  const size_t period_, lane_elements_;
  unsigned char *lanes_ = nullptr, *spare_ = nullptr;
  size_t slice_ = SIZE_MAX; // of the present phase
  const Phase *phase_ = nullptr;
};

// Computes all phases of some slices.
void run_slices(const Schedule &schedule, const Slices &slices, SliceWorker *workers, size_t threads) {
  for (const Phase &phase : schedule.phases) {
    for (size_t slice = slices.first; slice < slices.first + slices.count; ++slice)
      workers[0].begin(phase, slices, slice, true);
    const size_t part = phase.reduction_count ? sum_block * schedule.inner : schedule.piece;
    const size_t parts = (slices.elements + part - 1) / part, units = slices.count * parts;
    const auto compute = [&](size_t unit, const auto &run) {
      const size_t start = unit % parts * part;
      run(slices.first + unit / parts, start, std::min(part, slices.elements - start));
    };
    const auto in_turns = [&](size_t count, const auto &run) {
      std::atomic<size_t> next{0};
      in_parallel(threads, threads, [&](size_t i) {
        for (size_t turn = next.fetch_add(1); turn < count && !should_stop(); turn = next.fetch_add(1))
          run(turn, workers[i]);
      });
    };
    // Workers share each block of sums if there are fewer blocks than workers.
    if (phase.reduction_count && units < threads)
      for (size_t unit = 0; unit < units; ++unit)
        compute(unit, [&](size_t slice, size_t start, size_t count) {
          in_turns(workers[0].shares(), [&](size_t share, SliceWorker &worker) {
            worker.run(phase, slices, slice, start, count, worker.share_of(share), workers[0]);
          });
          workers[0].fold_lanes(phase, slices, slice, start, count);
        });
    else
      in_turns(units, [&](size_t unit, SliceWorker &worker) {
        compute(unit, [&](size_t slice, size_t start, size_t count) {
          worker.run(phase, slices, slice, start, count, {0, count, count}, worker);
          worker.fold_lanes(phase, slices, slice, start, count);
        });
      });
    if (phase.reduction_count)
      for (size_t slice = slices.first; slice < slices.first + slices.count; ++slice)
        workers[0].finish(phase, slices, slice);
  }
}

} // namespace

void run_interleaved(const Run &run, size_t threads) {
  const Schedule &schedule = run.schedule;
  const size_t count = schedule.rows / schedule.inner;
  std::vector<SliceWorker> workers;
  workers.reserve(threads);
  for (size_t i = 0; i < threads; ++i)
    workers.emplace_back(run);
  if (count < threads)
    return run_slices(schedule, Slices(schedule, count), workers.data(), threads);
  // Several slices at a time, so that each stays in the cache.
  std::vector<Slices> slices;
  slices.reserve(threads);
  for (size_t i = 0; i < threads; ++i)
    slices.emplace_back(schedule, 1);
  std::atomic<size_t> next{0};
  in_parallel(threads, threads, [&](size_t i) {
    for (size_t slice = next.fetch_add(1); slice < count && !should_stop(); slice = next.fetch_add(1)) {
      slices[i].first = slice;
      run_slices(schedule, slices[i], &workers[i], 1);
    }
  });
}

} // namespace hlokit::vm::fused
