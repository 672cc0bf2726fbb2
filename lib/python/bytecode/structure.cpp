// hlokit._bytecode.StructureReader: the structure of blocks, for planners, as columns of Python objects.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "bytecode/structure.h"
#include "python/bytecode/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// A module's structure, which all of its regions share.
struct ModuleStructure {
  Structure structure;
  std::vector<std::string> names; // of operations
};

// Makes tuples of slots. Thousands of tuples share a few numbers: each number is one Python object.
class Slots {
public:
  explicit Slots(size_t count) {
    numbers_.reserve(count);
    for (size_t i = 0; i < count; ++i)
      numbers_.emplace_back(i);
  }

  nb::object tuple(const std::vector<uint32_t> &slots) const {
    nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(slots.size())));
    if (!made.is_valid())
      throw nb::python_error();
    for (size_t i = 0; i < slots.size(); ++i)
      PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), nb::object(numbers_[slots[i]]).release().ptr());
    return made;
  }

private:
  std::vector<nb::int_> numbers_;
};

struct RegionRecord;

struct BlockRecord {
  nb::list kinds, firsts, operands, results;
  nb::object outputs;
  nb::dict regions;
  std::string terminator;
  uint32_t slot_count = 0;
};

struct RegionRecord {
  std::shared_ptr<const ModuleStructure> source;
  StructureRegion region;
  std::vector<ValueRef> captured;

  uint32_t block_count() const { return region.block_count; }
  size_t capture_count() const { return captured.size(); }
  BlockRecord read() const;
};

std::vector<RegionRecord> regions_of(const std::shared_ptr<const ModuleStructure> &source, uint32_t operation) {
  const Structure &structure = source->structure;
  const StructureOperation &outer = structure.operations[operation];
  const std::vector<ValueRef> captured = structure.captured(operation);
  std::vector<RegionRecord> regions;
  for (uint32_t i = 0; i < outer.region_count; ++i)
    regions.push_back({source, structure.regions[outer.first_region + i], captured});
  return regions;
}

BlockRecord RegionRecord::read() const {
  const Structure &structure = source->structure;
  if (region.block_count != 1)
    throw nb::value_error(("a region must have one block, got " + std::to_string(region.block_count)).c_str());
  const uint32_t number = region.first_block;
  const StructureBlock &block = structure.blocks[number];
  const auto outside = static_cast<uint32_t>(captured.size());
  std::unordered_map<uint64_t, uint32_t> captured_slots;
  const auto key = [](ValueRef value) { return uint64_t{value.block} << 32 | value.number; };
  for (uint32_t i = 0; i < outside; ++i)
    captured_slots.emplace(key(captured[i]), block.argument_count + i);

  const auto slot_of = [&](ValueRef value) {
    if (value.block == number)
      return value.number < block.argument_count ? value.number : value.number + outside;
    const auto found = captured_slots.find(key(value));
    if (found == captured_slots.end())
      throw nb::value_error("an operation must not use a value that is defined after it");
    return found->second;
  };

  BlockRecord record;
  record.slot_count = block.value_count + outside;
  const Slots slots(record.slot_count);
  std::unordered_map<uint32_t, bool> known;
  std::vector<uint32_t> row;
  Py_ssize_t position = 0;
  for (uint32_t at = block.first; at < block.end; ++position) {
    const StructureOperation &operation = structure.operations[at];
    const bool is_last = operation.end == block.end;
    row.clear();
    for (uint32_t i = 0; i < operation.operand_count; ++i)
      row.push_back(slot_of(structure.operands[operation.first_operand + i]));
    if (is_last) {
      record.terminator = source->names[operation.name];
      record.outputs = slots.tuple(row);
      break;
    }
    if (operation.region_count > 0) {
      std::vector<RegionRecord> inner = regions_of(source, at);
      for (const ValueRef value : inner[0].captured)
        row.push_back(slot_of(value));
      record.regions[nb::int_(position)] = nb::cast(std::move(inner));
    }
    record.operands.append(slots.tuple(row));
    row.clear();
    for (uint32_t i = 0; i < operation.result_count; ++i)
      row.push_back(operation.first_result + i + outside);
    record.results.append(slots.tuple(row));
    const nb::int_ kind(operation.kind);
    record.kinds.append(kind);
    if (known.emplace(operation.kind, true).second)
      record.firsts.append(nb::make_tuple(kind, position));
    at = operation.end;
  }
  if (!record.outputs.is_valid())
    throw nb::value_error("a block must end in a return, got nothing");
  return record;
}

class PyStructureReader {
public:
  size_t write(const nb::bytes &piece) {
    file_.write({piece.c_str(), piece.size()});
    return piece.size();
  }

  size_t size() const { return file_.bytes().size(); }

  std::vector<std::string> operation_names() const { return names(Bytecode(file_.bytes())); }

  std::vector<std::vector<RegionRecord>> regions() const {
    const Bytecode bytecode(file_.bytes());
    auto source = std::make_shared<ModuleStructure>(ModuleStructure{read_structure(bytecode), names(bytecode)});
    std::vector<std::vector<RegionRecord>> found;
    const Structure &structure = source->structure;
    if (structure.operations.empty())
      throw nb::value_error("the bytecode must contain a module, got no operation");
    const StructureOperation &module = structure.operations[0];
    if (module.region_count != 1 || structure.regions[module.first_region].block_count != 1)
      throw nb::value_error("a module must have one block");
    const StructureBlock &body = structure.blocks[structure.regions[module.first_region].first_block];
    for (uint32_t at = body.first; at < body.end; at = structure.operations[at].end)
      found.push_back(regions_of(source, at));
    return found;
  }

private:
  static std::string_view text(const Bytecode &bytecode, StringIndex index) {
    return bytecode.text(bytecode.strings()[index]);
  }

  static std::vector<std::string> names(const Bytecode &bytecode) {
    std::vector<std::string> names;
    for (const OpName &op : bytecode.op_names())
      names.push_back(std::string(text(bytecode, bytecode.dialects()[op.dialect].name)) + "." +
                      std::string(text(bytecode, op.name)));
    return names;
  }

  SlimFile file_;
};

// The slots that later steps read, and the slots that are kept.
class Live {
public:
  // Adds a slot. Returns whether it is new.
  bool add(PyObject *slot) {
    const size_t number = PyLong_AsSize_t(slot);
    if (number == static_cast<size_t>(-1) && PyErr_Occurred())
      throw nb::python_error();
    if (number >= most_slots)
      throw nb::index_error("a slot must be below 2**30");
    if (number >= is_live_.size())
      is_live_.resize(2 * number + 1);
    const bool is_new = !is_live_[number];
    is_live_[number] = true;
    return is_new;
  }

  // Whether a slot that `add` accepts has been added.
  bool has(PyObject *slot) const {
    const size_t number = PyLong_AsSize_t(slot);
    if (number == static_cast<size_t>(-1) && PyErr_Occurred())
      throw nb::python_error();
    return number < is_live_.size() && is_live_[number];
  }

private:
  static constexpr size_t most_slots = 1 << 30;
  std::vector<bool> is_live_;
};

nb::object tuple_of(const std::vector<PyObject *> &items) {
  nb::object made = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(items.size())));
  if (!made.is_valid())
    throw nb::python_error();
  for (size_t i = 0; i < items.size(); ++i) {
    Py_INCREF(items[i]);
    PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i), items[i]);
  }
  return made;
}

nb::tuple row_of(const nb::list &slots, size_t step) {
  const nb::handle row = PyList_GetItem(slots.ptr(), static_cast<Py_ssize_t>(step));
  if (!row.is_valid())
    throw nb::python_error();
  if (!nb::isinstance<nb::tuple>(row))
    throw nb::type_error("the slots of a step must be a tuple");
  return nb::borrow<nb::tuple>(row);
}

nb::list last_uses(const nb::list &operands, const nb::list &results, const nb::iterable &kept) {
  if (operands.size() != results.size())
    throw nb::value_error("operands and results must have one item for each of the same steps");
  Live live;
  for (const nb::handle slot : kept)
    live.add(slot.ptr());
  nb::list found;
  std::vector<PyObject *> dead;
  for (size_t step = operands.size(); step-- > 0;) {
    dead.clear();
    for (const nb::list *slots : {&operands, &results})
      for (const nb::handle slot : row_of(*slots, step))
        if (live.add(slot.ptr()))
          dead.push_back(slot.ptr());
    found.append(tuple_of(dead));
  }
  if (PyList_Reverse(found.ptr()) != 0)
    throw nb::python_error();
  return found;
}

// The effect of a step on the bits of NaNs, as `contract.nan_bits` numbers it.
enum class NanBits : char { blind, computes, moves, keeps };

nb::list demanded_nans(const nb::list &operands, const nb::list &results, const nb::bytes &rows, const nb::iterable &kept) {
  if (operands.size() != results.size() || rows.size() != operands.size())
    throw nb::value_error("operands, results and rows must have one item for each of the same steps");
  Live demanded;
  for (const nb::handle slot : kept)
    demanded.add(slot.ptr());
  nb::list found;
  for (size_t step = operands.size(); step-- > 0;) {
    const auto bits = static_cast<NanBits>(rows.c_str()[step]);
    if (bits == NanBits::blind)
      continue;
    bool is_demanded = bits == NanBits::keeps;
    for (const nb::handle slot : row_of(results, step)) {
      if (is_demanded)
        break;
      if (!demanded.has(slot.ptr()))
        continue;
      if (bits == NanBits::computes)
        found.append(nb::make_tuple(step, nb::borrow(slot)));
      else
        is_demanded = true;
    }
    if (!is_demanded)
      continue;
    for (const nb::handle slot : row_of(operands, step))
      demanded.add(slot.ptr());
  }
  return found;
}

} // namespace

void bind_structure(nb::module_ &m) {
  nb::class_<BlockRecord>(m, "Block", R"(The operations of a region's only block, as columns.

Values have slots, which are numbered: the block's arguments, the values that its region captures, then
the results of its operations. Each list has an item for every operation but the last.)")
      .def_ro("kinds", &BlockRecord::kinds, nb::sig("def kinds(self) -> list[int]"),
              R"(Operations of one kind have the same name, attributes and types.

An operation with regions is of a kind of its own.)")
      .def_ro("firsts", &BlockRecord::firsts, nb::sig("def firsts(self) -> list[tuple[int, int]]"),
              "Each kind, with the position of its first operation.")
      .def_ro("operands", &BlockRecord::operands, nb::sig("def operands(self) -> list[tuple[int, ...]]"),
              "The slots that each operation reads; the slots that its regions capture come last.")
      .def_ro("results", &BlockRecord::results, nb::sig("def results(self) -> list[tuple[int, ...]]"),
              "The slots that each operation writes.")
      .def_ro("regions", &BlockRecord::regions, nb::sig("def regions(self) -> dict[int, list[Region]]"),
              "Position of an operation -> its regions.")
      .def_ro("outputs", &BlockRecord::outputs, nb::sig("def outputs(self) -> tuple[int, ...]"),
              "The slots that the last operation reads.")
      .def_ro("terminator", &BlockRecord::terminator, "The name of the last operation.")
      .def_ro("slot_count", &BlockRecord::slot_count);
  nb::class_<RegionRecord>(m, "Region", "A region, whose block is read on demand.")
      .def_prop_ro("block_count", &RegionRecord::block_count)
      .def_prop_ro("capture_count", &RegionRecord::capture_count,
                   "The number of values from outside that the regions of its operation use.")
      .def("read", &RegionRecord::read, "Read the block. Raises ValueError if the region has no block, or several.");
  nb::class_<PyStructureReader>(m, "StructureReader", R"(The operations of a module, and what they read and write.

Pass it to `write_bytecode` as the file to write to. It does not keep the data of constants.)")
      .def(nb::init<>())
      .def("write", &PyStructureReader::write, "piece"_a, "Take the next bytes of the file.")
      .def_prop_ro("size", &PyStructureReader::size, "The number of bytes that were kept.")
      .def("operation_names", &PyStructureReader::operation_names,
           "The names of all operations in the module, each once. Raises `BytecodeError` if it is malformed.")
      .def("regions", &PyStructureReader::regions,
           "The regions of each operation in the module's body. Raises `BytecodeError` for a malformed file.");
  m.def("last_uses", &last_uses, "operands"_a, "results"_a, "kept"_a,
        nb::sig("def last_uses(operands: list[tuple[int, ...]], results: list[tuple[int, ...]], kept: "
                "Iterable[int]) -> list[tuple[int, ...]]"),
        "For each step, the slots that it reads or writes, that no later step reads, and that are not kept.");
  m.def("demanded_nans", &demanded_nans, "operands"_a, "results"_a, "rows"_a, "kept"_a,
        nb::sig("def demanded_nans(operands: list[tuple[int, ...]], results: list[tuple[int, ...]], rows: bytes, kept: "
                "Iterable[int]) -> list[tuple[int, int]]"),
        R"((step, slot) of the computed values whose NaNs somebody tells apart by their bits, the last first.

`rows` says what each step does with such bits: see `contract.nan_bits`. Somebody are the `kept` slots,
steps that keep bits, and steps that move values to where somebody is.)");
}

} // namespace hlokit
