// Inclusive prefix sums within work-groups by Hillis and Steele's algorithm, double-buffered in local memory.
#include "launch.hpp"

namespace {

void scan(const bench::arguments &a) {
  const std::int32_t *values = a.buffer<std::int32_t>(0);
  std::int32_t *sums = a.buffer<std::int32_t>(1);
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<std::int32_t, 2> partial({2, SCAN_GROUP}, h);
    h.parallel_for(bench::groups1(a), [=](sycl::nd_item<1> item) {
      const std::size_t me = item.get_local_id(0), i = item.get_global_id(0);
      std::int32_t sum = values[i];
      int now = 0;
      for (std::size_t distance = 1; distance < SCAN_GROUP; distance *= 2) {
        partial[now][me] = sum;
        sycl::group_barrier(item.get_group());
        if (me >= distance) sum += partial[now][me - distance];
        now = 1 - now;
      }
      sums[i] = sum;
    });
  });
  bench::finish();
}

bench::kernel registered("scan", scan);

}  // namespace
