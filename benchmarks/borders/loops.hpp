// Filters and stencils whose work-items read neighbours, with every usual way to treat the borders of an array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace borders {

using byte = unsigned char;

inline int clamped(int i, int low, int high) { return i < low ? low : i > high ? high : i; }

/// The mean of a square window, whose radius is not known to the compiler; clamped.
inline void box_blur(const float *in, float *out, int w, int h, int radius, int x, int y) {
  float sum = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) sum += in[clamped(y + dy, 0, h - 1) * w + clamped(x + dx, 0, w - 1)];
  out[y * w + x] = sum / float((2 * radius + 1) * (2 * radius + 1));
}

/// Sobel's operator on bytes; clamped by min and max.
inline void sobel(const byte *in, byte *out, int w, int h, int x, int y) {
  const int l = std::max(x - 1, 0), r = std::min(x + 1, w - 1), u = std::max(y - 1, 0), d = std::min(y + 1, h - 1);
  const int gx = in[u * w + r] + 2 * in[y * w + r] + in[d * w + r] - in[u * w + l] - 2 * in[y * w + l] - in[d * w + l];
  const int gy = in[d * w + l] + 2 * in[d * w + x] + in[d * w + r] - in[u * w + l] - 2 * in[u * w + x] - in[u * w + r];
  out[y * w + x] = byte(std::min(std::abs(gx) + std::abs(gy), 255));
}

/// The game of life; periodic by conditions, ids of the type size_t.
inline void life_choices(const int *in, int *out, std::size_t w, std::size_t h, std::size_t x, std::size_t y) {
  const std::size_t l = x == 0 ? w - 1 : x - 1, r = x == w - 1 ? 0 : x + 1;
  const std::size_t u = y == 0 ? h - 1 : y - 1, d = y == h - 1 ? 0 : y + 1;
  const int n = in[u * w + l] + in[u * w + x] + in[u * w + r] + in[y * w + l] + in[y * w + r] + in[d * w + l] +
                in[d * w + x] + in[d * w + r];
  out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

/// The game of life; periodic by remainders.
inline void life_remainders(const byte *in, byte *out, int w, int h, int x, int y) {
  int n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) n += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

/// A convolution of one dimension; mirrored.
inline void mirrored(const float *in, const float *weights, float *out, int n, int radius, int i) {
  float sum = 0;
  for (int j = -radius; j <= radius; j++) {
    int at = i + j;
    if (at < 0) at = -at;
    if (at >= n) at = 2 * n - 2 - at;
    sum += weights[j + radius] * in[at];
  }
  out[i] = sum;
}

/// A convolution of one dimension; elements outside are skipped.
inline void skipped(const float *in, const float *weights, float *out, int n, int radius, int i) {
  float sum = 0;
  for (int j = -radius; j <= radius; j++)
    if (i + j >= 0 && i + j < n) sum += weights[j + radius] * in[i + j];
  out[i] = sum;
}

/// Heat conduction in three dimensions; clamped, unsigned ids.
inline void heat(const double *in, double *out, unsigned nx, unsigned ny, unsigned nz, unsigned x, unsigned y,
                 unsigned z) {
  const unsigned l = x > 0 ? x - 1 : 0, r = x + 1 < nx ? x + 1 : nx - 1;
  const unsigned u = y > 0 ? y - 1 : 0, d = y + 1 < ny ? y + 1 : ny - 1;
  const unsigned b = z > 0 ? z - 1 : 0, f = z + 1 < nz ? z + 1 : nz - 1;
  const auto at = [&](unsigned i, unsigned j, unsigned k) { return in[(k * ny + j) * nx + i]; };
  out[(z * ny + y) * nx + x] = at(x, y, z) + 0.1 * (at(l, y, z) + at(r, y, z) + at(x, u, z) + at(x, d, z) +
                                                    at(x, y, b) + at(x, y, f) - 6 * at(x, y, z));
}

/// A step of Jacobi's iteration; elements at the border are copied.
inline void jacobi(const float *in, float *out, int w, int h, int x, int y) {
  const int i = y * w + x;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
  else
    out[i] = in[i];
}

/// A binomial filter on shorts; zero outside.
inline void zero_padded(const std::int16_t *in, std::int16_t *out, int w, int h, int x, int y) {
  const auto at = [&](int i, int j) -> int { return i >= 0 && i < w && j >= 0 && j < h ? in[j * w + i] : 0; };
  out[y * w + x] =
      std::int16_t((at(x - 1, y - 1) + 2 * at(x, y - 1) + at(x + 1, y - 1) + 2 * at(x - 1, y) + 4 * at(x, y) +
                    2 * at(x + 1, y) + at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1)) /
                   16);
}

/// A wave in one dimension; periodic by sums.
inline void wave(const double *now, const double *before, double *out, long n, long i) {
  const long l = i - 1 < 0 ? i - 1 + n : i - 1, r = i + 1 >= n ? i + 1 - n : i + 1;
  out[i] = 2 * now[i] - before[i] + 0.2 * (now[l] - 2 * now[i] + now[r]);
}

/// The median of three bytes; mirrored by absolute values.
inline void median(const byte *in, byte *out, int w, int, int x, int y) {
  const int l = std::abs(x - 1), r = w - 1 - std::abs(w - 1 - (x + 1));
  const byte a = in[y * w + l], b = in[y * w + x], c = in[y * w + r];
  out[y * w + x] = std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Diffusion over flat ids, which are divided into row and column; clamped.
inline void flat_rows(const float *in, float *out, int w, int h, int id) {
  const int y = id / w, x = id % w;
  const float l = in[y * w + clamped(x - 1, 0, w - 1)], r = in[y * w + clamped(x + 1, 0, w - 1)];
  const float u = in[clamped(y - 1, 0, h - 1) * w + x], d = in[clamped(y + 1, 0, h - 1) * w + x];
  out[id] = in[id] + 0.1f * (l + r + u + d - 4 * in[id]);
}

/// A derivative, with other formulas at both ends.
inline void derivative(const float *in, float *out, int n, int i) {
  if (i == 0)
    out[i] = in[1] - in[0];
  else if (i == n - 1)
    out[i] = in[n - 1] - in[n - 2];
  else
    out[i] = 0.5f * (in[i + 1] - in[i - 1]);
}

/// A 3 x 3 blur of pixels of three bytes; clamped.
inline void colour_blur(const byte *in, byte *out, int w, int h, int x, int y) {
  for (int c = 0; c < 3; c++) {
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) sum += in[(clamped(y + dy, 0, h - 1) * w + clamped(x + dx, 0, w - 1)) * 3 + c];
    out[(y * w + x) * 3 + c] = byte(sum / 9);
  }
}

}  // namespace borders
