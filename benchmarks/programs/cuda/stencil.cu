// A stencil of seven points in three dimensions, with 3-D blocks.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::stencil_problem;

__global__ void advance(const float *in, float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int plane = n * n, i = z * plane + y * n + x;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
    out[i] = problem::centre * in[i] +
             problem::beside * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int n = p.n;
  float *from = to_device(p.values), *to = to_device(p.values);
  const dim3 group(problem::group_x, problem::group_y, problem::group_z);
  const dim3 groups(n / problem::group_x, n / problem::group_y, n / problem::group_z);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      advance<<<groups, group>>>(from, to, n);
      std::swap(from, to);
    }
  };
  programs::report("stencil", run, wait, [&] { return programs::checksum(to_host(from, p.values.size())); });
}
