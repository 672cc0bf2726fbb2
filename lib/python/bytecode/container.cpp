// hlokit._bytecode.Bytecode. Each name becomes one Python string, however often the file refers to it; blobs are not
// copied.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "artifacts/validate.h"
#include "bytecode/container.h"
#include "bytecode/dense.h"
#include "bytecode/operations.h"
#include "python/array.h"
#include "python/bytecode/module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hlokit {
namespace {

// A read-only memoryview of bytes, whatever the format of the object.
nb::object byte_view(nb::handle object) {
  nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!view.is_valid())
    throw nb::python_error();
  return view.attr("cast")("B").attr("toreadonly")();
}

// MLIR's strings are bytes. Strings that are not UTF-8 survive a round trip through `surrogateescape`.
nb::str decode(std::string_view text) {
  nb::object result =
      nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
  if (!result.is_valid())
    throw nb::python_error();
  return nb::borrow<nb::str>(result);
}

struct SectionRecord {
  std::string name;
  uint64_t offset;
  uint64_t size;
};

struct DialectRecord {
  nb::str name;
  std::optional<nb::bytes> version;
};

struct OpNameRecord {
  nb::str dialect;
  nb::str name;
};

struct EntryRecord {
  uint32_t dialect;
  bool custom;
  uint64_t offset;
  uint64_t size;
};

struct ResourceRecord {
  nb::str group;
  nb::str key;
  nb::str kind;
  uint64_t alignment;
  uint64_t offset;
  uint64_t size;
};

struct DenseRecord {
  nb::str kind;
  uint32_t index;
  uint32_t type_index;
  uint64_t offset;
  uint64_t size;
  std::optional<nb::str> key;
};

struct BodyOperationRecord {
  uint32_t name;
  std::optional<uint32_t> attributes;
  std::optional<Range> properties;

  std::optional<uint64_t> properties_offset() const {
    return properties ? std::optional(properties->offset) : std::nullopt;
  }
  uint64_t properties_size() const { return properties ? properties->size : 0; }
};

struct OperationsRecord {
  std::vector<uint64_t> counts;
  std::vector<BodyOperationRecord> body;
};

const char *to_string(ResourceKind kind) {
  switch (kind) {
  case ResourceKind::blob:
    return "blob";
  case ResourceKind::boolean:
    return "bool";
  case ResourceKind::string:
    return "string";
  case ResourceKind::declaration:
    break;
  }
  return "declaration";
}

const char *to_string(DenseKind kind) {
  switch (kind) {
  case DenseKind::elements:
    return "elements";
  case DenseKind::array:
    return "array";
  case DenseKind::resource:
    break;
  }
  return "resource";
}

class PyBytecode {
public:
  explicit PyBytecode(nb::handle buffer)
      : buffer_(buffer, PyBUF_SIMPLE), view_(byte_view(buffer)), bytecode_(buffer_.text()) {}

  uint64_t version() const { return bytecode_.version(); }
  nb::str producer() const { return decode(bytecode_.producer()); }

  std::vector<SectionRecord> sections() const {
    std::vector<SectionRecord> records;
    for (const Section &section : bytecode_.sections())
      records.push_back({section_name(section.id), section.data.offset, section.data.size});
    return records;
  }

  const std::vector<nb::str> &strings() {
    if (!strings_) {
      std::vector<nb::str> strings;
      for (const Range &range : bytecode_.strings())
        strings.push_back(decode(bytecode_.text(range)));
      strings_ = std::move(strings);
    }
    return *strings_;
  }

  std::vector<DialectRecord> dialects() {
    std::vector<DialectRecord> records;
    for (const Dialect &dialect : bytecode_.dialects()) {
      std::optional<nb::bytes> version;
      if (dialect.version) {
        const std::string_view bytes = bytecode_.text(*dialect.version);
        version = nb::bytes(bytes.data(), bytes.size());
      }
      records.push_back({strings()[dialect.name], version});
    }
    return records;
  }

  std::vector<OpNameRecord> op_names() {
    std::vector<OpNameRecord> records;
    for (const OpName &op : bytecode_.op_names())
      records.push_back({strings()[bytecode_.dialects()[op.dialect].name], strings()[op.name]});
    return records;
  }

  std::vector<EntryRecord> attributes() const { return to_records(bytecode_.entries().attributes); }
  std::vector<EntryRecord> types() const { return to_records(bytecode_.entries().types); }

  std::vector<ResourceRecord> resources() {
    std::vector<ResourceRecord> records;
    for (const Resource &resource : bytecode_.resources().resources)
      records.push_back({strings()[resource.group], strings()[resource.key],
                         nb::str(to_string(resource.kind)), resource.alignment, resource.data.offset,
                         resource.data.size});
    return records;
  }

  std::vector<DenseRecord> dense_attributes() {
    std::vector<DenseRecord> records;
    for (const DenseAttribute &dense : hlokit::dense_attributes(bytecode_)) {
      std::optional<nb::str> key;
      if (dense.key)
        key = strings()[*dense.key];
      records.push_back(
          {nb::str(to_string(dense.kind)), dense.index, dense.type, dense.data.offset, dense.data.size, key});
    }
    return records;
  }

  OperationsRecord operations() const {
    Operations found = read_operations(bytecode_);
    OperationsRecord record{std::move(found.counts), {}};
    record.body.reserve(found.body.size());
    for (const BodyOperation &operation : found.body)
      record.body.push_back({operation.name, operation.attributes, operation.properties});
    return record;
  }

  void validate(unsigned reader) const { hlokit::validate(bytecode_, reader); }

  nb::object blob(uint64_t offset, uint64_t size) const {
    if (offset > bytecode_.size() || size > bytecode_.size() - offset)
      throw BytecodeError(std::to_string(size) + " bytes are not within the buffer of " +
                              std::to_string(bytecode_.size()),
                          offset);
    return view_[nb::slice(nb::int_(offset), nb::int_(offset + size), nb::int_(1))];
  }

private:
  static std::vector<EntryRecord> to_records(const std::vector<Entry> &entries) {
    std::vector<EntryRecord> records;
    records.reserve(entries.size());
    for (const Entry &entry : entries)
      records.push_back({entry.dialect, entry.custom, entry.data.offset, entry.data.size});
    return records;
  }

  Array buffer_;
  nb::object view_;
  Bytecode bytecode_;
  std::optional<std::vector<nb::str>> strings_;
};

void bind_error(nb::module_ &m) {
  // The type exists as long as the interpreter, like every type of an extension: C++ must not release it at exit.
  static PyObject *type = nullptr;
  const nb::dict members = nb::borrow<nb::dict>(nb::steal(PyDict_New()));
  nb::object created = nb::steal(PyErr_NewExceptionWithDoc(
      "hlokit._bytecode.BytecodeError", "Malformed bytecode. `offset` is the byte where the reader noticed it.",
      PyExc_ValueError, members.ptr()));
  if (!created.is_valid())
    throw nb::python_error();
  m.attr("BytecodeError") = created;
  type = created.release().ptr();

  nb::register_exception_translator([](const std::exception_ptr &pointer, void *) {
    try {
      std::rethrow_exception(pointer);
    } catch (const BytecodeError &error) {
      nb::object exception = nb::handle(type)(decode(error.what()));
      exception.attr("offset") = error.offset;
      PyErr_SetObject(type, exception.ptr());
    }
  });
}

void bind_records(nb::module_ &m) {
  nb::class_<SectionRecord>(m, "Section", "A part of the file.")
      .def_ro("name", &SectionRecord::name, "For instance 'string', 'attr_type', 'ir' or 'resource'.")
      .def_ro("offset", &SectionRecord::offset)
      .def_ro("size", &SectionRecord::size);
  nb::class_<DialectRecord>(m, "Dialect", "A dialect that the file uses.")
      .def_ro("name", &DialectRecord::name)
      .def_ro("version", &DialectRecord::version, "In the encoding of the dialect; None for most dialects.");
  nb::class_<OpNameRecord>(m, "OpName", "The name of operations that the file has.")
      .def_ro("dialect", &OpNameRecord::dialect)
      .def_ro("name", &OpNameRecord::name,
              "Without the dialect; empty for an unregistered name without a dot.");
  nb::class_<EntryRecord>(m, "Entry", "An attribute or a type.")
      .def_ro("dialect", &EntryRecord::dialect, "Index into `Bytecode.dialects`.")
      .def_ro("custom", &EntryRecord::custom,
              "Whether the dialect has an encoding of its own. Otherwise the bytes are text and a zero.")
      .def_ro("offset", &EntryRecord::offset)
      .def_ro("size", &EntryRecord::size);
  nb::class_<ResourceRecord>(m, "Resource", "A named value outside of the operations.")
      .def_ro("group", &ResourceRecord::group, "The dialect or the external provider that owns it.")
      .def_ro("key", &ResourceRecord::key)
      .def_ro("kind", &ResourceRecord::kind,
              nb::sig("def kind(self) -> Literal['blob', 'bool', 'string', 'declaration']"),
              "A 'declaration' has no value, since the writer left it out.")
      .def_ro("alignment", &ResourceRecord::alignment, "In bytes; 1 for all kinds but a blob.")
      .def_ro("offset", &ResourceRecord::offset, "Offset of the value, without padding.")
      .def_ro("size", &ResourceRecord::size, "Size of the value, in bytes.");
  nb::class_<BodyOperationRecord>(m, "BodyOperation",
                                  "An operation in the module's body, usually a function.")
      .def_ro("name", &BodyOperationRecord::name, "Index into `Bytecode.op_names`.")
      .def_ro("attributes", &BodyOperationRecord::attributes,
              "Index of a dictionary in `Bytecode.attributes`; None without attributes.")
      .def_prop_ro("properties_offset", &BodyOperationRecord::properties_offset,
                   "Offset of the properties, in the encoding of the operation; None without properties.")
      .def_prop_ro("properties_size", &BodyOperationRecord::properties_size);
  nb::class_<OperationsRecord>(m, "Operations", "The operations of a file.")
      .def_ro("counts", &OperationsRecord::counts, "The number of operations of each of `Bytecode.op_names`.")
      .def_ro("body", &OperationsRecord::body, "The operations in the module's body, in order.");
  nb::class_<DenseRecord>(m, "Dense", "A builtin attribute with an array of numbers.")
      .def_ro("kind", &DenseRecord::kind,
              nb::sig("def kind(self) -> Literal['elements', 'array', 'resource']"),
              "'elements' for dense<..>, 'array' for array<..>, 'resource' for dense_resource<..>.")
      .def_ro("index", &DenseRecord::index, "Index into `Bytecode.attributes`.")
      .def_ro("type_index", &DenseRecord::type_index,
              "Index into `Bytecode.types`: the type of the tensor; for an 'array', that of its elements.")
      .def_ro("offset", &DenseRecord::offset, "Offset of the elements' bytes, also in a resource.")
      .def_ro("size", &DenseRecord::size, "In bytes.")
      .def_ro("key", &DenseRecord::key, "The key of the resource; None for the other kinds.");
}

} // namespace

void bind_container(nb::module_ &m) {
  bind_error(m);
  bind_records(m);
  nb::class_<PyBytecode>(
      m, "Bytecode",
      R"(MLIR bytecode and portable artifacts: the tables of the file, bounds checked and without copies.

The constructor reads the header and finds the sections, which takes microseconds whatever the size
of the file. A table is read on first use. Malformed input raises `BytecodeError`, in the constructor or
when a malformed table is read.

Bytecode versions 0 to 6 are supported. Of a newer version only the version, the producer and the
sections are readable; the tables raise `BytecodeError`.)")
      .def(nb::init<nb::handle>(), "buffer"_a, nb::sig("def __init__(self, buffer: Buffer) -> None"),
           "`buffer`: bytes, bytearray, mmap or any other contiguous buffer. It is kept alive, not copied.")
      .def_prop_ro("version", &PyBytecode::version, "The version of the bytecode format.")
      .def_prop_ro("producer", &PyBytecode::producer, "For instance 'MLIR23.0.0git' or 'StableHLO_v1.17.0'.")
      .def_prop_ro("sections", &PyBytecode::sections, "In file order.")
      .def_prop_ro(
          "strings", &PyBytecode::strings, nb::rv_policy::copy,
          "All strings of the file. Bytes that are not UTF-8 are escaped as by `surrogateescape`.")
      .def_prop_ro("dialects", &PyBytecode::dialects)
      .def_prop_ro("op_names", &PyBytecode::op_names)
      .def_prop_ro("attributes", &PyBytecode::attributes)
      .def_prop_ro("types", &PyBytecode::types)
      .def_prop_ro("resources", &PyBytecode::resources)
      .def("dense_attributes", &PyBytecode::dense_attributes,
           R"(The builtin attributes with arrays of numbers, in table order.

Their bytes are little-endian and in row-major order. In detail:

- a splat has the bytes of one element;
- i1: 8 elements a byte, the first in the lowest bit; a splat is one byte, 0x00 or 0xFF. An 'array'
  has one byte for each element instead;
- i2, i4, ui2, ui4 and the floats of 4 and 6 bits: one byte for each element, with zeros in the upper
  bits, so -1 : i4 is 0x0F;
- complex: the real part, then the imaginary part; index: 8 bytes;
- a 'resource' has the bytes that its producer wrote, never a splat.)")
      .def("operations", &PyBytecode::operations,
           "Count the operations, and list those in the module's body, in one walk over all operations.")
      .def("validate", &PyBytecode::validate, "reader"_a,
           R"(Raise `BytecodeError` unless the file is a portable artifact that MLIR's reader is known to survive.

Such a file is well formed, and has only attributes, types and operations that the validator knows.
`reader` is the version of StableHLO that will read the file: 1,000 times the major version, plus
the minor version.)")
      .def("blob", &PyBytecode::blob, "offset"_a, "size"_a,
           nb::sig("def blob(self, offset: int, size: int) -> memoryview"),
           "A read-only view, which keeps the buffer alive. Bytes outside of it raise `BytecodeError`.");
}

} // namespace hlokit
