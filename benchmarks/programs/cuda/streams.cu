// Chains of short kernels on independent arrays, each chain on its own stream.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::streams_problem;

__global__ void halve_and_add(float *values, float addend) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 0.5f * values[i] + addend;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<cudaStream_t> streams(problem::queues);
  for (cudaStream_t &stream : streams) check(cudaStreamCreate(&stream));
  float *values = to_device(p.values);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++)
      for (int k = 0; k < problem::queues; k++)
        halve_and_add<<<p.n / problem::group_size, problem::group_size, 0, streams[k]>>>(values + k * p.n,
                                                                                         0.5f * (k + 1));
  };
  const auto wait_for_streams = [&] {
    check(cudaGetLastError());
    for (cudaStream_t stream : streams) check(cudaStreamSynchronize(stream));
  };
  programs::report("streams", run, wait_for_streams,
                   [&] { return programs::checksum(to_host(values, p.values.size())); });
}
