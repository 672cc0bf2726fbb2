// A vector that allocates memory for more than N elements only.
#pragma once

#include <stddef.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace hlokit {

template <class T, size_t N> class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  SmallVector() = default;
  SmallVector(std::initializer_list<T> elements) : SmallVector(elements.begin(), elements.end()) {}
  SmallVector(const T *begin, const T *end) {
    for (const T *each = begin; each != end; ++each)
      push_back(*each);
  }

  void push_back(const T &value) {
    if (size_ < N) {
      few_[size_] = value;
    } else {
      const T copy = value; // because `value` may be an element
      if (size_ == N)
        many_.assign(few_, few_ + N);
      many_.push_back(copy);
    }
    ++size_;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *data() { return size_ > N ? many_.data() : few_; }
  const T *data() const { return size_ > N ? many_.data() : few_; }
  T *begin() { return data(); }
  const T *begin() const { return data(); }
  T *end() { return data() + size_; }
  const T *end() const { return data() + size_; }
  T &operator[](size_t index) { return data()[index]; }
  const T &operator[](size_t index) const { return data()[index]; }
  T &back() { return data()[size_ - 1]; }
  const T &back() const { return data()[size_ - 1]; }

  friend bool operator==(const SmallVector &a, const SmallVector &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  size_t size_ = 0;
  T few_[N]{};
  std::vector<T> many_; // all elements, if there are more than N
};

} // namespace hlokit
