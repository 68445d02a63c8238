// The rows of algorithms.cpp by CUB and Thrust, with temporary memory that is allocated once:
// nvcc -O3 -std=c++17 -arch=native cub.cu -o cub && ./cub ELEMENTS
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/transform.h>

struct larger {
  __host__ __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};
struct small {
  __host__ __device__ bool operator()(float a) const { return a < 0x800000; }
};
struct is_small {
  __host__ __device__ int operator()(float a) const { return a < 0x800000; }
};
struct scaled {
  __host__ __device__ float operator()(float a) const { return 2 * a + 1; }
};
struct descending {
  __host__ __device__ bool operator()(double a, double b) const { return a > b; }
};

template <class T> T *random_numbers(std::size_t n) {
  std::mt19937 generator(1);
  std::vector<T> made(n);
  for (T &x : made) x = static_cast<T>(generator() & 0xFFFFFF);
  T *device;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemcpy(device, made.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

/// Temporary memory, which grows to what the calls need.
struct {
  void *data = nullptr;
  std::size_t bytes = 0;

  /// Calls an algorithm of CUB: once for the bytes that it needs, and then with them.
  template <class F> void with(F &&call) {
    std::size_t needed = 0;
    call(nullptr, needed);
    if (needed > bytes) {
      cudaFree(data);
      cudaMalloc(&data, needed);
      bytes = needed;
    }
    call(data, needed);
  }
} temporary;

/// An allocator of Thrust's temporary memory that keeps what it got.
struct kept_memory {
  using value_type = char;
  std::multimap<std::ptrdiff_t, char *> free;
  std::map<char *, std::ptrdiff_t> used;

  char *allocate(std::ptrdiff_t n) {
    const auto found = free.lower_bound(n);
    char *data;
    if (found != free.end()) {
      n = found->first;
      data = found->second;
      free.erase(found);
    } else {
      cudaMalloc(&data, n);
    }
    used[data] = n;
    return data;
  }
  void deallocate(char *data, std::size_t) {
    free.emplace(used.at(data), data);
    used.erase(data);
  }
} kept;

int main(int argc, char **argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  float *const x = random_numbers<float>(n), *const y = random_numbers<float>(n);
  double *const d = random_numbers<double>(n), *const e = random_numbers<double>(n);
  int *const k = random_numbers<int>(n), *const l = random_numbers<int>(n);
  double *sum;
  cudaMalloc(&sum, 16);
  long *count;
  cudaMalloc(&count, 16);
  double found;
  const auto read = [&](const void *from, std::size_t bytes) { cudaMemcpy(&found, from, bytes, cudaMemcpyDeviceToHost); };
  const auto nothing = [] {};
  const auto copy_doubles = [&] { cudaMemcpy(e, d, n * sizeof *d, cudaMemcpyDeviceToDevice); };
  const auto copy_integers = [&] { cudaMemcpy(l, k, n * sizeof *k, cudaMemcpyDeviceToDevice); };
  const auto policy = thrust::cuda::par(kept);
  using call = std::function<void()>;
  const auto temporaries = [&](auto f) { return call([f] { temporary.with(f); }); };
  auto *const float_sum = reinterpret_cast<float *>(sum);
  const std::map<std::string, std::pair<call, call>> rows{
      {"reduce float", {nothing, [&] {
         temporary.with([&](void *t, std::size_t &b) { cub::DeviceReduce::Sum(t, b, x, float_sum, n); });
         read(sum, 4);
       }}},
      {"reduce double", {nothing, [&] {
         temporary.with([&](void *t, std::size_t &b) { cub::DeviceReduce::Sum(t, b, d, sum, n); });
         read(sum, 8);
       }}},
      {"reduce by a lambda", {nothing, [&] {
         temporary.with([&](void *t, std::size_t &b) {
           cub::DeviceReduce::Reduce(t, b, x, float_sum, n, larger(), 0.0f);
         });
         read(sum, 4);
       }}},
      {"transform_reduce", {nothing, [&] {
         found = thrust::inner_product(policy, x, x + n, y, 0.0f);
       }}},
      {"transform", {nothing, [&] { thrust::transform(policy, x, x + n, y, scaled()); }}},
      {"inclusive_scan float", {nothing, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceScan::InclusiveSum(t, b, x, y, n);
       })}},
      {"inclusive_scan double", {nothing, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceScan::InclusiveSum(t, b, d, e, n);
       })}},
      {"exclusive_scan by a lambda", {nothing, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceScan::ExclusiveScan(t, b, x, y, larger(), 0.0f, n);
       })}},
      {"copy_if", {nothing, [&] {
         temporary.with([&](void *t, std::size_t &b) { cub::DeviceSelect::If(t, b, x, y, count, n, small()); });
         read(count, 8);
       }}},
      {"count_if", {nothing, [&] {
         temporary.with([&](void *t, std::size_t &b) {
           cub::DeviceReduce::TransformReduce(t, b, x, reinterpret_cast<int *>(count), n, cuda::std::plus<int>(),
                                              is_small(), 0);
         });
         read(count, 4);
       }}},
      {"find, no match", {nothing, [&] { found = double(thrust::find(policy, x, x + n, -1.0f) - x); }}},
      {"max_element", {nothing, [&] {
         temporary.with([&](void *t, std::size_t &b) {
           cub::DeviceReduce::ArgMax(t, b, x, float_sum, count, n);
         });
         read(count, 8);
       }}},
      {"sort double", {copy_doubles, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceRadixSort::SortKeys(t, b, d, e, n);
       })}},
      {"sort int", {copy_integers, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceRadixSort::SortKeys(t, b, k, l, n);
       })}},
      {"sort by a lambda", {copy_doubles, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceMergeSort::SortKeys(t, b, e, n, descending());
       })}},
      {"stable_sort by a lambda", {copy_doubles, temporaries([=](void *t, std::size_t &b) {
         cub::DeviceMergeSort::StableSortKeys(t, b, e, n, descending());
       })}},
  };
  if (argc > 2) {  // the names
    for (const auto &[name, r] : rows) std::cout << name << "\n";
    return 0;
  }
  for (std::string name; std::getline(std::cin, name);) {
    const auto &[prepare, run] = rows.at(name);
    prepare();
    cudaDeviceSynchronize();
    const auto start = std::chrono::steady_clock::now();
    run();
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    std::cout << wall.count() << " " << wall.count() << std::endl;
  }
}
