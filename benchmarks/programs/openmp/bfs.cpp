// Breadth-first search by levels: a queue of vertices for each thread.
#include <omp.h>

#include "../problems.hpp"

using problem = programs::bfs_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const int n = p.vertices;
  std::vector<int> distances(n), frontier(n), next(n);

  const auto run = [&] {
    std::fill(distances.begin(), distances.end(), -1);
    distances[0] = frontier[0] = 0;
    int count = 1;
    for (int level = 1; count; level++) {
      int found = 0;
#pragma omp parallel
      {
        std::vector<int> mine;
#pragma omp for schedule(dynamic, 256)
        for (int f = 0; f < count; f++) {
          const int vertex = frontier[f];
          for (int k = p.first[vertex]; k < p.first[vertex + 1]; k++) {
            int *distance = &distances[p.targets[k]], unvisited = -1;
            if (*distance == -1 &&
                __atomic_compare_exchange_n(distance, &unvisited, level, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
              mine.push_back(p.targets[k]);
          }
        }
        int start;
#pragma omp atomic capture
        {
          start = found;
          found += int(mine.size());
        }
        std::copy(mine.begin(), mine.end(), next.begin() + start);
      }
      frontier.swap(next);
      count = found;
    }
  };
  programs::report("bfs", run, [] {}, [&] { return programs::checksum(distances); });
}
