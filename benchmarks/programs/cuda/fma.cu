// Chains of fused multiply-adds in registers, of floats and of doubles.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::fma_problem;

template <class T> __global__ void multiply_add(const T *values, T *results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T factor = T(0.5) + T(0.25) * values[i], addend = T(1) - values[i];
  T chains[problem::chains];
  for (int k = 0; k < problem::chains; k++) chains[k] = T(k);
  for (int round = 0; round < problem::rounds; round++)
    for (int k = 0; k < problem::chains; k++) chains[k] = fma(chains[k], factor, addend);
  T sum = 0;
  for (int k = 0; k < problem::chains; k++) sum += chains[k];
  results[i] = sum;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const float *singles = to_device(p.singles);
  const double *doubles = to_device(p.doubles);
  float *single_results = allocate<float>(p.n);
  double *double_results = allocate<double>(p.n);

  const auto run = [&] {
    multiply_add<<<p.n / problem::group_size, problem::group_size>>>(singles, single_results);
    multiply_add<<<p.n / problem::group_size, problem::group_size>>>(doubles, double_results);
  };
  programs::report("fma", run, wait, [&] {
    return programs::checksum(to_host(single_results, p.n)) + programs::checksum(to_host(double_results, p.n));
  });
}
