// The wave equation in two dimensions, with 2-D blocks.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::wave_problem;

__global__ void advance(const float *u, float *v, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
  const int i = y * width + x;
  const float bend = u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - 4 * u[i];
  v[i] = 2 * u[i] - v[i] + problem::speed * bend;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  float *now = to_device(p.now), *before = to_device(p.before);
  const dim3 group(problem::group_width, problem::group_height);
  const dim3 groups(p.width / problem::group_width, p.height / problem::group_height);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      advance<<<groups, group>>>(now, before, p.width, p.height);
      std::swap(now, before);
    }
  };
  programs::report("wave", run, wait, [&] { return programs::checksum(to_host(now, p.now.size())); });
}
