// Inclusive prefix sums within blocks.
#include "library.hpp"

namespace {

void scan(const bench::arguments &a) {
  const std::int32_t *values = a.buffer<std::int32_t>(0);
  std::int32_t *sums = a.buffer<std::int32_t>(1);
#pragma omp parallel for
  for (std::int64_t b = 0; b < a.sizes[0] / SCAN_GROUP; b++) {
    std::int32_t sum = 0;
    for (std::int64_t i = b * SCAN_GROUP; i < (b + 1) * SCAN_GROUP; i++) sums[i] = sum += values[i];
  }
}

bench::kernel registered("scan", scan);

}  // namespace
