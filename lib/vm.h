// Programs of pointwise operations, without Python.
//
// Two machines run the same operations (vm_kernels.cpp):
//   - a Loop computes on scalars and on arrays of fixed sizes, and may jump: loops, with what is inlined in them;
//   - a Chain is a straight line that computes arrays, and reductions of their rows, in blocks that stay in the
//     cache, so that only what goes in and what comes out crosses the bus.
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

// What a register holds. i1 takes a byte that is 0 or 1; bf16 takes its bits; complex numbers, which only chains know,
// have their parts side by side.
enum class Type : uint8_t { i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f32, f64, bf16, c64, c128 };

constexpr const char *type_names[] = {"i1",   "i8",   "i16",  "i32", "i64", "ui8",
                                      "ui16", "ui32", "ui64", "f32", "f64", "bf16", "complex<f32>", "complex<f64>"};
constexpr size_t type_count = sizeof type_names / sizeof *type_names;

size_t size_of(Type type);
// That of a number, or of its parts.
size_t alignment_of(Type type);

struct Instruction;

// Computes an instruction and perhaps some that follow; gives the next one, null where the machine stops. Operations
// on scalars go on with the next instruction themselves, by what compilers make a jump of: half the time of coming
// back to a loop that calls the next one. So that this needs no deep stack where it is none, such a row of
// instructions ends with `rest`, and jumps end it.
using Step = const Instruction *(*)(const Instruction *at, unsigned char *registers);
// Computes `count` elements. `to` overlaps none of the operands; those that an operation has not are null.
using Sweep = void (*)(void *to, const void *a, const void *b, const void *c, size_t count);

// The same of a pair of operations.
using PairSweep = void (*)(void *to, const void *const *operands, size_t count);

// How an operation sweeps where some operands, bits in `ones`, are one element for all.
struct Variant {
  uint8_t ones = 0;
  Sweep sweep = nullptr;
};

// Registers are offsets in bytes. A jump has its distance, in instructions, in `jump`; an instruction on arrays
// has what else it needs to know in `detail`.
struct Detail;
struct Instruction {
  Step step;
  uint32_t to, a, b, c;
  int32_t jump;
  const Detail *detail = nullptr;
};

constexpr size_t longest_row = 64;
inline const Instruction *rest(const Instruction *at, unsigned char *) { return at + 1; }
inline const Instruction *halt(const Instruction *, unsigned char *) { return nullptr; }
inline const Instruction *next(const Instruction *at, unsigned char *registers) {
  return at[1].step(at + 1, registers);
}
// Computes code that ends with `halt`.
inline void compute(const Instruction *at, unsigned char *registers) {
  while (at)
    at = at->step(at, registers);
}

// An operation: how it computes, the types that it expects, and its time, in additions. Without a step, it is one of
// chains only.
struct Operation {
  const char *name;
  Type to;
  Type operands[3];
  uint8_t arity;
  Step step;
  Sweep sweep;
  uint8_t cost = 1;
  Variant variants[2] = {};
};

// Two operations of a chain in one sweep: an outer one, the operand `place` of which is the result of an inner one.
struct Pair {
  const char *inner, *outer;
  Type to, operand; // of the outer operation, and of the last operand of the inner one
  uint8_t place;
  // By the bits of operands that are one element for all: those of the inner operation, then the other ones of the
  // outer one. There is always one for 0.
  PairSweep sweeps[16];
};

// A reduction of rows: values of some type in lanes, which take 8 bytes each.
constexpr size_t reduction_lanes = 64;
struct Reduction {
  const char *name;
  Type type;
  uint64_t first; // bits of what changes nothing
  void (*start)(void *lanes, const void *first);
  void (*sweep)(void *lanes, const void *values, size_t count);
  void (*finish)(void *to, void *lanes, const void *init);
};

struct Operations {
  const Operation *begin = nullptr;
  size_t count = 0;
  const Pair *pairs = nullptr;
  size_t pair_count = 0;
  const Reduction *reductions = nullptr;
  size_t reduction_count = 0;
};

// The same table for processors of all kinds, and for those with AVX2 and AVX-512; null if this was not built for
// such. All give the same bits.
Operations baseline_operations();
Operations avx2_operations();
Operations avx512_operations();
// Those of complex numbers, in the same way.
Operations baseline_complex_operations();
Operations avx2_complex_operations();
Operations avx512_complex_operations();
// Those of this processor.
const Operations &all_operations();

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
// Of loops only, see vm_arrays.h. `b` is the index of their numbers, of `reduce` and `dot` `c`.
constexpr int move = -4;
constexpr int read_windows = -5;
constexpr int write_windows = -6;
constexpr int reduce = -7;
constexpr int dot = -8;

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
  // What a run without jumps takes, in instructions on scalars.
  size_t work() const { return work_; }
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
  size_t arena_bytes_ = 0, work_ = 0;
};

// How often a register of a chain has a value: once, once a row, or for every element.
enum class Level : uint8_t { one, row, full };

// An array that a chain reads: its strides, in bytes, belong to the shape of the input.
struct Operand {
  const unsigned char *data;
  std::vector<ptrdiff_t> strides;
};

// A register that an operand fills. The shape has as many elements as the level; it says how operands lie.
struct Input {
  uint32_t index;
  Level level;
  std::vector<size_t> shape;
};

// Operations of chains besides those of the table: the first operand, of a lower level, for every element;
// and from here on the reductions of rows (`find_reduction`), whose second operand is the initial value.
constexpr int spread = -1;
constexpr int first_reduction = -16;

// The number of a reduction of rows, a negative one; 0 if there is none.
int find_reduction(std::string_view name, Type type);

namespace chain {
struct Program;
} // namespace chain

// What is computed is `rows` times `columns` elements. An operation is done on the highest level of its operands.
class Chain {
public:
  // Inputs are the registers that operands fill, outputs those that results take; each is written once. If it is
  // free, operands are arrays of one shape, which is known when it runs, or of one value.
  Chain(const std::vector<Type> &types, const std::vector<Source> &sources, const std::vector<Input> &inputs,
        const std::vector<uint32_t> &outputs, size_t rows, size_t columns, bool is_free = false);
  ~Chain();
  Chain(const Chain &) = delete;
  Chain &operator=(const Chain &) = delete;

  const std::vector<Input> &inputs() const;
  const std::vector<size_t> &input_sizes() const;  // of an element
  const std::vector<size_t> &output_sizes() const; // of an element
  const std::vector<size_t> &output_counts() const;
  // `results` are contiguous and overlap no operand. Takes up to `threads` threads where that is worth it.
  void run(const std::vector<Operand> &operands, const std::vector<unsigned char *> &results,
           size_t threads = 1) const;
  bool is_free() const;
  void run_free(const std::vector<size_t> &shape, const std::vector<Operand> &operands,
                const std::vector<unsigned char *> &results, size_t threads = 1) const;

private:
  std::unique_ptr<const chain::Program> program_;
};

} // namespace hlokit::vm
