// Counts of numbers in few bins: each thread has its own.
#include "../problems.hpp"

using problem = programs::bins_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  int counts[problem::bin_count];

  const auto run = [&] {
    std::fill(counts, counts + problem::bin_count, 0);
#pragma omp parallel for reduction(+ : counts)
    for (int i = 0; i < p.n; i++) counts[int(p.values[i] * problem::bin_count)]++;
  };
  programs::report("bins", run, [] {}, [&] { return programs::checksum(counts, problem::bin_count); });
}
