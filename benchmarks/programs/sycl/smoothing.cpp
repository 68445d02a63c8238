// Smoothing of a mesh: each vertex moves towards the mean of its neighbours, given by lists.
#include <utility>

#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::smoothing_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const int *first = to_device(q, p.first), *neighbours = to_device(q, p.neighbours);
  float *from = to_device(q, p.positions), *to = to_device(q, p.positions);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      q.parallel_for(sycl::nd_range<1>(p.vertices, problem::group_size), [=](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0);
        const int begin = first[i], end = first[i + 1];
        float x = 0, y = 0, z = 0;
        for (int k = begin; k < end; k++) {
          const int j = neighbours[k];
          x += from[3 * j];
          y += from[3 * j + 1];
          z += from[3 * j + 2];
        }
        const float scale = problem::strength / (end - begin);
        to[3 * i] = (1 - problem::strength) * from[3 * i] + scale * x;
        to[3 * i + 1] = (1 - problem::strength) * from[3 * i + 1] + scale * y;
        to[3 * i + 2] = (1 - problem::strength) * from[3 * i + 2] + scale * z;
      });
      std::swap(from, to);
    }
  };
  programs::report(
      "smoothing", run, [&] { q.wait(); },
      [&] { return programs::checksum(to_host(q, from, std::size_t(3) * p.vertices)); });
}
