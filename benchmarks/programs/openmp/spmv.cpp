// A sparse matrix by a vector.
#include "../problems.hpp"

using problem = programs::spmv_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> y(p.rows);

  const auto run = [&] {
#pragma omp parallel for
    for (int row = 0; row < p.rows; row++) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = p.first[row]; k < p.first[row + 1]; k++) sum += p.values[k] * p.x[p.columns[k]];
      y[row] = sum;
    }
  };
  programs::report("spmv", run, [] {}, [&] { return programs::checksum(y); });
}
