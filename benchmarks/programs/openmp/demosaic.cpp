// Bilinear interpolation of a Bayer mosaic of bytes, by rows; inner pixels go in pairs, without conditions.
#include "../problems.hpp"

using problem = programs::demosaic_problem;
using byte = unsigned char;

/// Interpolates one pixel, whose neighbours are mirrored at the edges.
static void edge_pixel(const problem &p, int x, int y, byte *out) {
  const int left = x ? x - 1 : 1, right = x < p.width - 1 ? x + 1 : p.width - 2;
  const byte *row = &p.mosaic[y * p.width];
  const byte *above = &p.mosaic[(y ? y - 1 : 1) * p.width];
  const byte *below = &p.mosaic[(y < p.height - 1 ? y + 1 : p.height - 2) * p.width];
  const int across = (row[left] + row[right] + 1) / 2, upright = (above[x] + below[x] + 1) / 2;
  const int cross = (row[left] + row[right] + above[x] + below[x] + 2) / 4;
  const int corners = (above[left] + above[right] + below[left] + below[right] + 2) / 4;
  if (y % 2 == x % 2) {
    out[y % 2 ? 2 : 0] = row[x], out[1] = cross, out[y % 2 ? 0 : 2] = corners;
  } else {
    out[y % 2 ? 2 : 0] = across, out[1] = row[x], out[y % 2 ? 0 : 2] = upright;
  }
}

/// Interpolates the inner pixels of a row that has green pixels first, or others first.
template <bool green_first>
void inner_pixels(const byte *above, const byte *row, const byte *below, int width, byte *out) {
  constexpr int same = green_first ? 2 : 0, other = green_first ? 0 : 2;  // the colours of this row and of the next
#pragma omp simd
  for (int x = 1; x < width - 2; x += 2) {
    const int g = green_first ? x + 1 : x, c = green_first ? x : x + 1;
    byte *green = out + 3 * g, *coloured = out + 3 * c;
    green[same] = (row[g - 1] + row[g + 1] + 1) / 2;
    green[1] = row[g];
    green[other] = (above[g] + below[g] + 1) / 2;
    coloured[same] = row[c];
    coloured[1] = (row[c - 1] + row[c + 1] + above[c] + below[c] + 2) / 4;
    coloured[other] = (above[c - 1] + above[c + 1] + below[c - 1] + below[c + 1] + 2) / 4;
  }
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  std::vector<byte> image(p.mosaic.size() * 3);

  const auto run = [&] {
#pragma omp parallel for
    for (int y = 0; y < p.height; y++) {
      byte *out = &image[std::size_t(3) * y * p.width];
      if (y == 0 || y == p.height - 1) {
        for (int x = 0; x < p.width; x++) edge_pixel(p, x, y, out + 3 * x);
        continue;
      }
      const byte *row = &p.mosaic[y * p.width];
      edge_pixel(p, 0, y, out);
      if (y % 2)
        inner_pixels<true>(row - p.width, row, row + p.width, p.width, out);
      else
        inner_pixels<false>(row - p.width, row, row + p.width, p.width, out);
      edge_pixel(p, p.width - 1, y, out + 3 * (p.width - 1));
    }
  };
  programs::report("demosaic", run, [] {}, [&] { return programs::checksum(image); });
}
