// Kernel density estimation: samples are transposed block by block in the first-level cache.
#include <cmath>

#include "library.hpp"

namespace {

constexpr int dimensions = KDE_DIMENSIONS, points = KDE_POINTS, block = KDE_GROUP * KDE_SAMPLES_PER_ITEM;
constexpr int part = 512;  // what is transposed at once

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
          sum += std::exp(KDE_EXPONENT * (d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 + d6 * d6));
        }
        total[j] += sum;
      }
    }
    for (int j = 0; j < points; j++) sums[b * points + j] = total[j];
  }
}

bench::kernel registered("kde", kde);

}  // namespace
