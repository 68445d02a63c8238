// American put options by a binomial tree, updated in place: a node reads only itself and its neighbour.
#include <algorithm>

#include "formulas.hpp"
#include "library.hpp"

namespace {

void binomial(const bench::arguments &a) {
  const float *spots = a.buffer<float>(0), *strikes = a.buffer<float>(1), *years = a.buffer<float>(2);
  float *puts = a.buffer<float>(3);
#pragma omp parallel for
  for (std::int64_t option = 0; option < a.sizes[0]; option++) {
    const bench::binomial_step step(years[option]);
    const float strike = strikes[option], up = step.up, down = step.down, ratio = step.price_ratio;
    alignas(64) float price[BINOMIAL_STEPS + 1], value[BINOMIAL_STEPS + 1];
#pragma omp simd
    for (int i = 0; i <= BINOMIAL_STEPS; i++) {
      price[i] = step.leaf_price(spots[option], i);
      value[i] = std::max(strike - price[i], 0.0f);
    }
    for (int t = BINOMIAL_STEPS; t > 0; t--) {
#pragma omp simd
      for (int i = 0; i < t; i++) {
        price[i] *= ratio;
        value[i] = std::max(up * value[i + 1] + down * value[i], strike - price[i]);
      }
    }
    puts[option] = value[0];
  }
}

bench::kernel registered("binomial", binomial);

}  // namespace
