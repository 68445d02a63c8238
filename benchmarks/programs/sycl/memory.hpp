// Copies between vectors and device memory.
#pragma once

#include <vector>

#include <sycl/sycl.hpp>

/// Device memory with the values of a vector.
template <class T> T *to_device(sycl::queue &q, const std::vector<T> &values) {
  T *const memory = sycl::malloc_device<T>(values.size(), q);
  q.memcpy(memory, values.data(), values.size() * sizeof(T)).wait();
  return memory;
}

template <class T> std::vector<T> to_host(sycl::queue &q, const T *memory, std::size_t n) {
  std::vector<T> values(n);
  q.memcpy(values.data(), memory, n * sizeof(T)).wait();
  return values;
}
