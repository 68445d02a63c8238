// The softmax of each row, a block for each.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::softmax_problem;

struct larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct add {
  __device__ float operator()(float a, float b) const { return a + b; }
};

/// Combines a value of each thread by shuffles in warps, then in shared memory. All threads get the result.
template <class Operation> __device__ float reduce_block(float value, float neutral, Operation combine) {
  __shared__ float of_warps[problem::group_size / 32];
  for (int distance = 16; distance; distance /= 2) value = combine(value, __shfl_xor_sync(~0u, value, distance));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = neutral;
  for (int i = 0; i < problem::group_size / 32; i++) value = combine(value, of_warps[i]);
  __syncthreads();
  return value;
}

__global__ void softmax(const float *values, float *results, int columns) {
  const float *row = values + std::size_t(blockIdx.x) * columns;
  float *result = results + std::size_t(blockIdx.x) * columns;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += problem::group_size) largest = fmaxf(largest, row[i]);
  largest = reduce_block(largest, -INFINITY, larger());
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += problem::group_size) sum += expf(row[i] - largest);
  sum = reduce_block(sum, 0, add());
  for (int i = threadIdx.x; i < columns; i += problem::group_size) result[i] = expf(row[i] - largest) / sum;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const float *values = to_device(p.values);
  float *results = allocate<float>(p.values.size());

  const auto run = [&] { softmax<<<p.rows, problem::group_size>>>(values, results, p.columns); };
  programs::report("softmax", run, wait, [&] { return programs::checksum(to_host(results, p.values.size())); });
}
