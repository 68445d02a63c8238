// Edit distances of pairs of words, with a row of the table for each.
#include "../problems.hpp"

using problem = programs::edit_distance_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<int> distances(p.pairs);

  const auto run = [&] {
#pragma omp parallel for
    for (int pair = 0; pair < p.pairs; pair++) {
      const unsigned char *word = &p.words[pair * problem::length], *other = &p.others[pair * problem::length];
      int row[problem::length + 1];
      for (int j = 0; j <= problem::length; j++) row[j] = j;
      for (int i = 0; i < problem::length; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < problem::length; j++) {
          const int changed = diagonal + (word[i] != other[j]);
          diagonal = row[j + 1];
          row[j + 1] = std::min(std::min(row[j], diagonal) + 1, changed);
        }
      }
      distances[pair] = row[problem::length];
    }
  };
  programs::report("edit_distance", run, [] {}, [&] { return programs::checksum(distances); });
}
