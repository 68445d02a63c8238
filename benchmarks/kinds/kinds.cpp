// The kernels in SYCL, or with -DPEER as loops with OpenMP: a library of functions, called by name.
#include <functional>
#include <map>
#include <string>

#include "bodies.hpp"

#ifdef PEER
#include <cmath>
#else
#include <sycl/sycl.hpp>
#endif

#include "groups.hpp"

namespace {

using kinds::byte;

/// The arrays and sizes of a call, in the order of problems.py.
struct arguments {
  void *const *arrays;
  const std::int64_t *sizes;

  template <class T> T *array(int i) const { return static_cast<T *>(arrays[i]); }
  int size(int i) const { return int(sizes[i]); }
};

#ifdef PEER
template <class F> void flat(int n, F f) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) f(i);
}
/// Work-items of unequal length.
template <class F> void uneven(int n, F f) {
#pragma omp parallel for schedule(dynamic, 1024)
  for (int i = 0; i < n; i++) f(i);
}
template <class F> void plane(int height, int width, F f) {
#pragma omp parallel for
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) f(y, x);
}
template <class F> void plane_x_first(int width, int height, F f) {
  plane(height, width, [=](int y, int x) { f(x, y); });
}
template <class F> void space_x_first(int nx, int ny, int nz, F f) {
#pragma omp parallel for
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) f(x, y, z);
}
#else
template <class F> void flat(int n, F f) {
  kinds::queue().parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { f(i); });
}
template <class F> void uneven(int n, F f) { flat(n, f); }
template <class F> void plane(int height, int width, F f) {
  kinds::queue().parallel_for(sycl::range<2>(height, width), [=](sycl::id<2> i) { f(i[0], i[1]); });
}
template <class F> void plane_x_first(int width, int height, F f) { plane(width, height, f); }
template <class F> void space_x_first(int nx, int ny, int nz, F f) {
  kinds::queue().parallel_for(sycl::range<3>(nx, ny, nz), [=](sycl::id<3> i) { f(i[0], i[1], i[2]); });
}
#endif

const std::map<std::string, std::function<void(const arguments &)>> functions = {
    {"normalised_row",
     [](const arguments &a) {
       const float *in = a.array<float>(0);
       float *out = a.array<float>(1);
       const int length = a.size(1);
       flat(a.size(0), [=](int i) { kinds::normalised_row(in, out, length, i); });
     }},
    {"list_sum",
     [](const arguments &a) {
       const int *heads = a.array<int>(0), *next = a.array<int>(1);
       const float *values = a.array<float>(2);
       float *sums = a.array<float>(3);
       uneven(a.size(0), [=](int i) { kinds::list_sum(heads, next, values, sums, i); });
     }},
    {"tree_depth",
     [](const arguments &a) {
       const int *keys = a.array<int>(0), *left = a.array<int>(1), *right = a.array<int>(2), *wanted = a.array<int>(3);
       int *depths = a.array<int>(4);
       flat(a.size(0), [=](int i) { kinds::tree_depth(keys, left, right, wanted, depths, i); });
     }},
    {"hash_value",
     [](const arguments &a) {
       const auto *table = a.array<std::uint32_t>(0), *values = a.array<std::uint32_t>(1);
       const auto *wanted = a.array<std::uint32_t>(2);
       auto *found = a.array<std::uint32_t>(3);
       const auto mask = std::uint32_t(a.size(1) - 1);
       flat(a.size(0), [=](int i) { kinds::hash_value(table, values, wanted, found, mask, i); });
     }},
    {"operation",
     [](const arguments &a) {
       const byte *codes = a.array<byte>(0);
       const float *x = a.array<float>(1), *y = a.array<float>(2);
       float *out = a.array<float>(3);
       flat(a.size(0), [=](int i) { kinds::operation(codes, x, y, out, i); });
     }},
    {"blended",
     [](const arguments &a) {
       const byte *above = a.array<byte>(0), *below = a.array<byte>(1);
       byte *out = a.array<byte>(2);
       flat(a.size(0), [=](int i) { kinds::blended(above, below, out, i); });
     }},
    {"quantised_row",
     [](const arguments &a) {
       const auto *matrix = a.array<std::int8_t>(0), *x = a.array<std::int8_t>(1);
       int *y = a.array<int>(2);
       const int columns = a.size(1);
       flat(a.size(0), [=](int i) { kinds::quantised_row(matrix, x, y, columns, i); });
     }},
    {"mixed_sample",
     [](const arguments &a) {
       const auto *x = a.array<std::int16_t>(0), *y = a.array<std::int16_t>(1);
       auto *out = a.array<std::int16_t>(2);
       flat(a.size(0), [=](int i) { kinds::mixed_sample(x, y, out, i); });
     }},
    {"complex_polynomial",
     [](const arguments &a) {
       const auto *z = a.array<kinds::complex>(0), *coefficients = a.array<kinds::complex>(1);
       auto *out = a.array<kinds::complex>(2);
       const int degree = a.size(1) - 1;
       flat(a.size(0), [=](int i) { kinds::complex_polynomial(z, coefficients, out, degree, i); });
     }},
    {"filtered",
     [](const arguments &a) {
       const float *in = a.array<float>(0);
       const double *weights = a.array<double>(1);
       float *out = a.array<float>(2);
       const int taps = a.size(1);
       flat(a.size(0), [=](int i) { kinds::filtered(in, weights, out, taps, i); });
     }},
    {"gradient",
     [](const arguments &a) {
       const float *in = a.array<float>(0);
       float *out = a.array<float>(1);
       const int nx = a.size(0), ny = a.size(1), nz = a.size(2);
       space_x_first(nx - 2, ny - 2, nz - 2,
                     [=](int x, int y, int z) { kinds::gradient(in, out, nx, ny, x + 1, y + 1, z + 1); });
     }},
    {"grey",
     [](const arguments &a) {
       const float *planes = a.array<float>(0);
       float *out = a.array<float>(1);
       const int width = a.size(0), height = a.size(1);
       plane_x_first(width, height, [=](int x, int y) { kinds::grey(planes, out, width, height, x, y); });
     }},
    {"nearest_bits",
     [](const arguments &a) {
       const auto *queries = a.array<std::uint64_t>(0), *known = a.array<std::uint64_t>(1);
       int *best = a.array<int>(2);
       const int count = a.size(1);
       flat(a.size(0), [=](int i) { kinds::nearest_bits(queries, known, best, count, i); });
     }},
    {"morton",
     [](const arguments &a) {
       const float *points = a.array<float>(0);
       auto *codes = a.array<std::uint32_t>(1);
       flat(a.size(0), [=](int i) { kinds::morton(points, codes, i); });
     }},
    {"points_in_circle",
     [](const arguments &a) {
       const auto *seeds = a.array<std::uint32_t>(0);
       int *counts = a.array<int>(1);
       const int rounds = a.size(1);
       flat(a.size(0), [=](int i) { kinds::points_in_circle(seeds, counts, rounds, i); });
     }},
    {"is_match",
     [](const arguments &a) {
       const byte *text = a.array<byte>(0), *pattern = a.array<byte>(1);
       byte *matches = a.array<byte>(2);
       const int length = a.size(1);
       flat(a.size(0), [=](int i) { kinds::is_match(text, pattern, matches, length, i); });
     }},
    {"collatz",
     [](const arguments &a) {
       int *steps = a.array<int>(0);
       uneven(a.size(0), [=](int i) { kinds::collatz(steps, i); });
     }},
    {"decoded_block",
     [](const arguments &a) {
       const byte *stream = a.array<byte>(0), *lengths = a.array<byte>(2), *symbols = a.array<byte>(3);
       const int *starts = a.array<int>(1);
       byte *out = a.array<byte>(4);
       const int count = a.size(1);
       flat(a.size(0), [=](int i) { kinds::decoded_block(stream, starts, lengths, symbols, out, count, i); });
     }},
    {"base64_group",
     [](const arguments &a) {
       const byte *text = a.array<byte>(0), *table = a.array<byte>(1);
       byte *out = a.array<byte>(2);
       flat(a.size(0), [=](int i) { kinds::base64_group(text, table, out, i); });
     }},
    {"varint_block",
     [](const arguments &a) {
       const byte *stream = a.array<byte>(0);
       const int *starts = a.array<int>(1);
       auto *out = a.array<std::uint32_t>(2);
       const int count = a.size(1);
       flat(a.size(0), [=](int i) { kinds::varint_block(stream, starts, out, count, i); });
     }},
    {"sparse_row",
     [](const arguments &a) {
       const float *values = a.array<float>(0), *x = a.array<float>(3);
       const int *columns = a.array<int>(1), *starts = a.array<int>(2);
       float *y = a.array<float>(4);
       flat(a.size(0), [=](int i) { kinds::sparse_row(values, columns, starts, x, y, i); });
     }},
    {"runs",
     [](const arguments &a) {
       const byte *in = a.array<byte>(0);
       byte *values = a.array<byte>(1), *lengths = a.array<byte>(2);
       int *counts = a.array<int>(3);
       const int width = a.size(1);
       flat(a.size(0), [=](int i) { kinds::runs(in, values, lengths, counts, width, i); });
     }},
    {"banded_row",
     [](const arguments &a) {
       const double *diagonals = a.array<double>(0), *x = a.array<double>(1);
       double *y = a.array<double>(2);
       const int n = a.size(0), half = a.size(1);
       flat(n, [=](int i) { kinds::banded_row(diagonals, x, y, half, n, i); });
     }},
    {"sorted_eight",
     [](const arguments &a) {
       const float *in = a.array<float>(0);
       float *out = a.array<float>(1);
       flat(a.size(0), [=](int i) { kinds::sorted_eight(in, out, i); });
     }},
    {"solved_five",
     [](const arguments &a) {
       const double *matrices = a.array<double>(0), *sides = a.array<double>(1);
       double *solutions = a.array<double>(2);
       flat(a.size(0), [=](int i) { kinds::solved_five(matrices, sides, solutions, i); });
     }},
    {"nearest_four",
     [](const arguments &a) {
       const float *queries = a.array<float>(0), *points = a.array<float>(1);
       int *nearest = a.array<int>(2);
       const int count = a.size(1);
       flat(a.size(0), [=](int i) { kinds::nearest_four(queries, points, nearest, count, i); });
     }},
    {"interpolated",
     [](const arguments &a) {
       const float *x = a.array<float>(0), *table = a.array<float>(1);
       float *y = a.array<float>(2);
       const int size = a.size(1);
       flat(a.size(0), [=](int i) { kinds::interpolated(x, table, y, size, i); });
     }},
    {"rule_110",
     [](const arguments &a) {
       const auto *in = a.array<std::uint32_t>(0);
       auto *out = a.array<std::uint32_t>(1);
       const int words = a.size(0);
       flat(words, [=](int i) { kinds::rule_110(in, out, words, i); });
     }},
    {"relaxed",
     [](const arguments &a) {
       const double *f = a.array<double>(0);
       double *u = a.array<double>(1);
       const int height = a.size(0), width = a.size(1);
       for (int colour = 0; colour < 2; colour++)
         plane(height - 2, width, [=](int y, int x) { kinds::relaxed(u, f, width, colour, y + 1, x); });
     }},
    {"heat_steps",
     [](const arguments &a) { kinds::heat_steps(a.array<float>(0), a.array<float>(1), a.size(0), a.size(1)); }},
    {"warp_sums",
     [](const arguments &a) { kinds::warp_sums(a.array<float>(0), a.array<float>(1), a.size(0), a.size(1)); }},
    {"sub_group_shares",
     [](const arguments &a) { kinds::sub_group_shares(a.array<float>(0), a.array<float>(1), a.size(0)); }},
    {"local_bins",
     [](const arguments &a) { kinds::local_bins(a.array<float>(0), a.array<int>(1), a.array<int>(2), a.size(0)); }},
    {"compacted",
     [](const arguments &a) { kinds::compacted(a.array<float>(0), a.array<float>(1), a.array<int>(2), a.size(0)); }},
    {"softmax_row",
     [](const arguments &a) { kinds::softmax_row(a.array<float>(0), a.array<float>(1), a.size(0), a.size(1)); }},
    {"trapezoids", [](const arguments &a) { kinds::trapezoids(0, 1, a.array<double>(0), a.size(0)); }},
};

}  // namespace

#ifndef PEER
sycl::queue &kinds::queue() {
  static sycl::queue made{sycl::cpu_selector_v, sycl::property::queue::in_order{}};
  return made;
}
#endif

/// Runs a kernel. Returns 0, or -1 if there is none of that name.
extern "C" __attribute__((visibility("default"))) int kinds_run(const char *name, void *const *arrays,
                                                                const std::int64_t *sizes) {
  const auto found = functions.find(name);
  if (found == functions.end()) return -1;
  found->second({arrays, sizes});
#ifndef PEER
  kinds::queue().wait_and_throw();
#endif
  return 0;
}
