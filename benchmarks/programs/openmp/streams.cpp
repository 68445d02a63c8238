// Chains of short loops on independent arrays, a chain for each thread.
#include "../problems.hpp"

using problem = programs::streams_problem;

// Not inlined: each call stands for a kernel, and g++ would fuse two of them.
__attribute__((noinline)) static void halve_and_add(float *values, int n, float addend) {
#pragma omp simd
  for (int i = 0; i < n; i++) values[i] = 0.5f * values[i] + addend;
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> values = p.values;

  const auto run = [&] {
#pragma omp parallel for
    for (int k = 0; k < problem::queues; k++)
      for (int step = 0; step < problem::steps; step++) halve_and_add(&values[k * p.n], p.n, 0.5f * (k + 1));
  };
  programs::report("streams", run, [] {}, [&] { return programs::checksum(values); });
}
