// Breadth-first search, two kernels for each level.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::bfs_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const int n = p.vertices;
  const int *first = to_device(q, p.first), *targets = to_device(q, p.targets);
  int *distances = sycl::malloc_device<int>(n, q), *any = sycl::malloc_device<int>(1, q);
  auto *frontier = sycl::malloc_device<unsigned char>(n, q), *next = sycl::malloc_device<unsigned char>(n, q);
  auto *visited = sycl::malloc_device<unsigned char>(n, q);

  const auto run = [&] {
    q.parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0);
      distances[i] = i ? -1 : 0;
      frontier[i] = visited[i] = i == 0;
      next[i] = 0;
    });
    int more = 1;
    while (more) {
      more = 0;
      q.memcpy(any, &more, sizeof(int));
      q.parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0);
        if (frontier[i]) {
          frontier[i] = 0;
          for (int k = first[i]; k < first[i + 1]; k++) {
            const int target = targets[k];
            if (!visited[target]) {
              distances[target] = distances[i] + 1;
              next[target] = 1;
            }
          }
        }
      });
      q.parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
        const int i = item.get_global_id(0);
        if (next[i]) {
          frontier[i] = 1;
          visited[i] = 1;
          next[i] = 0;
          *any = 1;
        }
      });
      q.memcpy(&more, any, sizeof(int)).wait();
    }
  };
  programs::report("bfs", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, distances, n)); });
}
