// Sizes, constants and input of each program, once for its three versions.
#pragma once

#include "common.hpp"

namespace programs {

/// Moving objects in frames of bytes by a running mean and variance of each pixel.
struct background_problem {
  static constexpr int frame_count = 8;
  static constexpr float rate = 0.05f, distance = 6.25f, smallest_variance = 4, first_variance = 400;
  const int width, height, pixels;
  std::vector<unsigned char> frames;
  std::vector<float> mean, variance, weight;

  explicit background_problem(bool small)
      : width(small ? 1280 : 3840),
        height(small ? 720 : 2160),
        pixels(width * height),
        frames(integers<unsigned char>(std::size_t(pixels) * frame_count, 40, 1)),
        mean(pixels, 100.0f),
        variance(pixels, 100.0f),
        weight(pixels, 0.5f) {
    for (std::size_t i = 0; i < frames.size(); i++) {
      const int pixel = int(i % pixels), frame = int(i / pixels);
      const bool moving = (pixel % width + 16 * frame) % 256 < 32;
      frames[i] = static_cast<unsigned char>(frames[i] + (moving ? 180 : 80));
    }
  }
};

/// Counts of numbers in few bins.
struct bins_problem {
  static constexpr int bin_count = 32, group_size = 256, groups = 1056;
  const int n;
  std::vector<float> values;

  explicit bins_problem(bool small) : n(small ? 1 << 22 : 1 << 25), values(uniform<float>(n, 0.0f, 1.0f, 2)) {
    for (float &v : values) v *= v;  // more in the first bins
  }
};

/// Positions of a mesh's vertices, which move to the mean of their neighbours.
struct smoothing_problem {
  static constexpr int steps = 10, group_size = 256;
  static constexpr float strength = 0.5f;
  const int vertices;
  std::vector<int> first;        // of each vertex in `neighbours`, and the end
  std::vector<int> neighbours;   // of all vertices
  std::vector<float> positions;  // x, y, z of each vertex

  explicit smoothing_problem(bool small)
      : vertices(small ? 1 << 16 : 1 << 20), positions(uniform<float>(std::size_t(3) * vertices, -1.0f, 1.0f, 3)) {
    first.push_back(0);
    for (int i = 0; i < vertices; i++) {
      const int count = 4 + int(random_bits(4, i) % 5);
      for (int k = 0; k < count; k++) {
        const int offset = 1 + int(random_bits(5, std::size_t(8) * i + k) % 1000);
        neighbours.push_back((i + (k % 2 ? offset : vertices - offset)) % vertices);
      }
      first.push_back(int(neighbours.size()));
    }
  }
};

/// A filter of second order, forwards and backwards, along rows and along columns of an image.
struct recursive_problem {
  static constexpr float a0 = 0.25f, b1 = 0.9f, b2 = -0.15f;
  static constexpr int group_size = 64;
  const int width, height;
  std::vector<float> image;

  explicit recursive_problem(bool small)
      : width(small ? 1024 : 4096), height(width), image(uniform<float>(std::size_t(width) * height, 0.0f, 1.0f, 6)) {}
};

/// Cross products of vectors of three numbers, stored as structures.
template <class T> struct vector3 {
  T x, y, z;
};
struct cross_problem {
  static constexpr int group_size = 256;
  const int n;
  std::vector<vector3<float>> a, b;
  std::vector<vector3<double>> c, d;

  explicit cross_problem(bool small) : n(small ? 1 << 19 : 1 << 23), a(n), b(n), c(n), d(n) {
    const auto values = uniform<double>(std::size_t(6) * n, -1.0, 1.0, 7);
    for (int i = 0; i < n; i++) {
      const double *v = &values[std::size_t(6) * i];
      a[i] = {float(v[0]), float(v[1]), float(v[2])};
      b[i] = {float(v[3]), float(v[4]), float(v[5])};
      c[i] = {v[0], v[1], v[2]};
      d[i] = {v[3], v[4], v[5]};
    }
  }
};

/// An RGGB mosaic of bytes, from which red, green and blue of each pixel are interpolated.
struct demosaic_problem {
  static constexpr int group_width = 32, group_height = 8;
  const int width, height;
  std::vector<unsigned char> mosaic;

  explicit demosaic_problem(bool small)
      : width(small ? 2048 : 8192),
        height(small ? 1024 : 4096),
        mosaic(integers<unsigned char>(std::size_t(width) * height, 256, 8)) {}
};

/// Keys of 1 to 60 bytes, in 16 words each.
struct jenkins_problem {
  static constexpr int words = 16, group_size = 256;
  static constexpr std::uint32_t initial = 13;
  const int n;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint32_t> lengths;

  explicit jenkins_problem(bool small) : n(small ? 1 << 18 : 1 << 22), keys(std::size_t(n) * words), lengths(n) {
    for (std::size_t i = 0; i < keys.size(); i++) keys[i] = random_bits(9, i);
    for (int i = 0; i < n; i++) lengths[i] = 1 + random_bits(10, i) % 60;
  }
};

/// Short kernels on independent arrays, each on its own queue.
struct streams_problem {
  static constexpr int queues = 8, steps = 16, group_size = 256;
  const int n;
  std::vector<float> values;

  explicit streams_problem(bool small)
      : n(small ? 1 << 16 : 1 << 18), values(uniform<float>(std::size_t(n) * queues, 0.0f, 1.0f, 11)) {}
};

/// Odd numbers of 32 bits, to be tested with the bases 2, 7 and 61, which are enough for these.
struct primality_problem {
  static constexpr int group_size = 256;
  const int n;
  std::vector<std::uint32_t> numbers;

  explicit primality_problem(bool small) : n(small ? 1 << 17 : 1 << 22), numbers(n) {
    for (int i = 0; i < n; i++) numbers[i] = random_bits(12, i) | 1 | 0x10000;
  }
};

/// The wave equation in two dimensions with fixed edges.
struct wave_problem {
  static constexpr int group_width = 32, group_height = 8, steps = 12;
  static constexpr float speed = 0.25f;  // the square of velocity times time step, by distance
  const int width, height;
  std::vector<float> now, before;

  explicit wave_problem(bool small)
      : width(small ? 1024 : 4096), height(width), now(std::size_t(width) * height), before(now.size()) {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const float dx = float(x - width / 3) / 60, dy = float(y - height / 2) / 60;
        now[std::size_t(y) * width + x] = before[std::size_t(y) * width + x] = std::exp(-dx * dx - dy * dy);
      }
  }
};

/// Chains of fused multiply-adds.
struct fma_problem {
  static constexpr int group_size = 256, rounds = 256, chains = 8;
  const int n;
  std::vector<float> singles;
  std::vector<double> doubles;

  explicit fma_problem(bool small)
      : n(small ? 1 << 15 : 1 << 20),
        singles(uniform<float>(n, 0.0f, 1.0f, 13)),
        doubles(uniform<double>(n, 0.0, 1.0, 13)) {}
};

/// The product of two square matrices.
struct matmul_problem {
  static constexpr int tile = 16;
  const int n;
  std::vector<float> a, b;

  explicit matmul_problem(bool small)
      : n(small ? 512 : 2048),
        a(uniform<float>(std::size_t(n) * n, -1.0f, 1.0f, 14)),
        b(uniform<float>(std::size_t(n) * n, -1.0f, 1.0f, 15)) {}
};

/// Accelerations of bodies by each other's gravity.
struct nbody_problem {
  static constexpr int group_size = 256;
  static constexpr float softening = 0.01f;
  const int n;
  std::vector<float> bodies;  // x, y, z and mass of each body

  explicit nbody_problem(bool small)
      : n(small ? 8192 : 32768), bodies(uniform<float>(std::size_t(4) * n, 0.1f, 1.0f, 16)) {}
};

/// A stencil of seven points in three dimensions; the points at the faces stay.
struct stencil_problem {
  static constexpr int group_x = 32, group_y = 4, group_z = 2, steps = 4;
  static constexpr float centre = 0.4f, beside = 0.1f;
  const int n;
  std::vector<float> values;

  explicit stencil_problem(bool small)
      : n(small ? 160 : 384), values(uniform<float>(std::size_t(n) * n * n, 0.0f, 1.0f, 17)) {}
};

/// A sparse matrix by rows of 4 to 28 numbers, and a vector.
struct spmv_problem {
  static constexpr int group_size = 128;
  const int rows;
  std::vector<int> first, columns;
  std::vector<float> values, x;

  explicit spmv_problem(bool small) : rows(small ? 1 << 17 : 1 << 20), x(uniform<float>(rows, 0.0f, 1.0f, 18)) {
    first.push_back(0);
    for (int i = 0; i < rows; i++) {
      const int count = 4 + int(random_bits(19, i) % 25);
      for (int k = 0; k < count; k++)
        columns.push_back(int((i + random_bits(20, std::size_t(32) * i + k) % 8192) % std::uint32_t(rows)));
      first.push_back(int(columns.size()));
    }
    values = uniform<float>(columns.size(), -1.0f, 1.0f, 21);
  }
};

/// The softmax of each row of a matrix.
struct softmax_problem {
  static constexpr int group_size = 256;
  const int rows, columns;
  std::vector<float> values;

  explicit softmax_problem(bool small)
      : rows(small ? 1024 : 16384),
        columns(2048),
        values(uniform<float>(std::size_t(rows) * columns, -4.0f, 4.0f, 22)) {}
};

/// The price of an Asian option by random paths, several for each work-item.
struct monte_carlo_problem {
  static constexpr int group_size = 256, paths = 16, path_steps = 16;
  static constexpr float price = 100, strike = 100, rate = 0.02f, volatility = 0.3f, years = 1;
  const int n;

  explicit monte_carlo_problem(bool small) : n(small ? 1 << 13 : 1 << 20) {}
};

/// Distances from a vertex of a random graph, level by level.
struct bfs_problem {
  static constexpr int group_size = 256;
  const int vertices;
  std::vector<int> first, targets;

  explicit bfs_problem(bool small) : vertices(small ? 1 << 17 : 1 << 20) {
    first.push_back(0);
    for (int i = 0; i < vertices; i++) {
      const int count = 2 + int(random_bits(23, i) % 9);
      for (int k = 0; k < count; k++)
        targets.push_back(int(random_bits(24, std::size_t(16) * i + k) % std::uint32_t(vertices)));
      first.push_back(int(targets.size()));
    }
  }
};

/// Pairs of words of four letters each, whose edit distances are asked.
struct edit_distance_problem {
  static constexpr int length = 48, group_size = 128;
  const int pairs;
  std::vector<unsigned char> words, others;

  explicit edit_distance_problem(bool small)
      : pairs(small ? 1 << 14 : 1 << 18),
        words(integers<unsigned char>(std::size_t(pairs) * length, 4, 25)),
        others(words) {
    for (std::size_t i = 0; i < others.size(); i++)
      if (random_bits(26, i) % 4 == 0) others[i] = static_cast<unsigned char>(random_bits(27, i) % 4);
  }
};

/// Fourier transforms of rows of 1,024 complex numbers.
struct complex_number {
  float re, im;
};
struct fft_problem {
  static constexpr int size = 1024, group_size = 256;
  const int rows;
  std::vector<complex_number> values;
  std::vector<complex_number> turns;  // the first half of the powers of a root of unity

  explicit fft_problem(bool small) : rows(small ? 2048 : 32768), values(std::size_t(rows) * size), turns(size / 2) {
    for (std::size_t i = 0; i < values.size(); i++)
      values[i] = {float(random_bits(28, i) >> 8) / 16777216, float(random_bits(29, i) >> 8) / 16777216};
    for (int k = 0; k < size / 2; k++) {
      const double angle = -3.14159265358979 * k / (size / 2);
      turns[k] = {float(std::cos(angle)), float(std::sin(angle))};
    }
  }
};

}  // namespace programs
