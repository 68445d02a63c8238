// The product of two matrices, with tiles in shared memory.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::matmul_problem;

constexpr int tile = problem::tile;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int row = threadIdx.y, column = threadIdx.x;
  const int i = blockIdx.y * tile + row, j = blockIdx.x * tile + column;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    a_tile[row][column] = a[i * n + k + column];
    b_tile[row][column] = b[(k + row) * n + j];
    __syncthreads();
    for (int m = 0; m < tile; m++) sum += a_tile[row][m] * b_tile[m][column];
    __syncthreads();
  }
  c[i * n + j] = sum;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const float *a = to_device(p.a), *b = to_device(p.b);
  float *c = allocate<float>(p.a.size());
  const dim3 group(tile, tile), groups(p.n / tile, p.n / tile);

  const auto run = [&] { multiply<<<groups, group>>>(a, b, c, p.n); };
  programs::report("matmul", run, wait, [&] { return programs::checksum(to_host(c, p.a.size())); });
}
