// Counts of numbers in few bins, with atomics in shared memory.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::bins_problem;

__global__ void count_bins(const float *values, int *counts, int n) {
  __shared__ int bins[problem::bin_count];
  if (threadIdx.x < problem::bin_count) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[int(values[i] * problem::bin_count)], 1);
  __syncthreads();
  if (threadIdx.x < problem::bin_count) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const float *values = to_device(p.values);
  int *counts = allocate<int>(problem::bin_count);

  const auto run = [&] {
    cudaMemsetAsync(counts, 0, problem::bin_count * sizeof(int));
    count_bins<<<problem::groups, problem::group_size>>>(values, counts, p.n);
  };
  programs::report("bins", run, wait, [&] { return programs::checksum(to_host(counts, problem::bin_count)); });
}
