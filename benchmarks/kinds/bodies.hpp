// The work of one work-item of each kernel without work-groups, for SYCL and for loops with OpenMP.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kinds {

using byte = std::uint8_t;

/// A row of odd length, less its mean, divided by its deviation.
inline void normalised_row(const float *in, float *out, int length, int row) {
  const float *x = in + row * length;
  float *y = out + row * length;
  float sum = 0, squares = 0;
  for (int k = 0; k < length; k++) sum += x[k];
  const float mean = sum / float(length);
  for (int k = 0; k < length; k++) squares += (x[k] - mean) * (x[k] - mean);
  const float scale = 1 / (squares / float(length) + 1e-5f);
  for (int k = 0; k < length; k++) y[k] = (x[k] - mean) * scale;
}

/// The sum of a linked list.
inline void list_sum(const int *heads, const int *next, const float *values, float *sums, int i) {
  float sum = 0;
  for (int node = heads[i]; node >= 0; node = next[node]) sum += values[node];
  sums[i] = sum;
}

/// The number of steps to a key in a binary search tree, or -1.
inline void tree_depth(const int *keys, const int *left, const int *right, const int *wanted, int *depths, int i) {
  const int key = wanted[i];
  int node = 0, depth = 0;
  while (node >= 0 && keys[node] != key) {
    node = key < keys[node] ? left[node] : right[node];
    depth++;
  }
  depths[i] = node >= 0 ? depth : -1;
}

/// The value of a key in a hash table with linear probing, or 0.
inline void hash_value(const std::uint32_t *table, const std::uint32_t *values, const std::uint32_t *wanted,
                       std::uint32_t *found, std::uint32_t mask, int i) {
  const std::uint32_t key = wanted[i];
  std::uint32_t slot = (key * 2654435761u) & mask;
  std::uint32_t value = 0;
  while (table[slot] != 0) {
    if (table[slot] == key) {
      value = values[slot];
      break;
    }
    slot = (slot + 1) & mask;
  }
  found[i] = value;
}

/// One of eight operations, by a byte.
inline void operation(const byte *codes, const float *a, const float *b, float *out, int i) {
  const float x = a[i], y = b[i];
  float z;
  switch (codes[i]) {
  case 0:
    z = x + y;
    break;
  case 1:
    z = x - y;
    break;
  case 2:
    z = x * y;
    break;
  case 3:
    z = x / y;
    break;
  case 4:
    z = x < y ? x : y;
    break;
  case 5:
    z = x > y ? x : y;
    break;
  case 6:
    z = x * x;
    break;
  default:
    z = -x;
    break;
  }
  out[i] = z;
}

/// One image over another, with an opacity for each pixel of four bytes.
inline void blended(const byte *above, const byte *below, byte *out, int i) {
  const int opacity = above[4 * i + 3];
  for (int c = 0; c < 3; c++)
    out[4 * i + c] = byte((above[4 * i + c] * opacity + below[4 * i + c] * (255 - opacity) + 127) / 255);
  out[4 * i + 3] = 255;
}

/// A row of a product of a matrix and a vector of bytes with sign.
inline void quantised_row(const std::int8_t *matrix, const std::int8_t *x, int *y, int columns, int i) {
  int sum = 0;
  for (int k = 0; k < columns; k++) sum += matrix[i * columns + k] * x[k];
  y[i] = sum;
}

/// Two samples of sound, with saturation.
inline void mixed_sample(const std::int16_t *a, const std::int16_t *b, std::int16_t *out, int i) {
  const int sum = a[i] + b[i];
  out[i] = std::int16_t(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
}

struct complex {
  float re, im;
};

/// A polynomial of complex numbers by Horner's scheme.
inline void complex_polynomial(const complex *z, const complex *coefficients, complex *out, int degree, int i) {
  const complex x = z[i];
  complex sum = coefficients[degree];
  for (int k = degree - 1; k >= 0; k--)
    sum = {sum.re * x.re - sum.im * x.im + coefficients[k].re, sum.re * x.im + sum.im * x.re + coefficients[k].im};
  out[i] = sum;
}

/// A filter of floats with weights and sums in double.
inline void filtered(const float *in, const double *weights, float *out, int taps, int i) {
  double sum = 0;
  for (int k = 0; k < taps; k++) sum += weights[k] * double(in[i + k]);
  out[i] = float(sum);
}

/// The squared gradient of a volume.
inline void gradient(const float *in, float *out, int nx, int ny, int x, int y, int z) {
  const int row = nx, plane = nx * ny, at = z * plane + y * row + x;
  const float dx = in[at + 1] - in[at - 1], dy = in[at + row] - in[at - row], dz = in[at + plane] - in[at - plane];
  out[at] = dx * dx + dy * dy + dz * dz;
}

/// The grey value of a pixel in three planes.
inline void grey(const float *planes, float *out, int width, int height, int x, int y) {
  const int at = y * width + x, plane = width * height;
  out[at] = 0.299f * planes[at] + 0.587f * planes[plane + at] + 0.114f * planes[2 * plane + at];
}

inline std::uint64_t ones(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555;
  x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (x * 0x0101010101010101) >> 56;
}

/// The number of the description of 256 bits that differs least.
inline void nearest_bits(const std::uint64_t *queries, const std::uint64_t *known, int *best, int count, int i) {
  std::uint64_t least = 257;
  int which = 0;
  for (int k = 0; k < count; k++) {
    std::uint64_t distance = 0;
    for (int w = 0; w < 4; w++) distance += ones(queries[4 * i + w] ^ known[4 * k + w]);
    if (distance < least) least = distance, which = k;
  }
  best[i] = which;
}

inline std::uint32_t spread_bits(std::uint32_t x) {
  x &= 0x3ff;
  x = (x | (x << 16)) & 0x30000ff;
  x = (x | (x << 8)) & 0x300f00f;
  x = (x | (x << 4)) & 0x30c30c3;
  return (x | (x << 2)) & 0x9249249;
}

/// The Morton code of a point in three dimensions.
inline void morton(const float *points, std::uint32_t *codes, int i) {
  std::uint32_t code = 0;
  for (int d = 0; d < 3; d++)
    code |= spread_bits(std::uint32_t(std::min(std::max(points[3 * i + d] * 1024, 0.0f), 1023.0f))) << d;
  codes[i] = code;
}

/// The number of random points in the circle.
inline void points_in_circle(const std::uint32_t *seeds, int *counts, int rounds, int i) {
  std::uint32_t state = seeds[i];
  int count = 0;
  for (int k = 0; k < rounds; k++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const float x = float(state & 0xffff) / 65536.0f, y = float(state >> 16) / 65536.0f;
    if (x * x + y * y < 1) count++;
  }
  counts[i] = count;
}

/// Whether a text has the pattern at a position.
inline void is_match(const byte *text, const byte *pattern, byte *matches, int length, int i) {
  byte same = 1;
  for (int k = 0; k < length; k++)
    if (text[i + k] != pattern[k]) {
      same = 0;
      break;
    }
  matches[i] = same;
}

/// The steps of Collatz's sequence to one.
inline void collatz(int *steps, int i) {
  std::int64_t n = i + 1;
  int count = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    count++;
  }
  steps[i] = count;
}

/// A block of prefix codes of at most eight bits, by a table of lengths and symbols.
inline void decoded_block(const byte *stream, const int *starts, const byte *lengths, const byte *symbols, byte *out,
                          int count, int i) {
  int at = starts[i];
  for (int k = 0; k < count; k++) {
    const int bits = (stream[at >> 3] << 8) | stream[(at >> 3) + 1];
    const int code = (bits >> (8 - (at & 7))) & 255;
    out[i * count + k] = symbols[code];
    at += lengths[code];
  }
}

/// Four letters of base64 as three bytes, by a table.
inline void base64_group(const byte *text, const byte *table, byte *out, int i) {
  std::uint32_t word = 0;
  for (int k = 0; k < 4; k++) word = (word << 6) | table[text[4 * i + k]];
  out[3 * i] = byte(word >> 16);
  out[3 * i + 1] = byte(word >> 8);
  out[3 * i + 2] = byte(word);
}

/// Numbers of variable length: seven bits in each byte, the last one without the eighth bit.
inline void varint_block(const byte *stream, const int *starts, std::uint32_t *out, int count, int i) {
  int at = starts[i];
  for (int k = 0; k < count; k++) {
    std::uint32_t value = 0, shift = 0;
    for (;;) {
      const byte next = stream[at++];
      value |= std::uint32_t(next & 127) << shift;
      if (next < 128) break;
      shift += 7;
    }
    out[i * count + k] = value;
  }
}

/// A row of a product of a sparse matrix and a vector.
inline void sparse_row(const float *values, const int *columns, const int *starts, const float *x, float *y, int row) {
  float sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

/// A row as lengths and values of runs, and their number.
inline void runs(const byte *in, byte *values, byte *lengths, int *counts, int width, int row) {
  const byte *x = in + row * width;
  int count = 0;
  byte value = x[0], length = 1;
  for (int k = 1; k < width; k++) {
    if (x[k] == value && length < 255) {
      length++;
    } else {
      values[row * width + count] = value;
      lengths[row * width + count] = length;
      count++;
      value = x[k];
      length = 1;
    }
  }
  values[row * width + count] = value;
  lengths[row * width + count] = length;
  counts[row] = count + 1;
}

/// A row of a product of a banded matrix, whose diagonals are stored, and a vector.
inline void banded_row(const double *diagonals, const double *x, double *y, int half, int n, int i) {
  double sum = 0;
  for (int d = -half; d <= half; d++)
    if (i + d >= 0 && i + d < n) sum += diagonals[(d + half) * n + i] * x[i + d];
  y[i] = sum;
}

/// Eight numbers in order, by a sorting network.
inline void sorted_eight(const float *in, float *out, int i) {
  constexpr int network[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                  {0, 4}, {3, 7}, {1, 5}, {2, 6}, {1, 4}, {3, 6}, {2, 4}, {3, 5}, {3, 4}};
  float own[8];
  for (int k = 0; k < 8; k++) own[k] = in[8 * i + k];
  for (const auto &pair : network) {
    const float a = own[pair[0]], b = own[pair[1]];
    own[pair[0]] = a < b ? a : b;
    own[pair[1]] = a < b ? b : a;
  }
  for (int k = 0; k < 8; k++) out[8 * i + k] = own[k];
}

/// The solution of five equations by LU decomposition.
inline void solved_five(const double *matrices, const double *sides, double *solutions, int i) {
  double a[5][5], x[5];
  for (int r = 0; r < 5; r++) {
    for (int c = 0; c < 5; c++) a[r][c] = matrices[25 * i + 5 * r + c];
    x[r] = sides[5 * i + r];
  }
  for (int k = 0; k < 5; k++)
    for (int r = k + 1; r < 5; r++) {
      const double factor = a[r][k] / a[k][k];
      for (int c = k + 1; c < 5; c++) a[r][c] -= factor * a[k][c];
      x[r] -= factor * x[k];
    }
  for (int r = 4; r >= 0; r--) {
    for (int c = r + 1; c < 5; c++) x[r] -= a[r][c] * x[c];
    x[r] /= a[r][r];
  }
  for (int r = 0; r < 5; r++) solutions[5 * i + r] = x[r];
}

/// The four nearest of a few points, in order.
inline void nearest_four(const float *queries, const float *points, int *nearest, int count, int i) {
  float distances[4];
  int which[4];
  for (int k = 0; k < 4; k++) distances[k] = 1e30f, which[k] = -1;
  const float x = queries[2 * i], y = queries[2 * i + 1];
  for (int p = 0; p < count; p++) {
    const float dx = points[2 * p] - x, dy = points[2 * p + 1] - y;
    const float distance = dx * dx + dy * dy;
    if (distance < distances[3]) {
      int k = 3;
      while (k > 0 && distances[k - 1] > distance) {
        distances[k] = distances[k - 1];
        which[k] = which[k - 1];
        k--;
      }
      distances[k] = distance;
      which[k] = p;
    }
  }
  for (int k = 0; k < 4; k++) nearest[4 * i + k] = which[k];
}

/// A function by linear interpolation in a table.
inline void interpolated(const float *x, const float *table, float *y, int size, int i) {
  const float at = x[i] * float(size - 1);
  const int low = int(at) < size - 2 ? int(at) : size - 2;
  const float part = at - float(low);
  y[i] = table[low] * (1 - part) + table[low + 1] * part;
}

/// Rule 110 on words of 32 cells, periodic.
inline void rule_110(const std::uint32_t *in, std::uint32_t *out, int words, int i) {
  const std::uint32_t before = in[i > 0 ? i - 1 : words - 1], after = in[i < words - 1 ? i + 1 : 0];
  const std::uint32_t centre = in[i], left = (centre >> 1) | (before << 31), right = (centre << 1) | (after >> 31);
  out[i] = (centre | right) & ~(left & centre & right);
}

/// The elements of one colour in a sweep of Gauss and Seidel.
inline void relaxed(double *u, const double *f, int width, int colour, int y, int x) {
  if (x > 0 && x < width - 1 && (x + y) % 2 == colour) {
    const int at = y * width + x;
    u[at] = 0.25 * (u[at - width] + u[at + width] + u[at - 1] + u[at + 1] - f[at]);
  }
}

}  // namespace kinds
