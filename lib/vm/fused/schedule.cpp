// Verifies a fused program, and schedules it: phases and actions.
#include "vm/fused/schedule.h"

#include <algorithm>
#include <map>
#include <string>

#include "vm/fields.h"
#include "vm/fused/graph.h"
#include "vm/verifier.h"

namespace hlokit::vm {
namespace {

using fused::Action;
using fused::Graph;
using fused::Node;
using fused::Storage;
using fused::product;
using fused::Schedule;

class Scheduler {
public:
  Scheduler(const Types &types, const Rows &rows, bool is_dynamic)
      : definitions_(types), graph_(types), table_sizes_(types.size(), 0) {
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
  }

  void add_input(const Input &input) {
    definitions_.add(input.index);
    if (schedule_.is_dynamic && input.level == Level::row)
      throw ProgramError("operands of one shape must be arrays or one value");
    if (input.is_table)
      return add_table(input);
    size_t count = input.level == Level::full ? size_ : input.level == Level::row ? schedule_.rows : 1;
    if ((!schedule_.is_dynamic || count == 1) && product(input.shape) != count)
      throw ProgramError("the shape of an input must have as many elements as its level");
    graph_.levels[input.index] = input.level;
    schedule_.has_rows = schedule_.has_rows || input.level == Level::row;
    schedule_.input_sizes.push_back(graph_.sizes[input.index]);
    schedule_.inputs.push_back(input);
  }

  void add(const Instruction &instruction) {
    Node node = node_of(instruction);
    Level level = node.kind == Action::Kind::broadcast ? Level::full : Level::one;
    size_t phase = 0;
    for (uint32_t operand : node.operands) {
      level = std::max(level, graph_.levels[operand]);
      phase = std::max(phase, graph_.phases[operand]);
    }
    if (node.kind == Action::Kind::reduce) {
      if (graph_.levels[node.operands[0]] != Level::full || graph_.levels[node.operands[1]] != Level::one || schedule_.is_dynamic)
        throw ProgramError("a reduction must have an array, whose shape is known, and an initial value");
      level = Level::row;
      ++phase;
      schedule_.has_rows = true;
    }
    phase_count_ = std::max(phase_count_, phase + 1);
    graph_.add(std::move(node), level, phase);
  }

  Schedule scheduled(const std::vector<uint32_t> &outputs) {
    schedule_.registers.resize(graph_.types.size());
    std::vector<bool> is_output(graph_.types.size(), false);
    for (uint32_t output : outputs) {
      check_register(graph_.types, output);
      if (is_output[output] || graph_.writers[output] == Graph::none || graph_.levels[output] == Level::one)
        throw ProgramError("an output must be computed of arrays, and be given once");
      is_output[output] = true;
      schedule_.registers[output].storage = Storage::output;
      schedule_.registers[output].index = static_cast<uint32_t>(graph_.outputs.size());
      graph_.outputs.push_back(output);
      schedule_.output_sizes.push_back(graph_.sizes[output]);
      schedule_.output_counts.push_back(graph_.levels[output] == Level::full ? size_ : schedule_.rows);
    }
    schedule_.outputs = graph_.outputs;
    fused::combine(graph_, schedule_.columns);
    write_actions();
    complete_phases();
    allocate_storage(schedule_, graph_.levels, graph_.sizes);
    return std::move(schedule_);
  }

private:
  void add_table(const Input &input) {
    if (input.level != Level::one || schedule_.is_dynamic)
      throw ProgramError("a table must have the level of one value, in a program whose shape is known");
    table_sizes_[input.index] = product(input.shape);
    if (table_sizes_[input.index] == 0)
      throw ProgramError("a table must have elements");
    schedule_.input_sizes.push_back(graph_.sizes[input.index]);
    schedule_.inputs.push_back(input);
  }

  Node node_of(const Instruction &instruction) {
    Node node{};
    node.operands.assign(instruction.operands.begin(), instruction.operands.end());
    if (instruction.opcode >= 0) {
      node.kind = Action::Kind::sweep;
      node.operation = &definitions_.add(instruction);
      node.kernel = &kernel_of(instruction.opcode);
      node.to = instruction.results[0];
      check_values(node.operands);
      return node;
    }
    if (instruction.opcode == gather)
      return gather_of(read_fields<fields::Gather>(instruction));
    if (instruction.opcode == broadcast) {
      node.kind = Action::Kind::broadcast;
      node.to = read_fields<fields::Broadcast>(instruction).to;
    } else if (instruction.opcode == reduce_rows) {
      const auto fields = read_fields<fields::RowReduction>(instruction);
      node.kind = Action::Kind::reduce;
      node.to = fields.to;
      node.combination = node.of_operand = &check_combination(graph_.types, fields.operation, fields.to);
    } else {
      throw ProgramError("there is no operation " + std::to_string(instruction.opcode) + " in a fused program");
    }
    for (uint32_t operand : node.operands) {
      definitions_.check_use(operand);
      check_type(graph_.types, node.to, graph_.types[operand]);
    }
    check_values(node.operands);
    definitions_.add(node.to);
    return node;
  }

  Node gather_of(const fields::Gather &fields) {
    Node node{};
    node.kind = Action::Kind::gather;
    node.to = fields.to;
    node.operands.assign(fields.indices.registers.begin(), fields.indices.registers.end());
    if (node.operands.empty() || node.operands.size() > fused::most_components || fields.axes.size() != node.operands.size())
      throw ProgramError("a gather must have a register of indices and an axis for each component, up to " +
                         std::to_string(fused::most_components));
    for (uint32_t operand : node.operands)
      definitions_.check_use(operand);
    check_values(node.operands);
    const ElementType type = graph_.types[node.operands[0]];
    for (uint32_t operand : node.operands)
      check_type(graph_.types, operand, type);
    definitions_.check_use(fields.table);
    check_type(graph_.types, node.to, graph_.types[fields.table]);
    definitions_.add(node.to);
    regions::IndexVectors vectors{type, 0, {}};
    for (const fields::GatherAxis &axis : fields.axes) {
      if (axis.extent == 0)
        throw ProgramError("the axes of a gather must have elements");
      vectors.components.push_back({axis.extent, axis.step, nullptr, static_cast<ptrdiff_t>(size_of(type))});
    }
    if (table_sizes_[fields.table] == 0 || !is_integer(type) || type == ElementType::i1)
      throw ProgramError("a gather must read a table at integers");
    try {
      vectors.check(table_sizes_[fields.table]);
    } catch (const std::invalid_argument &error) {
      throw ProgramError(error.what());
    }
    node.components = std::move(vectors.components);
    node.operands.insert(node.operands.begin(), fields.table);
    return node;
  }

  // Only gathers read tables.
  void check_values(const std::vector<uint32_t> &operands) const {
    for (uint32_t operand : operands)
      if (table_sizes_[operand] != 0)
        throw ProgramError("register " + std::to_string(operand) + " is a table");
  }

  // Actions ---------------------------------------------------------------------------------------------

  uint32_t new_register(uint32_t like, Level level, size_t phase) {
    graph_.levels.push_back(level);
    graph_.phases.push_back(phase);
    graph_.sizes.push_back(graph_.sizes[like]);
    schedule_.registers.push_back({});
    return static_cast<uint32_t>(graph_.levels.size() - 1);
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
      bool is_one = graph_.levels[operand] == Level::one;
      found = new_register(operand, level, is_one ? 0 : graph_.phases[operand]);
      if (is_one)
        schedule_.fills.push_back(broadcasting(found, operand));
      else if (schedule_.inner > 1)
        repeats_[found] = broadcasting(found, operand);
      else
        actions_at(graph_.phases[operand], level).push_back(broadcasting(found, operand));
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
    const uint32_t writer = graph_.writers[operand];
    const bool is_repeated = writer != Graph::none && graph_.nodes[writer].kind == Action::Kind::broadcast && !is_output(operand);
    return is_repeated ? repeated(graph_.nodes[writer].operands[0]) : operand;
  }
  bool is_output(uint32_t index) const { return schedule_.registers[index].storage == Storage::output; }

  void write_actions() {
    schedule_.phases.resize(phase_count_);
    for (Node &node : graph_.nodes) {
      if (node.is_gone || (node.kind == Action::Kind::broadcast && !is_output(node.to)))
        continue;
      for (uint32_t &operand : node.operands)
        operand = repeated(operand);
      Action action{};
      action.kind = node.kind;
      action.to = node.to;
      action.operand_count = static_cast<uint8_t>(node.operands.size());
      std::copy(node.operands.begin(), node.operands.end(), action.operands);
      Level level = graph_.levels[node.to];
      size_t phase = graph_.phases[node.to];
      if (node.kind == Action::Kind::reduce) {
        action.combination = node.combination;
        action.of_operand = node.of_operand;
        if (graph_.levels[action.operands[0]] != Level::full)
          action.operands[0] = broadcast_to(Level::full, action.operands[0]);
        schedule_.phases[phase - 1].actions.push_back(action);
        schedule_.work += 2;
        continue;
      }
      if (node.kind == Action::Kind::gather)
        add_gather(action, node, level);
      else if (node.kind != Action::Kind::broadcast)
        choose_sweep(action, node, level);
      else if (schedule_.inner > 1 && graph_.levels[action.operands[0]] == Level::row)
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
      std::vector<bool> is_repeated(graph_.levels.size(), false);
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

  void add_gather(Action &action, const Node &node, Level level) {
    action.gather = static_cast<uint32_t>(schedule_.gathers.size());
    schedule_.gathers.push_back({graph_.types[node.operands[1]], 0, node.components});
    for (size_t i = 1; i < action.operand_count; ++i)
      if (graph_.levels[action.operands[i]] < level)
        action.operands[i] = broadcast_to(level, action.operands[i]);
  }

  // Chooses how to read operands of lower levels: as one element for all, for the whole piece or row by row, or broadcast
  // to a buffer.
  void choose_sweep(Action &action, const Node &node, Level level) {
    unsigned ones = 0;
    for (size_t i = 0; i < action.operand_count; ++i)
      if (graph_.levels[action.operands[i]] < level &&
          (graph_.levels[action.operands[i]] == Level::one || (schedule_.inner == 1 && schedule_.columns >= fused::least_columns)))
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
      if (!is_one && graph_.levels[action.operands[i]] < level)
        action.operands[i] = broadcast_to(level, action.operands[i]);
      action.by_rows = action.by_rows || (is_one && graph_.levels[action.operands[i]] == Level::row);
    }
  }

  Definitions definitions_;
  Graph graph_;
  Schedule schedule_{};
  size_t size_ = 0, phase_count_ = 1;
  std::vector<size_t> table_sizes_; // elements, by register; 0 for all that are no tables
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
