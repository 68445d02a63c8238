// Chains of fused multiply-adds in registers, of floats and of doubles.
#include "../problems.hpp"

using problem = programs::fma_problem;

template <class T> void multiply_add(const T *values, T *results, int n) {
  constexpr int together = 64 / sizeof(T);
#pragma omp parallel for
  for (int i = 0; i < n; i += together) {
    T factors[together], addends[together], chains[problem::chains][together];
    for (int j = 0; j < together; j++) {
      factors[j] = T(0.5) + T(0.25) * values[i + j];
      addends[j] = T(1) - values[i + j];
      for (int k = 0; k < problem::chains; k++) chains[k][j] = T(k);
    }
    for (int round = 0; round < problem::rounds; round++)
      for (int k = 0; k < problem::chains; k++)
#pragma omp simd
        for (int j = 0; j < together; j++) chains[k][j] = chains[k][j] * factors[j] + addends[j];
    for (int j = 0; j < together; j++) {
      T sum = 0;
      for (int k = 0; k < problem::chains; k++) sum += chains[k][j];
      results[i + j] = sum;
    }
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> singles(p.n);
  std::vector<double> doubles(p.n);

  const auto run = [&] {
    multiply_add(p.singles.data(), singles.data(), p.n);
    multiply_add(p.doubles.data(), doubles.data(), p.n);
  };
  programs::report("fma", run, [] {}, [&] { return programs::checksum(singles) + programs::checksum(doubles); });
}
