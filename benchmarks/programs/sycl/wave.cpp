// The wave equation in two dimensions, with buffers and a 2-D nd_range.
#include <utility>

#include "../problems.hpp"

#include <sycl/sycl.hpp>

using problem = programs::wave_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q;
  const int width = p.width, height = p.height;
  const sycl::range<2> size(height, width);
  sycl::buffer<float, 2> now(p.now.data(), size), before(p.before.data(), size);

  const auto run = [&] {
    for (int step = 0; step < problem::steps; step++) {
      q.submit([&](sycl::handler &h) {
        const sycl::accessor u(now, h, sycl::read_only);
        const sycl::accessor v(before, h, sycl::read_write);
        h.parallel_for(sycl::nd_range<2>(size, sycl::range<2>(problem::group_height, problem::group_width)),
                       [=](sycl::nd_item<2> item) {
                         const int y = item.get_global_id(0), x = item.get_global_id(1);
                         if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
                         const float bend = u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x] - 4 * u[y][x];
                         v[y][x] = 2 * u[y][x] - v[y][x] + problem::speed * bend;
                       });
      });
      std::swap(now, before);
    }
  };
  programs::report(
      "wave", run, [&] { q.wait(); }, [&] { return programs::checksum(&sycl::host_accessor(now)[0][0], now.size()); });
}
