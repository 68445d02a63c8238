// A 5 x 5 filter over a padded image: a work-group's tile and its halo in local memory.
#include "launch.hpp"

namespace {

constexpr int halo = 2 * STENCIL_RADIUS, diameter = halo + 1;
constexpr int tile_width = STENCIL_WIDTH + halo, tile_height = STENCIL_HEIGHT + halo;

void stencil(const bench::arguments &a) {
  const float *image = a.buffer<float>(0), *weights = a.buffer<float>(1);
  float *result = a.buffer<float>(2);
  const std::int64_t width = a.sizes[0], padded = width + halo;
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<float, 2> tile({tile_height, tile_width}, h);
    h.parallel_for(bench::groups2(a), [=](sycl::nd_item<2> item) {
      const std::size_t x = item.get_local_id(1), y = item.get_local_id(0);
      const float *corner = image + item.get_group(0) * STENCIL_HEIGHT * padded + item.get_group(1) * STENCIL_WIDTH;
      for (std::size_t row = y; row < tile_height; row += STENCIL_HEIGHT)
        for (std::size_t column = x; column < tile_width; column += STENCIL_WIDTH)
          tile[row][column] = corner[row * padded + column];
      sycl::group_barrier(item.get_group());
      float sum = 0;
      for (int dy = 0; dy < diameter; dy++)
        for (int dx = 0; dx < diameter; dx++) sum += weights[dy * diameter + dx] * tile[y + dy][x + dx];
      result[item.get_global_id(0) * width + item.get_global_id(1)] = sum;
    });
  });
  bench::finish();
}

bench::kernel registered("stencil", stencil);

}  // namespace
