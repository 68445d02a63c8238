// The loops in SYCL, or with -DPEER in C++ with OpenMP. Reads names of rows, answers with milliseconds and a check sum.
#include <iostream>
#include <string>

#include "../programs/common.hpp"
#include "loops.hpp"

#ifndef PEER
#include <sycl/sycl.hpp>
#endif

using borders::byte;

namespace {

struct shape {
  int w, h;
};

#ifdef PEER
template <class F> void rows(shape s, F f) {
#pragma omp parallel for
  for (int y = 0; y < s.h; y++)
    for (int x = 0; x < s.w; x++) f(x, y);
}
template <class F> void groups(shape s, F f) { rows(s, f); }
template <class F> void flat(int n, F f) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class F> void flat_groups(int n, F f) { flat(n, f); }
template <class F> void space(unsigned nx, unsigned ny, unsigned nz, F f) {
#pragma omp parallel for
  for (unsigned z = 0; z < nz; z++)
    for (unsigned y = 0; y < ny; y++)
      for (unsigned x = 0; x < nx; x++) f(x, y, z);
}
void wait() {}
#else
sycl::queue q;
template <class F> void rows(shape s, F f) {
  q.parallel_for(sycl::range<2>(s.h, s.w), [=](sycl::id<2> i) { f(i[1], i[0]); });
}
template <class F> void groups(shape s, F f) {
  q.parallel_for(sycl::nd_range<2>({std::size_t(s.h), std::size_t(s.w)}, {16, 16}),
                 [=](sycl::nd_item<2> i) { f(i.get_global_id(1), i.get_global_id(0)); });
}
template <class F> void flat(int n, F f) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { f(i); });
}
template <class F> void flat_groups(int n, F f) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> i) { f(i.get_global_id(0)); });
}
template <class F> void space(unsigned nx, unsigned ny, unsigned nz, F f) {
  q.parallel_for(sycl::range<3>(nz, ny, nx), [=](sycl::id<3> i) { f(i[2], i[1], i[0]); });
}
void wait() { q.wait(); }
#endif

constexpr shape odd{1021, 767}, even{1024, 768};  // of ranges, and of launches with work-groups
constexpr int odd_size = 1000003, even_size = 1 << 20;
constexpr std::size_t elements = 1 << 20;
constexpr int radius = 3;

/// The vector's values, at the beginning of a cache line.
template <class T> T *aligned(const std::vector<T> &values) {
  auto *made = static_cast<T *>(std::aligned_alloc(64, (values.size() * sizeof(T) + 127) / 64 * 64));
  std::copy(values.begin(), values.end(), made);
  return made;
}

const float *floats = aligned(programs::uniform<float>(elements, 0, 1, 1));
const float *weights = aligned(programs::uniform<float>(64, 0, 1, 2));
const double *doubles = aligned(programs::uniform<double>(elements, 0, 1, 3));
const byte *bytes = aligned(programs::integers<byte>(3 * elements, 256, 4));
const byte *bits = aligned(programs::integers<byte>(elements, 2, 5));
const std::int16_t *shorts = aligned(programs::integers<std::int16_t>(elements, 4096, 6));
const int *cells = aligned(programs::integers<int>(elements, 2, 7));

/// Runs a row whose results are `count` values of type T.
template <class T, class Run> void report(const char *name, std::size_t count, Run run) {
  static T *const out = aligned(std::vector<T>(3 * elements));
  std::fill_n(out, count, T());
  programs::report(name, [&] { run(out); }, wait, [&] { return programs::checksum(out, count); });
}

/// A row of a launch over a range, and one of a launch with work-groups; the latter's shape is even.
template <class T, class Body> void rows_of(const char *name, Body body) {
  report<T>(name, std::size_t(odd.w) * odd.h,
            [=](T *out) { rows(odd, [=](int x, int y) { body(out, odd.w, odd.h, x, y); }); });
}
template <class T, class Body> void groups_of(const char *name, Body body) {
  report<T>(name, std::size_t(even.w) * even.h,
            [=](T *out) { groups(even, [=](int x, int y) { body(out, even.w, even.h, x, y); }); });
}
template <class T, class Body> void flat_of(const char *name, Body body) {
  report<T>(name, odd_size, [=](T *out) { flat(odd_size, [=](int i) { body(out, odd_size, i); }); });
}
template <class T, class Body> void flat_groups_of(const char *name, Body body) {
  report<T>(name, even_size, [=](T *out) { flat_groups(even_size, [=](int i) { body(out, even_size, i); }); });
}

void run(const std::string &row) {
  const char *name = row.c_str();
  const auto box = [in = floats](float *out, int w, int h, int x, int y) {
    borders::box_blur(in, out, w, h, radius, x, y);
  };
  const auto sobel = [in = bytes](byte *out, int w, int h, int x, int y) { borders::sobel(in, out, w, h, x, y); };
  const auto choices = [in = cells](int *out, int w, int h, int x, int y) {
    borders::life_choices(in, out, std::size_t(w), std::size_t(h), std::size_t(x), std::size_t(y));
  };
  const auto remainders = [in = bits](byte *out, int w, int h, int x, int y) {
    borders::life_remainders(in, out, w, h, x, y);
  };
  const auto jacobi = [in = floats](float *out, int w, int h, int x, int y) { borders::jacobi(in, out, w, h, x, y); };
  const auto padded = [in = shorts](std::int16_t *out, int w, int h, int x, int y) {
    borders::zero_padded(in, out, w, h, x, y);
  };
  const auto wave = [in = doubles](double *out, int n, int i) { borders::wave(in, in, out, n, i); };
  const auto derivative = [in = floats](float *out, int n, int i) { borders::derivative(in, out, n, i); };
  if (row == "box") rows_of<float>(name, box);
  if (row == "box_groups") groups_of<float>(name, box);
  if (row == "sobel") rows_of<byte>(name, sobel);
  if (row == "sobel_groups") groups_of<byte>(name, sobel);
  if (row == "life") rows_of<int>(name, choices);
  if (row == "life_groups") groups_of<int>(name, choices);
  if (row == "life_rem") rows_of<byte>(name, remainders);
  if (row == "life_rem_groups") groups_of<byte>(name, remainders);
  if (row == "jacobi") rows_of<float>(name, jacobi);
  if (row == "jacobi_groups") groups_of<float>(name, jacobi);
  if (row == "zero_padded") rows_of<std::int16_t>(name, padded);
  if (row == "median")
    rows_of<byte>(name, [in = bytes](byte *out, int w, int h, int x, int y) { borders::median(in, out, w, h, x, y); });
  if (row == "mirrored")
    flat_of<float>(
        name, [in = floats, k = weights](float *out, int n, int i) { borders::mirrored(in, k, out, n, radius, i); });
  if (row == "skipped")
    flat_of<float>(
        name, [in = floats, k = weights](float *out, int n, int i) { borders::skipped(in, k, out, n, radius, i); });
  if (row == "wave") flat_of<double>(name, wave);
  if (row == "wave_groups") flat_groups_of<double>(name, wave);
  if (row == "derivative") flat_of<float>(name, derivative);
  if (row == "flat_rows")
    flat_groups_of<float>(
        name, [in = floats](float *out, int n, int i) { borders::flat_rows(in, out, even.w, n / even.w, i); });
  if (row == "heat")
    report<double>(name, 97 * 93 * 91, [in = doubles](double *out) {
      space(97, 93, 91, [=](unsigned x, unsigned y, unsigned z) { borders::heat(in, out, 97, 93, 91, x, y, z); });
    });
  if (row == "colours")
    report<byte>(name, std::size_t(3) * odd.w * odd.h, [in = bytes](byte *out) {
      rows(odd, [=](int x, int y) { borders::colour_blur(in, out, odd.w, odd.h, x, y); });
    });
}

}  // namespace

int main() {
  for (std::string row; std::getline(std::cin, row);) {
    run(row);
    std::fflush(stdout);
  }
}
