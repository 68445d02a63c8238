// A sparse matrix by a vector, a row for each thread.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::spmv_problem;

__global__ void multiply(const int *first, const int *columns, const float *values, const float *x, float *y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = first[row]; k < first[row + 1]; k++) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int *first = to_device(p.first), *columns = to_device(p.columns);
  const float *values = to_device(p.values), *x = to_device(p.x);
  float *y = allocate<float>(p.rows);

  const auto run = [&] {
    multiply<<<p.rows / problem::group_size, problem::group_size>>>(first, columns, values, x, y);
  };
  programs::report("spmv", run, wait, [&] { return programs::checksum(to_host(y, p.rows)); });
}
