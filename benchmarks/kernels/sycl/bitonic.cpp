// Sorts the block of each work-group by Batcher's bitonic network, with a work-item for each key.
#include "launch.hpp"

namespace {

void bitonic(const bench::arguments &a) {
  const std::int32_t *values = a.buffer<std::int32_t>(0);
  std::int32_t *sorted = a.buffer<std::int32_t>(1);
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<std::int32_t> keys(BITONIC_SEGMENT, h);
    h.parallel_for(bench::groups1(a), [=](sycl::nd_item<1> item) {
      const unsigned me = static_cast<unsigned>(item.get_local_id(0));
      std::int32_t key = values[item.get_global_id(0)];
      for (unsigned run = 2; run <= BITONIC_SEGMENT; run *= 2)
        for (unsigned distance = run / 2; distance > 0; distance /= 2) {
          keys[me] = key;
          sycl::group_barrier(item.get_group());
          const std::int32_t other = keys[me ^ distance];
          const bool lower = (me & distance) == 0, ascending = (me & run) == 0;
          key = lower == ascending ? sycl::min(key, other) : sycl::max(key, other);
          sycl::group_barrier(item.get_group());
        }
      sorted[item.get_global_id(0)] = key;
    });
  });
  bench::finish();
}

bench::kernel registered("bitonic", bitonic);

}  // namespace
