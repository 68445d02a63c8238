// Smoothing of a mesh: each vertex moves towards the mean of its neighbours, given by lists.
#include "../problems.hpp"

using problem = programs::smoothing_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<float> positions = p.positions, moved = p.positions;

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      const float *from = positions.data();
      float *to = moved.data();
#pragma omp parallel for
      for (int i = 0; i < p.vertices; i++) {
        const int begin = p.first[i], end = p.first[i + 1];
        float x = 0, y = 0, z = 0;
        for (int k = begin; k < end; k++) {
          const int j = p.neighbours[k];
          x += from[3 * j];
          y += from[3 * j + 1];
          z += from[3 * j + 2];
        }
        const float scale = problem::strength / (end - begin);
        to[3 * i] = (1 - problem::strength) * from[3 * i] + scale * x;
        to[3 * i + 1] = (1 - problem::strength) * from[3 * i + 1] + scale * y;
        to[3 * i + 2] = (1 - problem::strength) * from[3 * i + 2] + scale * z;
      }
      positions.swap(moved);
    }
  };
  programs::report("smoothing", run, [] {}, [&] { return programs::checksum(positions); });
}
