// Sorts blocks by a bitonic network, sixteen at once: each vector lane has a block, so that no shuffles are needed.
#include <algorithm>

#include "library.hpp"

namespace {

constexpr int segment = BITONIC_SEGMENT, lanes = 16;

void sort_segments(std::int32_t (*keys)[lanes]) {
  for (int run = 2; run <= segment; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2)
      for (int low = 0; low < segment; low++) {
        if (low & distance) continue;
        std::int32_t *const first = keys[low & run ? low + distance : low];
        std::int32_t *const second = keys[low & run ? low : low + distance];
#pragma omp simd
        for (int l = 0; l < lanes; l++) {
          const std::int32_t x = first[l], y = second[l];
          first[l] = std::min(x, y);
          second[l] = std::max(x, y);
        }
      }
}

void bitonic(const bench::arguments &a) {
  const std::int32_t *values = a.buffer<std::int32_t>(0);
  std::int32_t *sorted = a.buffer<std::int32_t>(1);
#pragma omp parallel for
  for (std::int64_t block = 0; block < a.sizes[0]; block += segment * lanes) {
    alignas(64) std::int32_t keys[segment][lanes];
    for (int l = 0; l < lanes; l++)
      for (int i = 0; i < segment; i++) keys[i][l] = values[block + l * segment + i];
    sort_segments(keys);
    for (int l = 0; l < lanes; l++)
      for (int i = 0; i < segment; i++) sorted[block + l * segment + i] = keys[i][l];
  }
}

bench::kernel registered("bitonic", bitonic);

}  // namespace
