// Kernel density estimation: samples are transposed block by block in the first-level cache.
#include <bit>
#include <cmath>

#include "library.hpp"

namespace {

constexpr int dimensions = KDE_DIMENSIONS, points = KDE_POINTS, block = KDE_GROUP * KDE_SAMPLES_PER_ITEM;
constexpr int part = 512;  // number of samples that are transposed at once

/// exp(x) for x <= 0, without branches: most results here are far below the least float, and libmvec processes such
/// elements one by one. x = n log 2 + r with an integer n; a Taylor polynomial of degree 6 in |r| < 0.35, whose next
/// term is below 2e-7 of the result; n is added to the exponent.
inline float exp_negative(float x) {
  const float above = x > -87.0f ? x : -87.0f, n = std::nearbyint(above * 1.44269504f);
  const float r = (above - n * 0.693145752f) - n * 1.42860677e-6f;  // log 2 as the sum of two floats
  const float p = 1 + r * (1 + r * (1 / 2.f + r * (1 / 6.f + r * (1 / 24.f + r * (1 / 120.f + r * (1 / 720.f))))));
  const std::int32_t exponent = static_cast<std::int32_t>(n) * (1 << 23);
  const float scaled = std::bit_cast<float>(std::bit_cast<std::int32_t>(p) + exponent);
  return x > -87.0f ? scaled : 0.0f;
}

void kde(const bench::arguments &a) {
  const float *samples = a.buffer<float>(0), *y = a.buffer<float>(1);
  float *sums = a.buffer<float>(2);
#pragma omp parallel for
  for (std::int64_t b = 0; b < a.sizes[0] / block; b++) {
    alignas(64) float x[dimensions][part];
    float total[points] = {};
    for (int first = 0; first < block; first += part) {
      const float *rows = samples + (b * block + first) * dimensions;
      for (int i = 0; i < part; i++)
        for (int k = 0; k < dimensions; k++) x[k][i] = rows[i * dimensions + k];
      for (int j = 0; j < points; j++) {
        const float *p = y + j * dimensions;
        const float y0 = p[0], y1 = p[1], y2 = p[2], y3 = p[3], y4 = p[4], y5 = p[5], y6 = p[6];
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < part; i++) {
          const float d0 = x[0][i] - y0, d1 = x[1][i] - y1, d2 = x[2][i] - y2, d3 = x[3][i] - y3, d4 = x[4][i] - y4,
                      d5 = x[5][i] - y5, d6 = x[6][i] - y6;
          sum += exp_negative(KDE_EXPONENT * (d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6));
        }
        total[j] += sum;
      }
    }
    for (int j = 0; j < points; j++) sums[b * points + j] = total[j];
  }
}

bench::kernel registered("kde", kde);

}  // namespace
