// The wave equation in two dimensions.
#include "../problems.hpp"

using problem = programs::wave_problem;

int main(int argc, char **argv) {
  problem p(programs::is_small(argc, argv));
  const int width = p.width, height = p.height;

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
#pragma omp parallel for
      for (int y = 1; y < height - 1; y++) {
        const float *u = &p.now[y * width];
        float *v = &p.before[y * width];
#pragma omp simd
        for (int x = 1; x < width - 1; x++) {
          const float bend = u[x - 1] + u[x + 1] + u[x - width] + u[x + width] - 4 * u[x];
          v[x] = 2 * u[x] - v[x] + problem::speed * bend;
        }
      }
      p.now.swap(p.before);
    }
  };
  programs::report("wave", run, [] {}, [&] { return programs::checksum(p.now); });
}
