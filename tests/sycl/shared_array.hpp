// Arrays in shared USM memory, freed at the end of the test.
#pragma once

#include <algorithm>
#include <vector>

#include <sycl/sycl.hpp>

template <class T> class shared_array {
public:
  /// Zero-initialised elements.
  shared_array(std::size_t count, const sycl::queue &q)
      : queue_(q), memory_(sycl::malloc_shared<T>(count, q)), count_(count) {
    std::fill_n(memory_, count, T());
  }
  /// A copy of the vector.
  shared_array(const std::vector<T> &from, const sycl::queue &q) : shared_array(from.size(), q) {
    std::copy(from.begin(), from.end(), memory_);
  }
  ~shared_array() {
    queue_.wait();
    sycl::free(memory_, queue_);
  }
  shared_array(const shared_array &) = delete;
  shared_array &operator=(const shared_array &) = delete;

  T *get() const { return memory_; }
  T &operator[](std::size_t i) const { return memory_[i]; }
  std::size_t size() const { return count_; }
  std::vector<T> values() const { return {memory_, memory_ + count_}; }

private:
  sycl::queue queue_;
  T *memory_;
  std::size_t count_;
};
