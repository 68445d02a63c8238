// European options.
#include "formulas.hpp"
#include "library.hpp"

namespace {

void black_scholes(const bench::arguments &a) {
  const float *spot = a.buffer<float>(0), *strike = a.buffer<float>(1), *years = a.buffer<float>(2);
  float *call = a.buffer<float>(3), *put = a.buffer<float>(4);
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < a.sizes[0]; i++) {
    const bench::option_prices prices = bench::black_scholes(spot[i], strike[i], years[i]);
    call[i] = prices.call;
    put[i] = prices.put;
  }
}

bench::kernel registered("black_scholes", black_scholes);

}  // namespace
