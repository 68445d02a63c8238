// A sum for each block of elements: a tree in local memory.
#include "launch.hpp"

namespace {

void reduction(const bench::arguments &a) {
  const float *values = a.buffer<float>(0);
  float *sums = a.buffer<float>(1);
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<float> tree(REDUCE_GROUP, h);
    h.parallel_for(bench::groups1(a), [=](sycl::nd_item<1> item) {
      const std::size_t me = item.get_local_id(0), group = item.get_group(0);
      float sum = 0;
      for (int k = 0; k < REDUCE_PER_ITEM; k++) sum += values[(group * REDUCE_PER_ITEM + k) * REDUCE_GROUP + me];
      tree[me] = sum;
      for (std::size_t half = REDUCE_GROUP / 2; half > 0; half /= 2) {
        sycl::group_barrier(item.get_group());
        if (me < half) tree[me] += tree[me + half];
      }
      if (me == 0) sums[group] = tree[0];
    });
  });
  bench::finish();
}

bench::kernel registered("reduction", reduction);

}  // namespace
