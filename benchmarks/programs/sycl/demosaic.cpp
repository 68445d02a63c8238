// Bilinear interpolation of a Bayer mosaic of bytes, a work-item for each pixel in a 2-D nd_range; with buffers.
#include "../problems.hpp"

#include <sycl/sycl.hpp>

using problem = programs::demosaic_problem;

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q;
  const int width = p.width, height = p.height;
  sycl::buffer<unsigned char> mosaic(p.mosaic.data(), p.mosaic.size()), image{sycl::range<1>(p.mosaic.size() * 3)};

  const auto run = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::accessor in(mosaic, h, sycl::read_only);
      const sycl::accessor out(image, h, sycl::write_only, sycl::no_init);
      h.parallel_for(
          sycl::nd_range<2>(sycl::range<2>(height, width), sycl::range<2>(problem::group_height, problem::group_width)),
          [=](sycl::nd_item<2> item) {
            const int x = item.get_global_id(1), y = item.get_global_id(0);
            const int left = x ? x - 1 : 1, right = x < width - 1 ? x + 1 : width - 2;
            const int above = (y ? y - 1 : 1) * width, below = (y < height - 1 ? y + 1 : height - 2) * width;
            const int here = y * width;
            const int centre = in[here + x];
            const int across = (in[here + left] + in[here + right] + 1) / 2;
            const int upright = (in[above + x] + in[below + x] + 1) / 2;
            const int cross = (in[here + left] + in[here + right] + in[above + x] + in[below + x] + 2) / 4;
            const int corners = (in[above + left] + in[above + right] + in[below + left] + in[below + right] + 2) / 4;
            int red, green, blue;
            if (y % 2 == 0 && x % 2 == 0) {
              red = centre, green = cross, blue = corners;
            } else if (y % 2 == 0) {
              red = across, green = centre, blue = upright;
            } else if (x % 2 == 0) {
              red = upright, green = centre, blue = across;
            } else {
              red = corners, green = cross, blue = centre;
            }
            out[3 * (here + x)] = red;
            out[3 * (here + x) + 1] = green;
            out[3 * (here + x) + 2] = blue;
          });
    });
  };
  programs::report(
      "demosaic", run, [&] { q.wait(); },
      [&] { return programs::checksum(sycl::host_accessor(image).get_pointer(), image.size()); });
}
