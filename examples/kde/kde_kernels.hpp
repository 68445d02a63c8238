// Gaussian kernel density estimation as two SYCL kernels.
//
//   f(y) = 1/n * sum_i (2 pi h^2)^(-d/2) * exp(-|x_i - y|^2 / (2 h^2))
//
// for n samples x_i and m points y in d dimensions, both row-major. Both kernels add to `density`, which must be
// initialised with zeros. `scale` is the factor of each exp, computed by the caller.
#pragma once

#include <sycl/sycl.hpp>

namespace kde {

template <class T> struct problem {
  const T *samples;  // n x d
  const T *points;   // m x d
  T *density;        // m
  std::size_t n, m;
  T exponent;  // -1 / (2 h^2)
  T scale;     // (2 pi h^2)^(-d/2) / n
};

template <class T>
using density_ref = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                     sycl::access::address_space::global_space>;

template <int D, class T> T squared_distance(const T (&x)[D], const T *y) {
  T sum = 0;
  for (int k = 0; k < D; k++) {
    const T difference = x[k] - y[k];
    sum += difference * difference;
  }
  return sum;
}

/// One work-item for each sample, one atomic addition for each of its contributions.
template <int D, class T>
sycl::event with_atomics(sycl::queue &q, const problem<T> &p, const std::vector<sycl::event> &after) {
  return q.parallel_for(sycl::range<1>(p.n), after, [p](sycl::id<1> i) {
    T x[D];
    for (int k = 0; k < D; k++) x[k] = p.samples[i * D + k];
    for (std::size_t j = 0; j < p.m; j++)
      density_ref<T>(p.density[j])
          .fetch_add(p.scale * sycl::exp(p.exponent * squared_distance<D>(x, p.points + j * D)));
  });
}

/// One work-item for each sample. The work-group reduces its contributions, and its leader adds the sum to the density.
/// Each sample is read once for all points.
template <int D, class T>
sycl::event with_group_reduction(sycl::queue &q, const problem<T> &p, const std::vector<sycl::event> &after) {
  constexpr std::size_t group_size = 512;
  const std::size_t groups = (p.n + group_size - 1) / group_size;
  return q.parallel_for(sycl::nd_range<1>(groups * group_size, group_size), after, [p](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    const bool inside = i < p.n;
    const std::size_t row = inside ? i : p.n - 1;
    T x[D];
    for (int k = 0; k < D; k++) x[k] = p.samples[row * D + k];
    for (std::size_t j = 0; j < p.m; j++) {
      const T value = sycl::exp(p.exponent * squared_distance<D>(x, p.points + j * D));
      const T sum = sycl::reduce_over_group(item.get_group(), inside ? value : T(0), sycl::plus<T>());
      if (item.get_group().leader()) density_ref<T>(p.density[j]).fetch_add(p.scale * sum);
    }
  });
}

}  // namespace kde
