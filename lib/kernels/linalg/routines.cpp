#include "kernels/linalg/routines.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <new>
#include <type_traits>

#include "kernels/linalg/reflectors.h"
#include "kernels/linalg/scalars.h"
#include "kernels/linalg/spectral.h"
#include "kernels/linalg/triangular.h"
#include "support/should_stop.h"
#include "support/threads.h"
#include "support/workspace.h"

namespace hlokit::linalg {
namespace {

template <class T> T *array(const Call &call, size_t index) { return static_cast<T *>(call.arrays[index]); }
int32_t *integers(const Call &call, size_t index) { return array<int32_t>(call, index); }

bool fits_trsm(const Call &call) { return call.sizes['s'] == call.sizes[call.options[0] ? 'm' : 'n']; }
bool fits_orgqr(const Call &call) { return call.sizes['r'] <= call.sizes['n'] && call.sizes['n'] <= call.sizes['m']; }
bool fits_ormqr(const Call &call) {
  return call.sizes['r'] <= call.sizes['s'] && call.sizes['s'] == call.sizes[call.options[0] ? 'm' : 'n'];
}

bool fits_sytrd(const Call &call) { return call.sizes['e'] + (call.sizes['n'] > 0) == call.sizes['n']; }
bool fits_gesvd(const Call &call) {
  const size_t m = call.sizes['m'], n = call.sizes['n'], k = std::min(m, n), p = call.sizes['p'], q = call.sizes['q'];
  return call.options[0] ? (p == k && q == k) || (p == m && q == n) : p == 0 && q == 0;
}

bool fits_gehrd(const Call &call) {
  const int32_t first = call.options[0], last = call.options[1];
  return fits_sytrd(call) && first >= 0 && first <= last && static_cast<size_t>(last) <= call.sizes['n'];
}
bool fits_geev(const Call &call) {
  const auto fits = [&](size_t size) { return size == 0 || size == call.sizes['n']; };
  return fits(call.sizes['p']) && fits(call.sizes['q']);
}

template <class T> struct All {
  static void potrf(const Call &call, Workspace &workspace) {
    *integers(call, 1) = linalg::potrf(array<T>(call, 0), call.sizes['n'], call.options[0] != 0, workspace);
  }
  static void getrf(const Call &call, Workspace &workspace) {
    *integers(call, 2) =
        linalg::getrf(array<T>(call, 0), call.sizes['m'], call.sizes['n'], integers(call, 1), workspace);
  }
  static void trsm(const Call &call, Workspace &workspace) {
    const int32_t *options = call.options;
    linalg::trsm(array<T>(call, 0), array<T>(call, 1), call.sizes['m'], call.sizes['n'],
                 {options[0] != 0, options[1] != 0, options[2] != 0, options[3] != 0, options[4] != 0}, workspace);
  }
  static void geqrf(const Call &call, Workspace &workspace) {
    linalg::geqrf(array<T>(call, 0), call.sizes['m'], call.sizes['n'], array<T>(call, 1), workspace);
  }
  static void geqp3(const Call &call, Workspace &workspace) {
    linalg::geqp3(array<T>(call, 0), call.sizes['m'], call.sizes['n'], integers(call, 1), array<T>(call, 2), workspace);
  }
  static void orgqr(const Call &call, Workspace &workspace) {
    linalg::orgqr(array<T>(call, 0), call.sizes['m'], call.sizes['n'], array<T>(call, 1), call.sizes['r'], workspace);
  }
  static void ormqr(const Call &call, Workspace &workspace) {
    linalg::ormqr(array<T>(call, 0), call.sizes['s'], call.sizes['r'], array<T>(call, 1), array<T>(call, 2),
                  call.sizes['m'], call.sizes['n'], call.options[0] != 0, call.options[1] != 0, workspace);
  }
  static void gtsv(const Call &call, Workspace &workspace) {
    *integers(call, 4) = linalg::gtsv(array<T>(call, 0), array<T>(call, 1), array<T>(call, 2), array<T>(call, 3),
                                      call.sizes['n'], call.sizes['c'], call.options[0] != 0, workspace);
  }
  // Routines of f64 only.
  static void sytrd(const Call &call, Workspace &workspace) {
    linalg::sytrd(array<T>(call, 0), call.sizes['n'], array<double>(call, 1), array<double>(call, 2), array<T>(call, 3),
                  workspace);
  }
  static void syevd(const Call &call, Workspace &workspace) {
    *integers(call, 2) = linalg::syevd(array<T>(call, 0), call.sizes['n'], array<double>(call, 1), call.options[0] != 0,
                                       call.options[1] != 0, workspace);
  }
  static void gesvd(const Call &call, Workspace &workspace) {
    const bool has_vectors = call.options[0] != 0;
    *integers(call, 4) =
        linalg::gesvd(array<T>(call, 0), call.sizes['m'], call.sizes['n'], array<double>(call, 1),
                      has_vectors ? array<T>(call, 2) : nullptr, call.sizes['p'], array<T>(call, 3), call.sizes['q'], workspace);
  }
  static void gehrd(const Call &call, Workspace &workspace) {
    linalg::gehrd(array<T>(call, 0), call.sizes['n'], static_cast<size_t>(call.options[0]),
                  static_cast<size_t>(call.options[1]), array<T>(call, 1), workspace);
  }
  static void gees(const Call &call, Workspace &workspace) {
    *integers(call, 3) = linalg::gees(array<T>(call, 0), array<T>(call, 1), array<Complex<double>>(call, 2),
                                      call.sizes['n'], workspace);
  }
  static void geev(const Call &call, Workspace &workspace) {
    *integers(call, 4) = linalg::geev(array<T>(call, 0), array<Complex<double>>(call, 1),
                                      call.sizes['p'] ? array<Complex<double>>(call, 2) : nullptr,
                                      call.sizes['q'] ? array<Complex<double>>(call, 3) : nullptr, call.sizes['n'], workspace);
  }
};

using Run = void (*)(const Call &, Workspace &);

struct Row {
  Routine routine;
  Run f32, f64, c64, c128;
};

#define HLOKIT_ROW(name, shapes, options, fits)                                                                        \
  {{#name, shapes, options, true, fits}, All<float>::name, All<double>::name, All<Complex<float>>::name,              \
   All<Complex<double>>::name}

#define HLOKIT_WIDE_ROW(name, shapes, options, fits)                                                                   \
  {{#name, shapes, options, false, fits}, nullptr, All<double>::name, nullptr, All<Complex<double>>::name}

constexpr Row rows[] = {
    HLOKIT_ROW(potrf, "Tnn I", 1, nullptr),
    HLOKIT_ROW(getrf, "Tmn Ik I", 0, nullptr),
    HLOKIT_ROW(trsm, "tss Tmn", 5, fits_trsm),
    HLOKIT_ROW(geqrf, "Tmn Tk", 0, nullptr),
    HLOKIT_ROW(geqp3, "Tmn In Tk", 0, nullptr),
    HLOKIT_ROW(orgqr, "Tmn tr", 0, fits_orgqr),
    HLOKIT_ROW(ormqr, "tsr tr Tmn", 2, fits_ormqr),
    HLOKIT_ROW(gtsv, "tn tn tn Tnc I", 1, nullptr),
    HLOKIT_WIDE_ROW(sytrd, "Tnn Rn Re Te", 0, fits_sytrd),
    HLOKIT_WIDE_ROW(syevd, "Tnn Rn I", 2, nullptr),
    HLOKIT_WIDE_ROW(gesvd, "Tmn Rk Tmp Tqn I", 1, fits_gesvd),
    HLOKIT_WIDE_ROW(gehrd, "Tnn Te", 2, fits_gehrd),
    HLOKIT_WIDE_ROW(gees, "Tnn Tnn Cn I", 0, nullptr),
    HLOKIT_WIDE_ROW(geev, "Tnn Cn Cpn Cqn I", 0, fits_geev),
};

Run run_of(const Routine &routine, ElementType type) {
  const Row &row = *std::find_if(std::begin(rows), std::end(rows), [&](const Row &one) { return &one.routine == &routine; });
  return type == ElementType::f32   ? row.f32
         : type == ElementType::f64 ? row.f64
         : type == ElementType::c64 ? row.c64
                                    : row.c128;
}

// The number of products from which on threads pay, and the number of parts of a stack for each thread.
constexpr double least_work = 50000;
constexpr size_t parts_per_thread = 4;

} // namespace

std::vector<ArrayShape> shapes_of(const Routine &routine, ElementType type) {
  const bool is_wide = type == ElementType::f64 || type == ElementType::c128;
  const auto type_of = [&](char letter) {
    switch (letter) {
    case 'T':
    case 't':
      return type;
    case 'R':
    case 'r':
      return is_wide ? ElementType::f64 : ElementType::f32;
    case 'C':
    case 'c':
      return is_wide ? ElementType::c128 : ElementType::c64;
    default:
      return ElementType::i32;
    }
  };
  std::vector<ArrayShape> result;
  std::string_view rest = routine.shapes;
  while (!rest.empty()) {
    const std::string_view array = rest.substr(0, rest.find(' '));
    result.push_back({type_of(array[0]), array[0] < 'a', array.substr(1)});
    rest.remove_prefix(std::min(rest.size(), array.size() + 1));
  }
  return result;
}

bool has_kernel(const Routine &routine, ElementType type) {
  const bool is_narrow = type == ElementType::f32 || type == ElementType::c64;
  return (is_narrow && routine.has_narrow) || type == ElementType::f64 || type == ElementType::c128;
}

bool SizeTable::set(char letter, size_t size) {
  size_t &known = sizes_.of[letter - 'a'];
  bool &is_known = is_known_[letter - 'a'];
  if (letter == 'k' ? size != std::min(sizes_['m'], sizes_['n']) : is_known && known != size)
    return false;
  known = size;
  is_known = true;
  return true;
}

const Routine *find_routine(std::string_view name) {
  for (const Row &row : rows)
    if (name == row.routine.name)
      return &row.routine;
  return nullptr;
}

const Routine *routine_at(size_t number) { return number < std::size(rows) ? &rows[number].routine : nullptr; }

double work_of(const Routine &routine, const Sizes &sizes) {
  double product = 1, largest = 0;
  for (const size_t size : sizes.of) {
    product *= size > 1 ? double(size) : 1;
    largest = std::max(largest, double(size));
  }
  const double cube = largest * largest * largest;
  return std::max(product, routine.has_narrow ? cube : 4 * cube); // iterations
}

void run(const Routine &routine, ElementType type, const Stacks &stacks, const Call &shape, size_t threads) {
  const Run run_one = run_of(routine, type);
  const double work = double(stacks.count) * work_of(routine, shape.sizes);
  const size_t parts = stacks.count > 1 && work > least_work ? std::min(stacks.count, threads * parts_per_thread) : 1;
  std::atomic<bool> failed{false};
  const auto run_part = [&](size_t part) {
    try {
      Workspace workspace(parts == 1 ? threads : 1);
      Call call = shape;
      for (size_t i = stacks.count * part / parts; i < stacks.count * (part + 1) / parts && !should_stop(); ++i) {
        for (size_t each = 0; each < most_arrays; ++each)
          call.arrays[each] = stacks.arrays[each] + i * stacks.strides[each];
        run_one(call, workspace);
      }
    } catch (const std::bad_alloc &) {
      failed = true;
    }
  };
  if (parts == 1)
    run_part(0);
  else
    in_parallel(parts, threads, run_part);
  if (failed)
    throw std::bad_alloc();
}

} // namespace hlokit::linalg
