// The first sphere of a list that each ray hits, in packets of rays: the search for a packet ends once all its rays
// have hit one.
#include "formulas.hpp"
#include "library.hpp"

namespace {

void ray_sphere(const bench::arguments &a) {
  const float *spheres = a.buffer<float>(0);
  std::int32_t *hits = a.buffer<std::int32_t>(1);
  const std::int64_t width = a.sizes[0], height = a.sizes[1], count = a.sizes[2];
  constexpr int packet = 32;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t row = 0; row < height; row++) {
    const float y = bench::ray_direction(row, height);
    for (std::int64_t first = 0; first < width; first += packet) {
      float x[packet];
      std::int32_t sphere[packet];
      for (int l = 0; l < packet; l++) {
        x[l] = bench::ray_direction(first + l, width);
        sphere[l] = -1;
      }
      for (std::int64_t s = 0; s < count; s++) {
        const float cx = spheres[4 * s], cy = spheres[4 * s + 1], cz = spheres[4 * s + 2], r = spheres[4 * s + 3];
        std::int32_t looking = 0;
#pragma omp simd reduction(+ : looking)
        for (int l = 0; l < packet; l++) {
          const bool hit = bench::ray_hits(x[l], y, 1, cx, cy, cz, r);
          sphere[l] = sphere[l] < 0 && hit ? static_cast<std::int32_t>(s) : sphere[l];
          looking += sphere[l] < 0;
        }
        if (!looking) break;
      }
      for (int l = 0; l < packet; l++) hits[row * width + first + l] = sphere[l];
    }
  }
}

bench::kernel registered("ray_sphere", ray_sphere);

}  // namespace
