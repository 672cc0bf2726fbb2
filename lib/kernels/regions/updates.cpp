// The updates of combinations.h.
#include <string.h>

#include "kernels/elements/arithmetic.h"
#include "kernels/regions/combinations.h"
#include "kernels/regions/combined_types.h"
#include "support/compiler.h"

namespace hlokit::regions {
namespace {

// A result as an element. Elements that a scatter does not update keep their bits, so no later step can make NaNs
// canonical. NaNs are rare: a branch takes less time than a select, for which the next update of the same element would
// wait.
template <class T> HLOKIT_INLINE void store_canonical(T &to, Value<T> value) {
  to = Element<T>::store(value);
  if constexpr (is_float<Value<T>>)
    if (HLOKIT_UNLIKELY(value != value))
      to = Element<T>::store(CanonicalNan<Value<T>>::of(value));
}

template <class T> HLOKIT_INLINE T canonical(T value) {
  if constexpr (is_float<T>)
    return CanonicalNan<T>::of(value);
  else
    return value;
}

template <template <class> class Op, class T>
void scatter(void *result, const int64_t *places, const void *updates, size_t count, size_t width) {
  using V = Value<T>;
  auto *HLOKIT_RESTRICT rows = static_cast<T *>(result);
  auto *HLOKIT_RESTRICT from = static_cast<const T *>(updates);
  if (width == 1) {
    for (size_t i = 0; i < count; ++i)
      if (places[i] >= 0) {
        T &to = rows[places[i]];
        store_canonical<T>(to, Op<V>::of(Element<T>::load(to), Element<T>::load(from[i])));
      }
    return;
  }
  for (size_t i = 0; i < count; ++i, from += width) {
    if (places[i] < 0)
      continue;
    T *HLOKIT_RESTRICT row = rows + static_cast<size_t>(places[i]) * width;
    for (size_t j = 0; j < width; ++j)
      row[j] = Element<T>::store(canonical(Op<V>::of(Element<T>::load(row[j]), Element<T>::load(from[j]))));
  }
}

template <class T>
void replace(void *result, const int64_t *places, const void *updates, size_t count, size_t width) {
  auto *rows = static_cast<T *>(result);
  auto *from = static_cast<const T *>(updates);
  if (width == 1) {
    for (size_t i = 0; i < count; ++i)
      if (places[i] >= 0)
        rows[places[i]] = from[i];
    return;
  }
  for (size_t i = 0; i < count; ++i)
    if (places[i] >= 0)
      memcpy(rows + static_cast<size_t>(places[i]) * width, from + i * width, width * sizeof(T));
}

template <template <class> class Op, class T>
void finish(void *result, const void *partials, const void *init, size_t count) {
  using P = Partial<Op, T>;
  auto *to = static_cast<T *>(result);
  auto *from = static_cast<const P *>(partials);
  const P first = load<P>(*static_cast<const T *>(init));
  for (size_t i = 0; i < count; ++i)
    to[i] = rounded_to<T>(Op<P>::of(first, from[i]));
}

template <template <class> class Op, class T> constexpr Update update(const char *name, ElementType type) {
  return {name, type, sizeof(T), scatter<Op, T>, finish<Op, T>};
}
template <class T> constexpr Update replacement(const char *name, ElementType type) {
  return {name, type, sizeof(T), replace<T>, nullptr};
}

const Update table[] = {
#define HLOKIT_COMBINATION(name, type, Op, T) update<Op, T>(name, ElementType::type),
#define HLOKIT_REPLACEMENT(name, type, T) replacement<T>(name, ElementType::type),
#include "kernels/regions/combinations.inc"
};

} // namespace

UpdateTable updates() { return {table, sizeof table / sizeof *table}; }

} // namespace hlokit::regions
