// The softmax of each row.
#include "../problems.hpp"

using problem = programs::softmax_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> results(p.values.size());

  const auto run = [&] {
#pragma omp parallel for
    for (int i = 0; i < p.rows; i++) {
      const float *row = &p.values[std::size_t(i) * p.columns];
      float *result = &results[std::size_t(i) * p.columns];
      float largest = -INFINITY, sum = 0;
#pragma omp simd reduction(max : largest)
      for (int k = 0; k < p.columns; k++) largest = std::max(largest, row[k]);
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < p.columns; k++) sum += result[k] = std::exp(row[k] - largest);
      const float scale = 1 / sum;
#pragma omp simd
      for (int k = 0; k < p.columns; k++) result[k] *= scale;
    }
  };
  programs::report("softmax", run, [] {}, [&] { return programs::checksum(results); });
}
