// Counts of numbers in few bins, with atomics in local memory.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::bins_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const float *values = to_device(q, p.values);
  int *counts = sycl::malloc_device<int>(problem::bin_count, q);
  const int n = p.n;

  const auto run = [&] {
    q.memset(counts, 0, problem::bin_count * sizeof(int));
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<int> bins(problem::bin_count, h);
      h.parallel_for(sycl::nd_range<1>(problem::groups * problem::group_size, problem::group_size),
                     [=](sycl::nd_item<1> item) {
                       const int local = item.get_local_id(0);
                       if (local < problem::bin_count) bins[local] = 0;
                       sycl::group_barrier(item.get_group());
                       for (int i = item.get_global_id(0); i < n; i += item.get_global_range(0)) {
                         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                          sycl::access::address_space::local_space>
                         bin(bins[int(values[i] * problem::bin_count)]);
                         bin.fetch_add(1);
                       }
                       sycl::group_barrier(item.get_group());
                       if (local < problem::bin_count) {
                         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                          sycl::access::address_space::global_space>
                             count(counts[local]);
                         count.fetch_add(bins[local]);
                       }
                     });
    });
  };
  programs::report(
      "bins", run, [&] { q.wait(); }, [&] { return programs::checksum(to_host(q, counts, problem::bin_count)); });
}
