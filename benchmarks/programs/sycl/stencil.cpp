// A stencil of seven points in three dimensions, with buffers and a 3-D nd_range.
#include <utility>

#include "../problems.hpp"

#include <sycl/sycl.hpp>

using problem = programs::stencil_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q;
  const int n = p.n;
  const sycl::range<3> size(n, n, n), group(problem::group_z, problem::group_y, problem::group_x);
  sycl::buffer<float, 3> from(p.values.data(), size), to(p.values.data(), size);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      q.submit([&](sycl::handler &h) {
        const sycl::accessor in(from, h, sycl::read_only);
        const sycl::accessor out(to, h, sycl::read_write);
        h.parallel_for(sycl::nd_range<3>(size, group), [=](sycl::nd_item<3> item) {
          const int x = item.get_global_id(2), y = item.get_global_id(1), z = item.get_global_id(0);
          if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
            out[z][y][x] =
                problem::centre * in[z][y][x] + problem::beside * (in[z][y][x - 1] + in[z][y][x + 1] + in[z][y - 1][x] +
                                                                   in[z][y + 1][x] + in[z - 1][y][x] + in[z + 1][y][x]);
        });
      });
      std::swap(from, to);
    }
  };
  programs::report(
      "stencil", run, [&] { q.wait(); },
      [&] { return programs::checksum(&sycl::host_accessor(from)[0][0][0], from.size()); });
}
