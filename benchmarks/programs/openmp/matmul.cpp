// The product of two matrices, in blocks of four rows by 64 columns.
#include "../problems.hpp"

using problem = programs::matmul_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int n = p.n;
  std::vector<float> product(p.a.size());

  const auto run = [&] {
#pragma omp parallel for collapse(2)
    for (int j = 0; j < n; j += 64)
      for (int i = 0; i < n; i += 4) {
        float sums[4][64] = {};
        for (int k = 0; k < n; k++)
          for (int r = 0; r < 4; r++)
#pragma omp simd
            for (int c = 0; c < 64; c++) sums[r][c] += p.a[(i + r) * n + k] * p.b[k * n + j + c];
        for (int r = 0; r < 4; r++)
          for (int c = 0; c < 64; c++) product[(i + r) * n + j + c] = sums[r][c];
      }
  };
  programs::report("matmul", run, [] {}, [&] { return programs::checksum(product); });
}
