// Accelerations of bodies by all others, whose positions pass through shared memory.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::nbody_problem;

__global__ void accelerate(const float4 *bodies, float *accelerations, int n) {
  __shared__ float4 tile[problem::group_size];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 body = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += problem::group_size) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < problem::group_size; j++) {
      const float4 other = tile[j];
      const float dx = other.x - body.x, dy = other.y - body.y, dz = other.z - body.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + problem::softening);
      const float strength = other.w * inverse * inverse * inverse;
      ax += strength * dx;
      ay += strength * dy;
      az += strength * dz;
    }
    __syncthreads();
  }
  accelerations[3 * i] = ax;
  accelerations[3 * i + 1] = ay;
  accelerations[3 * i + 2] = az;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const auto *bodies = reinterpret_cast<const float4 *>(to_device(p.bodies));
  float *accelerations = allocate<float>(std::size_t(3) * p.n);

  const auto run = [&] { accelerate<<<p.n / problem::group_size, problem::group_size>>>(bodies, accelerations, p.n); };
  programs::report("nbody", run, wait,
                   [&] { return programs::checksum(to_host(accelerations, std::size_t(3) * p.n)); });
}
