// A small fuzzer for systems without libFuzzer: mutate COUNT SEED FILE...
//
// Runs every file, then COUNT mutants of them. The same arguments always give the same mutants.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

class Mutator {
public:
  Mutator(const std::vector<Input> &seeds, uint64_t seed) : seeds_(seeds), random_(seed) {}

  Input next() {
    Input input = any_seed();
    for (size_t changes = 1 + below(4); changes > 0; --changes)
      change(input);
    return input;
  }

private:
  // Not std::uniform_int_distribution, whose results depend on the library.
  size_t below(size_t limit) { return static_cast<size_t>(random_() % limit); }
  const Input &any_seed() { return seeds_[below(seeds_.size())]; }

  void change(Input &input) {
    if (input.empty())
      return;
    const size_t position = below(input.size());
    const auto here = input.begin() + static_cast<std::ptrdiff_t>(position);
    const size_t length = 1 + below(std::min<size_t>(input.size() - position, 16));
    switch (below(7)) {
    case 0:
      *here ^= static_cast<uint8_t>(1 << below(8));
      break;
    case 1: // Numbers that are long, large or at a limit when read as a varint.
      *here = std::vector<uint8_t>{0x00, 0x01, 0x03, 0x80, 0x81, 0xFE, 0xFF}[below(7)];
      break;
    case 2: // A number of nine bytes, which can have any value.
      *here = 0;
      std::generate(here + 1, here + static_cast<std::ptrdiff_t>(length),
                    [&] { return below(2) ? 0xFF : below(256); });
      break;
    case 3:
      input.resize(position);
      break;
    case 4:
      input.erase(here, here + static_cast<std::ptrdiff_t>(length));
      break;
    case 5: {
      const Input copy(here, here + static_cast<std::ptrdiff_t>(length));
      input.insert(input.begin() + static_cast<std::ptrdiff_t>(below(input.size())), copy.begin(),
                   copy.end());
      break;
    }
    case 6: {
      const Input &other = any_seed();
      const size_t from = std::min(position, other.size());
      std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(from), std::min(length, other.size() - from),
                  here);
      break;
    }
    }
  }

  const std::vector<Input> &seeds_;
  std::mt19937_64 random_;
};

void run(const Input &input) {
  // An allocation of exactly this size, so that the sanitizer detects a read of one byte too many.
  const std::unique_ptr<uint8_t[]> data(new uint8_t[input.size()]);
  std::copy(input.begin(), input.end(), data.get());
  LLVMFuzzerTestOneInput(data.get(), input.size());
}

Input read_file(const char *path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path);
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s COUNT SEED FILE...\n", argv[0]);
    return 2;
  }
  std::vector<Input> seeds;
  std::transform(argv + 3, argv + argc, std::back_inserter(seeds), read_file);
  std::for_each(seeds.begin(), seeds.end(), run);
  Mutator mutator(seeds, std::strtoull(argv[2], nullptr, 10));
  for (uint64_t left = std::strtoull(argv[1], nullptr, 10); left > 0; --left)
    run(mutator.next());
  return 0;
}
