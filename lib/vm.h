// Programs of pointwise operations, without Python.
//
// Two machines run the same operations (vm_kernels.cpp):
//   - a Loop computes on scalars and on arrays of fixed sizes, and may jump: loops, with what is inlined in them;
//   - a Chain is a straight line that computes arrays of one size, in blocks that stay in the cache, so that
//     only what goes in and what comes out crosses the bus.
//
// Both are checked when they are made: registers are in range and have the types that operations expect, and
// jumps stay inside. Running one then needs no checks, and can do no harm whatever the values are. Every
// operation is defined for all values; none fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace hlokit::vm {

// What a register holds. i1 takes a byte that is 0 or 1; bf16 takes its bits.
enum class Type : uint8_t { i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f32, f64, bf16 };

constexpr const char *type_names[] = {"i1",   "i8",   "i16",  "i32", "i64", "ui8",
                                      "ui16", "ui32", "ui64", "f32", "f64", "bf16"};
constexpr size_t type_count = sizeof type_names / sizeof *type_names;

size_t size_of(Type type);

struct Instruction;

// Computes one instruction on scalars and gives the next one; null stops the machine.
using Step = const Instruction *(*)(const Instruction *at, unsigned char *registers);
// Computes `count` elements. `to` overlaps none of the operands; those that an operation has not are null.
using Sweep = void (*)(void *to, const void *a, const void *b, const void *c, size_t count);

// Registers are offsets in bytes. A jump has its distance, in instructions, in `jump`; an instruction on arrays
// has what else it needs to know in `detail`.
struct Detail;
struct Instruction {
  Step step;
  uint32_t to, a, b, c;
  int32_t jump;
  const Detail *detail = nullptr;
};

// An operation: how it computes, the types that it expects, and its time, in additions.
struct Operation {
  const char *name;
  Type to;
  Type operands[3];
  uint8_t arity;
  Step step;
  Sweep sweep;
  uint8_t cost = 1;
};

struct Operations {
  const Operation *begin;
  size_t count;
};

// The same table for processors of all kinds, and for those with AVX2 and AVX-512; null if this was not built for
// such. All give the same bits.
Operations baseline_operations();
Operations avx2_operations();
Operations avx512_operations();

// The number of an operation, -1 if there is none. `operand` is the type of its last operand.
int find_operation(std::string_view name, Type to, Type operand);

struct ProgramError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Throws ProgramError for a number that no operation has.
const Operation &operation(int number);

// An instruction as it is given: registers and targets are indices.
struct Source {
  int operation; // of `find_operation`, or one of these
  uint32_t to, a, b, c;
};
constexpr int jump = -1;    // to instruction `to`
constexpr int jump_if = -2; // to instruction `to` if register `a` (an i1) is true
constexpr int jump_if_not = -3;
// Of loops only, see vm_arrays.h. `b` is the index of their numbers, but for `reduce`, which has them in `c`.
constexpr int move = -4;
constexpr int read_windows = -5;
constexpr int write_windows = -6;
constexpr int reduce = -7;

// What an instruction on arrays knows besides its registers, in a form of its own.
using Numbers = std::vector<int64_t>;

// Registers of a loop hold a scalar, of eight bytes in the memory of a run, or an array in row-major order, which
// is a place in the arena, or outside: an array of the caller's. An operation whose result is an array takes
// arrays of the same size, and scalars for all elements.
//
// Jumps that go back count against the budget, by what there is to do until they come again, so that no run is
// endless.
class Loop {
public:
  // Counts are those of elements, `scalar` for a register that holds none. `outside` are registers. A program
  // ends behind its last instruction.
  Loop(const std::vector<Type> &types, const std::vector<int64_t> &counts, const std::vector<Source> &sources,
       const std::vector<Numbers> &numbers, const std::vector<uint32_t> &outside);
  ~Loop();
  Loop(Loop &&) noexcept;

  static constexpr int64_t scalar = -1;

  // An array that a run is given.
  struct Outside {
    uint32_t index; // of its register
    size_t bytes, alignment;
    bool is_written;
  };

  // Eight bytes a register, of which a scalar takes the first ones.
  size_t register_bytes() const { return 8 * (reserved + register_count_); }
  // Memory for arrays during a run, wherever it begins.
  size_t arena_bytes() const { return arena_bytes_; }
  const std::vector<Outside> &outside() const { return outside_; }
  // Runs from the start, or on from where a run stopped, for `budget` jumps back; gives whether it ended.
  // Arrays are of the sizes and alignments of `outside`; what is written shares no memory with another.
  bool run(unsigned char *registers, const std::vector<unsigned char *> &arrays, unsigned char *arena,
           int64_t budget) const;

  // Registers before those of the program: the budget, and where to go on (0 at first).
  static constexpr size_t reserved = 2;

private:
  struct Inside {
    uint32_t index;
    size_t offset;
  };

  size_t register_count_;
  std::vector<Instruction> code_;
  std::vector<std::unique_ptr<const Detail>> details_;
  std::vector<Outside> outside_;
  std::vector<Inside> inside_;
  size_t arena_bytes_ = 0;
};

// An array that a chain reads: one element for all if every stride is 0.
struct Operand {
  const unsigned char *data;
  size_t item_size;
  std::vector<ptrdiff_t> strides; // in bytes, of the dimensions of the result
};

class Chain {
public:
  // Inputs are the registers that operands fill, outputs those that results take; each is written once.
  Chain(const std::vector<Type> &types, const std::vector<Source> &sources, std::vector<uint32_t> inputs,
        std::vector<uint32_t> outputs);

  const std::vector<size_t> &input_sizes() const { return input_sizes_; }
  const std::vector<size_t> &output_sizes() const { return output_sizes_; }
  // `results` are contiguous arrays of the shape and overlap no operand. False, and nothing done, for operands
  // whose layout makes the chain slow. Takes up to `threads` threads where that is worth it.
  bool run(const std::vector<size_t> &shape, const std::vector<Operand> &operands,
           const std::vector<unsigned char *> &results, size_t threads = 1) const;

private:
  // Where the elements of a register are: an operand's, a result's, or a buffer's.
  enum class Place : uint8_t { none, input, output, buffer };
  struct Location {
    Place place = Place::none;
    uint32_t index = 0;
  };
  class Worker;
  struct Move {
    Sweep sweep;
    Location to, operands[3];
  };

  std::vector<size_t> input_sizes_, output_sizes_;
  std::vector<Move> moves_;
  size_t buffer_count_ = 0;
  size_t cost_ = 0; // of an element
};

} // namespace hlokit::vm
