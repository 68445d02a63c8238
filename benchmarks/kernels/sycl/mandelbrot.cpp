// The Mandelbrot set: a divergent loop, which work-items leave at different times.
#include "launch.hpp"

namespace {

void mandelbrot(const bench::arguments &a) {
  std::int32_t *counts = a.buffer<std::int32_t>(0);
  const std::int64_t width = a.sizes[0], height = a.sizes[1];
  bench::queue().parallel_for(bench::range2(a), [=](sycl::id<2> pixel) {
    const float cr = 3.0f * static_cast<float>(pixel[1]) / static_cast<float>(width) - 2.25f;
    const float ci = 2.5f * static_cast<float>(pixel[0]) / static_cast<float>(height) - 1.25f;
    float zr = 0, zi = 0;
    int n = 0;
    for (; n < MANDELBROT_LIMIT; n++) {
      const float rr = zr * zr, ii = zi * zi;
      if (rr + ii > 4.0f) break;
      zi = 2 * zr * zi + ci;
      zr = rr - ii + cr;
    }
    counts[pixel[0] * width + pixel[1]] = n;
  });
  bench::finish();
}

bench::kernel registered("mandelbrot", mandelbrot);

}  // namespace
