// How the program of a chain is checked and arranged. See vm_chain.h for what comes out.
#include "vm_chain.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "vm_checks.h"

namespace hlokit::vm {
namespace {

using chain::Move;
using chain::most_elements;
using chain::Place;
using chain::product;
using chain::Program;
using chain::Register;

// What is in use at a time should fit into the first cache; pieces of few elements cost more to direct.
constexpr size_t cache_bytes = 40 << 10, least_piece = 512, most_piece = 4096;
// Of operands and results that take as long as an addition in the cache.
constexpr size_t bytes_an_addition = 4;
constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

const Reduction &reduction_of(int number) {
  auto index = static_cast<size_t>(first_reduction - number);
  if (number > first_reduction || index >= all_operations().reduction_count)
    throw ProgramError("there is no reduction " + std::to_string(number));
  return all_operations().reductions[index];
}

// A source that was checked.
struct Node {
  Move::Kind kind;
  const Operation *operation = nullptr;
  const Pair *pair = nullptr;
  const Reduction *reduction = nullptr;
  uint32_t to = 0;
  std::vector<uint32_t> operands;
  bool is_gone = false; // done within another one
};

class Arranger {
public:
  Arranger(const std::vector<Type> &types, size_t rows, size_t columns, bool is_free)
      : types_(types), levels_(types.size(), Level::one), phases_(types.size(), 0),
        writers_(types.size(), none), is_known_(types.size(), false) {
    program_.rows = rows;
    program_.columns = columns;
    program_.is_free = is_free;
    size_ = product({rows, columns});
    for (Type type : types)
      sizes_.push_back(static_cast<uint8_t>(size_of(type)));
  }

  void add_input(const Input &input) {
    check_register(types_, input.index);
    if (is_known_[input.index])
      throw ProgramError("an input must be given once");
    if (program_.is_free && input.level == Level::row)
      throw ProgramError("operands of one shape must be arrays or one value");
    size_t count = input.level == Level::full ? size_ : input.level == Level::row ? program_.rows : 1;
    if ((!program_.is_free || count == 1) && product(input.shape) != count)
      throw ProgramError("the shape of an input must have as many elements as its level");
    is_known_[input.index] = true;
    levels_[input.index] = input.level;
    program_.has_rows = program_.has_rows || input.level == Level::row;
    program_.input_sizes.push_back(sizes_[input.index]);
    program_.inputs.push_back(input);
  }

  void add(const Source &source) {
    Node node = checked(source);
    Level level = node.kind == Move::Kind::spread ? Level::full : Level::one;
    size_t phase = 0;
    for (uint32_t operand : node.operands) {
      if (!is_known_[operand])
        throw ProgramError("a register must be written before it is read");
      level = std::max(level, levels_[operand]);
      phase = std::max(phase, phases_[operand]);
    }
    if (is_known_[node.to])
      throw ProgramError("a register must be written once");
    if (node.kind == Move::Kind::reduce) {
      if (levels_[node.operands[0]] != Level::full || levels_[node.operands[1]] != Level::one || program_.is_free)
        throw ProgramError("a reduction must have an array, whose shape is known, and an initial value");
      level = Level::row;
      ++phase;
      program_.has_rows = true;
    }
    levels_[node.to] = level;
    phases_[node.to] = phase;
    phase_count_ = std::max(phase_count_, phase + 1);
    is_known_[node.to] = true;
    writers_[node.to] = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
  }

  Program arranged(const std::vector<uint32_t> &outputs) {
    std::vector<uint32_t> uses(types_.size(), 0);
    for (const Node &node : nodes_)
      for (uint32_t operand : node.operands)
        ++uses[operand];
    program_.registers.resize(types_.size());
    std::vector<bool> is_output(types_.size(), false);
    for (uint32_t output : outputs) {
      check_register(types_, output);
      if (is_output[output] || writers_[output] == none || levels_[output] == Level::one)
        throw ProgramError("an output must be computed of arrays, and be given once");
      is_output[output] = true;
      program_.registers[output].place = Place::output;
      program_.registers[output].index = static_cast<uint32_t>(program_.outputs.size());
      program_.outputs.push_back(output);
      program_.output_sizes.push_back(sizes_[output]);
      program_.output_counts.push_back(levels_[output] == Level::full ? size_ : program_.rows);
      ++uses[output];
    }
    pair_up(uses);
    drop_unused(uses);
    write_moves();
    place_registers();
    choose_pieces();
    return std::move(program_);
  }

private:
  Node checked(const Source &source) const {
    Node node{};
    node.to = source.to;
    if (source.operation == spread) {
      node.kind = Move::Kind::spread;
      check_register(types_, source.a);
      check_type(types_, source.to, types_[source.a]);
      node.operands = {source.a};
    } else if (source.operation < 0) {
      node.kind = Move::Kind::reduce;
      node.reduction = &reduction_of(source.operation);
      for (uint32_t each : {source.a, source.b, source.to})
        check_type(types_, each, node.reduction->type);
      node.operands = {source.a, source.b};
    } else {
      node.kind = Move::Kind::sweep;
      node.operation = &check_operation(types_, source);
      const uint32_t operands[] = {source.a, source.b, source.c};
      node.operands.assign(operands, operands + node.operation->arity);
    }
    return node;
  }

  // Fused operations ------------------------------------------------------------------------------------

  // The node that computes an operand, if it is of the same level and phase and nobody else needs it.
  Node *inner_of(const Node &node, size_t place, const std::vector<uint32_t> &uses) {
    uint32_t operand = node.operands[place];
    if (writers_[operand] == none || uses[operand] != 1 || levels_[operand] != levels_[node.to] ||
        phases_[operand] != phases_[node.to])
      return nullptr;
    Node &inner = nodes_[writers_[operand]];
    return inner.kind == Move::Kind::sweep && !inner.is_gone ? &inner : nullptr;
  }

  static bool is_named(const Node *node, const char *name) {
    return node && std::strcmp(node->operation->name, name) == 0;
  }

  void pair_up(const std::vector<uint32_t> &uses) {
    for (Node &node : nodes_)
      if (node.kind == Move::Kind::sweep && is_named(&node, "or"))
        make_rotation(node, uses);
    for (Node &node : nodes_) {
      if (node.kind != Move::Kind::sweep || node.is_gone || levels_[node.to] != Level::full)
        continue;
      for (size_t place = 0; place < node.operands.size() && node.kind == Move::Kind::sweep; ++place)
        if (Node *inner = inner_of(node, place, uses))
          make_pair(node, *inner, place);
    }
  }

  // (a << b) | (a >> c)
  void make_rotation(Node &node, const std::vector<uint32_t> &uses) {
    int number = find_operation("rotate", node.operation->to, node.operation->to);
    if (number < 0)
      return;
    for (size_t place = 0; place < 2; ++place) {
      Node *left = inner_of(node, place, uses), *right = inner_of(node, 1 - place, uses);
      if (left == right || !is_named(left, "shift_left") || !is_named(right, "shift_right_logical") ||
          left->operands[0] != right->operands[0])
        continue;
      node.operation = &all_operations().begin[number];
      node.operands = {left->operands[0], left->operands[1], right->operands[1]};
      left->is_gone = right->is_gone = true;
      return;
    }
  }

  static void make_pair(Node &node, Node &inner, size_t place) {
    const Operations &all = all_operations();
    for (size_t i = 0; i < all.pair_count; ++i) {
      const Pair &pair = all.pairs[i];
      if (pair.place != place || pair.to != node.operation->to ||
          pair.operand != inner.operation->operands[inner.operation->arity - 1] ||
          std::strcmp(pair.inner, inner.operation->name) != 0 ||
          std::strcmp(pair.outer, node.operation->name) != 0)
        continue;
      std::vector<uint32_t> operands = inner.operands;
      for (size_t j = 0; j < node.operands.size(); ++j)
        if (j != place)
          operands.push_back(node.operands[j]);
      node.kind = Move::Kind::pair;
      node.pair = &pair;
      node.operands = std::move(operands);
      inner.is_gone = true;
      return;
    }
  }

  void drop_unused(std::vector<uint32_t> &uses) {
    std::fill(uses.begin(), uses.end(), 0);
    for (uint32_t output : program_.outputs)
      ++uses[output];
    for (size_t i = nodes_.size(); i-- > 0;) {
      nodes_[i].is_gone = nodes_[i].is_gone || uses[nodes_[i].to] == 0;
      if (!nodes_[i].is_gone)
        for (uint32_t operand : nodes_[i].operands)
          ++uses[operand];
    }
  }

  // Moves -----------------------------------------------------------------------------------------------

  uint32_t new_register(uint32_t like, Level level, size_t phase) {
    levels_.push_back(level);
    phases_.push_back(phase);
    sizes_.push_back(sizes_[like]);
    program_.registers.push_back({});
    return static_cast<uint32_t>(levels_.size() - 1);
  }

  Move spreading(uint32_t to, uint32_t operand) {
    Move move{};
    move.kind = Move::Kind::spread;
    move.operand_count = 1;
    move.to = to;
    move.operands[0] = operand;
    return move;
  }

  // The register with the value of another one of a lower level for each of a level's.
  uint32_t spread_to(Level level, size_t phase, uint32_t operand) {
    uint32_t &found = spread_[{operand, level}];
    if (found == 0) {
      bool is_one = levels_[operand] == Level::one;
      found = new_register(operand, level, is_one ? 0 : phases_[operand]);
      if (is_one)
        program_.fills.push_back(spreading(found, operand));
      else
        moves_at(phases_[operand], level).push_back(spreading(found, operand));
    }
    (void)phase;
    return found;
  }

  std::vector<Move> &moves_at(size_t phase, Level level) {
    if (level == Level::one)
      return program_.of_ones;
    return level == Level::row ? program_.phases[phase].of_rows : program_.phases[phase].moves;
  }

  void write_moves() {
    program_.phases.resize(phase_count_);
    for (const Node &node : nodes_) {
      if (node.is_gone)
        continue;
      Move move{};
      move.kind = node.kind;
      move.to = node.to;
      move.operand_count = static_cast<uint8_t>(node.operands.size());
      std::copy(node.operands.begin(), node.operands.end(), move.operands);
      Level level = levels_[node.to];
      size_t phase = phases_[node.to];
      if (node.kind == Move::Kind::reduce) {
        move.reduction = node.reduction;
        move.lanes = static_cast<uint32_t>(program_.reduction_count++);
        program_.phases[phase - 1].moves.push_back(move);
        program_.work += 2;
        continue;
      }
      if (node.kind != Move::Kind::spread)
        choose_sweep(move, node, level);
      moves_at(phase, level).push_back(move);
      if (level == Level::full)
        program_.work += node.operation ? node.operation->cost : 1;
    }
  }

  // How to sweep operands of lower levels: as one element, all of them or by rows, or else spread.
  void choose_sweep(Move &move, const Node &node, Level level) {
    unsigned ones = 0;
    for (size_t i = 0; i < move.operand_count; ++i)
      if (levels_[move.operands[i]] < level &&
          (levels_[move.operands[i]] == Level::one || program_.columns >= chain::least_columns))
        ones |= 1U << i;
    if (level == Level::one)
      ones = 0;
    unsigned best = 0;
    if (node.kind == Move::Kind::pair) {
      for (unsigned set = 0; set < 16; ++set)
        if (node.pair->sweeps[set] && (set & ones) == set && set > best)
          best = set;
      move.pair = node.pair->sweeps[best];
    } else {
      move.sweep = node.operation->sweep;
      for (const Variant &variant : node.operation->variants)
        if (variant.sweep && (variant.ones & ones) == variant.ones && variant.ones > best) {
          best = variant.ones;
          move.sweep = variant.sweep;
        }
    }
    for (size_t i = 0; i < move.operand_count; ++i) {
      bool is_one = (best >> i & 1) != 0;
      if (!is_one && levels_[move.operands[i]] < level)
        move.operands[i] = spread_to(level, phases_[node.to], move.operands[i]);
      move.by_rows = move.by_rows || (is_one && levels_[move.operands[i]] == Level::row);
    }
  }

  // Places ----------------------------------------------------------------------------------------------

  void place_registers() {
    std::vector<Register> &registers = program_.registers;
    for (size_t i = 0; i < registers.size(); ++i) {
      registers[i].level = levels_[i];
      registers[i].size = sizes_[i];
    }
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      registers[program_.inputs[i].index].place = Place::input;
      registers[program_.inputs[i].index].index = static_cast<uint32_t>(i);
    }
    // When a register is read last: in which phase, and by which move of it.
    std::vector<std::pair<size_t, size_t>> last(registers.size(), {0, 0});
    for (size_t phase = 0; phase < program_.phases.size(); ++phase)
      for (size_t i = 0; i < program_.phases[phase].moves.size(); ++i) {
        const Move &move = program_.phases[phase].moves[i];
        for (size_t j = 0; j < move.operand_count; ++j)
          last[move.operands[j]] = {phase, i};
      }
    for (const Move &move : program_.of_ones)
      place_new(move.to, Place::one);
    for (const Move &move : program_.fills)
      place_new(move.to, levels_[move.to] == Level::full ? Place::block : Place::row);
    std::map<uint8_t, std::vector<uint32_t>> unused;
    for (size_t phase = 0; phase < program_.phases.size(); ++phase) {
      chain::Phase &current = program_.phases[phase];
      for (const Move &move : current.of_rows)
        place_new(move.to, Place::row);
      for (size_t i = 0; i < current.moves.size(); ++i) {
        const Move &move = current.moves[i];
        if (move.kind == Move::Kind::reduce)
          place_new(move.to, Place::row);
        else
          place_element(move.to, last[move.to].first > phase, unused);
        // Freed after the result has its place: no operand shares it. An operand may stand there twice.
        for (size_t j = 0; j < move.operand_count; ++j) {
          uint32_t operand = move.operands[j];
          bool again = std::find(move.operands, move.operands + j, operand) != move.operands + j;
          if (registers[operand].place == Place::piece && last[operand] == std::pair{phase, i} && !again)
            unused[sizes_[operand]].push_back(registers[operand].index);
          if (registers[operand].place == Place::input && levels_[operand] == Level::full &&
              std::find(current.inputs.begin(), current.inputs.end(), operand) == current.inputs.end())
            current.inputs.push_back(operand);
        }
      }
    }
  }

  void place_new(uint32_t index, Place place) {
    Register &at = program_.registers[index];
    if (at.place == Place::output)
      return;
    at.place = place;
    if (place == Place::one) {
      at.index = static_cast<uint32_t>(program_.one_count++);
      return;
    }
    std::vector<uint8_t> &sizes = place == Place::row     ? program_.row_sizes
                                  : place == Place::block ? program_.block_sizes
                                                          : program_.piece_sizes;
    at.index = static_cast<uint32_t>(sizes.size());
    sizes.push_back(at.size);
  }

  void place_element(uint32_t index, bool stays, std::map<uint8_t, std::vector<uint32_t>> &unused) {
    Register &at = program_.registers[index];
    if (at.place == Place::output)
      return;
    std::vector<uint32_t> &of_size = unused[at.size];
    if (stays || of_size.empty()) {
      place_new(index, stays ? Place::block : Place::piece);
      return;
    }
    at.place = Place::piece;
    at.index = of_size.back();
    of_size.pop_back();
  }

  void choose_pieces() {
    size_t bytes = 1;
    for (const std::vector<uint8_t> *sizes : {&program_.piece_sizes, &program_.block_sizes})
      for (uint8_t size : *sizes)
        bytes += size;
    size_t moved = 0;
    for (const Input &input : program_.inputs)
      moved += input.level == Level::full ? sizes_[input.index] : 0;
    for (uint32_t output : program_.outputs)
      moved += levels_[output] == Level::full ? sizes_[output] : 0;
    bytes += moved;
    program_.work += moved / bytes_an_addition;
    program_.piece = std::clamp(cache_bytes / bytes, least_piece, most_piece) / chain::piece_unit * chain::piece_unit;
    if (program_.has_rows)
      program_.block_rows = std::clamp<size_t>(program_.columns ? program_.piece / program_.columns : program_.piece, 1, std::max<size_t>(program_.rows, 1));
  }

  const std::vector<Type> &types_;
  Program program_{};
  size_t size_ = 0, phase_count_ = 1;
  std::vector<Level> levels_;
  std::vector<size_t> phases_;
  std::vector<uint8_t> sizes_;
  std::vector<uint32_t> writers_; // the nodes that write registers
  std::vector<bool> is_known_;
  std::vector<Node> nodes_;
  std::map<std::pair<uint32_t, Level>, uint32_t> spread_; // registers with the values of others
};

} // namespace

Chain::Chain(const std::vector<Type> &types, const std::vector<Source> &sources, const std::vector<Input> &inputs,
             const std::vector<uint32_t> &outputs, size_t rows, size_t columns, bool is_free) {
  Arranger arranger(types, rows, columns, is_free);
  for (const Input &input : inputs)
    arranger.add_input(input);
  for (const Source &source : sources)
    arranger.add(source);
  program_ = std::make_unique<const Program>(arranger.arranged(outputs));
}

} // namespace hlokit::vm
