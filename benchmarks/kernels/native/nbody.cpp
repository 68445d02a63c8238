// Gravity between all bodies: a structure of arrays, in blocks of bodies that fit the first-level cache.
#include <algorithm>
#include <cmath>
#include <vector>

#include "library.hpp"

namespace {

void nbody(const bench::arguments &a) {
  const float *bodies = a.buffer<float>(0);
  float *acceleration = a.buffer<float>(1);
  const std::int64_t n = a.sizes[0];
  std::vector<float> arrays(4 * n);
  float *const xs = arrays.data(), *const ys = xs + n, *const zs = ys + n, *const masses = zs + n;
  for (std::int64_t i = 0; i < n; i++) {
    xs[i] = bodies[4 * i];
    ys[i] = bodies[4 * i + 1];
    zs[i] = bodies[4 * i + 2];
    masses[i] = bodies[4 * i + 3];
  }
  constexpr std::int64_t target_block = 64, source_block = 2048;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t block = 0; block < n; block += target_block) {
    const std::int64_t end = std::min(block + target_block, n);
    for (std::int64_t i = 4 * block; i < 4 * end; i++) acceleration[i] = 0;
    for (std::int64_t from = 0; from < n; from += source_block) {
      const std::int64_t to = std::min(from + source_block, n);
      for (std::int64_t i = block; i < end; i++) {
        const float x = xs[i], y = ys[i], z = zs[i];
        float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (std::int64_t j = from; j < to; j++) {
          const float dx = xs[j] - x, dy = ys[j] - y, dz = zs[j] - z;
          const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + NBODY_SOFTENING);
          const float strength = masses[j] * inverse * inverse * inverse;
          ax += strength * dx;
          ay += strength * dy;
          az += strength * dz;
        }
        acceleration[4 * i] += ax;
        acceleration[4 * i + 1] += ay;
        acceleration[4 * i + 2] += az;
      }
    }
  }
}

bench::kernel registered("nbody", nbody);

}  // namespace
