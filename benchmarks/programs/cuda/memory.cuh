// Copies between vectors and device memory.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

inline void wait() {
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
}

template <class T> T *allocate(std::size_t n) {
  void *memory = nullptr;
  check(cudaMalloc(&memory, n * sizeof(T)));
  return static_cast<T *>(memory);
}

/// Device memory with the values of a vector.
template <class T> T *to_device(const std::vector<T> &values) {
  T *const memory = allocate<T>(values.size());
  check(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T> std::vector<T> to_host(const T *memory, std::size_t n) {
  std::vector<T> values(n);
  check(cudaMemcpy(values.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
