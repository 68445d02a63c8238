// Edit distances of pairs of words, a pair for each work-item, with a row of the table in private memory.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::edit_distance_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const unsigned char *words = to_device(q, p.words), *others = to_device(q, p.others);
  int *distances = sycl::malloc_device<int>(p.pairs, q);

  const auto run = [&] {
    q.parallel_for(sycl::nd_range<1>(p.pairs, problem::group_size), [=](sycl::nd_item<1> item) {
      const int pair = item.get_global_id(0);
      const unsigned char *word = words + pair * problem::length, *other = others + pair * problem::length;
      int row[problem::length + 1];
      for (int j = 0; j <= problem::length; j++) row[j] = j;
      for (int i = 0; i < problem::length; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < problem::length; j++) {
          const int changed = diagonal + (word[i] != other[j]);
          diagonal = row[j + 1];
          row[j + 1] = sycl::min(sycl::min(row[j], diagonal) + 1, changed);
        }
      }
      distances[pair] = row[problem::length];
    });
  };
  programs::report(
      "edit_distance", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, distances, p.pairs)); });
}
