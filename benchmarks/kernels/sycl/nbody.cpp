// Gravity between all bodies: a work-item for each body loops over all. Reciprocal square roots are
// approximate (native::rsqrt), as in the hand-written code.
#include "launch.hpp"

namespace {

void nbody(const bench::arguments &a) {
  const sycl::float4 *bodies = a.buffer<sycl::float4>(0);
  sycl::float4 *acceleration = a.buffer<sycl::float4>(1);
  const std::int64_t n = a.sizes[0];
  bench::queue().parallel_for(bench::range1(a), [=](sycl::id<1> i) {
    const sycl::float4 me = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (std::int64_t j = 0; j < n; j++) {
      const sycl::float4 other = bodies[j];
      const float dx = other.x() - me.x(), dy = other.y() - me.y(), dz = other.z() - me.z();
      const float inverse = sycl::native::rsqrt(dx * dx + dy * dy + dz * dz + NBODY_SOFTENING);
      const float strength = other.w() * inverse * inverse * inverse;
      ax += strength * dx;
      ay += strength * dy;
      az += strength * dz;
    }
    acceleration[i] = sycl::float4(ax, ay, az, 0);
  });
  bench::finish();
}

bench::kernel registered("nbody", nbody);

}  // namespace
