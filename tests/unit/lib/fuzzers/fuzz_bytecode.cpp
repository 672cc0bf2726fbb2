// The fuzz target: reads one input completely. Sanitizers check memory accesses; this file checks that the reader
// allocates little memory.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "bytecode/container.h"
#include "bytecode/dense.h"
#include "artifacts/validate.h"
#include "bytecode/operations.h"

// Whether the run-time library of the sanitizers is linked, which reports allocations.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER
#endif

#if defined(HAS_SANITIZER)
// A function of that library, for which GCC installs no header.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                                         void (*on_free)(const volatile void *));
#endif

namespace {

// The tables together are at most this many times as large as the input: one byte can encode an entry of 24 bytes,
// and the properties of the entry take three times as much.
constexpr size_t allocation_factor = 256;
constexpr size_t allocation_for_messages = 4096;

// The version of StableHLO that knows all operations.
constexpr unsigned newest_operations = 9999;

size_t allocated = 0;

#if defined(HAS_SANITIZER)
void count_allocation(const volatile void *, size_t size) { allocated += size; }
void ignore_release(const volatile void *) {}

const int hooks_installed = __sanitizer_install_malloc_and_free_hooks(count_allocation, ignore_release);
#endif

// Reads every byte, as a user of the range would, so that the sanitizer checks the accesses.
void touch(const hlokit::Bytecode &bytecode, hlokit::Range range) {
  if (range.offset > bytecode.size() || range.size > bytecode.size() - range.offset) {
    std::fprintf(stderr, "a range at byte %ju of %ju bytes leaves the input\n", uintmax_t{range.offset},
                 uintmax_t{range.size});
    std::abort();
  }
  static volatile unsigned sink;
  unsigned sum = 0;
  for (const char byte : bytecode.text(range))
    sum += static_cast<unsigned char>(byte);
  sink = sink + sum;
}

template <typename Read> void refuse_or(Read read) {
  try {
    read();
  } catch (const hlokit::BytecodeError &) {
  }
}

void read_everything(const hlokit::Bytecode &bytecode) {
  for (const hlokit::Section &section : bytecode.sections())
    touch(bytecode, section.data);
  refuse_or([&] {
    for (const hlokit::Range &string : bytecode.strings())
      touch(bytecode, string);
  });
  refuse_or([&] {
    for (const hlokit::OpName &op : bytecode.op_names()) {
      touch(bytecode, bytecode.strings().at(bytecode.dialects().at(op.dialect).name));
      touch(bytecode, bytecode.strings().at(op.name));
    }
  });
  refuse_or([&] {
    for (const hlokit::Entry &entry : bytecode.entries().types)
      touch(bytecode, entry.data);
  });
  refuse_or([&] {
    for (const hlokit::Resource &resource : bytecode.resources().resources)
      touch(bytecode, resource.data);
  });
  refuse_or([&] {
    for (const hlokit::DenseAttribute &dense : dense_attributes(bytecode))
      touch(bytecode, dense.data);
  });
  refuse_or([&] {
    const hlokit::Operations operations = read_operations(bytecode);
    for (const hlokit::BodyOperation &operation : operations.body)
      if (operation.properties)
        touch(bytecode, *operation.properties);
  });
  refuse_or([&] { validate(bytecode, newest_operations); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  allocated = 0;
  refuse_or([&] { read_everything(hlokit::Bytecode({reinterpret_cast<const char *>(data), size})); });
  if (allocated > allocation_factor * size + allocation_for_messages) {
    std::fprintf(stderr, "%zu bytes were allocated for an input of %zu\n", allocated, size);
    std::abort();
  }
  return 0;
}
