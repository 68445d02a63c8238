// A histogram of bytes for each work-group's block: atomics on local memory.
#include "launch.hpp"

namespace {

using counter = sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                                 sycl::access::address_space::local_space>;

void histogram(const bench::arguments &a) {
  const std::uint8_t *values = a.buffer<std::uint8_t>(0);
  std::uint32_t *counts = a.buffer<std::uint32_t>(1);
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<std::uint32_t> bins(HISTOGRAM_BINS, h);
    h.parallel_for(bench::groups1(a), [=](sycl::nd_item<1> item) {
      const std::size_t me = item.get_local_id(0), group = item.get_group(0);
      bins[me] = 0;
      sycl::group_barrier(item.get_group());
      for (int k = 0; k < HISTOGRAM_PER_ITEM; k++)
        counter(bins[values[(group * HISTOGRAM_PER_ITEM + k) * HISTOGRAM_BINS + me]]).fetch_add(1);
      sycl::group_barrier(item.get_group());
      counts[item.get_global_id(0)] = bins[me];
    });
  });
  bench::finish();
}

bench::kernel registered("histogram", histogram);

}  // namespace
