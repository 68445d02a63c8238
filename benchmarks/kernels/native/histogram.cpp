// A histogram of bytes for each block, in four tables: increments for equal neighbours are then independent.
#include "library.hpp"

namespace {

void histogram(const bench::arguments &a) {
  constexpr std::int64_t bins = HISTOGRAM_BINS, block = bins * HISTOGRAM_PER_ITEM;
  const std::uint8_t *values = a.buffer<std::uint8_t>(0);
  std::uint32_t *counts = a.buffer<std::uint32_t>(1);
#pragma omp parallel for
  for (std::int64_t b = 0; b < a.sizes[0] / block; b++) {
    std::uint32_t table[4][bins] = {};
    for (std::int64_t i = b * block; i < (b + 1) * block; i += 4)
      for (int t = 0; t < 4; t++) table[t][values[i + t]]++;
    for (int bin = 0; bin < bins; bin++)
      counts[b * bins + bin] = table[0][bin] + table[1][bin] + table[2][bin] + table[3][bin];
  }
}

bench::kernel registered("histogram", histogram);

}  // namespace
