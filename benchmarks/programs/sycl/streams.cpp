// Chains of short kernels on independent arrays, each chain on its own queue.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::streams_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<sycl::queue> queues;
  for (int k = 0; k < problem::queues; k++) queues.emplace_back(sycl::property::queue::in_order());
  float *values = to_device(queues[0], p.values);
  const int n = p.n;

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++)
      for (int k = 0; k < problem::queues; k++) {
        float *mine = values + k * n;
        const float addend = 0.5f * (k + 1);
        queues[k].parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
          const int i = item.get_global_id(0);
          mine[i] = 0.5f * mine[i] + addend;
        });
      }
  };
  const auto wait = [&] {
    for (sycl::queue &q : queues) q.wait();
  };
  programs::report("streams", run, wait,
                   [&] { return programs::checksum(to_host(queues[0], values, p.values.size())); });
}
