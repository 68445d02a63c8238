// Smoothing of a mesh: each vertex moves towards the mean of its neighbours, given by lists.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::smoothing_problem;

__global__ void smooth(const int *first, const int *neighbours, const float *from, float *to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int begin = first[i], end = first[i + 1];
  float x = 0, y = 0, z = 0;
  for (int k = begin; k < end; k++) {
    const int j = neighbours[k];
    x += from[3 * j];
    y += from[3 * j + 1];
    z += from[3 * j + 2];
  }
  const float scale = problem::strength / (end - begin);
  to[3 * i] = (1 - problem::strength) * from[3 * i] + scale * x;
  to[3 * i + 1] = (1 - problem::strength) * from[3 * i + 1] + scale * y;
  to[3 * i + 2] = (1 - problem::strength) * from[3 * i + 2] + scale * z;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int *first = to_device(p.first), *neighbours = to_device(p.neighbours);
  float *from = to_device(p.positions), *to = to_device(p.positions);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      smooth<<<p.vertices / problem::group_size, problem::group_size>>>(first, neighbours, from, to);
      std::swap(from, to);
    }
  };
  programs::report("smoothing", run, wait,
                   [&] { return programs::checksum(to_host(from, std::size_t(3) * p.vertices)); });
}
