// The product of two matrices, with tiles in local memory and buffers.
#include "../problems.hpp"

#include <sycl/sycl.hpp>

using problem = programs::matmul_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  constexpr int tile = problem::tile;
  sycl::queue q;
  const int n = p.n;
  const sycl::range<2> size(n, n);
  sycl::buffer<float, 2> left(p.a.data(), size), right(p.b.data(), size), product(size);

  const auto run = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::accessor a(left, h, sycl::read_only), b(right, h, sycl::read_only);
      const sycl::accessor c(product, h, sycl::write_only, sycl::no_init);
      const sycl::local_accessor<float, 2> a_tile({tile, tile}, h), b_tile({tile, tile}, h);
      h.parallel_for(sycl::nd_range<2>(size, {tile, tile}), [=](sycl::nd_item<2> item) {
        const int row = item.get_local_id(0), column = item.get_local_id(1);
        const int i = item.get_global_id(0), j = item.get_global_id(1);
        float sum = 0;
        for (int k = 0; k < n; k += tile) {
          a_tile[row][column] = a[i][k + column];
          b_tile[row][column] = b[k + row][j];
          item.barrier(sycl::access::fence_space::local_space);
          for (int m = 0; m < tile; m++) sum += a_tile[row][m] * b_tile[m][column];
          item.barrier(sycl::access::fence_space::local_space);
        }
        c[i][j] = sum;
      });
    });
  };
  programs::report(
      "matmul", run, [&] { q.wait(); },
      [&] { return programs::checksum(&sycl::host_accessor(product)[0][0], product.size()); });
}
