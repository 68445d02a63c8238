// A stencil of seven points in three dimensions.
#include "../problems.hpp"

using problem = programs::stencil_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int n = p.n, plane = n * n;
  std::vector<float> from = p.values, to = p.values;

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
#pragma omp parallel for collapse(2)
      for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++) {
          const float *in = &from[z * plane + y * n];
          float *out = &to[z * plane + y * n];
#pragma omp simd
          for (int x = 1; x < n - 1; x++)
            out[x] = problem::centre * in[x] +
                     problem::beside * (in[x - 1] + in[x + 1] + in[x - n] + in[x + n] + in[x - plane] + in[x + plane]);
        }
      from.swap(to);
    }
  };
  programs::report("stencil", run, [] {}, [&] { return programs::checksum(from); });
}
