// A sum for each block of elements.
#include "library.hpp"

namespace {

void reduction(const bench::arguments &a) {
  constexpr std::int64_t block = REDUCE_GROUP * REDUCE_PER_ITEM;
  const float *values = a.buffer<float>(0);
  float *sums = a.buffer<float>(1);
#pragma omp parallel for
  for (std::int64_t b = 0; b < a.sizes[0] / block; b++) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < block; i++) sum += values[b * block + i];
    sums[b] = sum;
  }
}

bench::kernel registered("reduction", reduction);

}  // namespace
