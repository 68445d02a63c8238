// Edit distances of pairs of words, a pair for each thread, with a row of the table in local memory.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::edit_distance_problem;

__global__ void measure(const unsigned char *words, const unsigned char *others, int *distances) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char *word = words + pair * problem::length, *other = others + pair * problem::length;
  int row[problem::length + 1];
  for (int j = 0; j <= problem::length; j++) row[j] = j;
  for (int i = 0; i < problem::length; i++) {
    int diagonal = row[0];
    row[0] = i + 1;
    for (int j = 0; j < problem::length; j++) {
      const int changed = diagonal + (word[i] != other[j]);
      diagonal = row[j + 1];
      row[j + 1] = min(min(row[j], diagonal) + 1, changed);
    }
  }
  distances[pair] = row[problem::length];
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const unsigned char *words = to_device(p.words), *others = to_device(p.others);
  int *distances = allocate<int>(p.pairs);

  const auto run = [&] { measure<<<p.pairs / problem::group_size, problem::group_size>>>(words, others, distances); };
  programs::report("edit_distance", run, wait, [&] { return programs::checksum(to_host(distances, p.pairs)); });
}
