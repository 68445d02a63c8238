// American put options by a binomial tree: a work-group for each option, a work-item for each node of the current
// level.
#include "formulas.hpp"
#include "launch.hpp"

namespace {

void binomial(const bench::arguments &a) {
  const float *spots = a.buffer<float>(0), *strikes = a.buffer<float>(1), *years = a.buffer<float>(2);
  float *puts = a.buffer<float>(3);
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<float> values(BINOMIAL_STEPS + 2, h);
    h.parallel_for(bench::groups1(a), [=](sycl::nd_item<1> item) {
      const std::size_t option = item.get_group(0);
      const int me = static_cast<int>(item.get_local_id(0));
      const bench::binomial_step step(years[option]);
      const float strike = strikes[option];
      float price = step.leaf_price(spots[option], me), value = sycl::fmax(strike - price, 0.0f);
      for (int level = BINOMIAL_STEPS; level > 0; level--) {
        values[me] = value;
        sycl::group_barrier(item.get_group());
        if (me < level) {
          price *= step.price_ratio;
          value = sycl::fmax(step.up * values[me + 1] + step.down * value, strike - price);
        }
        sycl::group_barrier(item.get_group());
      }
      if (me == 0) puts[option] = value;
    });
  });
  bench::finish();
}

bench::kernel registered("binomial", binomial);

}  // namespace
