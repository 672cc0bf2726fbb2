// Verifies a fused program, and schedules it: phases and actions.
#include "vm/fused/schedule.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "vm/verifier.h"

namespace hlokit::vm {
namespace {

using fused::Action;
using fused::Storage;
using fused::product;
using fused::Schedule;
using fused::Register;

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

// A checked instruction.
struct Node {
  Action::Kind kind;
  const Opcode *operation = nullptr;
  const Kernel *kernel = nullptr;
  const Pair *pair = nullptr;
  const regions::Combination *combination = nullptr, *of_operand = nullptr;
  uint32_t to = 0;
  std::vector<uint32_t> operands;
  bool is_gone = false; // fused into another node, or unused
};

class Scheduler {
public:
  Scheduler(const Types &types, const Rows &rows, bool is_dynamic)
      : types_(types), definitions_(types), levels_(types.size(), Level::one), phases_(types.size(), 0),
        writers_(types.size(), none) {
    schedule_.rows = rows.count;
    schedule_.columns = rows.columns;
    schedule_.is_dynamic = is_dynamic;
    size_ = product({rows.count, rows.columns});
    if (rows.inner != 1 && size_ > 0) {
      if (rows.inner == 0 || rows.inner > fused::most_inner || rows.count % rows.inner != 0 || rows.run == 0 ||
          rows.columns % rows.run != 0 || sum_lanes % rows.run != 0)
        throw ProgramError("the inner size of rows must divide their number, and a run their size and the lanes of a sum");
      schedule_.inner = rows.inner;
      schedule_.run_length = rows.run;
    }
    for (ElementType type : types)
      sizes_.push_back(static_cast<uint8_t>(size_of(type)));
  }

  void add_input(const Input &input) {
    definitions_.add(input.index);
    if (schedule_.is_dynamic && input.level == Level::row)
      throw ProgramError("operands of one shape must be arrays or one value");
    size_t count = input.level == Level::full ? size_ : input.level == Level::row ? schedule_.rows : 1;
    if ((!schedule_.is_dynamic || count == 1) && product(input.shape) != count)
      throw ProgramError("the shape of an input must have as many elements as its level");
    levels_[input.index] = input.level;
    schedule_.has_rows = schedule_.has_rows || input.level == Level::row;
    schedule_.input_sizes.push_back(sizes_[input.index]);
    schedule_.inputs.push_back(input);
  }

  void add(const Instruction &instruction) {
    Node node = node_of(instruction);
    Level level = node.kind == Action::Kind::broadcast ? Level::full : Level::one;
    size_t phase = 0;
    for (uint32_t operand : node.operands) {
      level = std::max(level, levels_[operand]);
      phase = std::max(phase, phases_[operand]);
    }
    if (node.kind == Action::Kind::reduce) {
      if (levels_[node.operands[0]] != Level::full || levels_[node.operands[1]] != Level::one || schedule_.is_dynamic)
        throw ProgramError("a reduction must have an array, whose shape is known, and an initial value");
      level = Level::row;
      ++phase;
      schedule_.has_rows = true;
    }
    levels_[node.to] = level;
    phases_[node.to] = phase;
    phase_count_ = std::max(phase_count_, phase + 1);
    writers_[node.to] = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  Schedule scheduled(const std::vector<uint32_t> &outputs) {
    std::vector<uint32_t> uses(types_.size(), 0);
    for (const Node &node : nodes_)
      for (uint32_t operand : node.operands)
        ++uses[operand];
    schedule_.registers.resize(types_.size());
    std::vector<bool> is_output(types_.size(), false);
    for (uint32_t output : outputs) {
      check_register(types_, output);
      if (is_output[output] || writers_[output] == none || levels_[output] == Level::one)
        throw ProgramError("an output must be computed of arrays, and be given once");
      is_output[output] = true;
      schedule_.registers[output].storage = Storage::output;
      schedule_.registers[output].index = static_cast<uint32_t>(schedule_.outputs.size());
      schedule_.outputs.push_back(output);
      schedule_.output_sizes.push_back(sizes_[output]);
      schedule_.output_counts.push_back(levels_[output] == Level::full ? size_ : schedule_.rows);
      ++uses[output];
    }
    pair_up(uses);
    widen_in_reductions(uses);
    drop_unused(uses);
    write_actions();
    complete_phases();
    allocate_storage(schedule_, levels_, sizes_);
    return std::move(schedule_);
  }

private:
  Node node_of(const Instruction &instruction) {
    Node node{};
    node.operands.assign(instruction.operands.begin(), instruction.operands.end());
    if (instruction.opcode >= 0) {
      node.kind = Action::Kind::sweep;
      node.operation = &definitions_.add(instruction);
      node.kernel = &kernel_of(instruction.opcode);
      node.to = instruction.results[0];
      return node;
    }
    if (instruction.opcode == broadcast) {
      node.kind = Action::Kind::broadcast;
      node.to = read_fields<fields::Broadcast>(instruction).to;
    } else if (instruction.opcode == reduce_rows) {
      const auto fields = read_fields<fields::RowReduction>(instruction);
      node.kind = Action::Kind::reduce;
      node.to = fields.to;
      node.combination = node.of_operand = &check_combination(types_, fields.operation, fields.to);
    } else {
      throw ProgramError("there is no operation " + std::to_string(instruction.opcode) + " in a fused program");
    }
    for (uint32_t operand : node.operands) {
      definitions_.check_use(operand);
      check_type(types_, node.to, types_[operand]);
    }
    definitions_.add(node.to);
    return node;
  }

  // Fused operations ------------------------------------------------------------------------------------

  // The node that computes an operand, if it has the same level and phase, and nothing else reads its result.
  Node *inner_of(const Node &node, size_t place, const std::vector<uint32_t> &uses) {
    uint32_t operand = node.operands[place];
    if (writers_[operand] == none || uses[operand] != 1 || levels_[operand] != levels_[node.to] ||
        phases_[operand] != phases_[node.to])
      return nullptr;
    Node &inner = nodes_[writers_[operand]];
    return inner.kind == Action::Kind::sweep && !inner.is_gone ? &inner : nullptr;
  }

  static bool is_named(const Node *node, const char *name) {
    return node && std::strcmp(node->operation->name, name) == 0;
  }

  void pair_up(const std::vector<uint32_t> &uses) {
    for (Node &node : nodes_) {
      if (node.kind != Action::Kind::sweep || node.is_gone || levels_[node.to] != Level::full)
        continue;
      for (size_t place = 0; place < node.operands.size() && node.kind == Action::Kind::sweep; ++place)
        if (Node *inner = inner_of(node, place, uses))
          make_pair(node, *inner, place);
      if (node.kind == Action::Kind::sweep && is_named(&node, "canonical_nan"))
        work_in_place(node, uses);
    }
  }

  // Lets the preceding operation write to the register of the result, if NaNs are rare.
  void work_in_place(Node &node, const std::vector<uint32_t> &uses) {
    const uint32_t operand = node.operands[0];
    if (writers_[operand] == none || uses[operand] != 1 || levels_[operand] != Level::full ||
        phases_[operand] != phases_[node.to])
      return;
    Node &before = nodes_[writers_[operand]];
    if (before.kind == Action::Kind::sweep || before.kind == Action::Kind::pair) {
      before.to = node.to;
      node.operands = {node.to};
    }
  }

  // Lets reductions of long rows read narrower floats that nothing else converts: the kernels of f32 widen them exactly.
  void widen_in_reductions(const std::vector<uint32_t> &uses) {
    for (Node &node : nodes_) {
      const uint32_t operand = node.operands[0];
      if (node.kind != Action::Kind::reduce || writers_[operand] == none || uses[operand] != 1 ||
          schedule_.columns < fused::short_columns)
        continue;
      const Node &inner = nodes_[writers_[operand]];
      if (inner.kind != Action::Kind::sweep || inner.is_gone || !is_named(&inner, "convert") ||
          levels_[inner.operands[0]] != Level::full || types_[operand] != ElementType::f32)
        continue;
      const ElementType narrow = types_[inner.operands[0]];
      if (narrow != ElementType::bf16 && narrow != ElementType::f16)
        continue;
      node.of_operand = regions::find_combination(node.combination->name, narrow);
      node.operands[0] = inner.operands[0];
    }
  }

  static void make_pair(Node &node, Node &inner, size_t place) {
    const Kernels &all = kernels();
    for (size_t i = 0; i < all.pair_count; ++i) {
      const Pair &pair = all.pairs[i];
      if (pair.place != place || pair.result != node.operation->result ||
          pair.operand != inner.operation->operands[inner.operation->arity - 1] ||
          std::strcmp(pair.inner, inner.operation->name) != 0 ||
          std::strcmp(pair.outer, node.operation->name) != 0)
        continue;
      std::vector<uint32_t> operands = inner.operands;
      for (size_t j = 0; j < node.operands.size(); ++j)
        if (j != place)
          operands.push_back(node.operands[j]);
      node.kind = Action::Kind::pair;
      node.pair = &pair;
      node.operands = std::move(operands);
      inner.is_gone = true;
      return;
    }
  }

  void drop_unused(std::vector<uint32_t> &uses) {
    std::fill(uses.begin(), uses.end(), 0);
    for (uint32_t output : schedule_.outputs)
      ++uses[output];
    for (size_t i = nodes_.size(); i-- > 0;) {
      nodes_[i].is_gone = nodes_[i].is_gone || uses[nodes_[i].to] == 0;
      if (!nodes_[i].is_gone)
        for (uint32_t operand : nodes_[i].operands)
          ++uses[operand];
    }
  }

  // Actions ---------------------------------------------------------------------------------------------

  uint32_t new_register(uint32_t like, Level level, size_t phase) {
    levels_.push_back(level);
    phases_.push_back(phase);
    sizes_.push_back(sizes_[like]);
    schedule_.registers.push_back({});
    return static_cast<uint32_t>(levels_.size() - 1);
  }

  Action broadcasting(uint32_t to, uint32_t operand) {
    Action action{};
    action.kind = Action::Kind::broadcast;
    action.operand_count = 1;
    action.to = to;
    action.operands[0] = operand;
    return action;
  }

  // The register of a level with the values of an operand of a lower level.
  uint32_t broadcast_to(Level level, uint32_t operand) {
    uint32_t &found = broadcasts_[{operand, level}];
    if (found == 0) {
      bool is_one = levels_[operand] == Level::one;
      found = new_register(operand, level, is_one ? 0 : phases_[operand]);
      if (is_one)
        schedule_.fills.push_back(broadcasting(found, operand));
      else if (schedule_.inner > 1)
        repeats_[found] = broadcasting(found, operand);
      else
        actions_at(phases_[operand], level).push_back(broadcasting(found, operand));
    }
    return found;
  }

  std::vector<Action> &actions_at(size_t phase, Level level) {
    if (level == Level::one)
      return schedule_.of_ones;
    return level == Level::row ? schedule_.phases[phase].of_rows : schedule_.phases[phase].actions;
  }

  // The value that a broadcast repeats: operations read it instead, unless the broadcast is an output.
  uint32_t repeated(uint32_t operand) const {
    const uint32_t writer = writers_[operand];
    const bool is_repeated = writer != none && nodes_[writer].kind == Action::Kind::broadcast && !is_output(operand);
    return is_repeated ? repeated(nodes_[writer].operands[0]) : operand;
  }
  bool is_output(uint32_t index) const { return schedule_.registers[index].storage == Storage::output; }

  void write_actions() {
    schedule_.phases.resize(phase_count_);
    for (Node &node : nodes_) {
      if (node.is_gone || (node.kind == Action::Kind::broadcast && !is_output(node.to)))
        continue;
      for (uint32_t &operand : node.operands)
        operand = repeated(operand);
      Action action{};
      action.kind = node.kind;
      action.to = node.to;
      action.operand_count = static_cast<uint8_t>(node.operands.size());
      std::copy(node.operands.begin(), node.operands.end(), action.operands);
      Level level = levels_[node.to];
      size_t phase = phases_[node.to];
      if (node.kind == Action::Kind::reduce) {
        action.combination = node.combination;
        action.of_operand = node.of_operand;
        if (levels_[action.operands[0]] != Level::full)
          action.operands[0] = broadcast_to(Level::full, action.operands[0]);
        schedule_.phases[phase - 1].actions.push_back(action);
        schedule_.work += 2;
        continue;
      }
      if (node.kind != Action::Kind::broadcast)
        choose_sweep(action, node, level);
      else if (schedule_.inner > 1 && levels_[action.operands[0]] == Level::row)
        action.operands[0] = broadcast_to(Level::full, action.operands[0]);
      actions_at(phase, level).push_back(action);
      if (level == Level::full)
        schedule_.work += node.operation ? node.operation->cost : 1;
    }
  }

  // Numbers the reductions phase by phase, and collects the repeated values that each phase reads.
  void complete_phases() {
    for (fused::Phase &phase : schedule_.phases) {
      phase.first_reduction = schedule_.reduction_count;
      std::vector<bool> is_repeated(levels_.size(), false);
      for (Action &action : phase.actions) {
        if (action.kind == Action::Kind::reduce)
          action.reduction = static_cast<uint32_t>(schedule_.reduction_count++);
        for (size_t i = 0; i < action.operand_count; ++i) {
          const auto repeat = repeats_.find(action.operands[i]);
          if (repeat != repeats_.end() && !is_repeated[action.operands[i]])
            phase.repeats.push_back(repeat->second);
          is_repeated[action.operands[i]] = true;
        }
      }
      phase.reduction_count = schedule_.reduction_count - phase.first_reduction;
    }
  }

  // Chooses how to read operands of lower levels: as one element for all, for the whole piece or row by row, or broadcast
  // to a buffer.
  void choose_sweep(Action &action, const Node &node, Level level) {
    unsigned ones = 0;
    for (size_t i = 0; i < action.operand_count; ++i)
      if (levels_[action.operands[i]] < level &&
          (levels_[action.operands[i]] == Level::one || (schedule_.inner == 1 && schedule_.columns >= fused::least_columns)))
        ones |= 1U << i;
    if (level == Level::one)
      ones = 0;
    unsigned best = 0;
    if (node.kind == Action::Kind::pair) {
      for (unsigned set = 0; set < 16; ++set)
        if (node.pair->sweeps[set] && (set & ones) == set && set > best)
          best = set;
      action.pair = node.pair->sweeps[best];
    } else {
      action.sweep = node.kernel->sweep;
      for (const BroadcastSweep &each : node.kernel->broadcasts)
        if (each.sweep && (each.ones & ones) == each.ones && each.ones > best) {
          best = each.ones;
          action.sweep = each.sweep;
        }
    }
    for (size_t i = 0; i < action.operand_count; ++i) {
      bool is_one = (best >> i & 1) != 0;
      if (!is_one && levels_[action.operands[i]] < level)
        action.operands[i] = broadcast_to(level, action.operands[i]);
      action.by_rows = action.by_rows || (is_one && levels_[action.operands[i]] == Level::row);
    }
  }

  const Types &types_;
  Definitions definitions_;
  Schedule schedule_{};
  size_t size_ = 0, phase_count_ = 1;
  std::vector<Level> levels_;
  std::vector<size_t> phases_;
  std::vector<uint8_t> sizes_;
  std::vector<uint32_t> writers_; // the node that writes each register
  std::vector<Node> nodes_;
  std::map<std::pair<uint32_t, Level>, uint32_t> broadcasts_; // operand and level -> register with its values
  std::map<uint32_t, Action> repeats_; // of values of rows that are not contiguous, by their results
};

} // namespace

FusedProgram::FusedProgram(const Types &types, const std::vector<Instruction> &program,
                           const std::vector<Input> &inputs, const std::vector<uint32_t> &outputs, const Rows &rows,
                           bool is_dynamic) {
  Scheduler scheduler(types, rows, is_dynamic);
  for (const Input &input : inputs)
    scheduler.add_input(input);
  for (const Instruction &instruction : program)
    scheduler.add(instruction);
  schedule_ = std::make_unique<const Schedule>(scheduler.scheduled(outputs));
}

} // namespace hlokit::vm
