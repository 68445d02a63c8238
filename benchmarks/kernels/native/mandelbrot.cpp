// The Mandelbrot set, in packets of pixels: a packet iterates until its last pixel has escaped.
#include "library.hpp"

namespace {

void mandelbrot(const bench::arguments &a) {
  std::int32_t *counts = a.buffer<std::int32_t>(0);
  const std::int64_t width = a.sizes[0], height = a.sizes[1];
  constexpr int packet = 32;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t row = 0; row < height; row++) {
    const float ci = 2.5f * static_cast<float>(row) / static_cast<float>(height) - 1.25f;
    for (std::int64_t first = 0; first < width; first += packet) {
      float cr[packet], zr[packet], zi[packet];
      std::int32_t count[packet];
      for (int l = 0; l < packet; l++) {
        cr[l] = 3.0f * static_cast<float>(first + l) / static_cast<float>(width) - 2.25f;
        zr[l] = zi[l] = 0;
        count[l] = 0;
      }
      for (int n = 0; n < MANDELBROT_LIMIT; n++) {
        std::int32_t inside = 0;
#pragma omp simd reduction(+ : inside)
        for (int l = 0; l < packet; l++) {
          const float rr = zr[l] * zr[l], ii = zi[l] * zi[l];
          const std::int32_t here = rr + ii <= 4.0f;
          zi[l] = 2 * zr[l] * zi[l] + ci;
          zr[l] = rr - ii + cr[l];
          count[l] += here;
          inside += here;
        }
        if (!inside) break;
      }
      for (int l = 0; l < packet; l++) counts[row * width + first + l] = count[l];
    }
  }
}

bench::kernel registered("mandelbrot", mandelbrot);

}  // namespace
