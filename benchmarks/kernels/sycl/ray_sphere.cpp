// The first sphere of a list that each ray hits: a loop that a work-item leaves when it has found one.
#include "formulas.hpp"
#include "launch.hpp"

namespace {

void ray_sphere(const bench::arguments &a) {
  const sycl::float4 *spheres = a.buffer<sycl::float4>(0);
  std::int32_t *hits = a.buffer<std::int32_t>(1);
  const std::int64_t width = a.sizes[0], height = a.sizes[1], count = a.sizes[2];
  bench::queue().parallel_for(bench::range2(a), [=](sycl::id<2> pixel) {
    const float x = bench::ray_direction(pixel[1], width), y = bench::ray_direction(pixel[0], height);
    std::int32_t found = -1;
    for (std::int64_t s = 0; s < count; s++) {
      const sycl::float4 sphere = spheres[s];
      if (bench::ray_hits(x, y, 1, sphere.x(), sphere.y(), sphere.z(), sphere.w())) {
        found = static_cast<std::int32_t>(s);
        break;
      }
    }
    hits[pixel[0] * width + pixel[1]] = found;
  });
  bench::finish();
}

bench::kernel registered("ray_sphere", ray_sphere);

}  // namespace
