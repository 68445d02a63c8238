// Matrix product: tiles of both operands in local memory, a work-item computes several elements of a column.
#include "launch.hpp"

namespace {

constexpr int tile = MATMUL_TILE, per_item = MATMUL_ROWS_PER_ITEM;

void matmul(const bench::arguments &arguments) {
  const float *a = arguments.buffer<float>(0), *b = arguments.buffer<float>(1);
  float *c = arguments.buffer<float>(2);
  const std::int64_t n = arguments.sizes[0];
  bench::queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<float, 2> a_tile({tile * per_item, tile}, h), b_tile({tile, tile}, h);
    h.parallel_for(bench::groups2(arguments), [=](sycl::nd_item<2> item) {
      const std::size_t x = item.get_local_id(1), y = item.get_local_id(0);
      const std::size_t column = item.get_global_id(1), first = item.get_group(0) * tile * per_item;
      float sum[per_item] = {};
      for (std::int64_t k = 0; k < n; k += tile) {
        for (int r = 0; r < per_item; r++) a_tile[r * tile + y][x] = a[(first + r * tile + y) * n + k + x];
        b_tile[y][x] = b[(k + y) * n + column];
        sycl::group_barrier(item.get_group());
        for (int i = 0; i < tile; i++)
          for (int r = 0; r < per_item; r++) sum[r] += a_tile[r * tile + y][i] * b_tile[i][x];
        sycl::group_barrier(item.get_group());
      }
      for (int r = 0; r < per_item; r++) c[(first + r * tile + y) * n + column] = sum[r];
    });
  });
  bench::finish();
}

bench::kernel registered("matmul", matmul);

}  // namespace
