// Results of operations with a body, computed tile by tile, by several workers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "support/should_stop.h"
#include "support/threads.h"

namespace hlokit::regions {

// Rows of results, and the most rows and columns of a tile.
struct Tiling {
  size_t rows, columns, tile_rows, tile_columns;
};

// Calls worker.run(first row, rows, first column, columns) for each tile, where the workers are made of `arguments`. They are
// made before threads run, since their work must not throw. `values`: those that all workers combine.
template <class Worker, class... Arguments>
void run_by_tiles(const Tiling &all, size_t values, size_t threads, const Arguments &...arguments) {
  // The work, some 0.1 ms, for which another thread pays.
  constexpr size_t least = 1 << 16;
  const size_t across = (all.columns + all.tile_columns - 1) / all.tile_columns;
  const size_t tiles = (all.rows + all.tile_rows - 1) / all.tile_rows * across;
  const size_t count = std::clamp<size_t>(std::min(values / least, tiles), 1, std::max<size_t>(threads, 1));
  std::vector<std::unique_ptr<Worker>> workers;
  for (size_t i = 0; i < count; ++i)
    workers.push_back(std::make_unique<Worker>(arguments...));
  std::atomic<size_t> next{0};
  in_parallel(count, count, [&](size_t worker) {
    for (size_t tile = next.fetch_add(1); tile < tiles && !should_stop(); tile = next.fetch_add(1)) {
      const size_t row = tile / across * all.tile_rows, column = tile % across * all.tile_columns;
      workers[worker]->run(row, std::min(all.tile_rows, all.rows - row), column,
                           std::min(all.tile_columns, all.columns - column));
    }
  });
}

} // namespace hlokit::regions
