// Chains of short loops on independent arrays, a chain for each thread.
#include "../problems.hpp"

using problem = programs::streams_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> values = p.values;

  const auto run = [&] {
#pragma omp parallel for
    for (int k = 0; k < problem::queues; k++)
      for (int step = 0; step < problem::steps; step++) {
        float *mine = values.data() + k * p.n;
        const float addend = 0.5f * (k + 1);
#pragma omp simd
        for (int i = 0; i < p.n; i++) mine[i] = 0.5f * mine[i] + addend;
      }
  };
  programs::report("streams", run, [] {}, [&] { return programs::checksum(values); });
}
