// The fields of the instructions of instructions.inc as records, and how to read them from an instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "vm/instruction.h"
#include "vm/strided_copy.h"

namespace hlokit::vm {

// A bound for sizes, offsets and strides: products of two of them, and sums of such products, fit into 64 bits.
constexpr int64_t most_elements = int64_t(1) << 28;
constexpr size_t most_sort_keys = 16;

// Throws ProgramError for a number of an instruction that is out of bounds.
void check_number(const char *name, int64_t number, int64_t least, int64_t most);

namespace fields {

// Kinds of registers. `Results` and `Operands` are all that the fields before them leave.
struct Register {
  uint32_t index = 0;
  operator uint32_t() const { return index; }
};
struct Result : Register {};
struct Operand : Register {};
struct Alike : Operand {};     // of the type of the first result
struct Initial : Alike {};     // one element
struct Condition : Operand {}; // a scalar i1
struct ResultWords : Result {}; // of ui32
struct Words : Operand {};
struct Results {
  Registers registers;
};
struct Operands {
  Registers registers;
};

// Kinds of numbers. What depends on other fields, decoders check.
struct AnyNumber {
  int64_t value = 0;
  operator int64_t() const { return value; }
};
template <int64_t least_value, int64_t most_value> struct Bounded : AnyNumber {
  static constexpr int64_t least = least_value, most = most_value;
};
using Target = Bounded<0, INT32_MAX>; // an instruction
using Size = Bounded<0, most_elements>;
using Distance = Bounded<-most_elements, most_elements>; // an offset or a stride
using Flag = Bounded<0, 1>;
using KeyOrder = Bounded<0, 3>;
using Operation = Bounded<0, 1 << 20>; // the opcode of a pointwise operation
using OptionalOperation = Bounded<-1, 1 << 20>;
using TransformKind = Bounded<0, 3>;   // kernels/fft/transform.h
using Number = Bounded<0, INT32_MAX>;
using OptionalDimension = Bounded<-1, static_cast<int64_t>(most_dimensions) - 1>;
using OptionalNumber = Bounded<-1, INT32_MAX>;

// Lists of axes and of other elements, with bounds of their lengths.
struct AnyList {};
template <class T> struct Axes : AnyList, std::vector<T> {
  static constexpr size_t longest = most_dimensions;
};
template <class T> struct Some : AnyList, std::vector<T> {
  static constexpr size_t longest = most_sort_keys;
};

#define HLOKIT_FIELD(Kind, name) Kind name;
#define HLOKIT_FIELDS(Record, ...)                                                                                   \
  struct Record {                                                                                                    \
    __VA_ARGS__                                                                                                      \
  };
#include "vm/instructions.inc"

// Calls visit(name, field) for each field of a record.
#define HLOKIT_FIELD(Kind, name) visit(#name, record.name);
#define HLOKIT_FIELDS(Record, ...)                                                                                   \
  template <class Visit> void each_field(Record &record, const Visit &visit) { __VA_ARGS__ }                         \
  template <class Visit> void each_field(const Record &record, const Visit &visit) { __VA_ARGS__ }
#include "vm/instructions.inc"

// Reads the fields of an instruction, in order.
class Reader {
public:
  explicit Reader(const Instruction &instruction) : instruction_(instruction) {}

  template <class Record> void read_all(Record &record) {
    each_field(record, [this](const char *name, auto &field) { read(name, field); });
  }
  // Throws ProgramError unless all registers and numbers have been read.
  void end() const;

private:
  template <class Field> void read(const char *name, Field &field) {
    if constexpr (std::is_base_of_v<Result, Field>)
      field.index = next(instruction_.results, results_, name);
    else if constexpr (std::is_base_of_v<Operand, Field>)
      field.index = next(instruction_.operands, operands_, name);
    else if constexpr (std::is_same_v<Field, Results>)
      field.registers = rest(instruction_.results, results_);
    else if constexpr (std::is_same_v<Field, Operands>)
      field.registers = rest(instruction_.operands, operands_);
    else if constexpr (std::is_base_of_v<AnyNumber, Field>)
      field.value = number(name, Field::least, Field::most);
    else if constexpr (std::is_base_of_v<AnyList, Field>)
      read_list(name, field);
    else
      read_all(field);
  }
  template <class List> void read_list(const char *name, List &list) {
    list.resize(static_cast<size_t>(number(name, 0, static_cast<int64_t>(List::longest))));
    for (auto &element : list)
      read(name, element);
  }
  uint32_t next(const Registers &registers, size_t &at, const char *name) const;
  Registers rest(const Registers &registers, size_t &at) const;
  int64_t number(const char *name, int64_t least, int64_t most);

  const Instruction &instruction_;
  size_t results_ = 0, operands_ = 0, numbers_ = 0; // that have been read
};

} // namespace fields

// The fields of an instruction. Throws ProgramError if registers or numbers are missing or superfluous, or a number is out
// of the bounds of its kind.
template <class Record> Record read_fields(const Instruction &instruction) {
  Record record;
  fields::Reader reader(instruction);
  reader.read_all(record);
  reader.end();
  return record;
}

} // namespace hlokit::vm
