// Bilinear interpolation of a Bayer mosaic of bytes, a thread for each pixel in 2-D blocks.
#include "../problems.hpp"
#include "memory.cuh"

using problem = programs::demosaic_problem;

__global__ void demosaic(const unsigned char *in, unsigned char *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
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
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  const unsigned char *mosaic = to_device(p.mosaic);
  unsigned char *image = allocate<unsigned char>(p.mosaic.size() * 3);
  const dim3 group(problem::group_width, problem::group_height);
  const dim3 groups(p.width / problem::group_width, p.height / problem::group_height);

  const auto run = [&] { demosaic<<<groups, group>>>(mosaic, image, p.width, p.height); };
  programs::report("demosaic", run, wait, [&] { return programs::checksum(to_host(image, p.mosaic.size() * 3)); });
}
