// Chains of fused multiply-adds in registers, of floats and of doubles.
#include "../problems.hpp"
#include "memory.hpp"

using problem = programs::fma_problem;

template <class T> void multiply_add(sycl::queue &q, const T *values, T *results, int n) {
  q.parallel_for(sycl::nd_range<1>(n, problem::group_size), [=](sycl::nd_item<1> item) {
    const int i = item.get_global_id(0);
    const T factor = T(0.5) + T(0.25) * values[i], addend = T(1) - values[i];
    T chains[problem::chains];
    for (int k = 0; k < problem::chains; k++) chains[k] = T(k);
    for (int round = 0; round < problem::rounds; round++)
      for (int k = 0; k < problem::chains; k++) chains[k] = sycl::fma(chains[k], factor, addend);
    T sum = 0;
    for (int k = 0; k < problem::chains; k++) sum += chains[k];
    results[i] = sum;
  });
}

int main(int argc, char **argv) {
  const problem p(programs::is_small(argc, argv));
  sycl::queue q{sycl::property::queue::in_order()};
  const float *singles = to_device(q, p.singles);
  const double *doubles = to_device(q, p.doubles);
  float *single_results = sycl::malloc_device<float>(p.n, q);
  double *double_results = sycl::malloc_device<double>(p.n, q);

  const auto run = [&] {
    multiply_add(q, singles, single_results, p.n);
    multiply_add(q, doubles, double_results, p.n);
  };
  programs::report(
      "fma", run, [&] { q.wait(); },
      [&] {
        return programs::checksum(to_host(q, single_results, p.n)) +
               programs::checksum(to_host(q, double_results, p.n));
      });
}
