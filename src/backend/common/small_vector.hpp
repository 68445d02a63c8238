// A vector with inline storage for its first elements.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace dpep::backend {

template <class T, std::size_t inline_capacity> class small_vector {
public:
  small_vector() = default;
  small_vector(small_vector &&other) noexcept : size_(std::exchange(other.size_, 0)), heap_(std::move(other.heap_)) {
    inline_ = std::move(other.inline_);
    other.heap_.clear();
  }
  small_vector &operator=(small_vector &&) = delete;

  void push_back(T value) {
    if (size_ < inline_capacity)
      inline_[size_] = std::move(value);
    else
      heap_.push_back(std::move(value));
    ++size_;
  }
  std::size_t size() const noexcept { return size_; }
  T &operator[](std::size_t i) noexcept { return i < inline_capacity ? inline_[i] : heap_[i - inline_capacity]; }
  const T &operator[](std::size_t i) const noexcept {
    return i < inline_capacity ? inline_[i] : heap_[i - inline_capacity];
  }

private:
  std::size_t size_ = 0;
  std::array<T, inline_capacity> inline_{};
  std::vector<T> heap_;  // elements beyond inline_capacity
};

}  // namespace dpep::backend
