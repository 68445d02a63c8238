// SYCL programs on a GPU: start-up, launches, copies, and the KDE of the examples, one line each.
//
//   dpcxx -std=c++20 -O2 -I examples/kde benchmarks/gpu/gpu_bench.cpp -o gpu_bench && ./gpu_bench
//
// hand_kde.cu has the same KDE in CUDA C++, for the ratio.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "kde_kernels.hpp"

namespace {

using clock_type = std::chrono::steady_clock;

double milliseconds_since(clock_type::time_point start) {
  return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

template <class F> double median_of(F run, int times = 30) {
  for (int i = 0; i < 3; i++) run();
  std::vector<double> all;
  for (int i = 0; i < times; i++) {
    const auto start = clock_type::now();
    run();
    all.push_back(milliseconds_since(start));
  }
  std::nth_element(all.begin(), all.begin() + times / 2, all.end());
  return all[static_cast<std::size_t>(times) / 2];
}

void print(const char *what, double value, const char *unit) {
  std::printf("%-44s %10.4g %s\n", what, value, unit);
  std::fflush(stdout);
}

/// Each work-item processes many samples and keeps the sums of all points, as in hand_kde.cu.
template <int D, int M, class T> sycl::event with_private_sums(sycl::queue &q, const kde::problem<T> &p) {
  constexpr std::size_t size = 256, groups = 528;
  return q.parallel_for(sycl::nd_range<1>(groups * size, size), [p](sycl::nd_item<1> item) {
    T sums[M] = {};
    for (std::size_t i = item.get_global_id(0); i < p.n; i += groups * size) {
      T x[D];
      for (int k = 0; k < D; k++) x[k] = p.samples[i * D + k];
      for (int j = 0; j < M; j++) sums[j] += sycl::exp(p.exponent * kde::squared_distance<D>(x, p.points + j * D));
    }
    for (int j = 0; j < M; j++) {
      const T sum = sycl::reduce_over_group(item.get_group(), sums[j], sycl::plus<T>());
      if (item.get_group().leader()) kde::density_ref<T>(p.density[j]).fetch_add(p.scale * sum);
    }
  });
}

template <class T> void kde_of(sycl::queue &q, const char *name) {
  constexpr std::size_t n = 1'000'000, d = 7, m = 17;
  std::mt19937 random(0);
  std::uniform_real_distribution<T> uniform(0, 1);
  std::vector<T> x(n * d), y(m * d);
  for (T &v : x) v = uniform(random);
  for (T &v : y) v = uniform(random);
  const T h = T(0.05);
  const T scale = T(1 / (std::pow(2 * M_PI, d / 2.0) * std::pow(double(h), d) * n));
  T *const samples = sycl::malloc_device<T>(n * d, q), *const points = sycl::malloc_device<T>(m * d, q);
  T *const density = sycl::malloc_shared<T>(m, q);
  q.copy(x.data(), samples, n * d);
  q.copy(y.data(), points, m * d);
  q.wait();
  const kde::problem<T> p{samples, points, density, n, m, T(-0.5) / (h * h), scale};
  double expected = 0;
  for (std::size_t i = 0; i < n; i++) {
    double sum = 0;
    for (std::size_t k = 0; k < d; k++) sum += (double(x[i * d + k]) - y[k]) * (double(x[i * d + k]) - y[k]);
    expected += std::exp(double(p.exponent) * sum);
  }
  expected *= double(scale);
  const auto row = [&](const char *title, auto run) {
    const auto whole = [&] {
      q.fill(density, T(0), m);
      run();
      q.wait();
    };
    const auto start = clock_type::now();
    whole();
    std::printf("kde %s %s: first %.1f ms, error %.1e; then %.4f ms\n", name, title, milliseconds_since(start),
                std::abs(double(density[0]) - expected) / expected, median_of(whole));
    std::fflush(stdout);
  };
  row("private sums", [&] { with_private_sums<d, m>(q, p); });
  row("group reduction", [&] { kde::with_group_reduction<d>(q, p, {}); });
  row("atomics", [&] { kde::with_atomics<d>(q, p, {}); });
  for (T *memory : {samples, points, density}) sycl::free(memory, q);
}

template <class T> void streams(sycl::queue &q, const char *name) {
  constexpr std::size_t n = 100'000'000;
  T *const a = sycl::malloc_device<T>(n, q), *const b = sycl::malloc_device<T>(n, q);
  T *const c = sycl::malloc_device<T>(n, q);
  q.fill(a, T(1), n);
  q.fill(b, T(2), n).wait();
  const auto rate = [&](const char *what, double bytes, auto run) {
    const double t = median_of([&] { run(), q.wait(); }, 20);
    std::printf("%s %s 1e8: %.0f GB/s\n", what, name, bytes / t / 1e6);
    std::fflush(stdout);
  };
  const double bytes = double(sizeof(T)) * n;
  rate("copy", 2 * bytes, [&] { q.copy(a, c, n); });
  rate("fill", bytes, [&] { q.fill(c, T(3), n); });
  rate("a + b", 3 * bytes, [&] { q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { c[i] = a[i] + b[i]; }); });
  rate("exp(a)", 2 * bytes, [&] { q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { c[i] = sycl::exp(a[i]); }); });
  rate("2-d a + b", 3 * bytes, [&] {
    q.parallel_for(sycl::range<2>(10000, 10000), [=](sycl::id<2> i) {
      const std::size_t at = i[0] * 10000 + i[1];
      c[at] = a[at] + b[at];
    });
  });
  T *const sum = sycl::malloc_device<T>(2, q);
  const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity()};
  const auto plus = [&](T *to) { return sycl::reduction(to, sycl::plus<T>(), fresh); };
  rate("sycl::reduction", bytes,
       [&] { q.parallel_for(sycl::range<1>(n), plus(sum), [=](sycl::id<1> i, auto &total) { total += a[i]; }); });
  rate("two in two dimensions", 2 * bytes, [&] {
    q.parallel_for(sycl::range<2>(10000, 10000), plus(sum), plus(sum + 1), [=](sycl::item<2> i, auto &x, auto &y) {
      x += a[i.get_linear_id()];
      y += b[i.get_linear_id()];
    });
  });
  rate("in work-groups of 256", bytes, [&] {
    q.parallel_for(sycl::nd_range<1>(n / 256 * 256, 256), plus(sum),
                   [=](sycl::nd_item<1> i, auto &total) { total += a[i.get_global_id(0)]; });
  });
  T seen{};
  q.copy(sum, &seen, 1).wait();
  std::printf("summed %g\n", double(seen));
  for (T *memory : {a, b, c, sum}) sycl::free(memory, q);
}

}  // namespace

int main() {
  auto start = clock_type::now();
  sycl::queue q{sycl::property::queue::in_order()};
  print("first queue", milliseconds_since(start), "ms");
  std::printf("device: %s\n", q.get_device().get_info<sycl::info::device::name>().c_str());
  int *const one = sycl::malloc_device<int>(1, q);
  start = clock_type::now();
  q.single_task([=] { *one = 1; }).wait();
  print("first kernel", milliseconds_since(start), "ms");
  const auto touch = [=, &q] { q.single_task([=] { *one += 1; }); };
  start = clock_type::now();
  touch();
  q.wait();
  print("second kernel, new", milliseconds_since(start), "ms");
  constexpr int times = 20000;
  start = clock_type::now();
  for (int i = 0; i < times; i++) touch();
  print("launch, submitted", milliseconds_since(start) / times * 1e3, "us");
  q.wait();
  print("launch, sustained", milliseconds_since(start) / times * 1e3, "us");
  print("launch and wait", median_of([&] { touch(), q.wait(); }, 500) * 1e3, "us");
  int seen = 0;
  q.copy(one, &seen, 1).wait();
  std::printf("counted %d of %d\n", seen, times + 2 + 503);
  kde_of<float>(q, "float32");
  kde_of<double>(q, "float64");
  streams<float>(q, "float32");
  streams<double>(q, "float64");
  sycl::free(one, q);
}
