// A 5 x 5 filter over a padded image.
#include "library.hpp"

namespace {

void stencil(const bench::arguments &a) {
  constexpr int diameter = 2 * STENCIL_RADIUS + 1;
  const float *image = a.buffer<float>(0), *weights = a.buffer<float>(1);
  float *result = a.buffer<float>(2);
  const std::int64_t width = a.sizes[0], height = a.sizes[1], padded = width + 2 * STENCIL_RADIUS;
  float w[diameter][diameter];
  for (int i = 0; i < diameter * diameter; i++) w[i / diameter][i % diameter] = weights[i];
#pragma omp parallel for
  for (std::int64_t y = 0; y < height; y++) {
    const float *rows = image + y * padded;
    float *out = result + y * width;
#pragma omp simd
    for (std::int64_t x = 0; x < width; x++) {
      float sum = 0;
#pragma GCC unroll 5
      for (int dy = 0; dy < diameter; dy++)
#pragma GCC unroll 5
        for (int dx = 0; dx < diameter; dx++) sum += w[dy][dx] * rows[dy * padded + x + dx];
      out[x] = sum;
    }
  }
}

bench::kernel registered("stencil", stencil);

}  // namespace
